package run

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/store"
)

func newJudgeCriteriaCmd(a *project.Project) *cobra.Command {
	var o jobs.GradingOrder
	var f jobFlags
	var per string
	var runs []uint
	cmd := &cobra.Command{
		Use:   "criteria --dataset NAME --judge NAME",
		Short: "Have a judge model say which criteria each response meets",
	}
	f.addRun(a, cmd, []string{"dataset", "judge"}, func() error {
		if per != "criterion" && per != "sample" {
			return fmt.Errorf("--per %q: want criterion or sample", per)
		}
		o.Sample, o.Runs = per == "sample", facts.RunIDs(runs)
		return nil
	}, func(ctx context.Context, st *store.Store) error {
		return jobs.RunInForeground(ctx, a, st, &o, (*jobs.Factory).NewGradingJob, f.effort, f.estimate)
	})
	fs := cmd.Flags()
	fs.StringVar((*string)(&o.Dataset), "dataset", "", "the dataset that was answered (required)")
	fs.StringSliceVar(&o.Models, "model", nil, "only responses of this model, by `name`; repeatable")
	fs.UintSliceVar(&runs, "run", nil, "only these runs, by `number`")
	fs.StringVar(&o.Judge, "judge", "", "`name` of a judge in the configuration (required)")
	fs.StringVar(&per, "per", "criterion", "what one call asks about: one criterion, or all of a sample")
	fs.IntVar(&o.Repeats, "repeats", 1, "how often each is asked; what more than half of the repeats say counts")
	fs.IntVar(&o.Edge, "edge", -1, "images are scaled down to this longer edge, in `pixels`; 0: never; below 0: as the judge is configured")
	fs.BoolVar(&o.WithoutImages, "without-images", false, "grade samples too whose image is lacking")
	fs.BoolVar(&o.Failed, "retry-failed", false, "ask again what failed, too")
	fs.BoolVar(&o.Unparsed, "retry-unparsed", false, "ask again what the judge replied to without a verdict, too")
	f.addFlags(fs, "calls", "this judge's grades")
	return cmd
}
