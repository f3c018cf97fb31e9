package store

import (
	"context"
	"fmt"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/store/file"
)

// Item gives what a person may see of an item, or eval.ErrNotFound. It is a
// handful of look-ups in one transaction, however large the project is.
func (q *Queues) Item(ctx context.Context, name annotate.QueueName, index int) (item annotate.Item, err error) {
	if ctx.Err() != nil {
		return item, context.Cause(ctx)
	}
	return readInTx(q.s, func(tx *file.Tx) (annotate.Item, error) { return q.blindItem(tx, name, index) })
}

func (q *Queues) blindItem(tx *file.Tx, name annotate.QueueName, index int) (annotate.Item, error) {
	it, err := q.readItem(tx, name, index)
	if err != nil {
		return annotate.Item{}, err
	}
	item, err := q.readItemContent(tx, name, it)
	if err != nil {
		return annotate.Item{}, fmt.Errorf("item %d of queue %q, %s: %w", index, name, it.Key, err)
	}
	return item, nil
}

// readItemContent reads the sample and the predictions that an item is about, and of a
// pair what curators made of the sample.
func (q *Queues) readItemContent(tx *file.Tx, name annotate.QueueName, it annotate.QueueItem) (annotate.Item, error) {
	queue, err := q.readQueue(tx, name)
	if err != nil {
		return annotate.Item{}, err
	}
	dataset, err := q.datasetOfItem(tx, &queue, it.Key)
	if err != nil {
		return annotate.Item{}, err
	}
	sample, err := q.s.Datasets().sampleIn(tx, dataset, it.Key.Sample)
	if err != nil {
		return annotate.Item{}, err
	}
	var keys []eval.Key
	if it.Key.Run != 0 {
		keys = append(keys, it.Key.Key)
	}
	if other, ok := it.Key.SecondKey(); ok {
		keys = append(keys, other)
	}
	about := make([]eval.Prediction, len(keys))
	for i, k := range keys {
		if about[i], err = q.s.Runs().readPrediction(tx, k); err != nil {
			return annotate.Item{}, err
		}
	}
	var guide annotate.Guide
	if it.Key.Against != 0 || queue.Rule.From == annotate.FromCriteria {
		if guide, err = q.readGuide(tx, dataset, &sample); err != nil {
			return annotate.Item{}, err
		}
	}
	return annotate.NewBlindItem(&queue, it, sample, guide, about...), nil
}

// readGuide reads what curators made of a sample, as it stands.
func (q *Queues) readGuide(tx *file.Tx, d eval.DatasetName, s *eval.Sample) (annotate.Guide, error) {
	set, err := q.s.Criteria().foldActs(tx, d, s.Ordinal)
	if err != nil {
		return annotate.Guide{}, err
	}
	g := annotate.Guide{Type: set.QuestionType(s)}
	if r, ok := set.Current(); ok && r.Hash != "" {
		g.Criteria, g.Revision, g.Rubric = criteria.FormatText(r.Criteria), r.Hash, criteria.ToRubric(r.Criteria)
	}
	return g, nil
}

// datasetOfItem is the dataset of an item: that of its run, or, for a sample
// alone, of its queue.
func (q *Queues) datasetOfItem(tx *file.Tx, queue *annotate.Queue, k annotate.ItemKey) (eval.DatasetName, error) {
	if k.Run == 0 {
		return queue.Rule.Dataset, nil
	}
	run, err := q.s.Runs().run(tx, k.Run)
	return run.Config.Dataset, err
}
