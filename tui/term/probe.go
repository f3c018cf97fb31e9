package term

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	xterm "golang.org/x/term"
)

// Wait is how long a terminal at hand may take to answer, and knownWait how long
// one that is known to answer may: on a machine at full load it begins slowly.
const (
	Wait      = 600 * time.Millisecond
	knownWait = 3 * time.Second
)

// AnswerWaitTime is how long to wait for a terminal, by what it says in the environment.
func AnswerWaitTime(getenv func(string) string) time.Duration {
	for _, name := range []string{"KITTY_WINDOW_ID", "KONSOLE_VERSION", "XTERM_VERSION", "WEZTERM_PANE", "GHOSTTY_RESOURCES_DIR", "ITERM_SESSION_ID"} {
		if getenv(name) != "" {
			return knownWait
		}
	}
	if strings.HasPrefix(getenv("TERM"), "foot") {
		return knownWait
	}
	return Wait
}

// queryID is the image id of the kitty graphics query, as in the protocol's own example.
const queryID = 31

// The questions. All are answered or ignored by the terminals that are asked them; DA1 is answered by
// every one, and comes last, so that its answer tells that no other will come.
const (
	askVersion    = "\x1b[>0q"
	askCell       = "\x1b[16t"
	askArea       = "\x1b[14t"
	askBackground = "\x1b]11;?\x1b\\"
	askSync       = ansi.RequestModeSynchronizedOutput
	askAttributes = "\x1b[c"
)

// askKitty sends one pixel to be looked at and not kept.
var askKitty = "\x1b_Gi=" + strconv.Itoa(queryID) + ",s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"

// queriesForTerminal makes what a terminal can be asked; "" for one that would print them or has no answers.
func queriesForTerminal(getenv func(string) string) string {
	name := getenv("TERM")
	switch {
	case name == "linux" || name == "dumb" || name == "":
		return ""
	case getenv("TMUX") != "":
		return askVersion + askCell + askArea + askBackground + askSync + askAttributes
	case getenv("STY") != "" || name == "screen" || strings.HasPrefix(name, "screen."), strings.HasPrefix(name, "screen-"):
		return ""
	case getenv("TERM_PROGRAM") == "Apple_Terminal": // prints what it does not know (longcat #48)
		return askBackground + askAttributes
	}
	return askVersion + askCell + askArea + askBackground + askKitty + askSync + askAttributes
}

// Line is the way to a terminal and back, in raw mode; a net.Conn is one.
type Line interface {
	io.ReadWriter
	SetReadDeadline(t time.Time) error
}

// AskTerminal asks a terminal what it is, and waits for its answers until the last of them or the deadline.
// typed is what a person typed meanwhile. Answers that come later are cut from the input by NewInput.
func AskTerminal(line Line, getenv func(string) string, deadline time.Time) (r Replies, typed []byte) {
	q := queriesForTerminal(getenv)
	if q == "" || line.SetReadDeadline(deadline) != nil {
		return r, nil
	}
	if _, err := io.WriteString(line, q); err != nil {
		return r, nil
	}
	var all []byte
	var f replyFilter
	buf := make([]byte, 1024)
	for !r.Complete && len(all) < maxText {
		n, err := line.Read(buf)
		all = append(all, buf[:n]...)
		typed = f.filterTyped(typed, buf[:n])
		r = ParseReplies(all)
		if err != nil || n == 0 {
			break
		}
	}
	if f.isReplying() { // its end is cut from the input
		return r, typed
	}
	return r, f.releaseIdle(typed)
}

// tty is a terminal of this machine as a Line. Its file is not one that Go can set a deadline on.
type tty struct {
	in, out  *os.File
	deadline time.Time
}

func (t *tty) SetReadDeadline(at time.Time) error { t.deadline = at; return nil }

func (t *tty) Write(p []byte) (int, error) { return t.out.Write(p) }

func (t *tty) Read(p []byte) (int, error) {
	if left := time.Until(t.deadline); left <= 0 || !waitReadable(t.in.Fd(), left) {
		return 0, os.ErrDeadlineExceeded
	}
	return t.in.Read(p)
}

