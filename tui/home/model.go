package home

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/form"
	"concord/tui/job"
	"concord/tui/widget"
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	*projectBoard

	side     answerPane
	composer runComposer
	jury     *judgePicker // nil: no judges are being chosen
}

// New makes the screen.
func New(ctx context.Context, t *widget.Theme, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	b := &projectBoard{ctx: ctx, theme: t, Deps: d, projectLists: newProjectLists(), formKeys: form.NewKeys(), space: t.PaneSizeOf("runs")}
	return &Model{projectBoard: b, side: answerPane{projectBoard: b, pageSpace: t.PaneSizeOf("run")}, composer: runComposer{projectBoard: b}}
}

// SetAnnotator says who looks, and whose progress in the queues is shown.
func (m *Model) SetAnnotator(who annotate.Annotator) {
	if m.who != who {
		m.side.answers = answerList{} // somebody else may not see them
	}
	m.who = who
}

// Init reads the rows.
func (m *Model) Init() tea.Cmd { return m.Refresh() }

// Refresh reads the rows again. While a reading is under way, the next one follows it.
func (m *Model) Refresh() tea.Cmd {
	if m.loading {
		m.again = true
		return nil
	}
	m.loading, m.again = true, false
	ask := m.newReadRequest()
	return func() tea.Msg { return ask.loadRows() }
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.handleKey(msg)
	case loaded:
		return m.handleLoaded(msg)
	case looked:
		return m.side.takeAnswers(msg)
	case second:
		m.ticking = false
		if m.Now().Sub(m.seen) < time.Second/2 {
			return m.refreshInSecond() // news came meanwhile
		}
		return m.Refresh()
	case steered:
		if msg.err != nil {
			return widget.NotifyCmd(widget.Problem, msg.err.Error())
		}
		return tea.Batch(widget.NotifyCmd(widget.Info, msg.text), m.Refresh())
	case startedRun:
		return handleRunStarted(m, msg)
	case judgesStarted:
		return handleJudgesStarted(m, msg)
	case outcome:
		return msg()
	}
	if m.composer.draft == nil {
		return nil
	}
	return m.composer.draft.Update(msg)
}

func (m *Model) handleLoaded(msg loaded) tea.Cmd {
	m.loading = false
	var next tea.Cmd
	if m.again {
		next = m.Refresh()
	}
	if msg.rows == nil && msg.err != nil {
		return tea.Batch(next, m.side.takeAnswers(msg.looked))
	}
	m.loaded, m.seen = true, m.Now()
	m.next = msg.next
	m.Resize(m.width, m.whole)
	m.runs.all = job.MergeRows(m.runs.all, msg.rows, m.runs.id)
	m.datasets.all = job.MergeRows(m.datasets.all, msg.datasets, m.datasets.id)
	m.queues.all = job.MergeRows(m.queues.all, msg.queues, m.queues.id)
	m.jobs.all = job.MergeRows(m.jobs.all, msg.jobs, m.jobs.id)
	m.applyFilter()
	recordRates(m.projectBoard, m.seen)
	updateProgressCharts(m.projectBoard, m.seen)
	m.goToStarted()
	clampCursors(m)
	if msg.of == 0 { // the rows came first, so that they are seen soon
		next = tea.Batch(next, m.readAnswers())
	}
	return tea.Batch(next, m.side.takeAnswers(msg.looked), m.refreshInSecond())
}

// newProjectLists gives the lists without rows.
func newProjectLists() projectLists {
	return projectLists{
		runs: filteredList[Row, eval.RunID]{
			id: func(r Row) eval.RunID { return r.Run.ID }, made: func(r Row) bool { return r.Run.Config.Synthetic },
			table: newRunTable, cells: makeRunCells,
		},
		datasets: filteredList[eval.Dataset, eval.DatasetName]{
			id: func(d eval.Dataset) eval.DatasetName { return d.Name }, made: func(d eval.Dataset) bool { return d.Synthetic },
			table: newDatasetTable, cells: makeDatasetCells,
		},
		jobs: filteredList[job.Row, job.ID]{
			id: func(j job.Row) job.ID { return j.ID }, made: func(job.Row) bool { return false },
			table: func(m *projectBoard) widget.Table { return widget.Table{Columns: job.ListColumns(m.barWidth())} },
			cells: func(m *projectBoard, j *job.Row) []string { return j.MakeCells(m.theme, m.barWidth()) },
		},
		queues: filteredList[Queue, annotate.QueueName]{
			id: func(q Queue) annotate.QueueName { return q.Name }, made: func(q Queue) bool { return q.Synthetic },
			table: newQueueTable, cells: makeQueueCells,
		},
	}
}

