package annotationtest

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Noon is when tests take place.
func Noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

var (
	_ annotation.Items    = (*Bench)(nil)
	_ annotation.Pictures = (*Bench)(nil)
	_ annotation.Journal  = (*Notebook)(nil)
)

// Bench is a queue in memory, with its items and their pictures.
type Bench struct {
	Queue     annotate.Queue
	Items     []annotate.Item
	Acts      []annotate.Act // of whoever opens it
	Sides     map[annotate.ItemKey]int
	GoldItems []annotate.Gold
	Pictures  map[eval.PictureHash][]byte
	Err       error // why it cannot be opened
	Broken    error // why no item can be read
}

// Open gives what a session starts from.
func (b *Bench) Open(_ context.Context, _ annotate.QueueName, who annotate.Annotator) (session.Opening, error) {
	return session.Opening{Queue: b.Queue, Annotator: who, Items: b.itemsFrom(0), Acts: b.Acts, Sides: b.Sides, Hidden: session.NewHidden(b.GoldItems, nil)}, b.Err
}

// ItemsSince is the queue and its items from an index on.
func (b *Bench) ItemsSince(_ context.Context, _ annotate.QueueName, from int) (annotate.Queue, []annotate.QueueItem, error) {
	return b.Queue, b.itemsFrom(from), nil
}

func (b *Bench) itemsFrom(index int) []annotate.QueueItem {
	var out []annotate.QueueItem
	for i := index; i < len(b.Items); i++ {
		out = append(out, annotate.QueueItem{Index: i, Key: b.Items[i].Key})
	}
	return out
}

// Item is one of the items.
func (b *Bench) Item(_ context.Context, _ annotate.QueueName, index int) (annotate.Item, error) {
	if index >= len(b.Items) {
		return annotate.Item{}, eval.ErrNotFound
	}
	if b.Broken != nil {
		return annotate.Item{}, b.Broken
	}
	return b.Items[index], nil
}

// Picture is the bytes of a picture.
func (b *Bench) Picture(h eval.PictureHash) ([]byte, error) {
	if data, ok := b.Pictures[h]; ok {
		return data, nil
	}
	return nil, eval.ErrNotFound
}

// Notebook is a journal that takes everything and says nothing by itself.
type Notebook struct {
	Acts   []annotate.Act
	Missed []annotate.Act // what Late gives
	Stuck  error          // why nothing is durable
}

// Submit keeps an act.
func (n *Notebook) Submit(a annotate.Act) { n.Acts = append(n.Acts, a) }

// RetryParked does nothing.
func (n *Notebook) RetryParked() {}

// State gives that of a journal to which nothing was given.
func (n *Notebook) State() session.JournalState { return session.JournalState{} }

// Changed never gets a mark.
func (n *Notebook) Changed() <-chan struct{} { return nil }

// SyncStream gives Stuck.
func (n *Notebook) SyncStream(context.Context, annotate.QueueName, annotate.Annotator) error {
	return n.Stuck
}

// LateActs gives Missed.
func (n *Notebook) LateActs(annotate.QueueName, annotate.Annotator) []annotate.Act { return n.Missed }

// LastSaved is none.
func (n *Notebook) LastSaved(annotate.QueueName, annotate.Annotator) uint32 { return 0 }

// NewParkedState is where a journal stands that could not commit n acts from a on.
func NewParkedState(a annotate.Act, n int, err error) session.JournalState {
	return session.JournalState{Pending: n, Err: err, Parked: []session.Parked{{First: a, Pending: n, Err: err}}}
}

// Screen is a screen as its root uses it.
type Screen interface {
	Update(msg tea.Msg) tea.Cmd
	View() string
	GoBack() bool
}

// Harness runs a screen in tests, with a session or without; commands run at once.
type Harness struct {
	T       testing.TB
	Screen  Screen
	Root    func(tea.Msg) bool // takes what is not for the screen; nil: all is
	Journal *Notebook
	Notices []string
}

// Run runs a command, and those that its message leads to.
func (d *Harness) Run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.Run(c)
		}
	case widget.Notify:
		d.Notices = append(d.Notices, msg.Text)
	default:
		if d.Root == nil || !d.Root(msg) {
			d.Run(d.Screen.Update(msg))
		}
	}
}

// Press presses keys by their names.
func (d *Harness) Press(keys ...string) {
	for _, k := range keys {
		if k == "esc" { // the root's, which hands it on
			d.Screen.GoBack()
			d.Run(d.Screen.Update(widget.Left{}))
			continue
		}
		d.Run(d.Screen.Update(NewKeyMsg(k)))
	}
}

// TellSaved tells the screen where the journal stands, with n acts committed.
func (d *Harness) TellSaved(state session.JournalState, n int) {
	d.Run(d.Screen.(interface {
		HandleJournal(state session.JournalState, saved uint32, late []annotate.Act) tea.Cmd
	}).HandleJournal(state, uint32(n), d.Journal.Missed))
}

// CheckShows checks that the frame shows all of these.
func (d *Harness) CheckShows(want ...string) {
	d.T.Helper()
	got := ansi.Strip(d.Screen.View())
	for _, w := range want {
		if !strings.Contains(got, w) {
			d.T.Errorf("the screen does not show %q:\n%s", w, got)
		}
	}
}

// CheckSeesNot checks that the frame shows none of these.
func (d *Harness) CheckSeesNot(unwanted ...string) {
	d.T.Helper()
	got := ansi.Strip(d.Screen.View())
	for _, w := range unwanted {
		if strings.Contains(got, w) {
			d.T.Errorf("the screen shows %q:\n%s", w, got)
		}
	}
}

// CheckFits checks that every line is as wide as the screen, and that nothing steers the terminal.
func (d *Harness) CheckFits(width int) {
	d.T.Helper()
	for _, l := range strings.Split(d.Screen.View(), "\n") {
		if w := widget.TextWidth(l); w != width {
			d.T.Fatalf("%d wide: a line is %d wide: %q", width, w, l)
		}
		if strings.ContainsAny(strings.ReplaceAll(l, "\x1b[", ""), "\x1b\a\r") {
			d.T.Fatalf("a control character reaches the terminal: %q", l)
		}
	}
}

// TrimRight takes the spaces at the end of each line away, as goldens are kept.
func TrimRight(view string) string {
	lines := strings.Split(view, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// NewKeyMsg gives the message of a key, by its name.
func NewKeyMsg(name string) tea.KeyMsg { return keymap.NewKeyMsg(name) }

// NewTheme gives the theme on a terminal with these colours.
func NewTheme(p termenv.Profile, dark bool) *widget.Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	r.SetHasDarkBackground(dark)
	return widget.NewTheme(r)
}

// TerminalSizes are the sizes of terminals that people have.
func TerminalSizes() [][2]int { return [][2]int{{60, 24}, {80, 24}, {120, 40}, {200, 50}} }
