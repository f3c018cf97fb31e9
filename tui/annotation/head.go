package annotation

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/widget"
)

// SessionHead is what stands above the item in front and below it, and where no item is in front.
type SessionHead struct {
	*SessionState
	Work  *ItemWork
	Notes *NoteEditor
}

// formatGoldHits gives how the annotator does on the items whose answer is known, for the header: what
// the session lets be shown, which tells nothing of any one item; "" before there is anything.
func (h *SessionHead) formatGoldHits() string {
	c := h.Session.Own.CountGoldHits()
	if c.N == 0 {
		return ""
	}
	out := fmt.Sprintf("  checks %d/%d right", c.K, c.N)
	if r := c.Rate("none yet"); h.Width >= action.Roomy {
		out += fmt.Sprintf(" (%.0f-%.0f %%)", 100*r.Low, 100*r.High)
	}
	return out
}

// DrawFinished draws what stands where no item is in front: the end of the queue, or nothing to do yet.
func (h *SessionHead) DrawFinished(w EndTexts) []string {
	t, n := h.Theme, h.Session
	var out []string
	title := func(format string, args ...any) {
		out = append(out, t.DrawSection(fmt.Sprintf(format, args...), "", true, h.Width), "")
	}
	say := func(format string, args ...any) {
		out = append(out, t.Text.WrapStyled(" ", fmt.Sprintf(format, args...), h.Width-1)...)
	}
	switch {
	case n.Walk.IsWaitingForOthers():
		title("What is left is with others")
		say("%s still open and with somebody else. What they leave comes here by itself.", isOrAre(n.Walk.CountOpen()))
	case n.Walk.CountOpen() > 0:
		title("The end of the queue")
		say("%s still open: %s goes to the next one.", isOrAre(n.Walk.CountOpen()), h.SpellKey("next_unlabeled"))
	case h.Growing && n.Walk.Len() == 0:
		title("%s", w.Waiting)
		say("%s", w.Comes)
	case h.Growing:
		title("All %s answered; waiting for more", isOrAre(n.Walk.Len()))
		say("The evaluation still runs. New items appear here by themselves.")
	case n.Walk.Len() == 0:
		title("Nothing to do in this queue")
		say("%s", h.whyNothingToAnswer(w.Nothing))
	default:
		done := eval.Either(n.Walk.Len() == 1, "the one item is", "all "+isOrAre(n.Walk.Len()))
		title("Done: %s answered", done)
	}
	return out
}

// whyNothingToAnswer says why there is nothing to answer in a queue that stands.
func (h *SessionHead) whyNothingToAnswer(known string) string {
	q := h.Session.Own.Queue()
	switch {
	case q.Items == 0 && known != "":
		return known
	case q.Items == 0:
		return "It has no items."
	}
	return fmt.Sprintf("It asks for %s an item, and others have given them all. A queue made with --overlap %d asks for one more.",
		widget.FormatPlural(q.WantedLabelsIfAgreed(), "label"), q.WantedLabelsIfAgreed()+1)
}

