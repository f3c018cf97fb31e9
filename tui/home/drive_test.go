package home

import (
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

	"concord/tui/widget"
)

func theme(p termenv.Profile) *widget.Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	r.SetHasDarkBackground(true)
	return widget.NewTheme(r)
}

// desk is the screen, driven without a terminal and in fake time.
type desk struct {
	t *testing.T
	*Model
	notices []string
	asked   []tea.Msg // of the root
}

func sit(t *testing.T, b *bench, p termenv.Profile, width, height int) *desk {
	d := &desk{t: t, Model: New(t.Context(), theme(p), Deps{Source: b, Control: b, Scheduler: b, Jobs: b, JobControl: b, Now: func() time.Time { return clock }})}
	d.Resize(width, height-3) // less the root's header and footer
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
	case OpenAnswers, OpenSamples, OpenReport, OpenQueue, OpenJob, NewVotes:
		d.asked = append(d.asked, msg)
	default:
		d.do(d.Update(msg))
	}
}

func (d *desk) press(keys ...string) {
	for _, k := range keys {
		if k == "esc" {
			d.GoBack()
			continue
		}
		d.do(d.Update(keyMsg(k)))
	}
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
		if w := widget.TextWidth(l); w != d.width {
			d.t.Fatalf("%dx%d: a line is %d wide: %q", d.width, d.height, w, l)
		}
		if strings.ContainsAny(strings.ReplaceAll(l, "\x1b[", ""), "\x1b\a\r") {
			d.t.Fatalf("a control character reaches the terminal: %q", l)
		}
	}
}

func keyMsg(k string) tea.KeyMsg {
	special := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight, "backspace": tea.KeyBackspace, " ": tea.KeySpace, "shift+tab": tea.KeyShiftTab,
	}
	if t, ok := special[k]; ok {
		return tea.KeyMsg{Type: t}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
}

// bubble runs a test in fake time.
func bubble(t *testing.T, f func(*testing.T)) { synctest.Test(t, f) }

// TestGolden holds the looks of the screen in the sizes that people have, and
// that colours change no character of them.
func TestGolden(t *testing.T) {
	long := func(b *bench) {
		b.rows[0].Run.Config.Model = strings.Repeat("a-model-with-a-long-name-", 5)
		b.rows[0].Run.Config.Dataset = "datensatz-データセット-مجموعة-\x1b[31m-red"
		b.rows[0].Progress.LastFailure = strings.Repeat("very long ", 50)
		b.rows[0].Progress.Judges[0].Judge = "a judge whose name is long \x1b[1m"
	}
	scenes := []struct {
		name string
		set  func(*bench)
		keys []string
	}{
		{"list", nil, nil},
		{"detail", nil, []string{"d"}},
		{"answers", nil, []string{"d", "tab", "down"}},
		{"errors", nil, []string{"e"}},
		{"holding", nil, []string{"down", "d"}},
		{"budget", nil, []string{"down", "down"}},
		{"failed", nil, []string{"down", "down", "down"}},
		{"form", nil, []string{"n"}},
		{"judges", nil, []string{"n", "down", "down", "down", "down", "down", "down", " ", "g", "p", "t", "-", "j", " "}},
		{"estimate", func(b *bench) { b.existing = &Existing{Run: 5, Same: true} }, []string{"n", "down"}},
		{"confirm", nil, []string{"n", "enter"}},
		{"why", nil, []string{"n", "down", "g"}},
		{"refused", func(b *bench) { b.refused = fmt.Errorf("dataset mmbench_dev: half of its images are missing") }, []string{"n"}},
		{"differences", func(b *bench) {
			b.existing = &Existing{Run: 5, Differences: []Difference{
				{"prompts", "choice en v1 3fa9c1d2", "choice en v2 77e01b2c"},
				{"judges", "", "gpt-judge"},
				{"edge", "1024", "512"},
			}}
		}, []string{"n", "enter"}},
		{"empty", func(b *bench) { b.choices = Choices{Trouble: "concord.toml:12: unknown key \"tempo\""} }, []string{"n"}},
		{"long", long, nil},
		{"judging", beingJudged, []string{"G"}},
		{"judgings", withVotes, []string{"tab", "down"}},
		{"end", withVotes, []string{"tab", "c"}},
		{"jury", nil, []string{"J", "q", "w", " "}},
		{"jury-imported", beingJudged, []string{"G", "d", "J", "o", " "}},
	}
	for _, sc := range scenes {
		for _, s := range [][2]int{{60, 24}, {80, 24}, {120, 40}, {200, 50}} {
			t.Run(fmt.Sprintf("%s-%dx%d", sc.name, s[0], s[1]), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					frame := func(p termenv.Profile) string {
						b := project()
						if sc.set != nil {
							sc.set(b)
						}
						d := sit(t, b, p, s[0], s[1])
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
