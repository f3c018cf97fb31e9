package tune

import (
	"cmp"
	"slices"

	"concord/annotate"
	"concord/eval/stat"
)

// Outcome are a candidate's readings beside people's word on items.
type Outcome struct {
	Agreement stat.Rate
	Unread    int // items that people have settled and the candidate has not read
	Confusion []annotate.Confusion

	aligned map[annotate.ItemKey]bool // of the items that are counted
	unit    map[annotate.ItemKey]uint64
}

// CompareWithPeople sets an extractor beside people's word on items. Of the intervals of so
// many candidates all hold together (Bonferroni's inequality), so that the best
// of them is covered, too; 1 for one that was chosen elsewhere.
func CompareWithPeople(items []annotate.AlignItem, b annotate.Basis, x *annotate.Extractor, candidates int) Outcome {
	f := Outcome{aligned: make(map[annotate.ItemKey]bool), unit: make(map[annotate.ItemKey]uint64)}
	sum := stat.Clusters{Sequence: b.Growing}
	counts := make(map[[2]string]int)
	for i := range items {
		it := &items[i]
		c := b.CompareItem(it, x)
		if c.LeftOut == annotate.LeftNoReading {
			f.Unread++
		}
		if c.LeftOut != "" {
			continue
		}
		hit, y := c.Alignment == annotate.Aligned, 0.0
		if hit {
			y = 1
		}
		f.aligned[it.Key], f.unit[it.Key] = hit, it.UnitNumber()
		sum.AddToCluster(it.UnitNumber(), y, 1)
		counts[[2]string{c.SaidByPeople(), c.SaidByMachine()}]++
	}
	f.Agreement = sum.RateAt(1-(1-stat.Confidence)/float64(max(candidates, 1)), "no item has both people's word and a reading")
	for pair, n := range counts {
		f.Confusion = append(f.Confusion, annotate.Confusion{People: pair[0], Machine: pair[1], N: n})
	}
	slices.SortFunc(f.Confusion, func(a, b annotate.Confusion) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.People, b.People), cmp.Compare(a.Machine, b.Machine))
	})
	return f
}

// Change is how a candidate reads beside another one, on the items that both
// read.
type Change struct {
	Fixed, Broken []annotate.ItemKey // in their order
	Difference    stat.Estimate      // of agreement with people
}

// ChangeSince is how f differs from the figures of its parent.
func (f *Outcome) ChangeSince(parent *Outcome) Change {
	var out Change
	looks := stat.PairedLooks{Sequence: f.Agreement.Sequence}
	for k, now := range f.aligned {
		was, both := parent.aligned[k]
		if !both {
			continue
		}
		looks.Add(f.unit[k], now, was)
		switch {
		case now && !was:
			out.Fixed = append(out.Fixed, k)
		case was && !now:
			out.Broken = append(out.Broken, k)
		}
	}
	slices.SortFunc(out.Fixed, annotate.ItemKey.Compare)
	slices.SortFunc(out.Broken, annotate.ItemKey.Compare)
	out.Difference = looks.Difference("no item is read by both")
	return out
}
