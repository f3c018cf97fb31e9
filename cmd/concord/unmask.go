package main

import (
	"context"

	"concord/annotate"
	"concord/store"
	"concord/tui/vote"
)

// unmasker tells one person whose answers a pair holds and what judges voted
// on it, once the screen's session allows it, and only when no other queue
// withholds it.
type unmasker struct {
	st    *store.Store
	veils *annotate.VisibilityPolicies
	who   annotate.Annotator
}

var _ vote.Unmasker = unmasker{}

// Unmask is whose answers they are, with the judges' votes that stand.
func (u unmasker) Unmask(ctx context.Context, name annotate.QueueName, k annotate.ItemKey) (out annotate.RevealedPair, err error) {
	run, err := u.st.Runs().Run(k.Run)
	if err != nil {
		return out, err
	}
	other, err := u.st.Runs().Run(k.Against)
	if err != nil {
		return out, err
	}
	veil, err := u.veils.For(u.who, run.Config.Dataset)
	if err != nil {
		return out, err
	}
	view, err := veil.Sample(k.Sample)
	if err != nil {
		return out, err
	}
	if !view.Without(name).ShowsVotes() {
		return annotate.RevealedPair{Withheld: true}, nil
	}
	out.Model, out.Against = run.Config.Model, other.Config.Model
	contests, err := u.st.Votes().Contests(ctx)
	if err != nil {
		return out, err
	}
	for i := range contests {
		c := contests[i].Contest
		if c.Against(k.Run) != k.Against {
			continue
		}
		said, err := u.st.Votes().On(ctx, c, k.Sample)
		if err != nil {
			return out, err
		}
		for _, p := range said {
			if p.Reads() {
				out.Judges = append(out.Judges, p)
			}
		}
	}
	return out, nil
}
