package term

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

func TestWireCutsAnswersAndLeavesTheLine(t *testing.T) {
	here, there := net.Pipe()
	w := NewRemoteTerminal(here)
	buf := make([]byte, 64)
	read := func(want string) {
		t.Helper()
		got := ""
		for len(got) < len(want) {
			n, err := w.Read(buf)
			if err != nil {
				t.Fatalf("after %q: %v", got, err)
			}
			got += string(buf[:n])
		}
		if got != want {
			t.Errorf("read %q, want %q", got, want)
		}
	}
	go func() { _, _ = io.WriteString(there, "a\x1b]11;rgb:1/2/3\x1b\\b") }()
	read("ab")
	go func() { _, _ = io.WriteString(there, "\x1b") }() // a lone Escape is a key
	read("\x1b")

	ended := make(chan error, 1)
	go func() { _, err := w.Read(buf); ended <- err }()
	time.Sleep(time.Millisecond)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Errorf("closed: %v", err)
	}
	w = NewRemoteTerminal(here)
	go func() { _, _ = io.WriteString(there, "c") }()
	read("c")
}

func TestProbeOfATerminalElsewhere(t *testing.T) {
	here, there := net.Pipe()
	go func() {
		buf := make([]byte, 256)
		_, _ = there.Read(buf)
		_, _ = io.WriteString(there, "x\x1bP>|kitty(0.35.2)\x1b\\\x1b_Gi=31;OK\x1b\\\x1b[?62;4c")
	}()
	s := ProbeRemote(here, []string{"TERM=xterm-kitty"})
	if !s.Answered || !s.Placeholders || s.Brand.Name != "kitty" {
		t.Errorf("%+v", s)
	}
	var typed []string
	s.SendEarlyKeys(func(m tea.Msg) { typed = append(typed, m.(tea.KeyMsg).String()) })
	if len(typed) != 1 || typed[0] != "x" {
		t.Errorf("typed meanwhile: %q", typed)
	}
}
