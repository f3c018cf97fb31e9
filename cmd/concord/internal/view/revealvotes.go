package view

import (
	"context"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/store"
	"concord/tui/vote"
)

// VoteReveal tells one person whose answers a pair holds and what judges voted
// on it, once the screen's session allows it, and only when no other queue
// withholds it.
type VoteReveal struct {
	Store  *store.Store
	Policy *blind.Policies
	Who    annotate.Annotator
}

var _ vote.Revealer = VoteReveal{}

// RevealPair gives whose answers a pair holds, with the judges' votes that count.
func (u VoteReveal) RevealPair(ctx context.Context, name annotate.QueueName, k annotate.ItemKey) (out blind.RevealedPair, err error) {
	run, err := u.Store.Runs().Run(k.Run)
	if err != nil {
		return out, err
	}
	other, err := u.Store.Runs().Run(k.Against)
	if err != nil {
		return out, err
	}
	policy, err := u.Policy.For(u.Who, run.Config.Dataset)
	if err != nil {
		return out, err
	}
	view, err := policy.Sample(k.Sample)
	if err != nil {
		return out, err
	}
	if !view.Without(name).ShowsVotes() {
		return blind.RevealedPair{Withheld: true}, nil
	}
	out.Model, out.Against = run.Config.Model, other.Config.Model
	contests, err := u.Store.Votes().Comparisons(ctx)
	if err != nil {
		return out, err
	}
	for i := range contests {
		c := contests[i].Comparison
		if c.Against(k.Run) != k.Against {
			continue
		}
		said, err := u.Store.Votes().On(ctx, c, k.Sample)
		if err != nil {
			return out, err
		}
		for _, p := range said {
			if p.Reads() {
				out.Judges = append(out.Judges, p)
			}
		}
	}
	contents := []annotate.Content{annotate.ModelContent}
	if len(out.Judges) > 0 {
		contents = append(contents, annotate.JudgeContent)
	}
	return out, u.Policy.Show(ctx, u.Who, "queue "+string(name), k.Disclose(run.Config.Dataset, contents...))
}
