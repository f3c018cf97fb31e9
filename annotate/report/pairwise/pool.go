package pairwise

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
)

// AgreementOptions say what a report over people's votes is about. The zero value: every queue of pairs.
type AgreementOptions struct {
	VoteOptions
	Queue annotate.QueueName // "": every queue of pairs

	// Policy is when people have agreed; unset: the majority of MLLM-Bench, who are unable to decide where
	// as many prefer either, or more neither. Pairs have no rulings: Adjudicated counts as Unanimous.
	Policy    annotate.Policy
	Undecided annotate.Undecided // of people or judges; unset: Dropped
}

func (o *AgreementOptions) policyName() string {
	return eval.Either(o.Policy == annotate.PolicyUnset, "mllm-bench", o.Policy.String())
}

// undecidedName names the policy: none of the options is, of a pair, a tie.
func (o *AgreementOptions) undecidedName() string {
	policy := cmp.Or(o.Undecided, annotate.Dropped)
	return eval.Either(policy == annotate.CountedAsNone, "tie", policy.String())
}

// pairQueue is a queue of pairs with people's votes on them. Every vote is turned so that it speaks of
// the pair's first run: the side on which somebody saw an answer is a matter of that vote alone.
type pairQueue struct {
	policy   annotate.Policy // of the majority; unset: MLLM-Bench's
	queue    annotate.Queue
	entries  []*queuePair
	ongoing  bool // votes are still to come
	people   []annotate.Annotator
	current  map[eval.Ordinal]string // hash of the criteria that stand
	excluded []report.ExcludedItem
}

// queuePair is one pair of a pool. Second is the anchor, where the pair has it.
type queuePair struct {
	pair     eval.Pair
	id       eval.SampleID
	models   [2]string
	cluster  uint64 // that the sample is in
	path     []string
	filtered bool // the options ask for other pairs
	votes    map[annotate.Annotator]orientedVote
}

// orientedVote is a person's vote turned to speak of the pair as it stands here.
type orientedVote struct {
	annotate.PersonVote
	shown eval.Vote // as the person saw the answers
	order int       // in which they did
}

// pairOpinion is what somebody says of a pair, for its first run, or why it says nothing.
type pairOpinion struct {
	result metric.Result
	why    report.Which // "": there is a result
	stale  bool         // by criteria that were revised since
	single bool         // of a judge: one order was asked
	short  bool         // of the majority: fewer people voted than the queue wants
	order  int          // of people: in which all saw the answers; 0: some in another
}

// Orders of an entry's answers: its first run was shown first, or second.
const (
	shownFirst = 1 + iota
	shownSecond
)

func readPairQueues(ctx context.Context, facts report.VoteFacts, o *AgreementOptions) ([]*pairQueue, error) {
	queues, err := facts.Queues()
	if err != nil {
		return nil, fmt.Errorf("list queues: %w", err)
	}
	var out []*pairQueue
	cast := make(map[eval.DatasetName][]annotate.PersonVote) // read once a dataset
	for i := range queues {
		q := &queues[i]
		if q.Rule.From != annotate.FromPairs || o.Queue != "" && o.Queue != q.Name || o.Dataset != "" && o.Dataset != q.Rule.Dataset {
			continue
		}
		p, at, err := newPairQueue(ctx, facts, q, o)
		if err != nil {
			return nil, fmt.Errorf("read queue %s: %w", q.Name, err)
		}
		on := q.Rule.Dataset
		if _, read := cast[on]; !read {
			if cast[on], err = facts.PeoplesVotes(ctx, on); err != nil {
				return nil, fmt.Errorf("read people's votes on %s: %w", on, err)
			}
		}
		p.addVotes(cast[on], at)
		states, err := report.ReadStates(ctx, facts, q.Name)
		if err != nil {
			return nil, err
		}
		if p.excluded, err = report.ListExcludedItems(facts, q, states); err != nil {
			return nil, err
		}
		if p.ongoing, err = report.IsOngoing(ctx, facts, q); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		what := eval.Either(o.Queue != "", "a queue of pairs named "+string(o.Queue), "a queue of pairs")
		return nil, fmt.Errorf("find %s (see: concord queue create --help): %w", what, eval.ErrNotFound)
	}
	slices.SortFunc(out, func(a, b *pairQueue) int {
		return cmp.Or(cmp.Compare(a.queue.Rule.Dataset, b.queue.Rule.Dataset), cmp.Compare(a.queue.Name, b.queue.Name))
	})
	return out, nil
}

// newPairQueue gives the queue without votes yet, and its entries by pair.
func newPairQueue(ctx context.Context, facts report.VoteFacts, q *annotate.Queue, o *AgreementOptions) (*pairQueue, map[eval.Pair]*queuePair, error) {
	p := &pairQueue{policy: o.Policy, queue: *q, current: make(map[eval.Ordinal]string)}
	byID, err := report.RunsByID(facts)
	if err != nil {
		return nil, nil, err
	}
	at := make(map[eval.Pair]*queuePair)
	for it, err := range facts.QueueItems(ctx, q.Name) {
		if err != nil {
			return nil, nil, fmt.Errorf("read items: %w", err)
		}
		if it.Key.Against == 0 {
			continue
		}
		e := o.orientPair(eval.Pair{Sample: it.Key.Sample, First: it.Key.Run, Second: it.Key.Against}, q, byID)
		s, err := facts.Sample(q.Rule.Dataset, it.Key.Sample)
		if err != nil {
			return nil, nil, fmt.Errorf("read sample of item %s: %w", it.Key, err)
		}
		e.id, e.path, e.cluster, e.votes = s.ID, s.Taxonomy, report.ClusterOf(&s), make(map[annotate.Annotator]orientedVote)
		p.entries, at[e.pair] = append(p.entries, e), e
	}
	slices.SortStableFunc(p.entries, func(a, b *queuePair) int { return cmp.Compare(a.pair.Sample, b.pair.Sample) })
	for set, err := range facts.CriteriaSets(ctx, q.Rule.Dataset) {
		if err != nil {
			return nil, nil, fmt.Errorf("read criteria: %w", err)
		}
		if r, ok := set.CurrentRevision(); ok {
			p.current[set.Sample] = r.Hash
		}
	}
	return p, at, nil
}

