package widget

import (
	"io"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// typeInto types a text into a filter, a key at a time.
func typeInto(f *Filter, text string) {
	for _, r := range text {
		f.HandleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

func TestFilterNarrowsAList(t *testing.T) {
	rows := []string{"Otter 7b demo", "lynx demo", "\x1b[1motter\x1b[0m mmbench"}
	check := func(text string, want ...int) {
		t.Helper()
		var f Filter
		f.StartTyping()
		typeInto(&f, text)
		var got []int
		for _, r := range FilterRows(&f, rows, func(r *string) []string { return []string{"x", *r} }) {
			got = append(got, slices.Index(rows, r))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q leaves %v, want %v", text, got, want)
		}
	}
	check("", 0, 1, 2)
	check("!", 0, 1, 2)
	check("otter", 0, 2)
	check("DEMO otter", 0)
	check("!otter", 1)
	check("! demo otter", 1, 2)
	check("[1m") // what is not seen is not looked in
	check("otter  ", 0, 2)
}

func TestFilterIsTyped(t *testing.T) {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	th := NewTheme(r)
	var f Filter
	sees := func(want string) {
		t.Helper()
		if got := th.DrawFilter(&f, 24); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	sees("")
	f.StartTyping()
	sees("/ ▏words; ! turns it ar…")
	typeInto(&f, "one two")
	sees("/ one two▏")
	f.HandleKey(tea.KeyMsg{Type: tea.KeyCtrlW})
	sees("/ one ▏")
	f.HandleKey(tea.KeyMsg{Type: tea.KeyBackspace})
	typeInto(&f, strings.Repeat("é", 30))
	sees("/ éééééééééééééééééééé▏")
	if f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter}); f.IsTyping() || !f.IsOn() {
		t.Error("enter did not keep it")
	}
	sees("/ éééééééééééééééééééé …")
	if !f.ClearText() || f.IsOn() || f.ClearText() {
		t.Error("clearing")
	}
	sees("")
}
