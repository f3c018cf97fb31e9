package accuracy

import (
	"context"
	"fmt"

	"concord/annotate"
	"concord/annotate/report"
	"concord/eval"
)

// peopleGrades are the people who scored open answers of a dataset.
type peopleGrades struct {
	of       map[eval.Key]*answerGrades
	excluded []report.ExcludedItem
}

// answerGrades are the scores of one answer that count: blind ones, of queues drawn
// at random. Of several by one person the one in the last queue stands.
type answerGrades struct {
	scores             map[annotate.Annotator]int
	excluded, informed bool
}

func readPeopleGrades(ctx context.Context, facts report.Facts, name eval.DatasetName) (*peopleGrades, error) {
	queues, err := facts.Queues()
	if err != nil {
		return nil, fmt.Errorf("list queues: %w", err)
	}
	out := &peopleGrades{of: make(map[eval.Key]*answerGrades)}
	for i := range queues {
		q := &queues[i]
		if q.Rule.Dataset != name || q.Rule.From == annotate.FromPairs {
			continue
		}
		states, err := report.ReadStates(ctx, facts, q.Name)
		if err != nil {
			return nil, err
		}
		excluded, err := report.ListExcludedItems(facts, q, states)
		if err != nil {
			return nil, err
		}
		out.excluded = append(out.excluded, excluded...)
		gold, err := report.ReadAddedItems(ctx, facts, q)
		if err != nil {
			return nil, err
		}
		for who, st := range states {
			for k, l := range st.Labels {
				if l.Reading.Kind == annotate.Scored && k.Against == 0 && !gold[k] {
					out.addLabel(k.Key, who, &l, q.Stratum == annotate.Random)
				}
			}
		}
	}
	return out, nil
}

func (g *peopleGrades) addLabel(k eval.Key, who annotate.Annotator, l *annotate.Label, random bool) {
	at := eval.GetOrAdd(g.of, k, func() *answerGrades { return &answerGrades{scores: make(map[annotate.Annotator]int)} })
	switch {
	case l.Excluded:
		at.excluded = true
	case l.Informed:
		at.informed = true
	case random:
		at.scores[who] = l.Reading.Score
	}
}
