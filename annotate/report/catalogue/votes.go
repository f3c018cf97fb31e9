package catalogue

import (
	"context"
	"errors"
	"fmt"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/pairwise"
	"concord/eval/metric"
)

// KindsOfVotes are the reports on votes, in the order in which lists show them. Of
// the options they take which runs they are about, and Ranks how runs are read.
func KindsOfVotes() []Kind {
	return []Kind{
		newVotesKind(namedKind("votes"), pairwise.ReportVotes, func(a *Request, p *pairwise.AgreementOptions) { a.addCorrectionFlags(&p.Corrected, false) }, addVoteClusterFlag),
		newVotesKind(namedKind("bias"), pairwise.ReportBias, addVoteClusterFlag),
		newLeaderboardByVotesKind(),
		newAgreementKind(),
		newPeopleVotesKind(namedKind("people"), pairwise.ReportPeople, addVoteClusterFlag),
		newVotesKind(namedKind("repeats"), pairwise.ReportRepeats, addVoteClusterFlag),
		newRankingsKind(),
	}
}

type (
	voteBuild func(context.Context, report.VoteFacts, pairwise.VoteOptions) (report.Report, error)
	pollBuild func(context.Context, report.VoteFacts, pairwise.AgreementOptions) (report.Report, error)
)

// newVotesKind makes a kind of a report on votes.
func newVotesKind(k Kind, build voteBuild, own ...func(*Request, *pairwise.AgreementOptions)) Kind {
	return newPollsKind(k, func(ctx context.Context, f report.VoteFacts, o pairwise.AgreementOptions) (report.Report, error) {
		return build(ctx, f, o.VoteOptions)
	}, append(own, addMergeFlag)...)
}

// newPeopleVotesKind makes a kind of a report on people's votes in queues of pairs.
func newPeopleVotesKind(k Kind, build pollBuild, own ...func(*Request, *pairwise.AgreementOptions)) Kind {
	return newPollsKind(k, build, append(own, func(a *Request, p *pairwise.AgreementOptions) {
		a.AddFlag("queue", wordValue(&p.Queue), "only this queue of pairs")
	})...)
}

func newPollsKind(k Kind, build pollBuild, own ...func(*Request, *pairwise.AgreementOptions)) Kind {
	k.Of = OnVotes
	k.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		return build(ctx, f, pairwise.AgreementOptions{VoteOptions: pairwise.VoteOptions{Runs: o.Runs, Dataset: o.Dataset, Model: o.Model}})
	}
	k.flags = func(a *Request) {
		var p pairwise.AgreementOptions
		a.Votes = &p.VoteOptions
		a.addFilterFlags()
		a.AddFlag("anchor", wordValue(&p.Anchor), "the `model` that the others are set against (default: the queue's, or the one that all votes share, the older of two)")
		a.AddFlag("judge", wordValue(&p.Judge), "only votes of this judge")
		a.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
			p.Runs, p.Dataset, p.Model = o.Runs, o.Dataset, o.Model
			return build(ctx, f, p)
		}
		for _, add := range own {
			add(a, &p)
		}
	}
	return k
}

func addVoteClusterFlag(a *Request, _ *pairwise.AgreementOptions) { addSampleClusterFlag(a) }

// addMergeFlag adds the flag of reports on what the votes of a question come to.
func addMergeFlag(a *Request, p *pairwise.AgreementOptions) {
	p.Merge = metric.MergeMLLMBench
	a.AddFlag("merge", parsedValue("string", p.Merge.String(), &p.Merge, metric.ParseMerging),
		"how votes become one: mllm-bench (of both orders) or asked (a question asked in one order counts by that vote)")
}

// newAgreementKind is judges beside people.
func newAgreementKind() Kind {
	return newPeopleVotesKind(namedKind("agreement"), pairwise.ReportAgreement, func(a *Request, p *pairwise.AgreementOptions) {
		a.AddFlag("policy", parsedValue("string", mllmBench, &p.Policy, parsePairPolicy),
			"when people have agreed: mllm-bench (more prefer one answer, and no more were unable), unanimous, majority or plurality")
		p.Undecided = annotate.Dropped
		a.AddFlag("undecided", parsedValue("string", p.Undecided.String(), &p.Undecided, parseTie),
			"pairs on which people or the judge prefer neither: dropped, a tie, or people's as a class of its own (own)")
	}, addVoteClusterFlag)
}

const mllmBench = "mllm-bench"

// parsePairPolicy reads when people have agreed on a pair; unset is as MLLM-Bench
// has it.
func parsePairPolicy(s string) (annotate.Policy, error) {
	if s == mllmBench {
		return annotate.PolicyUnset, nil
	}
	p, err := annotate.ParsePolicy(s)
	switch {
	case err != nil:
		return p, fmt.Errorf("%w, or mllm-bench", err)
	case p == annotate.Adjudicated:
		return p, errors.New("votes on pairs have no adjudications; want unanimous, majority, plurality or mllm-bench")
	case p == annotate.DawidSkene:
		return p, errors.New("dawid-skene is of labels (report alignment; accuracy and compare with --corrected): each person is a row here, beside the judge, whose errors the model would have to find from the others alone; want unanimous, majority, plurality or mllm-bench")
	}
	return p, nil
}

func parseTie(s string) (annotate.Undecided, error) {
	if s == "tie" {
		return annotate.CountedAsNone, nil
	}
	u, err := annotate.ParseUndecided(s)
	if err != nil {
		err = fmt.Errorf("%w, or tie", err)
	}
	return u, err
}

// newRankingsKind correlates rankings.
func newRankingsKind() Kind {
	k := newVotesKind(namedKind("ranks"), nil, addVoteClusterFlag, func(a *Request, p *pairwise.AgreementOptions) {
		by := uint64(1)
		a.AddFlag("seed", seedValue(&by), "of the orders that the permutation test draws of ten models or more")
		a.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
			p.Runs, p.Dataset, p.Model = o.Runs, o.Dataset, o.Model
			return ReportRankCorrelation(ctx, f, pairwise.RankOptions{Votes: p.VoteOptions, Seed: by}, report.Options{})
		}
	})
	k.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		return ReportRankCorrelation(ctx, f, pairwise.RankOptions{Votes: pairwise.VoteOptions{Dataset: o.Dataset}, Seed: 1}, o)
	}
	return k
}

// ReportRankCorrelation correlates the rankings by votes and by people with those by
// benchmarks. Scores say how runs on benchmarks are read: which ones, the
// options on votes say.
func ReportRankCorrelation(ctx context.Context, facts report.VoteFacts, o pairwise.RankOptions, scores report.Options) (report.Report, error) {
	scores.Runs, scores.Dataset, scores.Model = o.Votes.Runs, o.Votes.Dataset, o.Votes.Model
	o.Benchmarks = func(ctx context.Context) ([]*report.Ranking, []string, error) {
		return accuracy.CollectRankings(ctx, facts, scores)
	}
	return pairwise.ReportRankCorrelation(ctx, facts, o)
}
