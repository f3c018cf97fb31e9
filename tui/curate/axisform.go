package curate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/widget"
)

// axisForm is the list of axes from which one is chosen, or a new one typed.
type axisForm struct {
	journal *journal
	theme   *widget.Theme
	text    *textinput.Model // the name, the words of the filter, a note, an axis
	choice  choice           // of axes
	cards   *candidates
	size    *layout
	balance *balance
}

// placeLines is the list of axes to choose from.
func (f *axisForm) placeLines() []string {
	t, c := f.theme, &f.choice
	groups := f.cards.board.Balance()
	leaves := make(map[string]*curation.Group, len(groups))
	for i := range groups {
		leaves[eval.Path(groups[i].Path)] = &groups[i]
	}
	rows := max(1, f.size.height-9)
	n := len(c.found)
	if c.fresh != nil {
		n++
	}
	top := max(0, min(c.at-rows/2, n-rows))
	width := f.size.placeWidth()
	body := []string{t.Key.Render("› ") + f.text.View(), ""}
	for i := top; i < min(n, top+rows); i++ {
		line := widget.Ends(" + "+widget.Line(eval.Path(c.fresh)), c.news(), width-2)
		if i < len(c.found) {
			path := eval.Path(c.found[i])
			line = widget.Ends(" "+widget.Line(path), f.balance.weight(leaves[path])+" ", width-2)
		}
		body = append(body, t.Row(line, i == c.at, true, width))
	}
	if n == 0 {
		body = append(body, t.Faint.Render("type it: capability / axis"))
	}
	return t.Dialog("Which axis?", body, f.size.width, f.size.height)
}

// start lists the axes, at the one where the sample is.
func (f *axisForm) start() {
	f.choice = choice{all: f.cards.board.Axes()}
	f.choice.narrow("")
	f.choice.at = max(0, slices.IndexFunc(f.choice.found, func(p []string) bool { return slices.Equal(p, f.cards.axis()) }))
}

// Update takes a key; enter is for the screen.
func (f *axisForm) Update(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "up", "ctrl+p":
		f.choice.move(-1)
		return nil
	case "down", "ctrl+n":
		f.choice.move(1)
		return nil
	case "tab":
		f.text.SetValue(f.choice.complete(f.text.Value()))
		f.text.CursorEnd()
	}
	typed := f.text.Value()
	var cmd tea.Cmd
	if msg.String() != "tab" {
		*f.text, cmd = f.text.Update(msg)
	}
	if msg.String() == "tab" || f.text.Value() != typed {
		f.choice.narrow(f.text.Value())
	}
	return cmd
}

// place puts the card in front on the chosen axis.
func (f *axisForm) place() {
	o, axis := f.cards.card().Sample.Ordinal, f.choice.value()
	if axis == nil {
		return
	}
	if r, ruled := f.cards.board.State().Rulings[o]; f.cards.settle && ruled {
		if a, ok := f.cards.board.Rule(o, r.Verdict, axis, 0); ok {
			f.journal.submit(a)
		}
		return
	}
	if a, ok := f.cards.board.Place(o, axis); ok {
		f.journal.submit(a)
	}
}

// choice is the axes to choose from while one is typed: those that hold what was
// typed, and behind them the one that it names when there is none such yet.
type choice struct {
	all   [][]string
	found [][]string
	fresh []string // nil: what is typed names one that is there, or none
	at    int      // in found; len(found): the fresh one
}

// narrow finds the axes that hold a text, and chooses the first that begins
// with it.
func (c *choice) narrow(typed string) {
	want := strings.ToLower(strings.TrimSpace(typed))
	c.found, c.fresh, c.at = c.found[:0:0], levels(typed), -1
	for _, path := range c.all {
		name := strings.ToLower(eval.Path(path))
		if strings.Contains(name, want) {
			c.found = append(c.found, path)
		}
		if c.at < 0 && strings.HasPrefix(name, want) {
			c.at = len(c.found) - 1
		}
		if c.fresh != nil && name == strings.ToLower(eval.Path(c.fresh)) {
			c.fresh, c.at = nil, len(c.found)-1
		}
	}
	c.at = max(0, c.at)
}

// levels are what a text names from coarse to fine; nil without any.
func levels(typed string) []string {
	var out []string
	for l := range strings.SplitSeq(widget.Line(typed), "/") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// value is the chosen axis; nil when there is none.
func (c *choice) value() []string {
	if c.at < len(c.found) {
		return c.found[c.at]
	}
	return c.fresh
}

func (c *choice) move(by int) {
	n := len(c.found)
	if c.fresh != nil {
		n++
	}
	if n > 0 {
		c.at = ((c.at+by)%n + n) % n
	}
}

// complete is what is typed, gone on by one level of the chosen axis.
func (c *choice) complete(typed string) string {
	path := c.value()
	for n := range path {
		name := eval.Path(path[:n+1])
		if n+1 < len(path) {
			name += " / "
		}
		if len(name) > len(typed) && strings.HasPrefix(strings.ToLower(name), strings.ToLower(typed)) {
			return name
		}
	}
	if p := eval.Path(path); p != "" && !strings.HasPrefix(strings.ToLower(p), strings.ToLower(typed)) {
		return p
	}
	return typed
}

// news says what choosing the fresh one makes.
func (c *choice) news() string {
	n := len(c.fresh)
	switch {
	case slices.ContainsFunc(c.all, func(p []string) bool { return len(p) > n && slices.Equal(p[:n], c.fresh) }):
		return "none of its axes "
	case n == 1:
		return "a new capability "
	}
	return fmt.Sprintf("a new axis of %s ", widget.Cut(widget.Line(c.fresh[n-2]), 24))
}

// startPlace opens the list of axes, at the one where the sample is.
func (m keyed) startPlace(string) tea.Cmd {
	m.Mode = placing
	m.axisForm.start()
	return m.ask("")
}

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
