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
	// Press takes a key that is none of the screen's own.
	Press(tea.KeyMsg) tea.Cmd
	// Lines draw the page; it is the n-th of count.
	Lines(n int, count string) []string
	Resize(width, height int)
	// Draw draws the picture for the room that it has, in a command. Hang does so
	// once more of it is known.
	Draw() tea.Cmd
	Hang() tea.Cmd
	// Extent is that of the picture in front, in cells.
	Extent() (cols, rows int)
	Shown() *Frame
}

// Frame is what every page has.
type Frame struct {
	Ctx           context.Context // ends with the screen
	Spelling      *keymap.Spelling
	Theme         *widget.Theme
	Width, Height int
	Space         *widget.PaneSize // of the part that is read
	Loaded        bool
	Err           error
	Gallery       Pictures
}

// Shown is the frame itself.
func (f *Frame) Shown() *Frame { return f }

// Wide reports whether parts stand side by side.
func (f *Frame) Wide() bool { return f.Width >= Beside }

// About is which picture is in front, its size and name.
func (f *Frame) About() string { return f.Gallery.About(f.Spelling.Spelled("next_image")) }

// Caption is the line under the picture; "" where there is none.
func (f *Frame) Caption() string {
	if !f.Gallery.Seen() {
		return ""
	}
	return f.Theme.Warning(f.Gallery.Viewer.Note(f.Spelling.Keyed("{whole_picture} whole"))) + f.Theme.Faint.Render(f.About())
}

// Head is the title of a page, and what stands for the page until it is read.
func (f *Frame) Head(s eval.SampleID, note string) (out []string, read bool) {
	t := f.Theme
	out = []string{t.Section("Sample "+widget.Line(string(s)), note, true, f.Width)}
	switch {
	case !f.Loaded:
		return append(out, "", t.Faint.Render("  loading…")), false
	case f.Err != nil:
		return append(out, "", t.Bad.Render("  ✗ "+widget.Line(f.Err.Error()))), false
	}
	return out, true
}

// Kind is what a screen's rows are.
type Kind[R any, P any] struct {
	Row     string        // a row's name
	Keys    *Keys         // of the list and the pages
	Own     []key.Binding // further ones of pages, for help
	Footer  []key.Binding // those for the footer
	Place   keymap.Place
	Picture keymap.Place                // while a picture fills the screen
	Open    func(R, Frame) (P, tea.Cmd) // what reads the row, in a command
}

// Screen is a list of rows, and the page of the one that is open. Its methods are
// called by the root, one at a time.
type Screen[R any, P Page] struct {
	keymap.Spelling
	Theme         *widget.Theme
	Width, Height int
	List          *List[R]
	Page          P // its zero value: the list is shown
	viewer        *widget.Viewer
	kind          Kind[R, P]
}

// NewScreen makes the screen of the first of the lists; Close ends it.
func NewScreen[R any, P Page](ctx context.Context, t *widget.Theme, k Kind[R, P], face Face[R], choices []Choice[R]) *Screen[R, P] {
	s := &Screen[R, P]{Theme: t, viewer: widget.NewViewer(t), kind: k}
	s.List = New(ctx, t, k.Keys, &s.Spelling, face, choices)
	return s
}

// ListOf is a choice of rows that are read for one person.
func ListOf[R, W any](name, until string, who W, rows func(context.Context, W) iter.Seq2[R, error]) Choice[R] {
	return Choice[R]{Name: name, Until: until, Rows: func(ctx context.Context) iter.Seq2[R, error] { return rows(ctx, who) }}
}

// Opened reports whether a row is open.
func (s *Screen[R, P]) Opened() bool {
	var none P
	return s.Page != none
}

// Close ends what is under way.
func (s *Screen[R, P]) Close() { s.List.Close() }

// Init reads the first page.
func (s *Screen[R, P]) Init() tea.Cmd { return s.List.More() }

// Refresh leaves the list as it is: a row must not move under the reader, and
// R reads it again. Only the picture is drawn for the room it has now.
func (s *Screen[R, P]) Refresh() tea.Cmd {
	if !s.Opened() {
		return nil
	}
	return s.Page.Draw()
}

// Resize sets the size that View fills.
func (s *Screen[R, P]) Resize(width, height int) {
	s.Width, s.Height = width, height
	s.List.Resize(width, height)
	if s.Opened() {
		s.Page.Resize(width, height)
	}
}

// View draws the list or the page.
func (s *Screen[R, P]) View() string {
	if s.Width <= 0 || s.Height <= 0 {
		return ""
	}
	lines := s.List.Lines
	if s.Opened() {
		lines = func() []string { return s.Page.Lines(s.List.Place(), s.List.Counted()) }
	}
	return strings.Join(widget.Block(lines(), s.Width, s.Height), "\n")
}

// Update takes a message.
func (s *Screen[R, P]) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return s.press(msg)
	case pager.Page[R]:
		return s.List.Take(msg)
	case widget.Drawn:
		if s.viewer.Took(msg) && s.Opened() {
			return s.Page.Hang()
		}
		return nil
	}
	if !s.Opened() {
		return nil
	}
	return s.Page.Update(msg)
}

func (s *Screen[R, P]) press(msg tea.KeyMsg) tea.Cmd {
	if !s.Opened() {
		cmd, open := s.List.Press(msg)
		if open {
			return s.open()
		}
		return cmd
	}
	p, f, k := s.Page, s.Page.Shown(), s.kind.Keys
	cols, rows := p.Extent()
	if cmd, ok := f.Gallery.Look(msg.String(), cols, rows, p.Hang); ok {
		return cmd
	}
	switch {
	case key.Matches(msg, k.After):
		return s.step(1)
	case key.Matches(msg, k.Before):
		return s.step(-1)
	case key.Matches(msg, k.Picture):
		return f.Gallery.Fill(p.Hang)
	case key.Matches(msg, k.Another):
		return f.Gallery.Another(p.Hang)
	}
	return p.Press(msg)
}

