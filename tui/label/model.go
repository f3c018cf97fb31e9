package label

import (
	"cmp"
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

// picking is the mode in which several options are marked, for an ambiguous answer.
const picking = annotation.More

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	*annotation.QueueSession[itemPage]
	deps  Deps
	table action.Table

	end  *queueEnd
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

// New makes the screen of one annotator in one queue. It reads nothing before Init; Close ends all.
func New(ctx context.Context, d Deps) *Model {
	m := &Model{deps: d, end: &queueEnd{deps: d}, item: &itemView{space: d.Theme.PaneSizeOf("review"), rules: d.Rules}}
	m.QueueSession = annotation.New(ctx, d.Deps, annotation.ScreenHooks[itemPage]{
		Lay: layOutPage, Fit: m.fitPageToSize, ImageSize: m.pictureRoom, Moved: m.resetForNewItem,
		Press:   func(key string) action.Outcome { return m.currentTable().PressKey(m.Mode, key) },
		Records: func(key string) bool { return m.currentTable().RecordsOnKey(m.Mode, key) },
		Whole:   m.item.isWholeVisible,
		Said:    m.describeLabel,
		Stuck:   map[action.Mode]string{picking: "not while options are marked; {save_marked} saves, esc goes back"},
	})
	m.item.QueueSession, m.end.QueueSession = m.QueueSession, m.QueueSession
	m.table = keyActions{m}.actionTable()
	m.Standard = m.item.standardGuideline
	m.item.reveal = annotation.NewReveal[blind.Revealed](m.QueueSession)
	return m
}

// describeLabel names a label, by its word where the queue has labels of its own.
func (m *Model) describeLabel(r annotate.Reading) string {
	own := m.Session.Own.Queue().Labels
	return "label " + cmp.Or(widget.CleanLine(own.WordOfKey(r.Choice)), labeloption.ReadingText(r))
}

// GoBack leaves one level: a panel or a mode. A note that was being typed is kept as it stands.
func (m *Model) GoBack() bool {
	if m.Mode == annotation.Reading && m.item.focus == questionPane {
		m.item.focus = answerPane
		return true
	}
	return m.QueueSession.GoBack()
}

// Update takes a message. Answers that were meant for another screen are not this one's.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(compared); ok && msg.of == m.end {
		s := &m.end.summary
		s.done, s.against, s.err = true, msg.against, msg.err
	}
	was := m.item.reveal.Done
	if m.item.reveal.Update(msg); m.item.reveal.Done && !was {
		m.item.scrollToMatch()
	}
	return m.QueueSession.Update(msg)
}

// resetForNewItem follows a change of the item in front: panes start at their top.
func (m *Model) resetForNewItem() tea.Cmd {
	m.item.focus, m.item.top, m.item.picked, m.item.turned, m.item.at = answerPane, [panes]int{}, nil, 0, -1
	m.item.showNextUngraded()
	m.item.reveal.ForgetReveal()
	return m.end.loadReadingsAtEnd()
}

// KeymapPlace is where the screen's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place {
	switch {
	case m.Mode == picking:
		return keymap.ReviewMarking
	case m.Mode == annotation.Zooming:
		return keymap.ReviewPicture
	case m.FrontIndex() < 0 && m.whyNoCompare() == "":
		return keymap.ReviewEnd
	}
	return keymap.Review
}

// Why something cannot be done now; "" when it can.

func (m keyActions) whyNoReveal() string { return m.WhyNoReveal("the extracted answers") }

// whyVerdictRefused refuses readings that are no option where an answer is scored.
func (m keyActions) whyVerdictRefused() string {
	if why := m.WhyNoItem(); why != "" {
		return why
	}
	if labeloption.IsGraded(&m.FrontBody().Item) {
		return "a criterion is met or not: " + m.SpellKey("guideline") + " says what the verdicts mean"
	}
	if labeloption.IsScored(&m.FrontBody().Item) {
		return "this answer is scored: 1 to 5 say how right it is"
	}
	if set := m.FrontBody().Item.Labels; set != "" {
		return "the labels " + widget.CleanLine(set) + " are all that this queue asks for"
	}
	return ""
}

func (m keyActions) whyNoOtherPane() string {
	switch v := m.item.measureExtent(); {
	case *m.item.space == widget.FullPane:
		return m.SpellText("the answer has the whole screen; {less_room} shows the question beside it")
	case v.question >= v.questionLines:
		return "all of the question is shown"
	case v.focus != m.item.focus:
		return m.SpellText("all of the answer is shown, {up} and {down} scroll the question")
	}
	return ""
}

