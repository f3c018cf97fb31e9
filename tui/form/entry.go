package form

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/widget"
)

// labelWidth is the width of the names of a form's fields.
const labelWidth = 12

// drawFormLine draws a line of a form: its name and its value, or why it means
// nothing now. Value is told how many cells there are for it.
func drawFormLine(t *widget.Theme, name, off string, here bool, width int, value func(width int) string) string {
	lead, label := "  ", t.Faint.Render(widget.FitWidth(name, labelWidth))
	if here {
		lead, label = t.Accent.Render("› "), t.Title.Render(widget.FitWidth(name, labelWidth))
	}
	if off != "" {
		return widget.CutWidth(lead+label+t.Disabled.Render("– "+off), width)
	}
	return widget.CutWidth(lead+label+value(width-labelWidth-2), width)
}

// markFocus marks a value under the cursor, without colours, too.
func markFocus(t *widget.Theme, value string, here bool) string {
	return eval.Either(here, t.Selected.Render("‹ "+value+" ›"), value)
}

// drawNamePick draws the chosen one of several names; under the cursor, which of how many it is.
func drawNamePick(t *widget.Theme, p *NamePick, here bool, width int) string {
	places, at := p.MatchingPlaces()
	filter := eval.Either(p.Filter() != "", " “"+widget.CutWidth(p.Filter(), 8)+"”", "")
	note := eval.Either(here, fmt.Sprintf("%s %d of %d", filter, at+1, len(places)), "")
	name := widget.CutWidth(widget.CleanLine(p.Value()), max(8, width-4-widget.TextWidth(note)))
	return markFocus(t, name, here) + t.Faint.Render(note)
}

// drawPickMany draws those of several names that are taken in; under the cursor,
// the one that space takes in or out, too.
func drawPickMany(t *widget.Theme, p *NamePick, chosen []string, none string, here bool, width int) string {
	list := eval.Either(len(chosen) > 0, widget.CleanLine(strings.Join(chosen, ", ")), none)
	if !here {
		return widget.CutWidth(list, width)
	}
	sign := eval.Either(slices.Contains(chosen, p.Value()), "[x] ", "[ ] ")
	return markFocus(t, sign+widget.CutWidth(widget.CleanLine(p.Value()), max(8, width/2)), true) + t.Faint.Render(" "+list)
}

// drawChoiceRow draws names side by side, the chosen one in brackets.
func drawChoiceRow(t *widget.Theme, names []string, at int, here bool) string {
	parts := make([]string, len(names))
	for i, name := range names {
		switch {
		case i != at:
			parts[i] = t.Faint.Render(name)
		case here:
			parts[i] = t.Selected.Render("[" + name + "]")
		default:
			parts[i] = "[" + name + "]"
		}
	}
	return strings.Join(parts, " ")
}

func drawCheckbox(t *widget.Theme, on, here bool) string {
	text := eval.Either(on, "[x]", "[ ]")
	return eval.Either(here, t.Selected.Render(text), text)
}

// WrapIndented gives a text below a form, in lines that are not too long to read.
func WrapIndented(width int, style func(...string) string, text string) []string {
	lines := widget.WrapText(text, max(1, min(width-4, 90)))
	for i, l := range lines {
		lines[i] = widget.CutWidth("  "+style(l), width)
	}
	return lines
}

// WrapThreeLines gives a text below a form, of three lines at most.
func WrapThreeLines(width int, style func(...string) string, text string) []string {
	lines := widget.WrapText(text, max(1, width-2))
	if len(lines) > 3 {
		lines = append(lines[:2:2], lines[2]+"…")
	}
	for i := range lines {
		lines[i] = widget.CutWidth("  "+style(lines[i]), width)
	}
	return lines
}

// StepChoice goes through names by arrows, space, or the letter that one begins
// with, and reports whether the key was one of these.
func StepChoice(at *int, names []string, msg tea.KeyMsg) bool {
	n := len(names)
	switch msg.Type {
	case tea.KeyLeft:
		*at = (*at + n - 1) % n
		return true
	case tea.KeyRight, tea.KeySpace:
		*at = (*at + 1) % n
		return true
	case tea.KeyRunes:
		for i := range n {
			if strings.HasPrefix(names[i], strings.ToLower(string(msg.Runes))) {
				*at = i
				return true
			}
		}
	default:
	}
	return false
}

