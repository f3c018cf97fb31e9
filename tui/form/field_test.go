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
		var p NamePick
		p.SetNames([]string{"alpha", "Beta", "gamma", "beta-2"})
		for _, r := range keys {
			p.HandleKey(typed(string(r)))
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
	var none NamePick
	none.HandleKey(typed(">"))
	none.HandleKey(typed("x"))
	if none.Value() != "" || none.Filter() != "" {
		t.Errorf("of nothing: %q by %q", none.Value(), none.Filter())
	}
}

func TestFigure(t *testing.T) {
	check := func(f NumberField, set float64, keys string, want float64, text string) {
		t.Helper()
		f.SetNumber(set)
		for _, r := range keys {
			f.HandleKey(typed(string(r)))
		}
		if f.Value() != want || f.Text() != text {
			t.Errorf("%v %q: %v %q, want %v %q", set, keys, f.Value(), f.Text(), want, text)
		}
	}
	check(NumberField{}, 16, "", 16, "16")
	check(NumberField{}, 16, "3", 3, "3")
	check(NumberField{}, 16, "~3", 13, "13")
	check(NumberField{}, 16, "32~", 3, "3")
	check(NumberField{}, 1, "<<", 0, "0")
	check(NumberField{}, 1, ">x-.", 2, "2")
	check(NumberField{Most: 64}, 1, "99", 64, "64")
	check(NumberField{Most: 64}, 64, ">", 64, "64")
	check(NumberField{Decimal: true}, 0, "1.5.", 1.5, "1.5")
	check(NumberField{Decimal: true}, 0, ".5", 0.5, ".5")
	check(NumberField{Decimal: true}, 1.5, ">", 2, "2")
	check(NumberField{Decimal: true}, 1.5, "<", 1, "1")
	check(NumberField{}, 0, "~", 0, "0")
	check(NumberField{}, 0, "1234567890", 123456789, "123456789")
}
