package label

import (
	"context"
	"fmt"
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

// picking is the mode in which several options are marked, for an ambiguous
// answer.
const picking = annotation.More

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	*annotation.QueueSession[page]
	deps  Deps
	table action.Table

	end  *ending
	item *itemView
}

// pane is a part of the screen that scrolls.
type pane uint8

const (
	answerPane   pane = iota // the prediction
	questionPane             // question and options, when they do not fit
	panelPane                // guideline or readings
	panes
)

// New makes the screen of one annotator in one queue. It reads nothing before
// Init; Close ends what is under way.
func New(ctx context.Context, d Deps) *Model {
	m := &Model{deps: d, end: &ending{deps: d}, item: &itemView{space: d.Theme.Pane("review"), rules: d.Rules}}
	m.QueueSession = annotation.New(ctx, d.Deps, annotation.Part[page]{
		Lay: lay, Fit: m.fit, ImageSize: m.room, Moved: m.moved,
		Press:   func(key string) action.Outcome { return m.now().Press(m.Mode, key) },
		Records: func(key string) bool { return m.now().Records(m.Mode, key) },
		Whole:   m.item.whole,
		Said:    func(r annotate.Reading) string { return "label " + labeloption.Word(r) },
		Stuck:   map[action.Mode]string{picking: "not while options are marked; {save_marked} saves, esc goes back"},
	})
	m.item.QueueSession, m.end.QueueSession = m.QueueSession, m.QueueSession
	m.table = keyed{m}.actions()
	m.item.reveal = annotation.NewReveal[blind.Revealed](m.QueueSession)
	return m
}

// Back leaves one level: a panel or a mode. A note that was being typed is
// kept as it stands.
func (m *Model) Back() bool {
	if m.Mode == annotation.Reading && m.item.focus == questionPane {
		m.item.focus = answerPane
		return true
	}
	return m.QueueSession.Back()
}

// Update takes a message. Answers that were meant for another screen are not
// this one's.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(compared); ok && msg.of == m.end {
		m.end.summary.take(msg)
	}
	was := m.item.reveal.Done
	if m.item.reveal.Update(msg); m.item.reveal.Done && !was {
		m.item.point()
	}
	return m.QueueSession.Update(msg)
}

// moved follows a change of the item in front: panes start at their top.
func (m *Model) moved() tea.Cmd {
	m.item.focus, m.item.top, m.item.picked, m.item.turned, m.item.at = answerPane, [panes]int{}, nil, 0, -1
	m.item.advance()
	m.item.reveal.Forget()
	return m.end.compare()
}

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	switch {
	case m.Mode == picking:
		return keymap.ReviewMarking
	case m.Mode == annotation.Zooming:
		return keymap.ReviewPicture
	case m.Front() < 0 && m.noCompare() == "":
		return keymap.ReviewEnd
	}
	return keymap.Review
}

// Why something cannot be done now; "" when it can.

func (m keyed) noReveal() string { return m.NoReveal("the extracted answers") }

// noVerdict refuses readings that are no option where an answer is scored.
func (m keyed) noVerdict() string {
	if why := m.NoItem(); why != "" {
		return why
	}
	if labeloption.Graded(&m.Body().Item) {
		return "a criterion is met or not: " + m.Spelled("guideline") + " says what the verdicts mean"
	}
	if labeloption.Scored(&m.Body().Item) {
		return "this answer is scored: 1 to 5 say how right it is"
	}
	return ""
}

func (m keyed) noOther() string {
	switch v := m.item.measure(); {
	case *m.item.space == widget.FullPane:
		return m.Keyed("the answer has the whole screen; {less_room} shows the question beside it")
	case v.question >= v.questionLines:
		return "all of the question is shown"
	case v.focus != m.item.focus:
		return m.Keyed("all of the answer is shown, {up} and {down} scroll the question")
	}
	return ""
}