// ToggleName takes a name in, after those that are in, or out.
func ToggleName(chosen []string, name string) []string {
	if i := slices.Index(chosen, name); i >= 0 {
		return slices.Delete(chosen, i, i+1)
	}
	if name != "" {
		chosen = append(chosen, name)
	}
	return chosen
}

// NamePick is a field in which one of several names is chosen: arrows go through
// them, and typing narrows them down. The zero value has none.
type NamePick struct {
	names  []string
	at     int
	filter string
}

// SetNames gives the names to choose from; the chosen one stays chosen where it is still among them.
func (p *NamePick) SetNames(names []string) {
	was := p.Value()
	p.names, p.at, p.filter = names, 0, ""
	p.Choose(was)
}

// Choose chooses a name, and reports whether there is such a one.
func (p *NamePick) Choose(name string) bool {
	at := slices.Index(p.names, name)
	if at >= 0 {
		p.at, p.filter = at, ""
	}
	return at >= 0
}

// DrawChoice draws a name that can be chosen. What something speaks against is crossed, and tell says why.
func DrawChoice(t *widget.Theme, name, why string, tell bool) string {
	name = widget.CleanLine(name)
	return eval.Either(why == "", name, t.Disabled.Render("⊘ "+name+eval.Either(tell, ": "+widget.CleanLine(why), "")))
}

// ChooseFirstAllowed chooses the first one that nothing speaks against.
func ChooseFirstAllowed[T any](p *NamePick, all []T, of func(T) (name, why string)) {
	for _, one := range all {
		if name, why := of(one); why == "" {
			p.Choose(name)
			return
		}
	}
}

// Value is the chosen name; "" when there is none.
func (p *NamePick) Value() string {
	if p.at < 0 || p.at >= len(p.names) {
		return ""
	}
	return p.names[p.at]
}

// Filter gives what was typed.
func (p *NamePick) Filter() string { return p.filter }

// MatchingPlaces are the places of the names that the filter leaves, and where the chosen one is among them.
func (p *NamePick) MatchingPlaces() (places []int, at int) {
	want := strings.ToLower(p.filter)
	for i, n := range p.names {
		if strings.Contains(strings.ToLower(n), want) {
			if i == p.at {
				at = len(places)
			}
			places = append(places, i)
		}
	}
	return places, at
}

// MoveChoice chooses another of the names that the filter leaves; behind the last comes the first.
func (p *NamePick) MoveChoice(by int) {
	places, at := p.MatchingPlaces()
	if n := len(places); n > 0 {
		p.at = places[((at+by)%n+n)%n]
	}
}

// ClearFilter takes the filter away, and reports whether there was one.
func (p *NamePick) ClearFilter() bool {
	was := p.filter != ""
	p.filter = ""
	return was
}

// HandleKey takes a key that is typed or moves sideways, and reports whether it
// was one. What no name has in it is not taken into the filter.
func (p *NamePick) HandleKey(msg tea.KeyMsg) bool {
	switch msg.Type {
	case tea.KeyLeft:
		p.MoveChoice(-1)
	case tea.KeyRight:
		p.MoveChoice(1)
	case tea.KeyBackspace:
		r := []rune(p.filter)
		p.filter = string(r[:max(0, len(r)-1)])
	case tea.KeyRunes:
		p.narrowChoice(p.filter + widget.CleanLine(string(msg.Runes)))
	default:
		return false
	}
	return true
}

// narrowChoice filters by what is typed, if that leaves any name, and chooses the
// first one left when the chosen one is not.
func (p *NamePick) narrowChoice(filter string) {
	was := p.filter
	p.filter = filter
	places, at := p.MatchingPlaces()
	if len(places) == 0 {
		p.filter = was
		return
	}
	p.at = places[at]
}
