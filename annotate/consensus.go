package annotate

import (
	"cmp"
	"fmt"
	"slices"

	"concord/annotate/correct"
	"concord/eval"
	"concord/eval/stat"
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
	DawidSkene         // the most probable, by a model of people's errors over all items (Basis.FitModel)
)

var policyNames = []string{"", "unanimous", "majority", "plurality", "adjudicated", "dawid-skene"}

// String returns the name that flags and reports use.
func (p Policy) String() string { return eval.EnumName(policyNames, p) }

// ParsePolicy reads what String writes.
func ParsePolicy(s string) (Policy, error) { return eval.ParseEnum[Policy](policyNames, s, "policy") }

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
func (u Undecided) String() string { return eval.EnumName(undecidedNames, u) }

// ParseUndecided reads what String writes.
func ParseUndecided(s string) (Undecided, error) {
	return eval.ParseEnum[Undecided](undecidedNames, s, "undecided policy")
}

// Consensus is what a set of people agreed on. Classes are compared, not verdicts: one who says none
// and one who says refused agree that it is not one option (MMBench App. D.1). Reading keeps the finer
// kind that most of the agreeing people gave, the first of the enumeration when they tie.
type Consensus struct {
	Reading Reading
	Votes   int // who say so
	Of      int // who labelled the item
}

// ResolveReadings gives the consensus of readings under a policy, and false when there is
// none. Nobody's reading is no consensus.
func ResolveReadings(readings []Reading, p Policy) (Consensus, bool) {
	return ResolveWithRuling(readings, nil, p)
}

// ResolveWithRuling is Agreed beside an adjudicator's ruling, nil without one, which
// counts under Adjudicated alone.
func ResolveWithRuling(readings []Reading, ruling *Reading, p Policy) (Consensus, bool) {
	sides := eval.Map(readings, newPersonSide)
	var ruled *comparedSide
	if ruling != nil {
		s := newPersonSide(*ruling)
		ruled = &s
	}
	got, ok := ResolveWords(sides, ruled, p)
	out := Consensus{Votes: got.Votes, Of: got.Of}
	switch {
	case !ok:
		return out, false
	case got.Ruled:
		out.Reading = *ruling
	default:
		out.Reading = representativeReading(readings, got.Word)
	}
	return out, true
}

// comparedSide is a reading as it is compared: an option, or not one option. It keeps the two
// apart by a flag, because "X" is an option's letter too when there are 24 of them.
type comparedSide struct {
	option bool
	choice eval.Choice
	open   bool // people came to nothing: a class of its own
}

func newPersonSide(r Reading) comparedSide {
	picked := r.Kind == PickedOption
	return comparedSide{option: picked, choice: eval.Either(picked, r.Choice, ""), open: r.Kind == ReadingUnset}
}

func newMachineSide(e eval.Extraction) comparedSide {
	return eval.Either(e.IsFound(), comparedSide{option: true, choice: e.Choice}, comparedSide{})
}

// className names a side for coefficients, which compare names.
func (s comparedSide) className() string {
	switch {
	case s.option:
		return string(s.choice)
	case s.open:
		return "(undecided)"
	}
	return "(none)"
}

func representativeReading(readings []Reading, s comparedSide) Reading {
	if s.option {
		return Reading{Kind: PickedOption, Choice: s.choice}
	}
	count := make(map[ReadingKind]int)
	for _, r := range readings {
		if newPersonSide(r) == s {
			count[r.Kind]++
		}
	}
	verdicts := []ReadingKind{SaidNone, SaidAmbiguous, SaidRefused}
	slices.SortStableFunc(verdicts, func(a, b ReadingKind) int { return cmp.Compare(count[b], count[a]) })
	return Reading{Kind: verdicts[0]}
}

// Resolved holds what words about one item come to: people's readings, votes or any other classes.
type Resolved[T comparable] struct {
	Word  T
	Votes int  // who say it
	Of    int  // who had a say
	Ruled bool // an adjudicator's word
}

