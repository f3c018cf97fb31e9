package term

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"
)

const child = "CONCORD_TERM_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(child) != "" {
		s := ProbeTerminal(os.Stdin, os.Stdout, os.Environ())
		out := NewOutput(os.Stdout)
		p := tea.NewProgram(out.WrapModel(echo{}), NewProgramOptions(os.Stdin, out)...)
		go s.SendEarlyKeys(p.Send)
		if _, err := p.Run(); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// echo shows the keys it was given.
type echo struct{ keys string }

func (e echo) Init() tea.Cmd { return nil }

func (e echo) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok {
		e.keys += k.String()
		if strings.HasSuffix(e.keys, "q") {
			return e, tea.Quit
		}
	}
	return e, nil
}

func (e echo) View() string { return "ready:" + e.keys + ":" }

// start runs this test's binary as a program on a terminal that answers
// nothing.
func start(t *testing.T) *os.File {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^$")
	cmd.Env = append(os.Environ(), child+"=1", "TERM=xterm-256color", "COLORFGBG=", "CI=")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Skip("no pseudo-terminal here:", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = tty.Close()
	})
	return tty
}

// await reads the terminal until it shows want.
func await(t *testing.T, tty *os.File, want string) {
	t.Helper()
	var seen strings.Builder
	found := make(chan bool, 1)
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := tty.Read(buf)
			seen.Write(buf[:n])
			if strings.Contains(seen.String(), want) || err != nil {
				found <- err == nil
				return
			}
		}
	}()
	select {
	case ok := <-found:
		if !ok {
			t.Fatalf("ended without showing %q: %q", want, seen.String())
		}
	case <-time.After(4 * time.Second):
		t.Fatalf("nothing shows %q", want)
	}
}

func TestFirstFrameOnSilentTerminal(t *testing.T) {
	begin := time.Now()
	tty := start(t)
	await(t, tty, "ready:")
	if d := time.Since(begin); d > time.Second {
		t.Errorf("the first frame took %v: something waits for the terminal's answer", d)
	}
}

func TestRepliesAreNotTyped(t *testing.T) {
	tty := start(t)
	await(t, tty, "ready:")
	for _, s := range []string{"a", "\x1b]11;rgb:0000/0000/0000\x1b\\", "\x1b_Gi=31;OK\x1b\\b", "\x1b[?62;4c", "c"} {
		if _, err := io.WriteString(tty, s); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Millisecond)
	}
	await(t, tty, "ready:abc:")
	if _, err := io.WriteString(tty, "\x1b]11;rgb:00"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	if _, err := io.WriteString(tty, "00/0000/0000\ax"); err != nil {
		t.Fatal(err)
	}
	await(t, tty, "ready:abcx:")
}

func TestTypingBeforeTheFirstFrameIsNotLost(t *testing.T) {
	tty := start(t)
	await(t, tty, askAttributes)
	if _, err := io.WriteString(tty, "ab\x1b[?62;c\rc"); err != nil {
		t.Fatal(err)
	}
	await(t, tty, "ready:abenterc:")
}

func TestCheck(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	env := func(string) string { return "dumb" }
	if err := CheckTerminal(f, f, env); !errors.Is(err, ErrNoTerminal) {
		t.Errorf("a file as terminal: %v", err)
	}
	p, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal here:", err)
	}
	defer func() { _, _ = p.Close(), tty.Close() }()
	if err := CheckTerminal(tty, tty, env); !errors.Is(err, ErrDumb) {
		t.Errorf("a dumb terminal: %v", err)
	}
	if err := CheckTerminal(tty, tty, func(string) string { return "xterm" }); err != nil {
		t.Errorf("an xterm: %v", err)
	}
}
