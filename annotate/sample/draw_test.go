package sample

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"testing"

	"concord/annotate"
	"concord/eval"
)

// crowd is n candidates, in groups of unequal size.
func crowd(n int) []Candidate {
	out := make([]Candidate, n)
	for i := range out {
		group := "large"
		if i%10 == 0 {
			group = "small"
		}
		out[i] = Candidate{
			Key:    keyOf(i).Key,
			Sample: eval.SampleID(string(rune('a' + i%26))), Taxonomy: []string{group, "leaf"},
		}
	}
	return out
}

func all(cs []Candidate) iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		for _, c := range cs {
			if !yield(c, nil) {
				return
			}
		}
	}
}

func draw(t *testing.T, r annotate.Rule, cs []Candidate) []annotate.QueueItem {
	t.Helper()
	items, n, err := DrawItems(r, all(cs))
	if err != nil || n != len(cs) && len(r.IDs) == 0 {
		t.Fatalf("draw: population %d of %d, %v", n, len(cs), err)
	}
	for i, it := range items {
		if it.Index != i {
			t.Errorf("item %d has index %d", i, it.Index)
		}
	}
	return items
}

func TestDraw(t *testing.T) {
	cs := crowd(1000)
	backwards := slices.Clone(cs)
	slices.Reverse(backwards)
	check := func(name string, r annotate.Rule, inclusion float64, want int) []annotate.QueueItem {
		t.Helper()
		items := draw(t, r, cs)
		if len(items) != want {
			t.Errorf("%s: %d items, want %d", name, len(items), want)
		}
		if items[0].Inclusion != inclusion {
			t.Errorf("%s: inclusion %v, want %v", name, items[0].Inclusion, inclusion)
		}
		if !slices.Equal(draw(t, r, backwards), items) {
			t.Errorf("%s: the draw depends on the order of the population", name)
		}
		return items
	}
	hundred := check("number", annotate.Rule{Number: 100, Seed: 7}, 0.1, 100)
	fifty := check("fewer", annotate.Rule{Number: 50, Seed: 7}, 0.05, 50)
	if fifty[49].Key != hundred[49].Key {
		t.Error("the smaller draw is not the beginning of the larger one")
	}
	if slices.Equal(hundred, check("another seed", annotate.Rule{Number: 100, Seed: 8}, 0.1, 100)) {
		t.Error("the seed changes nothing")
	}
	check("more than there are", annotate.Rule{Number: 5000}, 1, 1000)
	check("everyone", annotate.Rule{}, 1, 1000)
	groups := check("per level", annotate.Rule{Level: 1, PerLevel: 20}, draw(t, annotate.Rule{Level: 1, PerLevel: 20}, cs)[0].Inclusion, 40)
	for _, it := range groups {
		want := map[string]float64{"small": 0.2, "large": 20.0 / 900}[it.Group]
		if it.Inclusion != want {
			t.Errorf("inclusion in %q: %v, want %v", it.Group, it.Inclusion, want)
		}
	}
}

func TestDrawByRate(t *testing.T) {
	cs := crowd(20_000)
	rule := annotate.Rule{Rate: 0.1, Seed: 3}
	items := draw(t, rule, cs)
	if sd := math.Sqrt(20_000 * 0.1 * 0.9); math.Abs(float64(len(items))-2000) > 4*sd {
		t.Errorf("%d of 20,000 drawn at a rate of 0.1", len(items))
	}
	drawn := make(map[annotate.ItemKey]bool)
	for _, it := range items {
		drawn[it.Key] = true
		if it.Inclusion != 0.1 {
			t.Fatalf("inclusion %v", it.Inclusion)
		}
	}
	for _, c := range cs {
		if rule.DrawsByRate(annotate.NewItemKey(c.Key)) != drawn[annotate.NewItemKey(c.Key)] {
			t.Fatalf("%v: a growing queue and a draw differ", c.Key)
		}
	}
	if n := len(draw(t, annotate.Rule{Rate: 1}, cs)); n != len(cs) {
		t.Errorf("a rate of 1 drew %d of %d", n, len(cs))
	}
	if (&annotate.Rule{Number: 5}).DrawsByRate(annotate.NewItemKey(cs[0].Key)) {
		t.Error("a number cannot decide for a growing queue")
	}
}

