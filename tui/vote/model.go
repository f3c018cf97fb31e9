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
	*annotation.QueueSession[pair]
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
	m := &Model{deps: d, pair: &pairView{space: d.Theme.Pane("votes")}}
	m.QueueSession = annotation.New(ctx, d.Deps, annotation.Part[pair]{
		Lay: func(pg *annotation.Page, width, height int) (*pair, int, int) {
			p := read(pg)
			g := sizes{width, height, automatic, widget.NormalPane}.geometry(d.Theme, p)
			return p, g.picture.cols, g.picture.rows
		},
		Fit: m.fit, ImageSize: m.room, Moved: m.moved,
		Press:   func(key string) action.Outcome { return m.table.Press(m.Mode, key) },
		Records: func(key string) bool { return m.table.Records(m.Mode, key) },
		Whole:   m.pair.whole,
		Said:    func(r annotate.Reading) string { return "vote for " + labeloption.VoteWord(r.Vote) },
	})
	m.pair.QueueSession = m.QueueSession
	m.table = keyed{m}.actions()
	m.pair.reveal = annotation.NewReveal[blind.RevealedPair](m.QueueSession)
	return m
}

// Back leaves one level: a pane or a mode.
func (m *Model) Back() bool {
	if m.Mode == annotation.Reading && m.pair.focus != firstPane {
		m.pair.focus = firstPane
		return true
	}
	return m.QueueSession.Back()
}

// Update takes a message. Answers that were meant for another screen are not
// this one's.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	m.pair.reveal.Update(msg)
	return m.QueueSession.Update(msg)
}

// moved follows a change of the pair in front: panes start at their top. How
// answers are looked at stays as it is.
func (m *Model) moved() tea.Cmd {
	m.pair.focus, m.pair.top = firstPane, [panes]int{}
	m.pair.reveal.Forget()
	if _, k, ok := m.Session.Walk.Current(); ok {
		m.pair.swapped = m.Session.Swapped(k)
	}
	return nil
}

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.Mode == annotation.Zooming {
		return keymap.VotesPicture
	}
	return keymap.Votes
}

// Revealer gives whose answers a pair holds and what judges voted on it. The
// screen asks it through the session only, which refuses before the person's
// own vote.
type Revealer interface {
	RevealPair(ctx context.Context, q annotate.QueueName, k annotate.ItemKey) (blind.RevealedPair, error)
}

// Deps is what the screen is made of.
type Deps struct {
	annotation.Deps
	Revealer Revealer
}

// finished is what stands where no pair is in front.
func (m *Model) finished(height int) []string {
	t, s := m.Theme, m.Session
	out := m.Head.Finished(annotation.Words{
		Waiting: "Waiting for answers to compare",
		Comes:   "An evaluation is running. Pairs of answers arrive here by themselves.",
		Nothing: "It has no pairs: no two runs answer the same samples.",
	})
	if s.Walk.Len() > s.Walk.Open() {
		out = append(out, "")
		out = append(out, m.Tally(m.counts())...)
	}
	if m.Done() {
		out = append(out, "", " "+t.Key.Render(m.Spelled("next_tab"))+"  the report",
			" "+t.Key.Render(m.Spelled("previous"))+"  back to the last pair, "+t.Key.Render(m.Spelled("reveal"))+" there shows whose answers they are",
			" "+t.Key.Render(m.Spelled("undo"))+"  undo the last thing you did")
	}
	return widget.Block(out, m.Width, height)
}

// counts is how often each vote was given. A person who nearly always prefers
// what stands first should know.
func (m *Model) counts() string {
	var n [eval.Votes]int
	for _, l := range m.Session.Own.State().Labels {
		if l.Reading.Verdict == annotate.Voted {
			n[l.Reading.Vote]++
		}
	}
	return fmt.Sprintf("Answer 1 %s, Answer 2 %s, tie %s, both bad %s", widget.Count(n[eval.Answer1]),
		widget.Count(n[eval.Answer2]), widget.Count(n[eval.SituationOne]), widget.Count(n[eval.SituationTwo]))
}

// toggleReveal opens and closes the models' names and the judges' votes.
func (m keyed) toggleReveal(string) tea.Cmd {
	ctx, d := m.Context(), m.deps
	m.pair.top[panelPane] = 0
	return m.pair.reveal.Toggle(func(k annotate.ItemKey) (annotate.Act, func() (blind.RevealedPair, error), error) {
		return m.Session.RevealPair(k, func() (blind.RevealedPair, error) { return d.Revealer.RevealPair(ctx, d.Queue, k) })
	})
}

