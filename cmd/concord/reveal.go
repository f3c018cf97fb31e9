package main

import (
	"context"
	"errors"

	"concord/annotate"
	"concord/eval"
	"concord/eval/extract"
	"concord/store"
	"concord/tui/label"
)

// revealer tells one person what the machine made of an item, once the
// screen's session allows it; the truth only when no other queue withholds it,
// and the model's name only when no open item of another queue shows the same
// answer.
type revealer struct {
	st    *store.Store
	veils *annotate.VisibilityPolicies
	who   annotate.Annotator
}

var _ label.Revealer = revealer{}

// Reveal is what the machine made of a prediction: judges first, then the
// default rules, then the other rule sets that read a choice.
func (r revealer) Reveal(_ context.Context, name annotate.QueueName, k annotate.ItemKey) (annotate.Revealed, error) {
	run, err := r.st.Runs().Run(k.Run)
	if err != nil {
		return annotate.Revealed{}, err
	}
	veil, err := r.veils.For(r.who, run.Config.Dataset)
	if err != nil {
		return annotate.Revealed{}, err
	}
	view, err := veil.Sample(k.Sample)
	if err != nil {
		return annotate.Revealed{}, err
	}
	s, err := r.st.Datasets().Sample(run.Config.Dataset, k.Sample)
	if err != nil {
		return annotate.Revealed{}, err
	}
	p, err := r.st.Runs().Prediction(k.Key)
	if err != nil {
		return annotate.Revealed{}, err
	}
	out, err := r.made(&run, &s, &p)
	beside := view.Without(name)
	if err == nil && out.Truth != "" && beside.HidesTruth() {
		out.Truth, out.Withheld = "", true
	}
	if beside.Visibility(k.Key, unread(&s, &p)) == annotate.TextHidden {
		out.Model = ""
	}
	return out, err
}

// made is what the machine made of a prediction.
func (r revealer) made(run *eval.Run, s *eval.Sample, p *eval.Prediction) (annotate.Revealed, error) {
	out := annotate.Revealed{Item: annotate.ItemOf(p.Key), Model: run.Config.Model, Truth: p.Asked(s).Answer}
	judgments, err := r.st.Judgments().Of(p.Key)
	if err != nil && !errors.Is(err, eval.ErrNotFound) {
		return out, err
	}
	for _, j := range newest(judgments) {
		out.Readings = append(out.Readings, annotate.MachineReading{
			Extractor: j.Judge, Judge: true, Extraction: j.Extraction, Raw: j.Raw,
		})
	}
	scores, err := r.st.Scores().Of(p.Key)
	if err != nil {
		return out, err
	}
	for i, one := range scores {
		if last := i == len(scores)-1 || scores[i+1].Judge != one.Judge; last {
			out.Readings = append(out.Readings, annotate.MachineReading{
				Extractor: one.Judge, Judge: true, Score: one.Value, Extraction: eval.Extraction{Status: eval.Missing}, Raw: one.Raw,
			})
		}
	}
	for _, rules := range ruleSetsFor(s.Kind) {
		e := eval.Read(rules, s, p)
		if rules.Name() == extract.Default || e.IsFound() {
			out.Readings = append(out.Readings, annotate.MachineReading{Extractor: "rules:" + rules.Name(), Extraction: e})
		}
	}
	return out, nil
}
