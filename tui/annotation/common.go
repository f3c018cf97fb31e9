package annotation

import (
	"cmp"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
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

// workingModes are the modes in which an item can be worked on.
func workingModes() []Mode { return []Mode{Reading, Revealed} }

// On is one row of a table.
func On[M any](group string, modes []Mode, b Bound, why func(M) string, do func(M, string) tea.Cmd) Action[M] {
	return Action[M]{Group: group, Modes: modes, Bind: b.Binding, Foot: b.Foot, Why: why, Do: do}
}

// Recording marks an action as one that records something on the item in front:
// its keys count only while the terminal shows the item.
func Recording[M any](a Action[M]) Action[M] {
	a.Records = true
	return a
}

// Parts are the children of a session that the keys of its screen steer.
type Parts struct {
	Work    *Work
	Notes   *Notes
	Gallery *Gallery
	Guide   *Guide
	Head    *Head
}

// worker is a screen that has a QueueSession.
type worker interface{ Children() *Parts }

// ByWork makes what a part of the session does an action of its screen, as
// ByNotes, ByGallery and ByGuide do; NoWork and NoGallery say why it cannot be done.
func ByWork[M worker](do func(*Work, string) tea.Cmd) func(M, string) tea.Cmd {
	return func(m M, key string) tea.Cmd { return do(m.Children().Work, key) }
}

// ByNotes is said at ByWork.
func ByNotes[M worker](do func(*Notes, string) tea.Cmd) func(M, string) tea.Cmd {
	return func(m M, key string) tea.Cmd { return do(m.Children().Notes, key) }
}

// ByGallery is said at ByWork.
func ByGallery[M worker](do func(*Gallery, string) tea.Cmd) func(M, string) tea.Cmd {
	return func(m M, key string) tea.Cmd { return do(m.Children().Gallery, key) }
}

// ByGuide is said at ByWork.
func ByGuide[M worker](do func(*Guide, string) tea.Cmd) func(M, string) tea.Cmd {
	return func(m M, key string) tea.Cmd { return do(m.Children().Guide, key) }
}

// NoWork is said at ByWork.
func NoWork[M worker](why func(*Work) string) func(M) string {
	return func(m M) string { return why(m.Children().Work) }
}

// NoGallery is said at ByWork.
func NoGallery[M worker](why func(*Gallery) string) func(M) string {
	return func(m M) string { return why(m.Children().Gallery) }
}

// Acts are what every screen can do to the item in front but answer it or put
// it off. at is the place of its keys.
func Acts[M worker](at keymap.Place) Table[M] {
	return Table[M]{
		Recording(On(ActsGroup, workingModes(), At(Third, at.Bind("undo")), NoWork[M]((*Work).NoUndo), ByWork[M]((*Work).Undo))),
		Recording(On(ActsGroup, workingModes(), At(Unranked, at.Bind("redo")), NoWork[M]((*Work).NoRedo), ByWork[M]((*Work).Redo))),
		On(ActsGroup, workingModes(), At(Fifth, at.Bind("comment")), NoWork[M]((*Work).NoFront), ByNotes[M]((*Notes).StartNote)),
		Recording(On(ActsGroup, []Mode{Noting}, At(First, widget.Bind("enter", "keep the note", "enter")), nil, ByNotes[M]((*Notes).EndNote))),
		On(ActsGroup, workingModes(), At(First, at.Bind("save_again")), NoWork[M]((*Work).NoFailure), ByWork[M]((*Work).Retry)),
	}
}

// Marks are what is done to an item that is not answered now.
func Marks[M worker](at keymap.Place) Table[M] {
	return Table[M]{
		Recording(On(ActsGroup, workingModes(), At(Third, at.Bind("skip")), NoWork[M]((*Work).NoFront), ByWork[M]((*Work).Skip))),
		Recording(On(ActsGroup, workingModes(), At(Fifth, at.Bind("flag")), NoWork[M]((*Work).NoFront), ByWork[M]((*Work).Flag))),
		On(MovesGroup, workingModes(), At(Unranked, at.Bind("stay")), nil, ByWork[M]((*Work).Stay)),
	}
}

// Looks are how the pictures of an item are looked at.
func Looks[M worker](at keymap.Place) Table[M] {
	return append(Table[M]{
		On(ViewsGroup, workingModes(), At(Fourth, at.Bind("zoom")), NoGallery[M]((*Gallery).NoPicture), ByGallery[M]((*Gallery).Zoom)),
		On(ViewsGroup, []Mode{Zooming}, At(First, keymap.ReviewPicture.Bind("zoom")), nil, ByGallery[M]((*Gallery).Unzoom)),
		On(ViewsGroup, []Mode{Reading, Zooming}, At(Fourth, at.Bind("next_image")), NoGallery[M]((*Gallery).NoPictures), ByGallery[M]((*Gallery).NextPicture)),
	}, Magnifying(at, func(m M) Magnifier { return m.Children().Gallery })...)
}

// Magnifier is a picture that is zoomed into.
type Magnifier interface {
	NotFull() string
	NotZoomed() string
	NoPicture() string
	Magnify(key string) tea.Cmd
	Outside(key string) tea.Cmd
}

// Magnifying are the keys by which the picture of a screen is zoomed into, in
// its pane and on the whole screen.
func Magnifying[M any](at keymap.Place, of func(M) Magnifier) Table[M] {
	_, pan, _, outside := widget.Looks()
	full, both := []Mode{Zooming}, []Mode{Reading, Zooming}
	notFull := func(m M) string { return of(m).NotFull() }
	notZoomed := func(m M) string { return of(m).NotZoomed() }
	magnify := func(m M, key string) tea.Cmd { return of(m).Magnify(key) }
	return Table[M]{
		On(FullGroup, both, At(Fifth, at.Join("enlarge, shrink", "zoom_in", "zoom_out")), func(m M) string { return of(m).NoPicture() }, magnify),
		On(FullGroup, full, At(Third, pan), func(m M) string { return cmp.Or(notFull(m), notZoomed(m)) }, magnify),
		On(FullGroup, both, At(Third, at.Bind("whole_picture")), notZoomed, magnify),
		On(FullGroup, full, At(Fourth, outside), notFull, func(m M, key string) tea.Cmd { return of(m).Outside(key) }),
	}
}

// Moves are the ways from item to item.
func Moves[M worker](at keymap.Place) Table[M] {
	return Table[M]{
		On(MovesGroup, workingModes(), At(Unranked, at.Bind("previous")), NoWork[M]((*Work).NoPrevious), ByWork[M]((*Work).Previous)),
		On(MovesGroup, workingModes(), At(Unranked, at.Bind("next")), NoWork[M]((*Work).NoNext), ByWork[M]((*Work).Following)),
		On(MovesGroup, workingModes(), At(Second, at.Bind("next_unlabeled")), NoWork[M]((*Work).NoOpen), ByWork[M]((*Work).ToOpen)),
	}
}

// Scrolls are the keys through what is read.
func Scrolls[M any](at keymap.Place, modes []Mode, scroll func(M, string) tea.Cmd) Table[M] {
	on := func(words string, names ...string) Action[M] {
		return On(MovesGroup, modes, At(Unranked, at.Join(words, names...)), nil, scroll)
	}
	return Table[M]{on("scroll", "up", "down"), on("scroll a page", "page_up", "page_down"), on("to the top, to the end", "top", "bottom")}
}

// Guidelines open the guideline of the queue, and its versions. toggle is the
// screen's.
func Guidelines[M worker](at keymap.Place, toggle func(M, string) tea.Cmd) Table[M] {
	closing := at.Bind("guideline")
	closing.SetHelp(closing.Help().Key, "close")
	return Table[M]{
		On(ViewsGroup, workingModes(), At(Fourth, at.Bind("guideline")), nil, toggle),
		On(ViewsGroup, []Mode{Guiding}, At(First, closing), nil, toggle),
		On(ViewsGroup, []Mode{Guiding}, At(Second, at.Bind("guideline_page")), nil, ByGuide[M]((*Guide).Versions)),
		On(ViewsGroup, []Mode{Reading}, At(Unranked, at.Join("the guideline's versions, write", "guideline_page")), func(m M) string { return m.Children().Work.NoSession() }, ByGuide[M]((*Guide).Versions)),
	}
}

// Mode is what keys mean now. The zero value is reading: one key answers.
type Mode uint8

// The modes that every screen has. Its own begin at More.
const (
	Reading    Mode = iota
	Noting          // typing a note: keys are text
	Guiding         // the guideline is open
	Zooming         // the picture fills the screen
	Revealed        // what machines made of the item is open
	Explaining      // typing a reason: keys are text
	Weighing        // saying how sure one is: digits
	More
)

// steps is how many degrees of being sure the digits tell apart.
const steps = 5

// Because is what a screen offers whose labels may have rationale: a reason, and
// how sure one is.
func Because[M worker](at keymap.Place) Table[M] {
	return Table[M]{
		On(ActsGroup, workingModes(), At(Unranked, at.Join("confidence 1 (low) to 5 (high)", "confidence")), NoWork[M]((*Work).NoFront), ByNotes[M]((*Notes).StartSure)),
		Recording(On(ActsGroup, []Mode{Weighing}, At(First, widget.Bind("1-5", "unsure to sure", "1", "2", "3", "4", "5")), nil, ByNotes[M]((*Notes).Sure))),
		On(ActsGroup, workingModes(), At(Unranked, at.Join("comment; 80% before it gives your confidence", "reason")), NoWork[M]((*Work).NoFront), ByNotes[M]((*Notes).StartWhy)),
		Recording(On(ActsGroup, []Mode{Explaining}, At(First, widget.Bind("enter", "keep it", "enter")), nil, ByNotes[M]((*Notes).EndWhy))),
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
	q := gl.deps.Queue
	return func() tea.Msg { return OpenGuideline{q} }
}

// Text is the queue's guideline, else the standard one.
func (gl *Guide) Text(standard string) []string {
	g := gl.Session.Own.Queue().Guideline
	if g.Version == 0 {
		return widget.Wrap(standard, gl.measure())
	}
	lines := widget.Wrap(g.Text, gl.measure())
	lines = append(lines, "")
	for _, l := range widget.Wrap(gl.version(g), gl.measure()) {
		lines = append(lines, gl.Theme.Faint.Render(l))
	}
	return lines
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
	return notify(widget.Info, fmt.Sprintf("the guideline has changed since your last label: %s shows version %d", gl.Spelled("guideline"), g.Version))
}

// OpenGuideline asks for the page of a queue's guideline, where its versions
// are looked at and the next one is written.
type OpenGuideline struct{ Queue annotate.QueueName }

func were(n int) string {
	if n == 1 {
		return "1 was"
	}
	return widget.Count(n) + " were"
}
