package home

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

// runPage is one run on the whole screen: how it goes, its latest answers and
// its latest errors. Where there is room the first stands beside the others.
type runPage struct {
	open    bool
	answers bool // the focus is on the answers or errors
	top     int  // first line of the overview that is shown
}

// openPage shows the run under the cursor on the whole screen.
func (m *answerPane) openPage(answers, errors bool) tea.Cmd {
	if _, ok := m.runs.currentRow(); !ok {
		return nil
	}
	m.page = runPage{open: true, answers: answers || m.isWide()}
	m.answers.showNewest()
	return m.showAnswersOrErrors(errors)
}

// showNextPart goes on to the next part: overview, answers, errors.
func (m *answerPane) showNextPart() tea.Cmd {
	switch {
	case !m.page.answers:
		m.page.answers = true
		return m.showAnswersOrErrors(false)
	case !m.errors:
		return m.showAnswersOrErrors(true)
	}
	m.page.answers = m.isWide()
	return m.showAnswersOrErrors(false)
}

// requestSample asks for the sample under the cursor, with the older ones after it.
func (m *answerPane) requestSample() tea.Cmd {
	r, ok := m.runs.currentRow()
	a := &m.answers
	if !ok || !m.page.answers || a.at.At >= len(a.rows) {
		return nil
	}
	a.held = true
	keys := eval.Map(a.rows[a.at.At:], func(row Answer) eval.Key { return row.Key })
	return widget.SendCmd(OpenAnswers{Run: r.Run.ID, Title: runTitle(r), Errors: a.errors, Keys: keys})
}

func (m *answerPane) drawPage() []string {
	r, ok := m.runs.currentRow()
	if !ok {
		return nil
	}
	head := drawHead(m.projectBoard, r, m.width)
	if m.isWide() {
		at := m.pageSpace.CellsLeft(m.width * 5 / 12)
		if at == 0 {
			return append([]string{head}, m.drawAnswers(m.width, m.height-1, true)...)
		}
		left := drawOverview(m.projectBoard, r, at, m.height-1)
		left = addProgressChart(m.projectBoard, left, r, at, m.height-2-len(left))
		right := m.drawAnswers(m.width-at-3, m.height-1, true)
		return append([]string{head}, m.theme.DrawBeside(left, right, at, m.width, m.height-1)...)
	}
	if m.page.answers {
		return append([]string{head, m.formatPartNames()}, m.drawAnswers(m.width, m.height-2, true)...)
	}
	lines := m.drawFullOverview(r)
	lines = lines[min(m.page.top, len(lines)):]
	below := ""
	if more := len(lines) - (m.height - 2); more > 0 {
		below = " " + m.theme.Faint.Render(widget.FormatPlural(more, "line")+" more below")
	}
	return append([]string{head, m.theme.MarkActivePane(m.formatPartNames(), m.width-widget.TextWidth(below)) + below}, lines...)
}

func (m *answerPane) drawFullOverview(r Row) []string {
	const lines = 8 // of the answers over time
	return addProgressChart(m.projectBoard, drawOverview(m.projectBoard, r, m.width, 1<<30), r, m.width, lines)
}

// formatPartNames names what the page can show.
func (m *answerPane) formatPartNames() string {
	t := m.theme
	part := func(name string, here bool) string {
		return eval.Either(here, t.Title.Render("["+name+"]"), t.Faint.Render(" "+name+" "))
	}
	return part("Progress", !m.page.answers) + " " + part("Answers", m.page.answers && !m.errors) + " " +
		part("Errors", m.page.answers && m.errors)
}

// clampPage keeps the page within what there is.
func (m *answerPane) clampPage() {
	if r, ok := m.runs.currentRow(); ok && m.page.open && !m.isWide() {
		m.page.top = max(0, min(m.page.top, len(m.drawFullOverview(r))-(m.height-2)))
	}
	if m.isWide() {
		m.page.answers = true
	}
	m.answers.at.MoveTo(m.answers.at.At, len(m.answers.rows), m.answersHeight())
}

// answerPane shows the answers of the run at the cursor, and its page.
type answerPane struct {
	*projectBoard
	pageSpace *widget.PaneSize // of the answers on a run's page
	answers   answerList
	page      runPage
}

