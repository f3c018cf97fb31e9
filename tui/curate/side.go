package curate

import (
	"fmt"
	"slices"
	"strings"

	"concord/annotate/curation"
	"concord/tui/widget"
)

// guideline names keys in braces.
const guideline = `Look at the picture, read question and options, and say with one key whether the sample belongs into a benchmark of what is seen.

1 needs the image: it cannot be answered without looking.
2 answerable without: who knows the world, or reasons well, answers it with eyes closed.
3 answer in the question: the words of question or options give it away.
4 wrong or ambiguous: the answer is not right, several are, or the question cannot be understood.
5 duplicate: another sample asks the same of the same picture; a note ({n}) says which.

{p} says which capability and axis the sample tests; without a word the dataset's stands. The balance tells which axes still lack samples: be as strict where they are scarce.

Skip what you want to see again at the end. Everything can be undone, also tomorrow. What other experts say is shown by {o}, once you have said what you think.`

// balanceLine is the axis of the sample in front, and the whole, against their
// targets.
func (m *Model) balanceLine() string {
	t, groups := m.theme, m.board.Balance()
	var parts []string
	if c := m.card(); c != nil {
		axis := m.axis()
		if i := slices.IndexFunc(groups, func(g curation.Group) bool { return len(axis) > 0 && slices.Equal(g.Path, axis) }); i >= 0 {
			g := &groups[i]
			parts = append(parts, m.weight(g)+" "+widget.Cut(widget.Line(g.Path[len(g.Path)-1]), max(10, m.width/4)))
		}
	}
	parts = append(parts, m.weight(&groups[0])+" in all")
	line := " accepted " + strings.Join(parts, t.Faint.Render("  ·  "))
	full, leaves, strip := m.strip(groups)
	if leaves == 0 {
		return widget.Fit(line, m.width)
	}
	// As much of it as fits: how full every axis is goes before the words.
	said := t.Faint.Render(fmt.Sprintf("%d of %s full", full, axes(leaves)))
	for _, end := range []string{"  ·  " + said + "  " + strip, "  " + strip + " " + t.Faint.Render(fmt.Sprintf("%d full", full)), "  " + strip, "  ·  " + said} {
		if widget.Width(line+end) <= m.width {
			return widget.Fit(line+end, m.width)
		}
	}
	return widget.Fit(line, m.width)
}

// strip is how full each axis with a target is, the one of the sample in front
// marked, and how many are full.
func (m *Model) strip(groups []curation.Group) (full, leaves int, strip string) {
	var here []string
	if m.card() != nil {
		here = m.axis()
	}
	var shares []float64
	at := -1
	for i := range groups {
		g := &groups[i]
		if !g.Leaf() || g.Target == 0 {
			continue
		}
		if slices.Equal(g.Path, here) {
			at = len(shares)
		}
		if g.Missing() == 0 {
			full++
		}
		shares = append(shares, float64(g.Accepted)/float64(g.Target))
	}
	return full, len(shares), m.theme.Heights(shares, at)
}

func axes(n int) string {
	if n == 1 {
		return "1 axis"
	}
	return widget.Count(n) + " axes"
}

// weight is how many of a group are accepted, against its target.
func (m *Model) weight(g *curation.Group) string {
	t := m.theme
	if g.Target == 0 {
		return fmt.Sprintf("%s of %s", widget.Count(g.Accepted), widget.Count(g.Candidates))
	}
	text := fmt.Sprintf("%s/%s", widget.Count(g.Accepted), widget.Count(g.Target))
	switch {
	case g.Accepted > g.Target:
		return t.Warn.Render(text + " over")
	case g.Accepted == g.Target:
		return t.Good.Render(text + " full")
	}
	return t.Strong.Render(text)
}

// balanceLines are all groups with what is accepted against their targets,
// from a line on.
func (m *Model) balanceLines(width, height, top int) []string {
	t, groups := m.theme, m.board.Balance()
	note := widget.Plural(len(m.open.Cards), "candidate")
	if m.open.Inspection != "" {
		note += " of " + widget.Line(m.open.Inspection)
	}
	rows := max(1, height-1)
	top = max(0, min(top, len(groups)-rows))
	out := []string{t.Section("Balance", note, false, width)}
	var here []string
	if m.card() != nil {
		here = m.axis()
	}
	for i := top; i < min(len(groups), top+rows); i++ {
		out = append(out, m.groupLine(&groups[i], here, width))
	}
	if left := len(groups) - top - rows; left > 0 {
		out[len(out)-1] = t.Faint.Render(fmt.Sprintf(" %d more ↓", left+1))
	}
	return out
}

func (m *Model) groupLine(g *curation.Group, here []string, width int) string {
	t := m.theme
	name := "all"
	if n := len(g.Path); n > 0 {
		name = strings.Repeat("  ", n-1) + widget.Line(g.Path[n-1])
	}
	mark := "  "
	if len(here) > 0 && slices.Equal(g.Path, here) {
		mark = t.Accent.Render("▸ ")
	}
	of := g.Target
	if of == 0 {
		of = g.Candidates
	}
	share := 0.0
	if of > 0 {
		share = min(1, float64(g.Accepted)/float64(of))
	}
	right := t.Bar(max(4, min(20, width/6)), share) + " " + widget.Fit(m.weight(g), 15)
	return widget.Ends(mark+name, right, width)
}

func (m *Model) nameLines() []string {
	t := m.theme
	body := append(widget.Wrap("Who curates? The name stands beside each of your verdicts, "+
		"and nobody sees what others say before their own.", max(1, min(54, m.width-8))), "", t.Key.Render("› ")+m.text.View(), "")
	return t.Dialog("Your name", body, m.width, m.height)
}

func (m *Model) shelfHeight() int { return max(1, m.height-3) }

// shelfLines are the datasets to choose from.
func (m *Model) shelfLines() []string {
	t := m.theme
	switch {
	case m.err != nil:
		out := []string{""}
		for _, l := range widget.Wrap("The dataset cannot be opened: "+m.err.Error(), max(1, m.width-2)) {
			out = append(out, " "+t.Bad.Render(l))
		}
		return out
	case m.loading != "" || !m.known:
		return []string{"", t.Faint.Render("  reading the candidates…")}
	}
	table := widget.Table{
		Columns: []widget.Column{{Title: "dataset", Width: 20, Grow: 2, Name: true}, {Title: "samples", Width: 9, Right: true}, {Title: "from", Width: 10, Grow: 1, Name: true}},
		Rows:    len(m.datasets), Cursor: m.shelf, Focused: true,
		Row: func(i int) []string {
			d := m.datasets[i]
			return []string{widget.Line(string(d.Name)), widget.Count(d.Samples), widget.Line(d.Origin)}
		},
		Empty: "No dataset to curate yet. h, then i imports the pool of samples:\n  concord import dataset FILE --name NAME",
	}
	return append([]string{"", t.Section("Curate which dataset?", widget.Plural(len(m.datasets), "dataset"), true, m.width)},
		t.Table(table, m.width, max(0, m.height-2))...)
}
