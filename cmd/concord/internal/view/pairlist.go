package view

import (
	"context"
	"errors"
	"iter"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/metric"
	"concord/tui/pairs"
)

// Pairs shows single pairs of answers and what was voted on them, to each
// person what their policy lets through.
type Pairs struct {
	facts.Source
	Policy *blind.Policies
	Now    func() time.Time
}

var _ pairs.Source = Pairs{}

// Of yields the pairs of a figure, with the votes of the judge that was asked
// so, and people's. Each is recorded as shown before it is yielded.
func (b Pairs) Of(ctx context.Context, a pairs.Ask, all iter.Seq[eval.Pair]) iter.Seq2[pairs.Row, error] {
	l := &behindVotes{Pairs: b, ask: a, watches: make(map[eval.DatasetName]*watch), cast: make(map[eval.DatasetName]castVotes), of: make(map[eval.RunID]eval.DatasetName)}
	return recorded(l.rows(ctx, all), func(rows []pairs.Row) error {
		var told []annotate.Disclosure
		for i := range rows {
			told = append(told, tellsPair(l.of[rows[i].Pair.First], &rows[i])...)
		}
		return b.Policy.Show(ctx, a.Who, "pairs of a report", told)
	})
}

func (l *behindVotes) rows(ctx context.Context, all iter.Seq[eval.Pair]) iter.Seq2[pairs.Row, error] {
	return func(yield func(pairs.Row, error) bool) {
		for p := range all {
			row, err := pairs.Row{}, ctx.Err()
			if err == nil {
				row, err = l.row(ctx, p)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// castVotes are people's votes by pair, each turned to the pair of a lower run
// first.
type castVotes map[eval.Pair][]annotate.PersonVote

// behindVotes goes through the pairs behind a figure for one person.
type behindVotes struct {
	Pairs
	ask     pairs.Ask
	watches map[eval.DatasetName]*watch
	cast    map[eval.DatasetName]castVotes
	of      map[eval.RunID]eval.DatasetName // of the first runs
}

func (l *behindVotes) row(ctx context.Context, p eval.Pair) (row pairs.Row, err error) {
	run, err := l.Store.Runs().Run(p.First)
	if err != nil {
		return row, err
	}
	of := run.Config.Dataset
	l.of[p.First] = of
	if l.watches[of] == nil {
		l.watches[of] = &watch{policies: l.Policy, now: l.Now, who: l.ask.Who, of: of}
	}
	view, err := l.watches[of].sample(p.Sample)
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
		said, err := l.said(ctx, p, *l.ask.Ballot)
		if err != nil {
			return row, err
		}
		row.Orders, row.Outcome = [2]pairs.Order{said.Orders[0].Order, said.Orders[1].Order}, said.Outcome
	}
	row.People, err = l.people(ctx, of, p)
	return row, err
}

// people are the votes on a pair that count, for its first run.
func (l *behindVotes) people(ctx context.Context, of eval.DatasetName, p eval.Pair) ([]eval.Vote, error) {
	if l.cast[of] == nil {
		all, err := l.PeoplesVotes(ctx, of)
		if err != nil {
			return nil, err
		}
		l.cast[of] = make(castVotes)
		for _, v := range all {
			k := ascending(v.Pair)
			l.cast[of][k] = append(l.cast[of][k], v)
		}
	}
	var out []eval.Vote
	for _, v := range l.cast[of][ascending(p)] {
		if !v.Excluded && !v.Informed {
			out = append(out, toward(p, v.Pair, v.Vote))
		}
	}
	return out, nil
}

func ascending(p eval.Pair) eval.Pair {
	if p.First > p.Second {
		return p.Swapped()
	}
	return p
}

// toward turns a vote on a pair that was shown in one order to speak of it in
// another.
func toward(p, shown eval.Pair, v eval.Vote) eval.Vote {
	if p.First != shown.First {
		return v.Swapped()
	}
	return v
}

// said is what a judge, asked in one way, said of a pair.
func (b Pairs) said(ctx context.Context, p eval.Pair, by eval.Ballot) (pairs.Ballot, error) {
	out := pairs.Ballot{Ballot: by}
	c := eval.Comparison{A: min(p.First, p.Second), B: max(p.First, p.Second), Ballot: by}
	votes, err := b.Store.Votes().On(ctx, c, p.Sample)
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
			r.Vote = toward(p, v.Pair, v.Vote)
		}
		asked++
		if v.First == p.First {
			out.Orders[0], bout.First = r, standingVote(v)
		} else {
			out.Orders[1], bout.Second = r, standingVote(v)
		}
	}
	switch asked {
	case 0:
		out.Outcome = "not asked"
	case 1:
		out.Outcome = "one order"
	default:
		out.Outcome = bout.Merge().String()
	}
	return out, nil
}

// standingVote is the vote of a call that did not fail.
func standingVote(v *eval.Preference) eval.Vote {
	if !v.Reads() {
		return eval.VoteUnset
	}
	return v.Vote
}
