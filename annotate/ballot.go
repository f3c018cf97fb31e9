package annotate

import (
	"time"

	"concord/eval"
)

// PersonVote is what stands of one person's acts on one pair, as a vote:
// derived, never stored.
type PersonVote struct {
	Queue     QueueName
	Annotator Annotator
	Pair      eval.Pair // in the order in which it was shown
	Vote      eval.Vote // of the answers in that order
	Criteria  string    // the hash of the criteria that were shown; "" for none
	Flagged   bool      // marked for a second look
	Excluded  bool      // the pair was excluded: reports leave it out, and count it
	Informed  bool      // given after its person was shown something of the pair, so it is no blind one
	Imported  bool
	At        time.Time
	Spent     time.Duration
}

// Vote is the label as a vote; false when it is none.
func (l *Label) Vote() (PersonVote, bool) {
	if l.Reading.Verdict != Voted || l.Item.Against == 0 {
		return PersonVote{}, false
	}
	pair := eval.Pair{Sample: l.Item.Sample, First: l.Item.Run, Second: l.Item.Against}
	if l.Reading.Swapped {
		pair = pair.Swapped()
	}
	return PersonVote{
		Queue: l.Queue, Annotator: l.Annotator, Pair: pair, Vote: l.Reading.Vote, Criteria: l.Reading.Criteria,
		Flagged: l.Flagged, Excluded: l.Excluded, Informed: l.Informed, Imported: l.Imported, At: l.At, Spent: l.Spent,
	}, true
}

// Ballots are the votes of one annotator in one queue that stand, in the order
// of the items.
func Ballots(st State, items []QueueItem) []PersonVote {
	var out []PersonVote
	for i := range items {
		l, ok := st.Labels[items[i].Key]
		if !ok {
			continue
		}
		if v, ok := l.Vote(); ok {
			out = append(out, v)
		}
	}
	return out
}
