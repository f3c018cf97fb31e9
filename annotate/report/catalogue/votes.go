package catalogue

import (
	"context"

	"concord/annotate/report"
	"concord/annotate/report/models"
	"concord/annotate/report/pairwise"
)

// OfVotes are the reports on votes, in the order in which lists show them. Of
// the options they take the dataset, and Ranks how runs are read.
func OfVotes() []Kind {
	return []Kind{
		ofVotes("votes", "Models against an anchor", pairwise.Votes),
		ofVotes("bias", "What order and length do to votes", pairwise.Bias),
		{
			Name: "leaderboard-votes", Title: "Models in the order of the votes", Args: []string{"leaderboard", "--from", "votes"},
			Build: func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
				return models.VoteBoard(ctx, f, models.VotesOptions{Dataset: o.Dataset})
			},
		},
		ofPeople("agreement", "How far judges vote as people do", pairwise.Agreement),
		ofPeople("people", "How far people vote alike", pairwise.People),
		ofVotes("repeats", "How much a judge varies", pairwise.Repeats),
		{
			Name: "ranks", Title: "How alike rankings are",
			Build: func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
				return Ranks(ctx, f, pairwise.RankOptions{Votes: pairwise.VoteOptions{Dataset: o.Dataset}, Seed: 1}, o)
			},
		},
	}
}

func ofVotes(name, title string, build func(context.Context, report.VoteFacts, pairwise.VoteOptions) (report.Report, error)) Kind {
	return Kind{Name: name, Title: title, Build: func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		return build(ctx, f, pairwise.VoteOptions{Dataset: o.Dataset})
	}}
}

func ofPeople(name, title string, build func(context.Context, report.VoteFacts, pairwise.AgreementOptions) (report.Report, error)) Kind {
	return ofVotes(name, title, func(ctx context.Context, f report.VoteFacts, o pairwise.VoteOptions) (report.Report, error) {
		return build(ctx, f, pairwise.AgreementOptions{VoteOptions: o})
	})
}
