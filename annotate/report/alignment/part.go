package alignment

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/stat"
)

// Part is a part of a queue's samples. The zero value is all of them.
type Part uint8

// The parts: extractors are chosen on one half of the samples, and the chosen one is
// measured on the other.
const (
	PartUnset Part = iota
	Development
	HeldOut
)

var partNames = []string{"", "development", "held-out"}

// String is the part's name in reports.
func (p Part) String() string { return eval.NameOf(partNames, p) }

// ParsePart reads what String writes.
func ParsePart(s string) (Part, error) { return eval.ParseName[Part](partNames, s, "part") }

// suffix ends the policy under which figures of the part are saved.
func (p Part) suffix() string {
	if p == PartUnset {
		return ""
	}
	return ", " + p.String() + " part"
}

// IsHeldOut reports whether a unit of items is held out in a queue that was drawn with
// that seed, now and later: a sample, or the cluster of samples that depend on each
// other.
func IsHeldOut(seed, unit uint64) bool { return rand.New(rand.NewPCG(seed, unit)).Float64() < 0.5 }

// unitOf is what an item's labels depend on.
func unitOf(it *annotate.AlignItem) uint64 { return cmp.Or(it.Cluster, uint64(it.Key.Sample)) }

// keepPart leaves the items of a part.
func (rv *reviewedQueue) keepPart(o *Options) error {
	switch {
	case o.Part == PartUnset:
		return nil
	case rv.queue.Stratum == annotate.Priority:
		return fmt.Errorf("queue %s is of targeted sampling: its labels say nothing of other items, and feed neither part", rv.queue.Name)
	case o.Part == HeldOut && o.Policy == annotate.DawidSkene:
		return errors.New("the held-out part goes with a policy that is no model of people's errors")
	}
	rv.items = slices.DeleteFunc(rv.items, func(it annotate.AlignItem) bool {
		return IsHeldOut(rv.queue.Rule.Seed, unitOf(&it)) != (o.Part == HeldOut)
	})
	return nil
}

// whySaved is why a report on the part is shown only as it is saved; nil: it is not.
func (p Part) whySaved() error {
	if p == HeldOut {
		return errors.New("a look at the held-out part is counted: add --save")
	}
	return nil
}

// countLooks counts the looks at the held-out part that were saved, for a report on it,
// and the extractors that were looked at then or are now.
func (rv *reviewedQueue) countLooks(facts report.Facts, o *Options) (looks int, err error) {
	seen := make(map[string]bool)
	for _, x := range rv.listExtractors(o) {
		seen[x.Name] = true
	}
	if o.Judge != "" && len(seen) == 0 {
		return 0, fmt.Errorf("find what judge %s has read in queue %s: %w", o.Judge, o.Queue, eval.ErrNotFound)
	}
	if o.Part != HeldOut {
		return 0, nil
	}
	saved, err := facts.SavedReports(rv.queue.Name)
	if err != nil {
		return 0, fmt.Errorf("read saved reports of queue %s: %w", rv.queue.Name, err)
	}
	for i := range saved {
		if !strings.HasSuffix(saved[i].Policy, HeldOut.suffix()) {
			continue
		}
		looks++
		rows, err := readSavedRows(&saved[i], nil)
		if err != nil {
			return 0, err
		}
		for _, r := range rows {
			seen[r.Extractor] = true
		}
	}
	o.among = len(seen)
	return looks, nil
}

// RateAmong is the share of the items on which an extractor agrees with people, with
// an interval of a confidence level at which those of so many extractors hold together
// (Bonferroni's inequality), so that the best of them is covered too.
func RateAmong(items []annotate.AlignItem, b annotate.Basis, x *annotate.Extractor, sequence bool, among int) stat.Rate {
	sum := stat.Clusters{Sequence: sequence}
	for i := range items {
		if c := b.CompareItem(&items[i], x); c.LeftOut == "" {
			y := 0.0
			if c.Alignment == annotate.Aligned {
				y = 1
			}
			sum.AddToCluster(unitOf(&items[i]), y, 1)
		}
	}
	return sum.RateAt(1-(1-stat.Confidence)/float64(among), "no item has both a consensus and an extracted answer")
}

// describePart says what a figure of the part is worth.
func (o *Options) describePart(looks int) []string {
	switch o.Part {
	case Development:
		return []string{"The development part, half of the samples: extractors are chosen on it, and the figure of the best of several is too high."}
	case HeldOut:
		return []string{fmt.Sprintf("The held-out part, half of the samples. Looks at it that are saved: %d. The intervals of alignment hold for all %d extractors looked at together.", looks, o.among)}
	case PartUnset:
	}
	return nil
}
