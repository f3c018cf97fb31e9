package widget

import (
	"github.com/charmbracelet/bubbles/key"
)

// Halves are the rooms of a list and of the detail of its selected row. They
// stand side by side where that leaves both readable, else below each other; a
// list that fills a small screen is followed by no detail.
type Halves struct {
	List, Detail struct{ Width, Height int }
	beside       bool
}

// NewHalves shares width by height cells out; the list needs so many lines to
// show all of its rows.
func NewHalves(width, height, needs int) (h Halves) {
	const (
		wide  = 140 // from here they stand side by side
		tall  = 30  // from here a detail stands below a longer list, too
		least = 4   // lines of a detail that says something
		rule  = 3
	)
	h.List.Width, h.List.Height = width, height
	if width >= wide {
		h.beside = true
		h.List.Width = width * 58 / 100
		h.Detail.Width, h.Detail.Height = width-h.List.Width-rule, height
		return h
	}
	below := height - needs - 1
	if height >= tall {
		below = max(below, height/3)
	}
	if below >= least {
		h.List.Height = height - below
		h.Detail.Width, h.Detail.Height = width, below
	}
	return h
}

// WidenList gives a list of long rows so many cells more of a detail beside it.
func (h Halves) WidenList(by int) Halves {
	if h.beside {
		h.List.Width, h.Detail.Width = h.List.Width+by, h.Detail.Width-by
	}
	return h
}

// DrawHalves draw a list and a detail in their rooms.
func (t *Theme) DrawHalves(h Halves, list, detail []string) []string {
	if h.beside {
		return t.DrawBeside(list, detail, h.List.Width, h.List.Width+h.Detail.Width+3, h.List.Height)
	}
	return append(FitBox(list, h.List.Width, h.List.Height), FitBox(detail, h.List.Width, h.Detail.Height)...)
}

// AddKeysBelow adds lines with the keys that work now below them, where a height
// leaves room for these; spell writes a key.
func (t *Theme) AddKeysBelow(lines []string, width, height int, spell func(string) string, keys []key.Binding) []string {
	const least = 4
	var on []key.Binding
	for _, k := range keys {
		if k.Enabled() && len(k.Keys()) == 1 {
			k.SetHelp(spell(k.Keys()[0]), k.Help().Desc)
		}
		if k.Enabled() {
			on = append(on, k)
		}
	}
	room := height - len(lines) - 1
	if room < least || len(on) == 0 {
		return lines
	}
	help := append([]string{t.DrawSection("Keys", "", false, width)}, t.DrawHelp(min(width, helpColumn), Group{Keys: on})[1:]...)
	return append(append(lines, ""), help[:min(len(help), room)]...)
}
