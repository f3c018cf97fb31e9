package term

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// oneItem is a model with one thing in front, which takes a while to take a key.
type oneItem struct {
	front any
	takes time.Duration
	told  func(front any, age time.Duration)
}

func (s oneItem) Init() tea.Cmd                       { return nil }
func (s oneItem) Update(tea.Msg) (tea.Model, tea.Cmd) { return s, nil }
func (s oneItem) View() string                        { return "frame" }
func (s oneItem) FrontItem() any                      { return s.front }
func (s oneItem) HandleKey(_ tea.KeyMsg, front any, age time.Duration) (tea.Model, tea.Cmd) {
	s.told(front, age)
	time.Sleep(s.takes)
	s.front = "b"
	return s, nil
}

func TestKeysAreToldWhatTheScreenShows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := NewPainter(&out)
		_, _ = p.Write([]byte(ansi.SetModeAltScreenSaveCursor))
		var front any
		var age time.Duration
		m := p.WrapModel(oneItem{front: "a", takes: 300 * time.Millisecond, told: func(f any, a time.Duration) { front, age = f, a }})
		send := func(msg tea.Msg) {
			m, _ = m.Update(msg)
			m.View()
		}
		check := func(wantFront any, least, most time.Duration) {
			t.Helper()
			if front != wantFront || age < least || age > most {
				t.Errorf("selected %v for %v, want %v for %v to %v", front, age, wantFront, least, most)
			}
		}
		key := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x")}
		send(tea.WindowSizeMsg{Width: 10, Height: 2})
		synctest.Wait()
		time.Sleep(50 * time.Millisecond)
		send(key)
		check("a", 49*time.Millisecond, 51*time.Millisecond)
		synctest.Wait()
		send(key) // which waited while the first was taken: nobody had seen b
		check("b", -time.Second, -time.Millisecond)
		synctest.Wait()
		time.Sleep(time.Second)
		send(key)
		check("b", 900*time.Millisecond, 1400*time.Millisecond)
		time.Sleep(time.Second)
		_, _ = p.Write([]byte(ansi.EraseEntireScreen)) // the item is gone from the screen
		send(key)
		check(nil, 0, 2*time.Second)
		time.Sleep(time.Second) // the painter ends
	})
}
