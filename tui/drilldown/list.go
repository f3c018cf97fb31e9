// Package drilldown is the list behind a figure: rows that are read a page at a time, filtered as one
// types, of one of several named lists. The screens of samples and of pairs have it inside, and add
// what a row is and the page that it opens.
//
//	Choice.Rows (pulled a page at a time) --> List --> the screen's page of a row
//
// Its one invariant: a row that the source leaves out is counted, and nothing else is told of it.
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

// ListChoice is one of the lists.
type ListChoice[R any] struct {
	Name  string
	Until string // what rows wait for that are left out
	Rows  func(context.Context) iter.Seq2[R, error]
}

// RowFormat is how rows are drawn.
type RowFormat[R any] struct {
	Title   string
	Columns func(width int) []widget.Column
	Cells   func(*R) []string
	LeftOut func(*R) bool                    // that the row is in the list would tell
	Detail  func(row *R, width int) []string // what the row in front says at length
}

// List is the list of a screen. Its methods are called by the screen, one at a time.
type List[R any] struct {
	ctx      context.Context
	cancel   context.CancelFunc
	theme    *widget.Theme
	face     RowFormat[R]
	choices  []ListChoice[R]
	shown    int // of the choices
	keys     *Keys
	spelling *keymap.Spelling

	width, height  int
	pull           *pager.Puller[R]
	read           []R
	rows           []R // of those, what the filter leaves
	filter         widget.Filter
	hidden         int // rows that were left out
	ended, loading bool
	err            error
	at             widget.Cursor
}

// New makes a list of the first choice; Close ends it.
func New[R any](ctx context.Context, t *widget.Theme, k *Keys, sp *keymap.Spelling, face RowFormat[R], choices []ListChoice[R]) *List[R] {
	ctx, cancel := context.WithCancel(ctx)
	l := &List[R]{ctx: ctx, cancel: cancel, theme: t, keys: k, spelling: sp, face: face, choices: choices}
	l.restartList()
	return l
}

// restartList begins the list anew.
func (l *List[R]) restartList() {
	if l.pull != nil {
		go l.pull.Close()
	}
	ctx, choice := l.ctx, l.choices[l.shown]
	l.pull = pager.New(func() iter.Seq2[R, error] { return choice.Rows(ctx) }, l.face.LeftOut)
	l.read, l.rows, l.hidden, l.ended, l.err, l.loading = nil, nil, 0, false, nil, false
	l.at = widget.Cursor{}
}

// Close ends what is under way.
func (l *List[R]) Close() {
	l.cancel()
	go l.pull.Close()
}

// ReadNextPage reads a page, unless one is being read or there are no more.
func (l *List[R]) ReadNextPage() tea.Cmd {
	if l.loading || l.ended {
		return nil
	}
	l.loading = true
	from := l.pull
	return func() tea.Msg { return from.ReadPage() }
}

// HandlePage takes a page that was read.
func (l *List[R]) HandlePage(msg pager.Page[R]) tea.Cmd {
	if msg.Of != l.pull {
		return nil
	}
	l.loading = false
	l.read = append(l.read, msg.Rows...)
	l.applyFilter()
	l.hidden += msg.Hid
	l.ended, l.err = msg.Ended, msg.Err
	return l.MoveCursor(0)
}

// HandleKey takes a key, and reports whether it opens the row under the cursor.
func (l *List[R]) HandleKey(msg tea.KeyMsg) (cmd tea.Cmd, open bool) {
	if l.filter.IsTyping() {
		return l.handleFilterKey(msg), false
	}
	k := l.keys
	if by, ok := k.Moves.MoveBy(msg, l.tableHeight(), len(l.rows)); ok {
		return l.MoveCursor(by), false
	}
	switch {
	case key.Matches(msg, k.List):
		return l.switchList(1), false
	case key.Matches(msg, k.ListBack):
		return l.switchList(-1), false
	case key.Matches(msg, k.Again):
		l.restartList()
		return l.ReadNextPage(), false
	case key.Matches(msg, k.Open):
		return nil, l.CurrentRow() != nil
	case key.Matches(msg, k.Filter):
		l.filter.StartTyping()
	case key.Matches(msg, k.Enlarge):
		return widget.NotifyCmd(widget.Info, "the list has the whole screen"), false
	}
	return nil, false
}

// handleFilterKey takes a key while the filter is typed: the list follows.
func (l *List[R]) handleFilterKey(msg tea.KeyMsg) tea.Cmd {
	if !l.filter.HandleKey(msg) {
		return nil
	}
	l.at = widget.Cursor{}
	l.applyFilter()
	return l.MoveCursor(0) // what it leaves may not fill the screen
}

