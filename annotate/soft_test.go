package annotate

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"concord/eval"
)

// crowded are items that three people labelled, of whom the last one errs in
// three of ten, and an extractor that reads four of five as it is.
func crowded(n int) ([]AlignItem, Extractor) {
	r := rand.New(rand.NewPCG(3, uint64(n)))
	reads := make(map[eval.Key]eval.Extraction)
	letter := func(truth int, wrong float64) eval.Choice {
		if r.Float64() < wrong {
			truth = (truth + 1 + r.IntN(3)) % 4
		}
		return eval.Choice(rune('A' + truth))
	}
	var items []AlignItem
	for i := range n {
		k, truth := eval.Key{Run: 1, Sample: eval.Ordinal(i)}, r.IntN(4)
		it := AlignItem{Key: NewItemKey(k), Model: "m"}
		for p, wrong := range []float64{0.02, 0.05, 0.3} {
			it.Labels = append(it.Labels, Label{Annotator: Annotator(rune('a' + p)), Reading: Reading{Kind: PickedOption, Choice: letter(truth, wrong)}})
		}
		reads[k] = eval.Extraction{Status: eval.Found, Choice: letter(truth, 0.2)}
		items = append(items, it)
	}
	return items, Extractor{Name: "x", Read: func(k eval.Key) (eval.Extraction, bool) { return reads[k], true }}
}

func fitted(t *testing.T, b Basis, items []AlignItem) Basis {
	t.Helper()
	b, err := b.FitModel(t.Context(), items, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// aligned is Align on a basis that is fitted to the items.
func aligned(t *testing.T, items []AlignItem, x []Extractor, b Basis) []AlignmentRow {
	t.Helper()
	rows, err := AlignExtractors(t.Context(), items, x, fitted(t, b, items))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Whoever leaves ends the refits, with nothing going on behind.
func TestAlignEndsEarly(t *testing.T) {
	items, x := crowded(300)
	ctx, cancel := context.WithCancel(t.Context())
	told := 0
	basis := Basis{Policy: DawidSkene, Undecided: Dropped}
	if _, err := basis.FitModel(ctx, items, func(done, total int) {
		if told++; total != SkeneResamples || done > 20 {
			cancel()
		}
	}); !errors.Is(err, context.Canceled) || told == 0 || told > 100 {
		t.Errorf("%v after %d", err, told)
	}
	if _, err := AlignExtractors(ctx, items, []Extractor{x}, fitted(t, basis, items)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestAlignDawidSkene(t *testing.T) {
	basis := Basis{Policy: DawidSkene, Undecided: Dropped}
	items, x := crowded(300)
	row := aligned(t, items, []Extractor{x}, basis)[0]
	if a := row.Alignment; a.N != 300 || math.Abs(a.Value-0.8) > 0.06 || a.Low > 0.8 || a.High < 0.8 || a.High-a.Low > 0.12 || !row.Kappa.Interval {
		t.Errorf("alignment %+v, kappa %+v", a, row.Kappa)
	}
	if len(row.Models) != 1 || row.Models[0].Alignment != row.Alignment {
		t.Errorf("of the only model: %+v", row.Models)
	}
	if again := aligned(t, items, []Extractor{x}, basis)[0]; again.Alignment != row.Alignment {
		t.Errorf("once more: %+v", again.Alignment)
	}
	if who := fitted(t, basis, items).DescribeErrors(); !strings.Contains(who, "a ") || !strings.Contains(who, "c 3") && !strings.Contains(who, "c 2") {
		t.Errorf("errors: %s", who)
	}
	few, y := crowded(49)
	if row = aligned(t, few, []Extractor{y}, basis)[0]; !strings.Contains(row.LeftOut, "takes 50 items that 3 people or more have labelled, and there are 49") || row.Alignment.N != 0 {
		t.Errorf("of 49 items: %+v", row)
	}
}

// BenchmarkDawidSkene fits the model to a million items with all resamples, and
// sets two extractors beside it; counting is what they take without a model.
func BenchmarkDawidSkene(b *testing.B) {
	items, x := crowded(1_000_000)
	for _, policy := range []Policy{DawidSkene, Majority} {
		b.Run(policy.String(), func(b *testing.B) {
			for b.Loop() {
				basis, err := Basis{Policy: policy, Undecided: Dropped}.FitModel(b.Context(), items, nil)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := AlignExtractors(b.Context(), items, []Extractor{x, x}, basis); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