// ResolveWords gives what words come to under a policy, and false where they stay
// open. A ruling is the adjudicator's word on the item, nil without one, and
// counts under Adjudicated alone. Without words nothing is resolved.
func ResolveWords[T comparable](words []T, ruling *T, p Policy) (Resolved[T], bool) {
	out := Resolved[T]{Of: len(words)}
	votes := make(map[T]int)
	for _, w := range words {
		votes[w]++
	}
	second := 0
	for w, n := range votes {
		switch {
		case n > out.Votes:
			second = out.Votes
			out.Word, out.Votes = w, n
		case n > second:
			second = n
		}
	}
	decided := false
	switch p {
	case Unanimous:
		decided = out.Votes > 0 && out.Votes == out.Of
	case Majority:
		decided = 2*out.Votes > out.Of
	case Plurality:
		decided = out.Votes > second
	case Adjudicated:
		if ruling != nil {
			return Resolved[T]{Word: *ruling, Votes: votes[*ruling], Of: out.Of, Ruled: true}, true
		}
		decided = out.Votes > 0 && out.Votes == out.Of
	case PolicyUnset, DawidSkene: // the latter takes all items
	}
	if !decided {
		return Resolved[T]{Of: out.Of}, false
	}
	return out, true
}

// Adjudication is what adjudicators' rulings make of an extractor's figures.
//
// Adjudicators are asked about what people and machines read differently: a
// machine that errs as people do is not found out there, so that Alignment is too
// high on average unless agreements are adjudicated, too (a true 90 % comes out as
// 93 %): it is Optimistic then. Estimate has no such errors on average.
type Adjudication struct {
	Items      int       `json:"items"`                  // with a ruling
	Agreed     int       `json:"agreements"`             // items on which people alone agree with the extractor
	Checked    int       `json:"agreements_adjudicated"` // of Agreed: with a ruling
	Optimistic bool      `json:"optimistic"`             // agreements are left unchecked
	Alignment  stat.Rate `json:"alignment"`              // under Adjudicated: with the ruling, or with people who all say the same

	// Audited are the agreements of the random share that is adjudicated whether anybody
	// differs or not, Rulings how many of them are, and Overturned how many of these both sides
	// had wrong. Estimate is the alignment in which they stand for all agreements.
	Audited    int           `json:"-"`
	Rulings    int           `json:"agreements_at_random"`
	Overturned int           `json:"agreements_overturned"`
	Estimate   stat.Estimate `json:"estimate"`

	CaseTwo CaseTwoCauses `json:"case_two"`
}

// CaseTwoCauses split the items on which people and the machine read two
// different options by who turned out to be right (MMBench App. D.1). They sum
// to the Case II items as people alone made them, before any ruling.
type CaseTwoCauses struct {
	PersonRight int `json:"person_right"`
	JudgeRight  int `json:"judge_right"`
	Ambiguous   int `json:"ambiguous"`
	BothWrong   int `json:"both_wrong"`
	Open        int `json:"not_adjudicated"`
}

func (c *CaseTwoCauses) counterOf(cause Cause) *int {
	switch cause {
	case PersonRight:
		return &c.PersonRight
	case JudgeRight:
		return &c.JudgeRight
	case AmbiguousCause:
		return &c.Ambiguous
	case BothWrong:
		return &c.BothWrong
	case CauseUnset:
	}
	return &c.Open
}

// WithoutRulings gives the basis as it is before anybody settles anything.
func (b Basis) WithoutRulings() Basis {
	if b.Policy == Adjudicated {
		b.Policy = Unanimous
	}
	return b
}

// FindCause finds why people and the extractor differ on an item, by its ruling;
// false where they do not differ by the basis, or nobody has settled it.
func (b Basis) FindCause(it *AlignItem, x *Extractor) (Cause, bool) {
	if it.Ruling == nil {
		return CauseUnset, false
	}
	c := b.WithoutRulings().CompareItem(it, x)
	if c.LeftOut != "" || c.Alignment == Aligned {
		return CauseUnset, false
	}
	return it.Ruling.CauseFor(c.People, c.Machine), true
}

