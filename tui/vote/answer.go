package vote

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/annotation"
	"concord/tui/markdown"
	"concord/tui/widget"
)

// pair is an item as it was read, its answers ready to be laid out. They stand
// in the item's order: that of its run first.
type pair struct {
	*annotation.Page
	answers  [2]answer
	compared bool

	placed   sizes // the size that geometry is for
	geometry geometry
}

// look is how answers are looked at.
type look struct {
	raw    bool // as they were written
	marked bool // where they differ
}

func (l look) String() string {
	switch {
	case l.raw && l.marked:
		return "raw, differences marked"
	case l.raw:
		return "raw"
	case l.marked:
		return "differences marked"
	}
	return ""
}

// answer is one of the two.
type answer struct {
	raw   string
	cut   bool   // by the endpoint
	blank string // what to say of one that shows nothing
	set   *markdown.Doc
	plain *markdown.Doc // both nil of one that is too long
	marks struct{ set, plain []bool }

	lines []string     // as it is looked at now
	text  *widget.Text // of one that is too long
	as    look
	width int
}

// read takes the answers apart, beside the screen.
func read(pg *annotation.Page) *pair {
	p := &pair{Page: pg}
	p.answers[0] = newAnswer(pg.Item.Prediction, pg.Item.Truncated)
	p.answers[1] = newAnswer(pg.Item.Against, pg.Item.AgainstCut)
	a, b := &p.answers[0], &p.answers[1]
	if a.set == nil || b.set == nil {
		return p
	}
	set, ok := markdown.Differ(a.set, b.set)
	plain, too := markdown.Differ(a.plain, b.plain)
	a.marks.set, b.marks.set = set.A, set.B
	a.marks.plain, b.marks.plain = plain.A, plain.B
	p.compared = ok && too
	return p
}

func newAnswer(raw string, cut bool) answer {
	a := answer{raw: raw, cut: cut}
	switch {
	case raw == "":
		a.blank = "(the answer is empty)"
	case strings.TrimSpace(raw) == "":
		a.blank = fmt.Sprintf("(the answer is %s of white space)", widget.Plural(len(raw), "byte"))
	}
	if len(raw) <= markdown.Limit {
		a.set, a.plain = markdown.Markdown(raw), markdown.Plain(raw)
	}
	return a
}

// fit lays an answer out for a width; it reports whether more of it is to be
// laid out beside the screen.
func (a *answer) fit(t *widget.Theme, width, height int, as look) (more bool) {
	if a.set == nil {
		if a.text == nil || a.text.Width() != width {
			a.text = widget.NewText(a.raw, width)
		}
		a.width = width
		a.text.Reach(height)
		_, all := a.text.Len()
		return !all
	}
	if a.width == width && a.as == as && a.lines != nil {
		return false
	}
	doc, marks := a.set, a.marks.set
	if as.raw {
		doc, marks = a.plain, a.marks.plain
	}
	if !as.marked {
		marks = nil
	}
	a.lines, a.as, a.width = doc.Lay(t, width, marks), as, width
	return false
}

// height is how many lines the answer takes in a width, up to about most.
func (a *answer) height(t *widget.Theme, width, most int) int {
	if a.set == nil {
		text := widget.NewText(a.raw, width)
		text.Reach(most + 1)
		n, _ := text.Len()
		return n
	}
	return max(1, len(a.set.Lay(t, width, nil)))
}

// len is how many lines there are, and whether those are all.
func (a *answer) len() (n int, all bool) {
	if a.text != nil {
		return a.text.Len()
	}
	return len(a.lines), true
}

// show is up to n lines from one on.
func (a *answer) show(from, n int) []string {
	if a.text != nil {
		return a.text.Lines(from, n)
	}
	from = max(0, min(from, len(a.lines)))
	return a.lines[from:min(len(a.lines), from+max(0, n))]
}

// indexed is an answer that was laid out to its end.
type indexed struct {
	of    *Model
	index int
	side  int
	text  *widget.Text
}

// fit makes a pair ready for the present size.
func (m *Model) fit(index int, p *pair) tea.Cmd {
	g := m.pair.geometry(p)
	var cmds []tea.Cmd
	for i := range p.answers {
		a := &p.answers[i]
		if a.fit(m.Theme, g.text, m.Height, m.pair.look) {
			text := a.text.Clone()
			cmds = append(cmds, func() tea.Msg { return indexed{m, index, i, text.Whole()} })
		}
	}
	return tea.Batch(cmds...)
}

// index puts a text that was laid out to its end in the place of the one that
// was not.
func (m *Model) index(msg indexed) {
	p := m.BodyAt(msg.index)
	if p == nil {
		return
	}
	if a := &p.answers[msg.side]; a.text != nil && a.text.Width() == msg.text.Width() {
		a.text = msg.text
	}
}
