package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"concord/annotate/report/table"
	"concord/store"
)

// streams are what a command reads and writes. The holder of a project
// answers other processes by running commands with streams of their own.
type streams struct {
	in     io.Reader
	out    io.Writer
	err    io.Writer
	isTerm bool // err is a terminal: progress is drawn
}

func stdio() streams {
	return streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, isTerm: isatty.IsTerminal(os.Stderr.Fd())}
}

// app is what the subcommands share: the streams, the flags of every
// command and, in the process that holds the project, the open store.
type app struct {
	streams
	args     []string
	project  string
	json     bool
	images   string // how pictures are shown, as the flag says; "": it does not
	theme    string // of the screen; "": as configured
	lines    bool   // prompts in lines, no screen
	now      func() time.Time
	log      *slog.Logger
	style    table.Style       // of the tables of reports
	problems int               // rows of an import that were reported
	host     *host             // of the project that this process holds; nil: it holds none
	held     *store.Store      // set while the holder answers another process
	sent     map[string][]byte // what the arguments name: files, and standard input as -
	hall     *hall             // with held: where others are at work; nil: nobody is
	asker    string            // with held: who asks, where no argument says it
	folder   string            // with held: where they ask, which files to be written are named from
	waits    waits             // between retries; tests shorten them
}

// run is the whole program: it parses args, runs one command and returns the
// exit status.
func run(ctx context.Context, args []string, s streams) int {
	a := &app{streams: s, args: args, now: time.Now, log: slog.New(slog.DiscardHandler)}
	closeLog := a.openLog()
	defer closeLog()
	return a.execute(ctx)
}

func (a *app) execute(ctx context.Context) int {
	root := a.rootCommand()
	root.SetArgs(a.args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if err == nil && ctx.Err() == nil {
		return exitDone
	}
	if ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
		err = errInterrupted
	}
	var f statusError
	if errors.As(err, &f) && f.quiet {
		return f.code
	}
	a.report(err)
	return statusOf(err)
}

// report writes an error to the error stream: one line, or the JSON object
// that scripts rely on.
func (a *app) report(err error) {
	a.log.Error("command failed", "args", a.args, "err", err)
	if !a.json {
		hint := ""
		if errors.Is(err, store.ErrCorrupt) && !strings.Contains(err.Error(), "concord doctor") {
			hint = " (see: concord doctor)"
		}
		_, _ = fmt.Fprintf(a.err, "concord: %s%s\n", visible(err.Error()), hint)
		return
	}
	line, merr := json.Marshal(map[string]any{"error": map[string]string{
		"kind": kindOf(err), "message": err.Error(),
	}})
	if merr == nil {
		_, _ = fmt.Fprintf(a.err, "%s\n", line)
	}
}

// writeJSON prints one object on stdout.
func (a *app) writeJSON(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func (a *app) rootCommand() *cobra.Command {
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
		RunE:          a.runOpen,
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	f := root.PersistentFlags()
	f.StringVarP(&a.project, "project", "p", defaultProject, "the project's `file`")
	f.BoolVar(&a.json, "json", false, "print machine-readable output")
	a.screenFlags(root.Flags())
	root.AddCommand(
		a.demoCommand(), a.importCommand(), a.extractCommand(), a.agreeCommand(), a.queueCommand(), a.peopleCommand(), a.packetCommand(),
		a.evalCommand(), a.judgeCommand(), a.captionCommand(), a.batchCommand(),
		a.reviewCommand(), a.voteCommand(), a.serveCommand(), a.criteriaCommand(), a.inspectCommand(), a.curateCommand(), a.reportCommand(), a.exportCommand(), a.logCommand(),
		a.configCommand(), a.doctorCommand(), a.manCommand(),
	)
	a.complete(root)
	return root
}

const defaultProject = "concord.db"

// usageArgs makes cobra's complaint about arguments a usage error.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{fmt.Errorf("%w (see: %s --help)", err, cmd.CommandPath())}
		}
		return nil
	}
}

// needSubcommand is what a group of commands does when none is named.
func needSubcommand(cmd *cobra.Command, _ []string) error {
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return usageError{fmt.Errorf("%s what? One of %s (see: %s --help)", cmd.CommandPath(), strings.Join(names, ", "), cmd.CommandPath())}
}
