package audit

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"concord/eval"
)

// Seq is a sequence of events in an order of its own.
type Seq = iter.Seq2[Event, error]

// MergeSeqs tells several sequences as one, by time, each in its own order: an
// event that its clock puts before the one ahead of it in its sequence comes
// right behind that one. Of events of one time those of the earlier sequence
// come first. Each sequence is read one event ahead, and the first error ends
// all.
func MergeSeqs(all ...Seq) Seq {
	return func(yield func(Event, error) bool) {
		var m seqHeads
		for i, s := range all {
			next, stop := iter.Pull2(s)
			defer stop()
			if err := m.advance(&seqHead{place: i, next: next}); err != nil {
				yield(Event{}, err)
				return
			}
		}
		for len(m) > 0 {
			h := m[0]
			if !yield(h.event, nil) {
				return
			}
			m = slices.Delete(m, 0, 1)
			if err := m.advance(h); err != nil {
				yield(Event{}, err)
				return
			}
		}
	}
}

// seqHead is a sequence and the event that it is at.
type seqHead struct {
	event Event
	at    time.Time // never before that of the event ahead of it
	place int
	next  func() (Event, error, bool)
}

// compare orders sequences by the events that they are at.
func (h *seqHead) compare(o *seqHead) int {
	return cmp.Or(h.at.Compare(o.at), cmp.Compare(h.place, o.place))
}

// seqHeads are the sequences that are not at their ends, in their order.
type seqHeads []*seqHead

func (m *seqHeads) advance(h *seqHead) error {
	e, err, ok := h.next()
	if !ok || err != nil {
		return err
	}
	if h.event = e; e.At.After(h.at) {
		h.at = e.At
	}
	at, _ := slices.BinarySearchFunc(*m, h, (*seqHead).compare)
	*m = slices.Insert(*m, at, h)
	return nil
}

// MergeSorted is short sequences, all in memory, as Merge would tell them.
func MergeSorted(all [][]Event) []Event {
	type timed struct {
		Event
		at time.Time
	}
	var out []timed
	for _, seq := range all {
		var at time.Time
		for _, e := range seq {
			if e.At.After(at) {
				at = e.At
			}
			out = append(out, timed{e, at})
		}
	}
	slices.SortStableFunc(out, func(a, b timed) int { return a.at.Compare(b.at) })
	return eval.Map(out, func(t timed) Event { return t.Event })
}

// NewSeq gives a sequence of events that are in memory.
func NewSeq(events []Event) Seq {
	return func(yield func(Event, error) bool) {
		for i := range events {
			if !yield(events[i], nil) {
				return
			}
		}
	}
}

// LastEvents are the last n events of a sequence.
func LastEvents(all Seq, n int) ([]Event, error) {
	ring := make([]Event, 0, min(n, 1024))
	at := 0
	for e, err := range all {
		switch {
		case err != nil:
			return nil, err
		case len(ring) < n:
			ring = append(ring, e)
		default:
			ring[at] = e
			at = (at + 1) % n
		}
	}
	return append(slices.Clone(ring[at:]), ring[:at]...), nil
}
