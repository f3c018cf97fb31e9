package drilldown

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/pager"
	"concord/tui/widget"
)

// Beside is the width from which on parts of a page stand side by side.
const Beside = 100

// Page is a row that is open. Pages are told apart by their pointers.
type Page interface {
	comparable
	Update(tea.Msg) tea.Cmd
	// HandleKey takes a key that is none of the screen's own.
	HandleKey(tea.KeyMsg) tea.Cmd
	// DrawPage draw the page; it is the n-th of count.
	DrawPage(n int, count string) []string
	Resize(width, height int)
	// DrawPictures draws the picture for its room, in a command. Hang does so once more of it is known.
	DrawPictures() tea.Cmd
	HandleDrawn() tea.Cmd
	// PictureExtent is that of the picture in front, in cells.
	PictureExtent() (cols, rows int)
	Frame() *PageFrame
}

// PageFrame is what every page has.
type PageFrame struct {
	Ctx           context.Context // ends with the screen
	Spelling      *keymap.Spelling
	Theme         *widget.Theme
	Width, Height int
	Space         *widget.PaneSize // of the part that is read
	Loaded        bool
	Err           error
	Gallery       Pictures
}

// Frame is the frame itself.
func (f *PageFrame) Frame() *PageFrame { return f }

// IsWide reports whether parts stand side by side.
func (f *PageFrame) IsWide() bool { return f.Width >= Beside }

// FormatCaption gives the line under the picture; "" where there is none.
func (f *PageFrame) FormatCaption() string {
	if !f.Gallery.HasAny() {
		return ""
	}
	return f.Theme.DrawWarning(f.Gallery.Viewer.FormatViewNote(f.Spelling.SpellText("{whole_picture} whole"))) +
		f.Theme.Faint.Render(f.Gallery.DescribeFront(f.Spelling.SpellKey("next_image"))+f.Gallery.Viewer.FormatColours())
}

// DrawTitleOrLoading draws the title of a page, and what stands for the page until it is read.
func (f *PageFrame) DrawTitleOrLoading(s eval.SampleID, note string) (out []string, read bool) {
	t := f.Theme
	out = []string{t.DrawSection("Sample "+widget.CleanLine(string(s)), note, true, f.Width)}
	switch {
	case !f.Loaded:
		return append(out, "", t.Faint.Render("  loading…")), false
	case f.Err != nil:
		return append(out, "", t.Bad.Render("  ✗ "+widget.CleanLine(f.Err.Error()))), false
	}
	return out, true
}

// RowKind is what a screen's rows are.
type RowKind[R any, P any] struct {
	Row     string        // a row's name
	Keys    *Keys         // of the list and the pages
	Own     []key.Binding // further ones of pages, for help
	Footer  []key.Binding // those for the footer
	Place   keymap.Place
	Picture keymap.Place                    // while a picture fills the screen
	Open    func(R, PageFrame) (P, tea.Cmd) // what reads the row, in a command
}

// Screen is a list of rows, and the open one's page. The root calls its methods, one at a time.
type Screen[R any, P Page] struct {
	keymap.Spelling
	Theme         *widget.Theme
	Width, Height int
	List          *List[R]
	Page          P // its zero value: the list is shown
	viewer        *widget.Viewer
	kind          RowKind[R, P]
}

// NewScreen makes the screen of the first of the lists; Close ends it.
func NewScreen[R any, P Page](ctx context.Context, t *widget.Theme, k RowKind[R, P], face RowFormat[R], choices []ListChoice[R]) *Screen[R, P] {
	s := &Screen[R, P]{Theme: t, viewer: widget.NewViewer(t), kind: k}
	s.List = New(ctx, t, k.Keys, &s.Spelling, face, choices)
	return s
}

// NewListChoice lists a choice of rows that are read for one person.
func NewListChoice[R, W any](name, until string, who W, rows func(context.Context, W) iter.Seq2[R, error]) ListChoice[R] {
	return ListChoice[R]{Name: name, Until: until, Rows: func(ctx context.Context) iter.Seq2[R, error] { return rows(ctx, who) }}
}

