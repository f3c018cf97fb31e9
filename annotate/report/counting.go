package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// DrawnItem is an item that a queue drew, in the random order of the queue.
type DrawnItem struct {
	Key   annotate.ItemKey
	Group string
	Hash  uint64
	Part  bool // the rule drew a part of its group
	Open  bool // it may still get a label
	Said  bool // people say something of it

	Weight float64 // 1 over its probability, where items have one of their own; else 0
}

// LabelCounting tells which labels of a queue count for a row: those of items before the first open one
// in the random order of the queue. Everything enrolled before it is labelled, or will never be, so the
// labelled items are a random sample however many items follow. Labels behind it wait.
//
// Of a queue that is drawn per level the rule holds in each group by itself. While some group has fewer
// than two labels that count, but no group was drawn up to its last item yet, the items before the
// first open one of all groups are a random sample of the whole population: the groups are pooled.
type LabelCounting struct {
	limits  map[string]uint64 // by group: the hash of the first open item
	pooled  bool
	limit   uint64 // of all groups, where they are pooled
	Labels  int    // items that people say something of
	Counted int
	More    int // open items that, once labelled, make all labels count
	Open    int // all open items
}

// noLimit stands for a group without an open item.
const noLimit = math.MaxUint64

// NewLabelCounting finds what counts of the items of a row. All are those of the
// queue: groups are drawn from all its runs together.
func NewLabelCounting(all []DrawnItem, of func(*DrawnItem) bool) *LabelCounting {
	c := &LabelCounting{limits: make(map[string]uint64), limit: noLimit}
	ends := make(map[string]uint64) // everything up to here was drawn
	counted := make(map[string]int)
	for i := range all {
		it := &all[i]
		if _, seen := c.limits[it.Group]; !seen {
			c.limits[it.Group] = noLimit
		}
		if it.Part {
			ends[it.Group] = max(ends[it.Group], it.Hash)
		}
		if it.Open && of(it) {
			c.Open++
			c.limits[it.Group] = min(c.limits[it.Group], it.Hash)
			c.limit = min(c.limit, it.Hash)
		}
	}
	for i := range all {
		if it := &all[i]; it.Said && of(it) && it.Hash < c.limits[it.Group] {
			counted[it.Group]++
		}
	}
	short, within := false, true
	for group := range c.limits {
		short = short || counted[group] < 2
		if end, part := ends[group]; part && c.limit > end {
			within = false
		}
	}
	c.pooled = len(c.limits) > 1 && short && within && c.limit < noLimit
	c.countLabels(all, of)
	return c
}

// countLabels counts labels, those that count, and what is missing for all.
func (c *LabelCounting) countLabels(all []DrawnItem, of func(*DrawnItem) bool) {
	last := make(map[string]uint64) // by group: of what is labelled
	end := uint64(0)
	for i := range all {
		it := &all[i]
		if !it.Said || !of(it) {
			continue
		}
		c.Labels++
		c.Counted += OneIf(c.DoesLabelCount(it.Group, it.Hash))
		last[it.Group], end = max(last[it.Group], it.Hash), max(end, it.Hash)
	}
	for i := range all {
		it := &all[i]
		to := eval.Either(c.pooled, end, last[it.Group])
		c.More += OneIf(it.Open && of(it) && it.Hash < to)
	}
}

// DoesLabelCount reports whether a label of an item of the group counts.
func (c *LabelCounting) DoesLabelCount(group string, hash uint64) bool {
	return eval.Either(c.pooled, hash < c.limit, hash < c.limits[group])
}

// StratumName names the part of a queue's population that a group is in.
func (c *LabelCounting) StratumName(queue, group string) string {
	return eval.Either(group == "" || c.pooled, queue, queue+", "+group)
}

// CountedLabels tells how many labels a corrected score is made of. An item
// counts once, however many people labelled it.
type CountedLabels struct {
	Counting int `json:"counting"`
	Waiting  int `json:"waiting"` // labels behind an item that is still open
	More     int `json:"more"`    // open items that, once labelled, make all of them count
	Open     int `json:"open"`    // items that may still get a label

	// Unfinished says that labels or items are still to come: whoever looks
	// meanwhile is shown intervals that hold at every look.
	Unfinished bool `json:"unfinished,omitempty"`

	known stat.Count // of labels on items with a known answer, those that are as is known
}

