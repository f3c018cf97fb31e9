package accuracy

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
)

// lot is what a text-only run decides of a question.
type lot uint8

const (
	lotUncovered lot = iota // it has not decided it
	lotKept                 // it does not answer it right
	lotDropped              // it answers it right
	lotTruthless            // there is no ground truth
)

// solved is which questions a text-only run answers right, by its own strategy.
type solved struct {
	run    eval.Run
	source report.Source
	lots   []lot // by the sample's ordinal
}

func (s *solved) lot(o eval.Ordinal) lot {
	if int(o) >= len(s.lots) {
		return lotUncovered
	}
	return s.lots[o]
}

// coverage counts the questions of a split.
type coverage struct {
	kept, dropped, truthless int
	uncovered                []unsolved
}

// unsolved is a question that the text-only run has not decided.
type unsolved struct {
	at eval.Ordinal
	id eval.SampleID
}

// kept yields the questions that the text-only run does not answer right, and
// counts all.
func (s *solved) kept(questions report.Questions, counts map[string]*coverage) report.Questions {
	return func(yield func(eval.Question, error) bool) {
		for q, err := range questions {
			if err != nil {
				yield(q, err)
				return
			}
			c := counts[q.Sample.Split]
			if c == nil {
				c = &coverage{}
				counts[q.Sample.Split] = c
			}
			switch s.lot(q.Sample.Ordinal) {
			case lotKept:
				c.kept++
				if !yield(q, nil) {
					return
				}
			case lotDropped:
				c.dropped++
			case lotTruthless:
				c.truthless++
			case lotUncovered:
				c.uncovered = append(c.uncovered, unsolved{q.Sample.Ordinal, q.Sample.ID})
			}
		}
	}
}

// textRuns reads the text-only run that the options name, one for each dataset
// when they name a model; none without a name.
func textRuns(ctx context.Context, facts report.Facts, o *report.Options) (map[eval.DatasetName]*solved, error) {
	if o.TextOnly == "" {
		return nil, nil
	}
	runs, err := facts.Runs()
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	chosen, err := chooseText(runs, o)
	if err != nil {
		return nil, err
	}
	out := make(map[eval.DatasetName]*solved)
	for _, r := range chosen {
		if out[r.Config.Dataset], err = solve(ctx, facts, r, o); err != nil {
			return nil, fmt.Errorf("read text-only run %d: %w", r.ID, err)
		}
	}
	return out, nil
}

// chooseText finds the text-only runs that are meant, at most one a dataset.
func chooseText(runs []eval.Run, o *report.Options) ([]eval.Run, error) {
	id, err := strconv.ParseUint(o.TextOnly, 10, 64)
	byID := err == nil && !slices.ContainsFunc(runs, func(r eval.Run) bool { return r.Config.Model == o.TextOnly })
	var chosen []eval.Run
	var there []string
	taken := make(map[eval.DatasetName]eval.RunID)
	for _, r := range runs {
		if report.Blind(&r) {
			there = append(there, fmt.Sprintf("%d (%s on %s)", r.ID, r.Config.Model, r.Config.Dataset))
		}
		switch {
		case byID && r.ID != eval.RunID(id), !byID && (r.Config.Model != o.TextOnly || !report.Blind(&r)), o.Dataset != "" && r.Config.Dataset != o.Dataset:
			continue
		case !report.Blind(&r):
			return nil, fmt.Errorf("use run %d as a text-only run: it was shown the images", r.ID)
		case taken[r.Config.Dataset] != 0:
			return nil, fmt.Errorf("choose a text-only run of %s on %s: there are runs %d and %d: name one by its number",
				o.TextOnly, r.Config.Dataset, taken[r.Config.Dataset], r.ID)
		}
		taken[r.Config.Dataset] = r.ID
		chosen = append(chosen, r)
	}
	switch {
	case len(chosen) > 0:
		return chosen, nil
	case len(there) == 0:
		return nil, fmt.Errorf("find %s: %w", needText, eval.ErrNotFound)
	}
	return nil, fmt.Errorf("find text-only run %q (there are %s): %w", o.TextOnly, strings.Join(there[:min(len(there), 8)], ", "), eval.ErrNotFound)
}

// solve decides every question of a text-only run.
func solve(ctx context.Context, facts report.Facts, r eval.Run, o *report.Options) (*solved, error) {
	scheme, f, err := report.SchemeOf(ctx, facts, r, o)
	if err != nil {
		return nil, err
	}
	out := &solved{run: r, source: f.Source()}
	for q, err := range facts.Questions(ctx, r) {
		if err != nil {
			return nil, fmt.Errorf("read questions: %w", err)
		}
		for int(q.Sample.Ordinal) >= len(out.lots) {
			out.lots = append(out.lots, lotUncovered)
		}
		outcome := scheme.Outcome(&q)
		out.lots[q.Sample.Ordinal] = lotOf(outcome.Circular) // of a vanilla run the same as by pass 0
	}
	return out, context.Cause(ctx)
}

func lotOf(v metric.Verdict) lot {
	switch v {
	case metric.Right:
		return lotDropped
	case metric.NotRight:
		return lotKept
	case metric.NoTruth:
		return lotTruthless
	case metric.Pending, metric.Unanswered, metric.NoRules, metric.VerdictUnset:
	}
	return lotUncovered
}
