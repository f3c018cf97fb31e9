package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"concord/annotate/report"
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

// env is the environment of one command: its streams, its arguments, the clock,
// the log, and how it prints.
type env struct {
	streams
	args     []string
	json     bool // output is for scripts
	now      func() time.Time
	log      *slog.Logger
	style    report.Style // of the tables of reports
	problems int          // rows of an import that were reported
}

// app is the project that a command works on, with the command's environment.
// While the process that holds the file answers another process, it has the open
// store and what that process sent along.
type app struct {
	env
	path   string
	guests guests            // let into the project that this process holds; nil: it holds none
	held   *store.Store      // set while the holder answers another process
	sent   map[string][]byte // what the arguments name: files, and standard input as -
	asker  string            // with held: the user of the other process, where no argument names one
	folder string            // with held: the working folder of the other process, to which relative paths belong
	shown  screenFlags       // how a command shows the screen
	waits  waits             // between retries; tests shorten them
	tree   func(*app) *cobra.Command
	listen func(context.Context, *app, *store.Store) guests
}

// guests are those who are let into the project that this process holds: the
// sessions of other processes and of other machines.
type guests interface {
	Admit(conn net.Conn, what json.RawMessage) error // what says which session is wanted
	Changed() error                                  // a command has changed the project
	Close() error
}

// screenFlags say how a command shows the screen.
type screenFlags struct {
	images string // how pictures are shown; "": as configured
	theme  string // "": as configured
	lines  bool   // prompts in lines, no screen
}

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

// execute runs the command that the arguments name, and returns the exit status.
func (a *app) execute(ctx context.Context) int {
	root := a.tree(a)
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
func (e *env) report(err error) {
	e.log.Error("command failed", "args", e.args, "err", err)
	if !e.json {
		hint := ""
		if errors.Is(err, store.ErrCorrupt) && !strings.Contains(err.Error(), "concord doctor") {
			hint = " (see: concord doctor)"
		}
		_, _ = fmt.Fprintf(e.err, "concord: %s%s\n", visible(err.Error()), hint)
		return
	}
	line, merr := json.Marshal(map[string]any{"error": map[string]string{
		"kind": kindOf(err), "message": err.Error(),
	}})
	if merr == nil {
		_, _ = fmt.Fprintf(e.err, "%s\n", line)
	}
}

// writeJSON prints one object on stdout.
func (e *env) writeJSON(v any) error {
	enc := json.NewEncoder(e.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
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
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
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