// AddQueueLabels counts the labels of one queue.
func (l *CountedLabels) AddQueueLabels(c *LabelCounting) {
	l.Counting += c.Counted
	l.Waiting += c.Labels - c.Counted
	l.More += c.More
	l.Open += c.Open
	l.Unfinished = l.Unfinished || c.Open > 0
}

func (l *CountedLabels) formatText() string {
	if l.Waiting == 0 {
		return table.FormatGrouped(l.Counting) + " count"
	}
	return fmt.Sprintf("%s of %s count: label %s more for all", table.FormatGrouped(l.Counting), table.FormatGrouped(l.Counting+l.Waiting), table.FormatGrouped(l.More))
}

// RowFrame is a frame with what of its labels counts for one row.
type RowFrame struct {
	*LabelFrame
	*LabelCounting
	stratum string // the name of its population
}

// FindFramesForRow finds what of the frames' labels counts for a row on a run. Of passes
// other than 0 only circular accuracy is made.
func FindFramesForRow(frames []*LabelFrame, run eval.RunID, circular bool) (out []*RowFrame, labels CountedLabels) {
	for _, f := range frames {
		c := NewLabelCounting(f.items, func(it *DrawnItem) bool { return it.Key.Run == run && (circular || it.Key.Pass == 0) })
		labels.AddQueueLabels(c)
		labels.Unfinished = labels.Unfinished || f.Queue.Growing
		labels.known.Merge(f.known)
		out = append(out, &RowFrame{f, c, fmt.Sprintf("%s (queue %s)", f.Queue.Rule.From.DisplayName(), f.Queue.Name)})
	}
	return out, labels
}

// ItemState is the state of a drawn prediction in a row.
type ItemState uint8

// The states of a drawn prediction.
const (
	StateOpen    ItemState = iota // not drawn, or of no label that counts
	StateSaid                     // people say something of it
	StateMissing                  // it was drawn, and stays without a label
)

// StateOf tells what a prediction adds to a row about choices, or about scores.
func (f *RowFrame) StateOf(k eval.Key, s *eval.Sample, scores bool) ItemState {
	why := f.left[k]
	_, says := f.Said[k]
	_, other := f.Scored[k]
	if scores {
		says, other = other, says
	}
	switch {
	case !says && !other && why == "":
		return StateOpen
	case !f.DoesLabelCount(f.Queue.Rule.TaxonomyGroupOf(s.Taxonomy), f.Queue.Rule.DrawRank(annotate.NewItemKey(k), f.drawn[k].Uncertain)):
		return StateOpen
	case says:
		return StateSaid
	case other || why != "" && why != annotate.LeftGold:
		return StateMissing
	}
	return StateOpen
}

// WeightOf is 1 over the probability with which a prediction was drawn, where the
// queue's items have their own; else 0.
func (f *RowFrame) WeightOf(k eval.Key) float64 {
	it, drawn := f.drawn[k]
	switch {
	case !drawn:
		return 0
	case f.Queue.Rule.Order == annotate.ByUncertainty:
		return f.WeightBy(&f.Queue.Rule.Drawing, it.Uncertain)
	}
	return 1 / it.Inclusion
}

// WeightBy is 1 over the probability with which a drawing by uncertainty has an
// item among those that count.
func (c *LabelCounting) WeightBy(d *annotate.Drawing, uncertain bool) float64 {
	return 1 / d.InclusionProbability(min(c.limits[""], d.Limit), uncertain)
}

// StratumOf says which part of a queue's population a sample is of.
func (f *RowFrame) StratumOf(s *eval.Sample) string {
	return f.StratumName(f.stratum, f.Queue.Rule.TaxonomyGroupOf(s.Taxonomy))
}

// FormatCount gives a number of things by their noun.
func FormatCount(n int, noun string) string {
	return eval.Either(n == 1, "1 "+noun, fmt.Sprintf("%d %ss", n, noun))
}

// OneIf is 1 of what is true, 0 of what is not.
func OneIf(b bool) int { return eval.Either(b, 1, 0) }

// FormatPValue gives a p value; what would round to nothing says so.
func FormatPValue(p float64) string {
	return eval.Either(p < 0.001, "< 0.001", strconv.FormatFloat(p, 'f', 3, 64))
}

// CompareBools orders false before true.
func CompareBools(x, y bool) int { return OneIf(x) - OneIf(y) }

// Resamples are behind the intervals over all people; the seed is fixed unless
// somebody asks for another, so that the same facts give the same interval.
const Resamples = 2000

