package annotate

import (
	"maps"
	"slices"
	"sync/atomic"
	"time"
)

// Claim is one person's place at a queue. A session moves it; nothing else does.
type Claim struct {
	state *queueState
	pool  *Pool // nil: nobody else is there
	who   Annotator

	// What follows is the room's to guard.
	mine      map[ItemKey]Contribution
	past      map[ItemKey]Contribution // what stood when this person had sat here before; nil: they had not
	front     *ItemKey
	renewed   time.Time
	soon      []ItemKey
	displaced atomic.Bool // they sit elsewhere now; looked at with every frame, and so without the room
}

// Solo is the seat of a session that nobody else is beside: the crowds of the
// others do not change.
func Solo(q *Queue, who Annotator, st Stored) *Claim {
	r := newQueueState(q)
	r.ready = true
	maps.Copy(r.crowds, st.Crowds)
	for _, g := range st.Golds {
		r.known[g.Key] = true
	}
	return &Claim{state: r, who: who, past: make(map[ItemKey]Contribution)}
}

// Begin takes up what stands of this person's labels.
func (s *Claim) Begin(labels map[ItemKey]Label) {
	r := s.state
	r.mu.Lock()
	defer r.mu.Unlock()
	s.mine = make(map[ItemKey]Contribution, len(labels))
	for k, m := range s.past {
		if _, stands := labels[k]; !stands {
			r.count(k, m, -1)
		}
	}
	for k, l := range labels {
		now := l.Reading.Contribution()
		s.mine[k] = now
		if s.past == nil {
			continue // the standing had it
		}
		if was, had := s.past[k]; !had {
			r.count(k, now, 1)
		} else if was != now {
			r.count(k, was, -1)
			r.count(k, now, 1)
		}
	}
	s.past = nil
	r.version.Add(1)
}

// Fill takes it that an item has all the labels that it wants: what was stored
// says so.
func (s *Claim) Fill(k ItemKey) {
	r := s.state
	r.mu.Lock()
	defer r.mu.Unlock()
	if missing := r.wants(k, nil) - r.crowds[k].People; missing > 0 {
		c := r.crowds[k]
		c.People += missing
		r.crowds[k] = c
	}
	r.drop(k, s.who, false)
}

// Set says what stands of this person's label of an item. One that is taken
// back stays theirs to label.
func (s *Claim) Set(k ItemKey, l Label, stands bool) {
	r := s.state
	r.mu.Lock()
	old, had := s.mine[k]
	now := Contribution{}
	if stands {
		now = l.Reading.Contribution()
	}
	if had == stands && old == now {
		r.mu.Unlock()
		return
	}
	if had {
		r.count(k, old, -1)
		delete(s.mine, k)
	}
	if stands {
		r.count(k, now, 1)
		s.mine[k] = now
		if r.drop(k, s.who, false); s.front != nil && *s.front == k {
			s.front = nil
		}
	} else {
		s.hold(k)
	}
	r.version.Add(1)
	r.mu.Unlock()
	s.pool.note(s, true, false)
}

// hold gives the seat an item, in the place of the one that it had.
func (s *Claim) hold(k ItemKey) {
	if s.displaced.Load() {
		return
	}
	if s.front != nil && *s.front != k {
		s.state.drop(*s.front, s.who, false)
	}
	s.front, s.renewed = &k, s.now()
	s.state.take(k, hold{who: s.who, until: s.renewed.Add(LeaseTime)})
}

// Take puts an item in front of this person, and reports whether they may label
// it: it is theirs until they turn to another.
func (s *Claim) Take(k ItemKey) bool {
	r := s.state
	r.mu.Lock()
	if s.displaced.Load() {
		r.mu.Unlock()
		return false
	}
	if s.front != nil && *s.front == k && s.now().Sub(s.renewed) < LeaseTime/8 {
		r.mu.Unlock()
		return true
	}
	freed := s.front != nil && *s.front != k
	_, labelled := s.mine[k]
	free := labelled || r.free(k, s.who, s.now(), false)
	if free && !labelled {
		s.hold(k)
	} else {
		s.release()
	}
	r.version.Add(1)
	r.mu.Unlock()
	s.pool.note(s, false, freed)
	return free
}

// Held is the item in front of this person; nil: none.
func (s *Claim) Held() *ItemKey { return s.front }

// Yield puts nothing in front of this person.
func (s *Claim) Yield() {
	r := s.state
	r.mu.Lock()
	had := s.front != nil
	s.release()
	if had {
		r.version.Add(1)
	}
	r.mu.Unlock()
	if had {
		s.pool.note(s, false, true)
	}
}

