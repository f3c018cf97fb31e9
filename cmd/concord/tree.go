package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/spf13/cobra"
)

// run is the whole program: it parses args, runs one command and returns the
// exit status.
func run(ctx context.Context, args []string, s streams) int {
	a := newApp(s, args)
	closeLog := a.openLog()
	defer closeLog()
	return a.execute(ctx)
}

// newApp is a command as it is given, its project not yet open.
func newApp(s streams, args []string) *app {
	return &app{
		env:  env{streams: s, args: args, now: time.Now, log: slog.New(slog.DiscardHandler)},
		tree: newRootCmd, listen: listen,
	}
}

func newRootCmd(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "concord",
		Short: "Evaluate vision-language models, and see how far the score can be trusted",
		Long: `concord evaluates vision-language models the way the multimodal benchmarks'
papers do, keeps every raw answer, and lets people check the machine's reading
of those answers.

Start with:  concord demo`,
		Args:          usageArgs(cobra.NoArgs),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, p1 []string) error { return runOpen(a, cmd, p1) },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return asUsage(err) })
	f := root.PersistentFlags()
	f.StringVarP(&a.path, "project", "p", defaultProject, "the project's `file`")
	f.BoolVar(&a.json, "json", false, "print machine-readable output")
	addScreenFlags(a, root.Flags())
	root.AddCommand(
		newDemoCmd(a), newImportCmd(a), newExtractCmd(a), newAgreeCmd(a), newQueueCmd(a), newPeopleCmd(a), newPacketCmd(a),
		newEvalCmd(a), newJudgeCmd(a), newCaptionCmd(a), newBatchCmd(a),
		newReviewCmd(a), newVoteCmd(a), newServeCmd(a), newCriteriaCmd(a), newInspectCmd(a), newCurateCmd(a), newReportCmd(a), newExportCmd(a), newLogCmd(a),
		newConfigCmd(a), newDoctorCmd(a), newManCmd(a),
	)
	complete(a, root)
	return root
}
