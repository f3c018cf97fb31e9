package packet

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

var when = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// world is a project as a queue's items are read from it.
type world struct {
	samples map[eval.Ordinal]eval.Sample
	answers map[eval.Key]eval.Prediction
	written map[eval.Ordinal][]criteria.Criterion
}

func (w *world) item(q *annotate.Queue, it annotate.QueueItem) annotate.Item {
	s := w.samples[it.Key.Sample]
	about := []eval.Prediction{w.answers[it.Key.Key]}
	if other, ok := it.Key.SecondKey(); ok {
		about = append(about, w.answers[other])
	}
	cs := w.written[s.Ordinal]
	return annotate.NewBlindItem(q, it, s, annotate.Guide{Type: s.Type, Criteria: criteria.FormatText(cs), Revision: criteria.HashCriteria(cs)}, about...)
}

// unpacked is the world of a packet.
func unpacked(c *Contents) *world {
	w := &world{make(map[eval.Ordinal]eval.Sample), make(map[eval.Key]eval.Prediction), make(map[eval.Ordinal][]criteria.Criterion)}
	for _, s := range c.Samples {
		w.samples[s.Ordinal] = s
	}
	for _, p := range c.Predictions {
		w.answers[p.Key] = p
	}
	for _, a := range c.Criteria {
		w.written[a.Sample] = a.Criteria
	}
	return w
}

// A person is shown in a packet what they would be shown at home, and the
// packet holds nothing else.
func TestAPacketShowsWhatHomeWould(t *testing.T) {
	const secret = "SECRET"
	options := []eval.Option{{Letter: "A", Text: "cat"}, {Letter: "B", Text: "dog"}, {Letter: "C", Text: "owl"}}
	w := &world{make(map[eval.Ordinal]eval.Sample), make(map[eval.Key]eval.Prediction), make(map[eval.Ordinal][]criteria.Criterion)}
	for o := range eval.Ordinal(6) {
		s := eval.Sample{
			Ordinal: o + 40, ID: eval.SampleID(fmt.Sprint("s", o)), Kind: eval.KindChoice, Question: "q", Hint: "h", Options: options, Answer: "B",
			Pictures: []eval.Picture{{Hash: "00", Name: "n"}}, Taxonomy: []string{secret}, Split: secret, Source: secret, Type: eval.Compound,
		}
		if o > 3 {
			s.Kind, s.Options, s.Answer, s.Reference = eval.KindOpen, nil, "", "the right one"
		}
		w.samples[s.Ordinal] = s
		w.written[s.Ordinal] = []criteria.Criterion{{Type: criteria.Range, Text: "first\n2. within"}, {Text: "second"}}
		for run := range eval.RunID(3) {
			for pass := range eval.Pass(2) {
				k := eval.Key{Run: run + 10, Sample: s.Ordinal, Pass: pass}
				p := eval.Prediction{
					Key: k, Text: "t" + k.String(), Reasoning: secret, Served: secret, Finish: "stop", Latency: time.Hour, At: when,
					Usage: eval.Usage{Prompt: 4711},
				}
				if run == 1 {
					p.Finish = "length"
				}
				if run == 2 && s.Kind == eval.KindChoice {
					p.Shown = &eval.Shown{Options: options[:2], Answer: "B"}
				}
				w.answers[k] = p
			}
		}
	}
	check := func(name string, q annotate.Queue, runs int, keys ...annotate.ItemKey) Contents {
		t.Helper()
		q.Name, q.Rule.Dataset, q.Rule.Seed, q.Rule.Rules = "q", "d", 4711, secret
		q.Guideline = annotate.Guideline{Version: 2, Text: "g"}
		q.GoldItems, q.Overlap, q.Extra, q.By = 3, 4, 5, secret
		var entries []Entry
		for i, k := range keys {
			entries = append(entries, Entry{w.item(&q, annotate.QueueItem{Index: 7 + i, Key: k, Group: secret}), w.written[k.Sample], 7})
		}
		c := PackItems(Packet{ID: "x", Who: "ann", Made: when}, q, entries, nil, rand.New(rand.NewPCG(5, 6)).Perm)
		there := unpacked(&c)
		for i, it := range c.Items {
			got, want := there.item(&c.Queue, it), entries[i].Item
			want.Index, want.Key = got.Index, got.Key
			if got.Index != i || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, item %d: got\n%+v\nwant\n%+v", name, i, got, want)
			}
			if it.Inclusion != 1 || it.Group != "" {
				t.Errorf("%s: item %d is drawn otherwise than others", name, i)
			}
		}
		if len(c.Runs) != runs || len(c.Items) != len(keys) {
			t.Errorf("%s: %d runs, %d items", name, len(c.Runs), len(c.Items))
		}
		if text := fmt.Sprintf("%+v", c); strings.Contains(text, secret) || strings.Contains(text, "4711") {
			t.Errorf("%s: the packet tells too much: %s", name, text)
		}
		for _, it := range c.Items {
			if n := c.Sides[it.Key]; n != min(int(it.Key.Against), 1) {
				t.Errorf("%s: sides of %s: %d", name, it.Key, n)
			}
		}
		for _, s := range c.Samples {
			if s.Answer != "" || len(s.Taxonomy) > 0 {
				t.Errorf("%s: sample %s has its ground truth", name, s.ID)
			}
		}
		for _, p := range c.Predictions {
			if p.Shown != nil && p.Shown.Answer != "" || !p.At.IsZero() {
				t.Errorf("%s: answer %s", name, p.Key)
			}
		}
		return c
	}
	one := func(run eval.RunID, sample eval.Ordinal, pass eval.Pass) annotate.ItemKey {
		return annotate.NewItemKey(eval.Key{Run: run, Sample: sample, Pass: pass})
	}
	two := func(run, against eval.RunID, sample eval.Ordinal) annotate.ItemKey {
		k := one(run, sample, 0)
		k.Against = against
		return k
	}
	labels := annotate.Queue{Rule: annotate.Rule{From: annotate.FromUnparsable}}
	pairs := annotate.Queue{Rule: annotate.Rule{From: annotate.FromPairs}}
	check("passes", labels, 1, one(10, 42, 1), one(10, 40, 0), one(10, 42, 0))
	c := check("runs", labels, 2, one(10, 41, 0), one(11, 41, 0), one(12, 40, 1))
	if c.Runs[0].Model == c.Runs[1].Model || c.Queue.Rule.From != annotate.FromAll {
		t.Errorf("%+v", c)
	}
	check("open answers", labels, 1, one(10, 44, 0), one(11, 45, 0))
	if c := check("pairs", pairs, 3, two(11, 10, 40), two(12, 10, 40), two(11, 10, 44)); len(c.Criteria) > 0 || c.Samples[1].Reference != "" {
		t.Error("a queue that shows no criteria, nor references, has some")
	}
	pairs.Criteria = true
	check("pairs with criteria", pairs, 2, two(11, 10, 40), two(12, 10, 44))
	check("nothing", labels, 0)
	// Whose answers they are is dealt out anew for each sample.
	var keys []annotate.ItemKey
	for o := range eval.Ordinal(6) {
		keys = append(keys, two(11, 10, 40+o))
	}
	first := make(map[eval.RunID]bool)
	for _, it := range check("pairs of two", pairs, 2, keys...).Items {
		first[it.Key.Run] = true
	}
	if len(first) != 2 {
		t.Errorf("the same model is always run %v", first)
	}
}

