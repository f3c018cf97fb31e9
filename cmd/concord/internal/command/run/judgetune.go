package run

import (
	"context"

	"github.com/spf13/cobra"

	"concord/annotate/report/alignment"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/store"
)

func newJudgeTuneCmd(a *project.Project) *cobra.Command {
	o, file, format := jobs.TuningOrder{Part: alignment.Development}, "", "table"
	var f jobFlags
	cmd := &cobra.Command{
		Use:   "tune --queue NAME --judge NAME --prompt FILE",
		Short: "Try a prompt of a judge on what people have labelled",
		Long: `Has a judge read the development part of a queue's labelled answers (half of its
samples) under a prompt of yours, and says how far each prompt that was tried
agrees with people, and what this one fixed and broke beside each other one. A
prompt begins as concord's own (concord config prompt extract-choice). Each is kept
as a judge JUDGE~HASH, which reports on the halves show. Give the best one a judge
of its own in concord.toml, and measure that by report alignment --part held-out.`,
	}
	f.addRun(a, cmd, []string{"queue", "judge", "prompt"}, func() (err error) {
		o.Prompt, err = jobs.ReadPrompt(file)
		return err
	}, func(ctx context.Context, st *store.Store) error {
		l, err := jobs.NewFactory(a, st)
		if err != nil {
			return err
		}
		job, err := jobs.NewTuningJob(ctx, l, &o)
		if err != nil {
			return err
		}
		if err := l.RunInForeground(ctx, job, f.effort, f.estimate); err != nil || f.estimate || f.effort.Export != "" {
			return err
		}
		r, err := alignment.ReportCandidates(ctx, facts.Source{Store: st}, o.Options(), job.Name())
		if err != nil {
			return err
		}
		if err := cli.CheckFormat(&format, a.JSON); err != nil {
			return err
		}
		return a.PrintReport(r, format)
	})
	fs := cmd.Flags()
	fs.StringVar((*string)(&o.Queue), "queue", "", "the queue whose labels count (required)")
	fs.StringVar(&o.Judge, "judge", "", "`name` of a judge in the configuration (required)")
	fs.StringVar(&file, "prompt", "", "the `file` of the prompt (required)")
	fs.StringVar(&o.Template, "template", "extract-choice", "the template that the prompt replaces")
	f.addFlags(fs, "extractions", "this prompt")
	return cmd
}