// applyFilter finds the rows that the filter leaves, of those that were read.
func (l *List[R]) applyFilter() { l.rows = widget.FilterRows(&l.filter, l.read, l.face.Cells) }

// ClearFilter shows all rows again, and reports whether there was a filter.
func (l *List[R]) ClearFilter() bool {
	was := l.filter.ClearText()
	l.applyFilter()
	l.at.MoveTo(l.at.At, len(l.rows), l.tableHeight()-1)
	return was
}

// MoveCursor moves the cursor and reads ahead.
func (l *List[R]) MoveCursor(by int) tea.Cmd {
	l.at.MoveBy(by, len(l.rows), l.tableHeight()-1)
	if l.at.At+l.tableHeight() >= len(l.rows) {
		return l.ReadNextPage()
	}
	return nil
}

func (l *List[R]) switchList(by int) tea.Cmd {
	n := len(l.choices)
	l.shown = (l.shown + by + n) % n
	l.restartList()
	return l.ReadNextPage()
}

// CurrentRow is the one under the cursor; nil: there is none.
func (l *List[R]) CurrentRow() *R { return widget.RowAt(&l.at, l.rows) }

// CurrentRowNumber is the place of the row under the cursor, from 1.
func (l *List[R]) CurrentRowNumber() int { return l.at.At + 1 }

// Len is how many rows are listed so far.
func (l *List[R]) Len() int { return len(l.rows) }

// HandleClick chooses the row that is drawn at a line.
func (l *List[R]) HandleClick(y int) tea.Cmd {
	above := 2 + len(l.titleLines()) // and the lists, the headings
	if l.at.SelectAt(y-above, len(l.rows), l.tableHeight()-1) {
		return l.MoveCursor(0)
	}
	return nil
}

// Resize sets the size that Lines fill.
func (l *List[R]) Resize(width, height int) {
	l.width, l.height = width, height
	l.at.MoveTo(l.at.At, len(l.rows), l.tableHeight()-1)
}

// paneHalves are the rooms of the list and of the detail of the row in front.
func (l *List[R]) paneHalves() widget.Halves {
	return widget.SplitListAndDetail(l.width, l.height, max(4, len(l.rows)+2+len(l.titleLines())))
}

// titleLines are the lines of the title that stand over its rule, and its last line.
// On a low screen it has one, which is cut.
func (l *List[R]) titleLines() []string {
	const tall = 20
	title := widget.CleanLine(l.face.Title)
	const beside = 20 // of how many are below, and the rule
	room := max(1, widget.SplitListAndDetail(l.width, l.height, 0).List.Width-widget.TextWidth(l.FormatCount()+l.formatRemark())-beside)
	if l.height < tall {
		return []string{widget.CutWidth(title, room)}
	}
	return widget.WrapText(title, room)
}

func (l *List[R]) tableHeight() int { return max(1, l.paneHalves().List.Height-1-len(l.titleLines())) }

// DrawLines draw the list, its title, the lists' names, the table, and the detail of the row in front.
func (l *List[R]) DrawLines() []string {
	h := l.paneHalves()
	width := h.List.Width
	title := l.titleLines()
	last := len(title) - 1
	out := eval.Map(title[:last], func(line string) string { return l.theme.Title.Render(line) })
	note := l.FormatCount()
	if below := len(l.rows) - l.at.Top - l.tableHeight() + 1; below > 0 {
		note += ", " + widget.FormatCount(below) + " more below"
	}
	out = append(out, l.theme.DrawSection(title[last], note+l.formatRemark(), true, width),
		widget.JoinEnds(l.drawChoiceLine(width), l.theme.DrawFilter(&l.filter, max(24, width/3)), width))
	out = append(out, l.theme.DrawTable(l.makeTable(width), width, l.tableHeight())...)
	var detail []string
	if h.Detail.Height > 0 {
		if row := l.CurrentRow(); row != nil {
			detail = l.face.Detail(row, h.Detail.Width)
		} else if l.hidden > 0 {
			why := widget.FormatCount(l.hidden) + " are not shown: " + l.choices[l.shown].Until + l.spelling.SpellText(". {v} goes to the queues.")
			detail = append([]string{l.theme.DrawSection("Not shown", "", false, h.Detail.Width)}, widget.WrapText(why, h.Detail.Width)...)
		}
		detail = l.theme.AddKeysBelow(detail, h.Detail.Width, h.Detail.Height, l.spelling.SpellKey, l.ListKeys())
	}
	return l.theme.DrawHalves(h, out, detail)
}

