package curate

import (
	"cmp"
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
	journal *actJournal
	theme   *widget.Theme
	text    *textinput.Model // the name, the words of the filter, a note, an axis
	choice  axisChoice       // of axes
	cards   *candidateSet
	size    *layout
	balance *axisBalance
}

// drawAxes draws the list of axes to choose from.
func (f *axisForm) drawAxes() []string {
	t, c := f.theme, &f.choice
	groups := f.cards.board.VisibleBalance()
	leaves := make(map[string]*curation.Group, len(groups))
	for i := range groups {
		leaves[eval.JoinPath(groups[i].Path)] = &groups[i]
	}
	rows := max(1, f.size.height-9)
	n := len(c.found)
	if c.fresh != nil {
		n++
	}
	top := max(0, min(c.at-rows/2, n-rows))
	width := f.size.axisListWidth()
	body := []string{t.Key.Render("› ") + f.text.View(), ""}
	for i := top; i < min(n, top+rows); i++ {
		line := widget.JoinEnds(" + "+widget.CleanLine(eval.JoinPath(c.fresh)), c.describeNewAxis(), width-2)
		if i < len(c.found) {
			path := eval.JoinPath(c.found[i])
			line = widget.JoinEnds(" "+widget.CleanLine(path), f.balance.formatAccepted(leaves[path])+" ", width-2)
		}
		body = append(body, t.DrawRow(line, i == c.at, true, width))
	}
	if n == 0 {
		body = append(body, t.Faint.Render("type it: capability / axis"))
	}
	return t.DrawDialog("Which axis?", body, f.size.width, f.size.height)
}

// startAxisChoice lists the axes, at the one where the sample is.
func (f *axisForm) startAxisChoice() {
	f.choice = axisChoice{all: f.cards.board.Axes()}
	f.choice.filterAxes("")
	f.choice.at = max(0, slices.IndexFunc(f.choice.found, func(p []string) bool { return slices.Equal(p, f.cards.axisOfCard()) }))
}

// Update takes a key; enter is for the screen.
func (f *axisForm) Update(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "up", "ctrl+p":
		f.choice.moveAxisChoice(-1)
		return nil
	case "down", "ctrl+n":
		f.choice.moveAxisChoice(1)
		return nil
	case "tab":
		f.text.SetValue(f.choice.completeTyped(f.text.Value()))
		f.text.CursorEnd()
	}
	typed := f.text.Value()
	var cmd tea.Cmd
	if msg.String() != "tab" {
		*f.text, cmd = f.text.Update(msg)
	}
	if msg.String() == "tab" || f.text.Value() != typed {
		f.choice.filterAxes(f.text.Value())
	}
	return cmd
}

// storeChosenAxis puts the card in front on the chosen axis.
func (f *axisForm) storeChosenAxis() {
	o, axis := f.cards.currentCard().Sample.Ordinal, f.choice.chosenAxis()
	if axis == nil {
		return
	}
	if r, ruled := f.cards.board.State().Rulings[o]; f.cards.settle && ruled {
		if a, ok := f.cards.board.Adjudicate(o, r.Verdict, axis, 0); ok {
			f.journal.submitAct(a)
		}
		return
	}
	if a, ok := f.cards.board.SetAxis(o, axis); ok {
		f.journal.submitAct(a)
	}
}

// axisChoice is the axes to choose from while one is typed: those that hold what was
// typed, and behind them the one that it names when there is none such yet.
type axisChoice struct {
	all, found [][]string
	fresh      []string // nil: what is typed names one that is there, or none
	at         int      // in found; len(found): the fresh one
}

// filterAxes finds the axes that hold a text, and chooses the first that begins with it.
func (c *axisChoice) filterAxes(typed string) {
	want := strings.ToLower(strings.TrimSpace(typed))
	c.found, c.fresh, c.at = c.found[:0:0], parseAxisLevels(typed), -1
	for _, path := range c.all {
		name := strings.ToLower(eval.JoinPath(path))
		if strings.Contains(name, want) {
			c.found = append(c.found, path)
		}
		if c.at < 0 && strings.HasPrefix(name, want) {
			c.at = len(c.found) - 1
		}
		if c.fresh != nil && name == strings.ToLower(eval.JoinPath(c.fresh)) {
			c.fresh, c.at = nil, len(c.found)-1
		}
	}
	c.at = max(0, c.at)
}

// parseAxisLevels gives what a text names from coarse to fine; nil without any.
func parseAxisLevels(typed string) []string {
	return eval.Select(eval.Map(strings.Split(widget.CleanLine(typed), "/"), strings.TrimSpace), func(l string) bool { return l != "" })
}

// chosenAxis is the chosen axis; nil when there is none.
func (c *axisChoice) chosenAxis() []string {
	if c.at < len(c.found) {
		return c.found[c.at]
	}
	return c.fresh
}

func (c *axisChoice) moveAxisChoice(by int) {
	n := len(c.found)
	if c.fresh != nil {
		n++
	}
	if n > 0 {
		c.at = ((c.at+by)%n + n) % n
	}
}

// completeTyped gives what is typed, gone on by one level of the chosen axis.
func (c *axisChoice) completeTyped(typed string) string {
	path := c.chosenAxis()
	for n := range path {
		name := eval.JoinPath(path[:n+1]) + eval.Either(n+1 < len(path), " / ", "")
		if len(name) > len(typed) && strings.HasPrefix(strings.ToLower(name), strings.ToLower(typed)) {
			return name
		}
	}
	if p := eval.JoinPath(path); p != "" && !strings.HasPrefix(strings.ToLower(p), strings.ToLower(typed)) {
		return p
	}
	return typed
}