func order(same bool) int {
	if same {
		return 1
	}
	return 0
}

// method is how a judge was asked, as far as it is not the usual way.
func method(p *eval.Preference) string {
	out := ", without criteria"
	if p.Criteria {
		out = ", with criteria"
	}
	if p.Input != eval.InputUnset && p.Input != eval.SeesImage {
		out += ", seeing " + p.Input.String()
	}
	if p.Repeat > 0 {
		out += ", asked again"
	}
	return out
}

// View draws the screen in exactly the size that Resize gave.
func (m *Model) View() string { return strings.Join(m.Lines(), "\n") }

// Lines are those of View.
func (m *Model) Lines() []string { return m.Frame(m.place, m.main, m.status) }

func (m *Model) main(height int) []string {
	switch {
	case m.Mode == annotation.Guiding:
		return m.Guide.Lines(labeloption.VoteGuideline(m.Spelled), m.pair.top[panelPane], height)
	case m.Front() < 0:
		return m.finished(height)
	}
	p := m.Body()
	g := m.pair.geometry(p)
	out := widget.Block(m.pair.arrange(p, g), m.Width, g.main)
	return append(out, widget.Fit(m.pair.choices(), m.Width))
}

// place is the line about the pair in front.
func (m *Model) place() string {
	left, p := m.Head.Place(), m.Body()
	if left == "" {
		return ""
	}
	if p == nil {
		return widget.Fit(left, m.Width)
	}
	var right string
	switch g := m.pair.geometry(p); {
	case len(p.Pictures) == 0:
		right = m.Theme.Faint.Render("no image ")
	case g.picture.rows == 0 && p.seen(): // there is no room, or the answers fill it
		right = m.Gallery.Caption(p.Page) + m.Theme.Key.Render("  "+m.Spelled("zoom")) + m.Theme.Faint.Render(" shows it ")
	default:
		right = m.Gallery.Caption(p.Page) + " "
	}
	return widget.Ends(left, right, m.Width)
}

func (m *Model) status() string {
	return m.Head.Status(func() string {
		l, _ := m.Own()
		return "your vote: " + labeloption.VoteWord(l.Reading.Vote)
	})
}

func (m keyed) otherPane(string) tea.Cmd {
	order := m.pair.order()
	m.pair.focus = order[(slices.Index(order, m.pair.focus)+1)%len(order)]
	return nil
}

// link switches between answers that scroll together and apart.
func (m keyed) link(string) tea.Cmd {
	p := m.Body()
	for _, n := range []pane{firstPane, secondPane} {
		m.pair.top[n] = min(m.pair.top[n], m.pair.last(p, n))
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

// guide opens and closes the guideline.
func (m keyed) guide(key string) tea.Cmd {
	m.pair.top[panelPane] = 0
	return m.Guide.Toggle(key)
}

// scroll moves the pane that has the focus; a panel has it while it is open.
// Answers that scroll together do so until the longer one ends.
func (m keyed) scroll(key string) tea.Cmd {
	at, page := m.pair.focus, max(1, m.Height/2-2)
	if m.Mode != annotation.Reading {
		at = panelPane
	}
	to := annotation.Scrolled(key, m.pair.top[at], page)
	p := m.Body()
	switch at {
	case firstPane, secondPane:
		if p == nil {
			return nil
		}
		p.answers[0].Whole, p.answers[1].Whole = true, true // they are read line by line
		m.pair.reach(p, to)
		if m.pair.apart {
			m.pair.top[at] = max(0, min(to, m.pair.last(p, at)))
			return nil
		}
		to = max(0, min(to, max(m.pair.last(p, firstPane), m.pair.last(p, secondPane))))
		m.pair.top[firstPane], m.pair.top[secondPane] = to, to
	case contextPane:
		if p == nil {
			return nil
		}
		g := m.pair.geometry(p)
		m.pair.top[at] = max(0, min(to, len(g.lines)-m.pair.contextRows(g)))
	case panelPane:
		m.pair.top[at] = max(0, min(to, m.pair.panelLast()))
	case panes:
	}
	return nil
}
