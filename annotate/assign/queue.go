package assign

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"concord/annotate"
	"concord/eval"
)

// sharedQueue is the state of one queue that the people who work in it share.
type sharedQueue struct {
	queue annotate.Queue // for what it wants
	mu    sync.Mutex
	ready bool

	known       map[annotate.ItemKey]bool // items whose answer is known
	crowds      map[annotate.ItemKey]annotate.Crowd
	holds       map[annotate.ItemKey][]itemHold
	index       map[annotate.ItemKey]int // of the queue's items; of a claim that nobody else is beside, none
	claims      map[annotate.Annotator]*Claim
	past        map[annotate.Annotator]map[annotate.ItemKey]annotate.Contribution // of those who have left
	arrives     map[annotate.Annotator]bool                                       // those of whom something is being brought home
	transitions []annotate.ItemKey                                                // items that came to be full, or are so no more, in order
	version     atomic.Int64                                                      // of labels and holds
	given       int                                                               // labels that stand, of each item as many as it wants from the start
}

// itemHold is an item that somebody has, or is about to have, in front of them.
type itemHold struct {
	who   annotate.Annotator
	until time.Time
	soft  bool // it is one of those that come next
	away  bool // it was sent away
	side  int  // of a pair: 1 when it is shown swapped, -1 when not, 0 while it is not shown
}

func newSharedQueue(q *annotate.Queue) *sharedQueue {
	return &sharedQueue{
		queue: *q, known: make(map[annotate.ItemKey]bool), crowds: make(map[annotate.ItemKey]annotate.Crowd), holds: make(map[annotate.ItemKey][]itemHold),
		claims: make(map[annotate.Annotator]*Claim), past: make(map[annotate.Annotator]map[annotate.ItemKey]annotate.Contribution),
		arrives: make(map[annotate.Annotator]bool),
	}
}

// loadStored reads, once, what is stored of the queue, and the leases of an earlier process. A leased
// item is kept for its person for a while from the start of this process.
func (q *sharedQueue) loadStored(load func() (StoredQueue, error), kept LeaseStore, from time.Time) error {
	if q.ready {
		return nil
	}
	st, err := load()
	if err != nil {
		return err
	}
	q.known = annotate.KnownItems(st.GoldItems)
	for k, c := range st.Crowds {
		q.crowds[k] = c
		q.given += min(c.People, q.queue.WantedLabelsIfAgreed())
	}
	q.setAwayItems(st.Away)
	if kept != nil {
		leases, err := kept.OfQueue(q.queue.Name)
		if err != nil {
			return err
		}
		for _, l := range leases {
			if l.Until.After(from) {
				q.holds[l.Item] = append(q.holds[l.Item], itemHold{who: l.Who, until: from.Add(RecallTime)})
			}
		}
	}
	q.ready = true
	return nil
}

// setAwayItems keeps the items that are away, and those alone, for whom they are with.
func (q *sharedQueue) setAwayItems(away []annotate.Lease) {
	for k, all := range q.holds {
		if all = slices.DeleteFunc(all, func(h itemHold) bool { return h.away }); len(all) == 0 {
			delete(q.holds, k)
			continue
		}
		q.holds[k] = all
	}
	for _, l := range away {
		q.holds[l.Item] = append(q.holds[l.Item], itemHold{who: l.Who, until: l.Until, away: true})
	}
	q.version.Add(1)
}

// lastHeldItem is what somebody had in front of them when the process ended.
func (q *sharedQueue) lastHeldItem(who annotate.Annotator) *annotate.ItemKey {
	for k, all := range q.holds {
		if slices.ContainsFunc(all, func(h itemHold) bool { return h.who == who && !h.away && !h.soft }) {
			return &k
		}
	}
	return nil
}

// labelsWanted is how many people are to label an item, in the eyes of somebody whose
// own label, if there is one, is left aside.
func (q *sharedQueue) labelsWanted(k annotate.ItemKey, own *annotate.Contribution) int {
	c := q.crowds[k]
	differ := c.Differs()
	if own != nil && differ {
		differ = len(c.Classes) > 2 || len(c.Classes) == 2 && c.Classes[own.Answer] != 1
	}
	return q.queue.PeopleAsked(k, differ, q.known[k])
}

// hasEnoughLabels reports whether an item of a crowd has all the labels that it wants, as
// fast as a walk through all of them needs it.
func (q *sharedQueue) hasEnoughLabels(k annotate.ItemKey, c annotate.Crowd) bool {
	if c.People < q.queue.WantedLabelsIfAgreed() {
		return false
	}
	return q.queue.Extra == 0 && len(q.known) == 0 || c.People >= q.labelsWanted(k, nil)
}

func (q *sharedQueue) isItemFull(k annotate.ItemKey) bool {
	return q.crowds[k].People >= q.labelsWanted(k, nil)
}

// updateCrowd takes a label into the crowd of an item, or out of it.
func (q *sharedQueue) updateCrowd(k annotate.ItemKey, m annotate.Contribution, by int) {
	was := q.isItemFull(k)
	c := q.crowds[k]
	before := min(c.People, q.queue.WantedLabelsIfAgreed())
	if q.queue.Extra > 0 {
		c.AddContribution(m, by)
	} else {
		c.People += by
		c.Sides += by * m.Side
	}
	q.given += min(c.People, q.queue.WantedLabelsIfAgreed()) - before
	if q.crowds[k] = c; c.People <= 0 {
		delete(q.crowds, k)
	}
	if q.isItemFull(k) != was {
		q.transitions = append(q.transitions, k)
	}
}

