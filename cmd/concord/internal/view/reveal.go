package view

import (
	"context"
	"errors"
	"slices"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/extract"
	"concord/store"
	"concord/tui/label"
)

// LabelReveal tells one person what the machine made of an item, once the
// screen's session allows it; the truth only when no other queue withholds it,
// and the model's name only when no open item of another queue shows the same
// answer.
type LabelReveal struct {
	Store  *store.Store
	Policy *blind.Policies
	Who    annotate.Annotator
}

var _ label.Revealer = LabelReveal{}

// Reveal is what the machine made of a prediction: judges first, then the
// default rules, then the other rule sets that read a choice.
func (r LabelReveal) Reveal(ctx context.Context, name annotate.QueueName, k annotate.ItemKey, truth bool) (blind.Revealed, error) {
	run, err := r.Store.Runs().Run(k.Run)
	if err != nil {
		return blind.Revealed{}, err
	}
	policy, err := r.Policy.For(r.Who, run.Config.Dataset)
	if err != nil {
		return blind.Revealed{}, err
	}
	view, err := policy.Sample(k.Sample)
	if err != nil {
		return blind.Revealed{}, err
	}
	s, err := r.Store.Datasets().Sample(run.Config.Dataset, k.Sample)
	if err != nil {
		return blind.Revealed{}, err
	}
	p, err := r.Store.Runs().Prediction(k.Key)
	if err != nil {
		return blind.Revealed{}, err
	}
	out, err := r.made(&run, &s, &p)
	beside := view.Without(name)
	if err != nil {
		return out, err
	}
	if out.Truth != "" && (!truth || beside.HidesTruth()) {
		out.Truth, out.Withheld = "", true
	}
	if beside.Visibility(k.Key, unread(&s, &p)) == blind.TextHidden {
		out.Model = ""
	}
	return out, r.Policy.Show(ctx, r.Who, "queue "+string(name), revealed(run.Config.Dataset, &out))
}

// revealed is what the reveal of an item tells.
func revealed(d eval.DatasetName, r *blind.Revealed) []annotate.Disclosure {
	told := telling{of: d, key: r.Item.Key}
	told.add(annotate.MachineContent, true)
	told.add(annotate.ModelContent, r.Model != "")
	told.add(annotate.JudgeContent, slices.ContainsFunc(r.Readings, func(m blind.MachineReading) bool { return m.Judge }))
	told.truth(r.Truth != "")
	return told.all
}

// Totals is what machines read in a prediction, for a count over a queue in which
// no item is told from another. It is recorded of nobody.
func (r LabelReveal) Totals(_ context.Context, _ annotate.QueueName, k annotate.ItemKey) (blind.Revealed, error) {
	run, err := r.Store.Runs().Run(k.Run)
	if err != nil {
		return blind.Revealed{}, err
	}
	s, err := r.Store.Datasets().Sample(run.Config.Dataset, k.Sample)
	if err != nil {
		return blind.Revealed{}, err
	}
	p, err := r.Store.Runs().Prediction(k.Key)
	if err != nil {
		return blind.Revealed{}, err
	}
	out, err := r.made(&run, &s, &p)
	out.Model, out.Truth = "", ""
	return out, err
}

// made is what the machine made of a prediction.
func (r LabelReveal) made(run *eval.Run, s *eval.Sample, p *eval.Prediction) (blind.Revealed, error) {
	out := blind.Revealed{Item: annotate.ItemOf(p.Key), Model: run.Config.Model, Truth: p.Asked(s).Answer}
	judgments, err := r.Store.Judgments().Of(p.Key)
	if err != nil && !errors.Is(err, eval.ErrNotFound) {
		return out, err
	}
	for _, j := range newest(judgments) {
		out.Readings = append(out.Readings, blind.MachineReading{
			Extractor: j.Judge, Judge: true, Extraction: j.Extraction, Raw: j.Raw,
		})
	}
	scores, err := r.Store.Scores().Of(p.Key)
	if err != nil {
		return out, err
	}
	for i, one := range scores {
		if last := i == len(scores)-1 || scores[i+1].Judge != one.Judge; last {
			out.Readings = append(out.Readings, blind.MachineReading{
				Extractor: one.Judge, Judge: true, Score: one.Value, Extraction: eval.Extraction{Status: eval.Missing}, Raw: one.Raw,
			})
		}
	}
	for _, rules := range facts.RuleSetsFor(s.Kind) {
		e := eval.Read(rules, s, p)
		if rules.Name() == extract.Default || e.IsFound() {
			out.Readings = append(out.Readings, blind.MachineReading{Extractor: "rules:" + rules.Name(), Extraction: e})
		}
	}
	return out, nil
}
