package main

import (
	"context"
	"iter"

	"concord/annotate"
	"concord/annotate/criteria"
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

func (f facts) Contests(ctx context.Context) ([]eval.ContestProgress, error) {
	return f.st.Votes().Contests(ctx)
}

func (f facts) Votes(ctx context.Context, c eval.Contest) iter.Seq2[eval.Preference, error] {
	return f.st.Votes().Of(ctx, c)
}

func (f facts) CriteriaSets(ctx context.Context, d eval.DatasetName) iter.Seq2[criteria.Set, error] {
	return f.st.Criteria().All(ctx, d)
}

func (f facts) Scores(ctx context.Context, id eval.RunID) iter.Seq2[eval.Score, error] {
	return f.st.Scores().Calls(ctx, id)
}
