package setup

import (
	"context"
	"errors"
	"fmt"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/demo"
)

// demoAuthor is who wrote the criteria of the demo.
const demoAuthor annotate.Annotator = "demo"

// fillOpen puts in the open questions of the demo: their criteria, the recorded
// answers, what the recorded judge says of these, and the queue in which people
// grade them.
func (d *Demo) fillOpen(ctx context.Context) error {
	o := &d.Data.Open
	name := annotate.QueueName(o.Queue)
	if _, err := d.Store.Queues().Queue(name); !errors.Is(err, eval.ErrNotFound) {
		return err
	}
	if err := d.importDataset(ctx, o.Dataset, o.Samples); err != nil {
		return err
	}
	reader, err := facts.FindRules(d.Data.Queue.Rules)
	if err != nil {
		return err
	}
	run, err := dataset.EnsureRun(ctx, d.Store.Runs(), eval.Config{
		Dataset: o.Dataset.Name, Model: o.Model, Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported, Synthetic: true,
	})
	if err != nil {
		return err
	}
	var answers []eval.Fact
	var grades []eval.Grade
	var items []annotate.QueueItem
	for i, q := range o.Questions {
		k := eval.Key{Run: run.ID, Sample: eval.Ordinal(i)}
		cs, err := d.draftCriteria(ctx, k.Sample, q.Criteria)
		if err != nil {
			return fmt.Errorf("criteria of sample %s: %w", q.ID, err)
		}
		f := eval.Fact{Prediction: eval.Prediction{Key: k, Text: q.Answer, Finish: "stop", At: d.Now()}, Reader: eval.ReaderID(reader), Closes: true}
		f.Reading = eval.Read(reader, &o.Samples[i], &f.Prediction)
		answers, items = append(answers, f), append(items, annotate.QueueItem{Index: i, Key: annotate.NewItemKey(k), Inclusion: 1})
		for n, c := range q.Criteria {
			v, err := eval.ParseVerdict(c.Judged)
			if err != nil {
				return err
			}
			grades = append(grades, eval.Grade{
				Key: k, Judge: d.Data.Judge, Criterion: c.ID, Hash: cs[n].HashText(), Graded: eval.Graded{Verdict: v},
				Raw: c.Says + "\n" + c.Judged, Call: eval.Call{At: d.Now()},
			})
		}
	}
	if _, err := d.Store.Runs().RecordAll(ctx, answers); err != nil {
		return err
	}
	if err := d.Store.Runs().FinishRun(ctx, run.ID); err != nil {
		return err
	}
	if _, err := d.Store.Grades().Put(ctx, grades); err != nil {
		return err
	}
	return d.Store.Queues().CreateQueue(ctx, annotate.Queue{
		Name: name, Rule: annotate.Rule{Dataset: o.Dataset.Name, Runs: []eval.RunID{run.ID}, From: annotate.FromCriteria},
		Stratum: annotate.Random, Overlap: 2, Population: len(items), Items: len(items), Synthetic: true, Created: d.Now(),
	}, items)
}

// draftCriteria writes those of a sample, unless they are there.
func (d *Demo) draftCriteria(ctx context.Context, o eval.Ordinal, all []demo.OpenCriterion) ([]criteria.Criterion, error) {
	cs := eval.Map(all, func(c demo.OpenCriterion) criteria.Criterion {
		return criteria.Criterion{ID: c.ID, Text: c.Text, Weighted: true, Weight: c.Weight, Credit: c.Partial}
	})
	set, err := d.Store.Criteria().Set(d.Data.Open.Dataset.Name, o)
	if err != nil || len(set.History.Acts) > 0 {
		return cs, err
	}
	act := set.NewAct(criteria.Drafted, demoAuthor, d.Now())
	act.Criteria, act.Imported = cs, true
	return cs, d.Store.Criteria().Append(ctx, act)
}
