package form

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// Pick is a field in which one of several names is chosen: arrows go through
// them, and typing narrows them down. The zero value has none.
type Pick struct {
	names  []string
	at     int
	filter string
}

// SetNames gives the names to choose from; the chosen one stays chosen where it
// is still among them.
func (p *Pick) SetNames(names []string) {
	was := p.Value()
	p.names, p.at, p.filter = names, 0, ""
	p.Choose(was)
}

// Choose chooses a name, and reports whether there is such a one.
func (p *Pick) Choose(name string) bool {
	for i, n := range p.names {
		if n == name {
			p.at, p.filter = i, ""
			return true
		}
	}
	return false
}

// Value is the chosen name; "" when there is none.
func (p *Pick) Value() string {
	if p.at < 0 || p.at >= len(p.names) {
		return ""
	}
	return p.names[p.at]
}

// Filter is what was typed.
func (p *Pick) Filter() string { return p.filter }

// Matches are the places of the names that the filter leaves, and where the
// chosen one is among them.
func (p *Pick) Matches() (places []int, at int) {
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

// Move chooses another of the names that the filter leaves; behind the last
// comes the first.
func (p *Pick) Move(by int) {
	places, at := p.Matches()
	if n := len(places); n > 0 {
		p.at = places[((at+by)%n+n)%n]
	}
}

// Clear takes the filter away, and reports whether there was one.
func (p *Pick) Clear() bool {
	was := p.filter != ""
	p.filter = ""
	return was
}

// Press takes a key that is typed or moves sideways, and reports whether it
// was one. What no name has in it is not taken into the filter.
func (p *Pick) Press(msg tea.KeyMsg) bool {
	switch msg.Type {
	case tea.KeyLeft:
		p.Move(-1)
	case tea.KeyRight:
		p.Move(1)
	case tea.KeyBackspace:
		r := []rune(p.filter)
		p.filter = string(r[:max(0, len(r)-1)])
	case tea.KeyRunes:
		p.narrow(p.filter + widget.Line(string(msg.Runes)))
	default:
		return false
	}
	return true
}

// narrow filters by what is typed, if that leaves any name, and chooses the
// first one left when the chosen one is not.
func (p *Pick) narrow(filter string) {
	was := p.filter
	p.filter = filter
	places, at := p.Matches()
	if len(places) == 0 {
		p.filter = was
		return
	}
	p.at = places[at]
}
