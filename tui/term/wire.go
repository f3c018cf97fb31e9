package term

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// Wire is a terminal elsewhere, at the other end of a connection: its input less
// its own answers, and its output, which frames and pictures share. It is no
// file, so that bubbletea neither sets raw mode nor asks for its size: whoever
// holds the connection does.
type Wire struct {
	*Painter
	line   Line
	filter filter

	reading sync.Mutex
	state   sync.Mutex
	closed  bool
}

// NewWire wraps a connection.
func NewWire(line Line) *Wire {
	w := &Wire{Painter: NewPainter(line), line: line}
	w.lull = lull
	return w
}

// lull is how long a terminal elsewhere waits to see what comes beside keys: a
// line is slower than that, and a server draws for many.
const lull = 3 * pace

// ProbeWire asks a terminal elsewhere what it is; environ is that of its side.
func ProbeWire(line Line, environ []string) *Session {
	r, typed := Ask(line, Lookup(environ), time.Now().Add(RemoteWait))
	_ = line.SetReadDeadline(time.Time{})
	s := NewSession(environ, r, Mux{})
	s.typed = typed
	return s
}

// RemoteWait is how long a terminal at the end of a line may take to answer.
const RemoteWait = time.Second

// Read reads what was typed. It gives io.EOF once the wire is closed, which
// leaves the connection open.
func (w *Wire) Read(p []byte) (int, error) {
	w.reading.Lock()
	defer w.reading.Unlock()
	if len(p) == 0 {
		return 0, nil
	}
	raw := make([]byte, len(p))
	var out []byte
	for {
		if w.ended() {
			return 0, io.EOF
		}
		room := len(p) - len(out) - len(w.filter.held)
		if room <= 0 {
			return copy(p, w.filter.idle(out)), nil
		}
		n, err := w.line.Read(raw[:room])
		out = w.filter.feed(out, raw[:n])
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded) && w.ended():
			return 0, io.EOF
		case errors.Is(err, os.ErrDeadlineExceeded):
			out = w.filter.idle(out)
		case err != nil:
			return copy(p, w.filter.idle(out)), err
		}
		wait := time.Time{}
		if w.filter.pending() {
			wait = time.Now().Add(keyWait)
			if w.filter.replying() {
				wait = time.Now().Add(replyWait)
			}
		}
		if err := w.deadline(wait); err != nil {
			return copy(p, w.filter.idle(out)), err
		}
		if len(out) > 0 && wait.IsZero() {
			return copy(p, out), nil
		}
	}
}

// deadline sets how long to wait for more, unless the wire is being closed.
func (w *Wire) deadline(t time.Time) error {
	w.state.Lock()
	defer w.state.Unlock()
	if w.closed {
		return nil
	}
	return w.line.SetReadDeadline(t)
}

func (w *Wire) ended() bool {
	w.state.Lock()
	defer w.state.Unlock()
	return w.closed
}

// Copy asks the terminal to put a text onto the clipboard (OSC 52).
func (w *Wire) Copy(text string) error {
	_, err := io.WriteString(w, ansi.SetSystemClipboard(text))
	return err
}

// Close ends reading, so that what is typed next is for whoever reads the
// connection then.
func (w *Wire) Close() error {
	w.state.Lock()
	w.closed = true
	err := w.line.SetReadDeadline(time.Unix(1, 0))
	w.state.Unlock()
	w.reading.Lock()
	defer w.reading.Unlock()
	return errors.Join(err, w.line.SetReadDeadline(time.Time{}))
}

// Options are the options of a program whose frames it paints (Paint).
func (w *Wire) Options() []tea.ProgramOption {
	return []tea.ProgramOption{tea.WithInput(w), tea.WithOutput(w), tea.WithAltScreen(), tea.WithoutSignalHandler()}
}
