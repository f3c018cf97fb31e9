package report

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// finder is the list of all reports, by what they are about. What is typed
// leaves those whose name, heading or description has it.
type finder struct {
	all    []found
	filter string
	at     int // of those that the filter leaves
}

// found is a page as the list has it.
type found struct {
	page              int
	group, name, says string
}

func newFinder(all []*reader, at int) *finder {
	f := &finder{at: at}
	for i, r := range all {
		f.all = append(f.all, found{i, r.group.String(), r.name, r.says})
	}
	return f
}

// left are those that the filter leaves.
func (f *finder) left() []found {
	want := strings.ToLower(f.filter)
	return slices.DeleteFunc(slices.Clone(f.all), func(x found) bool {
		return !strings.Contains(strings.ToLower(x.name+" "+x.group+" "+x.says), want)
	})
}

// nearest is which of those that the filter leaves is called so, or has it in
// its name, or else the first.
func (f *finder) nearest() int {
	want := strings.ToLower(f.filter)
	left := f.left()
	for _, fits := range []func(name, want string) bool{strings.HasPrefix, strings.Contains} {
		if at := slices.IndexFunc(left, func(x found) bool { return fits(strings.ToLower(x.name), want) }); at >= 0 {
			return at
		}
	}
	return 0
}

// press takes a key while a report is looked for, and gives the page that was
// chosen.
func (f *finder) press(msg tea.KeyMsg) (page int, chosen bool) {
	left := f.left()
	n := max(1, len(left))
	switch msg.Type {
	case tea.KeyUp, tea.KeyCtrlP, tea.KeyShiftTab:
		f.at = (f.at + n - 1) % n
	case tea.KeyDown, tea.KeyCtrlN, tea.KeyTab:
		f.at = (f.at + 1) % n
	case tea.KeyEnter:
		if len(left) > 0 {
			return left[min(f.at, n-1)].page, true
		}
	case tea.KeyBackspace:
		r := []rune(f.filter)
		f.filter = string(r[:max(0, len(r)-1)])
		f.at = f.nearest()
	case tea.KeyRunes, tea.KeySpace:
		was := f.filter
		f.filter += widget.Line(string(msg.Runes))
		if len(f.left()) == 0 { // nothing is called so: the letter is not taken
			f.filter = was
		}
		f.at = f.nearest()
	default:
	}
	return 0, false
}

// view draws the list.
func (f *finder) view(t *widget.Theme, width, height int) []string {
	title := "Type to search, Enter to open"
	if f.filter != "" {
		title = "“" + f.filter + "”"
	}
	const wide = 13
	var lines []string
	here, group := 0, ""
	for i, x := range f.left() {
		if x.group != group {
			group = x.group
			lines = append(lines, t.Title.Render(group))
		}
		if i == f.at {
			here = len(lines)
		}
		lines = append(lines, t.Row(widget.Fit(x.name, wide)+t.Faint.Render(x.says), i == f.at, true, width))
	}
	room := max(1, height-1)
	top := max(0, min(here-room/2, len(lines)-room))
	return widget.Block(append([]string{t.Section("All reports", title, true, width)}, lines[top:]...), width, height)
}