// takeAnswers takes the answers that were read, if they are still asked for.
func (m *answerPane) takeAnswers(msg looked) tea.Cmd {
	if msg.err != nil && m.ctx.Err() == nil {
		return widget.NotifyCmd(widget.Problem, "read the runs: "+msg.err.Error())
	}
	if r, ok := m.runs.currentRow(); ok && msg.err == nil && r.Run.ID == msg.of && m.errors == msg.errors {
		m.answers.takeRows(msg.of, msg.errors, msg.latest, m.answersHeight())
	}
	return nil
}

// drawAnswers draws the list with its title.
func (m *answerPane) drawAnswers(width, height int, focused bool) []string {
	t, a := m.theme, &m.answers
	r, _ := m.runs.currentRow()
	name, none, note := "Latest answers", "none yet", ""
	if m.errors {
		name, none, note = "Errors", "none", a.whyFewerErrors(r)
	}
	if n, more := a.countNew(); n > 0 {
		note = eval.Either(more, widget.FormatCount(n)+" or more new", widget.FormatCount(n)+" new")
		note += m.SpellText(" · {refresh} shows them")
	}
	head := func(note string) string { return t.DrawSection(name, note, focused, width) }
	if a.of != r.Run.ID || a.errors != m.errors {
		return []string{head(note), t.Faint.Render("  loading…")}
	}
	if len(a.rows) == 0 {
		return []string{head(note), "  " + t.Faint.Render(none)}
	}
	out, i := make([]string, 1), a.at.Top
	most := eval.Either(focused, 1, max(1, (height-1)/min(10, len(a.rows)))) // lines of one, so that ten are seen
	for ; i < len(a.rows) && len(out) < height; i++ {
		for _, l := range drawAnswer(m.projectBoard, r, a.rows[i], width-2, min(most, height-len(out))) {
			out = append(out, t.DrawRow(l, focused && i == a.at.At, focused, width))
		}
	}
	if below := len(a.rows) - i; below > 0 {
		note = job.JoinWithDot(note, widget.FormatCount(below)+" more below")
	}
	out[0] = head(note)
	return out[:min(len(out), max(1, height))]
}

// nothingNew is why no answers are to be shown.
const nothingNew = "no answer has come that is not shown"

// readRequest is what is to be read.
type readRequest struct {
	ctx    context.Context
	source Source
	ledger job.Source
	who    annotate.Annotator
	run    eval.RunID // whose answers are read; 0: none
	errors bool
}

func (a readRequest) loadRows() loaded {
	rows, err := a.source.Runs(a.ctx)
	if err != nil {
		return loaded{looked: looked{err: err}}
	}
	queues, err := a.source.Queues(a.ctx, a.who)
	if err != nil {
		return loaded{looked: looked{err: err}}
	}
	sets, err := a.source.Datasets(a.ctx)
	if err != nil {
		return loaded{looked: looked{err: err}}
	}
	var work []job.Row
	if a.ledger != nil {
		if work, err = a.ledger.ListJobs(a.ctx); err != nil {
			return loaded{looked: looked{err: err}}
		}
	}
	return loaded{a.loadAnswers(), rows, datasetsWithoutRuns(sets, rows), work, queues, a.nextStep()}
}

// nextStep gives the next step of a source that knows one.
func (a readRequest) nextStep() string {
	if s, ok := a.source.(interface{ NextStep() (string, error) }); ok {
		if text, err := s.NextStep(); err == nil {
			return text
		}
	}
	return ""
}

func (a readRequest) loadAnswers() looked {
	out := looked{of: a.run, errors: a.errors}
	if a.run == 0 {
		return out
	}
	read := eval.Either(a.errors, a.source.FailedAnswers, a.source.LatestAnswers)
	out.latest, out.err = read(a.ctx, a.who, a.run, many)
	return out
}

// loaded is what a command read.
type loaded struct {
	looked
	rows     []Row
	datasets []eval.Dataset // without a run
	jobs     []job.Row
	queues   []Queue
	next     string
}

// looked is the answers or errors of one run.
type looked struct {
	of     eval.RunID
	errors bool
	latest []Answer
	err    error
}

// steered is what came of steering a run.
type steered struct {
	text string
	err  error
}

// outcome takes what was read in a command.
type outcome func() tea.Cmd

// second tells that a second has gone by while runs were at work.
type second struct{}

// many is how many of the latest answers are read.
const many = 50

