package main

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// program is the test binary, which is the program where the environment says
// so: nothing is built for it.
func program(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts programs, one after the other")
	}
	bin, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// By another name, and not by a variable, since tests beside it have theirs.
	link := filepath.Join(t.TempDir(), programName)
	if err := os.Symlink(bin, link); err != nil {
		t.Fatal(err)
	}
	return link
}

// termVariable names the terminal that programs are started on.
const termVariable = "CONCORD_TEST_TERM"

// terminal is a program on a terminal that answers no query.
type terminal struct {
	t   *testing.T
	cmd *exec.Cmd
	tty *os.File
	// before is how the terminal was before the program.
	before *term.State
	mu     sync.Mutex
	seen   bytes.Buffer
	done   chan struct{}
}

func startOnTerminal(t *testing.T, bin string, cols, rows uint16, args ...string) *terminal {
	t.Helper()
	return startIn(t, bin, t.TempDir(), cols, rows, args...)
}

// startIn starts it in a folder, which holds all that it stores.
func startIn(t *testing.T, bin, dir string, cols, rows uint16, args ...string) *terminal {
	t.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM="+cmp.Or(os.Getenv(termVariable), "xterm-256color"), "XDG_STATE_HOME="+cmd.Dir, "XDG_RUNTIME_DIR="+cmd.Dir)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: cols, Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	x := &terminal{t: t, cmd: cmd, tty: tty, before: untouched(t), done: make(chan struct{})}
	go func() {
		defer close(x.done)
		buf := make([]byte, 32<<10)
		for {
			n, err := tty.Read(buf)
			x.mu.Lock()
			x.seen.Write(buf[:n])
			x.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = tty.Close()
		<-x.done
	})
	return x
}

// untouched is how a terminal is that no program has had.
func untouched(t *testing.T) *term.State {
	t.Helper()
	ours, theirs, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	state, err := term.GetState(int(theirs.Fd()))
	if err := errors.Join(err, ours.Close(), theirs.Close()); err != nil {
		t.Fatal(err)
	}
	return state
}

func (x *terminal) output() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.seen.String()
}

// waitFor waits until the program has written the text.
func (x *terminal) waitFor(text string, limit time.Duration) time.Duration {
	x.t.Helper()
	began := time.Now()
	for !strings.Contains(x.output(), text) {
		if time.Since(began) > limit {
			out := x.output()
			x.t.Fatalf("no %q within %v; the terminal got last %q", text, limit, out[max(0, len(out)-2000):])
		}
		time.Sleep(5 * time.Millisecond)
	}
	return time.Since(began)
}

func (x *terminal) keys(s string) {
	x.t.Helper()
	if _, err := io.WriteString(x.tty, s); err != nil {
		x.t.Fatal(err)
	}
}

// press presses a key that records something, once the item has been seen. A key
// that was ignored is pressed again.
func (x *terminal) press(key string) {
	x.t.Helper()
	for range 40 {
		time.Sleep(reading)
		before := len(x.output())
		x.keys(key)
		time.Sleep(2 * reading)
		if !strings.Contains(x.output()[before:], " ignored") {
			return
		}
	}
	x.t.Fatalf("%q is always ignored", key)
}

func (x *terminal) exit(limit time.Duration) error {
	x.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- x.cmd.Wait() }()
	select {
	case err := <-ended:
		<-x.done
		return err
	case <-time.After(limit):
		x.t.Fatalf("the program did not end within %v", limit)
		return nil
	}
}

// The limit is far above what is measured (a benchmark tells that), and far
// below the five seconds that waiting for an answer would take.
func TestDemoPaintsOnATerminalThatAnswersNothing(t *testing.T) {
	x := startOnTerminal(t, program(t), 80, 24, "demo", "--as", "ann")
	took := x.waitFor("sketch-7b", 3*time.Second)
	t.Logf("painted after %v", took)
	x.keys("\x03")
	if err := x.exit(8 * time.Second); err != nil {
		t.Errorf("ctrl+c ends with %v", err)
	}
	if out := x.output(); !strings.Contains(out, "\x1b[?1049l") || !strings.Contains(out, "\x1b[?25h") {
		t.Error("the terminal was not restored")
	}
}