// release gives up the item in front.
func (s *Claim) release() {
	if s.front != nil && !s.displaced.Load() {
		s.state.drop(*s.front, s.who, false)
	}
	s.front = nil
}

// Free reports whether an item may be put in front of this person.
func (s *Claim) Free(k ItemKey) bool {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	return s.state.free(k, s.who, s.now(), false)
}

// Next is the first item behind a position, and then from the start, that is
// fresh and may be put in front of this person.
func (s *Claim) Next(items []Place, from int, fresh func(ItemKey) bool, soon bool) (int, bool) {
	r, now, n := s.state, s.now(), len(items)
	start := 0
	if from < n {
		start = from + 1
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for d := range n {
		at := start + d
		if at >= n {
			at -= n
		}
		k := items[at].Key
		if c, begun := r.crowds[k]; begun && r.enough(k, c) {
			continue
		}
		if fresh(k) && r.free(k, s.who, now, soon) {
			return at, true
		}
	}
	return 0, false
}

// Open are those of some items that are fresh, that may be put in front of this
// person, and that nobody else expects.
func (s *Claim) Open(items []Place, fresh func(ItemKey) bool) []Place {
	r, now := s.state, s.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []Place
	for _, p := range items {
		if fresh(p.Key) && r.free(p.Key, s.who, now, true) {
			out = append(out, p)
		}
	}
	return out
}

// Wanted reports whether an item still wants this person's label, whoever has it
// in front of them just now.
func (s *Claim) Wanted(k ItemKey) bool {
	r := s.state
	r.mu.Lock()
	defer r.mu.Unlock()
	if m, ok := s.mine[k]; ok {
		return r.crowds[k].People-1 < r.wants(k, &m)
	}
	return r.crowds[k].People < r.wants(k, nil)
}

// Expect says which items come next, so that others are rather given other ones.
func (s *Claim) Expect(soon []ItemKey) {
	r := s.state
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.displaced.Load() || slices.Equal(soon, s.soon) {
		return
	}
	for _, k := range s.soon {
		if !slices.Contains(soon, k) {
			r.drop(k, s.who, true)
		}
	}
	for _, k := range soon {
		if _, labelled := s.mine[k]; !labelled {
			r.take(k, hold{who: s.who, until: s.now().Add(LeaseTime), soft: true})
		}
	}
	s.soon = slices.Clone(soon)
}

// Renew keeps the item in front for as long again.
func (s *Claim) Renew() {
	r := s.state
	r.mu.Lock()
	late := s.front != nil && !s.displaced.Load() && s.now().Sub(s.renewed) > LeaseTime/8
	k := s.front
	r.mu.Unlock()
	if late {
		s.Take(*k)
	}
}

// Side reports whether a pair is shown swapped; first decides by how many more
// of the others see it swapped than not.
func (s *Claim) Side(k ItemKey, first func(n int) bool) bool {
	r := s.state
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.crowds[k].Sides - s.mine[k].Side
	var own *hold
	for i := range r.holds[k] {
		switch h := &r.holds[k][i]; {
		case h.who == s.who && !h.away:
			own = h
		case h.who != s.who && !h.soft && h.until.After(s.now()):
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
func (s *Claim) Version() int64 { return s.state.version.Load() }

// Displaced reports whether this person sits elsewhere now.
func (s *Claim) Displaced() bool { return s.displaced.Load() }

// Leave gives the seat up and frees what was kept for this person; nil is no
// seat. It may be left before a session has begun.
func (s *Claim) Leave() {
	if s == nil {
		return
	}
	r := s.state
	r.mu.Lock()
	if s.displaced.Load() || r.claims[s.who] != s {
		r.mu.Unlock()
		return
	}
	s.release()
	for _, k := range s.soon {
		r.drop(k, s.who, true)
	}
	s.soon = nil
	delete(r.claims, s.who)
	switch {
	case s.mine != nil:
		r.past[s.who] = s.mine
	case s.past != nil: // it was not begun
		r.past[s.who] = s.past
	}
	r.version.Add(1)
	r.mu.Unlock()
	s.pool.note(s, false, true)
}

// lease is what is kept of the seat.
func (s *Claim) lease() (QueueName, Lease) {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	now := s.state.claims[s.who] // whoever sat down since
	l := Lease{Who: s.who}
	if now != nil && now.front != nil {
		l.Item, l.Until = *now.front, now.renewed.Add(LeaseTime)
	}
	return s.state.queue.Name, l
}

func (s *Claim) now() time.Time {
	if s.pool == nil {
		return time.Time{}
	}
	return s.pool.now()
}
