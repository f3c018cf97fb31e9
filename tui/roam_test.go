package tui

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/annotation/annotationtest"
	"concord/tui/label"
)

// Somebody presses keys without looking, anywhere in the app, on terminals of
// every size from the least to a large one, while a run goes on. Nothing
// panics, no frame is larger than its terminal, news leaves what is under the
// cursor where it is, a key makes one act at most, and opening the queue again
// finds every label that the screen counted.
func TestRandomKeys(t *testing.T) {
	for seed := range uint64(6) {
		inBubble(t, fmt.Sprint("seed ", seed), func(t *testing.T) { roam(t, seed, 220) })
	}
}

// roamed are the keys that somebody hits. Of ctrl+w, which asks for another
// name, acts of two people would follow; of ctrl+c nothing.
func roamed() []string {
	out := strings.Split("abcdefghijklmnopqrstuvwxyzABCDEXRSJVGB0123456789/?:.[]+_-=%~ é", "")
	for range 4 { // what people hit most
		out = append(out, "enter", "esc", "tab", "up", "down", "left", "right", "1", "2", "u")
	}
	return append(out, "pgup", "pgdown", "ctrl+d", "ctrl+l", "backspace")
}

type roamer struct {
	*app
	bench *annotationtest.Bench
	book  *annotationtest.Notebook
	trail []string
}

// Reveal tells nothing.
func (r *roamer) Reveal(context.Context, annotate.QueueName, annotate.ItemKey, bool) (blind.Revealed, error) {
	return blind.Revealed{Model: "otter-7b", Truth: "A"}, nil
}

// ReadMachinesForTotals tells nothing.
func (r *roamer) ReadMachinesForTotals(context.Context, annotate.QueueName, annotate.ItemKey) (none blind.Revealed, _ error) {
	return none, nil
}

func newRoamer(t *testing.T) *roamer {
	r := &roamer{book: &annotationtest.Notebook{}}
	r.bench = &annotationtest.Bench{
		Queue:    annotate.Queue{Name: "unparsable", Overlap: 1, Items: 12, Rule: annotate.Rule{From: annotate.FromUnparsable, Rules: "concord@1"}},
		Pictures: map[eval.PictureHash][]byte{"pic": annotationtest.NewPNG(64, 48)},
	}
	for i := range 12 {
		r.bench.Items = append(r.bench.Items, annotate.Item{
			Queue: "unparsable", Index: i, Key: annotate.NewItemKey(eval.Key{Run: 1, Sample: eval.Ordinal(i)}), Kind: eval.KindChoice,
			Sample: eval.SampleID(fmt.Sprint(100 + i)), Question: "Which shape is it? " + strings.Repeat("长 ", 8*i),
			Options:    []eval.Option{{Letter: "A", Text: "a circle"}, {Letter: "B", Text: "a square"}, {Letter: "C", Text: strings.Repeat("a star ", 9)}},
			Pictures:   []eval.Picture{{Hash: "pic", Name: "shapes.png"}},
			Prediction: strings.Repeat("It could be many things. ", 3*i+1),
		})
	}
	r.app = newApp(t, demo(), theme(termenv.Ascii, true), "ada")
	r.deps.Review = func(q annotate.QueueName, who annotate.Annotator) Screen {
		r.bench.Acts = slices.Clone(r.book.Acts)
		return label.New(t.Context(), label.Deps{Deps: annotation.Deps{Queue: q, Annotator: who, Theme: r.theme, Items: r.bench, Pictures: r.bench, Journal: r.book, Now: annotationtest.Noon}, Revealer: r})
	}
	return r
}

func roam(t *testing.T, seed uint64, n int) {
	rnd := rand.New(rand.NewPCG(seed, 7))
	r := newRoamer(t)
	defer func() {
		if t.Failed() {
			t.Logf("keys: %q", r.trail)
		}
	}()
	if seed%2 == 1 { // half of them go to work first
		r.size(80, 24)
		r.press("v", "enter")
	}
	all := roamed()
	for i := range n {
		if i%20 == 0 {
			r.size(60+rnd.IntN(141), 24+rnd.IntN(37))
		}
		k, acts := all[rnd.IntN(len(all))], len(r.book.Acts)
		r.trail = append(r.trail, k)
		r.press(k)
		r.fits()
		if more := len(r.book.Acts) - acts; more > 1 {
			t.Fatalf("%q made %d acts", k, more)
		}
		if i%10 == 0 {
			r.hears(rnd)
		}
		if r.quits { // and opens it again
			trail := r.trail
			next := newRoamer(t)
			next.bench, next.book, next.trail = r.bench, r.book, trail
			*r = *next
			r.size(80, 24)
		}
	}
	r.counted()
	if seed%2 == 1 && len(r.book.Acts) == 0 {
		t.Error("nothing was said")
	}
}

// hears has news come, which moves nothing.
func (r *roamer) hears(rnd *rand.Rand) {
	r.t.Helper()
	under := func() []string {
		var out []string
		for _, l := range strings.Split(ansi.Strip(r.View()), "\n") {
			if strings.HasPrefix(l, "› ") {
				out = append(out, ansi.Truncate(l, 24, ""))
			}
		}
		return out
	}
	before := under()
	for j := range r.project.rows {
		r.project.rows[j].Progress.Counts.Predictions += rnd.IntN(5)
	}
	r.send(changed{})
	r.fits()
	if after := under(); !slices.Equal(after, before) {
		r.t.Fatalf("news moves the cursor from %q to %q", before, after)
	}
}

var progressed = regexp.MustCompile(`unparsable +\d+/12`)

// counted checks that a review that is opened anew counts as many labels as the
// one that was worked in, and that acts are numbered without gaps.
func (r *roamer) counted() {
	r.t.Helper()
	for i, a := range r.book.Acts {
		if a.N != uint32(i+1) {
			r.t.Fatalf("act %d is numbered %d", i+1, a.N)
		}
	}
	shown := func(s Screen) string {
		s.Resize(120, 40)
		return progressed.FindString(ansi.Strip(s.View()))
	}
	stack := r.nav.stacks[TabReview]
	at := slices.IndexFunc(stack, func(s Screen) bool { _, ok := s.(*label.Model); return ok })
	if at < 0 {
		return
	}
	was := shown(stack[at])
	anew := r.deps.Review("unparsable", "ada")
	r.nav.stacks[TabReview] = []Screen{anew}
	r.do(anew.Init())
	if now := shown(anew); was != "" && now != was {
		r.t.Errorf("opened again it counts %q, and was at %q", now, was)
	}
}