// orientPair has the anchor stand second, or without one in the pair the run that came first.
func (o *AgreementOptions) orientPair(p eval.Pair, q *annotate.Queue, runs map[eval.RunID]eval.Run) *queuePair {
	anchors := func(id eval.RunID) bool {
		return eval.Either(o.Anchor != "", runs[id].Config.Model == o.Anchor, id == q.Rule.Anchor)
	}
	switch first, second := anchors(p.First), anchors(p.Second); {
	case first && !second, first == second && p.First < p.Second:
		p = p.Swapped()
	}
	wanted := report.Options{Runs: o.Runs, Model: o.Model}
	return &queuePair{pair: p, models: [2]string{runs[p.First].Config.Model, runs[p.Second].Config.Model}, filtered: !wanted.IncludesRun(runs[p.First]) || o.Anchor != "" && !anchors(p.Second)}
}

// listNotes say what figures over the pool hold for.
func (p *pairQueue) listNotes() []string {
	var notes []string
	if p.ongoing {
		notes = append(notes, fmt.Sprintf("Queue %s: %s", p.queue.Name, table.SequenceNote))
	}
	if p.queue.Stratum == annotate.Priority {
		notes = append(notes, fmt.Sprintf("Queue %s was not drawn at random: its numbers are of its own pairs alone.", p.queue.Name))
	}
	if p.queue.Extra > 0 {
		notes = append(notes, fmt.Sprintf("Queue %s gave pairs on which the first %d people disagreed to up to %d more: their votes count in what people say of a pair. "+
			"Between two people they are on contested pairs, where fewer agree; concord report annotators leaves them out there.", p.queue.Name, p.queue.WantedLabelsIfAgreed(), p.queue.Extra))
	}
	return notes
}

// addVotes enters the votes that people cast in the queue.
func (p *pairQueue) addVotes(votes []annotate.PersonVote, at map[eval.Pair]*queuePair) {
	seen := make(map[annotate.Annotator]bool)
	for _, cast := range votes {
		if cast.Queue != p.queue.Name {
			continue
		}
		v := orientedVote{cast, cast.Vote, shownFirst}
		e := at[v.Pair]
		if e == nil {
			v.Pair, v.Vote, v.order = v.Pair.Swapped(), v.Vote.Swapped(), shownSecond
			e = at[v.Pair]
		}
		if e == nil {
			continue // its item left the queue
		}
		e.votes[v.Annotator] = v
		seen[v.Annotator] = true
	}
	p.people = slices.Sorted(maps.Keys(seen))
}

func (p *pairQueue) personOpinion(e *queuePair, who annotate.Annotator) pairOpinion {
	v, ok := e.votes[who]
	switch {
	case e.filtered:
		return pairOpinion{why: Filtered}
	case !ok:
		return pairOpinion{why: NotVoted}
	case v.Excluded:
		return pairOpinion{why: ExcludedVotes}
	case v.Informed:
		return pairOpinion{why: InformedVotes}
	}
	return pairOpinion{result: metric.ResultOfVote(v.Vote), stale: p.hasStaleCriteria(e, v.Criteria), order: v.order}
}

// majorityOpinion is what most people say of the pair. As with labels, one who
// excluded pair is left out, and votes after the reveal do not count.
func (p *pairQueue) majorityOpinion(e *queuePair) pairOpinion {
	if e.filtered {
		return pairOpinion{why: Filtered}
	}
	var votes []eval.Vote
	var crowd annotate.Crowd
	out := pairOpinion{why: NotVoted}
	for _, v := range e.votes {
		switch {
		case v.Excluded:
			return pairOpinion{why: ExcludedVotes}
		case v.Informed:
			out.why = InformedVotes
			continue
		}
		if len(votes) == 0 {
			out.order = v.order
		} else if out.order != v.order {
			out.order = 0
		}
		votes = append(votes, v.Vote)
		crowd.AddLabel(annotate.Reading{Kind: annotate.Voted, Vote: v.Vote})
		out.stale = out.stale || p.hasStaleCriteria(e, v.Criteria)
	}
	if len(votes) == 0 {
		return out
	}
	out.why, out.short, out.result = "", len(votes) < p.queue.LabelsWantedOfItem(crowd.Differs(), false), metric.Unable
	if p.policy != annotate.PolicyUnset {
		words := eval.Map(votes, func(v eval.Vote) metric.Result { return mergeTies(metric.ResultOfVote(v)) })
		if got, ok := annotate.ResolveWords(words, nil, p.policy); ok {
			out.result = got.Word
		}
		return out
	}
	if v, ok := annotate.ResolveMajorityVote(votes); ok {
		out.result = metric.ResultOfVote(v)
	}
	return out
}

// hasStaleCriteria reports criteria other than those that stand. Where none were written
// here there is nothing to compare with.
func (p *pairQueue) hasStaleCriteria(e *queuePair, hash string) bool {
	current, ok := p.current[e.pair.Sample]
	return ok && hash != "" && hash != current
}
