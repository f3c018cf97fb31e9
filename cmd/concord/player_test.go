package main

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// player runs a root model without a terminal, as bubbletea does: commands
// run beside it, and their messages are taken one by one.
type player struct {
	b    testing.TB
	m    tea.Model
	msgs chan tea.Msg
}

func newPlayer(b testing.TB, m tea.Model, width, height int) *player {
	p := &player{b: b, m: m, msgs: make(chan tea.Msg, 1024)}
	p.send(tea.WindowSizeMsg{Width: width, Height: height})
	p.later(m.Init())
	return p
}

func (p *player) send(msg tea.Msg) {
	var cmd tea.Cmd
	p.m, cmd = p.m.Update(msg)
	p.later(cmd)
}

func (p *player) later(cmd tea.Cmd) {
	if cmd != nil {
		go func() { p.msgs <- cmd() }()
	}
}

func (p *player) take(msg tea.Msg) {
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, cmd := range batch {
			p.later(cmd)
		}
	} else if msg != nil {
		p.send(msg)
	}
}

// until takes messages until the view shows the text.
func (p *player) until(text string) {
	p.b.Helper()
	for !strings.Contains(p.m.View(), text) {
		select {
		case msg := <-p.msgs:
			p.take(msg)
		case <-time.After(10 * time.Second):
			p.b.Fatalf("%q is not shown:\n%s", text, p.m.View())
		}
	}
}

// rest takes messages until none has come for a while: what a person's
// reading leaves time for.
func (p *player) rest() {
	for {
		select {
		case msg := <-p.msgs:
			p.take(msg)
		case <-time.After(20 * time.Millisecond):
			return
		}
	}
}

// during takes messages for as long as d.
func (p *player) during(d time.Duration) {
	for end := time.After(d); ; {
		select {
		case msg := <-p.msgs:
			p.take(msg)
		case <-end:
			return
		}
	}
}
