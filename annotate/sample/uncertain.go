package sample

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"concord/annotate"
)

// DrawUncertain draws ByUncertainty, and writes into the rule with which
// probabilities: those of its Drawing, of which Uniform is set. Number and Rate say
// how many items, or by a rule that is Whole samples, of which one is uncertain
// where any prediction on it is. Items come in the order of their ranks, so that
// any beginning of the queue is a sample by the same probabilities.
func DrawUncertain(rule *annotate.Rule, population iter.Seq2[Candidate, error]) ([]annotate.QueueItem, int, error) {
	if err := checkRule(rule); err != nil {
		return nil, 0, err
	}
	var all []*uncertainUnit
	units, size := make(map[annotate.ItemKey]*uncertainUnit), 0
	for c, err := range wanted(rule, population) {
		if err != nil {
			return nil, 0, fmt.Errorf("draw items: %w", err)
		}
		size++
		key := annotate.NewItemKey(c.Key)
		of := rule.DrawnUnit(key)
		u := units[of]
		if u == nil {
			u = &uncertainUnit{key: of}
			units[of], all = u, append(all, u)
		}
		u.items, u.uncertain = append(u.items, key), u.uncertain || c.Uncertain
	}
	weigh(rule, all)
	slices.SortFunc(all, func(a, b *uncertainUnit) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), a.key.Compare(b.key))
	})
	d := &rule.Drawing
	n := len(all)
	if rule.Number > 0 || rule.Rate > 0 {
		n = min(n, max(1, rule.Number, int(math.Round(rule.Rate*float64(n)))))
	}
	if d.Limit = annotate.All; n < len(all) {
		d.Limit = all[n].rank
	}
	var out []annotate.QueueItem
	for _, u := range all[:n] {
		slices.SortFunc(u.items, annotate.ItemKey.Compare)
		for _, k := range u.items {
			out = append(out, annotate.QueueItem{Index: len(out), Key: k, Inclusion: d.Inclusion(d.Limit, u.uncertain), Uncertain: u.uncertain})
		}
	}
	return out, size, nil
}

// uncertainUnit is what is drawn at once: a prediction, or a sample with all of
// them.
type uncertainUnit struct {
	key       annotate.ItemKey
	items     []annotate.ItemKey
	uncertain bool
	rank      uint64
}

// weigh finds the lift and the ranks, and counts what each run has.
func weigh(rule *annotate.Rule, all []*uncertainUnit) {
	d, uncertain := &rule.Drawing, 0
	d.Sizes, d.Unsure = make([]int, len(rule.Runs)), make([]int, len(rule.Runs))
	for _, u := range all {
		for _, k := range u.items {
			if at := slices.Index(rule.Runs, k.Run); at >= 0 {
				d.Sizes[at]++
				if u.uncertain {
					d.Unsure[at]++
				}
			}
		}
		if u.uncertain {
			uncertain++
		}
	}
	d.Lift = annotate.LiftOf(d.Uniform, float64(uncertain)/float64(max(1, len(all))))
	for _, u := range all {
		u.rank = rule.Rank(u.key, u.uncertain)
	}
}
