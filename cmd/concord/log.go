package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"concord/tui/widget"
)

// openLog sends the log to a file in the state folder; nothing of it ever
// reaches the screen. Without a place to write to there is no log.
func (e *env) openLog() (closeLog func()) {
	dir, err := stateFolder()
	if err != nil {
		return func() {}
	}
	f, err := os.OpenFile(filepath.Join(dir, "concord.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return func() {}
	}
	e.log = slog.New(slog.NewTextHandler(f, nil)).With("pid", os.Getpid())
	return func() { _ = f.Close() }
}

// visible makes control characters of strangers' text harmless in messages.
func visible(s string) string {
	return strings.TrimRight(widget.Clean(s), "\n")
}
