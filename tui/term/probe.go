package term

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	xterm "golang.org/x/term"
)

// Wait is how long a terminal at hand may take to answer.
const Wait = 300 * time.Millisecond

// queryID is the image id of the kitty graphics query, as in the protocol's
// own example.
const queryID = 31

// The questions. All are answered or ignored by the terminals that are asked
// them; DA1 is answered by every one, and comes last, so that its answer tells
// that no other will come.
const (
	askVersion    = "\x1b[>0q"
	askCell       = "\x1b[16t"
	askArea       = "\x1b[14t"
	askBackground = "\x1b]11;?\x1b\\"
	askAttributes = "\x1b[c"
)

// askKitty sends one pixel to be looked at and not kept.
var askKitty = "\x1b_Gi=" + strconv.Itoa(queryID) + ",s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"

// questions are what a terminal can be asked; "" for one that would print
// them or has no answers.
func questions(getenv func(string) string) string {
	name := getenv("TERM")
	switch {
	case name == "linux" || name == "dumb" || name == "":
		return ""
	case getenv("TMUX") != "":
		return askVersion + askCell + askArea + askBackground + askAttributes
	case getenv("STY") != "" || name == "screen" || strings.HasPrefix(name, "screen."), strings.HasPrefix(name, "screen-"):
		return ""
	case getenv("TERM_PROGRAM") == "Apple_Terminal": // prints what it does not know (longcat #48)
		return askBackground + askAttributes
	}
	return askVersion + askCell + askArea + askBackground + askKitty + askAttributes
}

// Line is the way to a terminal and back, in raw mode; a net.Conn is one.
type Line interface {
	io.ReadWriter
	SetReadDeadline(t time.Time) error
}

// Ask asks a terminal what it is, and waits for its answers until the last of
// them or the deadline. typed is what a person typed meanwhile. Answers that
// come later are cut from the input by NewInput.
func Ask(line Line, getenv func(string) string, deadline time.Time) (r Replies, typed []byte) {
	q := questions(getenv)
	if q == "" || line.SetReadDeadline(deadline) != nil {
		return r, nil
	}
	if _, err := io.WriteString(line, q); err != nil {
		return r, nil
	}
	var all []byte
	var f filter
	buf := make([]byte, 1024)
	for !r.Complete && len(all) < maxText {
		n, err := line.Read(buf)
		all = append(all, buf[:n]...)
		typed = f.feed(typed, buf[:n])
		r = Read(all)
		if err != nil || n == 0 {
			break
		}
	}
	if f.replying() { // its end is cut from the input
		return r, typed
	}
	return r, f.idle(typed)
}

// tty is a terminal of this machine as a Line. Its file is not one that Go
// can set a deadline on.
type tty struct {
	in, out  *os.File
	deadline time.Time
}

func (t *tty) SetReadDeadline(at time.Time) error { t.deadline = at; return nil }

func (t *tty) Write(p []byte) (int, error) { return t.out.Write(p) }

func (t *tty) Read(p []byte) (int, error) {
	if left := time.Until(t.deadline); left <= 0 || !ready(t.in.Fd(), left) {
		return 0, os.ErrDeadlineExceeded
	}
	return t.in.Read(p)
}

// Probe asks the terminal of this process what it is, before anything is
// drawn. It takes as long as the terminal does to answer, and at most Wait.
func Probe(in, out *os.File, environ []string) *Session {
	getenv := Lookup(environ)
	if Check(in, out, getenv) != nil {
		return NewSession(environ, Replies{}, Mux{})
	}
	mux := make(chan Mux, 1)
	go func() { mux <- askTmux(getenv) }()
	var r Replies
	var typed []byte
	if was, err := xterm.MakeRaw(int(in.Fd())); err == nil {
		r, typed = Ask(&tty{in: in, out: out}, getenv, time.Now().Add(Wait))
		_ = xterm.Restore(int(in.Fd()), was)
	}
	s := NewSession(environ, r, <-mux)
	s.typed = typed
	return s
}

// Lookup is os.Getenv for a list as of os.Environ; the last of a name counts.
func Lookup(environ []string) func(string) string {
	return func(name string) string {
		for _, kv := range slices.Backward(environ) {
			if k, v, _ := strings.Cut(kv, "="); k == name {
				return v
			}
		}
		return ""
	}
}
