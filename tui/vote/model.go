package vote

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/annotation"
	"concord/tui/keymap"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	*annotation.QueueSession[votePair]
	deps  Deps
	table action.Table

	pair *pairView
}

// pane is a part of the screen that scrolls.
type pane uint8

const (
	firstPane   pane = iota // Answer 1; both answers, while they scroll together
	secondPane              // Answer 2
	contextPane             // question and criteria, when they do not fit
	panelPane               // guideline, or what was revealed
	panes
)

// New makes the screen of one annotator in one queue of pairs. It reads
// nothing before Init; Close ends what is under way.
func New(ctx context.Context, d Deps) *Model {
	m := &Model{deps: d, pair: &pairView{space: d.Theme.PaneSizeOf("votes")}}
	m.QueueSession = annotation.New(ctx, d.Deps, annotation.ScreenHooks[votePair]{
		Lay: func(pg *annotation.Page, width, height int) (*votePair, int, int) {
			p := newVotePair(pg)
			g := screenSizes{width, height, automatic, widget.NormalPane}.newPairLayout(d.Theme, p)
			return p, g.picture.cols, g.picture.rows
		},
		Fit: m.fitPair, ImageSize: m.pictureRoom, Moved: m.resetForNewItem,
		Press:   func(key string) action.Outcome { return m.table.PressKey(m.Mode, key) },
		Records: func(key string) bool { return m.table.RecordsOnKey(m.Mode, key) },
		Whole:   m.pair.areBothVisible,
		Said:    func(r annotate.Reading) string { return "vote for " + labeloption.VoteWord(r.Vote) },
	})
	m.pair.QueueSession = m.QueueSession
	m.table = keyActions{m}.actionTable()
	m.Standard = func() string { return labeloption.VoteGuideline(m.SpellKey) }
	m.pair.reveal = annotation.NewReveal[blind.RevealedPair](m.QueueSession)
	return m
}

// GoBack leaves one level: a pane or a mode.
func (m *Model) GoBack() bool {
	if m.Mode == annotation.Reading && m.pair.focus != firstPane {
		m.pair.focus = firstPane
		return true
	}
	return m.QueueSession.GoBack()
}

// Update takes a message. Answers that were meant for another screen are not this one's.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	m.pair.reveal.Update(msg)
	return m.QueueSession.Update(msg)
}

// resetForNewItem follows a change of the pair in front: panes start at their top. How
// answers are looked at stays as it is.
func (m *Model) resetForNewItem() tea.Cmd {
	m.pair.focus, m.pair.top = firstPane, [panes]int{}
	m.pair.reveal.ForgetReveal()
	if _, k, ok := m.Session.Walk.Current(); ok {
		m.pair.swapped = m.Session.IsSwapped(k)
	}
	return nil
}

// KeymapPlace is where the screen's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place {
	return eval.Either(m.Mode == annotation.Zooming, keymap.VotesPicture, keymap.Votes)
}

// Revealer gives whose answers a pair holds and what judges voted on it. The screen asks it through the
// session only, which refuses before the person's own vote.
type Revealer interface {
	RevealPair(ctx context.Context, q annotate.QueueName, k annotate.ItemKey) (blind.RevealedPair, error)
}

// Deps is what the screen is made of.
type Deps struct {
	annotation.Deps
	Revealer Revealer
}

func (m *Model) drawFinished(height int) []string {
	t, s := m.Theme, m.Session
	out := m.Head.DrawFinished(annotation.EndTexts{
		Waiting: "Waiting for answers to compare",
		Comes:   "An evaluation is running. Pairs of answers arrive here by themselves.",
		Nothing: "It has no pairs: no two runs answer the same samples.",
	})
	if s.Walk.Len() > s.Walk.CountOpen() {
		out = append(out, "")
		out = append(out, m.DrawOwnTally(m.formatVoteCounts())...)
	}
	if m.IsQueueAnswered() {
		out = append(out, "", " "+t.Key.Render(m.SpellKey("next_tab"))+"  the report",
			" "+t.Key.Render(m.SpellKey("previous"))+"  back to the last pair, "+t.Key.Render(m.SpellKey("reveal"))+" there shows whose answers they are",
			" "+t.Key.Render(m.SpellKey("undo"))+"  undo the last thing you did")
	}
	return widget.FitBox(out, m.Width, height)
}

// formatVoteCounts tells how often each was given. Who nearly always prefers what stands first should know.
func (m *Model) formatVoteCounts() string {
	var n [eval.Votes]int
	for _, l := range m.Session.Own.State().Labels {
		if l.Reading.Kind == annotate.Voted {
			n[l.Reading.Vote]++
		}
	}
	return fmt.Sprintf("Answer 1 %s, Answer 2 %s, tie %s, both bad %s", widget.FormatCount(n[eval.Answer1]),
		widget.FormatCount(n[eval.Answer2]), widget.FormatCount(n[eval.SituationOne]), widget.FormatCount(n[eval.SituationTwo]))
}

