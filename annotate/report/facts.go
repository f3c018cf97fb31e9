package report

import (
	"context"
	"iter"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

// Facts is what reports are made of. Lookups give eval.ErrNotFound for what
// is not there. What an iterator yields is the caller's to keep.
type Facts interface {
	Datasets() ([]eval.Dataset, error)
	Runs() ([]eval.Run, error)
	// Questions yields every sample of the run's dataset in the order of
	// ordinals, each with the run's predictions in the order of passes.
	Questions(context.Context, eval.Run) iter.Seq2[eval.Question, error]
	// Judgments yields those of one judge on one prediction in the order in
	// which they were recorded.
	Judgments(context.Context, eval.RunID) iter.Seq2[eval.Judgment, error]
	Queue(annotate.QueueName) (annotate.Queue, error)
	Queues() ([]annotate.Queue, error)
	QueueItems(context.Context, annotate.QueueName) iter.Seq2[annotate.QueueItem, error]
	// GoldItems gives the items of a queue whose answer is known. It is asked only
	// of queues that have some.
	GoldItems(annotate.QueueName) ([]annotate.Gold, error)
	// QueueActs yields the acts of every annotator; those of one annotator
	// in the order of their numbers.
	QueueActs(context.Context, annotate.QueueName) iter.Seq2[annotate.Act, error]
	Prediction(eval.Key) (eval.Prediction, error)
	Sample(eval.DatasetName, eval.Ordinal) (eval.Sample, error)
	SavedReports(annotate.QueueName) ([]annotate.SavedReport, error)
	// Heads gives where the chain of acts of each person stands, by name.
	Heads() ([]annotate.Head, error)
	// Measures yields the scores measured elsewhere that stand, by benchmark,
	// model and metric.
	Measures(context.Context) iter.Seq2[eval.Measure, error]
}

// Answer is what the run said to the question as written.
func Answer(q *eval.Question) (string, bool) {
	for i := range q.Predictions {
		if p := &q.Predictions[i]; p.Pass == 0 && p.Failure == nil {
			return p.Text, true
		}
	}
	return "", false
}

// VoteFacts is what reports over votes are made of.
type VoteFacts interface {
	Facts
	ProvenanceFacts
	// PeoplesVotes are those that stand on the pairs of a dataset, in every queue.
	PeoplesVotes(context.Context, eval.DatasetName) ([]annotate.PersonVote, error)
	// CriteriaSets yields the sets of samples on which anybody has acted.
	CriteriaSets(context.Context, eval.DatasetName) iter.Seq2[criteria.Set, error]
}
