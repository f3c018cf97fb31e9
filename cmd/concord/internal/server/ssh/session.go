package ssh

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

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

// ending is why a session ends, and what the person is left with.
type ending struct {
	why  string // for the log, and for Enter
	line string // "": what Enter says

	failed bool // whatever Enter says

	full func(*link) bool // of no place: whose connections may have it in vain
}

func (e *ending) Error() string { return e.why }

// session is one channel on which a client may ask for the app.
type session struct {
	link   *link
	ch     ssh.Channel
	window *window
	term   *Terminal     // of a session that has its place
	gone   chan struct{} // the client has closed it, too

	mu      sync.Mutex
	environ []string
	pty     bool
	begun   bool
}

// serve answers the client's requests until the channel is closed.
func (s *session) serve(reqs <-chan *ssh.Request) {
	late := time.AfterFunc(s.link.gate.cfg.Handshake, func() {
		if s.begin() {
			s.link.refuse("a channel without a session")
			s.close("", 1)
		}
	})
	defer late.Stop()
	var running sync.WaitGroup
	defer running.Wait()
	for r := range reqs {
		ok, then := s.answer(r)
		if r.WantReply {
			_ = r.Reply(ok, nil)
		}
		if then != nil {
			running.Go(then)
		}
	}
	close(s.gone)
}

// answer is whether a request is granted, and what follows.
func (s *session) answer(r *ssh.Request) (ok bool, then func()) {
	switch r.Type {
	case "pty-req":
		return s.terminal(r.Payload), nil
	case "window-change":
		return s.resize(r.Payload), nil
	case "env":
		return s.set(r.Payload), nil
	case "shell":
		if s.begin() {
			return true, s.run
		}
	case "exec":
		s.link.refuse("exec")
		if s.begin() { // granted, to be able to say why it is not done
			return true, func() { s.close(lineCommand, 1) }
		}
	case "signal", "eow@openssh.com", "break":
	default:
		s.link.refuse(r.Type)
	}
	return false, nil
}

// begin marks that the one thing was asked for that a channel is good for.
func (s *session) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.begun
	s.begun = true
	return !was
}

func (s *session) terminal(payload []byte) bool {
	var asked struct {
		Term          string
		Columns, Rows uint32
		Width, Height uint32
		Modes         string
	}
	if ssh.Unmarshal(payload, &asked) != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.begun || s.pty {
		return false
	}
	s.pty = true
	s.window.set(asked.Columns, asked.Rows)
	s.environ, _ = with(s.environ, "TERM", asked.Term, s.link.visitor.local)
	return true
}

func (s *session) resize(payload []byte) bool {
	var asked struct{ Columns, Rows, Width, Height uint32 }
	if ssh.Unmarshal(payload, &asked) != nil {
		return false
	}
	s.window.set(asked.Columns, asked.Rows)
	return true
}

func (s *session) set(payload []byte) (ok bool) {
	var asked struct{ Name, Value string }
	if ssh.Unmarshal(payload, &asked) != nil || asked.Name == "TERM" { // which the pty request says
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.begun {
		return false
	}
	s.environ, ok = with(s.environ, asked.Name, asked.Value, s.link.visitor.local)
	return ok
}

// run is the app on this channel, from the request for it to its end.
func (s *session) run() {
	g := s.link.gate
	if !s.pty {
		s.close(lineTerminal, 1)
		return
	}
	log := g.cfg.Log.With("name", s.link.visitor.name, "address", s.link.address, "key", s.link.visitor.key.Fingerprint)
	if err := s.link.still(); err != nil {
		log.Info("ssh: session refused", "why", err)
		s.close(lineRemoved, 1)
		return
	}
	s.term = newTerminal(s)
	log = log.With("session", s.term.id)
	if why := g.enter(s); why != nil {
		log.Info("ssh: session refused", "why", why.why)
		s.term = nil
		s.close(why.line, 1)
		return
	}
	log.Info("ssh: session begins", "term", clean(getenv(s.term.environ, "TERM")))
	s.term.start()
	entered := make(chan struct{})
	line, err := s.host(entered)
	log.Info("ssh: session ended", "why", s.term.ended().why, "error", err)
	status := uint32(0)
	if err != nil {
		status = 1
	}
	s.close(line, status)
	<-entered
}

// host runs Enter to its end, or to where it is given up. Its place is kept
// until Enter has returned all the same, since until then it takes what a
// session takes.
func (s *session) host(entered chan<- struct{}) (line string, err error) {
	g, t := s.link.gate, s.term
	type result struct {
		last string
		err  error
	}
	results := make(chan result, 1)
	go func() {
		defer close(entered)
		defer g.leave(s)
		last, err := s.enter()
		t.end(&ending{why: "it was left"})
		results <- result{last, err}
	}()
	var r result
	select {
	case r = <-results:
	case <-t.ctx.Done():
		select {
		case r = <-results:
		case <-time.After(g.cfg.Grace):
			r.err = fmt.Errorf("it did not end within %v", g.cfg.Grace)
		}
	}
	e := t.ended()
	if e.failed {
		r.err = e
	}
	return cmp.Or(e.line, r.last), r.err
}

// enter calls Enter; a panic in it is an error.
func (s *session) enter() (last string, err error) {
	defer func() {
		if v := recover(); v != nil {
			s.term.broke(v)
			err = errPanic
		}
	}()
	return s.link.gate.cfg.Enter(s.term.ctx, s.term)
}

// close leaves the person with a line and ends the channel. Of a client that
// does not end it as well, the connection is closed.
func (s *session) close(line string, status uint32) {
	l := s.link
	stalled := time.AfterFunc(l.gate.cfg.Stall, func() { l.close("it took no output") })
	defer stalled.Stop()
	text := left(line)
	switch {
	case s.term == nil:
		_, _ = s.ch.Stderr().Write([]byte(text))
	case l.visitor.local: // Visit hands it on
		s.term.stop("")
		_, _ = s.ch.Stderr().Write([]byte(text))
	default:
		s.term.stop(text)
	}
	_, _ = s.ch.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{status}))
	_ = s.ch.Close()
	time.AfterFunc(l.gate.cfg.Grace, func() {
		select {
		case <-s.gone:
		default:
			l.close("it kept open what was closed")
		}
	})
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

// with adds a variable, or sets it anew; false if it is not taken.
func with(environ []string, name, value string, local bool) ([]string, bool) {
	if !passes(name, value, local) {
		return environ, false
	}
	i := slices.IndexFunc(environ, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
	switch {
	case i >= 0:
		environ[i] = name + "=" + value
	case len(environ) >= mostVariables:
		return environ, false
	default:
		environ = append(environ, name+"="+value)
	}
	return environ, true
}