// isItemFree reports whether an item may be put in front of somebody who has no label on it: fewer people than
// it wants have labelled it, or have it before them. Those who are about to have it count when asked for.
func (q *sharedQueue) isItemFree(k annotate.ItemKey, who annotate.Annotator, now time.Time, soon bool) bool {
	held := eval.Count(q.holds[k], func(h itemHold) bool { return h.who != who && h.until.After(now) && (soon || !h.soft) })
	return q.crowds[k].People+held < q.labelsWanted(k, nil)
}

// addHold gives an item to somebody, in the place of what they had of it.
func (q *sharedQueue) addHold(k annotate.ItemKey, h itemHold) {
	all := q.holds[k]
	if i := slices.IndexFunc(all, func(o itemHold) bool { return o.who == h.who && !o.away }); i >= 0 {
		h.side = all[i].side
		h.soft = h.soft && all[i].soft
		all[i] = h
		return
	}
	q.holds[k] = append(all, h)
}

// dropHold takes an item from somebody; with soft only when it was to come next.
func (q *sharedQueue) dropHold(k annotate.ItemKey, who annotate.Annotator, soft bool) {
	all := slices.DeleteFunc(q.holds[k], func(h itemHold) bool { return h.who == who && !h.away && (!soft || h.soft) })
	if q.holds[k] = all; len(all) == 0 {
		delete(q.holds, k)
	}
}

// TeamProgress counts the labels of a queue by all its annotators together. The counts are left out where
// they would give something away: where answers are known, a label that does not count among those that are
// wanted would tell that it is on such an item, and one beyond them all would tell that others differ.
type TeamProgress struct {
	Here   int // people who work in it now
	Given  int // labels that stand
	Wanted int // labels that it wants, while all who label an item agree; 0: not said
}

// TeamProgress is that of the queue, which has so many items.
func (c *Claim) TeamProgress(items int) TeamProgress {
	c.state.mu.Lock()
	defer c.state.mu.Unlock()
	out := TeamProgress{Here: len(c.state.claims), Given: c.state.given, Wanted: items * c.state.queue.WantedLabelsIfAgreed()}
	if len(c.state.known) > 0 || out.Given >= out.Wanted {
		out.Given, out.Wanted = 0, 0
	}
	return out
}

// Transition tells that an item has come to have all the labels that it wants, or has them no more.
type Transition struct {
	Index int
	Key   annotate.ItemKey
	Full  bool // by now
}

// Transitions lists those after the first n of them. Where nobody else works, there are none.
func (c *Claim) Transitions(n int) []Transition {
	if c.pool == nil {
		return nil
	}
	q := c.state
	q.mu.Lock()
	defer q.mu.Unlock()
	news := q.transitions[min(n, len(q.transitions)):]
	return eval.Map(news, func(k annotate.ItemKey) Transition {
		at, known := q.index[k]
		if !known { // nobody here has been offered it yet
			at = math.MaxInt
		}
		return Transition{at, k, q.isItemFull(k)}
	})
}

// SetItemPlaces takes up where the queue has its items, once for all who work in it.
func (c *Claim) SetItemPlaces(items []annotate.QueueItem) {
	q := c.state
	q.mu.Lock()
	defer q.mu.Unlock()
	if c.pool == nil || len(items) == 0 || items[len(items)-1].Index < len(q.index) {
		return
	}
	if len(q.index) == 0 {
		q.index = make(map[annotate.ItemKey]int, len(items))
	}
	for i := range items {
		q.index[items[i].Key] = items[i].Index
	}
}

// MergedLabels holds somebody's labels in a queue as they stood before what they did
// elsewhere was stored, and as they stand since.
type MergedLabels struct {
	Before, After map[annotate.ItemKey]annotate.Label
}

// StoreMergedActs stores what somebody did elsewhere, by calling do, while others are at work. They have no
// claim at the queue meanwhile, since their acts are numbered one after the other: it gives ErrWorking
// while they have one. load is as for Claim.
func (p *Pool) StoreMergedActs(q *annotate.Queue, who annotate.Annotator, load func() (StoredQueue, error), do func() (MergedLabels, error)) error {
	state := p.findOrAddQueue(q)
	err := state.blockClaims(who, load, p)
	if err != nil {
		return fmt.Errorf("queue %s as %s: %w", q.Name, who, err)
	}
	var came MergedLabels
	stored := false
	defer func() { // also when it panics: else they would be kept away for good
		if state.countAndAllowClaims(who, came, stored); stored {
			p.news(true)
		}
	}()
	came, err = do()
	stored = err == nil
	return err
}

// blockClaims keeps somebody from claiming items.
func (q *sharedQueue) blockClaims(who annotate.Annotator, load func() (StoredQueue, error), p *Pool) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.loadStored(load, p.kept, p.from); err != nil {
		return err
	}
	switch {
	case q.claims[who] != nil:
		return ErrWorking
	case q.arrives[who]:
		return ErrMerging
	}
	q.arrives[who] = true
	return nil
}

// countAndAllowClaims counts what came, if it did, and lets them claim items again.
func (q *sharedQueue) countAndAllowClaims(who annotate.Annotator, came MergedLabels, stored bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.arrives, who)
	if !stored {
		return
	}
	counted, worked := q.past[who]
	if !worked { // else what they said may have been refused after they had left
		counted = contributionsOf(came.Before)
	}
	for k, m := range counted {
		q.updateCrowd(k, m, -1)
	}
	past := contributionsOf(came.After)
	for k, m := range past {
		q.updateCrowd(k, m, 1)
	}
	q.past[who] = past
	q.version.Add(1)
}

func contributionsOf(labels map[annotate.ItemKey]annotate.Label) map[annotate.ItemKey]annotate.Contribution {
	out := make(map[annotate.ItemKey]annotate.Contribution, len(labels))
	for k, l := range labels {
		out[k] = l.Contribution()
	}
	return out
}