// datasetsWithoutRuns are the datasets that no run is of. They have a list of their own: who
// has just imported one finds it there, and how to go on.
func datasetsWithoutRuns(all []eval.Dataset, rows []Row) []eval.Dataset {
	return slices.DeleteFunc(slices.Clone(all), func(d eval.Dataset) bool {
		return slices.ContainsFunc(rows, func(r Row) bool { return r.Run.Config.Dataset == d.Name })
	})
}

// answerList are a list of predictions of one run: the latest ones, or the latest errors. Until somebody
// moves in it, it follows what comes in; then it stands still, and says how much has come since.
type answerList struct {
	of     eval.RunID
	errors bool
	rows   []Answer
	at     widget.Cursor
	held   bool     // somebody moves in it
	next   []Answer // what came in meanwhile
}

func (a *answerList) takeRows(of eval.RunID, errors bool, rows []Answer, height int) {
	switch {
	case a.of != of || a.errors != errors:
		*a = answerList{of: of, errors: errors, rows: rows}
	case a.held:
		a.next = rows
	default:
		a.rows = rows
	}
	a.at.MoveTo(a.at.At, len(a.rows), height)
}

// showNewest shows what has come in, from the top.
func (a *answerList) showNewest() {
	if a.held && a.next != nil {
		a.rows = a.next
	}
	a.held, a.next, a.at = false, nil, widget.Cursor{}
}

func (a *answerList) holdAndMove(by, height int) {
	a.held = len(a.rows) > 0
	a.at.MoveBy(by, len(a.rows), height)
}

// countNew counts how many have come since the list stands still; with all of them new there may be more.
func (a *answerList) countNew() (n int, more bool) {
	if len(a.rows) == 0 {
		return len(a.next), false
	}
	for i := range a.next {
		if a.next[i].Key == a.rows[0].Key {
			return i, false
		}
	}
	return len(a.next), len(a.next) > 0
}

// whyFewerErrors says why there are fewer errors than the run counts.
func (a *answerList) whyFewerErrors(r Row) string {
	all := r.Progress.Counts.Failures
	if a.of != r.Run.ID || !a.errors || len(a.rows) >= min(all, many) {
		return ""
	}
	return formatCountOf(len(a.rows), all) + "; others tell of items that are yet to be answered"
}

// readingWide is how wide the longest status of a reading is.
const readingWide = 9

// drawAnswer draws what was extracted, and out of which text.
func drawAnswer(m *projectBoard, r Row, a Answer, width, most int) []string {
	t := m.theme
	name := t.Faint.Render(widget.FitWidth(fmt.Sprintf("%s.%d", widget.CleanLine(string(a.Sample)), a.Key.Pass), max(8, min(18, width/4), min(28, width/5))))
	switch {
	case !a.Visibility.ShowsText():
		return []string{widget.CutWidth(name+" "+t.Faint.Render("blind until you have answered"), width)}
	case a.Failure != "":
		return []string{widget.JoinEnds(name+" "+t.Bad.Render("✗ "+job.CleanHeadOfText(shortenFailure(r, a.Failure))), t.Faint.Render(describeFailure(a)), width)}
	}
	reading := eval.Either(a.Reading.IsFound(), t.Good.Render(widget.CleanLine(string(a.Reading.Choice))), t.Warn.Render(a.Reading.Status.String()))
	head := name + " " + widget.FitWidth(reading, readingWide) + t.Faint.Render(" ← ")
	out := widget.WrapText(job.CleanHeadOfText(a.Text), max(1, width-widget.TextWidth(head)))
	if len(out) > most {
		out = append(out[:most-1], strings.Join(out[most-1:], " "))
	}
	for i := range out {
		out[i] = widget.CutWidth(eval.Either(i == 0, head, strings.Repeat(" ", widget.TextWidth(head)))+out[i], width)
	}
	return out
}

// describeFailure describes what kind of failure it is, and how often it came.
func describeFailure(a Answer) string {
	out := eval.Either(a.Kind == eval.FailureUnset, "", a.Kind.String())
	if a.Attempts > 1 {
		out = job.JoinWithDot(out, fmt.Sprintf("%d times", a.Attempts))
	}
	return out
}

func (a *answerList) copyText() (what, text string) {
	if a.at.At >= len(a.rows) {
		return "", ""
	}
	switch r := &a.rows[a.at.At]; {
	case !r.Visibility.ShowsText():
		return "", ""
	case r.Failure != "":
		return "the error", r.Failure
	default:
		return "the answer", r.Text
	}
}