func TestOwnActsGoAlong(t *testing.T) {
	entries := []Entry{{Item: annotate.Item{Key: at(3)}}, {Item: annotate.Item{Key: at(5)}}}
	own := []annotate.Act{
		{N: 1, Item: at(3), Kind: annotate.Noted, Text: "n"},
		{N: 2, Item: at(9), Kind: annotate.Labelled},
		{N: 3, Item: at(5), Kind: annotate.Labelled, Reading: picked("A")},
		{N: 4, Item: at(5), Kind: annotate.Looked},
		{N: 5, Item: at(5), Kind: annotate.Ruled, Cause: annotate.JudgeRight},
		{N: 6, Item: at(5), Kind: annotate.TookBack, Target: 5},
		{N: 7, Item: at(5), Kind: annotate.TookBack, Target: 3},
		{N: 8, Item: at(9), Kind: annotate.TookBack, Target: 2},
	}
	c := PackItems(Packet{Who: "ann"}, annotate.Queue{}, entries, own, rand.New(rand.NewPCG(5, 6)).Perm)
	var got []string
	for _, a := range c.Acts {
		got = append(got, fmt.Sprintf("%d %s %d.%d %d", a.N, a.Kind, a.Item.Run, a.Item.Sample, a.Target))
	}
	want := []string{"1 note 1.0 0", "2 label 1.1 0", "3 reveal 1.1 0", "4 undo 1.1 2"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
