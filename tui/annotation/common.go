package annotation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/keymap"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// The groups of the help page that every screen has.
const (
	ActsGroup  = "The item selected"
	MovesGroup = "Move"
	ViewsGroup = "Look"
	FullGroup  = "The image on the whole screen"
)

// WorkingModes are the modes in which an item can be worked on.
func WorkingModes() []action.Mode { return []action.Mode{Reading, Revealed} }

// SessionParts are the children of a session that the keys of its screen steer.
type SessionParts struct {
	Work    *ItemWork
	Notes   *NoteEditor
	Gallery *Gallery
	Guide   *GuidelinePane
	Head    *SessionHead
}

// NewItemActTable gives what every screen can do to the item in front but answer it or put
// it off. at is the place of its keys.
func (p *SessionParts) NewItemActTable(at keymap.Place) action.Table {
	w, n, on := p.Work, p.Notes, action.NewAction
	return action.Table{
		action.MarkRecording(on(ActsGroup, WorkingModes(), action.NewFooterKey(action.Third, at.BindAction("undo")), w.makeWhyNot(func(s *session.Session) bool { return !s.Own.CanUndo() }, "nothing to undo"), w.UndoAct)),
		action.MarkRecording(on(ActsGroup, WorkingModes(), action.NewFooterKey(action.Unranked, at.BindAction("redo")), w.makeWhyNot(func(s *session.Session) bool { return !s.Own.CanRedo() }, "nothing to redo"), w.RedoAct)),
		on(ActsGroup, WorkingModes(), action.NewFooterKey(action.Fifth, at.BindAction("comment")), w.WhyNoFront, n.StartTypingNote),
		action.MarkRecording(on(ActsGroup, []action.Mode{Noting}, action.NewFooterKey(action.First, widget.NewBinding("enter", "keep the note", "enter")), nil, n.FinishTyping)),
		NewKeepHint(Noting, Explaining),
		on(ActsGroup, WorkingModes(), action.NewFooterKey(action.First, at.BindAction("save_again")), w.WhyNoFailure, w.RetrySaving),
	}
}

// NewKeepHint says in the footer what esc, a key of everywhere, does to a text that is typed.
func NewKeepHint(modes ...action.Mode) action.Action {
	return action.NewAction(ActsGroup, modes, action.NewFooterKey(action.Fourth, widget.NewBinding("esc", "keep it too", "esc keeps")), nil, func(string) tea.Cmd { return nil })
}

// NewMarkTable gives what is done to an item that is not answered now.
func (p *SessionParts) NewMarkTable(at keymap.Place) action.Table {
	w, on := p.Work, action.NewAction
	return action.Table{
		action.MarkRecording(on(ActsGroup, WorkingModes(), action.NewFooterKey(action.Third, at.BindAction("skip")), w.WhyNoFront, w.SkipItem)),
		action.MarkRecording(on(ActsGroup, WorkingModes(), action.NewFooterKey(action.Fifth, at.BindAction("flag")), w.WhyNoFront, w.ToggleFlag)),
		on(MovesGroup, WorkingModes(), action.NewFooterKey(action.Unranked, at.BindAction("stay")), nil, w.ToggleAutoAdvance),
	}
}

// NewLookTable are how the pictures of an item are looked at.
func (v *Gallery) NewLookTable(at keymap.Place) action.Table {
	_, pan, _, outside := widget.ZoomKeys()
	zooming, both, on := []action.Mode{Zooming}, []action.Mode{Reading, Zooming}, action.NewAction
	moved := func() string { return cmp.Or(v.whyNotFull(), v.whyNotZoomed()) }
	return action.Table{
		on(ViewsGroup, WorkingModes(), action.NewFooterKey(action.Fourth, at.BindAction("zoom")), v.WhyNoPicture, v.ShowFullScreen),
		on(ViewsGroup, zooming, action.NewFooterKey(action.First, keymap.ReviewPicture.BindAction("zoom")), nil, v.LeaveZoom),
		on(ViewsGroup, both, action.NewFooterKey(action.Fourth, at.BindAction("next_image")), v.WhyNoPictures, v.NextPicture),
		on(FullGroup, both, action.NewFooterKey(action.Fifth, at.BindJoined("enlarge image", "zoom_in", "zoom_out")), v.WhyNoPicture, v.HandleZoomKey),
		on(FullGroup, zooming, action.NewFooterKey(action.Third, pan), moved, v.HandleZoomKey),
		on(FullGroup, both, action.NewFooterKey(action.Third, at.BindAction("whole_picture")), v.whyNotZoomed, v.HandleZoomKey),
		on(FullGroup, zooming, action.NewFooterKey(action.Fourth, outside), v.whyNotFull, v.OpenViewer),
	}
}