func (m *Model) drawFinished(height int) []string {
	t, s := m.Theme, m.Session
	w := annotation.EndTexts{
		Waiting: "Waiting for responses",
		Comes:   "An evaluation is running. Answers that its rules cannot read arrive here by themselves.",
	}
	if s.Own.Queue().Rule.From == annotate.FromUnparsable {
		w.Nothing = "It has no items: the rules can read every answer that it was drawn from."
	}
	out := m.Head.DrawFinished(w)
	if n := s.Walk.Len() - s.Walk.CountOpen(); n > 0 {
		out = append(out, "")
		out = append(out, m.DrawOwnTally(m.end.formatOwnCounts())...)
	}
	differ := " " + t.Key.Render(m.SpellKey("open")) + "  disagreements between people and extractors, to open and to adjudicate"
	switch {
	case m.isGraded():
		out = append(out, "", " "+t.Key.Render(m.SpellKey("open"))+"  criteria with disagreements, to be worded anew")
	case m.IsQueueAnswered():
		out = append(out, "")
		if s.Own.Queue().Labels.Name == "" {
			out = append(append(out, m.end.drawJudgeAgreement()...), "")
		}
		if m.whyNoCompare() == "" {
			out = append(out, differ, " "+t.Key.Render(m.SpellKey("next_tab"))+"  the report: how far the extracted answers can be trusted")
		}
		out = append(out, " "+t.Key.Render(m.SpellKey("previous"))+"  back to the last item, "+t.Key.Render(m.SpellKey("reveal"))+" there shows the extracted answer",
			" "+t.Key.Render(m.SpellKey("undo"))+"  undo the last thing you did")
	case m.whyNoCompare() == "" && s.Own.Queue().Items > 0:
		out = append(out, "", differ)
	}
	return widget.FitBox(out, m.Width, height)
}