// ProbeTerminal asks the terminal of this process what it is, before anything is
// drawn. It takes as long as the terminal does to answer, and at most as AnswerWaitTime says.
func ProbeTerminal(in, out *os.File, environ []string) *Session {
	getenv := NewEnvLookup(environ)
	if CheckTerminal(in, out, getenv) != nil {
		return NewSession(environ, Replies{}, Mux{})
	}
	mux := make(chan Mux, 1)
	go func() { mux <- askTmux(getenv) }()
	var r Replies
	var typed []byte
	if was, err := xterm.MakeRaw(int(in.Fd())); err == nil {
		r, typed = AskTerminal(&tty{in: in, out: out}, getenv, time.Now().Add(AnswerWaitTime(getenv)))
		_ = xterm.Restore(int(in.Fd()), was)
	}
	s := NewSession(environ, r, <-mux)
	s.typed = typed
	return s
}

// NewEnvLookup is os.Getenv for a list as of os.Environ; the last of a name counts.
func NewEnvLookup(environ []string) func(string) string {
	return func(name string) string {
		for _, kv := range slices.Backward(environ) {
			if k, v, _ := strings.Cut(kv, "="); k == name {
				return v
			}
		}
		return ""
	}
}

// Replies are what a terminal says of itself when it is asked; the zero value
// of each is that it did not say. They are untrusted text.
type Replies struct {
	Version    string      // XTVERSION: name and version in the terminal's own form
	Cell       image.Point // CSI 16 t: a cell's width and height in pixels
	Area       image.Point // CSI 14 t: the text area's, in pixels
	Background color.Color // OSC 11; nil when not said
	Kitty      bool        // the kitty graphics query was answered with OK
	Sync       bool        // DECRQM: mode 2026 is known, set or not
	Attributes []int       // DA1, which every terminal answers: the last one
	Complete   bool        // DA1 came
}

// longest is how much of a reply is looked at.
const longest = 256

// ParseReplies reads the replies among the bytes that came from a terminal, in
// whatever order and however broken. Typing among them is left out.
func ParseReplies(in []byte) Replies {
	var r Replies
	for {
		at := bytes.IndexByte(in, esc)
		if at < 0 || at+2 > len(in) {
			return r
		}
		kind, rest := in[at+1], in[at+2:]
		in = rest
		switch kind {
		case '[':
			if end := bytes.IndexFunc(rest, func(c rune) bool { return c < 0x20 || c >= 0x40 }); end >= 0 && end <= longest {
				r.takeControlReply(string(rest[:end]), rest[end])
			}
		case ']', '_', 'P':
			if end := bytes.IndexAny(rest, "\x1b\x07"); end >= 0 && end <= longest {
				r.takeStringReply(kind, string(rest[:end]))
			}
		}
	}
}

func (r *Replies) takeControlReply(params string, final byte) {
	switch {
	case final == 'c' && strings.HasPrefix(params, "?"):
		r.Attributes, r.Complete = parseNumbers(params[1:]), true
	case final == 'y' && strings.HasPrefix(params, "?2026;"):
		r.Sync = params == "?2026;1$" || params == "?2026;2$"
	case final == 't':
		n := parseNumbers(params)
		if len(n) != 3 || n[1] <= 0 || n[2] <= 0 {
			return
		}
		switch size := image.Pt(n[2], n[1]); n[0] {
		case 6:
			r.Cell = size
		case 4:
			r.Area = size
		}
	}
}

// takeStringReply takes an OSC, APC or DCS.
func (r *Replies) takeStringReply(kind byte, s string) {
	switch {
	case kind == ']' && strings.HasPrefix(s, "11;"):
		if c, ok := parseColor(s[3:]); ok {
			r.Background = c
		}
	case kind == '_' && strings.HasPrefix(s, "G"):
		keys, status, _ := strings.Cut(s[1:], ";")
		r.Kitty = r.Kitty || status == "OK" && keys == "i="+strconv.Itoa(queryID)
	case kind == 'P' && strings.HasPrefix(s, ">|"):
		r.Version = stripUnprintable(s[2:])
	}
}

// parseNumbers are parameters that are divided by semicolons; nil when one is none.
func parseNumbers(s string) []int {
	var out []int
	for f := range strings.SplitSeq(s, ";") {
		n, err := strconv.ParseUint(f, 10, 16)
		if err != nil {
			return nil
		}
		out = append(out, int(n))
	}
	return out
}