// IsRowOpen reports whether a row is open.
func (s *Screen[R, P]) IsRowOpen() bool {
	var none P
	return s.Page != none
}

// Close ends what is under way.
func (s *Screen[R, P]) Close() { s.List.Close() }

// Init reads the first page.
func (s *Screen[R, P]) Init() tea.Cmd { return s.List.ReadNextPage() }

// Refresh leaves the list as it is: a row must not move under the reader, and
// R reads it again. Only the picture is drawn for the room it has now.
func (s *Screen[R, P]) Refresh() tea.Cmd {
	if !s.IsRowOpen() {
		return nil
	}
	return s.Page.DrawPictures()
}

// Resize sets the size that View fills.
func (s *Screen[R, P]) Resize(width, height int) {
	s.Width, s.Height = width, height
	s.List.Resize(width, height)
	if s.IsRowOpen() {
		s.Page.Resize(width, height)
	}
}

// View draws the list or the page.
func (s *Screen[R, P]) View() string {
	lines := s.List.DrawLines
	if s.IsRowOpen() {
		lines = func() []string { return s.Page.DrawPage(s.List.CurrentRowNumber(), s.List.FormatCount()) }
	}
	return widget.DrawScreen(s.Width, s.Height, lines)
}

// Update takes a message.
func (s *Screen[R, P]) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return s.handleKey(msg)
	case pager.Page[R]:
		return s.List.HandlePage(msg)
	case widget.Drawn:
		if s.viewer.HandleDrawn(msg) && s.IsRowOpen() {
			return s.Page.HandleDrawn()
		}
		return nil
	}
	if !s.IsRowOpen() {
		return nil
	}
	return s.Page.Update(msg)
}

func (s *Screen[R, P]) handleKey(msg tea.KeyMsg) tea.Cmd {
	if !s.IsRowOpen() {
		cmd, open := s.List.HandleKey(msg)
		if open {
			return s.openRow()
		}
		return cmd
	}
	p, f, k := s.Page, s.Page.Frame(), s.kind.Keys
	cols, rows := p.PictureExtent()
	if cmd, ok := f.Gallery.HandleFullPictureKey(msg.String(), cols, rows, p.HandleDrawn); ok {
		return cmd
	}
	switch {
	case key.Matches(msg, k.After):
		return s.openNeighbour(1)
	case key.Matches(msg, k.Before):
		return s.openNeighbour(-1)
	case key.Matches(msg, k.Picture):
		return f.Gallery.ToggleFull(p.HandleDrawn)
	case key.Matches(msg, k.Another):
		return f.Gallery.NextPicture(p.HandleDrawn)
	}
	return p.HandleKey(msg)
}

// openRow opens the row under the cursor.
func (s *Screen[R, P]) openRow() tea.Cmd {
	row := s.List.CurrentRow()
	if row == nil {
		return nil
	}
	page, read := s.kind.Open(*row, PageFrame{
		Ctx: s.List.ctx, Spelling: &s.Spelling, Theme: s.Theme, Width: s.Width, Height: s.Height,
		Space: s.Theme.PaneSizeOf(s.kind.Row), Gallery: Pictures{Viewer: s.viewer},
	})
	s.Page = page
	return read
}

// openNeighbour opens the row before or after.
func (s *Screen[R, P]) openNeighbour(by int) tea.Cmd {
	before := s.List.CurrentRowNumber()
	read := s.List.MoveCursor(by)
	if s.List.CurrentRowNumber() == before {
		return read
	}
	full := s.Page.Frame().Gallery.Full
	cmd := s.openRow()
	s.Page.Frame().Gallery.Full = full
	return tea.Batch(read, cmd)
}

// HandleClick chooses the row that is drawn at a line of the list.
func (s *Screen[R, P]) HandleClick(_, y int) tea.Cmd {
	if s.IsRowOpen() {
		return nil
	}
	return s.List.HandleClick(y)
}

// IsTyping reports whether keys are text: while the filter is typed.
func (s *Screen[R, P]) IsTyping() bool { return s.List.filter.IsTyping() }

