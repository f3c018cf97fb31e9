package report

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// finder is the list of all figures, by what they are about. What is typed
// leaves those whose name or group has it.
type finder struct {
	all    []found
	filter string
	at     int // of those that the filter leaves
}

// found is a section as the list has it.
type found struct {
	section     section
	group, name string
	says        string
}

func newFinder(m *Model) *finder {
	f := &finder{}
	for _, g := range shelves() {
		for _, e := range g.entries {
			for s := range m.sections() {
				if m.nameOf(s) == e[0] {
					f.all = append(f.all, found{s, g.name, e[0], e[1]})
				}
			}
		}
	}
	for i, x := range f.all {
		if x.section == m.section {
			f.at = i
		}
	}
	return f
}

// shelf is figures that are about one thing: their names and what they say.
type shelf struct {
	name    string
	entries [][2]string
}

func shelves() []shelf {
	return []shelf{
		{"Scores", [][2]string{
			{"Accuracy", "per run, vanilla and circular, by taxonomy"},
			{"Circular", "vanilla beside circular"},
			{"Abilities", "models by ability, with baselines"},
			{"Compare", "every two runs: difference, test, separable or not"},
			{"Leaderboard", "ranks with intervals, who is as good as the best"},
			{"Baselines", "models beside answers at random"},
			{"MME", "perception and cognition, subtasks, leaderboards"},
			{"Scores", "open answers: exact match, judges, people"},
			{"Ranks", "how alike rankings are"},
		}},
		{"Reading", [][2]string{
			{"Steps", "what rules, judge and fallback read"},
			{"Positions", "which labels models pick"},
			{"Alignment", "extractors against people"},
		}},
		{"Without the picture", [][2]string{
			{"Text-only", "what is answered without it"},
			{"Gain", "multi-modal gain and leakage"},
			{"Leaks", "samples suspected to have leaked"},
			{"Inspectors", "hits, filters, difficulty, funnel"},
		}},
		{"Votes", [][2]string{
			{"Votes", "models against an anchor"},
			{"Bias", "what order and length do"},
			{"Agreement", "judges and people"},
			{"Repeats", "a judge asked again"},
		}},
		{"People and data", [][2]string{
			{"Annotators", "how people work in a queue"},
			{"Curation", "what experts accept"},
			{"Criteria", "how far they are, rounds of review"},
			{"Dataset", "what is in it"},
		}},
	}
}

// left are those that the filter leaves.
func (f *finder) left() []found {
	want := strings.ToLower(f.filter)
	var out []found
	for _, x := range f.all {
		if strings.Contains(strings.ToLower(x.name+" "+x.group+" "+x.says), want) {
			out = append(out, x)
		}
	}
	return out
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

// pressFinder takes a key while figures are looked for.
func (m *Model) pressFinder(msg tea.KeyMsg) tea.Cmd {
	f := m.finding
	left := f.left()
	n := len(left)
	switch msg.Type {
	case tea.KeyUp, tea.KeyCtrlP, tea.KeyShiftTab:
		f.at = (f.at + max(1, n) - 1) % max(1, n)
	case tea.KeyDown, tea.KeyCtrlN, tea.KeyTab:
		f.at = (f.at + 1) % max(1, n)
	case tea.KeyEnter:
		if n == 0 {
			return nil
		}
		m.finding = nil
		return m.goTo(left[min(f.at, n-1)].section)
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
	return nil
}

// finderView draws the list in as many columns as it takes.
func (m *Model) finderView() []string {
	t, f := m.theme, m.finding
	title := "type to find, enter goes there"
	if f.filter != "" {
		title = "“" + f.filter + "”"
	}
	out := []string{t.Section("All figures", title, true, m.width)}
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
		lines = append(lines, t.Row(widget.Fit(x.name, wide)+t.Faint.Render(x.says), i == f.at, true, m.width))
	}
	height := max(1, m.height-1)
	top := max(0, min(here-height/2, len(lines)-height))
	return widget.Block(append(out, lines[top:]...), m.width, m.height)
}
