package jobs

import (
	"context"
	"fmt"
	"slices"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/engine"
	"concord/eval/judge"
	"concord/eval/prompt"
)

// Voting is an order made out: whose answers are compared, what stands
// already, and what is still to be asked.
//
//	votingOrder --Factory.Voting--> Voting --runner--> engine.Runner --> Running or runToEnd
type Voting struct {
	judgeConfig
	Order   VotingOrder
	data    eval.Dataset
	Anchor  eval.Run
	Models  []eval.Run
	Tallies []Tally // by repeat, then by model
	evidenceFor
	Standing
}

// Voting makes an order out. Nothing is asked, and nothing is stored.
func (l *Factory) Voting(ctx context.Context, o *VotingOrder) (*Voting, error) {
	if err := o.Check(); err != nil {
		return nil, cli.Usage(err)
	}
	s, err := l.Datasets.Facts(ctx, o.Dataset)
	if err != nil {
		return nil, err
	}
	v := &Voting{Order: *o, data: s.dataset}
	if v.Anchor, err = l.runs.answering(o.Dataset, o.Anchor, o.Runs); err != nil {
		return nil, err
	}
	for _, m := range slices.Compact(slices.Sorted(slices.Values(o.Models))) {
		run, err := l.runs.answering(o.Dataset, m, o.Runs)
		if err != nil {
			return nil, err
		}
		v.Models = append(v.Models, run)
	}
	for _, id := range o.Runs {
		if id != v.Anchor.ID && !slices.ContainsFunc(v.Models, func(r eval.Run) bool { return r.ID == id }) {
			return nil, cli.Usage(fmt.Errorf("run %d is of none of the compared models on dataset %s", id, o.Dataset))
		}
	}
	if v.judgeConfig, err = l.juror(o); err != nil {
		return nil, err
	}
	if v.evidenceFor, err = l.Evidence.of(ctx, o, v.data.Samples); err != nil {
		return nil, err
	}
	return v, v.take(ctx)
}

// juror is the judge as the configuration has it today.
func (l *Factory) juror(o *VotingOrder) (judgeConfig, error) {
	r, err := l.cast(o.Judge, prompt.Compares(o.Input))
	if err == nil && o.Input == eval.SeesImage {
		err = r.sight(o.Edge)
	}
	if err != nil {
		return r, fmt.Errorf("judge %s: %w", o.Judge, err)
	}
	return r, nil
}

// Title is what messages call the job.
func (v *Voting) Title() string { return "votes of " + cli.Visible(v.Order.Judge) }

func (v *Voting) asked() string { return v.Order.Judge }

func (v *Voting) fact() string { return "vote" }

func (v *Voting) on() []eval.Run { return append([]eval.Run{v.Anchor}, v.Models...) }

// voter is the judge, ready to be asked; with a nil chatter it only says what
// it would be asked.
func (v *Voting) voter(c eval.Chatter) (*judge.Voter, error) {
	return judge.NewVoter(judge.VoterOptions{
		Setup: v.setup, Chatter: c, Set: v.set, Input: v.Order.Input, Criteria: v.Order.Criteria, Hints: v.Factory.Conf.Hints(),
	})
}

// Runner is what asks for the votes that are due. The texts that they name are
// stored first.
func (v *Voting) Runner(ctx context.Context, e Effort) (*engine.Runner, error) {
	c, err := v.equip(ctx, e)
	if err != nil {
		return nil, fmt.Errorf("judge %s: %w", v.asked(), err)
	}
	voter, err := v.voter(c)
	if err != nil {
		return nil, err
	}
	if err := v.keepCriteria(ctx); err != nil {
		return nil, err
	}
	return engine.NewVotes(engine.Asking[eval.VoteQuestion]{
		Terms: v.Factory.terms(e, v.asked()), Job: v.job(), Price: v.Factory.Models.price(v.asked()), Tally: v.Tally, Due: v.questions,
	}, voter, v.Factory.Store.Votes())
}

// job says what the votes are about.
func (v *Voting) job() eval.Job {
	j := eval.Job{Dataset: v.Order.Dataset, Asked: v.Order.Judge, Runs: []eval.RunID{v.Anchor.ID}, LeftOut: v.LeftOut()}
	for _, m := range v.Models {
		j.Runs = append(j.Runs, m.ID)
	}
	for i := range v.Tallies {
		j.Comparisons = append(j.Comparisons, v.Tallies[i].Comparison)
	}
	return j
}

// Same reports whether two orders are about the same comparisons in the same
// way.
func (v *Voting) Same(o *Voting) bool {
	return v.Order.Shuffled == o.Order.Shuffled && slices.EqualFunc(v.Tallies, o.Tallies, func(p, q Tally) bool { return p.Comparison == q.Comparison })
}

// First is the comparison that is asked first.
func (v *Voting) First() eval.Comparison {
	for _, p := range v.Tallies {
		if d := v.Due; len(d) > 0 && p.Comparison.Ballot == d[0].ballot && (p.model == d[0].pair.First || p.model == d[0].pair.Second) {
			return p.Comparison
		}
	}
	return v.Tallies[0].Comparison
}