// NewMoveTable are the ways from item to item.
func (p *SessionParts) NewMoveTable(at keymap.Place) action.Table {
	w, on := p.Work, action.NewAction
	return action.Table{
		on(MovesGroup, WorkingModes(), action.NewFooterKey(action.Unranked, at.BindAction("previous")), w.makeWhyNot(func(s *session.Session) bool { return s.Walk.Position() == 0 }, "this is the first item"), w.ShowPreviousItem),
		on(MovesGroup, WorkingModes(), action.NewFooterKey(action.Unranked, at.BindAction("next")), w.makeWhyNot(func(s *session.Session) bool { return s.Walk.Position() >= s.Walk.Len() }, "this is the end of the queue"), w.ShowNextItem),
		on(MovesGroup, WorkingModes(), action.NewFooterKey(action.Second, at.BindAction("next_unlabeled")), w.makeWhyNot(func(s *session.Session) bool { return s.Walk.CountOpen() == 0 }, "no item is open"), w.ShowNextOpen),
	}
}

// NewScrollTable gives the keys through what is read.
func NewScrollTable(at keymap.Place, modes []action.Mode, scroll func(string) tea.Cmd) action.Table {
	on := func(words string, names ...string) action.Action {
		return action.NewAction(MovesGroup, modes, action.NewFooterKey(action.Unranked, at.BindJoined(words, names...)), nil, scroll)
	}
	return action.Table{on("scroll", "up", "down"), on("scroll a page", "page_up", "page_down"), on("to the top, to the end", "top", "bottom")}
}

// NewGuideTable open the guideline of the queue, and its versions. toggle is the screen's.
func (p *SessionParts) NewGuideTable(at keymap.Place, toggle func(string) tea.Cmd) action.Table {
	on, guiding := action.NewAction, []action.Mode{Guiding}
	return action.Table{
		on(ViewsGroup, WorkingModes(), action.NewFooterKey(action.Fourth, at.BindAction("guideline")), nil, toggle),
		on(ViewsGroup, guiding, action.NewFooterKey(action.First, at.BindJoined("close", "guideline")), nil, toggle),
		on(ViewsGroup, guiding, action.NewFooterKey(action.Second, at.BindAction("guideline_page")), nil, p.Guide.RequestVersionsPage),
		on(ViewsGroup, []action.Mode{Reading}, action.NewFooterKey(action.Unranked, at.BindJoined("the guideline's versions, write", "guideline_page")),
			func() string { return action.WhyIf(p.Work.Session == nil, "the queue is being opened") }, p.Guide.RequestVersionsPage),
	}
}

// The modes that every screen has. Its own begin at More.
const (
	Reading    action.Mode = iota // one key answers
	Noting                        // typing a note: keys are text
	Guiding                       // the guideline is open
	Zooming                       // the picture fills the screen
	Revealed                      // what machines made of the item is open
	Explaining                    // typing a reason: keys are text
	Weighing                      // saying how sure one is: digits
	Tagging                       // putting tags on the item: digits
	More
)

// steps is how many degrees of being sure the digits tell apart.
const steps = 5

// NewReasonTable gives what a screen offers whose labels may have a rationale: a reason, and how sure one is.
func (p *SessionParts) NewReasonTable(at keymap.Place) action.Table {
	n, front, on := p.Notes, p.Work.WhyNoFront, action.NewAction
	return action.Table{
		on(ActsGroup, WorkingModes(), action.NewFooterKey(action.Unranked, at.BindJoined("confidence 1 (low) to 5 (high)", "confidence")), front, n.AskConfidence),
		action.MarkRecording(on(ActsGroup, []action.Mode{Weighing}, action.NewFooterKey(action.First, widget.NewBinding("1-5", "unsure to sure", "1", "2", "3", "4", "5")), nil, n.SetConfidence)),
		on(ActsGroup, WorkingModes(), action.NewFooterKey(action.Unranked, at.BindJoined("comment; 80% before it gives your confidence", "reason")), front, n.StartTypingReason),
		action.MarkRecording(on(ActsGroup, []action.Mode{Explaining}, action.NewFooterKey(action.First, widget.NewBinding("enter", "keep it", "enter")), nil, n.FinishTyping)),
	}
}

// tagKeys are the keys of tags in their order: a set has at most 26.
const tagKeys = labeloption.Digits + "abcdefghijklmnopq"

// NewTagTable gives what a screen offers whose items may have tags: one key opens them, and
// the key of each puts it on the item or takes it away.
func (p *SessionParts) NewTagTable(at keymap.Place) action.Table {
	on, tags := action.NewAction, []action.Mode{Tagging}
	return action.Table{
		on(ActsGroup, WorkingModes(), action.NewFooterKey(action.Fourth, at.BindAction("tags")), p.Work.whyNoTags, p.Notes.toggleTagging),
		action.MarkRecording(on(ActsGroup, tags, action.NewFooterKey(action.First, widget.NewBinding("1-9 a-q", "tag, untag", strings.Split(tagKeys, "")...)), nil, p.Work.toggleTag)),
		on(ActsGroup, tags, action.NewFooterKey(action.Second, widget.NewBinding("enter", "done", "enter")), nil, p.Notes.toggleTagging),
	}
}

