package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-isatty"

	"concord/annotate/report/table"
	"concord/store"
)

// Streams are what a command reads and writes. The holder of a project
// answers other processes by running commands with streams of their own.
type Streams struct {
	In     io.Reader
	Out    io.Writer
	Err    io.Writer
	IsTerm bool // err is a terminal: progress is drawn
}

// Stdio is the streams of this process.
func Stdio() Streams {
	return Streams{In: os.Stdin, Out: harmless(os.Stdout), Err: harmless(os.Stderr), IsTerm: isatty.IsTerminal(os.Stderr.Fd())}
}

// Env is the environment of one command: its streams, its arguments, the clock,
// the log, and how it prints.
type Env struct {
	Streams
	Args     []string
	JSON     bool // output is for scripts
	Now      func() time.Time
	Log      *slog.Logger
	Style    table.Style     // of the tables of reports
	Marks    func() []string // what stands beside every figure; nil: nothing
	problems int             // rows of an import that were reported
}

// PrintError writes an error to the error stream: one line, or the JSON object
// that scripts rely on.
func (e *Env) PrintError(err error) {
	e.Log.Error("command failed", "args", e.Args, "err", err)
	if !e.JSON {
		hint := ""
		if errors.Is(err, store.ErrCorrupt) && !strings.Contains(err.Error(), "concord doctor") {
			hint = " (see: concord doctor)"
		}
		_, _ = fmt.Fprintf(e.Err, "concord: %s%s\n", Visible(err.Error()), hint)
		return
	}
	line, merr := json.Marshal(map[string]any{"error": map[string]string{
		"kind": kindOf(err), "message": err.Error(),
	}})
	if merr == nil {
		_, _ = fmt.Fprintf(e.Err, "%s\n", line)
	}
}

// WriteJSON prints one object on stdout.
func (e *Env) WriteJSON(v any) error {
	enc := json.NewEncoder(e.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Absolute has a flag's files found by another process, too, which may answer
// this command from a folder of its own.
func (e *Env) Absolute(flag string, files []string) {
	for _, f := range files {
		path, err := filepath.Abs(f)
		if _, serr := os.Stat(f); err != nil || serr != nil {
			continue
		}
		e.Args = slices.Clone(e.Args)
		for i, arg := range e.Args {
			switch arg {
			case f:
				e.Args[i] = path
			case "--" + flag + "=" + f:
				e.Args[i] = "--" + flag + "=" + path
			}
		}
	}
}