func (b Basis) computeAdjudication(items []AlignItem, x *Extractor) *Adjudication {
	if !slices.ContainsFunc(items, func(it AlignItem) bool { return it.Ruling != nil }) {
		return nil
	}
	out := new(Adjudication)
	before, after := b.WithoutRulings(), Basis{Policy: Adjudicated, Undecided: b.Undecided}
	all := stat.Clusters{Sequence: b.isOngoing(items)}
	disputed, agreed := correct.Stratum{Name: "disagreements"}, correct.Stratum{Name: "agreements"}
	for i := range items {
		it := &items[i]
		if it.Ruling != nil {
			out.Items++
		}
		said := correct.Item{Cluster: it.ClusterNumber() + 1}
		ruled := after.CompareItem(it, x)
		if ruled.LeftOut == "" {
			if ruled.Alignment == Aligned {
				said.People = 1
			}
			all.AddToCluster(it.ClusterNumber(), said.People, 1)
		}
		c := before.CompareItem(it, x)
		switch {
		case c.Alignment == Aligned:
			out.Agreed++
			if it.Ruling != nil {
				out.Checked++
			}
			if said.Machine = 1; !it.Audited {
				agreed.Unlabelled, agreed.UnlabelledIn = append(agreed.Unlabelled, 1), append(agreed.UnlabelledIn, said.Cluster)
				break
			}
			if out.Audited++; it.Ruling != nil && ruled.LeftOut == "" {
				out.Rulings++
				out.Overturned += 1 - int(said.People)
				agreed.Labelled = append(agreed.Labelled, said)
			}
		case ruled.LeftOut == "":
			disputed.Labelled = append(disputed.Labelled, said)
		}
		if c.Alignment == CaseTwo {
			cause, _ := b.FindCause(it, x)
			*out.CaseTwo.counterOf(cause)++
		}
	}
	out.Alignment, out.Optimistic = all.Rate(nothingCompared), out.Checked < out.Agreed
	out.Estimate = out.estimateByStrata(&disputed, &agreed, all.Sequence)
	return out
}

// estimateByStrata estimates the alignment by strata: what was adjudicated of disagreements is all
// that there is, and of agreements it is the random share.
func (s *Adjudication) estimateByStrata(disputed, agreed *correct.Stratum, sequence bool) stat.Estimate {
	switch {
	case s.Rulings < s.Audited:
		return stat.NewUndefinedEstimate(fmt.Sprintf("%d of the %d agreements of the random share are not adjudicated", s.Audited-s.Rulings, s.Audited))
	case s.Rulings < correct.Fewest:
		return stat.NewUndefinedEstimate(fmt.Sprintf("a random share of %d agreements is adjudicated, and it takes %d", s.Rulings, correct.Fewest))
	}
	return correct.ComputeScore([]correct.Stratum{*disputed, *agreed}, correct.Options{High: 1, Confidence: stat.Confidence, Sequence: sequence}).Corrected
}

// ResolveMajorityVote gives what people's votes on one pair come to, all of them seen with the
// answers in one order (MLLM-Bench, App. F.1): the answer that more of them prefer, unless more
// were unable to decide than prefer either. False is "unable to decide", also of no votes.
func ResolveMajorityVote(votes []eval.Vote) (eval.Vote, bool) {
	var n [eval.Votes]int
	for _, v := range votes {
		n[v]++
	}
	first, second := n[eval.Answer1], n[eval.Answer2]
	unable := n[eval.SituationOne] + n[eval.SituationTwo]
	switch {
	case first == second || unable > max(first, second):
		return eval.VoteUnset, false
	case first > second:
		return eval.Answer1, true
	}
	return eval.Answer2, true
}
