package report

import (
	"context"

	"concord/annotate"
	"concord/annotate/curation"
	figures "concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/quality"
	"concord/annotate/report/rubric"
	"concord/eval"
)

// Source is what the screen computes figures from and saves them to. It is
// called in commands.
type Source interface {
	figures.VoteFacts
	accuracy.ScoreFacts
	quality.CriteriaFacts
	quality.InspectionFacts
	rubric.Facts
	// Card is what is known of a model; false when nothing is.
	Card(model string) (eval.Card, bool)
	// Panel is how many experts decide on a sample of a dataset.
	Panel(d eval.DatasetName) (curation.Panel, error)
	// Curation reports how far a dataset is curated, by the candidates, the
	// experts and the targets that are set for it.
	Curation(ctx context.Context, d eval.DatasetName) (figures.Report, error)
	// SaveReport stores a report and gives its number, from 1.
	SaveReport(ctx context.Context, r annotate.SavedReport) (id uint64, err error)
	// Left is how many items of a queue a person has yet to answer. Who has
	// no name has answered nothing.
	Left(ctx context.Context, who annotate.Annotator, q annotate.QueueName) (int, error)
}
