package catalogue

import (
	"context"
	"errors"
	"fmt"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/rubric"
)

// Rubric is how responses are graded, criterion by criterion.
func Rubric() Kind {
	build := func(o *rubric.Options) func(context.Context, Facts, report.Options) (report.Report, error) {
		return func(ctx context.Context, f Facts, by report.Options) (report.Report, error) {
			o := *o
			o.Options = by
			return rubric.Scores(ctx, f, o)
		}
	}
	return Kind{
		Name: "rubric", Title: "Responses graded by criteria", Group: GroupScores, Of: OnRuns,
		Short: "Responses graded criterion by criterion: the score of each judge, each person and people together",
		Long: `Prints the score of each model by each rater, and by people together: of a response
the sum of the weights of the criteria that are met, half of those met in part,
over the sum of the weights above zero, and the mean over responses. People
together are the verdict of more than half of them on a criterion. What is not
graded, could not be read or nobody could tell moves no score: bounds hold it at
its worst and at its best. Scores by level, type and tag are below.`,
		Needs:  Needs{"verdicts on criteria of responses", []string{"import rubrics FOLDER --name NAME", "import grades FILE --dataset NAME"}},
		Papers: []Paper{{Source: "PaperBench Table 2", What: "scores of weighted trees of criteria", Flags: "--nodes"}},
		Build:  build(&rubric.Options{}),
		flags: func(a *Asking) {
			var o rubric.Options
			a.filters()
			a.Flag("samples", on(&o.Samples), "with --json: the score of each response")
			a.Flag("nodes", on(&o.Nodes), "the score of each node of the trees, too")
			a.Build = build(&o)
		},
	}
}

// fromCriteria adds to the alignment on a queue that of judges on criteria, and
// the test that both have.
func fromCriteria(a *Asking, q *annotate.QueueName, epsilon *float64) {
	var from string
	var o rubric.AlignmentOptions
	*epsilon = agree.AlternativeEpsilon
	a.Flags[0].Needed = false
	a.Flag("from", word(&from), "criteria: how far judges grade criteria of responses as people do, in place of a queue")
	a.Flag("dataset", word(&a.Options.Dataset), "with --from criteria: only responses to this dataset")
	a.Flag("judge", word(&o.Judge), "with --from criteria: only this judge")
	a.Flag("epsilon", decimal(epsilon), "what a person's work is dearer than a judge's, in the alternative annotator test")
	onQueue := a.Build
	a.Build = func(ctx context.Context, f Facts, by report.Options) (report.Report, error) {
		if from == "" {
			return onQueue(ctx, f, by)
		}
		o.Options, o.Epsilon = by, *epsilon
		return rubric.Alignment(ctx, f, o)
	}
	a.check(func() error {
		switch {
		case from != "" && from != "criteria":
			return fmt.Errorf("unknown --from %q: want criteria", from)
		case from == "" && *q == "":
			return errors.New("--queue is missing, or --from criteria")
		case from != "" && *q != "":
			return errors.New("--from criteria is not about a queue: leave out --queue")
		case from == "" && (a.Options.Dataset != "" || o.Judge != ""):
			return errors.New("--dataset and --judge go with --from criteria")
		case !(*epsilon >= 0 && *epsilon < 1):
			return errors.New("--epsilon is a share from 0 to 1")
		}
		return nil
	})
}
