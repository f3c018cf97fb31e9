package annotate

import (
	"slices"
	"time"

	"concord/eval"
)

// Cause is why people's reading of an item and a machine's differ, once
// somebody has settled it (MMBench App. D.1). The zero value is unset.
type Cause uint8

// The causes.
const (
	CauseUnset     Cause = iota
	PersonRight          // people read it right
	JudgeRight           // the machine did
	AmbiguousCause       // the answer bears both readings
	BothWrong            // neither did
)

var causeNames = []string{"", "person_right", "judge_right", "ambiguous", "both_wrong"}

// String returns the name that reports and exports use.
func (c Cause) String() string { return eval.NameOf(causeNames, c) }

// ParseCause reads what String writes.
func ParseCause(s string) (Cause, error) {
	return eval.ParseName[Cause](causeNames, s, "cause")
}

// Causes are all causes, in the order in which they are shown.
func Causes() []Cause { return []Cause{PersonRight, JudgeRight, AmbiguousCause, BothWrong} }

// Ruling is what stands of one adjudicator's acts on one item: derived, never
// stored. It is no label: it counts in no tally, takes nobody's place, and
// enters a consensus under Adjudicated alone.
type Ruling struct {
	Queue     QueueName
	Annotator Annotator // the adjudicator
	Item      ItemKey
	Reading   Reading
	Cause     Cause
	Note      string
	Informed  bool // given after its adjudicator was shown something of it
	Imported  bool
	At        time.Time
	Spent     time.Duration
}

// Says is why people and one machine differ on the item, by the final reading.
// That settles who is right, also where several machines differ from people
// in different ways; that the answer bears both readings is the adjudicator's
// own word.
func (r *Ruling) Says(people Reading, machine eval.Extraction) Cause {
	final, p, m := sideOf(r.Reading), sideOf(people), sideOfMachine(machine)
	switch {
	case p == m:
		return CauseUnset
	case r.Cause == AmbiguousCause, r.Reading.Verdict == SaidAmbiguous && final != p && final != m:
		return AmbiguousCause
	case final == p:
		return PersonRight
	case final == m:
		return JudgeRight
	}
	return BothWrong
}

// RulingOf is the ruling that stands of several adjudicators' on one item, the
// first when they settle it alike. Where they differ none does.
func RulingOf(rulings []Ruling) (Ruling, bool) {
	if len(rulings) == 0 {
		return Ruling{}, false
	}
	first := sideOf(rulings[0].Reading)
	if slices.ContainsFunc(rulings, func(r Ruling) bool { return sideOf(r.Reading) != first }) {
		return Ruling{}, false
	}
	return rulings[0], true
}

// SameClass reports whether two readings come to the same where they are
// compared: the same option, or neither one option.
func SameClass(a, b Reading) bool { return sideOf(a) == sideOf(b) }

// Answered reports whether the item has a label or a ruling.
func (s *State) Answered(k ItemKey) bool {
	if _, ok := s.Labels[k]; ok {
		return true
	}
	_, ok := s.Rulings[k]
	return ok
}
