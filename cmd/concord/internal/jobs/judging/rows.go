package judging

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/eval"
	"concord/tui/job"
)

var _ job.Source = (*Control)(nil)

// ListJobs are the comparisons of the project, stored or about to be, those of one dataset and judge
// together. It reads the totals of comparisons, and of one that it has not seen before a few votes.
func (a *Control) ListJobs(ctx context.Context) ([]job.Row, error) {
	stored, err := a.scheduler.Store.Votes().Comparisons(ctx)
	if err != nil {
		return nil, err
	}
	runs, err := a.runsByID()
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, h := range a.hearings {
		for _, p := range h.Voting.Tallies {
			if !slices.ContainsFunc(stored, func(c eval.ComparisonProgress) bool { return c.Comparison == p.Comparison }) {
				stored = append(stored, eval.ComparisonProgress{Comparison: p.Comparison})
			}
		}
	}
	counts := eval.IndexBy(stored, func(c eval.ComparisonProgress) (eval.Comparison, eval.VoteCounts) { return c.Comparison, c.Counts })
	anchors := findAnchorByDataset(stored, runs)
	out := make([]job.Row, 0, len(stored))
	for _, c := range stored {
		d := tellModelFromAnchor(c.Comparison, runs, anchors)
		h := a.lastJobOf(c.Comparison)
		if h != nil {
			d.Anchor = h.Voting.Anchor
			d.Model = runs[c.OtherRun(d.Anchor.ID)]
		}
		row := job.Row{
			ID: ComparisonJobID(c.Comparison), Work: eval.Voting, Dataset: d.Model.Config.Dataset, Asked: c.Judge,
			Comparison: c.Comparison, Model: d.Model.Config.Model, Anchor: d.Anchor.Config.Model, Votes: c.Counts,
			Tally: eval.Tally{
				Stored: c.Counts.CountAsked() - c.Counts.Votes[eval.VoteUnset], Unparsed: c.Counts.Votes[eval.VoteUnset],
				Failed: c.Counts.Failures, Usage: c.Counts.Usage,
			},
		}
		if h != nil {
			a.addJobState(&row, h, counts)
		}
		w, err := a.countWantedVotes(ctx, c, d.Model.Config.Dataset)
		if err != nil {
			return nil, err
		}
		row.Tally.Wanted, row.Shuffled = w.votes, w.shuffled
		price := a.scheduler.PriceOf(c.Judge)
		row.Cost, row.Priced = price.Cost(c.Counts.Usage), price.IsKnown()
		row.NoPause, row.NoCancel, row.NoRetry = whyActionsDisabled(&row)
		out = append(out, row)
	}
	return append(out, a.listNonVotingJobs()...), nil
}

// listNonVotingJobs are the jobs of this process that are no votes: of what they leave, reports tell.
func (a *Control) listNonVotingJobs() []job.Row {
	var out []job.Row
	for _, j := range a.scheduler.ListOtherJobs() {
		p := j.Progress
		if p.Job.Work == eval.Voting {
			continue
		}
		row := job.Row{
			ID: job.ID(fmt.Sprintf(otherID, j.ID)), Work: p.Job.Work, Dataset: p.Job.Dataset, Asked: p.Job.Asked,
			Tally: p.Tally, Progress: p, Live: true, Cost: p.Cost, Priced: p.Priced,
		}
		row.NoPause, row.NoCancel, row.NoRetry = whyActionsDisabled(&row)
		if !row.IsMoving() {
			row.NoPause, row.NoRetry = notAtWork, notAtWork
		}
		out = append(out, row)
	}
	return out
}

func (a *Control) addJobState(row *job.Row, h *Job, counts map[eval.Comparison]eval.VoteCounts) {
	row.Progress, row.Live = h.work.Runner.Progress(), true
	row.Shares = len(h.Voting.Tallies) - 1
	if again := h.Voting.Order.Failed || h.Voting.Order.Stale || h.Voting.Order.Unparsed; again || row.Progress.State.IsFinal() {
		return
	}
	// Comparisons are asked one after the other: the first that is not whole is the one at work.
	for _, p := range h.Voting.Tallies {
		if k := counts[p.Comparison]; k.CountAsked()+k.Failures < p.Wanted {
			row.Resting = p.Comparison != row.Comparison
			return
		}
	}
}

type wantedVotes struct {
	votes    int  // 0: not known
	shuffled bool // each pair is asked in one order
}

