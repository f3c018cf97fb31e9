package annotation

import (
	"cmp"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/keymap"
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

// Parts are the children of a session that the keys of its screen steer.
type Parts struct {
	Work    *Work
	Notes   *Notes
	Gallery *Gallery
	Guide   *Guide
	Head    *Head
}

// ActKeys are what every screen can do to the item in front but answer it or put
// it off. at is the place of its keys.
func (p *Parts) ActKeys(at keymap.Place) action.Table {
	w, n, on := p.Work, p.Notes, action.On
	return action.Table{
		action.Recording(on(ActsGroup, WorkingModes(), action.At(action.Third, at.Bind("undo")), w.NoUndo, w.Undo)),
		action.Recording(on(ActsGroup, WorkingModes(), action.At(action.Unranked, at.Bind("redo")), w.NoRedo, w.Redo)),
		on(ActsGroup, WorkingModes(), action.At(action.Fifth, at.Bind("comment")), w.NoFront, n.StartNote),
		action.Recording(on(ActsGroup, []action.Mode{Noting}, action.At(action.First, widget.Bind("enter", "keep the note", "enter")), nil, n.End)),
		KeptToo(Noting, Explaining),
		on(ActsGroup, WorkingModes(), action.At(action.First, at.Bind("save_again")), w.NoFailure, w.Retry),
	}
}

// KeptToo says in the footer what esc, a key of everywhere, does to a text that is
// typed.
func KeptToo(modes ...action.Mode) action.Action {
	return action.On(ActsGroup, modes, action.At(action.Fourth, widget.Bind("esc", "keep it too", "esc keeps")), nil, func(string) tea.Cmd { return nil })
}

// MarkKeys are what is done to an item that is not answered now.
func (p *Parts) MarkKeys(at keymap.Place) action.Table {
	w, on := p.Work, action.On
	return action.Table{
		action.Recording(on(ActsGroup, WorkingModes(), action.At(action.Third, at.Bind("skip")), w.NoFront, w.Skip)),
		action.Recording(on(ActsGroup, WorkingModes(), action.At(action.Fifth, at.Bind("flag")), w.NoFront, w.Flag)),
		on(MovesGroup, WorkingModes(), action.At(action.Unranked, at.Bind("stay")), nil, w.Stay),
	}
}

// LookKeys are how the pictures of an item are looked at.
func (v *Gallery) LookKeys(at keymap.Place) action.Table {
	_, pan, _, outside := widget.Looks()
	zooming, both, on := []action.Mode{Zooming}, []action.Mode{Reading, Zooming}, action.On
	moved := func() string { return cmp.Or(v.notFull(), v.notZoomed()) }
	return action.Table{
		on(ViewsGroup, WorkingModes(), action.At(action.Fourth, at.Bind("zoom")), v.NoPicture, v.Zoom),
		on(ViewsGroup, zooming, action.At(action.First, keymap.ReviewPicture.Bind("zoom")), nil, v.Unzoom),
		on(ViewsGroup, both, action.At(action.Fourth, at.Bind("next_image")), v.NoPictures, v.NextPicture),
		on(FullGroup, both, action.At(action.Fifth, at.Join("enlarge, shrink", "zoom_in", "zoom_out")), v.NoPicture, v.Magnify),
		on(FullGroup, zooming, action.At(action.Third, pan), moved, v.Magnify),
		on(FullGroup, both, action.At(action.Third, at.Bind("whole_picture")), v.notZoomed, v.Magnify),
		on(FullGroup, zooming, action.At(action.Fourth, outside), v.notFull, v.Outside),
	}
}

// MoveKeys are the ways from item to item.
func (p *Parts) MoveKeys(at keymap.Place) action.Table {
	w, on := p.Work, action.On
	return action.Table{
		on(MovesGroup, WorkingModes(), action.At(action.Unranked, at.Bind("previous")), w.NoPrevious, w.Previous),
		on(MovesGroup, WorkingModes(), action.At(action.Unranked, at.Bind("next")), w.NoNext, w.Following),
		on(MovesGroup, WorkingModes(), action.At(action.Second, at.Bind("next_unlabeled")), w.NoOpen, w.ToOpen),
	}
}

// Scrolls are the keys through what is read.
func Scrolls(at keymap.Place, modes []action.Mode, scroll func(string) tea.Cmd) action.Table {
	on := func(words string, names ...string) action.Action {
		return action.On(MovesGroup, modes, action.At(action.Unranked, at.Join(words, names...)), nil, scroll)
	}
	return action.Table{on("scroll", "up", "down"), on("scroll a page", "page_up", "page_down"), on("to the top, to the end", "top", "bottom")}
}

// GuideKeys open the guideline of the queue, and its versions. toggle is the
// screen's.
func (p *Parts) GuideKeys(at keymap.Place, toggle func(string) tea.Cmd) action.Table {
	on, guiding := action.On, []action.Mode{Guiding}
	return action.Table{
		on(ViewsGroup, WorkingModes(), action.At(action.Fourth, at.Bind("guideline")), nil, toggle),
		on(ViewsGroup, guiding, action.At(action.First, at.Join("close", "guideline")), nil, toggle),
		on(ViewsGroup, guiding, action.At(action.Second, at.Bind("guideline_page")), nil, p.Guide.Versions),
		on(ViewsGroup, []action.Mode{Reading}, action.At(action.Unranked, at.Join("the guideline's versions, write", "guideline_page")), p.Work.NoSession, p.Guide.Versions),
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
	More
)

// steps is how many degrees of being sure the digits tell apart.
const steps = 5

// ReasonKeys are what a screen offers whose labels may have a rationale: a reason,
// and how sure one is.
func (p *Parts) ReasonKeys(at keymap.Place) action.Table {
	n, front, on := p.Notes, p.Work.NoFront, action.On
	return action.Table{
		on(ActsGroup, WorkingModes(), action.At(action.Unranked, at.Join("confidence 1 (low) to 5 (high)", "confidence")), front, n.StartSure),
		action.Recording(on(ActsGroup, []action.Mode{Weighing}, action.At(action.First, widget.Bind("1-5", "unsure to sure", "1", "2", "3", "4", "5")), nil, n.Sure)),
		on(ActsGroup, WorkingModes(), action.At(action.Unranked, at.Join("comment; 80% before it gives your confidence", "reason")), front, n.StartWhy),
		action.Recording(on(ActsGroup, []action.Mode{Explaining}, action.At(action.First, widget.Bind("enter", "keep it", "enter")), nil, n.End)),
	}
}

// because is what stands in the status line of rationale; "" without any.
func because(g annotate.Rationale) string {
	var parts []string
	if g.Confidence > 0 {
		parts = append(parts, fmt.Sprintf("%.0f %% sure", 100*g.Confidence))
	}
	if g.Reason != "" {
		parts = append(parts, "because "+widget.Line(g.Reason))
	}
	return strings.Join(parts, ", ")
}

// Guide is the guideline of the queue, beside its items.
type Guide struct {
	*State
}

// Toggle opens and closes the guideline.
func (gl *Guide) Toggle(string) tea.Cmd {
	if gl.Mode == Guiding {
		gl.Mode = Reading
	} else {
		gl.Mode = Guiding
	}
	return nil
}

// Versions asks for the page of its versions.
func (gl *Guide) Versions(string) tea.Cmd {
	return widget.Send(OpenGuideline{gl.deps.Queue})
}

// Text is the queue's guideline, else the standard one.
func (gl *Guide) Text(standard string) []string {
	g := gl.Session.Own.Queue().Guideline
	if g.Version == 0 {
		return widget.Wrap(standard, gl.measure())
	}
	return append(append(widget.Wrap(g.Text, gl.measure()), ""), gl.Theme.Faint.Wrap("", gl.version(g), gl.measure())...)
}

// Lines show the guideline from a line on.
func (gl *Guide) Lines(standard string, from, height int) []string {
	lines := gl.Text(standard)
	rows := height - 1
	from = max(0, min(from, len(lines)-rows))
	out := []string{Section(gl.Theme, "Guideline", from, rows, len(lines), gl.Keyed("{up down} scroll"), true, gl.Width)}
	for _, l := range lines[from:min(from+rows, len(lines))] {
		out = append(out, " "+l)
	}
	return widget.Block(out, gl.Width, height)
}

// column is the guideline beside an item.
func (gl *Guide) column(width, height int) []string {
	g := gl.Session.Own.Queue().Guideline
	lines := append(append(widget.Wrap(g.Text, width), ""), gl.Theme.Faint.Wrap("", gl.version(g), width)...)
	head := Section(gl.Theme, "Guideline", 0, height-1, len(lines), gl.Spelled("guideline")+" all of it", false, width)
	return append([]string{head}, lines...)
}

// measure is how wide a text is set that is read whole.
func (gl *Guide) measure() int { return max(1, min(gl.Width-2, 90)) }

// version says which version of the guideline is in force, whose it is, and how
// many of the annotator's labels were made under another one.
func (gl *Guide) version(g annotate.Guideline) string {
	out := fmt.Sprintf("Version %d", g.Version)
	if !g.At.IsZero() {
		out += ", " + g.At.Local().Format("2 January 2006")
	}
	if g.By != "" {
		out += ", by " + widget.Line(string(g.By))
	}
	if n := gl.Session.Own.Outdated(); n > 0 {
		out += fmt.Sprintf(". Of your labels here, %s made under another version.", were(n))
	}
	return out
}

// amended tells somebody who comes back that the guideline is not the one that
// their labels were made under.
func (gl *Guide) amended() tea.Cmd {
	g := gl.Session.Own.Queue().Guideline
	if g.Version == 0 || !gl.Session.Own.Amended() {
		return nil
	}
	return widget.Tell(widget.Info, fmt.Sprintf("the guideline has changed since your last label: %s shows version %d", gl.Spelled("guideline"), g.Version))
}

// OpenGuideline asks for the page of a queue's guideline, where its versions
// are looked at and the next one is written.
type OpenGuideline struct{ Queue annotate.QueueName }

// OpenDisputed asks for the criteria of a dataset on which people differ, to be worded
// anew.
type OpenDisputed struct{ Dataset eval.DatasetName }

func were(n int) string {
	if n == 1 {
		return "1 was"
	}
	return widget.Count(n) + " were"
}
