package session

import (
	"crypto/sha256"
	"encoding/binary"

	"concord/annotate"
)

// Swapped reports whether a pair is shown to this annotator with the answer of
// its Against first. Who has voted on it sees it again as they saw it. Else it
// is the order that fewer of the others have voted in, or are looking at, so
// that over people the two orders are balanced (MLLM-Bench, App. F.1); where
// they are equal, the queue's seed decides, for each item and annotator anew.
func (s *Session) Swapped(k annotate.ItemKey) bool {
	if l, ok := s.Own.state.Labels[k]; ok {
		return l.Reading.Swapped
	}
	for i := len(s.Own.acts) - 1; i >= 0; i-- {
		if a := &s.Own.acts[i]; a.Item == k && a.Reading.Verdict == annotate.Voted {
			return a.Reading.Swapped
		}
	}
	return s.Walk.claim.Side(k, func(more int) bool {
		if more != 0 {
			return more < 0
		}
		b := binary.BigEndian.AppendUint64(nil, k.Hash(s.Own.queue.Rule.Seed))
		sum := sha256.Sum256(append(b, s.Own.who...))
		return sum[0]&1 == 1
	})
}
