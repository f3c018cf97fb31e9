package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/tui/importer"
	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
	"concord/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// threshold is the app without a project, driven without a terminal.
type threshold struct {
	t *testing.T
	*Welcome
	quits bool
}

func stand(t *testing.T, chosen *keymap.Keymap, keys ...string) *threshold {
	w := &threshold{t: t}
	w.Welcome = NewWelcome(t.Context(), "p.db", chosen, importer.Deps{Theme: theme(termenv.Ascii, true), Source: beginning{}}, &wiring{})
	w.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	w.press(keys...)
	return w
}

func (w *threshold) send(msg tea.Msg) {
	_, cmd := w.Update(msg)
	w.do(cmd)
}

func (w *threshold) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		w.quits = true
	case tea.BatchMsg:
		for _, c := range msg {
			w.do(c)
		}
	default:
		w.send(msg)
	}
}

func (w *threshold) press(keys ...string) {
	for _, k := range keys {
		w.send(keymap.NewKeyMsg(k))
	}
}

func (w *threshold) foot() string {
	lines := strings.Split(w.View(), "\n")
	return lines[len(lines)-1]
}

// beginnings are the screens that there are without a project.
func beginnings() map[string]place {
	return map[string]place{
		"menu":    {},
		"folder":  {keys: []string{"down", "enter"}, typing: true},
		"preview": {keys: []string{"down", "enter", "enter"}, typing: true},
		"done":    {keys: []string{"down", "enter", "enter", "enter"}},
		"check":   {keys: []string{"G", "enter"}},
		"server":  {keys: []string{"G", "enter", "enter"}, typing: true},
		"models":  {keys: []string{"G", "enter", "enter", "enter"}, typing: true},
	}
}

// TestTheGrammarHoldsWithoutAProject on each screen that there is then.
func TestTheGrammarHoldsWithoutAProject(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for name, pl := range beginnings() {
			w := stand(t, nil, pl.keys...)
			for _, s := range [][2]int{{60, 24}, {80, 24}, {120, 40}, {200, 50}} {
				w.send(tea.WindowSizeMsg{Width: s[0], Height: s[1]})
				lines := strings.Split(w.View(), "\n")
				if slices.ContainsFunc(lines, func(l string) bool { return widget.TextWidth(l) > s[0] }) || len(lines) > s[1] {
					t.Errorf("%s does not fit %v:\n%s", name, s, w.View())
				}
			}
			if strings.HasPrefix(w.foot(), " "+typingMode) != pl.typing || !pl.typing && !strings.Contains(w.foot(), "? help") {
				t.Errorf("%s: footer %q", name, w.foot())
			}
			before := w.View()
			if !pl.typing {
				if w.press("1", "2", "0", "backspace", "delete", "ctrl+z"); w.View() != before {
					t.Errorf("%s: a digit or an editing key did something:\n%s", name, w.View())
				}
				if w.press("?"); !strings.Contains(w.View(), "Keys ") {
					t.Errorf("%s: no help:\n%s", name, w.View())
				}
				if w.press("esc"); w.View() != before || w.quits {
					t.Errorf("%s: help was not left to where it was opened", name)
				}
			}
			for range len(pl.keys) + 1 {
				w.press("esc")
			}
			if w.quits != (name == "done") || !w.quits && !strings.Contains(w.View(), "How do you want to begin?") {
				t.Errorf("%s: esc quits (%v) or leads nowhere:\n%s", name, w.quits, w.View())
			}
			if w.press("q"); !w.quits || name == "done" != (w.Choice() == importer.Imported) {
				t.Errorf("%s: q at the top does not quit", name)
			}
		}
	})
}

// The keys that a person chose work before there is a project, too.
func TestKeysThatAPersonChoseWithoutAProject(t *testing.T) {
	bubble(t, func(t *testing.T) {
		moved := keymaptest.NewMovedKeymap(t)
		key := func(name string) string { return moved.FirstKeyText(name, keymap.Begin) }
		w := stand(t, moved, "enter")
		if v := w.View(); !strings.Contains(v, "enter has been moved") {
			t.Error(v)
		}
		w.press(key("G"), key("enter"))
		if v := w.View(); !strings.Contains(v, "What is configured") {
			t.Error(v)
		}
		keymaptest.CheckNoDefaultKeys(t, w.View())
		w.press("esc", key("g"), key("down"), key("enter"), "enter", "enter")
		if v := w.View(); !strings.Contains(v, "bench: added 1") {
			t.Error(v)
		}
		keymaptest.CheckNoDefaultKeys(t, w.View())
	})
}
