package pairwise

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
)

// method is one way in which a judge was asked, and the votes that stand, with
// the pair's first run shown first and second.
type method struct {
	eval.Ballot
	votes map[eval.Pair]*[2]*eval.Preference
}

// methods are those by which any pair of the pool was judged.
func (p *pool) methods(ctx context.Context, facts report.VoteFacts, o *AgreementOptions) ([]*method, error) {
	type runs struct{ first, second eval.RunID }
	sides := make(map[runs]bool)
	for _, e := range p.entries {
		sides[runs{e.pair.First, e.pair.Second}] = true
	}
	contests, err := facts.Comparisons(ctx)
	if err != nil {
		return nil, fmt.Errorf("list comparisons: %w", err)
	}
	byBallot := make(map[eval.Ballot]*method)
	d := &comparisons{facts: facts}
	for _, c := range contests {
		if o.Judge != "" && o.Judge != c.Judge {
			continue
		}
		for _, side := range []runs{{c.A, c.B}, {c.B, c.A}} {
			if !sides[side] {
				continue
			}
			t := contested{Comparison: c.Comparison, model: eval.Run{ID: side.first}, anchor: eval.Run{ID: side.second}}
			votes, err := d.votes(ctx, &t)
			if err != nil {
				return nil, err
			}
			m := byBallot[c.Ballot]
			if m == nil {
				m = &method{Ballot: c.Ballot, votes: make(map[eval.Pair]*[2]*eval.Preference)}
				byBallot[c.Ballot] = m
			}
			for sample, v := range votes {
				m.votes[eval.Pair{Sample: sample, First: side.first, Second: side.second}] = v
			}
		}
	}
	out := make([]*method, 0, len(byBallot))
	for _, m := range byBallot {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b *method) int { return compareBallots(a.Ballot, b.Ballot) })
	return out, nil
}

func compareBallots(a, b eval.Ballot) int {
	return cmp.Or(cmp.Compare(a.Judge, b.Judge), cmp.Compare(a.Input, b.Input), cmp.Compare(a.Repeat, b.Repeat), report.CompareBools(a.Criteria, b.Criteria))
}

// judged is what the method says of the pair: the merged votes of both orders,
// or the vote of the one that was asked.
func (p *pool) judged(e *entry, m *method) said {
	v := m.votes[e.pair]
	if v == nil {
		return said{why: JudgeNotAsked}
	}
	var out said
	for _, one := range v {
		switch {
		case one == nil:
			out.single = true
			continue
		case !one.Reads():
			out.why = JudgeFailed
		case one.Vote == eval.VoteUnset:
			out.why = cmp.Or(out.why, JudgeUnparsed)
		}
		out.stale = out.stale || m.Criteria && p.stale(e, one.Text)
	}
	if out.why != "" {
		return out
	}
	b := metric.VotePair{First: standing(v[0]), Second: standing(v[1])}
	if out.single {
		out.result = b.Single()
	} else {
		out.result = b.Merge()
	}
	return out
}