// Revealer gives what the machine made of a prediction, without the truth when that is to be withheld.
// The screen asks it through the session only, which refuses before the person's own answer.
type Revealer interface {
	Reveal(ctx context.Context, q annotate.QueueName, k annotate.ItemKey, truth bool) (blind.Revealed, error)
	// ReadMachinesForTotals gives the same to be counted over a queue: none of it is shown.
	ReadMachinesForTotals(ctx context.Context, q annotate.QueueName, k annotate.ItemKey) (blind.Revealed, error)
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

func (m keyActions) toggleGuideline(key string) tea.Cmd {
	m.item.top[panelPane] = 0
	return m.Guide.ToggleGuideline(key)
}

func (m keyActions) toggleResponseFold(string) tea.Cmd {
	m.FrontBody().answer.Whole = !m.FrontBody().answer.Whole
	m.item.top[answerPane] = 0
	return nil
}

// toggleEnlarged gives the answer room of picture, question and options, or takes it
// back. It stays from item to item, and a line of the question and one of the
// options with it, so that nobody labels an answer to another one.
func (m keyActions) toggleEnlarged(key string) tea.Cmd {
	m.item.space.ChangeByKey(key)
	m.item.focus, m.item.top[questionPane] = answerPane, 0
	return m.PrefetchItems()
}

func (m keyActions) focusOtherPane(string) tea.Cmd {
	m.item.focus = eval.Either(m.item.focus == answerPane, questionPane, answerPane)
	return nil
}

// scrollPane moves the pane that has the focus; a panel has it while it is open.
func (m keyActions) scrollPane(key string) tea.Cmd {
	p := eval.Either(m.Mode != annotation.Reading, panelPane, m.item.measureExtent().focus)
	if pg := m.FrontBody(); p == answerPane && pg != nil {
		pg.answer.Whole = true // it is read line by line
		if labeloption.IsGraded(&pg.Item) && (key == "up" || key == "down") {
			return m.stepCriterion(key)
		}
	}
	to := annotation.ScrollPosition(key, m.item.top[p], max(1, m.Height/2-2))
	m.item.top[p] = m.item.clampScroll(p, to)
	return nil
}

func (m keyActions) chooseOption(key string) tea.Cmd {
	at, ok := labeloption.FindByKey(m.FrontBody().choices, key)
	switch {
	case !ok && labeloption.IsScored(&m.FrontBody().Item):
		m.Refusal = key + ": scores go from 1 to 5"
	case !ok:
		m.Refusal = key + ": no option has this key"
	case m.item.turnToOption(m.FrontBody(), at):
	case labeloption.IsGraded(&m.FrontBody().Item):
		return m.gradeCriterion(m.FrontBody().choices[at].Grade)
	default:
		return m.Work.LabelItem(m.FrontBody().choices[at].Reading())
	}
	return nil
}

func (m keyActions) startMarkingSeveral(string) tea.Cmd {
	m.Mode, m.item.picked = picking, make(map[eval.Choice]bool)
	return nil
}

func (m keyActions) toggleMarkedOption(key string) tea.Cmd {
	at, ok := labeloption.FindByKey(m.FrontBody().choices, key)
	switch {
	case !ok:
		m.Refusal = key + ": no option has this key"
	case !m.item.turnToOption(m.FrontBody(), at):
		c := m.FrontBody().choices[at].Choice
		m.item.picked[c] = !m.item.picked[c]
	}
	return nil
}

func (m keyActions) saveMarkedAmbiguous(string) tea.Cmd {
	marked := eval.Select(m.FrontBody().choices, func(c labeloption.Option) bool { return m.item.picked[c.Choice] })
	m.Mode = annotation.Reading
	return m.Work.LabelItem(annotate.Reading{Kind: annotate.SaidAmbiguous, Several: eval.Map(marked, func(c labeloption.Option) eval.Choice { return c.Choice })})
}

// View draws the screen in exactly the size that Resize gave.
func (m *Model) View() string { return strings.Join(m.DrawLines(), "\n") }

// DrawLines draws those of View.
func (m *Model) DrawLines() []string { return m.DrawFrame(m.drawPlaceLine, m.drawMain, m.drawStatus) }

func (m *Model) drawMain(height int) []string {
	switch {
	case m.Mode == annotation.Guiding:
		return m.Guide.DrawLinesFrom(m.item.top[panelPane], height)
	case m.FrontIndex() < 0:
		return m.drawFinished(height)
	}
	return m.item.drawLines(m.FrontBody())
}

func (m *Model) drawPlaceLine() string {
	t, pg := m.Theme, m.FrontBody()
	left := m.Head.FormatItemLine()
	if left == "" {
		return ""
	}
	if pg == nil {
		return widget.FitWidth(left, m.Width)
	}
	if pass := pg.Item.Key.Pass; pass > 0 {
		turned := eval.Either(m.Width < wideFrom, ", rotated by %d", ", options rotated by %d")
		left += t.Faint.Render(fmt.Sprintf(turned, pass))
	}
	left += eval.Either(labeloption.IsGraded(&pg.Item), t.Faint.Render(formatGradedCount(m.item, pg)), "")
	if m.deps.Rules {
		left = t.Warn.Render(" ADJUDICATION") + left
	}
	right := ""
	switch g := m.item.newItemLayout(pg); {
	case len(pg.Pictures) == 0:
		right = t.Faint.Render("no image ")
	case g.form != aside:
		right = m.Gallery.FormatCaption(pg.Page) + " "
		if g.form == plain && m.Gallery.WhyNoPicture() == "" {
			right = m.Gallery.FormatCaption(pg.Page) + t.Key.Render("  "+m.SpellKey("zoom")) + t.Faint.Render(" shows it ")
		}
	}
	return widget.JoinEnds(left, right, m.Width)
}

func (m *Model) drawStatus() string {
	if m.Mode == picking && m.Refusal == "" {
		return widget.FitWidth(" "+m.Theme.Title.Render("AMBIGUOUS")+" mark the options it wavers between, then "+m.SpellKey("save_marked"), m.Width)
	}
	return m.Head.DrawStatus(func() string { return "your answer: " + labeloption.ReadingText(m.item.standingReading()) })
}

// paneExtent is how many lines the scrolling panes show, and have, and which of them the keys scroll.
type paneExtent struct {
	focus                                              pane
	answer, question, questionLines, panel, panelLines int
	options                                            optionBlock
}

func fitLines(lines []string, g itemLayout) []string { return widget.FitBox(lines, g.pane, len(lines)) }

// drawnExtent is the extent of a frame, and what that depends on.
type drawnExtent struct {
	of     drawing
	extent paneExtent
}

type drawing struct {
	page       *itemPage
	text       *widget.Text
	size       screenSizes
	mode       action.Mode
	revealed   bool
	turned, at int
}
