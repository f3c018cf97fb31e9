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

// votePair is an item as it was read, its answers ready to be laid out. They stand
// in the item's order: that of its run first.
type votePair struct {
	*annotation.Page
	answers  [2]answer
	compared bool

	placed   screenSizes // the size that geometry is for
	geometry pairLayout
}

// answerLook is how answers are looked at.
type answerLook struct {
	raw    bool // as they were written
	marked bool // where they differ
}

func (l answerLook) String() string {
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
	as    answerLook // as which it is laid out, and for which width
	width int
}

// newVotePair takes the answers apart, beside the screen.
func newVotePair(pg *annotation.Page) *votePair {
	p := &votePair{Page: pg}
	p.answers[0] = newAnswer(pg.Item.Prediction, pg.Item.Truncated)
	p.answers[1] = newAnswer(pg.Item.Against, pg.Item.AgainstCut)
	a, b := &p.answers[0], &p.answers[1]
	if a.set == nil || b.set == nil {
		return p
	}
	set, ok := markdown.CompareDocs(a.set, b.set)
	plain, too := markdown.CompareDocs(a.plain, b.plain)
	a.marks.set, b.marks.set = set.A, set.B
	a.marks.plain, b.marks.plain = plain.A, plain.B
	p.compared = ok && too
	return p
}

func newAnswer(raw string, cut bool) answer {
	a := answer{Response: annotation.Response{Raw: raw, Cut: cut}}
	if len(raw) <= markdown.Limit {
		a.set, a.plain = markdown.Parse(raw), markdown.ParsePlain(raw)
	}
	return a
}

