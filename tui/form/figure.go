package form

import (
	"math"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Figure is a field for a number that is not negative: digits edit it, arrows
// step it. The zero value is empty, which is 0.
type Figure struct {
	text    string
	Decimal bool    // a point is allowed
	Step    float64 // of the arrows; 0 is 1
	Most    float64 // 0: no limit
	fresh   bool    // not typed into since it was set: the first digit begins anew
}

// Set gives the number.
func (f *Figure) Set(v float64) {
	f.text = strconv.FormatFloat(max(v, 0), 'f', -1, 64)
	f.fresh = true
}

// Value is the number.
func (f *Figure) Value() float64 {
	v, err := strconv.ParseFloat(f.text, 64)
	if err != nil {
		return 0
	}
	return v
}

// Text is the number as it was typed.
func (f *Figure) Text() string {
	if f.text == "" {
		return "0"
	}
	return f.text
}

// Leave ends the typing: the next digit begins a new number.
func (f *Figure) Leave() { f.Set(f.Value()) }

// Press takes a key that edits, and reports whether it was one.
func (f *Figure) Press(msg tea.KeyMsg) bool {
	step := f.Step
	if step == 0 {
		step = 1
	}
	switch msg.Type {
	case tea.KeyLeft:
		f.put(math.Max(0, math.Ceil(f.Value()/step-1)*step))
	case tea.KeyRight:
		f.put(math.Floor(f.Value()/step+1) * step)
	case tea.KeyBackspace:
		f.text, f.fresh = f.text[:max(0, len(f.text)-1)], false
	case tea.KeyRunes:
		for _, r := range msg.Runes {
			f.typed(r)
		}
	default:
		return false
	}
	return true
}

func (f *Figure) put(v float64) {
	if f.Most > 0 {
		v = min(v, f.Most)
	}
	f.Set(v)
}

// typed takes a digit or the point; other letters mean nothing here.
func (f *Figure) typed(r rune) {
	text := f.text
	if f.fresh || text == "0" && r != '.' {
		text = ""
	}
	switch {
	case r >= '0' && r <= '9':
		text += string(r)
	case r == '.' && f.Decimal && !strings.Contains(text, "."):
		text += "."
	default:
		return
	}
	const longest = 9
	if len(text) > longest {
		return
	}
	f.text, f.fresh = text, false
	if f.Most > 0 && f.Value() > f.Most {
		f.Set(f.Most)
	}
}
