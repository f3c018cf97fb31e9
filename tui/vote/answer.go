package vote

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/action"
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
	annotation.Response
	set   *markdown.Doc
	plain *markdown.Doc // both nil of one that is too long
	marks struct{ set, plain []bool }
	as    look // as which it is laid out, and for which width
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
	a := answer{Response: annotation.Response{Raw: raw, Cut: cut}}
	if len(raw) <= markdown.Limit {
		a.set, a.plain = markdown.Markdown(raw), markdown.Plain(raw)
	}
	return a
}

// fit lays an answer out for a width; the command lays the rest out of one that takes
// long.
func (a *answer) fit(t *widget.Theme, width, height int, as look) tea.Cmd {
	if a.set == nil {
		a.width = width
		return a.Fit(width, height)
	}
	if a.width == width && a.as == as && a.Set != nil {
		return nil
	}
	doc, marks := a.set, a.marks.set
	if as.raw {
		doc, marks = a.plain, a.marks.plain
	}
	if !as.marked {
		marks = nil
	}
	a.Set, a.as, a.width = doc.Lay(t, width, marks), as, width
	return nil
}

// height is how many lines the answer takes in a width, up to about most.
func (a *answer) height(t *widget.Theme, width, most int) int {
	if a.set == nil {
		text := widget.NewText(a.Raw, width)
		text.Reach(most + 1)
		n, _ := text.Len()
		return n
	}
	return max(1, len(a.set.Lay(t, width, nil)))
}

// fit makes a pair ready for the present size.
func (m *Model) fit(_ int, p *pair) tea.Cmd {
	g := m.pair.geometry(p)
	return tea.Batch(p.answers[0].fit(m.Theme, g.text, m.Height, m.pair.look), p.answers[1].fit(m.Theme, g.text, m.Height, m.pair.look))
}

const better = "Vote: a choice saves and opens the next pair"

// keyed is what the keys of the screen do.
type keyed struct{ *Model }

// actions is the table of all keys of the screen. Those that vote are not in
// the footer: the line of choices has them.
func (m keyed) actions() action.Table {
	var (
		reading = []action.Mode{annotation.Reading}
		read    = annotation.WorkingModes()
		paned   = []action.Mode{annotation.Guiding, annotation.Revealed, annotation.Reading}
		on      = action.On
		at      = action.At
		views   = annotation.ViewsGroup
		moves   = annotation.MovesGroup
		keys    = keymap.Votes
	)
	votes := func(v eval.Vote, b key.Binding) action.Action {
		return action.Recording(on(better, read, at(action.Unranked, b), m.NoItem, func(string) tea.Cmd {
			return m.Work.Label(annotate.Reading{Verdict: annotate.Voted, Vote: v, Criteria: m.Body().Item.Revision})
		}))
	}
	return slices.Concat(action.Table{
		votes(eval.Answer1, widget.Bind("1", "Answer 1", "1")),
		votes(eval.Answer2, widget.Bind("2", "Answer 2", "2")),
		votes(eval.SituationOne, keys.Bind("tie")),
		votes(eval.SituationTwo, keys.Bind("both_bad")),
	}, m.MarkKeys(keys), m.ActKeys(keys), m.ReasonKeys(keys), annotation.Reveals(keys, m.noReveal, m.toggleReveal), action.Table{
		on(views, read, at(action.Fifth, keys.Bind("open")), m.NoItem, m.unfold),
		on(views, read, at(action.Third, keys.Bind("differences")), m.noDifference, m.toggleDifference),
		on(views, read, at(action.Fifth, keys.Bind("layout")), nil, m.nextForm),
		on(views, reading, at(action.Third, widget.PaneKeys()), m.NoItem, m.fill),
		on(views, read, at(action.Fifth, keys.Bind("raw")), m.NoItem, m.toggleRaw),
	}, m.Gallery.LookKeys(keys), m.GuideKeys(keys, m.guide), m.MoveKeys(keys), action.Table{
		on(moves, reading, at(action.Unranked, keys.Bind("scroll_apart")), m.NoItem, m.link),
		on(moves, reading, at(action.Unranked, keys.Bind("other_pane")), m.noOther, m.otherPane),
	}, annotation.Scrolls(keys, paned, m.scroll))
}

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding { return m.table.Footer(m.Mode, m.Width, m.Ranked, nil) }

// Help is the page of all keys.
func (m *Model) Help() []widget.Group {
	return m.table.Help(annotation.Reading, nil, annotation.FullGroup, better, annotation.ActsGroup, annotation.ViewsGroup, annotation.FullGroup, annotation.MovesGroup)
}

func (m keyed) noReveal() string {
	return m.NoReveal("the models' names and the judges' votes")
}

func (m keyed) noDifference() string {
	if why := m.NoItem(); why != "" {
		return why
	}
	if !m.Body().compared {
		return "the answers are too long to be compared word by word"
	}
	return ""
}

// unfold shows long answers whole, or folds them.
func (m keyed) unfold(string) tea.Cmd {
	p := m.Body()
	p.answers[0].Whole = !p.answers[0].Whole
	p.answers[1].Whole = p.answers[0].Whole
	m.pair.top[firstPane], m.pair.top[secondPane] = 0, 0
	return nil
}

// noOther is why there is no other pane to scroll.
func (m keyed) noOther() string {
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

func (m keyed) toggleDifference(string) tea.Cmd {
	m.pair.look.marked = !m.pair.look.marked
	return m.Prepare()
}

func (m keyed) toggleRaw(string) tea.Cmd {
	m.pair.look.raw = !m.pair.look.raw
	return m.Prepare()
}

// fill gives the answers room of question, criteria and picture, or takes it
// back. It stays from pair to pair, and a line of the question with it, so that
// nobody votes on answers to another one.
func (m keyed) fill(key string) tea.Cmd {
	m.pair.space.Press(key)
	if m.pair.focus == contextPane {
		m.pair.focus = firstPane
	}
	return m.Prepare()
}

// nextForm goes from what fits the width to side by side, below each other,
// and back.
func (m keyed) nextForm(string) tea.Cmd {
	now := beside
	if g := m.pair.geometry(m.Body()); g.form == beside {
		now = stacked
	}
	m.pair.form = now
	return m.Prepare()
}
