package models

import (
	"context"
	"errors"
	"fmt"

	"concord/annotate/report"
	"concord/eval"
)

// ReportLanguages compares each model on a dataset with itself on a translation, sample by sample
// (MMBench-CN): a dataset with the same ids and the same ground truth, and other questions.
func ReportLanguages(ctx context.Context, facts report.Facts, o Options) (report.Report, error) {
	o.languages, o.of, o.Runs.Dataset = true, o.Runs.Dataset, ""
	return ReportComparison(ctx, facts, o)
}

var errNoTranslation = fmt.Errorf("find a model with a run on a dataset and one on its translation, with the same ids and ground truth: %w", eval.ErrNotFound)

func (s *modelRuns) dataset() eval.DatasetName { return s.runs[0].Config.Dataset }

// mayBeTranslations tells by their first samples whether two sides may be one model in two languages.
func (r *runDecider) mayBeTranslations(first, second *modelRuns) bool {
	d, other := first.dataset(), second.dataset()
	if d == other || r.o.of != "" && r.o.of != d && r.o.of != other || first.model() != second.model() || first.runs[0].Config.Settings.Params != second.runs[0].Config.Settings.Params {
		return false
	}
	a, err := r.facts.Sample(d, 0)
	b, berr := r.facts.Sample(other, 0)
	made := a.Source == string(other) || b.Source == string(d) || a.ID == b.ID && a.Answer == b.Answer
	return errors.Join(err, berr) == nil && a.Question != b.Question && made
}

// pairSamples finds the samples of the second side beside those of the first, by their ids.
func (r *runDecider) pairSamples(first, second *decidedSide) (map[eval.Ordinal]eval.Ordinal, error) {
	known := make(map[eval.SampleID]eval.Sample)
	for o := range report.EachOrdinal(second.countOrdinals()) {
		s, err := r.facts.Sample(second.dataset(), o)
		if err != nil {
			return nil, fmt.Errorf("read sample: %w", err)
		}
		known[s.ID] = eval.Sample{Ordinal: o, Answer: s.Answer}
	}
	out := make(map[eval.Ordinal]eval.Ordinal)
	for o := range report.EachOrdinal(first.countOrdinals()) {
		s, err := r.facts.Sample(first.dataset(), o)
		if err != nil {
			return nil, fmt.Errorf("read sample: %w", err)
		}
		switch other, ok := known[s.ID]; {
		case ok && s.Answer != other.Answer: // it is no translation
			return nil, errNothing
		case ok:
			out[o] = other.Ordinal
		}
	}
	return out, nil
}
