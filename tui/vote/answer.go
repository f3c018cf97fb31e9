package vote

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/keymap"
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

const better = "Vote: a choice saves and opens the next pair"

// actions is the table of all keys of the screen. Those that vote are not in
// the footer: the line of choices has them.
func actions() annotation.Table[*Model] {
	var (
		reading = []annotation.Mode{annotation.Reading}
		read    = []annotation.Mode{annotation.Reading, annotation.Revealed}
		paned   = []annotation.Mode{annotation.Guiding, annotation.Revealed, annotation.Reading}
		on      = annotation.On[*Model]
		at      = annotation.At
		views   = annotation.ViewsGroup
		moves   = annotation.MovesGroup
		keys    = keymap.Votes
	)
	votes := func(v eval.Vote, b key.Binding) annotation.Action[*Model] {
		return annotation.Recording(on(better, read, at(annotation.Unranked, b), (*Model).NoItem, vote(v)))
	}
	return slices.Concat(annotation.Table[*Model]{
		votes(eval.Answer1, widget.Bind("1", "Answer 1", "1")),
		votes(eval.Answer2, widget.Bind("2", "Answer 2", "2")),
		votes(eval.SituationOne, keys.Bind("tie")),
		votes(eval.SituationTwo, keys.Bind("both_bad")),
	}, annotation.Marks[*Model](keys), annotation.Acts[*Model](keys), annotation.Because[*Model](keys), annotation.Reveals(keys, (*Model).noReveal, toggleReveal), annotation.Table[*Model]{
		on(views, read, at(annotation.Third, keys.Bind("differences")), (*Model).noDifference, (*Model).toggleDifference),
		on(views, read, at(annotation.Fifth, keys.Bind("layout")), nil, (*Model).nextForm),
		on(views, reading, at(annotation.Third, widget.PaneKeys()), (*Model).NoItem, (*Model).fill),
		on(views, read, at(annotation.Fifth, keys.Bind("raw")), (*Model).NoItem, (*Model).toggleRaw),
	}, annotation.Looks[*Model](keys), annotation.Guidelines(keys, (*Model).guide), annotation.Moves[*Model](keys), annotation.Table[*Model]{
		on(moves, reading, at(annotation.Unranked, keys.Bind("scroll_apart")), (*Model).NoItem, (*Model).link),
		on(moves, reading, at(annotation.Unranked, keys.Bind("other_pane")), (*Model).noOther, (*Model).otherPane),
	}, annotation.Scrolls(keys, paned, (*Model).scroll))
}

func same(b key.Binding) key.Binding { return b }

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	return m.table.Footer(m, m.Mode, m.Width, m.Ranked, same)
}

// Help is the page of all keys.
func (m *Model) Help() []widget.Group {
	return m.table.Help(m, same, better, annotation.ActsGroup, annotation.ViewsGroup, annotation.FullGroup, annotation.MovesGroup)
}

func (m *Model) noReveal() string {
	return m.NoReveal("the models' names and the judges' votes")
}

func (m *Model) noDifference() string {
	if why := m.NoItem(); why != "" {
		return why
	}
	if !m.Body().compared {
		return "the answers are too long to be compared word by word"
	}
	return ""
}

// noOther is why there is no other pane to scroll.
func (m *Model) noOther() string {
	if why := m.NoItem(); why != "" {
		return why
	}
	switch {
	case len(m.pair.order()) > 1:
	case *m.pair.space == widget.FullPane:
		return "the answers scroll together; " + m.Spelled("scroll_apart") + " lets them scroll apart"
	default:
		return "the answers scroll together, and all of the question is shown; " + m.Spelled("scroll_apart") + " lets them scroll apart"
	}
	return ""
}

func (m *Model) toggleDifference(string) tea.Cmd {
	m.pair.look.marked = !m.pair.look.marked
	return m.Prepare()
}

func (m *Model) toggleRaw(string) tea.Cmd {
	m.pair.look.raw = !m.pair.look.raw
	return m.Prepare()
}

// fill gives the answers room of question, criteria and picture, or takes it
// back. It stays from pair to pair, and a line of the question with it, so that
// nobody votes on answers to another one.
func (m *Model) fill(key string) tea.Cmd {
	m.pair.space.Press(key)
	if m.pair.focus == contextPane {
		m.pair.focus = firstPane
	}
	return m.Prepare()
}

// nextForm goes from what fits the width to side by side, below each other,
// and back.
func (m *Model) nextForm(string) tea.Cmd {
	now := beside
	if g := m.pair.geometry(m.Body()); g.form == beside {
		now = stacked
	}
	m.pair.form = now
	return m.Prepare()
}
