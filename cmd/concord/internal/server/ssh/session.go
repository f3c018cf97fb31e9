package ssh

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	gliderlabs "github.com/gliderlabs/ssh"
	"golang.org/x/crypto/ssh"

	"concord/eval/text"
)

// What people are told who ask for something else, or cannot be let in.
const (
	lineCommand  = "concord takes no commands over ssh, it is the app alone: the same without the command opens it"
	lineTerminal = "concord is an app for a terminal: come from one (ssh -t), with nothing redirected"
	lineRemoved  = "your key opens this project no more: ask whose project it is"
	linePanic    = "concord met an error of its own and ended this session. What was saved is saved; the same command brings you back."
)

// ending is why a session or a connection ends, and what the person is left with.
type ending struct {
	why  string // for the log, and for Enter
	line string // "": what Enter says

	failed bool // whatever Enter says
}

func (e *ending) Error() string { return e.why }

// session is one channel on which a client may ask for the app.
type session struct {
	ssh.NewChannel
	link    *link
	ch      ssh.Channel
	window  *window
	term    *Terminal // of a session that has its place
	environ map[string]string
	command bool           // one was asked for, and not the app
	begun   atomic.Bool    // the one thing was asked for that a channel is good for
	late    *time.Timer    // of a client that asks for nothing, or does not end what has ended
	running sync.WaitGroup // what was begun, and Enter
}

// openSession serves a channel until it is closed, and what it began has ended.
func openSession(_ *gliderlabs.Server, conn *ssh.ServerConn, nc ssh.NewChannel, ctx gliderlabs.Context) {
	l := linkOf(ctx)
	if why := l.take(conn); why != "" {
		_ = nc.Reject(ssh.ResourceShortage, why)
		return
	}
	defer l.give()
	s := &session{NewChannel: nc, link: l, window: newWindow(), environ: make(map[string]string)}
	s.late = time.AfterFunc(time.Hour, s.overdue)
	defer s.late.Stop()
	gliderlabs.DefaultSessionHandler(&gliderlabs.Server{Handler: s.run}, conn, s, ctx)
	s.running.Wait()
}

// Accept takes the channel. The library sees those of its requests that pass.
func (s *session) Accept() (ssh.Channel, <-chan *ssh.Request, error) {
	ch, asked, err := s.NewChannel.Accept()
	if err != nil {
		return nil, nil, err
	}
	s.ch = ch
	s.late.Reset(s.link.gate.cfg.Handshake)
	passed := make(chan *ssh.Request)
	go func() {
		defer close(passed)
		for r := range asked {
			if pass, ok := s.screen(r); pass {
				passed <- r
			} else {
				_ = r.Reply(ok, nil)
			}
		}
	}()
	return ch, passed, nil
}

// overdue ends what a client should have begun, or ended.
func (s *session) overdue() {
	if s.begun.Swap(true) {
		s.link.end("it kept open what was closed")
		return
	}
	s.link.refuse("a channel without a session")
	_ = s.ch.Close()
	s.late.Reset(s.link.gate.cfg.Grace)
}

// screen is whether a request is for the library to answer, and otherwise whether
// it is granted.
func (s *session) screen(r *ssh.Request) (pass, ok bool) {
	switch r.Type {
	case "pty-req":
		var asked struct {
			Term          string
			Columns, Rows uint32
			Width, Height uint32
			Modes         string
		}
		if ssh.Unmarshal(r.Payload, &asked) != nil {
			return false, false
		}
		s.window.set(asked.Columns, asked.Rows)
		return true, s.set("TERM", asked.Term)
	case "window-change":
		var asked struct{ Columns, Rows, Width, Height uint32 }
		if ok = ssh.Unmarshal(r.Payload, &asked) == nil; ok {
			s.window.set(asked.Columns, asked.Rows)
		}
	case "env":
		var asked struct{ Name, Value string }
		ok = ssh.Unmarshal(r.Payload, &asked) == nil && asked.Name != "TERM" && s.set(asked.Name, asked.Value)
	case "shell", "exec":
		if s.begun.Swap(true) {
			return false, false
		}
		s.late.Stop()
		s.running.Add(1)
		if s.command = r.Type == "exec"; s.command { // granted, to be able to say why it is not done
			s.link.refuse("exec")
		}
		return true, true
	case "signal", "eow@openssh.com", "break":
	default:
		s.link.refuse(r.Type)
	}
	return false, ok
}

