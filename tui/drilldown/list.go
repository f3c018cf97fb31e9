// Package drilldown is the list behind a figure: rows that are read a page at a
// time, filtered as one types, of one of several named lists. The screens of
// samples and of pairs have it inside, and add what a row is and the page that it
// opens.
//
//	Choice.Rows (pulled a page at a time) --> List --> the screen's page of a row
//
// Its one invariant: a row that the source leaves out is counted, and nothing
// else is told of it.
package drilldown

import (
	"context"
	"iter"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
	"concord/tui/pager"
	"concord/tui/widget"
)

// Choice is one of the lists.
type Choice[R any] struct {
	Name  string
	Until string // what rows wait for that are left out
	Rows  func(context.Context) iter.Seq2[R, error]
}

// Face is how rows are drawn.
type Face[R any] struct {
	Title   string
	Columns func(width int) []widget.Column
	Cells   func(*R) []string
	LeftOut func(*R) bool                    // that the row is in the list would tell
	Detail  func(row *R, width int) []string // what the row in front says at length
}

// List is the list of a screen. Its methods are called by the screen, one at a
// time.
type List[R any] struct {
	ctx      context.Context
	cancel   context.CancelFunc
	theme    *widget.Theme
	face     Face[R]
	choices  []Choice[R]
	shown    int // of the choices
	keys     *Keys
	spelling *keymap.Spelling

	width, height int
	pull          *pager.Puller[R]
	read          []R
	rows          []R // of those, what the filter leaves
	filter        widget.Filter
	hidden        int // rows that were left out
	ended         bool
	loading       bool
	err           error
	at            widget.Cursor
}

// New makes a list of the first choice; Close ends it.
func New[R any](ctx context.Context, t *widget.Theme, k *Keys, sp *keymap.Spelling, face Face[R], choices []Choice[R]) *List[R] {
	ctx, cancel := context.WithCancel(ctx)
	l := &List[R]{ctx: ctx, cancel: cancel, theme: t, keys: k, spelling: sp, face: face, choices: choices}
	l.start()
	return l
}

// start begins the list anew.
func (l *List[R]) start() {
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

// Context ends when the list is closed.
func (l *List[R]) Context() context.Context { return l.ctx }

// More reads a page, unless one is being read or there are no more.
func (l *List[R]) More() tea.Cmd {
	if l.loading || l.ended {
		return nil
	}
	l.loading = true
	from := l.pull
	return func() tea.Msg { return from.Page() }
}

// Take takes a page that was read.
func (l *List[R]) Take(msg pager.Page[R]) tea.Cmd {
	if msg.Of != l.pull {
		return nil
	}
	l.loading = false
	l.read = append(l.read, msg.Rows...)
	l.sift()
	l.hidden += msg.Hid
	l.ended, l.err = msg.Ended, msg.Err
	return l.Move(0)
}

// Press takes a key, and reports whether it opens the row under the cursor.
func (l *List[R]) Press(msg tea.KeyMsg) (cmd tea.Cmd, open bool) {
	if l.filter.Typing() {
		return l.pressFilter(msg), false
	}
	k := l.keys
	if by, ok := k.Moves.By(msg, l.tableHeight(), len(l.rows)); ok {
		return l.Move(by), false
	}
	switch {
	case key.Matches(msg, k.List):
		return l.other(1), false
	case key.Matches(msg, k.ListBack):
		return l.other(-1), false
	case key.Matches(msg, k.Again):
		l.start()
		return l.More(), false
	case key.Matches(msg, k.Open):
		return nil, l.Row() != nil
	case key.Matches(msg, k.Filter):
		l.filter.Start()
	case key.Matches(msg, k.Enlarge):
		return Tell("the list has the whole screen"), false
	}
	return nil, false
}

// pressFilter takes a key while the filter is typed: the list follows.
func (l *List[R]) pressFilter(msg tea.KeyMsg) tea.Cmd {
	if !l.filter.Press(msg) {
		return nil
	}
	l.at = widget.Cursor{}
	l.sift()
	return l.Move(0) // what it leaves may not fill the screen
}

// sift finds the rows that the filter leaves, of those that were read.
func (l *List[R]) sift() { l.rows = widget.Sift(&l.filter, l.read, l.face.Cells) }

// Unfilter shows all rows again, and reports whether there was a filter.
func (l *List[R]) Unfilter() bool {
	was := l.filter.Clear()
	l.sift()
	l.at.Set(l.at.At, len(l.rows), l.tableHeight()-1)
	return was
}

// Typing reports whether the filter is typed.
func (l *List[R]) Typing() bool { return l.filter.Typing() }

// Move moves the cursor and reads ahead.
func (l *List[R]) Move(by int) tea.Cmd {
	l.at.Move(by, len(l.rows), l.tableHeight()-1)
	if l.at.At+l.tableHeight() >= len(l.rows) {
		return l.More()
	}
	return nil
}

// other shows another list.
func (l *List[R]) other(by int) tea.Cmd {
	n := len(l.choices)
	l.shown = (l.shown + by + n) % n
	l.start()
	return l.More()
}

// Row is the one under the cursor; nil: there is none.
func (l *List[R]) Row() *R {
	if l.at.At < 0 || l.at.At >= len(l.rows) {
		return nil
	}
	return &l.rows[l.at.At]
}

// Place is the place of the row under the cursor, from 1.
func (l *List[R]) Place() int { return l.at.At + 1 }

// Len is how many rows are listed so far.
func (l *List[R]) Len() int { return len(l.rows) }

// Several reports whether there are other lists.
func (l *List[R]) Several() bool { return len(l.choices) > 1 }

// Click chooses the row that is drawn at a line.
func (l *List[R]) Click(y int) tea.Cmd {
	const above = 3 // the title, the lists, the headings
	if l.at.Click(y-above, len(l.rows), l.tableHeight()-1) {
		return l.Move(0)
	}
	return nil
}

// Tell is a notice at the foot of the screen.
func Tell(text string) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: widget.Info, Text: text} }
}