// FormatCount gives how many rows there are, as far as they have been read.
func (l *List[R]) FormatCount() string {
	n := widget.FormatCount(len(l.read))
	n += eval.Either(!l.ended, "+", "")
	if l.filter.IsOn() {
		n = widget.FormatCount(len(l.rows)) + " of " + n
	}
	return n
}

func (l *List[R]) formatRemark() string {
	switch {
	case l.err != nil:
		return "  ✗ " + widget.CleanLine(l.err.Error())
	case l.hidden > 0:
		return "  " + widget.FormatCount(l.hidden) + " not shown: " + l.choices[l.shown].Until
	}
	return ""
}

// drawChoiceLine draws the line of lists with the shown one marked.
func (l *List[R]) drawChoiceLine(width int) string {
	t := l.theme
	parts := eval.MapIndexed(l.choices, func(i int, c ListChoice[R]) string {
		name := widget.CleanLine(c.Name)
		return eval.Either(i == l.shown, t.Accent.Render("[")+t.Strong.Render(name)+t.Accent.Render("]"), t.Faint.Render(" "+name+" "))
	})
	line := "  " + strings.Join(parts, " ")
	for i := 0; i < l.shown && widget.TextWidth(line) > width; i++ { // the shown one is seen
		line = "  " + t.Faint.Render("…") + " " + strings.Join(parts[i+1:], " ")
	}
	return line
}

func (l *List[R]) makeTable(width int) widget.Table {
	empty := eval.Either(!l.ended, "reading…", eval.Either(l.filter.IsOn(), "Nothing is left by the filter: esc shows everything again.", "None."))
	return widget.Table{
		Columns: l.face.Columns(width), Rows: len(l.rows), Cursor: l.at, Focused: true, Empty: empty,
		Row: func(i int) []string { return l.face.Cells(&l.rows[i]) },
	}
}

// Pictures are those of the row that is open.
type Pictures struct {
	widget.Gallery
	Viewer *widget.Viewer
	Full   bool // the one in front fills the screen
}

// LoadPictures opens pictures; it runs in a command.
func LoadPictures(t *widget.Theme, all []eval.Picture, read func(eval.PictureHash) ([]byte, error)) (out widget.Gallery) {
	for _, pic := range all {
		if pic.Hash == "" {
			out.AddPicture(nil, pic.Name, fmt.Errorf("%s: %w", widget.CleanLine(pic.Name), widget.ErrNoPicture))
			continue
		}
		p, err := t.Images.OpenPicture(string(pic.Hash), func() ([]byte, error) { return read(pic.Hash) })
		if err != nil {
			err = fmt.Errorf("%s: %w", widget.CleanLine(pic.Name), err)
		}
		out.AddPicture(p, pic.Name, err)
	}
	return out
}

// IsFull reports whether a picture fills the screen.
func (p *Pictures) IsFull() bool { return p.Full && p.HasAny() }

// HandleFullPictureKey takes a key of the picture that fills the screen, and reports whether it
// was one; draw is then to follow where there is no command.
func (p *Pictures) HandleFullPictureKey(name string, cols, rows int, draw func() tea.Cmd) (tea.Cmd, bool) {
	switch {
	case !p.HasAny() || !p.Full && name != "=":
		return nil, false
	case name == "o":
		return p.Viewer.OpenViewer(p.PictureInFront(), p.FrontName()), true
	case !p.Viewer.HandleZoomKey(name, p.PictureInFront(), cols, rows):
		return nil, false
	}
	return draw(), true
}

// ToggleFull lets the picture fill the screen, or no longer, and draws it then.
func (p *Pictures) ToggleFull(draw func() tea.Cmd) tea.Cmd {
	p.Full = p.HasAny() && !p.Full
	return draw()
}

// NextPicture shows the next picture, and draws it then.
func (p *Pictures) NextPicture(draw func() tea.Cmd) tea.Cmd {
	if !p.ShowNext() {
		return widget.NotifyCmd(widget.Info, "there is no other image of this sample")
	}
	return draw()
}

// AddPictureKey puts the key of the next picture before others, where there are several.
func (p *Pictures) AddPictureKey(k *Keys, others ...key.Binding) []key.Binding {
	return eval.Either(p.Len() < 2, others, append([]key.Binding{k.Another}, others...))
}
