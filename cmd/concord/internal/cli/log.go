package cli

import (
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"path/filepath"
)

// OpenLog sends the log to a file in the state folder; nothing of it ever
// reaches the screen, and neither does what libraries log by themselves, such as
// net/http of a reply that is longer than it says. Without a place to write to
// there is no log.
func (e *Env) OpenLog() (closeLog func()) {
	log.SetOutput(io.Discard)
	dir, err := StateFolder()
	if err != nil {
		return func() {}
	}
	f, err := os.OpenFile(filepath.Join(dir, "concord.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return func() {}
	}
	e.Log = slog.New(slog.NewTextHandler(f, nil)).With("pid", os.Getpid())
	log.SetOutput(f)
	return func() {
		log.SetOutput(io.Discard)
		_ = f.Close()
	}
}

// StateFolder is where logs and the demo live, after the XDG convention.
func StateFolder() (string, error) {
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find state folder: %w", err)
		}
		dir = filepath.Join(home, ".local", "state")
	}
	dir = filepath.Join(dir, "concord")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make state folder: %w", err)
	}
	return dir, nil
}
