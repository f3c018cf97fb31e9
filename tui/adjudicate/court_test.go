package adjudicate

import (
	"context"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/annotation/annotationtest"
	"concord/tui/widget"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// court is a project with one queue that two people have labelled and a judge
// has read, and a journal that saves at once.
type court struct {
	report.Facts
	acts     []annotate.Act
	exhibits int
	samples  int
}

const queue = annotate.QueueName("contested")

func theQueue(n int) annotate.Queue {
	return annotate.Queue{
		Name: queue, Overlap: 2, Items: n, Stratum: annotate.Random,
		Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll},
	}
}

func keyOf(i int) annotate.ItemKey {
	return annotate.NewItemKey(eval.Key{Run: 1, Sample: eval.Ordinal(i)})
}

// newCourt has six items: on 0 all agree, 1 and 2 are Case II, 3 is Case I, on
// 4 people differ, and 5 is like 1 of another category.
func newCourt() *court {
	c := &court{samples: 6}
	for _, who := range []annotate.Annotator{"ann", "ben"} {
		for i, choice := range []eval.Choice{"A", "A", "B", "", "A", "A"} {
			r := annotate.Reading{Kind: annotate.PickedOption, Choice: choice}
			if who == "ben" && i == 4 {
				r.Choice = "C"
			}
			if choice == "" {
				r = annotate.Reading{Kind: annotate.SaidNone}
			}
			a := annotate.Act{Queue: queue, Annotator: who, N: uint32(i + 1), Item: keyOf(i), Kind: annotate.Labelled, Reading: r}
			if who == "ben" {
				a.Confidence, a.Reason = 0.5, "it says so at the end"
			}
			c.acts = append(c.acts, a)
		}
	}
	return c
}

// addAgreed adds items on which people and machines say the same, and one on which
// people differ.
func (c *court) addAgreed(n int) {
	for i := c.samples; i <= c.samples+n; i++ {
		for k, who := range []annotate.Annotator{"ann", "ben"} {
			choice := eval.Choice("A")
			if i == c.samples+n {
				choice = eval.Choice("AC"[k : k+1])
			}
			c.acts = append(c.acts, annotate.Act{
				Queue: queue, Annotator: who, N: uint32(i + 1), Item: keyOf(i), Kind: annotate.Labelled,
				Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: choice},
			})
		}
	}
	c.samples += n + 1
}

func (c *court) Runs() ([]eval.Run, error) {
	return []eval.Run{{ID: 1, Config: eval.Config{Dataset: "d", Model: "llava", Rules: "concord"}}}, nil
}

func (c *court) Queue(annotate.QueueName) (annotate.Queue, error) { return theQueue(c.samples), nil }

func (c *court) QueueItems(context.Context, annotate.QueueName) iter.Seq2[annotate.QueueItem, error] {
	return func(yield func(annotate.QueueItem, error) bool) {
		for i := range c.samples {
			if !yield(annotate.QueueItem{Index: i, Key: keyOf(i), Inclusion: 1}, nil) {
				return
			}
		}
	}
}

func (c *court) QueueActs(context.Context, annotate.QueueName) iter.Seq2[annotate.Act, error] {
	return func(yield func(annotate.Act, error) bool) {
		for _, a := range c.acts {
			if !yield(a, nil) {
				return
			}
		}
	}
}

// textOf is the response to a sample: clear on those that were added.
func textOf(o eval.Ordinal) string {
	if o > 5 {
		return "A"
	}
	return answer
}

const answer = "There are two animals. The left one barks.\n\nSo it is the second one, or the cat."

func (c *court) Prediction(k eval.Key) (eval.Prediction, error) {
	return eval.Prediction{Key: k, Text: textOf(k.Sample)}, nil
}