// run is the app on this channel, from the request for it to its end.
func (s *session) run(at gliderlabs.Session) {
	defer s.running.Done()
	defer func() {
		if v := recover(); v != nil {
			s.link.gate.cfg.Log.Error("ssh: panic", "panic", v, "stack", string(debug.Stack()))
			s.link.end("panic")
		}
	}()
	line, err := s.app(at)
	status := 0
	if err != nil {
		status = 1
	}
	s.close(line, at, status)
}

// app is the line that a session ends with, once it has.
func (s *session) app(at gliderlabs.Session) (line string, err error) {
	l, log := s.link, s.link.log()
	switch _, _, is := at.Pty(); {
	case s.command:
		return lineCommand, errors.ErrUnsupported
	case !is:
		return lineTerminal, errors.ErrUnsupported
	}
	if err := l.still(); err != nil {
		log.Info("ssh: session refused", "why", err)
		return lineRemoved, err
	}
	t := newTerminal(s)
	log = log.With("session", t.id)
	if why := l.gate.enter(t); why != nil {
		log.Info("ssh: session refused", "why", why)
		return why.line, why
	}
	s.term = t
	log.Info("ssh: session begins", "term", clean(s.environ["TERM"]))
	t.start()
	line, err = s.host()
	log.Info("ssh: session ended", "why", t.ended(), "error", err)
	return line, err
}

// host runs Enter to its end, or to where it is given up. Its place is kept
// until Enter has returned all the same, since until then it takes what a
// session takes.
func (s *session) host() (line string, err error) {
	g, t := s.link.gate, s.term
	type result struct {
		last string
		err  error
	}
	results := make(chan result, 1)
	s.running.Add(1)
	t.Go(func() {
		defer s.running.Done()
		defer g.leave(t)
		defer close(results)
		last, err := g.cfg.Enter(t.ctx, t)
		results <- result{last, err}
		t.end(&ending{why: "it was left"})
	})
	<-t.ctx.Done()
	var r result
	select {
	case r = <-results:
	case <-time.After(g.cfg.Grace):
		r.err = fmt.Errorf("it did not end within %v", g.cfg.Grace)
	}
	e := t.ended()
	if e.failed {
		r.err = e
	}
	return cmp.Or(e.line, r.last), r.err
}

// close leaves the person with a line and ends the channel. Of a client that
// does not end it as well, the connection is closed.
func (s *session) close(line string, at gliderlabs.Session, status int) {
	l := s.link
	stalled := time.AfterFunc(l.gate.cfg.Stall, func() { l.end("it took no output") })
	defer stalled.Stop()
	text := left(line)
	if s.term != nil {
		painted := text
		if l.visitor.local { // Attach hands it on
			painted = ""
		}
		s.term.stop(painted)
	}
	if s.term == nil || l.visitor.local {
		_, _ = s.ch.Stderr().Write([]byte(text))
	}
	_ = at.Exit(status)
	s.late.Reset(l.gate.cfg.Grace)
}

// Bounds of what a client sets.
const (
	mostVariables  = 32
	longestSetting = 256
)

// passed are the variables of a client that its session is told, beside those
// that begin with LC_: what they are for is to be shown well.
var passed = [...]string{
	"TERM", "LANG", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "NO_COLOR", "CONCORD_UI_THEME", "CONCORD_IMAGES", "ACCESSIBLE",
}

// nearby are those that say something of this machine's own terminals only.
var nearby = [...]string{"TMUX", "STY"}

// passes reports whether a variable is passed on.
func passes(name, value string, local bool) bool {
	rest, locale := strings.CutPrefix(name, "LC_")
	locale = locale && rest != "" && strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
	return (locale || slices.Contains(passed[:], name) || local && slices.Contains(nearby[:], name)) &&
		len(name) <= longestSetting && len(value) <= longestSetting &&
		utf8.ValidString(value) && text.Outside(value).Cell() == value
}

// set takes a variable, unless it is none that passes or there are too many.
func (s *session) set(name, value string) bool {
	if _, is := s.environ[name]; !passes(name, value, s.link.visitor.local) || !is && len(s.environ) >= mostVariables {
		return false
	}
	s.environ[name] = value
	return true
}
