package view

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/eval/metric"
	"concord/tui/pairs"
)

// Pairs shows single pairs of answers and what was voted on them, to each what their policy lets through.
type Pairs struct{ Samples }

// RowsOfPairs yields the pairs of a figure, with the votes of the judge that was asked
// so, and people's. Each is recorded as shown before it is yielded.
func (b Pairs) RowsOfPairs(ctx context.Context, a pairs.Ask, all iter.Seq[eval.Pair]) iter.Seq2[pairs.Row, error] {
	l := &figurePairs{Pairs: b, ask: a, watch: b.newPolicyWatch(a.Who), cast: make(map[eval.DatasetName]castVotes), of: make(map[eval.RunID]eval.DatasetName)}
	tells := func(r *pairs.Row) []annotate.Disclosure {
		if r.LeftOut || r.Blinded {
			return nil
		}
		return disclosuresOfPair(l.of[r.Pair.First], pairItemKey(r.Pair), r.Outcome != "", len(r.People) > 0)
	}
	return recordRowsAsShown(l.yieldPairRows(ctx, all), tells, func(told []annotate.Disclosure) error {
		return b.Policy.RecordShown(ctx, a.Who, "pairs of a report", told)
	})
}

func (l *figurePairs) yieldPairRows(ctx context.Context, all iter.Seq[eval.Pair]) iter.Seq2[pairs.Row, error] {
	return func(yield func(pairs.Row, error) bool) {
		for p := range all {
			row, err := pairs.Row{}, ctx.Err()
			if err == nil {
				row, err = l.newRow(ctx, p)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// castVotes are people's votes by pair, each turned to the pair of a lower run first.
type castVotes map[eval.Pair][]annotate.PersonVote

// figurePairs goes through the pairs behind a figure for one person.
type figurePairs struct {
	Pairs
	ask   pairs.Ask
	watch *policyWatch
	cast  map[eval.DatasetName]castVotes
	of    map[eval.RunID]eval.DatasetName // of the first runs
}

func (l *figurePairs) newRow(ctx context.Context, p eval.Pair) (row pairs.Row, err error) {
	run, err := l.Store.Runs().Run(p.First)
	if err != nil {
		return row, err
	}
	of := run.Config.Dataset
	l.of[p.First] = of
	view, err := l.watch.viewByFreshPolicy(of, p.Sample)
	if err != nil {
		return row, err
	}
	sealed := !view.ShowsVotes()
	if sealed && l.ask.Tells {
		return pairs.Row{LeftOut: true}, nil
	}
	sample, err := l.Store.Datasets().Sample(of, p.Sample)
	if err != nil {
		return row, err
	}
	row = pairs.Row{Pair: p, Sample: sample.ID, Question: sample.Question, Blinded: sealed}
	if sealed {
		return row, nil
	}
	other, err := l.Store.Runs().Run(p.Second)
	if err != nil {
		return row, err
	}
	row.Models = [2]string{run.Config.Model, other.Config.Model}
	if l.ask.Ballot != nil {
		said, err := l.readBallotOnPair(ctx, p, *l.ask.Ballot)
		if err != nil {
			return row, err
		}
		row.Orders, row.Outcome = [2]pairs.Order{said.Orders[0].Order, said.Orders[1].Order}, said.Outcome
	}
	row.People, err = l.peopleVotes(ctx, of, p)
	return row, err
}

// peopleVotes are the votes on a pair that count, for its first run.
func (l *figurePairs) peopleVotes(ctx context.Context, of eval.DatasetName, p eval.Pair) ([]eval.Vote, error) {
	if l.cast[of] == nil {
		all, err := l.PeoplesVotes(ctx, of)
		if err != nil {
			return nil, err
		}
		l.cast[of] = make(castVotes)
		for _, v := range all {
			k := lowerRunFirst(v.Pair)
			l.cast[of][k] = append(l.cast[of][k], v)
		}
	}
	counted := eval.Select(l.cast[of][lowerRunFirst(p)], func(v annotate.PersonVote) bool { return !v.Excluded && !v.Informed })
	return eval.Map(counted, func(v annotate.PersonVote) eval.Vote { return turnVoteToOrder(p, v.Pair, v.Vote) }), nil
}

func lowerRunFirst(p eval.Pair) eval.Pair { return eval.Either(p.First > p.Second, p.Swapped(), p) }

// turnVoteToOrder turns a vote on a pair that was shown in one order to speak of it in another.
func turnVoteToOrder(p, shown eval.Pair, v eval.Vote) eval.Vote {
	return eval.Either(p.First != shown.First, v.Swapped(), v)
}

// readBallotOnPair reads what a judge, asked in one way, said of a pair.
func (b Pairs) readBallotOnPair(ctx context.Context, p eval.Pair, by eval.Ballot) (pairs.Ballot, error) {
	out := pairs.Ballot{Ballot: by}
	c := eval.Comparison{A: min(p.First, p.Second), B: max(p.First, p.Second), Ballot: by}
	votes, err := b.Store.Votes().OnSample(ctx, c, p.Sample)
	if err != nil && !errors.Is(err, eval.ErrNotFound) {
		return out, err
	}
	var bout metric.VotePair
	asked := 0
	for i := range votes {
		v := &votes[i]
		r := pairs.Reply{Order: pairs.Order{Asked: true}, Raw: v.Raw, Criteria: v.Text}
		if v.Failure != nil {
			r.Failure = v.Failure.Error()
		} else {
			r.Vote = turnVoteToOrder(p, v.Pair, v.Vote)
		}
		asked++
		if v.First == p.First {
			out.Orders[0], bout.First = r, voteUnlessFailed(v)
		} else {
			out.Orders[1], bout.Second = r, voteUnlessFailed(v)
		}
	}
	switch asked {
	case 0:
		out.Outcome = "not asked"
	case 1:
		out.Outcome = "one order"
	default:
		out.Outcome = bout.MergeBothOrders().String()
	}
	return out, nil
}

// voteUnlessFailed is the vote of a call that did not fail.
func voteUnlessFailed(v *eval.Preference) eval.Vote {
	return eval.Either(v.HasReply(), v.Vote, eval.VoteUnset)
}

// Detail is all about one pair that the person may see.
func (b Pairs) Detail(ctx context.Context, who annotate.Annotator, p eval.Pair) (out pairs.Detail, err error) {
	run, err := b.Store.Runs().Run(p.First)
	if err != nil {
		return out, err
	}
	of := run.Config.Dataset
	sample, err := b.Store.Datasets().Sample(of, p.Sample)
	if err != nil {
		return out, err
	}
	set, err := b.Store.Criteria().Set(of, p.Sample)
	if err != nil {
		return out, err
	}
	out = pairs.Detail{
		Sample: sample.ID, Question: sample.Question, Hint: sample.Hint, Options: sample.Options,
		Type: set.QuestionType(&sample), Taxonomy: sample.Taxonomy, Pictures: sample.Pictures,
	}
	view, err := b.newPolicyWatch(who).viewByFreshPolicy(of, p.Sample)
	if err != nil {
		return out, err
	}
	if out.Blinded = !view.ShowsVotes(); out.Blinded {
		return out, nil
	}
	out.Criteria = criteria.FormatText(set.Criteria())
	for i, id := range []eval.RunID{p.First, p.Second} {
		if out.Models[i], out.Answers[i], err = b.readUnrotatedAnswer(id, p.Sample); err != nil {
			return out, err
		}
	}
	if out.Ballots, err = b.readBallots(ctx, p, &set); err != nil {
		return out, err
	}
	if out.Criteria == "" {
		out.Criteria = b.findCriteriaJudgesSaw(out.Ballots)
	}
	if out.People, err = b.readPeoplesVotes(ctx, of, p); err != nil {
		return out, err
	}
	others := slices.ContainsFunc(out.People, func(v pairs.Vote) bool { return v.Who != who })
	return out, b.Policy.RecordShown(ctx, who, "a pair", disclosuresOfPair(of, pairItemKey(p), len(out.Ballots) > 0, others))
}

// readUnrotatedAnswer reads what a run said to the question as written.
func (b Pairs) readUnrotatedAnswer(id eval.RunID, o eval.Ordinal) (model string, a pairs.Answer, err error) {
	run, err := b.Store.Runs().Run(id)
	if err != nil {
		return "", a, err
	}
	p, err := b.Store.Runs().Prediction(eval.Key{Run: id, Sample: o})
	switch {
	case errors.Is(err, eval.ErrNotFound):
		a.Missing, err = "no answer", nil
	case err != nil:
	case p.Failure != nil:
		a.Missing = "the call failed: " + p.Failure.Error()
	default:
		a.Text, a.Cut = p.Text, p.Finish == "length"
	}
	return run.Config.Model, a, err
}

// readBallots reads all the ways in which the pair was judged.
func (b Pairs) readBallots(ctx context.Context, p eval.Pair, set *criteria.Set) ([]pairs.Ballot, error) {
	contests, err := b.Store.Votes().Comparisons(ctx)
	if err != nil {
		return nil, err
	}
	now, written := set.CurrentRevision()
	var out []pairs.Ballot
	for i := range contests {
		c := &contests[i].Comparison
		if c.OtherRun(p.First) != p.Second {
			continue
		}
		one, err := b.readBallotOnPair(ctx, p, c.Ballot)
		if err != nil {
			return nil, err
		}
		for k := range one.Orders {
			r := &one.Orders[k]
			r.Stale = written && c.Criteria && r.Criteria != "" && r.Criteria != now.Hash
		}
		if one.Orders[0].Asked || one.Orders[1].Asked {
			out = append(out, one)
		}
	}
	slices.SortFunc(out, func(x, y pairs.Ballot) int { return strings.Compare(x.Judge, y.Judge) })
	return out, nil
}

// findCriteriaJudgesSaw are those that a judge was shown, where nobody has written any here.
func (b Pairs) findCriteriaJudgesSaw(all []pairs.Ballot) string {
	for i := range all {
		for _, r := range all[i].Orders {
			if r.Criteria == "" {
				continue
			}
			if text, err := b.Store.Texts().Text(r.Criteria); err == nil {
				return string(text)
			}
		}
	}
	return ""
}

// readPeoplesVotes reads the people who voted on the pair, in every queue and whichever way round its item is.
func (b Pairs) readPeoplesVotes(ctx context.Context, of eval.DatasetName, p eval.Pair) ([]pairs.Vote, error) {
	all, err := b.PeoplesVotes(ctx, of)
	if err != nil {
		return nil, err
	}
	said := eval.Select(all, func(v annotate.PersonVote) bool { return lowerRunFirst(v.Pair) == lowerRunFirst(p) })
	return eval.Map(said, func(v annotate.PersonVote) pairs.Vote {
		return pairs.Vote{
			Who: v.Annotator, Queue: v.Queue, Vote: turnVoteToOrder(p, v.Pair, v.Vote), Second: v.Pair.First != p.First,
			Flagged: v.Flagged, Informed: v.Informed, Note: v.Note,
		}
	}), nil
}
