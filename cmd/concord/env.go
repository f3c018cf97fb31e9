package main

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
	style    table.Style // of the tables of reports
	problems int         // rows of an import that were reported
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

// absolute has a flag's files found by another process, too, which may answer
// this command from a folder of its own.
func (e *env) absolute(flag string, files []string) {
	for _, f := range files {
		path, err := filepath.Abs(f)
		if _, serr := os.Stat(f); err != nil || serr != nil {
			continue
		}
		e.args = slices.Clone(e.args)
		for i, arg := range e.args {
			switch arg {
			case f:
				e.args[i] = path
			case "--" + flag + "=" + f:
				e.args[i] = "--" + flag + "=" + path
			}
		}
	}
}
