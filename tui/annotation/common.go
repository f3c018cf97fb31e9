package annotation

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// The groups of the help page that every screen has.
const (
	ActsGroup  = "The item in front"
	MovesGroup = "Move"
	ViewsGroup = "Look"
	FullGroup  = "The picture on the whole screen"
)

// working are the modes in which an item can be worked on.
func working() []Mode { return []Mode{Reading, Revealed} }

// On is one row of a table.
func On[M any](group string, modes []Mode, b Bound, why func(M) string, do func(M, string) tea.Cmd) Action[M] {
	return Action[M]{Group: group, Modes: modes, Bind: b.Binding, Foot: b.Foot, Why: why, Do: do}
}

// worker is a screen that embeds its Sitting.
type worker interface {
	NoFront() string
	NoUndo() string
	NoRedo() string
	NoFailure() string
	NoPicture() string
	NoPictures() string
	NoPrevious() string
	NoNext() string
	NoOpen() string

	Skip(key string) tea.Cmd
	Undo(key string) tea.Cmd
	Redo(key string) tea.Cmd
	Flag(key string) tea.Cmd
	StartNote(key string) tea.Cmd
	EndNote(key string) tea.Cmd
	Retry(key string) tea.Cmd
	magnifier
	Zoom(key string) tea.Cmd
	Unzoom(key string) tea.Cmd
	NextPicture(key string) tea.Cmd
	Previous(key string) tea.Cmd
	Following(key string) tea.Cmd
	ToOpen(key string) tea.Cmd
	Stay(key string) tea.Cmd
}

// Acts are what every screen can do to the item in front but answer it.
func Acts[M worker]() Table[M] {
	return Table[M]{
		On(ActsGroup, working(), At(Third, widget.Bind("s", "skip", "s")), M.NoFront, M.Skip),
		On(ActsGroup, working(), At(Third, widget.Bind("u", "undo", "u")), M.NoUndo, M.Undo),
		On(ActsGroup, working(), At(Unranked, widget.Bind("ctrl+r", "redo", "ctrl+r")), M.NoRedo, M.Redo),
		On(ActsGroup, working(), At(Fifth, widget.Bind("f", "flag", "f")), M.NoFront, M.Flag),
		On(ActsGroup, working(), At(Fifth, widget.Bind("n", "note", "n")), M.NoFront, M.StartNote),
		On(ActsGroup, []Mode{Noting}, At(First, widget.Bind("enter", "keep the note", "enter")), nil, M.EndNote),
		On(ActsGroup, working(), At(First, widget.Bind("ctrl+s", "save again", "ctrl+s")), M.NoFailure, M.Retry),
	}
}

// Looks are how the pictures of an item are looked at.
func Looks[M worker]() Table[M] {
	return append(Table[M]{
		On(ViewsGroup, working(), At(Fourth, widget.Bind("z", "picture", "z")), M.NoPicture, M.Zoom),
		On(ViewsGroup, []Mode{Zooming}, At(First, widget.Bind("z", "back to the text", "z")), nil, M.Unzoom),
		On(ViewsGroup, []Mode{Reading, Zooming}, At(Fourth, widget.Bind("p", "next picture", "p")), M.NoPictures, M.NextPicture),
	}, Magnifying[M]()...)
}

// magnifier is a screen that zooms into its picture.
type magnifier interface {
	NotFull() string
	NotZoomed() string
	Magnify(key string) tea.Cmd
	Outside(key string) tea.Cmd
}

// Magnifying are the keys by which a picture on the whole screen is zoomed
// into. What was zoomed into stays so in the pane, where = shows the whole.
func Magnifying[M magnifier]() Table[M] {
	zoom, pan, whole, outside := widget.Looks()
	full := []Mode{Zooming}
	return Table[M]{
		On(FullGroup, full, At(Second, zoom), M.NotFull, M.Magnify),
		On(FullGroup, full, At(Third, pan), func(m M) string { return cmp.Or(m.NotFull(), m.NotZoomed()) }, M.Magnify),
		On(FullGroup, []Mode{Reading, Zooming}, At(Third, whole), M.NotZoomed, M.Magnify),
		On(FullGroup, full, At(Fourth, outside), M.NotFull, M.Outside),
	}
}

// Moves are the ways from item to item.
func Moves[M worker]() Table[M] {
	return Table[M]{
		On(MovesGroup, working(), At(Unranked, widget.Bind("←", "previous", "left")), M.NoPrevious, M.Previous),
		On(MovesGroup, working(), At(Unranked, widget.Bind("→", "next", "right")), M.NoNext, M.Following),
		On(MovesGroup, working(), At(Second, widget.Bind("enter", "next open item", "enter")), M.NoOpen, M.ToOpen),
		On(MovesGroup, working(), At(Unranked, widget.Bind("o", "stay after an answer, or go on", "o")), nil, M.Stay),
	}
}