// CorrectionNames are the columns of a corrected score.
const CorrectionNames = "judge_only:score people_only:score corrected:score bounds:text labels:text gain:text needs:text"

// MakeCells makes the cells of these columns. The scores open what opens gives them.
func (c *Correction) MakeCells(cell func(stat.Estimate) table.Cell, opens func(table.Cell) table.Cell) Cells {
	bounds, gain, needs := "-", "-", "-"
	if b := c.Bounds; b != nil {
		end := func(v float64) string { return cell(stat.NewExactEstimate(v, 0)).FormatEstimate() } // as the cell writes the score
		bounds = "[" + end(b.Low) + ", " + end(b.High) + "]"
	}
	if c.Gain.Labels != nil {
		gain = strconv.FormatFloat(*c.Gain.Labels, 'f', 1, 64) + " labels"
	}
	if c.Needs.Labels != nil {
		needs = table.FormatGrouped(*c.Needs.Labels) + " labels for ±" + strconv.FormatFloat(c.Needs.Within, 'g', 3, 64)
	}
	return Cells{
		"judge_only": opens(cell(c.JudgeOnly)), "people_only": opens(cell(c.People)), "corrected": opens(cell(c.Corrected.Estimate)),
		"bounds": table.NewText(bounds), "labels": table.NewText(c.Labels.formatText()), "gain": table.NewText(gain), "needs": table.NewText(needs),
	}
}

// ListRemarks lists what a reader has to know of the figures.
func (c *Correction) ListRemarks(of string, cell func(stat.Estimate) table.Cell) []string {
	var out []string
	if n := c.Labels.Waiting; n > 0 {
		out = append(out, fmt.Sprintf("%s: %s labels count and %s wait: items offered before them have no label yet. Label %s more, in the order offered, and all count.",
			of, table.FormatGrouped(c.Labels.Counting), table.FormatGrouped(n), table.FormatGrouped(c.Labels.More)))
	}
	if n := c.Corrected.Missing; n > 0 {
		out = append(out, fmt.Sprintf("%s: drawn and skipped, or without consensus: %s. The bounds hold whatever people would say of them.", of, table.FormatGrouped(n)))
	}
	if c.Corrected.WhyUndefined() == "" {
		line := of + ": "
		if c.Target != "" {
			line += "of " + c.Target + ", "
		}
		line += fmt.Sprintf("%s, policy %s.", c.Corrected.Method, annotate.DescribePolicies(c.Policy, c.Undecided))
		for i := range c.Strata {
			line += " " + describeStratum(&c.Strata[i])
		}
		out = append(out, line)
		if c.Erring != nil {
			out = append(out, of+": "+c.Erring.describe(cell))
		}
		if g := c.Gladen; g != nil {
			out = append(out, fmt.Sprintf("%s: by sensitivity %s and specificity %s alone (Rogan-Gladen): %s.",
				of, table.FormatRate(g.Sensitivity), table.FormatRate(g.Specificity), table.NewComputed(g.Share)))
		}
		if worth := c.Corrected.DescribeDesignEffect(); worth != "" {
			out = append(out, of+": "+worth)
		}
		if c.Needs.Undefined != "" {
			out = append(out, fmt.Sprintf("%s: %s.", of, c.Needs.Undefined))
		}
	}
	for _, why := range slices.Sorted(maps.Keys(c.LeftOut)) {
		which := eval.Either(why == annotate.LeftGold, "added since their answer is known, and not drawn", "drawn and without a say of people")
		out = append(out, fmt.Sprintf("%s: %s: %s %s.", of, which, why, table.FormatGrouped(c.LeftOut[why])))
	}
	out = append(out, eval.Map(c.Warnings, func(w string) string { return fmt.Sprintf("%s: %s.", of, w) })...)
	return out
}

func describeStratum(s *correct.Part) string {
	switch {
	case s.AsRead:
		return fmt.Sprintf("Taken as read: %s items, %s.", table.FormatGrouped(s.Items), s.Name)
	case s.Lambda == nil:
		return fmt.Sprintf("%s: %s labels of %s items.", s.Name, table.FormatGrouped(s.Labels), table.FormatGrouped(s.Items))
	}
	return fmt.Sprintf("%s: %s labels of %s items, lambda %s.", s.Name, table.FormatGrouped(s.Labels), table.FormatGrouped(s.Items), table.FormatDecimal(*s.Lambda))
}
