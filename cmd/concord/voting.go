package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"concord/eval"
	"concord/eval/engine"
	"concord/eval/judge"
	"concord/eval/prompt"
)

// votingOrder is what a judge is to vote on, as somebody asks for it: every
// model's answers against the anchor's.
type votingOrder struct {
	Dataset    eval.DatasetName
	Models     []string
	Anchor     string
	Runs       []eval.RunID // of the models and the anchor, where one has several
	Judge      string
	Criteria   bool // the judge sees them
	Input      eval.Input
	Shuffled   bool   // one order of every pair, drawn with Seed; else both
	Seed       uint64 // of that draw
	Repeats    []int  // that are asked; none: 0
	CaptionsBy string // whose captions the judge sees; "": the only model that made some
	Edge       int    // pictures' longer edge, in pixels; 0: never scaled down; below 0: as the judge is configured
	Stale      bool   // votes made under older criteria are asked again
	Failed     bool   // and what failed
	Unparsed   bool   // and replies that hold no vote
}

// check names what does not go together.
func (o *votingOrder) check() error {
	switch {
	case o.Dataset == "" || o.Judge == "" || o.Anchor == "" || len(o.Models) == 0:
		return errors.New("votes need a dataset, a judge, an anchor and at least one model")
	case slices.Contains(o.Models, o.Anchor):
		return fmt.Errorf("%s is the anchor: it is not compared with itself", o.Anchor)
	case o.Input == eval.InputUnset:
		return errors.New("it is not said what the judge sees of a picture")
	case o.Edge >= 0 && o.Input != eval.SeesImage:
		return fmt.Errorf("--edge scales pictures down, and with --input %s the judge sees none", o.Input)
	case o.CaptionsBy != "" && o.Input != eval.SeesCaption && o.Input != eval.SeesBoth:
		return fmt.Errorf("--captions-by names whose captions the judge sees: it goes with --input caption or both")
	case o.Stale && !o.Criteria:
		return errors.New("--stale asks again what was voted on under older criteria: it goes with --criteria")
	case slices.Min(append(o.Repeats, 0)) < 0:
		return errors.New("repeats are counted from 0")
	}
	return nil
}

// voting is an order made out: whose answers are compared, what stands
// already, and what is still to be asked.
//
//	votingOrder --lab.voting--> voting --runner--> engine.Runner --> live or follow
type voting struct {
	role
	order  votingOrder
	data   eval.Dataset
	anchor eval.Run
	models []eval.Run
	polls  []poll // by repeat, then by model
	grounds
	tally
}

// voting makes an order out. Nothing is asked, and nothing is stored.
func (l *lab) voting(ctx context.Context, o *votingOrder) (*voting, error) {
	if err := o.check(); err != nil {
		return nil, usageError{err}
	}
	s, err := l.survey(ctx, o.Dataset)
	if err != nil {
		return nil, err
	}
	v := &voting{order: *o, data: s.dataset}
	if v.anchor, err = l.answering(o.Dataset, o.Anchor, o.Runs); err != nil {
		return nil, err
	}
	for _, m := range slices.Compact(slices.Sorted(slices.Values(o.Models))) {
		run, err := l.answering(o.Dataset, m, o.Runs)
		if err != nil {
			return nil, err
		}
		v.models = append(v.models, run)
	}
	for _, id := range o.Runs {
		if id != v.anchor.ID && !slices.ContainsFunc(v.models, func(r eval.Run) bool { return r.ID == id }) {
			return nil, usageError{fmt.Errorf("run %d is of none of the compared models on dataset %s", id, o.Dataset)}
		}
	}
	if v.role, err = l.juror(o); err != nil {
		return nil, err
	}
	if v.grounds, err = l.grounds(ctx, o, v.data.Samples); err != nil {
		return nil, err
	}
	return v, v.take(ctx)
}

// answering is the run whose answers a model's are, of those of its own that
// are named or else of all.
func (l *lab) answering(d eval.DatasetName, model string, ids []eval.RunID) (eval.Run, error) {
	all, err := l.st.Runs().List()
	if err != nil {
		return eval.Run{}, err
	}
	var models []string
	for _, r := range all {
		if r.Config.Dataset == d {
			models = append(models, r.Config.Model)
		}
	}
	slices.Sort(models)
	found := eval.RunsOf(all, d, model, ids)
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return eval.Run{}, usageError{fmt.Errorf("model %s has %d runs on dataset %s (%d and %d among them): name one with --run",
			model, len(found), d, found[0].ID, found[1].ID)}
	case len(models) == 0:
		return eval.Run{}, fmt.Errorf("dataset %s has no answers yet (see: concord eval --help, concord import predictions --help): %w", d, eval.ErrNotFound)
	}
	return eval.Run{}, fmt.Errorf("no run of model %s on dataset %s (models with answers: %s): %w", model, d, few(slices.Compact(models)), eval.ErrNotFound)
}

// juror is the judge as the configuration has it today.
func (l *lab) juror(o *votingOrder) (role, error) {
	r, err := l.cast(o.Judge, prompt.Compares(o.Input))
	if err == nil && o.Input == eval.SeesImage {
		err = r.sight(o.Edge)
	}
	if err != nil {
		return r, fmt.Errorf("judge %s: %w", o.Judge, err)
	}
	return r, nil
}

// title is what messages call the job.
func (v *voting) title() string { return "votes of " + visible(v.order.Judge) }

func (v *voting) asked() string { return v.order.Judge }

func (v *voting) fact() string { return "vote" }

func (v *voting) on() []eval.Run { return append([]eval.Run{v.anchor}, v.models...) }

// voter is the judge, ready to be asked; with a nil chatter it only says what
// it would be asked.
func (v *voting) voter(c eval.Chatter) (*judge.Voter, error) {
	return judge.NewVoter(judge.VoterOptions{
		Setup: v.setup, Chatter: c, Set: v.set, Input: v.order.Input, Criteria: v.order.Criteria, Hints: v.lab.conf.Hints(),
	})
}

// runner is what asks for the votes that are due. The texts that they name are
// stored first.
func (v *voting) runner(ctx context.Context, e effort) (*engine.Runner, error) {
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
		Terms: v.lab.terms(e, v.asked()), Job: v.job(), Price: v.lab.price(v.asked()), Tally: v.Tally, Due: v.questions,
	}, voter, v.lab.st.Votes())
}

// job says what the votes are about.
func (v *voting) job() eval.Job {
	j := eval.Job{Dataset: v.order.Dataset, Asked: v.order.Judge, Runs: []eval.RunID{v.anchor.ID}, LeftOut: v.leftOut()}
	for _, m := range v.models {
		j.Runs = append(j.Runs, m.ID)
	}
	for i := range v.polls {
		j.Contests = append(j.Contests, v.polls[i].contest)
	}
	return j
}
