package models

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"concord/annotate/report"
	"concord/eval"
	"concord/eval/stat/ranking"
)

// VotesOptions say which votes rank models. The zero value is those of every judge and of people.
type VotesOptions struct {
	Dataset  eval.DatasetName // "": all
	Judge    string           // "": all
	People   bool             // people alone
	Seed     uint64           // of the bootstrap; 0: 1
	Progress func(done, total int)

	Clustered bool // samples may share a cluster (report.ClusterOf)
}

// electorate is whose votes rank models, and how they were asked for.
type electorate struct {
	dataset  eval.DatasetName
	judge    string // "" for people
	criteria bool
	input    eval.Input
	asked    string // in which settings a judge was asked for these votes otherwise than for others
}

func (e *electorate) voterName() string { return cmp.Or(e.judge, People) }

// People is the name of people's own ranking.
const People = "people"

type votesBySample struct {
	electorate
	samples map[eval.Ordinal][]castVote
	left    leftOut
	ongoing bool // people are still voting
}

// castVote is one vote: of two runs, in the order in which they were shown.
type castVote struct {
	first, second eval.RunID
	outcome       ranking.Outcome
}

// leftOut are votes that rank nothing.
type leftOut struct {
	unread    int // a reply that holds no vote, or a call that failed
	excluded  int
	informed  int // given after something of the pair was shown
	discarded int // on samples that curators discarded
}

func (v *votesBySample) addVote(sample eval.Ordinal, p eval.Pair, vote eval.Vote) {
	c := castVote{first: p.First, second: p.Second}
	switch vote {
	case eval.Answer1:
		c.outcome = ranking.Won
	case eval.Answer2:
		c.outcome = ranking.Lost
	case eval.SituationOne, eval.SituationTwo: // neither is preferred
		c.outcome = ranking.Tied
	case eval.VoteUnset:
		v.left.unread++
		return
	}
	v.samples[sample] = append(v.samples[sample], c)
}

type voteReader struct {
	facts report.VoteFacts
	o     *VotesOptions
	runs  map[eval.RunID]eval.Run
	found map[electorate]*votesBySample
	gone  map[eval.DatasetName]map[eval.Ordinal]bool
}

func (p *voteReader) votesOf(e electorate) *votesBySample {
	return eval.GetOrAdd(p.found, e, func() *votesBySample {
		return &votesBySample{electorate: e, samples: make(map[eval.Ordinal][]castVote)}
	})
}

// readJudgeVotes reads the votes of judges: of several on one pair in one order the last that reads.
func (p *voteReader) readJudgeVotes(ctx context.Context) error {
	contests, err := p.facts.Comparisons(ctx)
	if err != nil {
		return fmt.Errorf("list comparisons: %w", err)
	}
	asked, err := report.DistinguishJudges(ctx, p.facts, p.runs, eval.Map(contests, func(c eval.ComparisonProgress) eval.Comparison { return c.Comparison }))
	if err != nil {
		return err
	}
	for i, c := range contests {
		on := p.runs[c.A].Config.Dataset
		if p.o.Dataset != "" && on != p.o.Dataset || p.o.Judge != "" && c.Judge != p.o.Judge {
			continue
		}
		standing, err := report.ReadStandingVotes(ctx, p.facts, c.Comparison)
		if err != nil {
			return err
		}
		into := p.votesOf(electorate{on, c.Judge, c.Criteria, c.Input, asked[i]})
		for pair, vote := range standing {
			said := eval.Either(!vote.HasReply(), eval.VoteUnset, vote.Vote)
			if p.gone[on][pair.Sample] {
				into.left.discarded++
				continue
			}
			into.addVote(pair.Sample, pair, said)
		}
		if p.o.Progress != nil {
			p.o.Progress(i+1, len(contests))
		}
	}
	return nil
}