// drawHeader draws the queue with the annotator's own progress and what is saved.
func (h *SessionHead) drawHeader() string {
	t := h.Theme
	done, all := h.Session.Walk.Len()-h.Session.Walk.CountOpen(), h.Session.Walk.Len()
	left := " " + t.Strong.Render(widget.CutWidth(widget.CleanLine(string(h.deps.Queue)), max(8, h.Width/4))) + "  "
	left += fmt.Sprintf("%s/%s ", widget.FormatCount(done), widget.FormatCount(all))
	if all > 0 {
		left += t.DrawBar(min(20, h.Width/6), float64(done)/float64(all))
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
	if checks := h.formatGoldHits(); checks != "" {
		left += t.Faint.Render(checks)
	}
	if team := h.formatTeamProgress(); team != "" {
		left += t.Faint.Render(team)
	}
	return widget.JoinEnds(left, h.formatSaved()+" ", h.Width)
}

// formatTeamProgress gives how far everybody is, while others are at work in the queue.
func (h *SessionHead) formatTeamProgress() string {
	team := h.Session.TeamProgress()
	if team.Here < 2 || team.Wanted == 0 {
		return ""
	}
	return fmt.Sprintf("  all %d%%", 100*team.Given/team.Wanted) + eval.Either(h.Width >= 80, fmt.Sprintf(", %d here", team.Here), "")
}

// formatSaved gives the state of the annotator's acts: saved only once committed.
func (h *SessionHead) formatSaved() string {
	t, st := h.Theme, h.Work.saving
	switch {
	case st.Err != nil:
		room := max(12, h.Width/2-13)
		return t.Bad.Render("NOT SAVED: " + widget.CutWidth(widget.CleanLine(st.Err.Error()), room))
	case st.Pending > 0:
		return t.Warn.Render(strings.TrimSpace("saving… " + h.Work.echo))
	case st.At.IsZero():
		return ""
	case h.Work.echo == "":
		return t.Good.Render("saved " + st.At.Local().Format("15:04:05"))
	}
	out := t.Good.Render("saved " + h.Work.echo + "  " + st.At.Local().Format("15:04:05"))
	if h.Width >= 80 {
		out += t.Faint.Render("  " + h.SpellKey("undo") + " undo")
	}
	return out
}

// FormatItemLine gives what the header says of the item in front; "" when there is none.
func (h *SessionHead) FormatItemLine() string {
	t := h.Theme
	_, k, ok := h.Session.Walk.Current()
	if !ok {
		return ""
	}
	left := t.Faint.Render(fmt.Sprintf(" item %s of %s", widget.FormatCount(h.Session.Walk.Position()+1), widget.FormatCount(h.Session.Walk.Len())))
	if h.Session.Own.State().Flagged[k] {
		left += t.Warn.Render("  ⚑ flagged")
	}
	if h.Session.Own.State().Skipped[k] {
		left += t.Faint.Render("  put off before")
	}
	if pg := h.FrontPage(); pg != nil && pg.Err == nil {
		left += t.Faint.Render("  sample " + widget.CutWidth(widget.CleanLine(string(pg.Item.Sample)), max(16, h.Width/4)))
	}
	return left
}

// DrawStatus draws the last line: why the last key did nothing, the note that is
// typed, a failure, or what the annotator said of the item in front.
func (h *SessionHead) DrawStatus(word func() string) string {
	t := h.Theme
	if h.Refusal != "" && !h.IsTyping() {
		return widget.FitWidth(" "+t.Warn.Render("✗ "+h.Refusal), h.Width)
	}
	line := func(title, text string) string { return widget.FitWidth(" "+t.Title.Render(title)+" "+text, h.Width) }
	switch st := h.Work.saving; {
	case h.Mode == Noting:
		return line("NOTE", h.Notes.note.View())
	case h.Mode == Explaining:
		return line("WHY", h.Notes.note.View())
	case h.Mode == Weighing:
		return line("CONFIDENCE", "1 (low) … 5 (high)")
	case h.Mode == Tagging:
		return line("TAGS", h.Work.formatTags())
	case st.Err != nil:
		return t.Bad.Render(widget.FitWidth(fmt.Sprintf(" NOT SAVED: %s. They are kept: %s saves again.",
			widget.FormatPlural(st.Pending, "act"), h.SpellKey("save_again")), h.Width))
	}
	if strip := strings.Join(h.Work.listRecentAnswers(), " · "); h.Width >= action.Roomy && h.Outer == h.Width && strip != "" {
		return widget.JoinEnds(h.formatOwnAnswer(word), t.Faint.Render(strip+" "), h.Width)
	}
	return widget.FitWidth(h.formatOwnAnswer(word), h.Width)
}

// formatOwnAnswer gives what the annotator has said of the item in front, in the screen's words, and their note.
func (h *SessionHead) formatOwnAnswer(word func() string) string {
	t := h.Theme
	_, k, ok := h.Session.Walk.Current()
	if !ok {
		return ""
	}
	var out string
	if l, done := h.OwnLabel(); done {
		out += " " + t.Good.Render("▸ "+word())
		if l.Imported {
			out += t.Faint.Render(" (imported)")
		}
	}
	if g := formatRationale(h.Notes.currentRationale()); g != "" {
		out += "  " + t.Faint.Render(g)
	}
	if n := h.Session.Own.State().Notes[k]; n != "" {
		out += "  " + t.Faint.Render("note: ") + widget.CleanLine(n)
	}
	if tags := h.Session.Own.State().Tags[k]; len(tags) > 0 {
		out += "  " + t.Faint.Render("tags: ") + widget.CleanLine(strings.Join(tags, ", "))
	}
	if out == "" && h.Outer == h.Width && h.Work.isFirstItem() {
		return " " + t.Key.Render(h.SpellKey("guideline")) + t.Faint.Render(" opens the guideline of this queue")
	}
	return out
}

// DrawSection draws a pane's title with the lines that it shows.
func DrawSection(t *widget.Theme, name string, from, rows, lines int, more string, focused bool, width int) string {
	note := ""
	if rows < lines {
		note = fmt.Sprintf("lines %s-%s of %s", widget.FormatCount(from+1), widget.FormatCount(min(from+rows, lines)), widget.FormatCount(lines))
		if more != "" {
			note += ", " + more
		}
	}
	return t.DrawSection(name, note, focused, width)
}

// ScrollPosition is where a key that scrolls brings a pane whose first line shown is
// at: not yet held within its lines. page is how many lines a page goes.
func ScrollPosition(key string, at, page int) int {
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

// EndTexts are what a screen says at the end of a queue.
type EndTexts struct {
	Waiting, Comes string // of a queue that grows and has nothing yet, and what will come
	Nothing        string // why a queue stands empty, when the screen knows; else ""
}

func isOrAre(n int) string {
	return eval.Either(n == 1, "1 item is", widget.FormatPlural(n, "item")+" are")
}

// NoteEditor is what is typed of the item in front: its note, and the rationale of its label.
type NoteEditor struct {
	note textinput.Model
	*SessionState
	Work *ItemWork
}

// currentRationale are those of the item in front: of its label, else what will go with the next one.
func (n *NoteEditor) currentRationale() annotate.Rationale {
	if l, ok := n.OwnLabel(); ok {
		return l.Rationale()
	}
	return n.Work.pending
}

// keepOrSetRationale gives the label in front its rationale, or keeps them for the label to come.
func (n *NoteEditor) keepOrSetRationale(g annotate.Rationale) {
	if _, ok := n.OwnLabel(); !ok {
		n.Work.pending = g
		return
	}
	if a, ok := n.Session.SetRationale(g); ok {
		n.Work.SubmitAct(a)
	}
}

// AskConfidence asks how sure the person is.
func (n *NoteEditor) AskConfidence(string) tea.Cmd {
	n.Mode = Weighing
	return nil
}

// SetConfidence says how sure the person is: 1 is a fifth, 5 is certain.
func (n *NoteEditor) SetConfidence(key string) tea.Cmd {
	g := n.currentRationale()
	g.Confidence = float64(key[0]-'0') / steps
	n.keepOrSetRationale(g)
	n.Mode = Reading
	return nil
}

func (n *NoteEditor) toggleTagging(string) tea.Cmd {
	n.Mode = eval.Either(n.Mode == Tagging, Reading, Tagging)
	return nil
}

// StartTypingReason opens the reason of the item in front.
func (n *NoteEditor) StartTypingReason(string) tea.Cmd {
	return n.startTyping(Explaining, n.currentRationale().String())
}

// StartTypingNote opens the note of the item in front.
func (n *NoteEditor) StartTypingNote(string) tea.Cmd {
	_, k, _ := n.Session.Walk.Current()
	return n.startTyping(Noting, n.Session.Own.State().Notes[k])
}

func (n *NoteEditor) startTyping(mode action.Mode, text string) tea.Cmd {
	n.Mode = mode
	n.note.SetValue(text)
	n.note.CursorEnd()
	return n.note.Focus()
}

// FinishTyping keeps the note, or the reason, as it stands.
func (n *NoteEditor) FinishTyping(string) tea.Cmd {
	n.keepAndLeaveNote()
	return nil
}

func (n *NoteEditor) keepAndLeaveNote() {
	if n.IsTyping() {
		n.submitTypedText()
		n.Mode = Reading
	}
}

func (n *NoteEditor) submitTypedText() {
	if !n.IsTyping() {
		return
	}
	n.note.Blur()
	if n.Mode == Explaining {
		n.keepOrSetRationale(annotate.ParseRationale(n.note.Value()))
		return
	}
	if a, ok := n.Session.SetNote(n.note.Value()); ok {
		n.Work.SubmitAct(a)
	}
}

// NewNoteField gives a field of one line, as notes are typed into.
func NewNoteField(t *widget.Theme) textinput.Model {
	n := t.NewLineField("")
	n.CharLimit = 2000
	return n
}
