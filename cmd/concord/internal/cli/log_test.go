package cli

import (
	"errors"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What libraries log by themselves goes to the log, and nowhere once that is closed:
// the screen is the painter's alone.
func TestLibrariesLogIntoTheLog(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	closeLog := new(Env).RedirectLogToFile()
	log.Print("Unsolicited response received on idle HTTP channel")
	closeLog()
	text, err := os.ReadFile(filepath.Join(state, "concord", "concord.log"))
	if err != nil || !strings.Contains(string(text), "Unsolicited response") {
		t.Errorf("%q, %v", text, err)
	}
	if log.Writer() != io.Discard {
		t.Error("written to after the log was closed")
	}
}

// The log keeps what failed, and no token by which others join.
func TestLogHasNoTokens(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	e := &Env{Streams: Streams{Err: io.Discard}, Args: []string{"worker", "--join", "tls://h:1?cert=ab&token=SECRET"}}
	closeLog := e.RedirectLogToFile()
	e.PrintError(errors.New(`"tls://h:1?token=SECRET&cert=ab": no`))
	closeLog()
	dir, err := StateFolder()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "concord.log"))
	if err != nil || strings.Contains(string(text), "SECRET") || !strings.Contains(string(text), "cert=ab&token=...") {
		t.Errorf("%s %v", text, err)
	}
}
