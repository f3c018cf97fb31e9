package main

import (
	"context"
	"iter"

	"concord/annotate"
	"concord/annotate/report"
	"concord/eval"
	"concord/store"
)

// facts shows the store as reports want to read it.
type facts struct{ st *store.Store }

var _ report.Facts = facts{}

func (f facts) Datasets() ([]eval.Dataset, error) { return f.st.Datasets().List() }
func (f facts) Runs() ([]eval.Run, error)         { return f.st.Runs().List() }

func (f facts) Questions(ctx context.Context, r eval.Run) iter.Seq2[eval.Question, error] {
	return f.st.Runs().Questions(ctx, r)
}

func (f facts) Judgments(ctx context.Context, id eval.RunID) iter.Seq2[eval.Judgment, error] {
	return f.st.Judgments().Calls(ctx, id)
}

func (f facts) Queue(name annotate.QueueName) (annotate.Queue, error) {
	return f.st.Queues().Queue(name)
}
func (f facts) Queues() ([]annotate.Queue, error) { return f.st.Queues().List() }

func (f facts) QueueItems(ctx context.Context, name annotate.QueueName) iter.Seq2[annotate.QueueItem, error] {
	return f.st.Queues().QueueItems(ctx, name)
}

func (f facts) Golds(name annotate.QueueName) ([]annotate.Gold, error) {
	return f.st.Queues().Golds(name)
}

func (f facts) QueueActs(ctx context.Context, name annotate.QueueName) iter.Seq2[annotate.Act, error] {
	return f.st.Acts().QueueActs(ctx, name)
}

func (f facts) Prediction(k eval.Key) (eval.Prediction, error) { return f.st.Runs().Prediction(k) }

func (f facts) Sample(d eval.DatasetName, o eval.Ordinal) (eval.Sample, error) {
	return f.st.Datasets().Sample(d, o)
}

func (f facts) Measures(ctx context.Context) iter.Seq2[eval.Measure, error] {
	return f.st.Measures().Standing(ctx)
}

func (f facts) SavedReports(q annotate.QueueName) ([]annotate.SavedReport, error) {
	return f.st.Reports().SavedReports(q)
}
