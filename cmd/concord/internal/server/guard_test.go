package server

import (
	"io"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// brittle is an app that breaks in its commands.
type brittle struct{ seen chan string }

func (b brittle) Init() tea.Cmd { return nil }
func (b brittle) View() string  { return "" }
func (b brittle) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	breaks := func() tea.Msg { panic("broken") }
	says := func(s string) tea.Cmd { return func() tea.Msg { b.seen <- s; return nil } }
	switch msg {
	case "alone":
		return b, breaks
	case "batch":
		return b, tea.Batch(breaks, says("batch"), tea.Batch(breaks, breaks))
	case "sequence":
		return b, tea.Sequence(breaks, says("sequence"))
	}
	return b, nil
}

func TestCommandsThatPanicAreCaught(t *testing.T) {
	var broke atomic.Int32
	b := brittle{seen: make(chan string, 2)}
	g := guardedModel{b, func(any) { broke.Add(1) }}
	p := tea.NewProgram(g, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignals(), tea.WithoutCatchPanics())
	ended := make(chan error, 1)
	go func() { _, err := p.Run(); ended <- err }()
	for _, msg := range []string{"alone", "batch", "sequence"} {
		p.Send(msg)
	}
	for range 2 {
		select {
		case <-b.seen:
		case <-time.After(5 * time.Second):
			t.Fatal("what stands beside a panic is not done")
		}
	}
	for i := 0; broke.Load() < 5 && i < 1000; i++ {
		time.Sleep(time.Millisecond)
	}
	p.Quit()
	if err := <-ended; err != nil || broke.Load() != 5 {
		t.Errorf("%v, %d panics told", err, broke.Load())
	}
}
