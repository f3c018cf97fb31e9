package view

import (
	"context"
	"fmt"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/tui/samples"
)

// Picture reads the bytes of a picture.
func (s Samples) Picture(_ context.Context, h eval.PictureHash) ([]byte, error) {
	return s.Store.Datasets().Picture(h)
}

// Detail is all about one sample of a run that the person may see.
func (s Samples) Detail(ctx context.Context, who annotate.Annotator, id eval.RunID, o eval.Ordinal) (samples.Detail, error) {
	run, err := s.Store.Runs().Run(id)
	if err != nil {
		return samples.Detail{}, err
	}
	sample, err := s.Store.Datasets().Sample(run.Config.Dataset, o)
	if err != nil {
		return samples.Detail{}, err
	}
	view, err := s.watch(who, run.Config.Dataset).sample(o)
	if err != nil {
		return samples.Detail{}, err
	}
	out := detailOf(&sample, view)
	if !out.Blinded {
		out.Model = run.Config.Model
	}
	for p, err := range s.Store.Runs().Predictions(ctx, id, eval.Key{Run: id, Sample: o}) {
		if err != nil {
			return samples.Detail{}, err
		}
		if p.Sample != o {
			break
		}
		if !view.Shows(p.Key) {
			continue
		}
		pass, err := s.pass(view, &sample, &p)
		if err != nil {
			return samples.Detail{}, fmt.Errorf("pass %d: %w", p.Pass, err)
		}
		out.Passes = append(out.Passes, pass)
	}
	k := eval.Key{Run: id, Sample: o}
	return out, s.Policy.Show(ctx, who, fmt.Sprintf("sample %s of run %d", sample.ID, id), detailed(run.Config.Dataset, k, who, &out))
}

// Alone is all about a sample that is no run's.
func (s Samples) Alone(ctx context.Context, who annotate.Annotator, of eval.DatasetName, o eval.Ordinal) (samples.Detail, error) {
	sample, err := s.Store.Datasets().Sample(of, o)
	if err != nil {
		return samples.Detail{}, err
	}
	view, err := s.watch(who, of).sample(o)
	if err != nil {
		return samples.Detail{}, err
	}
	out := detailOf(&sample, view)
	return out, s.Policy.Show(ctx, who, fmt.Sprintf("sample %s", sample.ID), detailed(of, eval.Key{Sample: o}, who, &out))
}

// detailOf is what a person may see of the sample itself.
func detailOf(s *eval.Sample, view *blind.View) samples.Detail {
	out := samples.Detail{
		Sample: s.ID, Question: s.Question, Hint: s.Hint, Options: s.Options,
		Pictures: s.Pictures, Taxonomy: s.Taxonomy, Blinded: view.HidesTruth(),
	}
	if !out.Blinded {
		out.Truth = s.Answer
	}
	return out
}

func (s Samples) pass(view *blind.View, sample *eval.Sample, p *eval.Prediction) (samples.Pass, error) {
	shown := p.Asked(sample)
	out := samples.Pass{Pass: p.Pass, Visibility: view.Visibility(p.Key, unread(sample, p)), Options: shown.Options}
	if !out.Visibility.ShowsText() {
		return out, nil
	}
	out.Text, out.Failure, out.Labels = p.Text, p.Failure, view.Labels(p.Key)
	if out.Visibility == blind.AllVisible {
		out.Truth = shown.Answer
	}
	if p.Failure == nil {
		for _, r := range facts.RuleSetsFor(sample.Kind) {
			out.Readings = append(out.Readings, samples.Reading{
				Extractor: "rules:" + r.Name(), Extraction: eval.Read(r, sample, p),
			})
		}
	}
	judgments, err := s.Store.Judgments().Of(p.Key)
	if err != nil {
		return samples.Pass{}, err
	}
	for _, j := range newest(judgments) {
		out.Readings = append(out.Readings, samples.Reading{Extractor: j.Judge, Judge: true, Extraction: j.Extraction, Raw: j.Raw})
	}
	return out, nil
}