func TestDrawByIDs(t *testing.T) {
	items, n, err := DrawItems(annotate.Rule{IDs: []eval.SampleID{"a", "c"}}, all(crowd(52)))
	if err != nil || n != 4 || len(items) != 4 {
		t.Fatalf("%d items of %d, %v", len(items), n, err)
	}
	for i, want := range []eval.Ordinal{0, 2, 26, 28} {
		if items[i].Key.Sample != want || items[i].Inclusion != 1 {
			t.Errorf("item %d: %+v, want sample %d", i, items[i], want)
		}
	}
}

func TestDrawRefuses(t *testing.T) {
	check := func(r annotate.Rule) {
		t.Helper()
		if _, _, err := DrawItems(r, all(nil)); err == nil {
			t.Errorf("rule %+v was taken", r)
		}
	}
	check(annotate.Rule{Rate: 0.5, Number: 3})
	check(annotate.Rule{Rate: 1.5})
	check(annotate.Rule{Rate: -0.5})
	check(annotate.Rule{Number: -1})
	check(annotate.Rule{PerLevel: 3})
	broken := errors.New("broken")
	_, _, err := DrawItems(annotate.Rule{}, func(yield func(Candidate, error) bool) { yield(Candidate{}, broken) })
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the population", err)
	}
}

// A level that nothing has would be another one's groups.
func TestDrawChecksLevel(t *testing.T) {
	check := func(level int, taxonomy []string, ok bool) {
		t.Helper()
		cs := []Candidate{{Sample: "a", Taxonomy: taxonomy[:len(taxonomy)/2]}, {Key: eval.Key{Sample: 1}, Sample: "b", Taxonomy: taxonomy}}
		if _, _, err := DrawItems(annotate.Rule{Level: level, PerLevel: 1}, all(cs)); (err == nil) != ok {
			t.Errorf("level %d of %q: %v", level, taxonomy, err)
		}
	}
	check(2, []string{"core", "axis"}, true)
	check(3, []string{"core", "axis"}, false)
	check(annotate.FinestLevel, []string{"core", "axis"}, true)
	check(1, nil, false)
	check(annotate.FinestLevel, nil, false)
}

func TestDrawByDisagreement(t *testing.T) {
	differ := []float64{0, 0.5, 1, 0.5, 0.5, 0, 1, 0}
	pop := func(yield func(Candidate, error) bool) {
		for i, d := range differ {
			k := eval.Key{Run: 1, Sample: eval.Ordinal(i)}
			if !yield(Candidate{Key: k, Sample: eval.SampleID(fmt.Sprint(i)), Differ: d}, nil) {
				return
			}
		}
	}
	check := func(number int, wantDiffer, wantInclusion []float64) {
		t.Helper()
		rule := annotate.Rule{From: annotate.FromAll, Order: annotate.ByDisagreement, Number: number, Seed: 7}
		items, size, err := DrawItems(rule, pop)
		if err != nil || size != len(differ) {
			t.Fatal(size, err)
		}
		var got, inclusion []float64
		var last uint64
		for i, it := range items {
			d := differ[it.Key.Sample]
			h := it.Key.DrawHash(7)
			if i > 0 && got[i-1] == d && h < last {
				t.Errorf("item %d: not by hash among equals", i)
			}
			last = h
			got, inclusion = append(got, d), append(inclusion, it.Inclusion)
		}
		if !slices.Equal(got, wantDiffer) || !slices.Equal(inclusion, wantInclusion) {
			t.Errorf("%d: %v with inclusion %v, want %v with %v", number, got, inclusion, wantDiffer, wantInclusion)
		}
	}
	check(0, []float64{1, 1, .5, .5, .5, 0, 0, 0}, []float64{1, 1, 1, 1, 1, 1, 1, 1})
	check(3, []float64{1, 1, .5}, []float64{1, 1, 1.0 / 3}) // one of the three that tie is drawn by hash
	check(1, []float64{1}, []float64{.5})
}

func TestOrderIsRefused(t *testing.T) {
	none := func(func(Candidate, error) bool) {}
	for _, rule := range []annotate.Rule{{From: annotate.FromPairs, Order: annotate.ByDisagreement}, {From: annotate.FromAll, Whole: true, Order: annotate.ByDisagreement}} {
		if _, _, err := DrawItems(rule, none); err == nil {
			t.Errorf("samples come in an order of predictions: %+v", rule)
		}
	}
}
