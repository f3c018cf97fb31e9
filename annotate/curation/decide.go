package curation

import (
	"cmp"
	"slices"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

// Outcome is what becomes of a candidate. The zero value is open: not as many
// experts as are asked for have spoken.
type Outcome uint8

// The outcomes.
const (
	Open Outcome = iota
	Accepted
	Dropped
	Contested // experts differ, and no side has more than half
)

// Outcomes is how many outcomes there are, for arrays indexed by Outcome.
const Outcomes = int(Contested) + 1

var outcomeNames = []string{"open", "accepted", "dropped", "contested"}

// String returns the name that reports use.
func (o Outcome) String() string { return eval.NameOf(outcomeNames, o) }

// Panel says how many experts decide.
type Panel struct {
	Experts int // that each sample asks for; below 1 is 1
}

func (p Panel) requiredExperts() int { return max(1, p.Experts) }

// Decision is what experts' words come to on a sample.
type Decision struct {
	Outcome Outcome
	Verdict Verdict  // that most of the deciding side give, the first of the enumeration when they tie
	Votes   int      // of the deciding side
	Of      int      // who spoke
	Split   bool     // not all give the same verdict
	Axis    []string // where it belongs; nil: nobody has said
	Loose   bool     // experts place it on different axes, none by more than half: Axis is the dataset's
	Ruled   bool     // an adjudicator settled it
}

// IsDisputed reports whether the experts differ and nobody has settled it.
func (d *Decision) IsDisputed() bool { return !d.Ruled && d.Of > 1 && (d.Split || d.Loose) }

// DecideSample gives what words come to: more than half of at least as many experts as
// the panel asks for accept a sample or drop it, for whatever reason each. A
// ruling, nil without one, prevails. axis is where the dataset has the sample.
func (p Panel) DecideSample(words []ExpertWord, ruling *ExpertWord, axis []string) Decision {
	d := Decision{Of: len(words)}
	sides := make([]bool, len(words))
	for i := range words {
		sides[i] = words[i].Verdict.Accepts()
		d.Split = d.Split || words[i].Verdict != words[0].Verdict
	}
	d.Axis, d.Loose = majorityAxis(words, axis)
	if ruling != nil {
		d.Ruled, d.Verdict, d.Outcome = true, ruling.Verdict, eval.Either(ruling.Verdict.Accepts(), Accepted, Dropped)
		d.Votes = eval.Count(sides, func(side bool) bool { return side == (d.Outcome == Accepted) })
		if ruling.Axis != nil {
			d.Axis, d.Loose = ruling.Axis, false
		}
		return d
	}
	if len(words) < p.requiredExperts() {
		return d
	}
	got, settled := annotate.ResolveWords(sides, nil, annotate.Majority)
	if !settled {
		d.Outcome = Contested
		return d
	}
	d.Outcome, d.Votes = eval.Either(got.Word, Accepted, Dropped), got.Votes
	d.Verdict = mostFrequentVerdict(words, got.Word)
	return d
}

func mostFrequentVerdict(words []ExpertWord, accepts bool) Verdict {
	var n [Verdicts]int
	for i := range words {
		if words[i].Verdict.Accepts() == accepts {
			n[words[i].Verdict]++
		}
	}
	return slices.MaxFunc(AllVerdicts(), func(a, b Verdict) int { return cmp.Compare(n[a], n[b]) })
}

// majorityAxis is the axis that more than half of the experts give, those who left
// the sample where it is among them.
func majorityAxis(words []ExpertWord, axis []string) (got []string, loose bool) {
	keys := eval.Map(words, func(w ExpertWord) string { return criteria.PathKey(w.axisOr(axis)) })
	won, settled := annotate.ResolveWords(keys, nil, annotate.Majority)
	switch {
	case len(words) == 0:
		return axis, false
	case !settled:
		return axis, true
	}
	return words[slices.Index(keys, won.Word)].axisOr(axis), false
}

// axisOr is where the word places a sample that the dataset has at own.
func (w *ExpertWord) axisOr(own []string) []string {
	return eval.Either(w.Axis != nil, w.Axis, own)
}

// StandingRuling is the ruling that stands of several adjudicators' on one sample,
// the first when they settle it alike; nil where they differ, or none has.
func StandingRuling(rulings []ExpertWord) *ExpertWord {
	differs := func(r ExpertWord) bool {
		return r.Verdict.Accepts() != rulings[0].Verdict.Accepts() || !slices.Equal(r.Axis, rulings[0].Axis)
	}
	if len(rulings) == 0 || slices.ContainsFunc(rulings, differs) {
		return nil
	}
	return &rulings[0]
}

// Verdict is what an expert finds of a sample (MMStar, Sec. 4.1): whether it needs
// its image and demands advanced ability. Which ability it covers is its axis. Only
// the first accepts it. The zero value is unset.
type Verdict uint8

// The verdicts.
const (
	VerdictUnset Verdict = iota
	NeedsImage           // it cannot be answered without its picture, nor without advanced ability
	NeedsNone            // it can, by what one knows
	InQuestion           // question or options give the answer away
	Wrong                // the answer is wrong, or the question ambiguous
	Duplicate            // another sample asks the same
	Basic                // it needs its picture, and no advanced ability
)

// Verdicts is how many verdicts there are, for arrays indexed by Verdict.
const Verdicts = int(Basic) + 1

var verdictNames = []string{"", "needs_image", "answerable", "in_question", "wrong", "duplicate", "basic"}

// String returns the name that files and reports use.
func (v Verdict) String() string { return eval.NameOf(verdictNames, v) }

// Accepts reports whether the verdict takes the sample into the benchmark.
func (v Verdict) Accepts() bool { return v == NeedsImage }

// ParseVerdict reads what String writes.
func ParseVerdict(s string) (Verdict, error) {
	return eval.ParseName[Verdict](verdictNames, s, "verdict")
}

// AllVerdicts are the verdicts in the order in which they are shown.
func AllVerdicts() []Verdict {
	return []Verdict{NeedsImage, NeedsNone, InQuestion, Wrong, Duplicate, Basic}
}
