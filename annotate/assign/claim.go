package assign

import (
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"concord/annotate"
	"concord/eval"
)

// Claim is one person's place in a queue: the item that they hold, and those that
// come next. Their session moves it; nothing else does.
type Claim struct {
	state *sharedQueue
	pool  *Pool // nil: nobody else is there
	who   annotate.Annotator

	// What follows is guarded by the state's mutex.
	mine      map[annotate.ItemKey]annotate.Contribution
	past      map[annotate.ItemKey]annotate.Contribution // what stood when this person had worked here before; nil: they had not
	front     *annotate.ItemKey
	renewed   time.Time
	soon      []annotate.ItemKey
	displaced atomic.Bool // they work elsewhere now; read with every frame, and so without the mutex
}

// NewSoloClaim gives the claim of a session that is alone: the crowds of the others do not change.
func NewSoloClaim(q *annotate.Queue, who annotate.Annotator, st StoredQueue) *Claim {
	state := newSharedQueue(q)
	state.ready = true
	maps.Copy(state.crowds, st.Crowds)
	state.known = annotate.KnownItems(st.GoldItems)
	return &Claim{state: state, who: who, past: make(map[annotate.ItemKey]annotate.Contribution)}
}

// LoadLabels takes up what stands of this person's labels.
func (c *Claim) LoadLabels(labels map[annotate.ItemKey]annotate.Label) {
	q := c.state
	q.mu.Lock()
	defer q.mu.Unlock()
	c.mine = make(map[annotate.ItemKey]annotate.Contribution, len(labels))
	for k, m := range c.past {
		if _, stands := labels[k]; !stands {
			q.updateCrowd(k, m, -1)
		}
	}
	for k, l := range labels {
		now := l.Contribution()
		c.mine[k] = now
		if c.past == nil {
			continue // the standing had it
		}
		if was, had := c.past[k]; !had {
			q.updateCrowd(k, now, 1)
		} else if was != now {
			q.updateCrowd(k, was, -1)
			q.updateCrowd(k, now, 1)
		}
	}
	c.past = nil
	q.version.Add(1)
}

// MarkItemFull takes it that an item has all the labels that it wants: what was stored says so.
func (c *Claim) MarkItemFull(k annotate.ItemKey) {
	q := c.state
	q.mu.Lock()
	defer q.mu.Unlock()
	if missing := q.labelsWanted(k, nil) - q.crowds[k].People; missing > 0 {
		crowd := q.crowds[k]
		crowd.People += missing
		q.crowds[k] = crowd
	}
	q.dropHold(k, c.who, false)
}

// SetLabel says what stands of this person's label of an item. One that is taken back stays theirs to label.
func (c *Claim) SetLabel(k annotate.ItemKey, l annotate.Label, stands bool) {
	q := c.state
	q.mu.Lock()
	old, had := c.mine[k]
	now := annotate.Contribution{}
	if stands {
		now = l.Contribution()
		if had && old.Answer == "" || !had && q.queue.IsSpareLabel(q.crowds[k], q.known[k]) {
			now.Answer = "" // the store will mark it
		}
	}
	if had == stands && old == now {
		q.mu.Unlock()
		return
	}
	if had {
		q.updateCrowd(k, old, -1)
		delete(c.mine, k)
	}
	if stands {
		q.updateCrowd(k, now, 1)
		c.mine[k] = now
		if q.dropHold(k, c.who, false); c.front != nil && *c.front == k {
			c.front = nil
		}
	} else {
		c.holdItem(k)
	}
	q.version.Add(1)
	q.mu.Unlock()
	c.pool.queueLeaseAndNotify(c, true, false)
}

// holdItem gives the claim an item, in the place of the one that it had.
func (c *Claim) holdItem(k annotate.ItemKey) {
	if c.displaced.Load() {
		return
	}
	if c.front != nil && *c.front != k {
		c.state.dropHold(*c.front, c.who, false)
	}
	c.front, c.renewed = &k, c.now()
	c.state.addHold(k, itemHold{who: c.who, until: c.renewed.Add(LeaseTime)})
}

// TakeItem puts an item in front of this person, and reports whether they may label
// it: it is theirs until they turn to another.
func (c *Claim) TakeItem(k annotate.ItemKey) bool {
	q := c.state
	q.mu.Lock()
	if c.displaced.Load() {
		q.mu.Unlock()
		return false
	}
	if c.front != nil && *c.front == k && c.now().Sub(c.renewed) < LeaseTime/8 {
		q.mu.Unlock()
		return true
	}
	freed := c.front != nil && *c.front != k
	_, labelled := c.mine[k]
	free := labelled || q.isItemFree(k, c.who, c.now(), false)
	if free && !labelled {
		c.holdItem(k)
	} else {
		c.releaseItem()
	}
	q.version.Add(1)
	q.mu.Unlock()
	c.pool.queueLeaseAndNotify(c, false, freed)
	return free
}

// HeldItem is the item in front of this person; nil: none.
func (c *Claim) HeldItem() *annotate.ItemKey { return c.front }

// YieldItem puts nothing in front of this person.
func (c *Claim) YieldItem() {
	q := c.state
	q.mu.Lock()
	had := c.front != nil
	c.releaseItem()
	if had {
		q.version.Add(1)
	}
	q.mu.Unlock()
	if had {
		c.pool.queueLeaseAndNotify(c, false, true)
	}
}

// releaseItem gives up the item in front.
func (c *Claim) releaseItem() {
	if c.front != nil && !c.displaced.Load() {
		c.state.dropHold(*c.front, c.who, false)
	}
	c.front = nil
}

