package view

import (
	"context"
	"errors"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/pairs"
)

// Picture reads the bytes of a picture.
func (b Pairs) Picture(_ context.Context, h eval.PictureHash) ([]byte, error) {
	return b.Store.Datasets().Picture(h)
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
	view, err := (&watch{policies: b.Policy, now: b.Now, who: who, of: of}).sample(p.Sample)
	if err != nil {
		return out, err
	}
	if out.Blinded = !view.ShowsVotes(); out.Blinded {
		return out, nil
	}
	out.Criteria = criteria.Text(set.Criteria())
	for i, id := range []eval.RunID{p.First, p.Second} {
		if out.Models[i], out.Answers[i], err = b.answer(id, p.Sample); err != nil {
			return out, err
		}
	}
	if out.Ballots, err = b.ballots(ctx, p, &set); err != nil {
		return out, err
	}
	if out.Criteria == "" {
		out.Criteria = b.shownCriteria(out.Ballots)
	}
	if out.People, err = b.voters(of, p); err != nil {
		return out, err
	}
	contents := []annotate.Content{annotate.ModelContent}
	if len(out.Ballots) > 0 {
		contents = append(contents, annotate.JudgeContent)
	}
	if slices.ContainsFunc(out.People, func(v pairs.Vote) bool { return v.Who != who }) {
		contents = append(contents, annotate.OthersContent)
	}
	return out, b.Policy.Show(ctx, who, "a pair", pairItem(p).Disclose(of, contents...))
}

// answer is what a run said to the question as written.
func (b Pairs) answer(id eval.RunID, o eval.Ordinal) (model string, a pairs.Answer, err error) {
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

// ballots are all the ways in which the pair was judged.
func (b Pairs) ballots(ctx context.Context, p eval.Pair, set *criteria.Set) ([]pairs.Ballot, error) {
	contests, err := b.Store.Votes().Comparisons(ctx)
	if err != nil {
		return nil, err
	}
	now, written := set.Current()
	var out []pairs.Ballot
	for i := range contests {
		c := &contests[i].Comparison
		if c.Against(p.First) != p.Second {
			continue
		}
		one, err := b.said(ctx, p, c.Ballot)
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

// shownCriteria are those that a judge was shown, where nobody has written any
// here.
func (b Pairs) shownCriteria(all []pairs.Ballot) string {
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

// voters are the people who voted on the pair, in every queue.
func (b Pairs) voters(of eval.DatasetName, p eval.Pair) ([]pairs.Vote, error) {
	queues, err := b.Store.Queues().List()
	if err != nil {
		return nil, err
	}
	var out []pairs.Vote
	for i := range queues {
		q := &queues[i]
		if q.Rule.Dataset != of || q.Rule.From != annotate.FromPairs {
			continue
		}
		people, err := b.Store.Acts().Annotators(q.Name)
		if err != nil {
			return nil, err
		}
		for _, who := range people {
			acts, err := b.Store.Acts().Acts(q.Name, who)
			if err != nil {
				return nil, err
			}
			if v, ok := voter(annotate.Fold(acts), p); ok {
				out = append(out, v)
			}
		}
	}
	return out, nil
}

// voter is what one person said of the pair, whichever way round its item is.
func voter(st annotate.State, p eval.Pair) (pairs.Vote, bool) {
	for _, way := range []eval.Pair{p, p.Swapped()} {
		l, ok := st.Labels[annotate.ItemKey{Key: eval.Key{Run: way.First, Sample: way.Sample}, Against: way.Second}]
		if !ok {
			continue
		}
		if v, ok := l.Vote(); ok {
			return pairs.Vote{
				Who: v.Annotator, Queue: v.Queue, Vote: toward(p, v.Pair, v.Vote), Second: v.Pair.First != p.First,
				Flagged: v.Flagged, Informed: v.Informed, Note: l.Note,
			}, true
		}
	}
	return pairs.Vote{}, false
}
