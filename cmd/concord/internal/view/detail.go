package view

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/report/alignment"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/extract"
	"concord/tui/adjudicate"
	"concord/tui/samples"
)

// DetailInRun is all about one sample of a run that the person may see.
func (s Samples) DetailInRun(ctx context.Context, who annotate.Annotator, id eval.RunID, o eval.Ordinal) (samples.Detail, error) {
	run, err := s.Store.Runs().Run(id)
	if err != nil {
		return samples.Detail{}, err
	}
	sample, err := s.Store.Datasets().Sample(run.Config.Dataset, o)
	if err != nil {
		return samples.Detail{}, err
	}
	view, err := s.newPolicyWatch(who).viewByFreshPolicy(run.Config.Dataset, o)
	if err != nil {
		return samples.Detail{}, err
	}
	out := newDetail(&sample, view)
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
		if !view.ShowsPrediction(p.Key) {
			continue
		}
		pass, err := s.newVisiblePass(view, &sample, &p)
		if err != nil {
			return samples.Detail{}, fmt.Errorf("pass %d: %w", p.Pass, err)
		}
		out.Passes = append(out.Passes, pass)
	}
	k := eval.Key{Run: id, Sample: o}
	return out, s.Policy.RecordShown(ctx, who, fmt.Sprintf("sample %s of run %d", sample.ID, id), disclosuresOfDetail(run.Config.Dataset, k, who, &out))
}

// SampleDetail is all about a sample that is no run's.
func (s Samples) SampleDetail(ctx context.Context, who annotate.Annotator, of eval.DatasetName, o eval.Ordinal) (samples.Detail, error) {
	sample, err := s.Store.Datasets().Sample(of, o)
	if err != nil {
		return samples.Detail{}, err
	}
	view, err := s.newPolicyWatch(who).viewByFreshPolicy(of, o)
	if err != nil {
		return samples.Detail{}, err
	}
	out := newDetail(&sample, view)
	return out, s.Policy.RecordShown(ctx, who, fmt.Sprintf("sample %s", sample.ID), disclosuresOfDetail(of, eval.Key{Sample: o}, who, &out))
}

// newDetail gives what a person may see of the sample itself.
func newDetail(s *eval.Sample, view *blind.View) samples.Detail {
	out := samples.Detail{
		Sample: s.ID, Question: s.Question, Hint: s.Hint, Options: s.Options,
		Pictures: s.Pictures, Taxonomy: s.Taxonomy, Blinded: view.HidesTruth(),
	}
	if !out.Blinded {
		out.Truth = s.Answer
	}
	return out
}

func (s Samples) newVisiblePass(view *blind.View, sample *eval.Sample, p *eval.Prediction) (samples.Pass, error) {
	shown := p.ShownQuestion(sample)
	out := samples.Pass{Pass: p.Pass, Visibility: view.VisibilityOf(p.Key, makeUnreadTest(sample, p)), Options: shown.Options}
	if !out.Visibility.ShowsText() {
		return out, nil
	}
	out.Text, out.Failure, out.Labels = p.Text, p.Failure, view.VisibleLabels(p.Key)
	if out.Visibility == blind.AllVisible {
		out.Truth = shown.Answer
	}
	if p.Failure == nil {
		out.Readings = eval.Map(facts.RuleSetsFor(sample.Kind), func(r eval.Reader) blind.MachineReading { return readByRules(r, sample, p) })
	}
	judgments, err := s.Store.Judgments().OfPrediction(p.Key)
	out.Readings = append(out.Readings, readByJudges(judgments)...)
	return out, err
}

// readByJudges gives what each judge read in a response last.
func readByJudges(all []eval.Judgment) []blind.MachineReading {
	return eval.Map(newestByJudge(all), func(j eval.Judgment) blind.MachineReading {
		return blind.MachineReading{Extractor: j.Judge, Judge: true, Extraction: j.Extraction, Raw: j.Raw}
	})
}

