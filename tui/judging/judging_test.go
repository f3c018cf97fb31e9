package judging

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"concord/eval"
	"concord/tui/widget"
)

// desk is the screen, driven without a terminal and in fake time.
type desk struct {
	t *testing.T
	*Model
	notices []string
	asked   []tea.Msg // of the root
	now     time.Time
}

func sit(t *testing.T, b *bench, p termenv.Profile, width, height int) *desk {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	r.SetHasDarkBackground(true)
	d := &desk{t: t, now: clock}
	d.Model = New(t.Context(), Deps{
		Source: b, Control: b, Scheduler: b, Theme: widget.NewTheme(r), Now: func() time.Time { return d.now },
	})
	d.Resize(width, height-3) // less the root's header and footer
	return d
}

func (d *desk) page() *desk {
	d.OpenJob("votes/1/2", false)
	d.do(d.Init())
	return d
}

func (d *desk) newForm() *desk {
	d.OpenForm("")
	d.do(d.Init())
	return d
}

// do runs commands to their end, those that wait for time too; the beat of
// every second is left out.
func (d *desk) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, second:
	case tea.BatchMsg:
		for _, c := range msg {
			d.do(c)
		}
	case widget.Notify:
		d.notices = append(d.notices, msg.Text)
	case Started:
		d.asked = append(d.asked, msg)
	default:
		d.do(d.Update(msg))
	}
}

func (d *desk) press(keys ...string) *desk {
	special := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight, "backspace": tea.KeyBackspace, " ": tea.KeySpace, "shift+tab": tea.KeyShiftTab,
	}
	for _, k := range keys {
		if k == "esc" {
			d.GoBack()
			continue
		}
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
		if t, ok := special[k]; ok {
			msg = tea.KeyMsg{Type: t}
		}
		d.do(d.Update(msg))
	}
	return d
}

func (d *desk) see(want ...string) {
	d.t.Helper()
	for _, w := range want {
		if v := ansi.Strip(d.View()); !strings.Contains(v, w) {
			d.t.Fatalf("no %q in\n%s", w, v)
		}
	}
}

func (d *desk) fits() {
	d.t.Helper()
	for _, l := range strings.Split(d.View(), "\n") {
		if w := widget.TextWidth(l); w != d.shown.width {
			d.t.Fatalf("%dx%d: a line is %d wide: %q", d.shown.width, d.shown.height, w, l)
		}
		if strings.ContainsAny(strings.ReplaceAll(l, "\x1b[", ""), "\x1b\a\r") {
			d.t.Fatalf("a control character reaches the terminal: %q", l)
		}
	}
}

// TestGolden holds the looks of the screen in the sizes that people have, and
// that colours change no character of them.
func TestGolden(t *testing.T) {
	scenes := []struct {
		name string
		set  func(*bench)
		form bool
		keys []string
	}{
		{name: "results"},
		{name: "positions", keys: []string{"G"}},
		{name: "unparsed", keys: []string{"tab", "down"}},
		{name: "failed", keys: []string{"e"}},
		{name: "reply", keys: []string{"tab", "enter"}},
		{name: "cancel", keys: []string{"c"}},
		{name: "paused", set: func(b *bench) {
			b.rows[0].Progress.State, b.rows[0].Progress.Why = eval.Paused, "the budget of 5 is spent"
		}},
		{name: "stored", set: func(b *bench) {
			b.rows[0].Live, b.rows[0].Progress, b.rows[0].Shares, b.rows[0].Priced = false, eval.Progress{}, 0, false
		}},
		{name: "form", form: true},
		{name: "models", form: true, keys: []string{"down", "down", "up"}},
		{name: "sees", form: true, keys: []string{"down", "down", "down", "down", "down"}},
		{name: "confirm", form: true, keys: []string{"down", " ", "left", " ", "enter"}},
		{name: "refused", form: true, set: func(b *bench) {
			b.refused = errors.New("votes of gpt-judge on runs 1 and 2 were made with other settings:\n  edge: was 512, is 1024")
		}},
		{name: "empty", form: true, set: func(b *bench) { b.choices = Choices{Trouble: "concord.toml:12: unknown key \"tempo\""} }},
	}
	for _, sc := range scenes {
		for _, s := range [][2]int{{60, 24}, {80, 24}, {120, 40}, {200, 50}} {
			t.Run(fmt.Sprintf("%s-%dx%d", sc.name, s[0], s[1]), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					frame := func(p termenv.Profile) string {
						b := project()
						if sc.set != nil {
							sc.set(b)
						}
						d := sit(t, b, p, s[0], s[1])
						if sc.form {
							d.newForm()
						} else {
							d.page()
						}
						d.press(sc.keys...)
						d.fits()
						return d.View()
					}
					plain := frame(termenv.Ascii)
					if ansi.Strip(frame(termenv.TrueColor)) != plain {
						t.Error("colours change what is written")
					}
					golden.RequireEqual(t, []byte(trimRight(plain)))
				})
			})
		}
	}
}

func trimRight(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}
