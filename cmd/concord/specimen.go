package main

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/extract"
	"concord/eval/metric"
	"concord/tui/samples"
)

// specimens shows single predictions and samples, as the list behind a
// figure reads them.
type specimens struct {
	facts
	standing *standing
}

var _ samples.Source = specimens{}

// OfRun yields the questions of a run, each with its verdict and the pass
// that decides it.
func (s specimens) OfRun(ctx context.Context, id eval.RunID) iter.Seq2[samples.Row, error] {
	return func(yield func(samples.Row, error) bool) {
		run, err := s.st.Runs().Run(id)
		if err != nil {
			yield(samples.Row{}, err)
			return
		}
		scheme := metric.Scheme{Run: run, Rules: kindRules(run.Config.Rules)}
		for q, err := range s.st.Runs().Questions(ctx, run) {
			if err != nil {
				yield(samples.Row{}, err)
				return
			}
			if len(q.Predictions) > 0 && !yield(rowOf(run, &q, scheme.Outcome(&q)), nil) {
				return
			}
		}
	}
}

func rowOf(run eval.Run, q *eval.Question, o metric.Outcome) samples.Row {
	pass, _ := o.Deciding()
	at := max(0, slices.IndexFunc(q.Predictions, func(p eval.Prediction) bool { return p.Pass == pass }))
	row := predicted(&q.Sample, &q.Predictions[at])
	row.Reading = o.Readings[at].Combined
	verdict := o.Vanilla
	if run.Config.Strategy == eval.Circular {
		verdict = o.Circular
	}
	switch verdict {
	case metric.Right:
		row.Verdict = samples.Right
	case metric.NotRight:
		row.Verdict = samples.Wrong
	default:
		row.Verdict, row.Why = samples.Unscored, strings.ReplaceAll(verdict.String(), "_", " ")
	}
	return row
}

// predicted is a row before anything has read it.
func predicted(s *eval.Sample, p *eval.Prediction) samples.Row {
	row := samples.Row{Key: p.Key, Sample: s.ID, Text: p.Text, Truth: p.Asked(s).Answer}
	if p.Failure != nil {
		row.Failure = p.Failure.Message
	}
	return row
}

// Of yields the predictions of the keys, as read by an extractor.
func (s specimens) Of(ctx context.Context, keys iter.Seq2[eval.Key, error], extractor string) iter.Seq2[samples.Row, error] {
	return func(yield func(samples.Row, error) bool) {
		for k, err := range keys {
			var row samples.Row
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				row, err = s.one(k, extractor)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

func (s specimens) one(k eval.Key, extractor string) (samples.Row, error) {
	run, err := s.st.Runs().Run(k.Run)
	if err != nil {
		return samples.Row{}, err
	}
	sample, err := s.st.Datasets().Sample(run.Config.Dataset, k.Sample)
	if err != nil {
		return samples.Row{}, err
	}
	p, err := s.st.Runs().Prediction(k)
	if err != nil {
		return samples.Row{}, err
	}
	row := predicted(&sample, &p)
	labels, err := s.standing.on(run.Config.Dataset, k)
	if err != nil {
		return row, err
	}
	row.Said, row.Verdict = said(labels), samples.Wrong
	if row.Failure != "" {
		return row, nil
	}
	if row.Reading, err = s.reading(run, &sample, &p, extractor); err != nil {
		return row, err
	}
	switch {
	case row.Truth == "":
		row.Verdict, row.Why = samples.Unscored, "no ground truth"
	case row.Reading.IsFound() && row.Reading.Choice == row.Truth:
		row.Verdict = samples.Right
	}
	return row, nil
}

// reading is what an extractor reads: "rules:NAME", a judge's name, or "" for
// the run's own rules.
func (s specimens) reading(run eval.Run, sample *eval.Sample, p *eval.Prediction, extractor string) (eval.Extraction, error) {
	name, isRules := strings.CutPrefix(extractor, "rules:")
	if isRules || extractor == "" {
		if !isRules {
			name = run.Config.Rules
		}
		r := kindRules(name)(sample.Kind)
		if r == nil {
			return eval.Extraction{Status: eval.Missing}, nil
		}
		return r.Read(p.Asked(sample).Options, p.Text), nil
	}
	judgments, err := s.st.Judgments().Of(p.Key)
	if err != nil {
		return eval.Extraction{}, err
	}
	for _, j := range newest(judgments) {
		if j.Judge == extractor {
			return j.Extraction, nil
		}
	}
	return eval.Extraction{Status: eval.Missing, Method: "not asked"}, nil
}

// newest keeps each judge's last word of the judgments of one prediction.
func newest(all []eval.Judgment) []eval.Judgment {
	var out []eval.Judgment
	for i, j := range all {
		later := slices.ContainsFunc(all[i+1:], func(o eval.Judgment) bool { return o.Judge == j.Judge })
		if !later {
			out = append(out, j)
		}
	}
	return out
}

// kindRules is a rule set by kind of sample; "" is the default one.
func kindRules(name string) func(eval.Kind) eval.Reader {
	if name == "" {
		name = extract.Default
	}
	return func(k eval.Kind) eval.Reader {
		r, err := extract.Rules(name, k)
		if err != nil {
			return nil
		}
		return r
	}
}

// Picture reads the bytes of a picture.
func (s specimens) Picture(_ context.Context, h eval.PictureHash) ([]byte, error) {
	return s.st.Datasets().Picture(h)
}

// Detail is all about one sample of a run.
func (s specimens) Detail(ctx context.Context, id eval.RunID, o eval.Ordinal) (samples.Detail, error) {
	run, err := s.st.Runs().Run(id)
	if err != nil {
		return samples.Detail{}, err
	}
	sample, err := s.st.Datasets().Sample(run.Config.Dataset, o)
	if err != nil {
		return samples.Detail{}, err
	}
	out := samples.Detail{Run: run, Sample: sample}
	for p, err := range s.st.Runs().Predictions(ctx, id, eval.Key{Run: id, Sample: o}) {
		if err != nil {
			return out, err
		}
		if p.Sample != o {
			break
		}
		pass, err := s.pass(run, &sample, p)
		if err != nil {
			return out, fmt.Errorf("pass %d: %w", p.Pass, err)
		}
		out.Passes = append(out.Passes, pass)
	}
	return out, nil
}

func (s specimens) pass(run eval.Run, sample *eval.Sample, p eval.Prediction) (samples.Pass, error) {
	out := samples.Pass{Prediction: p}
	judgments, err := s.st.Judgments().Of(p.Key)
	if err != nil {
		return out, err
	}
	if p.Failure == nil {
		for _, r := range ruleSetsFor(sample.Kind) {
			out.Readings = append(out.Readings, samples.Reading{
				Extractor: "rules:" + r.Name(), Extraction: r.Read(p.Asked(sample).Options, p.Text),
			})
		}
	}
	for _, j := range newest(judgments) {
		out.Readings = append(out.Readings, samples.Reading{Extractor: j.Judge, Extraction: j.Extraction, Raw: j.Raw})
	}
	out.Labels, err = s.standing.on(run.Config.Dataset, p.Key)
	return out, err
}