// tallFrom is the height from which the next step has a line.
const tallFrom = 14

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height, m.whole = width, height, height
	if m.next != "" && height >= tallFrom {
		m.height--
	}
	clampCursors(m)
}

// clampCursors keeps the cursors within the lists.
func clampCursors(m *Model) {
	m.clampCursors()
	m.side.clampPage()
}

// View draws the screen, width by height cells.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	lines := widget.FitBox(m.drawLines(), m.width, m.height)
	if m.height < m.whole {
		lines = append(lines, widget.FitWidth(m.theme.Accent.Render(" next ")+m.SpellText(m.next), m.width))
	}
	return strings.Join(lines, "\n")
}

func (m *Model) drawLines() []string {
	switch {
	case m.question != nil:
		return m.question.DrawLines(m.theme, m.width, m.height)
	case m.composer.form != nil:
		return m.composer.form.drawForm(m.width, m.height)
	case !m.loaded:
		return []string{"", m.theme.Faint.Render("  loading the project…")}
	case m.side.page.open && len(m.runs.rows) > 0 && m.jury != nil:
		return m.jury.drawLines(m.width, m.height)
	case m.side.page.open && len(m.runs.rows) > 0:
		return m.side.drawPage()
	case m.isWide() && m.paneSize() != widget.FullPane:
		at := m.listWidth()
		left := drawLists(m.projectBoard, at)
		left = append(left, m.drawBelowLists(at, m.height-len(left))...)
		return m.theme.DrawBeside(left, m.drawPane(m.width-at-3, m.height), at, m.width, m.height)
	}
	out := drawLists(m.projectBoard, m.width)
	return append(out, m.drawPane(m.width, max(0, m.height-len(out)))...)
}

// drawPane draws what stands beside or below the lists.
func (m *Model) drawPane(width, height int) []string {
	if m.jury != nil {
		return widget.FitBox(m.theme.AddLegendBelow(m.jury.drawLines(width, height), width, height), width, height)
	}
	return m.drawDetail(width, height)
}

// drawBelowLists draws what stands under the lists where there is room: a run's answers over
// time and the latest of them, and the guideline of a queue.
func (m *Model) drawBelowLists(width, height int) []string {
	const least = 5
	if height < least {
		return nil
	}
	switch m.focus {
	case atRuns:
		r, ok := m.runs.currentRow()
		if !ok {
			return nil
		}
		out := append([]string{""}, drawProgressChart(m.projectBoard, r, width, min(height/2, 10))...)
		if len(out) > 1 {
			out = append(out, "")
		}
		return append(out, m.side.drawAnswers(width, height-len(out), false)...)
	case atQueues:
		q, _ := m.queues.currentRow()
		return m.theme.AddLegendBelow(DrawQueueGuideline(m.theme, &q, width), width, height)
	case atDatasets, atJobs, lists:
	}
	return nil
}

// drawDetail draws the pane of what is under the cursor.
func (m *Model) drawDetail(width, height int) []string {
	if height <= 0 {
		return nil
	}
	var out []string
	switch m.focus {
	case atQueues:
		if q, ok := m.queues.currentRow(); ok {
			out = DrawQueueDetail(m.theme, &m.Spelling, &q, width)
			if !m.isWide() {
				out = append(out, DrawQueueGuideline(m.theme, &q, width)...)
			}
		}
	case atDatasets:
		if d, ok := m.datasets.currentRow(); ok {
			out = drawDatasetDetail(m.projectBoard, &d, width)
		}
	case atJobs:
		if j, ok := m.jobs.currentRow(); ok {
			out = drawJobDetail(m.projectBoard, &j, width)
		}
	case atRuns, lists:
	}
	if r, ok := m.runs.currentRow(); ok && out == nil {
		out = append([]string{drawHead(m.projectBoard, r, width)}, drawOverview(m.projectBoard, r, width, height-1)...)
		if room := height - len(out) - 1; room >= 3 && !m.isWide() {
			out = append(append(out, ""), m.side.drawAnswers(width, room, false)...)
		}
	}
	if m.isWide() {
		out = m.theme.AddKeysBelow(out, width, height, m.SpellKey, m.Bindings())
	}
	return widget.FitBox(out, width, height)
}

