package review

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/eval"
	"concord/tui/widget"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestMain(m *testing.M) {
	time.Local = time.UTC // goldens show the time of day
	os.Exit(m.Run())
}

// bench is a queue in memory with everything that the screen asks for.
type bench struct {
	queue    annotate.Queue
	items    []annotate.Item
	acts     []annotate.Act
	pictures map[eval.PictureHash][]byte
	readings []annotate.MachineReading
	revealed int
	err      error
	broken   error // why no item can be read
}

func (b *bench) Open(context.Context, annotate.QueueName, annotate.Annotator) (annotate.Opening, error) {
	o := annotate.Opening{Queue: b.queue, Annotator: "ann", Acts: b.acts}
	for i := range b.items {
		o.Items = append(o.Items, annotate.QueueItem{Index: i, Key: b.items[i].Key})
	}
	return o, b.err
}

func (b *bench) Since(_ context.Context, _ annotate.QueueName, from int) (annotate.Queue, []annotate.QueueItem, error) {
	var out []annotate.QueueItem
	for i := from; i < len(b.items); i++ {
		out = append(out, annotate.QueueItem{Index: i, Key: b.items[i].Key})
	}
	return b.queue, out, nil
}

func (b *bench) Item(_ context.Context, _ annotate.QueueName, index int) (annotate.Item, error) {
	if index >= len(b.items) {
		return annotate.Item{}, eval.ErrNotFound
	}
	if b.broken != nil {
		return annotate.Item{}, b.broken
	}
	return b.items[index], nil
}

func (b *bench) Picture(h eval.PictureHash) ([]byte, error) {
	if data, ok := b.pictures[h]; ok {
		return data, nil
	}
	return nil, eval.ErrNotFound
}

func (b *bench) Reveal(context.Context, annotate.QueueName, annotate.ItemKey) (annotate.Revealed, error) {
	b.revealed++
	return annotate.Revealed{Model: "llava-v1.5", Truth: "C", Readings: b.readings}, nil
}

// notebook is a Journal that takes everything and saves when told to.
type notebook struct {
	acts, late []annotate.Act
	stuck      error // why nothing is durable
}

func (n *notebook) Submit(a annotate.Act)        { n.acts = append(n.acts, a) }
func (n *notebook) Retry()                       {}
func (n *notebook) State() annotate.JournalState { return annotate.JournalState{} }
func (n *notebook) Changed() <-chan struct{}     { return nil }
func (n *notebook) Sync(context.Context, annotate.QueueName, annotate.Annotator) error {
	return n.stuck
}
func (n *notebook) Late(annotate.QueueName, annotate.Annotator) []annotate.Act { return n.late }
func (n *notebook) Saved(annotate.QueueName, annotate.Annotator) uint32        { return 0 }

// parked is where a journal stands that could not commit n acts from a on.
func parked(a annotate.Act, n int, err error) annotate.JournalState {
	return annotate.JournalState{Pending: n, Err: err, Parked: []annotate.Parked{{First: a, Pending: n, Err: err}}}
}

func newBench(n int) *bench {
	b := &bench{
		queue:    annotate.Queue{Name: "unparsable", Overlap: 1, Items: n, Rule: annotate.Rule{From: annotate.FromUnparsable, Rules: "concord@1"}},
		pictures: map[eval.PictureHash][]byte{"pic": drawing(64, 48)},
		readings: []annotate.MachineReading{
			{Extractor: "rules:concord", Extraction: eval.Extraction{Status: eval.Missing}},
			{Extractor: "judge-7b", Judge: true, Extraction: eval.Extraction{Status: eval.Found, Choice: "B"}, Raw: "B, since it says\nthe second one"},
		},
	}
	for i := range n {
		b.items = append(b.items, annotate.Item{
			Queue: "unparsable", Index: i, Key: annotate.ItemOf(eval.Key{Run: 1, Sample: eval.Ordinal(i)}),
			Kind: eval.KindChoice, Sample: eval.SampleID(fmt.Sprint(100 + i)),
			Question: fmt.Sprintf("%d. Which shape stands to the left of the yellow triangle?", i+1),
			Hint:     "Look at the lower row.",
			Options: []eval.Option{
				{Letter: "A", Text: "A red circle"},
				{Letter: "B", Text: "A blue square"},
				{Letter: "C", Text: "A green star"},
				{Letter: "D", Text: "None of the above"},
			},
			Pictures: []eval.Picture{{Hash: "pic", Name: "shapes.png"}},
			Prediction: "Let me look at the picture. There are two shapes in the lower row, and the one on the left of the " +
				"triangle has four sides of the same length.\n\nSo it would be the blue one, I think.",
		})
	}
	return b
}

// drawing is a picture with a bright disc.
func drawing(w, h int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{R: 20, G: 40, B: 120, A: 255}
			if dx, dy := x-w/2, y-h/2; dx*dx+dy*dy < h*h/9 {
				c = color.RGBA{R: 250, G: 220, B: 60, A: 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// desk is a screen with its surroundings; commands run on the spot.
type desk struct {
	t       testing.TB
	m       *Model
	journal *notebook
	notices []string
}

func theme(p termenv.Profile, dark bool) *widget.Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	r.SetHasDarkBackground(dark)
	return widget.NewTheme(r)
}

// sit opens the screen on a terminal of this size; the root takes three lines.
func sit(t testing.TB, b *bench, th *widget.Theme, width, height int) *desk {
	t.Helper()
	d := &desk{t: t, journal: &notebook{}}
	d.m = New(t.Context(), Deps{
		Queue: "unparsable", Annotator: "ann", Theme: th, Items: b, Pictures: b, Revealer: b,
		Journal: d.journal, Now: func() time.Time { return noon },
	})
	d.m.Resize(width, height-3)
	d.run(d.m.Open())
	return d
}

func (d *desk) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case widget.Notify:
		d.notices = append(d.notices, msg.Text)
	default:
		d.run(d.m.Update(msg))
	}
}

func keyOf(s string) tea.KeyMsg {
	for k, name := range map[tea.KeyType]string{
		tea.KeyEnter: "enter", tea.KeyEsc: "esc", tea.KeyLeft: "left", tea.KeyRight: "right", tea.KeyTab: "tab",
		tea.KeyCtrlR: "ctrl+r", tea.KeyCtrlS: "ctrl+s", tea.KeyPgDown: "pgdown", tea.KeyPgUp: "pgup", tea.KeyEnd: "end",
		tea.KeyBackspace: "backspace",
	} {
		if s == name {
			return tea.KeyMsg{Type: k}
		}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)}
}

func (d *desk) press(keys ...string) {
	for _, k := range keys {
		if k == "esc" { // the root's, which hands it on
			d.m.Back()
			continue
		}
		d.run(d.m.Update(keyOf(k)))
	}
}

func (d *desk) saved(state annotate.JournalState, n int) {
	d.run(d.m.Hear(state, uint32(n), d.journal.late))
}

func (d *desk) sees(want ...string) {
	d.t.Helper()
	got := ansi.Strip(d.m.View())
	for _, w := range want {
		if !strings.Contains(got, w) {
			d.t.Errorf("the screen does not show %q:\n%s", w, got)
		}
	}
}

func (d *desk) seesNot(unwanted ...string) {
	d.t.Helper()
	got := ansi.Strip(d.m.View())
	for _, w := range unwanted {
		if strings.Contains(got, w) {
			d.t.Errorf("the screen shows %q:\n%s", w, got)
		}
	}
}