// open opens the row under the cursor.
func (s *Screen[R, P]) open() tea.Cmd {
	row := s.List.Row()
	if row == nil {
		return nil
	}
	page, read := s.kind.Open(*row, Frame{
		Ctx: s.List.Context(), Spelling: &s.Spelling, Theme: s.Theme, Width: s.Width, Height: s.Height,
		Space: s.Theme.Pane(s.kind.Row), Gallery: Pictures{Viewer: s.viewer},
	})
	s.Page = page
	return read
}

// step opens the row before or after.
func (s *Screen[R, P]) step(by int) tea.Cmd {
	before := s.List.Place()
	read := s.List.Move(by)
	if s.List.Place() == before {
		return read
	}
	full := s.Page.Shown().Gallery.Full
	cmd := s.open()
	s.Page.Shown().Gallery.Full = full
	return tea.Batch(read, cmd)
}

// Click chooses the row that is drawn at a line of the list.
func (s *Screen[R, P]) Click(_, y int) tea.Cmd {
	if s.Opened() {
		return nil
	}
	return s.List.Click(y)
}

// Typing reports whether keys are text: while the filter is typed.
func (s *Screen[R, P]) Typing() bool { return s.List.Typing() }

// Back goes from a page to the list, and takes the filter away.
func (s *Screen[R, P]) Back() bool {
	if !s.Opened() {
		return s.List.Unfilter()
	}
	if pictures := &s.Page.Shown().Gallery; pictures.Full {
		pictures.Full = false
		return true
	}
	var none P
	s.Page = none
	return true
}

// looking reports whether a picture fills the screen.
func (s *Screen[R, P]) looking() bool { return s.Opened() && s.Page.Shown().Gallery.Looking() }

// KeyPlace is where the screen's keys are in the keymap.
func (s *Screen[R, P]) KeyPlace() keymap.Place {
	if s.looking() {
		return s.kind.Picture
	}
	return s.kind.Place
}

// Keys are the bindings that matter now, the most important first.
func (s *Screen[R, P]) Keys() []key.Binding {
	k := s.kind.Keys
	if !s.Opened() {
		return s.List.ListKeys()
	}
	pictures := &s.Page.Shown().Gallery
	if pictures.Looking() {
		return pictures.LookKeys(k)
	}
	out := append([]key.Binding{k.After, k.Before}, s.kind.Footer...)
	if pictures.Seen() {
		out = append(out, pictures.Keys(k, k.Picture)...)
	}
	if s.Width >= Beside { // what leads back goes first
		out = append(out, k.Enlarge)
	}
	return out
}

// Help is the page of all bindings.
func (s *Screen[R, P]) Help() []widget.Group {
	k := s.kind.Keys
	page := append(append([]key.Binding{k.After, k.Before}, s.kind.Own...), k.Picture, k.Another, k.Enlarge)
	return []widget.Group{
		k.Help(),
		{Title: strings.ToUpper(s.kind.Row[:1]) + s.kind.Row[1:], Keys: page},
		{Title: "The image on the whole screen", Keys: widget.LookKeys(s.looking())},
	}
}

// Limit is the beginning of a text that is wrapped whole.
func Limit(s string) string {
	const most = 4000
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// Some are the first n lines; the last says when there are more.
func Some(lines []string, n int) []string {
	if len(lines) <= n {
		return lines
	}
	return append(lines[:max(0, n-1):max(0, n-1)], fmt.Sprintf("… %d more lines", len(lines)-n+1))
}

// Keys are those of a list, and of the pages of its rows.
type Keys struct {
	Moves widget.Moves

	Open, List, ListBack, Again, Filter      key.Binding
	Before, After, Picture, Another, Enlarge key.Binding
}

// NewKeys makes the bindings, of rows of a kind.
func NewKeys(row, lists string) Keys {
	moves := widget.NewMoves()
	moves.Bottom.SetHelp("G", "last that is read")
	return Keys{
		Moves:    moves,
		Open:     widget.Bind("enter", "the "+row, "enter"),
		List:     widget.Bind("tab", lists, "tab"),
		ListBack: keymap.Samples.Bind("other_back"),
		Again:    keymap.Samples.Bind("refresh"),
		Filter:   keymap.Samples.Bind("filter"),
		Before:   widget.Bind("p", row+" before", "p"),
		After:    widget.Bind("n", "next "+row, "n"),
		Picture:  keymap.Samples.Join("image", "zoom"),
		Another:  keymap.Samples.Join("next image", "next_image"),
		Enlarge:  widget.PaneKeys(),
	}
}

// ListKeys are the bindings that matter on the list, the most important first.
func (l *List[R]) ListKeys() []key.Binding {
	if l.filter.Typing() {
		return widget.FilterKeys()
	}
	open := l.keys.Open
	open.SetEnabled(len(l.rows) > 0)
	out := []key.Binding{open}
	if l.Several() {
		out = append(out, keymap.Samples.Join("other lists", "other"))
	}
	return append(out, l.keys.Filter, l.keys.Again)
}

// Help is the page of the list's bindings.
func (k *Keys) Help() widget.Group {
	return widget.Group{Title: "List", Keys: append([]key.Binding{k.Open, k.List, k.ListBack, k.Filter, k.Again}, k.Moves.Keys()...)}
}