// parseColor reads X11's rgb:R/G/B with 1 to 4 hexadecimal digits each.
func parseColor(s string) (color.Color, bool) {
	digits, ok := strings.CutPrefix(s, "rgb:")
	if !ok {
		digits, ok = strings.CutPrefix(s, "rgba:")
	}
	parts := strings.Split(digits, "/")
	if !ok || len(parts) < 3 {
		return nil, false
	}
	var c [3]uint16
	for i := range c {
		n, err := strconv.ParseUint(parts[i], 16, 16)
		if err != nil || len(parts[i]) > 4 {
			return nil, false
		}
		c[i] = uint16(n * 0xffff / (1<<(4*len(parts[i])) - 1))
	}
	return color.RGBA64{R: c[0], G: c[1], B: c[2], A: 0xffff}, true
}

// stripUnprintable is text less what is not a printable ASCII character.
func stripUnprintable(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return -1
		}
		return c
	}, s)
}

// RemoteTerminal is a terminal elsewhere, at the other end of a connection: its input less its own
// answers, and its output, which frames and pictures share. It is no file, so that bubbletea neither
// sets raw mode nor asks for its size: whoever holds the connection does.
type RemoteTerminal struct {
	*Painter
	line   Line
	filter replyFilter

	reading, state sync.Mutex
	closed         bool
}

// NewRemoteTerminal wraps a connection.
func NewRemoteTerminal(line Line) *RemoteTerminal {
	w := &RemoteTerminal{Painter: NewPainter(line), line: line}
	w.lull = lull
	return w
}

// lull is how long a terminal elsewhere waits to see what comes beside keys: a
// line is slower than that, and a server draws for many.
const lull = 3 * pace

// ProbeRemote asks a terminal elsewhere what it is; environ is that of its side.
func ProbeRemote(line Line, environ []string) *Session {
	r, typed := AskTerminal(line, NewEnvLookup(environ), time.Now().Add(RemoteWait))
	_ = line.SetReadDeadline(time.Time{})
	s := NewSession(environ, r, Mux{})
	s.typed = typed
	return s
}

// RemoteWait is how long a terminal at the end of a line may take to answer.
const RemoteWait = time.Second

// Read reads what was typed. It gives io.EOF once the wire is closed, which leaves the connection open.
func (w *RemoteTerminal) Read(p []byte) (int, error) {
	w.reading.Lock()
	defer w.reading.Unlock()
	if len(p) == 0 {
		return 0, nil
	}
	raw := make([]byte, len(p))
	var out []byte
	for {
		if w.isClosed() {
			return 0, io.EOF
		}
		room := len(p) - len(out) - len(w.filter.held)
		if room <= 0 {
			return copy(p, w.filter.releaseIdle(out)), nil
		}
		n, err := w.line.Read(raw[:room])
		out = w.filter.filterTyped(out, raw[:n])
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded) && w.isClosed():
			return 0, io.EOF
		case errors.Is(err, os.ErrDeadlineExceeded):
			out = w.filter.releaseIdle(out)
		case err != nil:
			return copy(p, w.filter.releaseIdle(out)), err
		}
		wait := time.Time{}
		if w.filter.isPending() {
			wait = time.Now().Add(w.filter.waitForMore())
		}
		if err := w.setDeadline(wait); err != nil {
			return copy(p, w.filter.releaseIdle(out)), err
		}
		if len(out) > 0 && wait.IsZero() {
			return copy(p, out), nil
		}
	}
}

// setDeadline sets how long to wait for more, unless the wire is being closed.
func (w *RemoteTerminal) setDeadline(t time.Time) error {
	w.state.Lock()
	defer w.state.Unlock()
	if w.closed {
		return nil
	}
	return w.line.SetReadDeadline(t)
}

func (w *RemoteTerminal) isClosed() bool {
	w.state.Lock()
	defer w.state.Unlock()
	return w.closed
}

// Close ends reading, so that what is typed next is for whoever reads the connection then.
func (w *RemoteTerminal) Close() error {
	w.state.Lock()
	w.closed = true
	err := w.line.SetReadDeadline(time.Unix(1, 0))
	w.state.Unlock()
	w.reading.Lock()
	defer w.reading.Unlock()
	return errors.Join(err, w.line.SetReadDeadline(time.Time{}))
}

// Options are the options of a program whose frames it paints (Paint).
func (w *RemoteTerminal) Options() []tea.ProgramOption { return newOptions(w, w) }