// countWantedVotes is what a comparison is for: as an order of this process has it, else as many votes as
// the dataset has samples, in the orders in which they were asked. The caller holds the lock.
func (a *Control) countWantedVotes(ctx context.Context, c eval.ComparisonProgress, d eval.DatasetName) (wantedVotes, error) {
	if w, ok := a.wanted[c.Comparison]; ok {
		return w, nil
	}
	data, err := a.scheduler.Store.Datasets().Dataset(d)
	if err != nil {
		return wantedVotes{}, err
	}
	orders, err := a.countAskedOrders(ctx, c.Comparison)
	if err != nil || orders == 0 {
		return wantedVotes{}, err
	}
	w := wantedVotes{orders * data.Samples, orders == 1}
	if c.Counts.CountAsked()+c.Counts.Failures >= glimpse {
		a.wanted[c.Comparison] = w // more votes tell nothing else
	}
	return w, nil
}

// glimpse is how many votes tell whether pairs are asked in both orders.
const glimpse = 32

// countAskedOrders is in how many orders the pairs of a comparison were asked: 2 as soon as
// one was in both, 0 without votes.
func (a *Control) countAskedOrders(ctx context.Context, c eval.Comparison) (int, error) {
	seen := make(map[eval.Pair]bool)
	for p, err := range a.scheduler.Store.Votes().OfComparison(ctx, c) {
		if err != nil {
			return 0, err
		}
		if seen[p.Swapped()] {
			return 2, nil
		}
		if seen[p.Pair] = true; len(seen) >= glimpse {
			break
		}
	}
	return min(len(seen), 1), nil
}

// Runs are those of a comparison, turned so that the anchor is known.
type Runs struct{ Model, Anchor eval.Run }

// ReadComparedRuns reads the runs of a comparison.
func (a *Control) ReadComparedRuns(ctx context.Context, c eval.Comparison) (Runs, error) {
	runs, err := a.runsByID()
	if err != nil {
		return Runs{}, err
	}
	all, err := a.scheduler.Store.Votes().Comparisons(ctx)
	return tellModelFromAnchor(c, runs, findAnchorByDataset(all, runs)), err
}

func (a *Control) runsByID() (map[eval.RunID]eval.Run, error) {
	all, err := a.scheduler.Store.Runs().List()
	return eval.IndexBy(all, func(r eval.Run) (eval.RunID, eval.Run) { return r.ID, r }), err
}

// findAnchorByDataset finds the run that most comparisons of a dataset share, the older one of
// two: it is the anchor that models are compared with.
func findAnchorByDataset(all []eval.ComparisonProgress, runs map[eval.RunID]eval.Run) map[eval.DatasetName]eval.RunID {
	type side struct {
		on  eval.DatasetName
		run eval.RunID
	}
	against := make(map[side]map[eval.RunID]bool)
	for _, c := range all {
		for _, id := range []eval.RunID{c.A, c.B} {
			s := side{runs[id].Config.Dataset, id}
			if against[s] == nil {
				against[s] = make(map[eval.RunID]bool)
			}
			against[s][c.OtherRun(id)] = true
		}
	}
	out := make(map[eval.DatasetName]eval.RunID)
	for s, others := range against {
		best, have := out[s.on]
		n := len(against[side{s.on, best}])
		if !have || len(others) > n || len(others) == n && s.run < best {
			out[s.on] = s.run
		}
	}
	return out
}

func tellModelFromAnchor(c eval.Comparison, runs map[eval.RunID]eval.Run, anchors map[eval.DatasetName]eval.RunID) Runs {
	d := Runs{Model: runs[c.B], Anchor: runs[c.A]} // the older one's answers were there before
	if anchors[d.Model.Config.Dataset] == c.B {
		d.Model, d.Anchor = d.Anchor, d.Model
	}
	return d
}

// whyActionsDisabled are why a job cannot be paused or resumed, cancelled, and asked again.
func whyActionsDisabled(r *job.Row) (pause, stop, retry string) {
	switch {
	case r.IsMoving():
		return "", "", "it is still at work: what failed can be asked again when it has ended"
	case r.Tally.Failed+r.Tally.Unparsed == 0:
		retry = "every reply holds a vote"
	}
	if r.IsAllAsked() {
		pause = "every vote was asked for"
	}
	return pause, notAtWork, retry
}

// describeLeftOut says what an order leaves out, as a part of a sentence.
func describeLeftOut(all []eval.LeftOut) string {
	parts := eval.FilterMap(all, func(l eval.LeftOut) (string, bool) {
		return fmt.Sprintf("%s: %s", cli.FormatCount(l.Facts, "vote"), describeReason(l.Reason)), !l.Asked
	})
	return eval.Either(parts == nil, "", " (left out: "+strings.Join(parts, "; ")+")")
}

// describeReason describes why something is left out, in words.
func describeReason(reason string) string {
	for _, r := range jobs.LeftOutWords {
		if r.Reason == reason {
			return r.Words
		}
	}
	return reason
}
