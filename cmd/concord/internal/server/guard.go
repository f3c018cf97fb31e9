package server

import (
	"reflect"

	tea "github.com/charmbracelet/bubbletea"
)

// guarded is an app whose commands hurt nobody else when they panic: bubbletea
// runs each in a goroutine, whose panic would end the process, or be printed on
// the terminal of whoever started it. Panics of Update and View come to whoever
// runs the program.
type guarded struct {
	tea.Model
	broke func(panicked any)
}

func (g guarded) Init() tea.Cmd { return g.guard(g.Model.Init()) }

func (g guarded) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m, cmd := g.Model.Update(msg)
	g.Model = m
	return g, g.guard(cmd)
}

func (g guarded) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if p := recover(); p != nil {
				msg = nil
				g.broke(p)
			}
		}()
		return g.within(cmd())
	}
}

// within guards the commands that a message is made of: those of tea.Batch and
// of tea.Sequence, whose message has no name outside of its package.
func (g guarded) within(msg tea.Msg) tea.Msg {
	v := reflect.ValueOf(msg)
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return msg
	}
	for i := range v.Len() {
		v.Index(i).Set(reflect.ValueOf(g.guard(v.Index(i).Interface().(tea.Cmd))))
	}
	return msg
}