// IsItemFree reports whether an item may be put in front of this person.
func (c *Claim) IsItemFree(k annotate.ItemKey) bool {
	c.state.mu.Lock()
	defer c.state.mu.Unlock()
	return c.state.isItemFree(k, c.who, c.now(), false)
}

// IsHeldByOther reports whether somebody else has an item in front of them.
func (c *Claim) IsHeldByOther(k annotate.ItemKey) bool {
	q, now := c.state, c.now()
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.ContainsFunc(q.holds[k], func(h itemHold) bool { return h.who != c.who && !h.soft && h.until.After(now) })
}

// FindNextFree gives the first item behind a position, and then from the start, that is
// fresh and may be put in front of this person.
func (c *Claim) FindNextFree(items []annotate.ItemPlace, from int, fresh func(annotate.ItemKey) bool, soon bool) (int, bool) {
	q, now, n := c.state, c.now(), len(items)
	start := eval.Either(from < n, from+1, 0)
	q.mu.Lock()
	defer q.mu.Unlock()
	for d := range n {
		at := start + d
		if at >= n {
			at -= n
		}
		k := items[at].Key
		if crowd, begun := q.crowds[k]; begun && q.hasEnoughLabels(k, crowd) {
			continue
		}
		if fresh(k) && q.isItemFree(k, c.who, now, soon) {
			return at, true
		}
	}
	return 0, false
}

// OpenItems gives those of some items that are fresh, that may be put in front of this
// person, and that nobody else expects.
func (c *Claim) OpenItems(items []annotate.ItemPlace, fresh func(annotate.ItemKey) bool) []annotate.ItemPlace {
	q, now := c.state, c.now()
	q.mu.Lock()
	defer q.mu.Unlock()
	return eval.Select(items, func(p annotate.ItemPlace) bool { return fresh(p.Key) && q.isItemFree(p.Key, c.who, now, true) })
}

// IsLabelWanted reports whether an item still wants this person's label, whoever has it in front now.
func (c *Claim) IsLabelWanted(k annotate.ItemKey) bool {
	q := c.state
	q.mu.Lock()
	defer q.mu.Unlock()
	if m, ok := c.mine[k]; ok {
		return q.crowds[k].People-1 < q.labelsWanted(k, &m)
	}
	return q.crowds[k].People < q.labelsWanted(k, nil)
}

// ReserveNext says which items come next, so that others are rather given other ones.
func (c *Claim) ReserveNext(soon []annotate.ItemKey) {
	q := c.state
	q.mu.Lock()
	defer q.mu.Unlock()
	if c.displaced.Load() || slices.Equal(soon, c.soon) {
		return
	}
	for _, k := range c.soon {
		if !slices.Contains(soon, k) {
			q.dropHold(k, c.who, true)
		}
	}
	for _, k := range soon {
		if _, labelled := c.mine[k]; !labelled {
			q.addHold(k, itemHold{who: c.who, until: c.now().Add(LeaseTime), soft: true})
		}
	}
	c.soon = slices.Clone(soon)
}

// RenewLease keeps the item in front for as long again.
func (c *Claim) RenewLease() {
	q := c.state
	q.mu.Lock()
	late := c.front != nil && !c.displaced.Load() && c.now().Sub(c.renewed) > LeaseTime/8
	k := c.front
	q.mu.Unlock()
	if late {
		c.TakeItem(*k)
	}
}

// IsSwapped reports whether a pair is shown swapped; first decides by how many more
// of the others see it swapped than not.
func (c *Claim) IsSwapped(k annotate.ItemKey, first func(n int) bool) bool {
	q := c.state
	q.mu.Lock()
	defer q.mu.Unlock()
	n := q.crowds[k].Sides - c.mine[k].Side
	var own *itemHold
	for i := range q.holds[k] {
		switch h := &q.holds[k][i]; {
		case h.who == c.who && !h.away:
			own = h
		case h.who != c.who && !h.soft && h.until.After(c.now()):
			n += h.side
		}
	}
	if own != nil && own.side != 0 {
		return own.side > 0
	}
	swapped := first(n)
	if own != nil {
		if own.side = -1; swapped {
			own.side = 1
		}
	}
	return swapped
}

// Version changes whenever somebody moves or says something.
func (c *Claim) Version() int64 { return c.state.version.Load() }

// IsDisplaced reports whether this person works elsewhere now.
func (c *Claim) IsDisplaced() bool { return c.displaced.Load() }

// GiveUp gives the claim up and frees what was kept for this person; nil is no
// claim. It may be left before a session has begun.
func (c *Claim) GiveUp() {
	if c == nil {
		return
	}
	q := c.state
	q.mu.Lock()
	if c.displaced.Load() || q.claims[c.who] != c {
		q.mu.Unlock()
		return
	}
	c.releaseItem()
	for _, k := range c.soon {
		q.dropHold(k, c.who, true)
	}
	c.soon = nil
	delete(q.claims, c.who)
	switch {
	case c.mine != nil:
		q.past[c.who] = c.mine
	case c.past != nil: // it was not begun
		q.past[c.who] = c.past
	}
	q.version.Add(1)
	q.mu.Unlock()
	c.pool.queueLeaseAndNotify(c, false, true)
}

func (c *Claim) newLease() (annotate.QueueName, annotate.Lease) {
	c.state.mu.Lock()
	defer c.state.mu.Unlock()
	now := c.state.claims[c.who] // of whoever came since
	l := annotate.Lease{Who: c.who}
	if now != nil && now.front != nil {
		l.Item, l.Until = *now.front, now.renewed.Add(LeaseTime)
	}
	return c.state.queue.Name, l
}

func (c *Claim) now() time.Time {
	if c.pool == nil {
		return time.Time{}
	}
	return c.pool.now()
}