// finished is what stands where no item is in front.
func (m *Model) finished(height int) []string {
	t, s := m.Theme, m.Session
	w := annotation.Words{
		Waiting: "Waiting for responses",
		Comes:   "An evaluation is running. Answers that its rules cannot read arrive here by themselves.",
	}
	if s.Own.Queue().Rule.From == annotate.FromUnparsable {
		w.Nothing = "It has no items: the rules can read every answer that it was drawn from."
	}
	out := m.Head.Finished(w)
	if n := s.Walk.Len() - s.Walk.Open(); n > 0 {
		out = append(out, "")
		out = append(out, m.Tally(m.end.verdictCounts())...)
	}
	differ := " " + t.Key.Render(m.Spelled("open")) + "  disagreements between people and extractors, to open and to adjudicate"
	switch {
	case m.grades():
		out = append(out, "", " "+t.Key.Render(m.Spelled("open"))+"  criteria with disagreements, to be worded anew")
	case m.Done():
		out = append(out, "")
		out = append(out, m.end.alignment()...)
		out = append(out, "")
		if !m.deps.Apart {
			out = append(out, differ, " "+t.Key.Render(m.Spelled("next_tab"))+"  the report: how far the extracted answers can be trusted")
		}
		out = append(out, " "+t.Key.Render(m.Spelled("previous"))+"  back to the last item, "+t.Key.Render(m.Spelled("reveal"))+" there shows the extracted answer",
			" "+t.Key.Render(m.Spelled("undo"))+"  undo the last thing you did")
	case m.noCompare() == "" && s.Own.Queue().Items > 0:
		out = append(out, "", differ)
	}
	return widget.Block(out, m.Width, height)
}

// Revealer gives what the machine made of a prediction, without the truth when
// that is to be withheld. The screen asks it through the session only, which
// refuses before the person's own answer.
type Revealer interface {
	Reveal(ctx context.Context, q annotate.QueueName, k annotate.ItemKey, truth bool) (blind.Revealed, error)
	// Totals gives the same to be counted over a queue: none of it is shown.
	Totals(ctx context.Context, q annotate.QueueName, k annotate.ItemKey) (blind.Revealed, error)
}

// OpenCompare asks for what people and machines read differently in a queue.
type OpenCompare struct{ Queue annotate.QueueName }

// Deps is what the screen is made of.
type Deps struct {
	annotation.Deps
	Revealer Revealer
	Apart    bool // what differs, and the report, are for others: they are not offered
	Rules    bool // its items have the criteria on which people differ, and it decides them
}

// guide opens and closes the guideline.
func (m keyed) guide(key string) tea.Cmd {
	m.item.top[panelPane] = 0
	return m.Guide.Toggle(key)
}

// unfold shows a long response whole, or folds it.
func (m keyed) unfold(string) tea.Cmd {
	m.Body().answer.Whole = !m.Body().answer.Whole
	m.item.top[answerPane] = 0
	return nil
}

// fill gives the answer room of picture, question and options, or takes it
// back. It stays from item to item, and a line of the question and one of the
// options with it, so that nobody labels an answer to another one.
func (m keyed) fill(key string) tea.Cmd {
	m.item.space.Press(key)
	m.item.focus, m.item.top[questionPane] = answerPane, 0
	return m.Prepare()
}

func (m keyed) otherPane(string) tea.Cmd {
	if m.item.focus == answerPane {
		m.item.focus = questionPane
	} else {
		m.item.focus = answerPane
	}
	return nil
}

// scroll moves the pane that has the focus; a panel has it while it is open.
func (m keyed) scroll(key string) tea.Cmd {
	p := m.item.measure().focus
	if m.Mode != annotation.Reading {
		p = panelPane
	}
	if pg := m.Body(); p == answerPane && pg != nil {
		pg.answer.Whole = true // it is read line by line
	}
	if pg := m.Body(); p == answerPane && pg != nil && labeloption.Graded(&pg.Item) && (key == "up" || key == "down") {
		return m.step(key)
	}
	to := annotation.Scrolled(key, m.item.top[p], max(1, m.Height/2-2))
	m.item.top[p] = m.item.clamp(p, to)
	return nil
}

