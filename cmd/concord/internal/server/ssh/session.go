package ssh

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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

// endError is why a session or a connection ends, and what the person is left with.
type endError struct {
	why  string // for the log, and for Enter
	line string // "": what Enter says

	failed bool // whatever Enter says
}

func (e *endError) Error() string { return e.why }

// serveSessionChannel serves a channel on which a client may ask for the app.
func serveSessionChannel(_ *gliderlabs.Server, conn *ssh.ServerConn, nc ssh.NewChannel, ctx gliderlabs.Context) {
	l := linkOfContext(ctx)
	defer l.channels.Add(-1)
	if l.channels.Add(1) > int64(l.gate.cfg.PerPerson) {
		_ = nc.Reject(ssh.ResourceShortage, "too many sessions on one connection")
		return
	}
	t := newTerminal(l)
	defer close(t.gone)
	defer t.cancelSession(&endError{why: "the terminal hung up"})
	gliderlabs.DefaultSessionHandler(&gliderlabs.Server{Handler: t.runSession}, conn, filteredChannel{nc, t}, ctx)
}

// filteredChannel is one whose requests the library sees as far as they pass.
type filteredChannel struct {
	ssh.NewChannel
	t *Terminal
}

func (c filteredChannel) Accept() (ssh.Channel, <-chan *ssh.Request, error) {
	ch, asked, err := c.NewChannel.Accept()
	if err != nil {
		return nil, nil, err
	}
	c.t.ch = ch
	passed := make(chan *ssh.Request)
	go func() {
		defer close(passed)
		late := time.AfterFunc(c.t.link.gate.cfg.Handshake, func() {
			if !c.t.begun.Swap(true) {
				c.t.link.logRefusal("a channel without a session")
				_ = ch.Close()
			}
		})
		defer late.Stop()
		for r := range asked {
			if pass, ok := c.t.filterRequest(r); pass {
				passed <- r
			} else {
				_ = r.Reply(ok, nil)
			}
		}
	}()
	return ch, passed, nil
}

// filterRequest is whether a request is for the library to answer, and otherwise whether it is granted.
func (t *Terminal) filterRequest(r *ssh.Request) (pass, ok bool) {
	switch r.Type {
	case "pty-req":
		var asked struct {
			Term                         string
			Columns, Rows, Width, Height uint32
			Modes                        string
		}
		if ssh.Unmarshal(r.Payload, &asked) != nil {
			return false, false
		}
		t.setSize(asked.Columns, asked.Rows)
		return true, t.addEnvVariable("TERM", asked.Term)
	case "window-change":
		var asked struct{ Columns, Rows, Width, Height uint32 }
		if ok = ssh.Unmarshal(r.Payload, &asked) == nil; ok {
			t.setSize(asked.Columns, asked.Rows)
		}
	case "env":
		var asked struct{ Name, Value string }
		ok = ssh.Unmarshal(r.Payload, &asked) == nil && asked.Name != "TERM" && t.addEnvVariable(asked.Name, asked.Value)
	case "shell", "exec":
		pass = !t.begun.Swap(true)
		if t.command = r.Type == "exec"; t.command { // granted, to be able to say why it is not done
			t.link.logRefusal("exec")
		}
	case "signal", "eow@openssh.com", "break":
	default:
		t.link.logRefusal(r.Type)
	}
	return pass, ok
}

func (t *Terminal) runSession(at gliderlabs.Session) {
	defer t.recoverPanic()
	g, log := t.link.gate, t.link.newLinkLogger()
	line, err := t.admitSession(at)
	if err != nil {
		log.Info("ssh: session refused", "why", err)
	} else {
		defer g.at.Done()
		log = log.With("session", t.id)
		log.Info("ssh: session begins", "term", cleanText(t.environ["TERM"]))
		line, err = t.runEnterUntilEnd()
		log.Info("ssh: session ended", "why", context.Cause(t.ctx), "error", err)
	}
	status := 0
	if err != nil {
		status = 1
	}
	t.leaveWithLine(line, at, status)
}

// admitSession gives a session its place, or the line with which it is refused.
func (t *Terminal) admitSession(at gliderlabs.Session) (line string, err error) {
	switch _, _, is := at.Pty(); {
	case t.command:
		return lineCommand, errors.New("a command")
	case !is:
		return lineTerminal, errors.New("no terminal")
	}
	if err := t.link.checkKeyStillValid(); err != nil {
		return lineRemoved, err
	}
	if why := t.link.gate.admitSession(t); why != nil {
		return why.line, why
	}
	return "", nil
}

// runEnterUntilEnd runs Enter to its end, or to where it is given up. Its place is kept until Enter has
// returned all the same, since until then it takes what a session takes.
func (t *Terminal) runEnterUntilEnd() (line string, err error) {
	g := t.link.gate
	type result struct {
		last string
		err  error
	}
	results := make(chan result, 1)
	t.startInputCopying()
	t.Go(func() {
		defer g.freeSessionPlace(t)
		defer close(results)
		last, err := g.cfg.Enter(t.ctx, t)
		results <- result{last, err}
		t.cancelSession(&endError{why: "it was left"})
	})
	<-t.ctx.Done()
	var r result
	select {
	case r = <-results:
	case <-time.After(g.cfg.Grace):
		r.err = fmt.Errorf("it did not end within %v", g.cfg.Grace)
	}
	e, ok := errors.AsType[*endError](context.Cause(t.ctx))
	if ok && e.failed {
		r.err = e
	}
	if ok && e.line != "" {
		r.last = e.line
	}
	return r.last, r.err
}

// leaveWithLine leaves the person with a line and ends the channel. Of a client that does
// not end it as well, the connection is closed.
func (t *Terminal) leaveWithLine(line string, at gliderlabs.Session, status int) {
	l, text := t.link, formatLastLine(line)
	stalled := time.AfterFunc(l.gate.cfg.Stall, func() { l.closeWithReason("it took no output") })
	if t.id == 0 || l.visitor.local { // Attach hands it on
		t.stopAndPaintTail("")
		_, _ = t.ch.Stderr().Write([]byte(text))
	} else {
		t.stopAndPaintTail(text)
	}
	_ = at.Exit(status)
	stalled.Stop()
	select {
	case <-t.gone:
	case <-time.After(l.gate.cfg.Grace):
		l.closeWithReason("it kept open what was closed")
	}
}

// Bounds of what a client sets.
const (
	mostVariables  = 32
	longestSetting = 256
)

// passed are the variables of a client that its session is told, beside those
// that begin with LC_: what they are for is to be shown well.
var passed = [...]string{"TERM", "LANG", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "NO_COLOR", "CONCORD_UI_THEME", "CONCORD_IMAGES", "ACCESSIBLE"}

// nearby are those that say something of this machine's own terminals only.
var nearby = [...]string{"TMUX", "STY"}

func isPassedOn(name, value string, local bool) bool {
	rest, locale := strings.CutPrefix(name, "LC_")
	locale = locale && rest != "" && strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
	return (locale || slices.Contains(passed[:], name) || local && slices.Contains(nearby[:], name)) &&
		len(name) <= longestSetting && len(value) <= longestSetting &&
		utf8.ValidString(value) && text.Outside(value).ForCell() == value
}

// addEnvVariable takes a variable, unless it is none that passes or there are too many.
func (t *Terminal) addEnvVariable(name, value string) bool {
	if _, is := t.environ[name]; !isPassedOn(name, value, t.link.visitor.local) || !is && len(t.environ) >= mostVariables {
		return false
	}
	t.environ[name] = value
	return true
}
