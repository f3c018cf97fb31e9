//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// beside runs a command of another process in the folder of a project.
func beside(t *testing.T, bin, dir string, in string, args ...string) (out string, took time.Duration, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+dir, "XDG_RUNTIME_DIR="+dir)
	cmd.Stdin = strings.NewReader(in)
	begun := time.Now()
	text, err := cmd.CombinedOutput()
	return string(text), time.Since(begun), err
}

var keptIn = regexp.MustCompile(`concord import unsaved (\S+) takes`)

// Under a person's hands the project's file is cut off, removed or replaced: what is
// labelled then is not called saved, the screen says why, and it is kept in a file,
// from which it is taken in once the project is there again.
func TestLabelsUnderAFileThatIsGone(t *testing.T) {
	t.Parallel()
	bin := program(t)
	for name, harm := range map[string]func(path string) error{
		"cut off": func(path string) error { return os.Truncate(path, 8192) },
		"emptied": func(path string) error { return os.Truncate(path, 0) },
		"removed": os.Remove,
		"replaced": func(path string) error {
			whole, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path+".new", whole, 0o600)
			}
			if err == nil {
				err = os.Rename(path+".new", path)
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKillable(t, 10, 0)
			dir := filepath.Dir(k.path)
			x := startIn(t, bin, dir, 100, 30, "review", "-p", k.path, "--queue", "q1", "--as", "ann")
			x.waitFor("sample s000000", 20*time.Second)
			x.press("1")
			x.waitFor("saved ", 10*time.Second)
			whole, err := os.ReadFile(k.path)
			k.must(err)
			k.must(harm(k.path))
			x.press("2")
			x.waitFor("NOT SAVED", 20*time.Second)
			x.keys("\x03")
			x.waitFor("ctrl+c once more leaves", 20*time.Second)
			x.keys("\x03")
			if err := x.exit(20 * time.Second); err == nil {
				t.Error("it ended as if all were saved")
			}
			kept := keptIn.FindStringSubmatch(strings.Join(strings.Fields(x.output()), " "))
			if kept == nil {
				t.Fatalf("it does not say where the labels are: %.800q", x.output()[max(0, len(x.output())-800):])
			}
			k.must(os.WriteFile(k.path, whole, 0o600))
			k.within(func() {
				if n := len(k.labels("q1")); n != 1 {
					t.Errorf("%d items are labelled before, want 1", n)
				}
			})
			for range 2 {
				if out, _, err := beside(t, bin, dir, "", "import", "unsaved", kept[1], "-p", k.path); err != nil {
					t.Error(out, err)
				}
			}
			k.within(func() {
				if n := len(k.labels("q1")); n != 2 {
					t.Errorf("%d items are labelled, want 2", n)
				}
			})
		})
	}
}

// Who labels from elsewhere and goes leaves what was not saved on the server: its
// owner is told where, at once.
func TestGuestsLabelsUnderAFileThatIsGone(t *testing.T) {
	k := newKillable(t, 10, 1)
	k.errs = new(lockedBuffer)
	k.start()
	defer k.kill()
	m := k.come("p0", 100, 30)
	if !m.open(0) {
		t.FailNow()
	}
	if _, ok := m.label("1"); !ok || !m.paints("saved ") {
		t.FailNow()
	}
	k.must(os.Remove(k.path))
	m.last("2")
	if !m.paints("NOT SAVED") {
		t.FailNow()
	}
	_ = m.client.Close()
	kept := regexp.MustCompile(`of p0, who has left, 1 act was not saved, and kept in (\S+):`)
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if f := kept.FindStringSubmatch(fmt.Sprint(k.errs)); f != nil {
			if _, err := os.Stat(f[1]); err != nil {
				t.Error(err)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server says: %s", k.errs)
		}
	}
}

// The process that holds the project is stopped: whoever comes, and whoever is in
// already, is told within twenty seconds. Labels from a pipe are refused beside one
// that runs, and none of them is read.
func TestHolderThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	bin := program(t)
	k := newKillable(t, 10, 0)
	dir := filepath.Dir(k.path)
	holder := startIn(t, bin, dir, 80, 24, "review", "-p", k.path, "--queue", "q1", "--as", "ann")
	holder.waitFor("sample s000000", 20*time.Second)
	out, took, err := beside(t, bin, dir, "1\n2\n", "review", "--accessible", "-p", k.path, "--queue", "q1", "--as", "bob")
	if err == nil || took > 10*time.Second || !strings.Contains(out, "none was read") || !strings.Contains(out, fmt.Sprint("pid ", holder.cmd.Process.Pid)) {
		t.Errorf("labels from a pipe, after %v: %v, %s", took, err, out)
	}
	second := startIn(t, bin, dir, 80, 24, "review", "-p", k.path, "--queue", "q1", "--as", "bob")
	second.waitFor("2 here", 20*time.Second)
	k.must(holder.cmd.Process.Signal(syscall.SIGSTOP))
	t.Cleanup(func() { _ = holder.cmd.Process.Signal(syscall.SIGCONT) })

	said := fmt.Sprintf("(pid %d) has not answered for 5s", holder.cmd.Process.Pid)
	type end struct {
		what, out string
		took      time.Duration
		err       error
	}
	ends := make(chan end)
	commands := [][]string{{"queue", "list"}, {"people", "list"}, {"queue", "guideline", "q1"}, {"report", "alignment", "--queue", "q1"}, {"import", "labels", "x.csv", "--queue", "q1"}}
	k.must(os.WriteFile(filepath.Join(dir, "x.csv"), []byte("a\n"), 0o600))
	for _, c := range commands {
		go func() {
			out, took, err := beside(t, bin, dir, "", append(c, "-p", k.path)...)
			ends <- end{strings.Join(c, " "), out, took, err}
		}()
	}
	for range commands {
		if e := <-ends; e.err == nil || e.took > 15*time.Second || !strings.Contains(e.out, said) {
			t.Errorf("%s, after %v: %v, %s", e.what, e.took, e.err, e.out)
		}
	}
	second.waitFor("has not answered", 20*time.Second)
	if err := second.exit(10 * time.Second); err == nil {
		t.Error("the second terminal ended as if all were well")
	}
	k.must(holder.cmd.Process.Signal(syscall.SIGCONT))
	if out, _, err := beside(t, bin, dir, "", "queue", "list", "-p", k.path); err != nil || !strings.Contains(out, "q1") {
		t.Errorf("afterwards: %v, %s", err, out)
	}
}

// lockedBuffer is what a process says while it is still running.
type lockedBuffer struct {
	mu  sync.Mutex
	all []byte
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, p...)
	return len(p), nil
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.all)
}