// readPeopleVotes reads the votes of people. Those that were given after something of
// the pair was shown, and those on excluded pairs, rank nothing.
func (p *voteReader) readPeopleVotes(ctx context.Context) error {
	for _, on := range p.listDatasets() {
		cast, err := p.facts.PeoplesVotes(ctx, on)
		if err != nil {
			return fmt.Errorf("read people's votes on %s: %w", on, err)
		}
		ongoing := report.NewOngoingLookup(ctx, p.facts)
		for i := range cast {
			v := &cast[i]
			into := p.votesOf(electorate{dataset: on, criteria: v.Criteria != ""})
			goes, err := ongoing(v.Queue)
			if err != nil {
				return err
			}
			into.ongoing = into.ongoing || goes
			switch {
			case v.Excluded:
				into.left.excluded++
			case v.Informed:
				into.left.informed++
			case p.gone[on][v.Pair.Sample]:
				into.left.discarded++
			default:
				into.addVote(v.Pair.Sample, v.Pair, v.Vote)
			}
		}
	}
	return nil
}

// listDatasets lists those that runs are on, and that the options ask for.
func (p *voteReader) listDatasets() []eval.DatasetName {
	seen := make(map[eval.DatasetName]bool)
	for _, r := range p.runs {
		if on := r.Config.Dataset; p.o.Dataset == "" || on == p.o.Dataset {
			seen[on] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// readDiscarded finds the samples that curators discarded.
func (p *voteReader) readDiscarded(ctx context.Context) error {
	for _, on := range p.listDatasets() {
		gone, err := report.ReadDiscardedSamples(ctx, p.facts, on)
		if err != nil {
			return err
		}
		p.gone[on] = gone
	}
	return nil
}

func readVotes(ctx context.Context, facts report.VoteFacts, o *VotesOptions) (*voteReader, error) {
	p := &voteReader{facts: facts, o: o, found: make(map[electorate]*votesBySample), gone: make(map[eval.DatasetName]map[eval.Ordinal]bool)}
	var err error
	if p.runs, err = report.RunsByID(facts); err != nil {
		return nil, err
	}
	if err := p.readDiscarded(ctx); err != nil {
		return nil, err
	}
	if !o.People {
		if err := p.readJudgeVotes(ctx); err != nil {
			return nil, err
		}
	}
	if o.Judge == "" {
		return p, p.readPeopleVotes(ctx)
	}
	return p, nil
}

// votedRuns are the runs that an electorate has voted on, in their order.
func (v *votesBySample) votedRuns() []eval.RunID {
	seen := make(map[eval.RunID]bool)
	for _, some := range v.samples {
		for _, c := range some {
			seen[c.first], seen[c.second] = true, true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// newTournament gives the votes as they are ranked: samples in their order, so that
// equal seeds draw the same, and those of a cluster together.
func (p *voteReader) newTournament(v *votesBySample, runs []eval.RunID) (*ranking.Tournament, error) {
	at := make(map[eval.RunID]int)
	for i, r := range runs {
		at[r] = i
	}
	t := ranking.NewTournament(len(runs))
	together := make(map[uint64][]ranking.Vote)
	for _, o := range slices.Sorted(maps.Keys(v.samples)) {
		some := v.samples[o]
		slices.SortFunc(some, func(a, b castVote) int {
			return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.second, b.second), cmp.Compare(a.outcome, b.outcome))
		})
		all := eval.Map(some, func(c castVote) ranking.Vote {
			return ranking.Vote{First: at[c.first], Second: at[c.second], Outcome: c.outcome}
		})
		if !p.o.Clustered {
			t.AddVotes(all)
			continue
		}
		s, err := p.facts.Sample(v.dataset, o)
		if err != nil {
			return nil, fmt.Errorf("read sample %d of %s: %w", o, v.dataset, err)
		}
		together[report.ClusterOf(&s)] = append(together[report.ClusterOf(&s)], all...)
	}
	for _, c := range slices.Sorted(maps.Keys(together)) {
		t.AddVotes(together[c])
	}
	return t, nil
}
