package accuracy

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"concord/annotate"
	"concord/annotate/agree"
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

// ReportReplacing tests of each judge of open answers whether its scores may take the
// place of a person's.
func ReportReplacing(ctx context.Context, facts ScoreFacts, o report.Options, epsilon float64) (report.Report, error) {
	runs, err := facts.Runs()
	if err != nil {
		return report.Report{}, fmt.Errorf("list runs: %w", err)
	}
	people, rows := make(map[eval.DatasetName]*peopleGrades), make(map[[2]string]*report.ReplacingRow)
	for _, r := range runs {
		on := r.Config.Dataset
		if !o.IncludesRun(r) {
			continue
		}
		if people[on] == nil {
			if people[on], err = readPeopleGrades(ctx, facts, on); err != nil {
				return report.Report{}, err
			}
		}
		scores, err := readJudgeScores(ctx, facts, r.ID, o.Judge)
		if err != nil {
			return report.Report{}, err
		}
		for _, judge := range scores.names {
			k := [2]string{string(on), judge}
			if rows[k] == nil {
				rows[k] = &report.ReplacingRow{Dataset: on, Judge: judge}
			}
			people[on].addBeside(rows[k], scores.last[judge])
		}
	}
	all := slices.SortedFunc(maps.Values(rows), func(a, b *report.ReplacingRow) int {
		return cmp.Or(cmp.Compare(a.Dataset, b.Dataset), cmp.Compare(a.Judge, b.Judge))
	})
	return report.NewReplacingReport(all, epsilon, "a judge's scores of open answers (concord judge scores)")
}

// addBeside adds the answers that a judge scored, with people's scores that count.
func (g *peopleGrades) addBeside(to *report.ReplacingRow, scores map[eval.Key]eval.Score) {
	for _, k := range slices.SortedFunc(maps.Keys(scores), report.CompareKeys) {
		said := g.of[k]
		if v := scores[k].Value; said != nil && !said.excluded && v >= 1 && v <= eval.TopScore {
			one := agree.RatedItem{Judge: agree.Saying{Number: float64(v), Numeric: true}, People: make(map[string]agree.Saying)}
			for who, score := range said.scores {
				one.People[string(who)] = agree.Saying{Number: float64(score), Numeric: true}
			}
			to.Items = append(to.Items, one)
		}
	}
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
