//go:build unix

package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

var coloured = regexp.MustCompile(`\x1b\[[0-9;]*[34]8;[25];`)

// The program on a real terminal: it follows its size, draws no colour with
// NO_COLOR, and when it is ended from outside it saves what was said and gives
// the terminal back. Without a terminal, and on a dumb one, it says so.
func TestTerminalIsGivenBack(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	bin := buildConcord(t)
	x := startOnTerminal(t, bin, 80, 24, "demo", "--as", "ann")
	x.waitFor("sketch-7b", 3*time.Second)
	resize := func(cols, rows uint16, want string) {
		t.Helper()
		if err := pty.Setsize(x.tty, &pty.Winsize{Cols: cols, Rows: rows}); err != nil {
			t.Fatal(err)
		}
		x.waitFor(want, 3*time.Second)
	}
	resize(50, 10, "need 60x24")
	resize(200, 50, "│ answers")
	db := filepath.Join(x.cmd.Dir, "concord", "demo.db")
	for from := time.Now(); time.Since(from) < 20*time.Second; time.Sleep(200 * time.Millisecond) { // for a first item
		out, err := runBeside(x, bin, "queue", "list", "--json", "-p", db)
		if err == nil && regexp.MustCompile(`"items": *[1-9]`).MatchString(out) {
			break
		}
	}
	x.endedBy(syscall.SIGHUP)

	y := startIn(t, bin, x.cmd.Dir, 80, 24, "review", "--as", "ann", "-p", db)
	y.waitFor("Answer to read", 3*time.Second)
	y.keys("x")
	y.waitFor("saved ", 3*time.Second)
	y.endedBy(syscall.SIGTERM)
	if out, err := runBeside(x, bin, "export", "labels", "-p", db); err != nil || strings.Count(out, `"annotator":"ann"`) != 1 {
		t.Errorf("labels are\n%s(%v)", out, err)
	}
	for _, s := range []string{x.output(), y.output()} {
		if at := coloured.FindString(s); at != "" {
			t.Errorf("NO_COLOR draws %q", at)
		}
	}

	if out, err := runBeside(x, bin, "review", "--as", "ann", "-p", db); err == nil || !strings.Contains(out, "terminal") || strings.Contains(out, "\x1b") {
		t.Errorf("without a terminal: %q, %v", out, err)
	}
}

// runBeside runs the program without a terminal.
func runBeside(x *terminal, bin string, args ...string) (string, error) {
	cmd := exec.Command(bin, args...)
	cmd.Env = x.cmd.Env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// endedBy sends a signal, and checks that the program ends as interrupted and
// leaves the terminal as it was.
func (x *terminal) endedBy(s syscall.Signal) {
	x.t.Helper()
	if err := x.cmd.Process.Signal(s); err != nil {
		x.t.Fatal(err)
	}
	err := x.exit(8 * time.Second)
	var failed *exec.ExitError
	if !errors.As(err, &failed) || failed.ExitCode() != exitInterrupted {
		x.t.Errorf("%v ends with %v", s, err)
	}
	if out := x.output(); !strings.Contains(out, "\x1b[?1049l") || !strings.Contains(out, "\x1b[?25h") {
		x.t.Errorf("%v leaves the terminal as it is", s)
	}
}
