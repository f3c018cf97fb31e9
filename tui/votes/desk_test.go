package votes

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

// bench is a queue of pairs in memory with everything that the screen asks for.
type bench struct {
	queue    annotate.Queue
	items    []annotate.Item
	acts     []annotate.Act
	sides    map[annotate.ItemKey]int
	pictures map[eval.PictureHash][]byte
	judges   []eval.Preference
	revealed int
	err      error
}

func (b *bench) Open(_ context.Context, _ annotate.QueueName, who annotate.Annotator) (annotate.Opening, error) {
	o := annotate.Opening{Queue: b.queue, Annotator: who, Acts: b.acts, Sides: b.sides}
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
	return b.items[index], nil
}

func (b *bench) Picture(h eval.PictureHash) ([]byte, error) {
	if data, ok := b.pictures[h]; ok {
		return data, nil
	}
	return nil, eval.ErrNotFound
}

func (b *bench) Unmask(context.Context, annotate.QueueName, annotate.ItemKey) (annotate.Unmasked, error) {
	b.revealed++
	return annotate.Unmasked{Model: "qwen-vl", Against: "llava-v1.5", Judges: b.judges}, nil
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

// long and short are the answers of the two runs to every question.
const (
	long = `The picture shows **two shapes** in the lower row:

1. A blue square, to the left of the triangle.
2. A green star, to the right of it.

So the shape to the left is the *blue square*. It has four sides of the same length, and its colour stands out from the yellow of the triangle. Nothing else in the picture is blue.`
	short = "The shape to the left of the triangle is a red circle."
)

func newBench(n int) *bench {
	b := &bench{
		queue:    annotate.Queue{Name: "pairs", Overlap: 2, Items: n, Criteria: true, Rule: annotate.Rule{From: annotate.FromPairs, Seed: 1}},
		pictures: map[eval.PictureHash][]byte{"pic": drawing(64, 48)},
		sides:    make(map[annotate.ItemKey]int),
	}
	for i := range n {
		k := annotate.ItemKey{Key: eval.Key{Run: 2, Sample: eval.Ordinal(i)}, Against: 1}
		b.sides[k] = 1 // others have seen it swapped
		b.items = append(b.items, annotate.Item{
			Queue: "pairs", Index: i, Key: k,
			Kind: eval.KindOpen, Type: eval.ClosedEnded, Sample: eval.SampleID(fmt.Sprint(100 + i)),
			Question:   fmt.Sprintf("%d. Which shape stands to the left of the yellow triangle, and how can you tell?", i+1),
			Hint:       "Look at the lower row.",
			Pictures:   []eval.Picture{{Hash: "pic", Name: "shapes.png"}},
			Prediction: long, Against: short,
			Criteria: "1. The answer names the blue square.\n2. It says by what the shape is known: its colour, or its four equal sides.",
			Revision: "rev",
		})
	}
	b.judges = []eval.Preference{
		{Pair: eval.Pair{First: 2, Second: 1}, Ballot: eval.Ballot{Judge: "judge-x", Criteria: true}, Vote: eval.Answer1, Raw: "Both see it.\nAnswer1"},
		{Pair: eval.Pair{First: 1, Second: 2}, Ballot: eval.Ballot{Judge: "judge-x", Criteria: true}, Vote: eval.Answer1, Raw: "Answer1"},
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
		Queue: "pairs", Annotator: "ann", Theme: th, Items: b, Pictures: b, Unmasker: b,
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
		tea.KeyBackspace: "backspace", tea.KeyCtrlD: "ctrl+d", tea.KeyCtrlU: "ctrl+u", tea.KeyDown: "down", tea.KeyUp: "up",
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
