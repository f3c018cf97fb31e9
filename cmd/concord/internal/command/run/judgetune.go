package run

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/report/alignment"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
)

type tuneFlags struct {
	jobFlags
	order        jobs.TuningOrder
	file, part   string
	promote      bool
	outputFormat string
}

func newJudgeTuneCmd(a *project.Project) *cobra.Command {
	f := &tuneFlags{outputFormat: "table"}
	cmd := &cobra.Command{
		Use:   "tune --queue NAME --judge NAME --prompt FILE",
		Short: "Try a prompt of a judge on what people have labelled",
		Long: `Has a judge read, score, grade or compare what people have labelled of the
development part of a queue (half of its samples) under a prompt of yours, and says
how far each prompt that was tried agrees with people, and what this one fixed and
broke beside each other one. A prompt begins as concord's own (concord config prompt
extract-choice, score, grade or vote). Each is kept as a judge JUDGE~HASH, which
reports on the halves alone show. Where a prompt says {{examples 4}}, items of the
development part are filled in with what people say of them; they are left out when
it is measured. Of a pair both orders are asked, and where they differ it is a tie.

The best one is then asked about the other half, with --part held-out, and measured
there by concord report alignment --part held-out --save, which counts the look.
After such a look --promote makes it the judge's prompt in concord.toml.`,
		Example: `concord judge tune --queue study --judge mini --prompt mine.txt --estimate
concord judge tune --queue study --judge mini --prompt mine.txt --budget 1
concord judge tune --queue study --judge mini --prompt mine.txt --part held-out
concord judge tune --queue study --judge mini --prompt mine.txt --promote`,
		RunE: f.newJobRunFunc(a, []string{"queue", "judge", "prompt"}, f.readTuneFlags, f.runTuning),
	}
	fs := cmd.Flags()
	fs.StringVar((*string)(&f.order.Queue), "queue", "", "the queue whose labels count (required)")
	fs.StringVar(&f.order.Judge, "judge", "", "`name` of a judge in the configuration (required)")
	fs.StringVar(&f.file, "prompt", "", "the `file` of the prompt (required)")
	fs.StringVar(&f.order.Template, "template", "", "the `template` that the prompt replaces (default: the one by which judges are asked about the queue's items)")
	fs.StringVar(&f.part, "part", alignment.Development.String(), "the `half` of the samples: development, or held-out for the prompt that was chosen")
	fs.BoolVar(&f.order.Failed, "retry-failed", false, "ask again what failed, too")
	fs.BoolVar(&f.promote, "promote", false, "ask nothing, and make this the judge's prompt in concord.toml")
	f.addFlags(fs, "extractions", "this prompt")
	return cmd
}

func (f *tuneFlags) readTuneFlags(*cobra.Command) (err error) {
	if f.order.Part, err = alignment.ParsePart(f.part); err != nil || f.order.Part == alignment.PartUnset {
		return fmt.Errorf("--part %s: want %s or %s", f.part, alignment.Development, alignment.HeldOut)
	}
	if f.order.Prompt, err = jobs.ReadPromptFile(f.file); err == nil && strings.TrimSpace(f.order.Prompt) == "" {
		err = fmt.Errorf("the prompt %s is empty", f.file)
	}
	return err
}

func (f *tuneFlags) runTuning(ctx context.Context, l *jobs.Factory, e jobs.Effort, onlyEstimate bool) error {
	a := l.Project
	job, err := jobs.NewTuningJob(ctx, l, &f.order)
	if err != nil {
		return err
	}
	if f.promote {
		file, agreement, err := job.MakePromptJudges(ctx, annotate.Annotator(project.DefaultUserName()))
		if err != nil {
			return err
		}
		return a.PrintResult(map[string]any{"judge": f.order.Judge, "candidate": job.Name(), "prompt": file, "alignment": agreement},
			"%s has the prompt %s now, in concord.toml; held out it agrees with people in %.1f %% (95 %% interval %.1f to %.1f)\n",
			cli.EscapeControls(f.order.Judge), cli.EscapeControls(file), 100*agreement.Value, 100*agreement.Low, 100*agreement.High)
	}
	if job.CountDrawnExamples() > 0 && !onlyEstimate {
		if err := job.WritePromptFile(); err != nil {
			return err
		}
		_, _ = fmt.Fprintf(a.Err, "%s drawn into the prompt, which is %s now: take that file from here on\n", cli.FormatCountOf(job.CountDrawnExamples(), "example", "examples"), cli.EscapeControls(job.PromptFile()))
	}
	if err := l.RunInForeground(ctx, job, e, onlyEstimate); err != nil || onlyEstimate || e.Export != "" {
		return err
	}
	if f.order.Part == alignment.HeldOut {
		return a.PrintResult(map[string]any{"candidate": job.Name(), "part": f.part, "next": job.HeldOutCommand()}, "measure it: %s\n", job.HeldOutCommand())
	}
	r, err := alignment.ReportCandidates(ctx, facts.NewSource(l.Store), f.order.Options(), job.Name())
	if err != nil {
		return err
	}
	if err := cli.ResolveReportFormat(&f.outputFormat, a.JSON); err != nil {
		return err
	}
	return a.PrintReport(r, f.outputFormat)
}