func (f *runForm) drawForm(width, height int) []string {
	t := f.m.theme
	switch {
	case !f.Loaded && f.Trouble == "":
		return []string{t.DrawSection("New run", "", true, width), "", t.Faint.Render("  loading the configuration…")}
	case f.isEmpty():
		return append([]string{t.DrawSection("New run", "", true, width), ""}, drawNoChoices(f, width)...)
	case f.Phase == form.Differing:
		return drawExistingRunChoice(f, width, height)
	}
	fields := func(width int) []string {
		return append(form.DrawFields(t, f.formFields(), f.At, width), drawFormRemarks(f, width)...)
	}
	estimate := func(width int) []string {
		return f.DrawEstimate(t, width, "none: the run cannot be", func(s *widget.Sheet) { drawEstimateFigures(f, s) })
	}
	return form.DrawForm(t, t.DrawSection("New run", "", true, width), width, height, fields, estimate, func(width, height int) []string { return f.DrawCandidates(t, width, height, f.listCandidates) })
}

// drawNoChoices says what to do before a run can be put together.
func drawNoChoices(f *runForm, width int) []string {
	d := form.BlankDrawer{Theme: f.m.theme, Width: width}
	d.AddTroubles(f.Trouble, f.choices.Trouble)
	if f.choices.Trouble != "" { // what else there is, is not known
		d.AddText("Mend that, here or in another terminal; concord doctor checks it.")
		d.Out = append(d.Out, "")
		return d.AddKeyAndFinish("enter", "looks again")
	}
	if f.Loaded && len(f.choices.Models) == 0 {
		d.AddText("No model is known yet: say where one is served, and choose among those that the server lists.")
		d.Out = append(d.AddKeyAndFinish("m", "connects a model"), "")
	}
	if f.Loaded && len(f.choices.Datasets) == 0 {
		d.AddText("No questions are in this project yet: a file brings them in.")
		d.Out = append(d.AddKeyAndFinish("i", "imports a file"), "")
	}
	return d.AddKeyAndFinish("enter", "looks again")
}

func drawFormRemarks(f *runForm, width int) []string {
	e := &f.Latest
	cost := eval.Either(!e.Priced && e.CostHigh == 0, "This takes up to "+widget.FormatPlural(e.CallsHigh+e.JudgeCallsHigh, "call")+" at a price that is not known.",
		"This costs "+formatEstimatedCost(e)+".")
	if f.resume != 0 {
		cost = fmt.Sprintf("Run %d continues. %s", f.resume, cost)
	}
	return f.DrawRemark(f.m.theme, width, cost, "", f.choices.Trouble)
}

func (f *runForm) listCandidates(field *form.Field, places []int) widget.Table {
	if field.Pick == &f.dataset {
		return widget.Table{Columns: []widget.Column{
			{Title: "dataset", Width: 14, Grow: 1, Name: true},
			{Title: "samples", Width: 7, Right: true},
			{Title: "images", Width: 8, Right: true},
			{Title: "kinds", Width: 14, Least: 60},
		}, Row: func(i int) []string { return makeChoiceCells(f, f.choices.Datasets[places[i]]) }}
	}
	return widget.Table{Columns: []widget.Column{
		{Title: "", Width: 3},
		{Title: "model", Width: 14, Grow: 1, Name: true},
		{Title: "per million", Width: 15, Least: 54},
		{Title: "endpoint", Width: 24, Grow: 1, Least: 76, Name: true},
	}, Row: func(i int) []string { return makeModelCells(f, field, f.choices.Models[places[i]]) }}
}

func makeChoiceCells(f *runForm, c DatasetChoice) []string {
	name := form.DrawChoice(f.m.theme, string(c.Name), c.Why, false)
	return []string{name, widget.FormatCount(c.Samples), widget.FormatCount(c.Pictures), formatKinds(c)}
}

func makeModelCells(f *runForm, field *form.Field, c job.ModelChoice) []string {
	name := form.DrawChoice(f.m.theme, c.Name, c.Why, true)
	return []string{field.CheckMark(c.Name), name, job.FormatPrice(c.Price), widget.CleanLine(c.Endpoint)}
}

// Bindings are the bindings that matter now.
func (f *runForm) Bindings() []key.Binding {
	k := f.m.formKeys
	switch {
	case f.isEmpty():
		return append(exitKeys(f), k.KeysToAnswer("look again")...)
	case f.Phase == form.Differing:
		k.Start.SetHelp("enter", "do that")
		k.Fields.SetHelp("↑↓", "choose")
		return []key.Binding{k.Start, k.Fields, k.Back}
	case f.Phase == form.Confirming:
		return k.KeysToAnswer("start it")
	}
	return k.KeysOfField(f.CurrentField())
}
