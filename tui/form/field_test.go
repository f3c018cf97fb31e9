package form

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func typed(s string) tea.KeyMsg {
	switch s {
	case "<":
		return tea.KeyMsg{Type: tea.KeyLeft}
	case ">":
		return tea.KeyMsg{Type: tea.KeyRight}
	case "~":
		return tea.KeyMsg{Type: tea.KeyBackspace}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)}
}

func TestPick(t *testing.T) {
	check := func(keys, want, filter string) {
		t.Helper()
		var p Pick
		p.SetNames([]string{"alpha", "Beta", "gamma", "beta-2"})
		for _, r := range keys {
			p.Press(typed(string(r)))
		}
		if p.Value() != want || p.Filter() != filter {
			t.Errorf("%q: %q by %q, want %q by %q", keys, p.Value(), p.Filter(), want, filter)
		}
	}
	check("", "alpha", "")
	check("<", "beta-2", "")
	check(">>", "gamma", "")
	check("be", "Beta", "be")
	check("be>", "beta-2", "be")
	check("be>>", "Beta", "be")
	check("gz", "gamma", "g") // no name has gz in it
	check("be>~~", "beta-2", "")
	var none Pick
	none.Press(typed(">"))
	none.Press(typed("x"))
	if none.Value() != "" || none.Filter() != "" {
		t.Errorf("of nothing: %q by %q", none.Value(), none.Filter())
	}
}

func TestFigure(t *testing.T) {
	check := func(f Figure, set float64, keys string, want float64, text string) {
		t.Helper()
		f.Set(set)
		for _, r := range keys {
			f.Press(typed(string(r)))
		}
		if f.Value() != want || f.Text() != text {
			t.Errorf("%v %q: %v %q, want %v %q", set, keys, f.Value(), f.Text(), want, text)
		}
	}
	check(Figure{}, 16, "", 16, "16")
	check(Figure{}, 16, "3", 3, "3")
	check(Figure{}, 16, "~3", 13, "13")
	check(Figure{}, 16, "32~", 3, "3")
	check(Figure{}, 1, "<<", 0, "0")
	check(Figure{}, 1, ">x-.", 2, "2")
	check(Figure{Most: 64}, 1, "99", 64, "64")
	check(Figure{Most: 64}, 64, ">", 64, "64")
	check(Figure{Decimal: true}, 0, "1.5.", 1.5, "1.5")
	check(Figure{Decimal: true}, 0, ".5", 0.5, ".5")
	check(Figure{Decimal: true}, 1.5, ">", 2, "2")
	check(Figure{Decimal: true}, 1.5, "<", 1, "1")
	check(Figure{}, 0, "~", 0, "0")
	check(Figure{}, 0, "1234567890", 123456789, "123456789")
}
