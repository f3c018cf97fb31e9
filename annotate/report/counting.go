package report

import (
	"fmt"
	"math"

	"concord/annotate"
	"concord/annotate/report/table"
	"concord/eval"
)

// drawnItem is an item that a queue drew, in the random order of the queue.
type drawnItem struct {
	key   annotate.ItemKey
	group string
	hash  uint64
	part  bool // the rule drew a part of its group
	open  bool // it may still get a label
	said  bool // people say something of it
}

// counting tells which labels of a queue count for a row: those of items before
// the first open one in the random order of the queue. Everything enrolled
// before it is labelled, or will never be, so the labelled items are a random
// sample however many items follow. Labels behind it wait.
//
// Of a queue that is drawn per level the rule holds in each group by itself.
// While some group has fewer than two labels that count, but no group was drawn
// up to its last item yet, the items before the first open one of all groups
// are a random sample of the whole population: the groups are pooled.
type counting struct {
	limits  map[string]uint64 // by group: the hash of the first open item
	pooled  bool
	limit   uint64 // of all groups, where they are pooled
	Labels  int    // items that people say something of
	Counted int
	More    int // open items that, once labelled, make all labels count
}

// noLimit stands for a group without an open item.
const noLimit = math.MaxUint64

// newCounting finds what counts of the items of a row. All are those of the
// queue: groups are drawn from all its runs together.
func newCounting(all []drawnItem, of func(*drawnItem) bool) *counting {
	c := &counting{limits: make(map[string]uint64), limit: noLimit}
	ends := make(map[string]uint64) // everything up to here was drawn
	counted := make(map[string]int)
	for i := range all {
		it := &all[i]
		if _, seen := c.limits[it.group]; !seen {
			c.limits[it.group] = noLimit
		}
		if it.part {
			ends[it.group] = max(ends[it.group], it.hash)
		}
		if it.open && of(it) {
			c.limits[it.group] = min(c.limits[it.group], it.hash)
			c.limit = min(c.limit, it.hash)
		}
	}
	for i := range all {
		if it := &all[i]; it.said && of(it) && it.hash < c.limits[it.group] {
			counted[it.group]++
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
	c.tally(all, of)
	return c
}

// tally counts labels, those that count, and what is missing for all.
func (c *counting) tally(all []drawnItem, of func(*drawnItem) bool) {
	last := make(map[string]uint64) // by group: of what is labelled
	end := uint64(0)
	for i := range all {
		it := &all[i]
		if !it.said || !of(it) {
			continue
		}
		c.Labels++
		c.Counted += one(c.counts(it.group, it.hash))
		last[it.group], end = max(last[it.group], it.hash), max(end, it.hash)
	}
	for i := range all {
		it := &all[i]
		to := last[it.group]
		if c.pooled {
			to = end
		}
		c.More += one(it.open && of(it) && it.hash < to)
	}
}

// counts reports whether a label of an item of the group counts.
func (c *counting) counts(group string, hash uint64) bool {
	if c.pooled {
		return hash < c.limit
	}
	return hash < c.limits[group]
}

// stratum names the part of a queue's population that a group is in.
func (c *counting) stratum(queue, group string) string {
	if group == "" || c.pooled {
		return queue
	}
	return queue + ", " + group
}

// CountedLabels tells how many labels a corrected score is made of. An item
// counts once, however many people labelled it.
type CountedLabels struct {
	Counting int `json:"counting"`
	Waiting  int `json:"waiting"` // labels behind an item that is still open
	More     int `json:"more"`    // open items that, once labelled, make all of them count
}

func (l *CountedLabels) add(c *counting) {
	l.Counting += c.Counted
	l.Waiting += c.Labels - c.Counted
	l.More += c.More
}

// text says it in a cell.
func (l *CountedLabels) text() string {
	if l.Waiting == 0 {
		return table.Grouped(l.Counting) + " count"
	}
	return fmt.Sprintf("%s of %s count: label %s more for all", table.Grouped(l.Counting), table.Grouped(l.Counting+l.Waiting), table.Grouped(l.More))
}

// rowFrame is a frame with what of its labels counts for one row.
type rowFrame struct {
	*frame
	*counting
}

// forRow finds what of the frames' labels counts for a row on a run. Of passes
// other than 0 only circular accuracy is made.
func forRow(frames []*frame, run eval.RunID, circular bool) (out []*rowFrame, labels CountedLabels) {
	for _, f := range frames {
		c := newCounting(f.items, func(it *drawnItem) bool { return it.key.Run == run && (circular || it.key.Pass == 0) })
		labels.add(c)
		out = append(out, &rowFrame{f, c})
	}
	return out, labels
}

// The states of a drawn prediction in a row.
type itemState uint8

const (
	stateOpen    itemState = iota // not drawn, or of no label that counts
	stateSaid                     // people say something of it
	stateMissing                  // it was drawn, and stays without a label
)

// state tells what a prediction adds to a row about choices.
func (f *rowFrame) state(k eval.Key, s *eval.Sample) itemState {
	_, said := f.said[k]
	_, scored := f.scored[k]
	return f.stateOf(k, s, said, scored)
}

// scoreState tells what a prediction adds to a row about scores.
func (f *rowFrame) scoreState(k eval.Key, s *eval.Sample) itemState {
	_, said := f.said[k]
	_, scored := f.scored[k]
	return f.stateOf(k, s, scored, said)
}

func (f *rowFrame) stateOf(k eval.Key, s *eval.Sample, says, other bool) itemState {
	why := f.left[k]
	switch {
	case !f.counts(f.queue.Rule.Group(s.Taxonomy), f.queue.Rule.EnrolmentHash(annotate.ItemOf(k))):
		return stateOpen
	case says:
		return stateSaid
	case other || why != "" && why != annotate.LeftGold:
		return stateMissing
	}
	return stateOpen
}

// name says which part of a queue's population a sample is of.
func (f *rowFrame) name(s *eval.Sample) string {
	return f.stratum(fmt.Sprintf("%s (queue %s)", f.queue.Rule.From, f.queue.Name), f.queue.Rule.Group(s.Taxonomy))
}
