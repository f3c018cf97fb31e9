package annotation

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/action"
	"concord/tui/widget"
)

// Head is what stands above the item in front and below it, and where no item is in front.
type Head struct {
	*State
	Work  *Work
	Notes *Notes
}

// checks is how the annotator does on the items whose answer is known, for the
// header: what the session lets be shown, which tells nothing of any one item;
// "" before there is anything.
func (h *Head) checks() string {
	c := h.Session.Own.Checks()
	if c.N == 0 {
		return ""
	}
	out := fmt.Sprintf("  checks %d/%d right", c.K, c.N)
	if r := c.Rate("none yet"); h.Width >= action.Roomy {
		out += fmt.Sprintf(" (%.0f-%.0f %%)", 100*r.Low, 100*r.High)
	}
	return out
}

// Finished is what stands where no item is in front: the end of the queue,
// or nothing to do yet.
func (h *Head) Finished(w Words) []string {
	t, n := h.Theme, h.Session
	var out []string
	say := func(style widget.CachedStyle, format string, args ...any) {
		out = append(out, style.Wrap(" ", fmt.Sprintf(format, args...), h.Width-1)...)
	}
	say(t.Text, "")
	switch {
	case n.Walk.Waits():
		say(t.Title, "What is left is with others")
		say(t.Text, "%s still open and with somebody else. What they leave comes here by itself.", are(n.Walk.Open()))
	case n.Walk.Open() > 0:
		say(t.Title, "The end of the queue")
		say(t.Text, "%s still open: %s goes to the next one.", are(n.Walk.Open()), h.Spelled("next_unlabeled"))
	case h.Growing && n.Walk.Len() == 0:
		say(t.Title, "%s", w.Waiting)
		say(t.Text, "%s", w.Comes)
	case h.Growing:
		say(t.Title, "All %s answered; waiting for more", are(n.Walk.Len()))
		say(t.Text, "The evaluation still runs. New items appear here by themselves.")
	case n.Walk.Len() == 0:
		say(t.Title, "Nothing to do in this queue")
		say(t.Text, "%s", h.whyNothing(w.Nothing))
	default:
		done := "all " + are(n.Walk.Len())
		if n.Walk.Len() == 1 {
			done = "the one item is"
		}
		say(t.Title, "Done: %s answered", done)
	}
	return out
}

// whyNothing says why there is nothing to answer in a queue that stands.
func (h *Head) whyNothing(known string) string {
	q := h.Session.Own.Queue()
	switch {
	case q.Items == 0 && known != "":
		return known
	case q.Items == 0:
		return "It has no items."
	}
	return fmt.Sprintf("It asks for %s an item, and others have given them all. A queue made with --overlap %d asks for one more.",
		widget.Plural(q.Wanted(), "label"), q.Wanted()+1)
}

// header is the queue with the annotator's own progress and what is saved.
func (h *Head) header() string {
	t := h.Theme
	done, all := h.Session.Walk.Len()-h.Session.Walk.Open(), h.Session.Walk.Len()
	left := " " + t.Strong.Render(widget.Cut(widget.Line(string(h.deps.Queue)), max(8, h.Width/4))) + "  "
	left += fmt.Sprintf("%s/%s ", widget.Count(done), widget.Count(all))
	if all > 0 {
		left += t.Bar(min(20, h.Width/6), float64(done)/float64(all))
	}
	if h.Session.Own.Queue().Synthetic && h.Width >= 80 {
		left += t.Warn.Render("  synthetic")
	}
	if h.Work.stay {
		left += t.Warn.Render("  stays")
	}
	if n := len(h.Session.Own.State().Skipped); n > 0 {
		left += t.Faint.Render(fmt.Sprintf("  %d put off", n))
	}
	if checks := h.checks(); checks != "" {
		left += t.Faint.Render(checks)
	}
	if team := h.team(); team != "" {
		left += t.Faint.Render(team)
	}
	return widget.Ends(left, h.saved()+" ", h.Width)
}