func (m keyed) choose(key string) tea.Cmd {
	at, ok := labeloption.Find(m.Body().choices, key)
	switch {
	case !ok && labeloption.Scored(&m.Body().Item):
		m.Refusal = key + ": scores go from 1 to 5"
	case !ok:
		m.Refusal = key + ": no option has this key"
	case m.item.turnTo(m.Body(), at):
	case labeloption.Graded(&m.Body().Item):
		return m.grade(m.Body().choices[at].Grade)
	default:
		return m.Work.Label(m.Body().choices[at].Reading())
	}
	return nil
}

func (m keyed) startPicking(string) tea.Cmd {
	m.Mode, m.item.picked = picking, make(map[eval.Choice]bool)
	return nil
}

func (m keyed) pick(key string) tea.Cmd {
	at, ok := labeloption.Find(m.Body().choices, key)
	switch {
	case !ok:
		m.Refusal = key + ": no option has this key"
	case !m.item.turnTo(m.Body(), at):
		c := m.Body().choices[at].Choice
		m.item.picked[c] = !m.item.picked[c]
	}
	return nil
}

func (m keyed) savePicked(string) tea.Cmd {
	r := annotate.Reading{Verdict: annotate.SaidAmbiguous}
	for _, c := range m.Body().choices {
		if m.item.picked[c.Choice] {
			r.Several = append(r.Several, c.Choice)
		}
	}
	m.Mode = annotation.Reading
	return m.Work.Label(r)
}

// View draws the screen in exactly the size that Resize gave.
func (m *Model) View() string { return strings.Join(m.Lines(), "\n") }

// Lines are those of View.
func (m *Model) Lines() []string { return m.Frame(m.place, m.main, m.status) }

func (m *Model) main(height int) []string {
	switch {
	case m.Mode == annotation.Guiding:
		return m.Guide.Lines(m.item.standard(), m.item.top[panelPane], height)
	case m.Front() < 0:
		return m.finished(height)
	}
	return m.item.lines(m.Body())
}

// place is the line about the item in front.
func (m *Model) place() string {
	t, pg := m.Theme, m.Body()
	left := m.Head.Place()
	if left == "" {
		return ""
	}
	if pg == nil {
		return widget.Fit(left, m.Width)
	}
	if pass := pg.Item.Key.Pass; pass > 0 {
		turned := ", options rotated by %d"
		if m.Width < wideFrom {
			turned = ", rotated by %d"
		}
		left += t.Faint.Render(fmt.Sprintf(turned, pass))
	}
	if labeloption.Graded(&pg.Item) {
		left += t.Faint.Render(gradedNote(m.item, pg))
	}
	if m.deps.Rules {
		left = t.Warn.Render(" ADJUDICATION") + left
	}
	right := ""
	switch g := m.item.geometry(pg); {
	case len(pg.Pictures) == 0:
		right = t.Faint.Render("no image ")
	case g.form != aside:
		right = m.Gallery.Caption(pg.Page) + " "
		if g.form == plain && m.Gallery.NoPicture() == "" {
			right = m.Gallery.Caption(pg.Page) + t.Key.Render("  "+m.Spelled("zoom")) + t.Faint.Render(" shows it ")
		}
	}
	return widget.Ends(left, right, m.Width)
}

// status is the last line.
func (m *Model) status() string {
	if m.Mode == picking && m.Refusal == "" {
		return widget.Fit(" "+m.Theme.Title.Render("AMBIGUOUS")+" mark the options it wavers between, then "+m.Spelled("save_marked"), m.Width)
	}
	return m.Head.Status(func() string { return "your answer: " + labeloption.Word(m.item.answered()) })
}

// extent is how many lines the scrolling panes show, and have, and which of
// them the keys scroll.
type extent struct {
	focus                   pane
	answer                  int
	question, questionLines int
	panel, panelLines       int
	options                 optionBlock
}

// fitted are lines as wide as the pane.
func fitted(lines []string, g geometry) []string { return widget.Block(lines, g.pane, len(lines)) }

// drawn is the extent of a frame, and what that depends on.
type drawn struct {
	of     drawing
	extent extent
}

type drawing struct {
	page     *page
	text     *widget.Text
	size     sizes
	mode     action.Mode
	revealed bool
	turned   int
	at       int
}
