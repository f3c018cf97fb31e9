package cli

import (
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
	closeLog := new(Env).OpenLog()
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