// team is how far everybody is, while others are at work in the queue.
func (h *Head) team() string {
	team := h.Session.Team()
	if team.Here < 2 || team.Wanted == 0 {
		return ""
	}
	out := fmt.Sprintf("  all %d%%", 100*team.Given/team.Wanted)
	if h.Width >= 80 {
		out += fmt.Sprintf(", %d here", team.Here)
	}
	return out
}

// saved is the state of the annotator's acts: saved only once committed.
func (h *Head) saved() string {
	t, st := h.Theme, h.Work.saving
	switch {
	case st.Err != nil:
		room := max(12, h.Width/2-13)
		return t.Bad.Render("NOT SAVED: " + widget.Cut(widget.Line(st.Err.Error()), room))
	case st.Pending > 0:
		return t.Warn.Render(strings.TrimSpace("saving… " + h.Work.echo))
	case st.At.IsZero():
		return ""
	case h.Work.echo == "":
		return t.Good.Render("saved " + st.At.Local().Format("15:04:05"))
	}
	out := t.Good.Render("saved " + h.Work.echo + "  " + st.At.Local().Format("15:04:05"))
	if h.Width >= 80 {
		out += t.Faint.Render("  " + h.Spelled("undo") + " undo")
	}
	return out
}

// Place is what the header says of the item in front; "" when there is none.
func (h *Head) Place() string {
	t := h.Theme
	_, k, ok := h.Session.Walk.Current()
	if !ok {
		return ""
	}
	left := t.Faint.Render(fmt.Sprintf(" item %s of %s", widget.Count(h.Session.Walk.At()+1), widget.Count(h.Session.Walk.Len())))
	if h.Session.Own.State().Flagged[k] {
		left += t.Warn.Render("  ⚑ flagged")
	}
	if h.Session.Own.State().Skipped[k] {
		left += t.Faint.Render("  put off before")
	}
	if pg := h.Page(); pg != nil && pg.Err == nil {
		left += t.Faint.Render("  sample " + widget.Cut(widget.Line(string(pg.Item.Sample)), 16))
	}
	return left
}

// Status is the last line: why the last key did nothing, the note that is
// typed, a failure, or what the annotator said of the item in front.
func (h *Head) Status(word func() string) string {
	t := h.Theme
	if h.Refusal != "" && !h.Typing() {
		return widget.Fit(" "+t.Warn.Render("✗ "+h.Refusal), h.Width)
	}
	line := func(title, text string) string { return widget.Fit(" "+t.Title.Render(title)+" "+text, h.Width) }
	switch st := h.Work.saving; {
	case h.Mode == Noting:
		return line("NOTE", h.Notes.note.View())
	case h.Mode == Explaining:
		return line("WHY", h.Notes.note.View())
	case h.Mode == Weighing:
		return line("CONFIDENCE", "1 hardly … 5 certain")
	case st.Err != nil:
		return t.Bad.Render(widget.Fit(fmt.Sprintf(" NOT SAVED: %s. They are kept: %s saves again.",
			widget.Plural(st.Pending, "act"), h.Spelled("save_again")), h.Width))
	}
	if strip := h.Work.strip(); h.Width >= action.Roomy && strip != "" {
		return widget.Ends(h.spoken(word), t.Faint.Render(strip+" "), h.Width)
	}
	return widget.Fit(h.spoken(word), h.Width)
}

// spoken is what the annotator has said of the item in front, in the screen's
// words, and their note.
func (h *Head) spoken(word func() string) string {
	t := h.Theme
	_, k, ok := h.Session.Walk.Current()
	if !ok {
		return ""
	}
	if h.Outer == h.Width && h.Work.fresh() {
		return " " + t.Key.Render(h.Spelled("guideline")) + t.Faint.Render(" opens the guideline of this queue")
	}
	var out string
	if l, done := h.Own(); done {
		out += " " + t.Good.Render("▸ "+word())
		if l.Imported {
			out += t.Faint.Render(" (imported)")
		}
	}
	if g := because(h.Notes.grounds()); g != "" {
		out += "  " + t.Faint.Render(g)
	}
	if n := h.Session.Own.State().Notes[k]; n != "" {
		out += "  " + t.Faint.Render("note: ") + widget.Line(n)
	}
	return out
}

