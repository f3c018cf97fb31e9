package accuracy

import (
	"context"
	"fmt"

	"concord/annotate"
	"concord/annotate/report"
	"concord/eval"
)

// graders are the people who scored open answers of a dataset.
type graders struct {
	of       map[eval.Key]*grades
	excluded []report.ExcludedItem
}

// grades are the scores of one answer that count: blind ones, of queues drawn
// at random. Of several by one person the one in the last queue stands.
type grades struct {
	scores             map[annotate.Annotator]int
	excluded, informed bool
}

func gradersOf(ctx context.Context, facts report.Facts, name eval.DatasetName) (*graders, error) {
	queues, err := facts.Queues()
	if err != nil {
		return nil, fmt.Errorf("list queues: %w", err)
	}
	out := &graders{of: make(map[eval.Key]*grades)}
	for i := range queues {
		q := &queues[i]
		if q.Rule.Dataset != name || q.Rule.From == annotate.FromPairs {
			continue
		}
		states, err := report.StatesOf(ctx, facts, q.Name)
		if err != nil {
			return nil, err
		}
		excluded, err := report.ExcludedItems(facts, q, states)
		if err != nil {
			return nil, err
		}
		out.excluded = append(out.excluded, excluded...)
		gold, err := report.AddedTo(ctx, facts, q)
		if err != nil {
			return nil, err
		}
		for who, st := range states {
			for k, l := range st.Labels {
				if l.Reading.Verdict == annotate.Scored && k.Against == 0 && !gold[k] {
					out.add(k.Key, who, &l, q.Stratum == annotate.Random)
				}
			}
		}
	}
	return out, nil
}

func (g *graders) add(k eval.Key, who annotate.Annotator, l *annotate.Label, random bool) {
	at := g.of[k]
	if at == nil {
		at = &grades{scores: make(map[annotate.Annotator]int)}
		g.of[k] = at
	}
	switch {
	case l.Excluded:
		at.excluded = true
	case l.Informed:
		at.informed = true
	case random:
		at.scores[who] = l.Reading.Score
	}
}