// describeNewAxis says what choosing the fresh one makes.
func (c *axisChoice) describeNewAxis() string {
	n := len(c.fresh)
	switch {
	case slices.ContainsFunc(c.all, func(p []string) bool { return len(p) > n && slices.Equal(p[:n], c.fresh) }):
		return "none of its axes "
	case n == 1:
		return "a new capability "
	}
	return fmt.Sprintf("a new axis of %s ", widget.CutWidth(widget.CleanLine(c.fresh[n-2]), 24))
}

// startAxisChoice opens the list of axes, at the one where the sample is.
func (m keyActions) startAxisChoice(string) tea.Cmd {
	m.Mode = placing
	m.axisForm.startAxisChoice()
	return m.focusTextField("")
}

// axisBalance draws how many of each axis are accepted, against its target.
type axisBalance struct {
	theme *widget.Theme
	cards *candidateSet
	size  *layout
}

// drawBalanceLine draws the axis of the sample in front, and the whole, against their targets.
func (b *axisBalance) drawBalanceLine() string {
	t, groups := b.theme, b.cards.board.VisibleBalance()
	var parts []string
	if c := b.cards.currentCard(); c != nil {
		axis := b.cards.axisOfCard()
		if i := slices.IndexFunc(groups, func(g curation.Group) bool { return len(axis) > 0 && slices.Equal(g.Path, axis) }); i >= 0 {
			g := &groups[i]
			parts = append(parts, b.formatAccepted(g)+" "+widget.CutWidth(widget.CleanLine(g.Path[len(g.Path)-1]), max(10, b.size.width/4)))
		}
	}
	parts = append(parts, b.formatAccepted(&groups[0])+" in all")
	line := " accepted " + strings.Join(parts, t.Faint.Render("  ·  "))
	full, leaves, strip := b.drawAxisStrip(groups)
	if leaves == 0 {
		return widget.FitWidth(line, b.size.width)
	}
	// As much of it as fits: how full every axis is goes before the words.
	said := t.Faint.Render(fmt.Sprintf("%d of %s full", full, eval.Either(leaves == 1, "1 axis", widget.FormatCount(leaves)+" axes")))
	for _, end := range []string{"  ·  " + said + "  " + strip, "  " + strip + " " + t.Faint.Render(fmt.Sprintf("%d full", full)), "  " + strip, "  ·  " + said} {
		if widget.TextWidth(line+end) <= b.size.width {
			return widget.FitWidth(line+end, b.size.width)
		}
	}
	return widget.FitWidth(line, b.size.width)
}

// drawAxisStrip draws how full each axis with a target is, the one of the sample in front
// marked, and how many are full.
func (b *axisBalance) drawAxisStrip(groups []curation.Group) (full, leaves int, strip string) {
	var here []string
	if b.cards.currentCard() != nil {
		here = b.cards.axisOfCard()
	}
	var shares []float64
	at := -1
	for i := range groups {
		g := &groups[i]
		if !g.IsLeaf() || g.Target == 0 {
			continue
		}
		if slices.Equal(g.Path, here) {
			at = len(shares)
		}
		if g.CountMissing() == 0 {
			full++
		}
		shares = append(shares, float64(g.Accepted)/float64(g.Target))
	}
	return full, len(shares), b.theme.DrawHeights(shares, at)
}

// formatAccepted gives how many of a group are accepted, against its target.
func (b *axisBalance) formatAccepted(g *curation.Group) string {
	t := b.theme
	if g.Target == 0 {
		return fmt.Sprintf("%s of %s", widget.FormatCount(g.Accepted), widget.FormatCount(g.Candidates))
	}
	text := fmt.Sprintf("%s/%s", widget.FormatCount(g.Accepted), widget.FormatCount(g.Target))
	switch {
	case g.Accepted > g.Target:
		return t.Warn.Render(text + " over")
	case g.Accepted == g.Target:
		return t.Good.Render(text + " full")
	}
	return t.Strong.Render(text)
}

// drawBalance draws all groups with what is accepted against their targets, from a line on.
func (b *axisBalance) drawBalance(width, height, top int) []string {
	t, groups := b.theme, b.cards.board.VisibleBalance()
	note := widget.FormatPlural(len(b.cards.board.Items()), "candidate")
	note += eval.Either(b.cards.open.Inspection != "", " of "+widget.CleanLine(b.cards.open.Inspection), "")
	rows := max(1, height-1)
	top = max(0, min(top, len(groups)-rows))
	out := []string{t.DrawSection("Balance", note, false, width)}
	var here []string
	if b.cards.currentCard() != nil {
		here = b.cards.axisOfCard()
	}
	for i := top; i < min(len(groups), top+rows); i++ {
		out = append(out, b.drawGroupLine(&groups[i], here, width))
	}
	if left := len(groups) - top - rows; left > 0 {
		out[len(out)-1] = t.Faint.Render(fmt.Sprintf(" %d more ↓", left+1))
	}
	return out
}

func (b *axisBalance) drawGroupLine(g *curation.Group, here []string, width int) string {
	t := b.theme
	name := "all"
	if n := len(g.Path); n > 0 {
		name = strings.Repeat("  ", n-1) + widget.CleanLine(g.Path[n-1])
	}
	mark := eval.Either(len(here) > 0 && slices.Equal(g.Path, here), t.Accent.Render("· "), "  ")
	share := widget.ShareOf(g.Accepted, cmp.Or(g.Target, g.Candidates))
	right := t.DrawBar(max(4, min(20, width/6)), share) + " " + widget.FitWidth(b.formatAccepted(g), 15)
	return widget.JoinEnds(mark+name, right, width)
}