func (c *court) Sample(_ eval.DatasetName, o eval.Ordinal) (eval.Sample, error) {
	return eval.Sample{
		Ordinal: o, ID: eval.SampleID(fmt.Sprint(100 + int(o))), Kind: eval.KindChoice, Answer: "B",
		Taxonomy: []string{"perception", []string{"animals", "shapes"}[min(1, int(o)/5)]}, Question: "Which animal stands on the left?",
		Options: []eval.Option{{Letter: "A", Text: "a cat"}, {Letter: "B", Text: "a dog"}, {Letter: "C", Text: "a horse"}},
	}, nil
}

func (c *court) Judgments(context.Context, eval.RunID) iter.Seq2[eval.Judgment, error] {
	return func(yield func(eval.Judgment, error) bool) {
		choices := append([]eval.Choice{"A", "B", "A", "B", "A", "B"}, slices.Repeat([]eval.Choice{"A"}, c.samples-6)...)
		for i, choice := range choices {
			if !yield(eval.Judgment{Key: keyOf(i).Key, Judge: "gpt", Extraction: eval.Extraction{Status: eval.Found, Choice: choice}}, nil) {
				return
			}
		}
	}
}

func (c *court) Heads() ([]annotate.Head, error) { return nil, nil }

func (c *court) SavedReports(annotate.QueueName) ([]annotate.SavedReport, error) { return nil, nil }

func (c *court) RecordCompared(context.Context, annotate.Annotator, *alignment.QueueComparison) error {
	return nil
}

func (c *court) LegiblePredictions(context.Context, annotate.Annotator, annotate.QueueName) (alignment.Legible, error) {
	return func(eval.Key) (bool, error) { return true, nil }, nil
}

func (c *court) folded(who annotate.Annotator) annotate.State {
	return annotate.FoldActs(slices.DeleteFunc(slices.Clone(c.acts), func(a annotate.Act) bool { return a.Annotator != who }))
}

func (c *court) LoadExhibit(_ context.Context, who annotate.Annotator, k annotate.ItemKey) (Exhibit, error) {
	c.exhibits++
	if st := c.folded(who); !st.HasAnswered(k) || !st.Seen[k] {
		return Exhibit{}, annotate.ErrBlind // the look is stored first
	}
	out := Exhibit{Model: "llava", Truth: "B"}
	for _, p := range []annotate.Annotator{"ann", "ben", "cy"} {
		st := c.folded(p)
		if l, ok := st.Labels[k]; ok {
			out.Labels = append(out.Labels, l)
		}
		if r, ok := st.Rulings[k]; ok {
			out.Rulings = append(out.Rulings, r)
		}
	}
	for j, err := range c.Judgments(context.Background(), 1) {
		if err != nil {
			return out, err
		}
		if j.Key == k.Key {
			out.Readings = append(out.Readings, blind.MachineReading{Extractor: "gpt", Judge: true, Extraction: j.Extraction, Raw: "The answer settles on it.\n" + string(j.Extraction.Choice)})
		}
	}
	out.Readings = append(out.Readings, blind.MachineReading{Extractor: "rules:concord", Extraction: eval.Extraction{Status: eval.Ambiguous}})
	for i := range 3 {
		out.Passes = append(out.Passes, Pass{Pass: eval.Pass(i), Blind: i == 2, Text: answer, Truth: eval.Choice("ABC"[i : i+1]), Reading: eval.Extraction{Status: eval.Found, Choice: "B"}})
	}
	return out, nil
}

// The queue as a session reads it.
func (c *court) Open(_ context.Context, _ annotate.QueueName, who annotate.Annotator) (session.Opening, error) {
	o := session.Opening{Queue: theQueue(c.samples), Annotator: who, Others: make(map[annotate.ItemKey]int)}
	for i := range c.samples {
		o.Items = append(o.Items, annotate.QueueItem{Index: i, Key: keyOf(i)})
		o.Others[keyOf(i)] = 2
	}
	for _, a := range c.acts {
		if a.Annotator == who {
			o.Acts = append(o.Acts, a)
		}
	}
	return o, nil
}

