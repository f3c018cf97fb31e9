package annotation

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

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

// Acts are what every screen can do to the item in front but answer it.
func Acts[M worker]() Table[M] {
	return Table[M]{
		Recording(On(ActsGroup, workingModes(), At(Third, widget.Bind("s", "skip", "s")), NoWork[M]((*Work).NoFront), ByWork[M]((*Work).Skip))),
		Recording(On(ActsGroup, workingModes(), At(Third, widget.Bind("u", "undo", "u")), NoWork[M]((*Work).NoUndo), ByWork[M]((*Work).Undo))),
		Recording(On(ActsGroup, workingModes(), At(Unranked, widget.Bind("ctrl+r", "redo", "ctrl+r")), NoWork[M]((*Work).NoRedo), ByWork[M]((*Work).Redo))),
		Recording(On(ActsGroup, workingModes(), At(Fifth, widget.Bind("f", "flag", "f")), NoWork[M]((*Work).NoFront), ByWork[M]((*Work).Flag))),
		On(ActsGroup, workingModes(), At(Fifth, widget.Bind("n", "note", "n")), NoWork[M]((*Work).NoFront), ByNotes[M]((*Notes).StartNote)),
		Recording(On(ActsGroup, []Mode{Noting}, At(First, widget.Bind("enter", "keep the note", "enter")), nil, ByNotes[M]((*Notes).EndNote))),
		On(ActsGroup, workingModes(), At(First, widget.Bind("ctrl+s", "save again", "ctrl+s")), NoWork[M]((*Work).NoFailure), ByWork[M]((*Work).Retry)),
	}
}

// Looks are how the pictures of an item are looked at.
func Looks[M worker]() Table[M] {
	return append(Table[M]{
		On(ViewsGroup, workingModes(), At(Fourth, widget.Bind("z", "image", "z")), NoGallery[M]((*Gallery).NoPicture), ByGallery[M]((*Gallery).Zoom)),
		On(ViewsGroup, []Mode{Zooming}, At(First, widget.Bind("z", "back to the text", "z")), nil, ByGallery[M]((*Gallery).Unzoom)),
		On(ViewsGroup, []Mode{Reading, Zooming}, At(Fourth, widget.Bind("p", "next image", "p")), NoGallery[M]((*Gallery).NoPictures), ByGallery[M]((*Gallery).NextPicture)),
	}, Magnifying(func(m M) Magnifier { return m.Children().Gallery })...)
}

// Magnifier is a picture that is zoomed into.
type Magnifier interface {
	NotFull() string
	NotZoomed() string
	Magnify(key string) tea.Cmd
	Outside(key string) tea.Cmd
}

// Magnifying are the keys by which the picture of a screen is zoomed into, on
// the whole screen. What was zoomed into stays so in the pane, where = shows the
// whole.
func Magnifying[M any](of func(M) Magnifier) Table[M] {
	zoom, pan, whole, outside := widget.Looks()
	full := []Mode{Zooming}
	notFull := func(m M) string { return of(m).NotFull() }
	notZoomed := func(m M) string { return of(m).NotZoomed() }
	magnify := func(m M, key string) tea.Cmd { return of(m).Magnify(key) }
	return Table[M]{
		On(FullGroup, full, At(Second, zoom), notFull, magnify),
		On(FullGroup, full, At(Third, pan), func(m M) string { return cmp.Or(notFull(m), notZoomed(m)) }, magnify),
		On(FullGroup, []Mode{Reading, Zooming}, At(Third, whole), notZoomed, magnify),
		On(FullGroup, full, At(Fourth, outside), notFull, func(m M, key string) tea.Cmd { return of(m).Outside(key) }),
	}
}

// Moves are the ways from item to item.
func Moves[M worker]() Table[M] {
	return Table[M]{
		On(MovesGroup, workingModes(), At(Unranked, widget.Bind("←", "previous", "left")), NoWork[M]((*Work).NoPrevious), ByWork[M]((*Work).Previous)),
		On(MovesGroup, workingModes(), At(Unranked, widget.Bind("→", "next", "right")), NoWork[M]((*Work).NoNext), ByWork[M]((*Work).Following)),
		On(MovesGroup, workingModes(), At(Second, widget.Bind("enter", "next unlabeled", "enter")), NoWork[M]((*Work).NoOpen), ByWork[M]((*Work).ToOpen)),
		On(MovesGroup, workingModes(), At(Unranked, widget.Bind("o", "auto-advance on / off", "o")), nil, ByWork[M]((*Work).Stay)),
	}
}
