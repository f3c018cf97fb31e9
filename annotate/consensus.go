package annotate

import (
	"cmp"
	"slices"

	"concord/eval"
)

// Policy is when a set of people has agreed. The zero value is unset.
type Policy uint8

// The policies.
const (
	PolicyUnset Policy = iota
	Unanimous          // all say the same
	Majority           // more than half say the same
	Plurality          // more say it than anything else; a tie stays open
	Adjudicated        // all say the same, or an adjudicator has settled it
	DawidSkene         // the most probable, by a model of people's errors over all items (Basis.Fitted)
)

var policyNames = []string{"", "unanimous", "majority", "plurality", "adjudicated", "dawid-skene"}

// String returns the name that flags and reports use.
func (p Policy) String() string { return eval.NameOf(policyNames, p) }

// ParsePolicy reads what String writes.
func ParsePolicy(s string) (Policy, error) {
	return eval.ParseName[Policy](policyNames, s, "policy")
}

// Undecided is what becomes of an item on which people did not agree. It moves
// figures, so it is named beside them. The zero value is unset.
type Undecided uint8

// What can become of undecided items.
const (
	UndecidedUnset Undecided = iota
	Dropped                  // left out, and counted
	CountedAsNone            // taken as none of the options, the paper's X, or as a tie
	OwnClass                 // a class of its own, which nobody gives: never aligned
)

var undecidedNames = []string{"", "dropped", "none", "own"}

// String returns the name that flags and reports use.
func (u Undecided) String() string { return eval.NameOf(undecidedNames, u) }

// ParseUndecided reads what String writes.
func ParseUndecided(s string) (Undecided, error) {
	return eval.ParseName[Undecided](undecidedNames, s, "undecided policy")
}

// Consensus is what a set of people agreed on. Classes are compared, not
// verdicts: one who says none and one who says refused agree that it is not
// one option (MMBench App. D.1). Reading keeps the finer verdict that most of
// the agreeing people gave, the first of the enumeration when they tie.
type Consensus struct {
	Reading Reading
	Votes   int // who say so
	Of      int // who labelled the item
}

// Agreed is the consensus of readings under a policy, and false when there is
// none. Nobody's reading is no consensus.
func Agreed(readings []Reading, p Policy) (Consensus, bool) { return AgreedWith(readings, nil, p) }

// AgreedWith is Agreed beside an adjudicator's ruling, nil without one, which
// counts under Adjudicated alone.
func AgreedWith(readings []Reading, ruling *Reading, p Policy) (Consensus, bool) {
	sides := make([]side, len(readings))
	for i, r := range readings {
		sides[i] = sideOf(r)
	}
	var ruled *side
	if ruling != nil {
		s := sideOf(*ruling)
		ruled = &s
	}
	got, ok := Resolve(sides, ruled, p)
	out := Consensus{Votes: got.Votes, Of: got.Of}
	switch {
	case !ok:
		return out, false
	case got.Ruled:
		out.Reading = *ruling
	default:
		out.Reading = finest(readings, got.Word)
	}
	return out, true
}

// side is a reading as it is compared: an option, or not one option. It keeps
// the two apart by a flag, because "X" is an option's letter too when there
// are 24 of them.
type side struct {
	option bool
	choice eval.Choice
	open   bool // people came to nothing: a class of its own
}

func sideOf(r Reading) side {
	switch r.Verdict {
	case PickedOption:
		return side{option: true, choice: r.Choice}
	case VerdictUnset:
		return side{open: true}
	case SaidNone, SaidAmbiguous, SaidRefused, Voted, Scored:
	}
	return side{}
}

func sideOfMachine(e eval.Extraction) side {
	if e.IsFound() {
		return side{option: true, choice: e.Choice}
	}
	return side{}
}

// class names a side for coefficients, which compare names.
func (s side) class() string {
	switch {
	case s.option:
		return string(s.choice)
	case s.open:
		return "(undecided)"
	}
	return "(none)"
}

// finest is the reading that stands for all of one side.
func finest(readings []Reading, s side) Reading {
	if s.option {
		return Reading{Verdict: PickedOption, Choice: s.choice}
	}
	count := make(map[Verdict]int)
	for _, r := range readings {
		if sideOf(r) == s {
			count[r.Verdict]++
		}
	}
	verdicts := []Verdict{SaidNone, SaidAmbiguous, SaidRefused}
	slices.SortStableFunc(verdicts, func(a, b Verdict) int { return cmp.Compare(count[b], count[a]) })
	return Reading{Verdict: verdicts[0]}
}
