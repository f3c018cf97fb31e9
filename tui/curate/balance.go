package curate

import (
	"fmt"
	"slices"
	"strings"

	"concord/annotate/curation"
	"concord/tui/widget"
)

// balance draws how many of each axis are accepted, against its target.
type balance struct {
	theme *widget.Theme
	cards *candidates
	size  *layout
}

// balanceLine is the axis of the sample in front, and the whole, against their
// targets.
func (b *balance) balanceLine() string {
	t, groups := b.theme, b.cards.board.Balance()
	var parts []string
	if c := b.cards.card(); c != nil {
		axis := b.cards.axis()
		if i := slices.IndexFunc(groups, func(g curation.Group) bool { return len(axis) > 0 && slices.Equal(g.Path, axis) }); i >= 0 {
			g := &groups[i]
			parts = append(parts, b.weight(g)+" "+widget.Cut(widget.Line(g.Path[len(g.Path)-1]), max(10, b.size.width/4)))
		}
	}
	parts = append(parts, b.weight(&groups[0])+" in all")
	line := " accepted " + strings.Join(parts, t.Faint.Render("  ·  "))
	full, leaves, strip := b.strip(groups)
	if leaves == 0 {
		return widget.Fit(line, b.size.width)
	}
	// As much of it as fits: how full every axis is goes before the words.
	said := t.Faint.Render(fmt.Sprintf("%d of %s full", full, axes(leaves)))
	for _, end := range []string{"  ·  " + said + "  " + strip, "  " + strip + " " + t.Faint.Render(fmt.Sprintf("%d full", full)), "  " + strip, "  ·  " + said} {
		if widget.Width(line+end) <= b.size.width {
			return widget.Fit(line+end, b.size.width)
		}
	}
	return widget.Fit(line, b.size.width)
}

// strip is how full each axis with a target is, the one of the sample in front
// marked, and how many are full.
func (b *balance) strip(groups []curation.Group) (full, leaves int, strip string) {
	var here []string
	if b.cards.card() != nil {
		here = b.cards.axis()
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
	return full, len(shares), b.theme.Heights(shares, at)
}

// weight is how many of a group are accepted, against its target.
func (b *balance) weight(g *curation.Group) string {
	t := b.theme
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
func (b *balance) balanceLines(width, height, top int) []string {
	t, groups := b.theme, b.cards.board.Balance()
	note := widget.Plural(len(b.cards.open.Cards), "candidate")
	if b.cards.open.Inspection != "" {
		note += " of " + widget.Line(b.cards.open.Inspection)
	}
	rows := max(1, height-1)
	top = max(0, min(top, len(groups)-rows))
	out := []string{t.Section("Balance", note, false, width)}
	var here []string
	if b.cards.card() != nil {
		here = b.cards.axis()
	}
	for i := top; i < min(len(groups), top+rows); i++ {
		out = append(out, b.groupLine(&groups[i], here, width))
	}
	if left := len(groups) - top - rows; left > 0 {
		out[len(out)-1] = t.Faint.Render(fmt.Sprintf(" %d more ↓", left+1))
	}
	return out
}

func (b *balance) groupLine(g *curation.Group, here []string, width int) string {
	t := b.theme
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
	right := t.Bar(max(4, min(20, width/6)), share) + " " + widget.Fit(b.weight(g), 15)
	return widget.Ends(mark+name, right, width)
}

func axes(n int) string {
	if n == 1 {
		return "1 axis"
	}
	return widget.Count(n) + " axes"
}
