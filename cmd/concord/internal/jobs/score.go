package jobs

import (
	"context"
	"fmt"

	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/stat"
)

// scoreSummary is an accuracy as report accuracy has it: the same reading,
// the same rate.
type scoreSummary struct {
	Strategy  string    `json:"strategy"`
	Extractor string    `json:"extractor"`
	Accuracy  stat.Rate `json:"accuracy"`
}

// scores are the accuracies of a run that is done, read as the report that
// its summary points to reads it.
func (rs *runs) scores(ctx context.Context, s *RunSummary) ([]scoreSummary, error) {
	r, err := accuracy.Accuracy(ctx, facts.Source{Store: rs.Store}, report.Options{Runs: []eval.RunID{s.Run}, Judge: s.reader()})
	if err != nil {
		return nil, fmt.Errorf("score run %d: %w", s.Run, err)
	}
	var out []scoreSummary
	for _, row := range r.Rows {
		if a, ok := row.(*accuracy.Row); ok {
			out = append(out, scoreSummary{Strategy: a.Strategy, Extractor: a.Extractor, Accuracy: a.Accuracy})
		}
	}
	return out, nil
}

// text is a score for people.
func (s *scoreSummary) text() string {
	a := s.Accuracy
	if a.Undefined != "" {
		return fmt.Sprintf("%s: none (%s)", s.Strategy, a.Undefined)
	}
	const percent = 100
	return fmt.Sprintf("%s %.1f%% [%.1f, %.1f]  %d/%d, as %s reads it", s.Strategy, percent*a.Value, percent*a.Low, percent*a.High, a.K, a.N, s.Extractor)
}

// cutOff counts the answers that ended at a token limit and are not read.
func (rs *runs) cutOff(ctx context.Context, run eval.Run) (n int, err error) {
	reader, err := facts.ReaderOf(run)
	if err != nil {
		return 0, err
	}
	for q, err := range rs.Store.Runs().Questions(ctx, run) {
		if err != nil {
			return n, err
		}
		for i := range q.Predictions {
			p := &q.Predictions[i]
			if p.Failure == nil && p.Finish == "length" && eval.Read(reader, &q.Sample, p).Status == eval.Missing {
				n++
			}
		}
	}
	return n, nil
}