func (m keyActions) toggleReveal(string) tea.Cmd {
	ctx, d := m.Context(), m.deps
	m.pair.top[panelPane] = 0
	return m.pair.reveal.ToggleReveal(func(k annotate.ItemKey) (annotate.Act, func() (blind.RevealedPair, error), error) {
		return m.Session.PreparePairReveal(k, func() (blind.RevealedPair, error) { return d.Revealer.RevealPair(ctx, d.Queue, k) })
	})
}

func orderIndex(same bool) int { return eval.Either(same, 1, 0) }

// describeMethod describes how a judge was asked, as far as it is not the usual way.
func describeMethod(p *eval.Preference) string {
	out := eval.Either(p.Criteria, ", with criteria", ", without criteria")
	if p.Input != eval.InputUnset && p.Input != eval.SeesImage {
		out += ", seeing " + p.Input.String()
	}
	if p.Repeat > 0 {
		out += ", asked again"
	}
	return out
}

// View draws the screen in exactly the size that Resize gave.
func (m *Model) View() string { return strings.Join(m.DrawLines(), "\n") }

// DrawLines draws those of View.
func (m *Model) DrawLines() []string { return m.DrawFrame(m.drawPlaceLine, m.drawMain, m.drawStatus) }

func (m *Model) drawMain(height int) []string {
	switch {
	case m.Mode == annotation.Guiding:
		return m.Guide.DrawLinesFrom(m.pair.top[panelPane], height)
	case m.FrontIndex() < 0:
		return m.drawFinished(height)
	}
	p := m.FrontBody()
	g := m.pair.newPairLayout(p)
	out := widget.FitBox(m.pair.drawPair(p, g), m.Width, g.main)
	return append(out, widget.FitWidth(m.pair.drawChoices(), m.Width))
}

func (m *Model) drawPlaceLine() string {
	left, p := m.Head.FormatItemLine(), m.FrontBody()
	if left == "" {
		return ""
	}
	if p == nil {
		return widget.FitWidth(left, m.Width)
	}
	var right string
	switch g := m.pair.newPairLayout(p); {
	case len(p.Pictures) == 0:
		right = m.Theme.Faint.Render("no image ")
	case g.picture.rows == 0 && p.hasPicture(): // there is no room, or the answers fill it
		right = m.Gallery.FormatCaption(p.Page) + m.Theme.Key.Render("  "+m.SpellKey("zoom")) + m.Theme.Faint.Render(" shows it ")
	default:
		right = m.Gallery.FormatCaption(p.Page) + " "
	}
	return widget.JoinEnds(left, right, m.Width)
}

func (m *Model) drawStatus() string {
	return m.Head.DrawStatus(func() string {
		l, _ := m.OwnLabel()
		return "your vote: " + labeloption.VoteWord(l.Reading.Vote)
	})
}

func (m keyActions) focusOtherPane(string) tea.Cmd {
	order := m.pair.paneOrder()
	m.pair.focus = order[(slices.Index(order, m.pair.focus)+1)%len(order)]
	return nil
}

func (m keyActions) toggleScrollTogether(string) tea.Cmd {
	p := m.FrontBody()
	for _, n := range []pane{firstPane, secondPane} {
		m.pair.top[n] = min(m.pair.top[n], m.pair.lastAnswerLine(p, n))
	}
	m.pair.apart = !m.pair.apart
	if !m.pair.apart {
		to := m.pair.top[firstPane]
		if m.pair.focus == secondPane {
			to, m.pair.focus = m.pair.top[secondPane], firstPane
		}
		m.pair.top[firstPane], m.pair.top[secondPane] = to, to
	}
	return nil
}

func (m keyActions) toggleGuideline(key string) tea.Cmd {
	m.pair.top[panelPane] = 0
	return m.Guide.ToggleGuideline(key)
}

// scrollPane moves the pane that has the focus; a panel has it while it is open.
// Answers that scroll together do so until the longer one ends.
func (m keyActions) scrollPane(key string) tea.Cmd {
	at, page := m.pair.focus, max(1, m.Height/2-2)
	if m.Mode != annotation.Reading {
		at = panelPane
	}
	to := annotation.ScrollPosition(key, m.pair.top[at], page)
	p := m.FrontBody()
	switch at {
	case firstPane, secondPane:
		if p == nil {
			return nil
		}
		for i := range p.answers {
			p.answers[i].Whole = true // it is read line by line
			p.answers[i].LayOutLines(to + m.Height)
		}
		if m.pair.apart {
			m.pair.top[at] = max(0, min(to, m.pair.lastAnswerLine(p, at)))
			return nil
		}
		to = max(0, min(to, max(m.pair.lastAnswerLine(p, firstPane), m.pair.lastAnswerLine(p, secondPane))))
		m.pair.top[firstPane], m.pair.top[secondPane] = to, to
	case contextPane:
		if p == nil {
			return nil
		}
		g := m.pair.newPairLayout(p)
		m.pair.top[at] = max(0, min(to, len(g.lines)-m.pair.contextRows(g)))
	case panelPane:
		m.pair.top[at] = max(0, min(to, m.pair.lastPanelLine()))
	case panes:
	}
	return nil
}