// readByRules reads what rules read out of a response, and where.
func readByRules(r eval.Reader, s *eval.Sample, p *eval.Prediction) blind.MachineReading {
	from, to := extract.FindDecisivePart(r, s.Kind, p.ShownQuestion(s).Options, p.Text)
	return blind.MachineReading{Extractor: "rules:" + r.Name(), Extraction: eval.ReadPrediction(r, s, p), Matched: p.Text[from:to], From: from}
}

// Disagreements shows one person what everybody made of a queue's items, as far as their policy allows.
type Disagreements struct{ Samples }

// LegiblePredictions tells which predictions no other queue keeps from the person.
func (c Disagreements) LegiblePredictions(_ context.Context, who annotate.Annotator, name annotate.QueueName) (alignment.Legible, error) {
	q, err := c.Store.Queues().Queue(name)
	if err != nil {
		return nil, err
	}
	w := c.newPolicyWatch(who)
	return func(k eval.Key) (bool, error) {
		view, err := w.viewByFreshPolicy(q.Rule.Dataset, k.Sample)
		if err != nil {
			return false, err
		}
		// Whether a growing queue will ask for it takes reading it: it may.
		return view.WithoutQueue(name).VisibilityOf(k, func(string) bool { return true }).ShowsText(), nil
	}, nil
}

// RecordCompared records as shown what everybody made of the items that a comparison shows.
func (c Disagreements) RecordCompared(ctx context.Context, who annotate.Annotator, of *alignment.QueueComparison) error {
	var all []annotate.Disclosure
	for i := range of.Items {
		it := &of.Items[i]
		if !it.Shown {
			continue
		}
		all = append(all, it.Key.NewDisclosures(of.Queue.Rule.Dataset, annotate.ModelContent, annotate.MachineContent, annotate.JudgeContent)...)
		if slices.ContainsFunc(it.Labels, func(l annotate.Label) bool { return l.Annotator != who }) || len(it.Rulings) > 0 {
			all = append(all, it.Key.NewDisclosures(of.Queue.Rule.Dataset, annotate.OthersContent)...)
		}
	}
	return c.Policy.RecordShown(ctx, who, "disagreements of queue "+string(of.Queue.Name), all)
}

// LoadExhibit loads what everybody made of an item that the person has answered.
func (c Disagreements) LoadExhibit(ctx context.Context, who annotate.Annotator, k annotate.ItemKey) (adjudicate.Exhibit, error) {
	all, err := c.DetailInRun(ctx, who, k.Run, k.Sample)
	if err != nil {
		return adjudicate.Exhibit{}, err
	}
	out := adjudicate.Exhibit{Model: all.Model, Withheld: all.Blinded}
	for i := range all.Passes {
		p := &all.Passes[i]
		out.Passes = append(out.Passes, newExhibitPass(p))
		if p.Pass != k.Pass {
			continue
		}
		if !p.Visibility.ShowsText() {
			return adjudicate.Exhibit{}, annotate.ErrBlind
		}
		out.Labels, out.Truth, out.Readings = p.Labels, p.Truth, slices.Clone(p.Readings)
	}
	slices.SortStableFunc(out.Readings, func(a, b blind.MachineReading) int {
		return cmp.Compare(eval.Either(a.Judge, 0, 1), eval.Either(b.Judge, 0, 1))
	})
	run, err := c.Store.Runs().Run(k.Run)
	if err != nil {
		return out, err
	}
	view, err := c.newPolicyWatch(who).viewByFreshPolicy(run.Config.Dataset, k.Sample)
	if err != nil {
		return out, err
	}
	if out.Rulings = view.VisibleRulings(k.Key); len(out.Rulings) == 0 {
		return out, nil
	}
	return out, c.Policy.RecordShown(ctx, who, "rulings", k.NewDisclosures(run.Config.Dataset, annotate.OthersContent))
}

func newExhibitPass(p *samples.Pass) adjudicate.Pass {
	out := adjudicate.Pass{Pass: p.Pass, Blind: !p.Visibility.ShowsText(), Text: p.Text, Truth: p.Truth}
	if p.Failure != nil {
		out.Failure = p.Failure.Message
	}
	if len(p.Readings) > 0 {
		out.Reading = p.Readings[0].Extraction
	}
	return out
}
