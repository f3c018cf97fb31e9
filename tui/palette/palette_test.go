package palette

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"concord/tui/widget"
)

func theme() *widget.Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	return widget.NewTheme(r)
}

func entries() []Entry {
	return []Entry{
		{Kind: "do", Title: "undo", Hint: "ctrl+z", Do: "undo"},
		{Kind: "do", Title: "redo", Hint: "ctrl+r", Off: true, Do: "redo"},
		{Kind: "go", Title: "Review", Hint: "v", Do: "review"},
		{Kind: "go", Title: "Report: Accuracy", Do: "accuracy"},
		{Kind: "go", Title: "Report: Alignment", Do: "alignment"},
		{Kind: "queue", Title: "hard ones", Words: "mmbench review", Hint: "unparsable of mmbench", Do: "queue"},
		{Kind: "run", Title: "otter-7b on mmbench", Words: "circular image", Do: "run"},
		{Kind: "shell", Title: "concord report accuracy", Words: "Accuracy per run", Hint: "Accuracy per run", Do: "shell"},
		{Kind: "shell", Title: "concord export \x1b[31mlabels", Hint: "every label", Do: "shell"},
	}
}

func press(m *Model, keys ...string) (chosen *Entry, last tea.Cmd) {
	for _, k := range keys {
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
		for t, name := range map[tea.KeyType]string{
			tea.KeyEnter: "enter", tea.KeyDown: "down", tea.KeyUp: "up", tea.KeyCtrlN: "ctrl+n", tea.KeyCtrlP: "ctrl+p",
			tea.KeyBackspace: "backspace", tea.KeyCtrlU: "ctrl+u", tea.KeySpace: " ",
		} {
			if name == k {
				msg = tea.KeyMsg{Type: t}
				if t == tea.KeySpace {
					msg.Runes = []rune{' '}
				}
			}
		}
		chosen, last = m.HandleKey(msg)
	}
	return chosen, last
}

func TestMatch(t *testing.T) {
	check := func(text string, want ...string) {
		t.Helper()
		var got []string
		all := entries()
		for _, i := range matchEntries(text, all) {
			got = append(got, all[i].Title)
		}
		if len(got) < len(want) || strings.Join(got[:len(want)], "|") != strings.Join(want, "|") {
			t.Errorf("%q: %q, want %q first", text, got, want)
		}
	}
	check("und", "undo")
	check("rep acc", "Report: Accuracy", "concord report accuracy")
	check("accuracy report", "Report: Accuracy")
	check("rptacc", "Report: Accuracy")
	check("otr7", "otter-7b on mmbench")
	check("circular", "otter-7b on mmbench")
	check("hard", "hard ones")
	check("", "undo", "redo", "Review")
	if got := matchEntries("zzzz", entries()); len(got) > 0 {
		t.Errorf("zzzz: %v", got)
	}
}

func TestKeysOfThePalette(t *testing.T) {
	m := New(t.Context(), theme(), nil, entries())
	check := func(want string, keys ...string) {
		t.Helper()
		e, _ := press(m, append(keys, "enter")...)
		got := ""
		if e != nil {
			got = fmt.Sprint(e.Do)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", keys, got, want)
		}
	}
	check("undo")
	check("review", "down", "ctrl+n")
	check("redo", "ctrl+p")
	check("accuracy", "a", "c", "c")
	check("", "z", "z", "z")
	check("accuracy", "backspace", "backspace", "backspace")
	check("undo", "ctrl+u")
	check("queue", "h", "a", "r", "d", " ", "o")
}

// What is read later leaves the cursor on what it was on.
func TestEntriesThatComeLater(t *testing.T) {
	m := New(t.Context(), theme(), nil, entries())
	press(m, "down", "down")
	m.AddEntries([]Entry{{Kind: "run", Title: "a run", Do: "late"}})
	if e, _ := press(m, "enter"); e.Do != "review" {
		t.Errorf("the cursor went to %v", e)
	}
}

func TestSearchWaitsUntilNothingIsTyped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		search := func(ctx context.Context, text string) ([]Entry, bool, error) {
			asked = append(asked, text)
			if text == "bad" {
				return nil, false, errors.New("no such disk")
			}
			return []Entry{{Kind: "sample", Title: "12  " + text + "?", Do: "sample"}}, true, ctx.Err()
		}
		m := New(t.Context(), theme(), search, entries())
		run := func(cmd tea.Cmd) {
			for cmd != nil {
				cmd = m.Update(cmd())
			}
		}
		_, one := press(m, "c")
		if one != nil {
			t.Error("one character is searched for")
		}
		_, early := press(m, "a")
		_, late := press(m, "t")
		run(early)
		run(late)
		if strings.Join(asked, ",") != "cat" {
			t.Errorf("asked for %q", asked)
		}
		view := strings.Join(m.View(nil, 60, 24), "\n")
		if !strings.Contains(view, "12  cat?") || !strings.Contains(view, "not all were looked at") {
			t.Errorf("no sample in\n%s", view)
		}
		press(m, "up", "up", "up", "up")
		_, cmd := press(m, "ctrl+u", "b", "a", "d")
		run(cmd)
		if view := strings.Join(m.View(nil, 60, 24), "\n"); !strings.Contains(view, "no such disk") {
			t.Errorf("no error in\n%s", view)
		}
		m.Close()
		time.Sleep(time.Second)
	})
}

func TestPaletteFrames(t *testing.T) {
	for _, size := range [][2]int{{60, 21}, {120, 37}} {
		for name, typed := range map[string]string{"all": "", "some": "re", "none": "qqq"} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				m := New(t.Context(), theme(), nil, entries())
				press(m, strings.Split(typed, "")...)
				screen := make([]string, size[1])
				for i := range screen {
					screen[i] = fmt.Sprintf("line %d of the screen", i)
				}
				lines := m.View(screen, size[0], size[1])
				for i, l := range lines {
					if widget.TextWidth(l) > size[0] {
						t.Errorf("line %d is %d wide", i, widget.TextWidth(l))
					}
					lines[i] = strings.TrimRight(l, " ")
				}
				if len(lines) != size[1] {
					t.Errorf("%d lines", len(lines))
				}
				golden.RequireEqual(t, []byte(strings.Join(lines, "\n")+"\n"))
			})
		}
	}
}

func BenchmarkKey(b *testing.B) {
	all := entries()
	for i := range 3000 {
		all = append(all, Entry{Kind: "run", Title: fmt.Sprintf("model-%d on dataset-%d", i, i%7), Words: "circular image"})
	}
	m := New(b.Context(), theme(), nil, all)
	for b.Loop() {
		press(m, "m", "7", "ctrl+u")
		m.View(nil, 200, 50)
	}
}
