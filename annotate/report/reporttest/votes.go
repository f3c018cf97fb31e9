package reporttest

import (
	"context"
	"iter"
	"slices"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

// Votes holds facts with votes, in memory.
type Votes struct {
	*Memory
	Prefs  []eval.Preference
	People []annotate.PersonVote
	Sets   []criteria.Set
}

// PeoplesVotes gives what people voted.
func (p *Votes) PeoplesVotes(context.Context, eval.DatasetName) ([]annotate.PersonVote, error) {
	return p.People, nil
}

// CriteriaSets yields the criteria of samples.
func (p *Votes) CriteriaSets(context.Context, eval.DatasetName) iter.Seq2[criteria.Set, error] {
	return Each(p.Sets)
}

// Comparisons lists those that have a vote.
func (p *Votes) Comparisons(context.Context) (out []eval.ComparisonProgress, err error) {
	for i := range p.Prefs {
		c := p.Prefs[i].Comparison()
		if !slices.ContainsFunc(out, func(o eval.ComparisonProgress) bool { return o.Comparison == c }) {
			out = append(out, eval.ComparisonProgress{Comparison: c})
		}
	}
	return out, nil
}

// Votes yields those of a comparison.
func (p *Votes) Votes(_ context.Context, c eval.Comparison) iter.Seq2[eval.Preference, error] {
	var out []eval.Preference
	for i := range p.Prefs {
		if p.Prefs[i].Comparison() == c {
			out = append(out, p.Prefs[i])
		}
	}
	return Each(out)
}

// Vote adds a vote of a judge that sees the picture, and gives it to be changed.
func (p *Votes) Vote(sample eval.Ordinal, first, second eval.RunID, v eval.Vote) *eval.Preference {
	p.Prefs = append(p.Prefs, eval.Preference{
		Pair: eval.Pair{Sample: sample, First: first, Second: second}, Ballot: eval.Ballot{Judge: "gpt", Input: eval.SeesImage}, Vote: v,
	})
	return &p.Prefs[len(p.Prefs)-1]
}