// GoBack goes from a page to the list, and takes the filter away.
func (s *Screen[R, P]) GoBack() bool {
	if !s.IsRowOpen() {
		return s.List.ClearFilter()
	}
	if pictures := &s.Page.Frame().Gallery; pictures.Full {
		pictures.Full = false
		return true
	}
	var none P
	s.Page = none
	return true
}

func (s *Screen[R, P]) isPictureFull() bool { return s.IsRowOpen() && s.Page.Frame().Gallery.IsFull() }

// KeymapPlace is where the screen's keys are in the keymap.
func (s *Screen[R, P]) KeymapPlace() keymap.Place {
	return eval.Either(s.isPictureFull(), s.kind.Picture, s.kind.Place)
}

// Bindings are the bindings that matter now, the most important first.
func (s *Screen[R, P]) Bindings() []key.Binding {
	k := s.kind.Keys
	if !s.IsRowOpen() {
		return s.List.ListKeys()
	}
	pictures := &s.Page.Frame().Gallery
	if pictures.IsFull() {
		out := append([]key.Binding{keymap.SamplesPicture.BindAction("zoom")}, widget.FullPictureKeys(true)...)
		return append(out, pictures.AddPictureKey(k, k.After, k.Before)...)
	}
	out := append([]key.Binding{k.After, k.Before}, s.kind.Footer...)
	if pictures.HasAny() {
		out = append(out, pictures.AddPictureKey(k, k.Picture)...)
	}
	if s.Width >= Beside { // what leads back goes first
		out = append(out, k.Enlarge)
	}
	return out
}

// HelpGroups is the page of all bindings.
func (s *Screen[R, P]) HelpGroups() []widget.Group {
	k := s.kind.Keys
	page := append(append([]key.Binding{k.After, k.Before}, s.kind.Own...), k.Picture, k.Another, k.Enlarge)
	return []widget.Group{
		{Title: "List", Keys: append([]key.Binding{k.Open, k.List, k.ListBack, k.Filter, k.Again}, k.Moves.Bindings()...)},
		{Title: strings.ToUpper(s.kind.Row[:1]) + s.kind.Row[1:], Keys: page},
		{Title: "The image on the whole screen", Keys: widget.FullPictureKeys(s.isPictureFull())},
	}
}

// CutLongText gives the beginning of a text that is wrapped whole.
func CutLongText(s string) string {
	const most = 4000
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// FirstLines are the first n lines; the last says when there are more.
func FirstLines(lines []string, n int) []string {
	if len(lines) <= n {
		return lines
	}
	return append(lines[:max(0, n-1):max(0, n-1)], fmt.Sprintf("… %d more lines", len(lines)-n+1))
}

// Keys are those of a list, and of the pages of its rows.
type Keys struct {
	Moves widget.Moves

	Open, List, ListBack, Again, Filter, Before, After, Picture, Another, Enlarge key.Binding
}

// NewKeys makes the bindings, of rows of a kind.
func NewKeys(row, lists string) Keys {
	moves := widget.NewMoves()
	moves.Bottom.SetHelp("G", "last that is read")
	return Keys{
		Moves:    moves,
		Open:     widget.NewBinding("enter", "the "+row, "enter"),
		List:     widget.NewBinding("tab", lists, "tab"),
		ListBack: keymap.Samples.BindAction("other_back"),
		Again:    keymap.Samples.BindAction("refresh"),
		Filter:   keymap.Samples.BindAction("filter"),
		Before:   widget.NewBinding("p", row+" before", "p"),
		After:    widget.NewBinding("n", "next "+row, "n"),
		Picture:  keymap.Samples.BindJoined("image", "zoom"),
		Another:  keymap.Samples.BindJoined("next image", "next_image"),
		Enlarge:  widget.NewPaneSizeKeys(),
	}
}

// ListKeys lists the bindings that matter on the list, the most important first.
func (l *List[R]) ListKeys() []key.Binding {
	if l.filter.IsTyping() {
		return widget.FilterKeys()
	}
	open := l.keys.Open
	open.SetEnabled(len(l.rows) > 0)
	out := []key.Binding{open}
	if len(l.choices) > 1 {
		out = append(out, keymap.Samples.BindJoined("other lists", "other"))
	}
	return append(out, l.keys.Filter, l.keys.Again)
}