// Keys that come in one piece are about one item: nobody had seen the next ones.
func TestABurstOfKeysLabelsOneItem(t *testing.T) {
	t.Parallel()
	bin, r := program(t), newQueueRig(t)
	x := startIn(t, bin, r.dir, 80, 23, "review", "-p", r.path("p.db"), "--as", "ann")
	x.waitFor("does this response choose?", 3*time.Second)
	time.Sleep(300 * time.Millisecond) // a person reads
	x.keys(strings.Repeat("b12", 20))
	x.waitFor("59 keys ignored", 3*time.Second)
	x.waitFor("saved ", 3*time.Second)
	x.keys("\x03")
	if err := x.exit(8 * time.Second); err != nil {
		t.Errorf("ctrl+c ends with %v", err)
	}
	if out := r.done("export", "labels"); strings.Count(out, `"annotator":"ann"`) != 1 {
		t.Errorf("labels are\n%s", out)
	}
}

func TestSecondProcessIsAnsweredByTheHolder(t *testing.T) {
	bin := program(t)
	x := startOnTerminal(t, bin, 80, 24, "demo", "--as", "ann")
	x.waitFor("sketch-7b", 3*time.Second)
	db := filepath.Join(x.cmd.Dir, "concord", "demo.db")
	away := t.TempDir()
	ask := func(args ...string) (string, string, error) {
		cmd := exec.Command(bin, append(args, "-p", db)...)
		cmd.Env, cmd.Dir = x.cmd.Env, away
		var errOut bytes.Buffer
		cmd.Stderr = &errOut
		out, err := cmd.Output()
		return string(out), errOut.String(), err
	}
	if out, _, err := ask("queue", "list"); err != nil || !strings.Contains(out, "unparsed-demo") {
		t.Errorf("queue list: %q, %v", out, err)
	}
	if out, _, err := ask("report", "accuracy", "--json"); err != nil || !strings.Contains(out, `"report": "accuracy"`) {
		t.Errorf("report: %q, %v", out, err)
	}
	if _, errOut, err := ask("report", "accuracy", "--format", "pdf"); err == nil || !strings.Contains(errOut, "unknown format") {
		t.Errorf("a usage error: %q, %v", errOut, err)
	}
	if _, errOut, err := ask("import", "labels", "x.csv", "--queue", "unparsed-demo"); err == nil || !strings.Contains(errOut, "open in another process (pid ") {
		t.Errorf("a writing command: %q, %v", errOut, err)
	}
	// What its owner does while people work is done there, with the files of here.
	if err := os.WriteFile(filepath.Join(away, "guide.md"), []byte("Read the end."), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, errOut, err := ask("queue", "create", "q", "--dataset", "demo", "--guideline", "guide.md"); err != nil || !strings.HasPrefix(out, "queue q: ") {
		t.Errorf("queue create: %q, %q, %v", out, errOut, err)
	}
	if out, errOut, err := ask("queue", "guideline", "q"); err != nil || out != "Read the end.\n" {
		t.Errorf("its guideline: %q, %q, %v", out, errOut, err)
	}
	if out, errOut, err := ask("report", "alignment", "--queue", "unparsed-demo", "--save", "--as", "lea"); err != nil || !strings.Contains(errOut, "saved as report 1") || !strings.Contains(out, "by lea") {
		t.Errorf("a report that is saved: %q, %q, %v", out, errOut, err)
	}
	// A holder that dies leaves a dead socket and no lock.
	if err := x.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = x.exit(3 * time.Second)
	if out, errOut, err := ask("queue", "list"); err != nil || !strings.Contains(out, "unparsed-demo") {
		t.Errorf("after a kill: %q, %q, %v", out, errOut, err)
	}
	if out, errOut, err := ask("log"); err != nil || !strings.Contains(out, "save report 1: alignment") {
		t.Errorf("the saved report after a kill: %q, %q, %v", out, errOut, err)
	}
}
