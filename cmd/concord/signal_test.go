//go:build unix

package main

import (
	"errors"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"concord/cmd/concord/internal/cli"
)

var sgr = regexp.MustCompile(`\x1b\[[0-9;]*[34]8;[25];`)

// The program on a real terminal: it follows its size, draws no colour with
// NO_COLOR, gives the terminal back when it is stopped, ended from outside or
// broken, and what was said until then is saved. Without a terminal, and on a
// dumb one, it says so.
func TestTerminalIsGivenBack(t *testing.T) {
	bin := program(t)
	r := newQueueRig(t)
	review := func() *terminal {
		t.Helper()
		return startIn(t, bin, r.dir, 80, 24, "review", "--as", "ann", "-p", r.path("p.db"))
	}
	open := func() *terminal {
		t.Helper()
		x := review()
		x.waitFor("does this response choose?", 5*time.Second)
		return x
	}

	coloured := open()
	coloured.press("0")
	coloured.waitFor("saved ", 10*time.Second)
	coloured.endedBy(syscall.SIGTERM)
	if !sgr.MatchString(coloured.output()) {
		t.Error("nothing has a colour")
	}

	t.Setenv("NO_COLOR", "1")
	x := open()
	x.resized(39, 10, "need 40x12")
	x.resized(200, 50, "find") // the key before it is bold
	x.stopped()
	x.endedBy(syscall.SIGHUP)
	if at := sgr.FindString(x.output()); at != "" {
		t.Errorf("NO_COLOR draws %q", at)
	}

	t.Setenv(childVariable, childBreaks)
	y := open()
	r.write(breakFile, "")
	time.Sleep(2 * reading)
	y.keys("0")
	if err := y.exit(8 * time.Second); exitOf(err) != cli.ExitFailed {
		t.Errorf("broken, it ends with %v", err)
	}
	y.givenBack("a panic")
	if !strings.Contains(y.output(), "the clock stands still") {
		t.Error("a panic is not told")
	}
	t.Setenv(childVariable, "1")

	t.Setenv(termVariable, "dumb")
	z := review()
	if err := z.exit(8 * time.Second); exitOf(err) != cli.ExitFailed || !strings.Contains(z.output(), "TERM=dumb") || strings.Contains(z.output(), "\x1b") {
		t.Errorf("on a dumb terminal: %q, %v", z.output(), err)
	}
	if out, err := runBeside(x, bin, "review", "--as", "ann", "-p", r.path("p.db")); err == nil || !strings.Contains(out, "terminal") || strings.Contains(out, "\x1b") {
		t.Errorf("without a terminal: %q, %v", out, err)
	}
	if out := r.done("export", "labels"); strings.Count(out, `"annotator":"ann"`) != 1 {
		t.Errorf("labels are\n%s", out)
	}
}

// resized gives the terminal another size, and waits until it is drawn.
func (x *terminal) resized(cols, rows uint16, want string) {
	x.t.Helper()
	if err := pty.Setsize(x.tty, &pty.Winsize{Cols: cols, Rows: rows}); err != nil {
		x.t.Fatal(err)
	}
	x.waitFor(want, 3*time.Second)
}

// stopped stops the program and lets it go on: it gives the terminal back
// meanwhile, and draws anew afterwards.
func (x *terminal) stopped() {
	x.t.Helper()
	if err := x.cmd.Process.Signal(syscall.SIGTSTP); err != nil {
		x.t.Fatal(err)
	}
	var state syscall.WaitStatus
	for from := time.Now(); !state.Stopped(); time.Sleep(5 * time.Millisecond) {
		if _, err := syscall.Wait4(x.cmd.Process.Pid, &state, syscall.WUNTRACED|syscall.WNOHANG, nil); err != nil || time.Since(from) > 3*time.Second {
			x.t.Fatalf("it is not stopped: %v", err)
		}
	}
	x.givenBack("a stop")
	x.mu.Lock()
	x.seen.Reset()
	x.mu.Unlock()
	if err := x.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		x.t.Fatal(err)
	}
	x.waitFor("\x1b[?1049h", 3*time.Second)
	x.waitFor("does this response choose?", 3*time.Second)
	if now, err := term.GetState(int(x.tty.Fd())); err != nil || reflect.DeepEqual(now, x.before) {
		x.t.Errorf("keys are lines as before: %v", err)
	}
}

// givenBack checks that the terminal is as it was before the program.
func (x *terminal) givenBack(by string) {
	x.t.Helper()
	x.waitFor("\x1b[?1049l", 3*time.Second)
	x.waitFor("\x1b[?25h", 3*time.Second)
	if now, err := term.GetState(int(x.tty.Fd())); err != nil || !reflect.DeepEqual(now, x.before) {
		x.t.Errorf("%s leaves the terminal as it is: %v, was %v (%v)", by, now, x.before, err)
	}
}

func exitOf(err error) int {
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		return failed.ExitCode()
	}
	return 0
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
	if err := x.exit(8 * time.Second); exitOf(err) != cli.ExitInterrupted {
		x.t.Errorf("%v ends with %v", s, err)
	}
	x.givenBack(s.String())
}
