package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/command/criteria"
	"concord/cmd/concord/internal/command/data"
	"concord/cmd/concord/internal/command/queue"
	"concord/cmd/concord/internal/command/report"
	"concord/cmd/concord/internal/command/run"
	"concord/cmd/concord/internal/command/setup"
	"concord/cmd/concord/internal/command/team"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/screen"
	"concord/cmd/concord/internal/server"
)

// runProgram is the whole program: it parses args, runs one command and returns the
// exit status.
func runProgram(ctx context.Context, args []string, s cli.Streams) int {
	a := newApp(s, args)
	closeLog := a.OpenLog()
	defer closeLog()
	return a.Execute(ctx)
}

// newApp is a command as it is given, its project not yet open.
func newApp(s cli.Streams, args []string) *project.Project {
	return &project.Project{
		Env:  cli.Env{Streams: s, Args: args, Now: time.Now, Log: slog.New(slog.DiscardHandler)},
		Tree: newRootCmd, Listen: server.Listen,
	}
}

func newRootCmd(a *project.Project) *cobra.Command {
	root := &cobra.Command{
		Use:   "concord",
		Short: "Evaluate vision-language models, and see how far the score can be trusted",
		Long: `concord evaluates vision-language models the way the multimodal benchmarks'
papers do, keeps every raw response, and lets people check the answers extracted
from it.

Start with:  concord demo`,
		Version:       setup.VersionLine(),
		Args:          cli.UsageArgs(cobra.NoArgs),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, p1 []string) error { return setup.RunOpen(a, cmd, p1) },
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(cli.FlagError)
	f := root.PersistentFlags()
	f.StringVarP(&a.Path, "project", "p", project.DefaultProject, "the project's `file`")
	f.BoolVar(&a.JSON, "json", false, "print machine-readable output")
	f.BoolVar(&a.Leave, "damaged", false, "read a damaged project: leave out what is damaged, and say so")
	screen.AddFlags(a, root.Flags())
	root.AddCommand(
		setup.NewDemoCmd(a), data.NewImportCmd(a), data.NewExtractCmd(a), report.NewAgreeCmd(a), queue.NewQueueCmd(a), team.NewPeopleCmd(a), queue.NewPacketCmd(a),
		run.NewEvalCmd(a), run.NewJudgeCmd(a), run.NewCaptionCmd(a), run.NewBatchCmd(a),
		queue.NewReviewCmd(a), queue.NewVoteCmd(a), team.NewServeCmd(a), criteria.NewCriteriaCmd(a), run.NewInspectCmd(a), criteria.NewCurateCmd(a), report.NewReportCmd(a), data.NewExportCmd(a), team.NewLogCmd(a),
		setup.NewConfigCmd(a), setup.NewDoctorCmd(a), setup.NewBackupCmd(a), setup.NewCompactCmd(a), setup.NewManCmd(a), setup.NewVersionCmd(a), setup.NewStatusCmd(a),
	)
	root.SetGlobalNormalizationFunc(flagName)
	complete(a, root)
	return root
}