// formatRationale gives what stands in the status line of rationale; "" without any.
func formatRationale(g annotate.Rationale) string {
	var parts []string
	if g.Confidence > 0 {
		parts = append(parts, fmt.Sprintf("%.0f %% sure", 100*g.Confidence))
	}
	if g.Reason != "" {
		parts = append(parts, "because "+widget.CleanLine(g.Reason))
	}
	return strings.Join(parts, ", ")
}

// GuidelinePane is the guideline of the queue, beside its items.
type GuidelinePane struct {
	*SessionState
}

// ToggleGuideline opens and closes the guideline.
func (gl *GuidelinePane) ToggleGuideline(string) tea.Cmd {
	gl.Mode = eval.Either(gl.Mode == Guiding, Reading, Guiding)
	return nil
}

// RequestVersionsPage asks for the page of its versions.
func (gl *GuidelinePane) RequestVersionsPage(string) tea.Cmd {
	return widget.SendCmd(OpenGuideline{gl.deps.Queue})
}

// GuidelineLines is the queue's guideline, else the standard one.
func (gl *GuidelinePane) GuidelineLines() []string {
	return gl.wrapGuideline(max(1, min(gl.Width-2, 90)))
}

func (gl *GuidelinePane) wrapGuideline(width int) []string {
	g := gl.Session.Own.Queue().Guideline
	if g.Version == 0 {
		return widget.WrapText(gl.Standard(), width)
	}
	return append(append(widget.WrapText(g.Text, width), ""), gl.Theme.Faint.WrapStyled("", gl.describeVersion(g), width)...)
}

// DrawLinesFrom show the guideline from a line on.
func (gl *GuidelinePane) DrawLinesFrom(from, height int) []string {
	lines := gl.GuidelineLines()
	rows := height - 1
	from = max(0, min(from, len(lines)-rows))
	out := []string{DrawSection(gl.Theme, "Guideline", from, rows, len(lines), gl.SpellText("{up down} scroll"), true, gl.Width)}
	out = append(out, eval.Map(lines[from:min(from+rows, len(lines))], func(l string) string { return " " + l })...)
	return widget.FitBox(out, gl.Width, height)
}

// drawColumn draws the guideline beside an item, and the person's last answers, the
// newest first, where they have room below it.
func (gl *GuidelinePane) drawColumn(width, height int, recent []string) []string {
	lines := gl.wrapGuideline(width)
	out := append([]string{DrawSection(gl.Theme, "Guideline", 0, height-1, len(lines), gl.SpellKey("guideline")+" all of it", false, width)}, lines...)
	if len(recent) > 0 && len(out)+2+len(recent) <= height {
		out = append(out, "", gl.Theme.DrawSection("Your latest", "", false, width))
		for _, said := range slices.Backward(recent) {
			out = append(out, " item "+said)
		}
	}
	return out
}

// describeVersion says which version of the guideline is in force, whose it is, and how
// many of the annotator's labels were made under another one.
func (gl *GuidelinePane) describeVersion(g annotate.Guideline) string {
	out := fmt.Sprintf("Version %d", g.Version)
	if !g.At.IsZero() {
		out += ", " + g.At.Local().Format("2 January 2006")
	}
	if g.By != "" {
		out += ", by " + widget.CleanLine(string(g.By))
	}
	if n := gl.Session.Own.CountOutdated(); n > 0 {
		out += fmt.Sprintf(". Of your labels here, %s made under another version.", eval.Either(n == 1, "1 was", widget.FormatCount(n)+" were"))
	}
	return out
}

// notifyAmended tells somebody who comes back that the guideline is not the one that their labels were made under.
func (gl *GuidelinePane) notifyAmended() tea.Cmd {
	g := gl.Session.Own.Queue().Guideline
	if g.Version == 0 || !gl.Session.Own.IsGuidelineAmended() {
		return nil
	}
	return widget.NotifyCmd(widget.Info, fmt.Sprintf("the guideline has changed since your last label: %s shows version %d", gl.SpellKey("guideline"), g.Version))
}

// OpenGuideline asks for the page of a queue's guideline, for its versions, and to write the next one.
type OpenGuideline struct{ Queue annotate.QueueName }

// OpenDisputed asks for the criteria of a dataset on which people differ, to be worded anew.
type OpenDisputed struct{ Dataset eval.DatasetName }
