package main

import (
	"context"

	"concord/annotate"
	"concord/store"
	"concord/tui/votes"
)

// unmasker tells one person whose answers a pair holds and what judges voted
// on it, once the screen's session allows it, and only when no other queue
// still asks them about the sample.
type unmasker struct {
	st    *store.Store
	veils *annotate.Veils
	who   annotate.Annotator
}

var _ votes.Unmasker = unmasker{}

func (u unmasker) Unmask(ctx context.Context, name annotate.QueueName, k annotate.ItemKey) (annotate.Unmasked, error) {
	run, err := u.st.Runs().Run(k.Run)
	if err != nil {
		return annotate.Unmasked{}, err
	}
	against, err := u.st.Runs().Run(k.Against)
	if err != nil {
		return annotate.Unmasked{}, err
	}
	veil, err := u.veils.For(u.who, run.Config.Dataset)
	if err != nil {
		return annotate.Unmasked{}, err
	}
	view, err := veil.Sample(k.Sample)
	if err != nil {
		return annotate.Unmasked{}, err
	}
	if !view.Beside(name).ShowsVotes() {
		return annotate.Unmasked{Withheld: true}, nil
	}
	out := annotate.Unmasked{Model: run.Config.Model, Against: against.Config.Model}
	contests, err := u.st.Votes().Contests(ctx)
	if err != nil {
		return annotate.Unmasked{}, err
	}
	for _, c := range contests {
		if c.Against(k.Run) != k.Against {
			continue
		}
		on, err := u.st.Votes().On(ctx, c.Contest, k.Sample)
		if err != nil {
			return annotate.Unmasked{}, err
		}
		out.Judges = append(out.Judges, on...)
	}
	return out, nil
}