// fitAnswer lays an answer out for a width; the command lays the rest out of one that takes long.
func (a *answer) fitAnswer(t *widget.Theme, width, height int, as answerLook) tea.Cmd {
	if a.set == nil {
		a.width = width
		return a.LayOutForWidth(width, height)
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
	a.Set, a.as, a.width = doc.LayOut(t, width, marks), as, width
	return nil
}

// answerHeight is how many lines the answer takes in a width, up to about most.
func (a *answer) answerHeight(t *widget.Theme, width, most int) int {
	if a.set == nil {
		text := widget.NewText(a.Raw, width)
		text.LayOutTo(most + 1)
		n, _ := text.Len()
		return n
	}
	return max(1, len(a.set.LayOut(t, width, nil)))
}

// fitPair makes a pair ready for the present size.
func (m *Model) fitPair(_ int, p *votePair) tea.Cmd {
	g := m.pair.newPairLayout(p)
	return tea.Batch(p.answers[0].fitAnswer(m.Theme, g.text, m.Height, m.pair.look), p.answers[1].fitAnswer(m.Theme, g.text, m.Height, m.pair.look))
}

const better = "Vote: a choice saves and opens the next pair"

// keyActions is what the keys of the screen do.
type keyActions struct{ *Model }

// actionTable is the table of all keys of the screen. Those that vote are not in
// the footer: the line of choices has them.
func (m keyActions) actionTable() action.Table {
	var (
		reading = []action.Mode{annotation.Reading}
		read    = annotation.WorkingModes()
		paned   = []action.Mode{annotation.Guiding, annotation.Revealed, annotation.Reading}
		on      = action.NewAction
		at      = action.NewFooterKey
		views   = annotation.ViewsGroup
		moves   = annotation.MovesGroup
		keys    = keymap.Votes
	)
	votes := func(v eval.Vote, b key.Binding) action.Action {
		return action.MarkRecording(on(better, read, at(action.Unranked, b), m.WhyNoItem, func(string) tea.Cmd {
			return m.Work.LabelItem(annotate.Reading{Kind: annotate.Voted, Vote: v, Criteria: m.FrontBody().Item.Revision})
		}))
	}
	return slices.Concat(action.Table{
		votes(eval.Answer1, widget.NewBinding("1", "Answer 1", "1")),
		votes(eval.Answer2, widget.NewBinding("2", "Answer 2", "2")),
		votes(eval.SituationOne, keys.BindAction("tie")),
		votes(eval.SituationTwo, keys.BindAction("both_bad")),
	}, m.NewMarkTable(keys), m.NewItemActTable(keys), m.NewReasonTable(keys), annotation.NewRevealAction(keys, func() string { return m.WhyNoReveal("the models' names and the judges' votes") }, m.toggleReveal), action.Table{
		on(views, read, at(action.Fifth, keys.BindAction("open")), m.WhyNoItem, m.toggleResponseFold),
		on(views, read, at(action.Third, keys.BindAction("differences")), m.whyNoDifference, m.toggleDifference),
		on(views, read, at(action.Fifth, keys.BindAction("layout")), nil, m.cycleLayout),
		on(views, reading, at(action.Third, widget.NewPaneSizeKeys()), m.WhyNoItem, m.toggleEnlarged),
		on(views, read, at(action.Fifth, keys.BindAction("raw")), m.WhyNoItem, m.toggleRaw),
	}, m.Gallery.NewLookTable(keys), m.NewGuideTable(keys, m.toggleGuideline), m.NewMoveTable(keys), action.Table{
		on(moves, reading, at(action.Unranked, keys.BindAction("scroll_apart")), m.WhyNoItem, m.toggleScrollTogether),
		on(moves, reading, at(action.Unranked, keys.BindAction("other_pane")), m.whyNoOtherPane, m.focusOtherPane),
	}, annotation.NewScrollTable(keys, paned, m.scrollPane))
}

// Bindings are what can be done now, the most important first.
func (m *Model) Bindings() []key.Binding {
	return m.table.FooterBindings(m.Mode, m.Width, m.RankInFooter, nil)
}

// HelpGroups is the page of all keys.
func (m *Model) HelpGroups() []widget.Group {
	return m.table.HelpGroups(annotation.Reading, nil, annotation.FullGroup, better, annotation.ActsGroup, annotation.ViewsGroup, annotation.FullGroup, annotation.MovesGroup)
}

func (m keyActions) whyNoDifference() string {
	if why := m.WhyNoItem(); why != "" {
		return why
	}
	return eval.Either(!m.FrontBody().compared, "the answers are too long to be compared word by word", "")
}

func (m keyActions) toggleResponseFold(string) tea.Cmd {
	p := m.FrontBody()
	p.answers[0].Whole = !p.answers[0].Whole
	p.answers[1].Whole = p.answers[0].Whole
	m.pair.top[firstPane], m.pair.top[secondPane] = 0, 0
	return nil
}

func (m keyActions) whyNoOtherPane() string {
	if why := m.WhyNoItem(); why != "" {
		return why
	}
	switch {
	case len(m.pair.paneOrder()) > 1:
	case *m.pair.space == widget.FullPane:
		return "the answers scroll together; " + m.SpellKey("scroll_apart") + " lets them scroll apart"
	default:
		return "the answers scroll together, and all of the question is shown; " + m.SpellKey("scroll_apart") + " lets them scroll apart"
	}
	return ""
}

func (m keyActions) toggleDifference(string) tea.Cmd {
	m.pair.look.marked = !m.pair.look.marked
	return m.PrefetchItems()
}

func (m keyActions) toggleRaw(string) tea.Cmd {
	m.pair.look.raw = !m.pair.look.raw
	return m.PrefetchItems()
}

// toggleEnlarged gives the answers room of question, criteria and picture, or takes it back. It stays from
// pair to pair, and a line of the question with it, so that nobody votes on answers to another one.
func (m keyActions) toggleEnlarged(key string) tea.Cmd {
	m.pair.space.ChangeByKey(key)
	if m.pair.focus == contextPane {
		m.pair.focus = firstPane
	}
	return m.PrefetchItems()
}

// cycleLayout goes from what fits the width to side by side, below each other, and back.
func (m keyActions) cycleLayout(string) tea.Cmd {
	now := beside
	if g := m.pair.newPairLayout(m.FrontBody()); g.form == beside {
		now = stacked
	}
	m.pair.form = now
	return m.PrefetchItems()
}
