package main

import (
	"context"

	"concord/annotate"
	"concord/eval"
)

// PeoplesVotes are the votes of people that stand on a dataset's pairs, queue
// by queue, person by person, in the order of the items. Flagged and informed
// ones are among them, marked as such.
func (f facts) PeoplesVotes(ctx context.Context, of eval.DatasetName) ([]annotate.PersonVote, error) {
	queues, err := f.st.Queues().List()
	if err != nil {
		return nil, err
	}
	var out []annotate.PersonVote
	for i := range queues {
		if q := &queues[i]; q.Rule.Dataset == of && q.Rule.From == annotate.FromPairs {
			votes, err := f.queueVotes(ctx, q.Name)
			if err != nil {
				return nil, err
			}
			out = append(out, votes...)
		}
	}
	return out, nil
}

// queueVotes are the votes that stand in one queue of pairs.
func (f facts) queueVotes(ctx context.Context, name annotate.QueueName) ([]annotate.PersonVote, error) {
	people, err := f.st.Acts().Annotators(name)
	if err != nil || len(people) == 0 {
		return nil, err
	}
	var items []annotate.QueueItem
	for it, err := range f.st.Queues().QueueItems(ctx, name) {
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	var out []annotate.PersonVote
	for _, who := range people {
		acts, err := f.st.Acts().Acts(name, who)
		if err != nil {
			return nil, err
		}
		out = append(out, annotate.Ballots(annotate.Fold(acts), items)...)
	}
	return out, nil
}