func (c *court) ItemsSince(context.Context, annotate.QueueName, int) (annotate.Queue, []annotate.QueueItem, error) {
	return theQueue(c.samples), nil, nil
}

func (c *court) Item(_ context.Context, _ annotate.QueueName, i int) (annotate.Item, error) {
	s, _ := c.Sample("d", eval.Ordinal(i))
	return annotate.NewBlindItem(&annotate.Queue{Name: queue}, annotate.QueueItem{Index: i, Key: keyOf(i)}, s, annotate.Guide{},
		eval.Prediction{Key: keyOf(i).Key, Text: textOf(eval.Ordinal(i))}), nil
}

func (c *court) Picture(eval.PictureHash) ([]byte, error) { return nil, eval.ErrNotFound }

// The journal.
func (c *court) Submit(a annotate.Act)       { c.acts = append(c.acts, a) }
func (c *court) RetryParked()                {}
func (c *court) State() session.JournalState { return session.JournalState{} }
func (c *court) Changed() <-chan struct{}    { return nil }
func (c *court) SyncStream(context.Context, annotate.QueueName, annotate.Annotator) error {
	return nil
}
func (c *court) LateActs(annotate.QueueName, annotate.Annotator) []annotate.Act { return nil }
func (c *court) LastSaved(annotate.QueueName, annotate.Annotator) uint32        { return 0 }

// driver runs a screen's commands as the program would.
type driver struct {
	t       *testing.T
	m       *Model
	waiting []chan tea.Msg // for news
}

func theme(p termenv.Profile) *widget.Theme { return annotationtest.NewTheme(p, true) }

func sit(t *testing.T, c *court, who annotate.Annotator, width, height int) *driver {
	t.Helper()
	m := New(t.Context(), Deps{Deps: annotation.Deps{Queue: queue, Annotator: who, Theme: theme(termenv.Ascii), Items: c, Pictures: c, Journal: c, Now: func() time.Time { return noon }, Stay: true}, Source: c})
	m.Resize(width, height)
	d := &driver{t: t, m: m}
	d.run(m.Init())
	return d
}

// run runs a command and what follows from it; one that waits for news is left
// waiting.
func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	got := make(chan tea.Msg, 1)
	go func() { got <- cmd() }()
	var msg tea.Msg
	select {
	case msg = <-got:
	case <-time.After(100 * time.Millisecond):
		d.waiting = append(d.waiting, got)
		return
	}
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	default:
		d.run(d.m.Update(msg))
	}
}

func (d *driver) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		if k == "esc" {
			d.m.GoBack()
			d.hear()
			continue
		}
		d.run(d.m.Update(annotationtest.NewKeyMsg(k)))
	}
}

// hear takes up what came of the commands that waited.
func (d *driver) hear() {
	waiting := d.waiting
	d.waiting = nil
	for _, w := range waiting {
		select {
		case msg := <-w:
			if msg != nil {
				d.run(d.m.Update(msg))
			}
		case <-time.After(10 * time.Millisecond):
			d.waiting = append(d.waiting, w)
		}
	}
}

func (d *driver) sees(want ...string) {
	d.t.Helper()
	v := d.m.View()
	for _, w := range want {
		if no, found := strings.CutPrefix(w, "!"); found == strings.Contains(v, no) && found {
			d.t.Errorf("the screen shows %q:\n%s", no, v)
		} else if !found && !strings.Contains(v, w) {
			d.t.Errorf("the screen does not show %q:\n%s", w, v)
		}
	}
}

// kinds are the acts of one person, in their order.
func (c *court) kinds(who annotate.Annotator) string {
	var out []string
	for _, a := range c.acts {
		if a.Annotator == who {
			out = append(out, strings.TrimSpace(a.Kind.String()+" "+a.Cause.String()))
		}
	}
	return strings.Join(out, ", ")
}