// Section is a pane's title with the lines that it shows.
func Section(t *widget.Theme, name string, from, rows, lines int, more string, focused bool, width int) string {
	note := ""
	if rows < lines {
		note = fmt.Sprintf("lines %s-%s of %s", widget.Count(from+1), widget.Count(min(from+rows, lines)), widget.Count(lines))
		if more != "" {
			note += ", " + more
		}
	}
	return t.Section(name, note, focused, width)
}

// Scrolled is where a key that scrolls brings a pane whose first line shown is
// at: not yet held within its lines. page is how many lines a page goes.
func Scrolled(key string, at, page int) int {
	switch key {
	case "j", "down":
		return at + 1
	case "k", "up":
		return at - 1
	case "pgdown", "ctrl+d":
		return at + page
	case "pgup", "ctrl+u":
		return at - page
	case "g", "home":
		return 0
	case "e", "G", "end":
		return 1 << 30
	}
	return at
}

// Words are what a screen says at the end of a queue.
type Words struct {
	Waiting, Comes string // of a queue that grows and has nothing yet, and what will come
	Nothing        string // why a queue stands empty, when the screen knows; else ""
}

func are(n int) string {
	if n == 1 {
		return "1 item is"
	}
	return widget.Plural(n, "item") + " are"
}

// Notes is what is typed of the item in front: its note, and the rationale of its label.
type Notes struct {
	note textinput.Model
	*State
	Work *Work
}

// rationale are those of the item in front: of its label, else what will go with
// the next one.
func (n *Notes) grounds() annotate.Rationale {
	if l, ok := n.Own(); ok {
		return l.Rationale()
	}
	return n.Work.pending
}

// explain gives the label in front its rationale, or keeps them for the label to
// come.
func (n *Notes) explain(g annotate.Rationale) {
	if _, ok := n.Own(); !ok {
		n.Work.pending = g
		return
	}
	if a, ok := n.Session.Explain(g); ok {
		n.Work.Submit(a)
	}
}

// StartSure asks how sure the person is.
func (n *Notes) StartSure(string) tea.Cmd {
	n.Mode = Weighing
	return nil
}

// Sure says how sure the person is: 1 is a fifth, 5 is certain.
func (n *Notes) Sure(key string) tea.Cmd {
	g := n.grounds()
	g.Confidence = float64(key[0]-'0') / steps
	n.explain(g)
	n.Mode = Reading
	return nil
}

// StartWhy opens the reason of the item in front.
func (n *Notes) StartWhy(string) tea.Cmd { return n.start(Explaining, n.grounds().String()) }

// StartNote opens the note of the item in front.
func (n *Notes) StartNote(string) tea.Cmd {
	_, k, _ := n.Session.Walk.Current()
	return n.start(Noting, n.Session.Own.State().Notes[k])
}

// start has a text typed.
func (n *Notes) start(mode action.Mode, text string) tea.Cmd {
	n.Mode = mode
	n.note.SetValue(text)
	n.note.CursorEnd()
	return n.note.Focus()
}

// End keeps the note, or the reason, as it stands.
func (n *Notes) End(string) tea.Cmd {
	n.leaveNote()
	return nil
}

// leaveNote ends the typing of a note or a reason, if one is being typed.
func (n *Notes) leaveNote() {
	if n.Typing() {
		n.keepNote()
		n.Mode = Reading
	}
}

func (n *Notes) keepNote() {
	if !n.Typing() {
		return
	}
	n.note.Blur()
	if n.Mode == Explaining {
		n.explain(annotate.ParseRationale(n.note.Value()))
		return
	}
	if a, ok := n.Session.Note(n.note.Value()); ok {
		n.Work.Submit(a)
	}
}

// NewNote is a field of one line, as notes are typed into.
func NewNote(t *widget.Theme) textinput.Model {
	n := t.Input("")
	n.CharLimit = 2000
	return n
}
