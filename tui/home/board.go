package home

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/form"
	"concord/tui/job"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// projectBoard holds what the lists, the page of a run and the forms share: what was read
// of the project, where the cursors are, and the size of the screen.
type projectBoard struct {
	keymap.Spelling
	Deps
	projectLists
	ctx           context.Context // of the program: ends commands under way
	theme         *widget.Theme
	who           annotate.Annotator
	formKeys      form.Keys
	width, height int
	whole         int    // the height, with the line of the next step
	next          string // the next step towards a saved report; "" without one
	loaded        bool
	loading       bool
	again         bool // news came while loading
	filter        widget.Filter
	focus         listFocus
	space         *widget.PaneSize // of the list that keys move in
	errors        bool             // the answers shown are the errors
	choosing      bool             // judges are being chosen, beside the lists
	rates         map[eval.RunID]*rateHistory
	growths       map[eval.RunID]*progressHistory
	seen          time.Time // when the rows were read
	ticking       bool
	wanted        eval.RunID       // started just now: the cursor goes there
	sought        job.ID           // the same of a job
	question      *widget.Question // whether to cancel waits for an answer; nil: nothing does
}

// readAnswers reads the answers of the run under the cursor, and nothing else.
func (m *projectBoard) readAnswers() tea.Cmd {
	ask := m.newReadRequest()
	return func() tea.Msg { return ask.loadAnswers() }
}

func (m *projectBoard) newReadRequest() readRequest {
	r, _ := m.runs.currentRow()
	return readRequest{m.ctx, m.Source, m.Jobs, m.who, r.Run.ID, m.errors}
}

// tickSecond looks again in a second while runs are at work: times go on, and a
// rate falls, without any news.
func (m *projectBoard) tickSecond() tea.Cmd {
	if m.ticking || !slices.ContainsFunc(m.runs.all, isMoving) && !slices.ContainsFunc(m.jobs.all, isJobMoving) {
		return nil
	}
	m.ticking = true
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return second{} })
}

func (m *projectBoard) isWide() bool { return m.width >= beside }

func (m *projectBoard) drawField(name, text string, width int) []string {
	return m.drawStyledField(name, text, width, m.theme.Text.Render)
}

func (m *projectBoard) drawStyledField(name, text string, width int, style func(...string) string) []string {
	lines := widget.WrapText(text, max(1, width-nameWidth-1))
	for i := range lines {
		lines[i] = m.theme.DrawField(name, style(lines[i]), nameWidth)
		name = ""
	}
	return lines
}

// listAnswers shows the latest errors, or the latest answers.
func (m *projectBoard) listAnswers(errors bool) tea.Cmd {
	if m.errors == errors {
		return nil
	}
	m.errors = errors
	return m.readAnswers()
}

// answersHeight is how many answers the page shows.
func (m *projectBoard) answersHeight() int {
	if m.isWide() {
		return max(1, m.height-2)
	}
	return max(1, m.height-3)
}

// PercentDone is how far the runs and judges at work have come together; -1 when none
// is at work.
func (m *projectBoard) PercentDone() int {
	done, total := 0, 0
	for _, r := range m.runs.all {
		if isMoving(r) {
			d, t := countWorked(r)
			done, total = done+d, total+t
		}
	}
	for _, j := range m.jobs.all {
		if j.IsMoving() {
			done, total = done+j.Tally.Done(), total+j.Tally.Wanted
		}
	}
	if total == 0 {
		return -1
	}
	return min(100, 100*done/total)
}

func isJobMoving(j job.Row) bool { return j.IsMoving() }

// beside is the width from which on the detail stands right of the lists.
const beside = 140

// nameWidth is the width of the names in the detail.
const nameWidth = 11

// pauseRun pauses a run, or goes on with one that rests.
func (m *projectBoard) pauseRun(r Row) tea.Cmd {
	if canResume(r) {
		return m.steerRun("resumed", r, Control.Resume)
	}
	return m.steerRun("paused; calls in flight finish", r, Control.Pause)
}

// retryRun asks again what failed.
func retryRun(m *projectBoard, r Row) tea.Cmd {
	scheduler, id := m.Scheduler, r.Run.ID
	return runSteering(runTitle(r), "asking again what failed", func() error { return scheduler.Retry(id) })
}

// newCancelQuestion asks whether a run is to be cancelled.
func newCancelQuestion(m *projectBoard, r Row) *widget.Question {
	text := "Cancel " + runTitle(r) + "? Calls in flight finish, everything answered stays stored, and resuming continues from there."
	said := "cancelled; resume continues from here"
	if isJudging(r) {
		text = "Cancel the judge run of " + runTitle(r) + "? Calls in flight finish, everything read stays stored, and " + m.SpellKey("J") + " continues from there."
		said = m.SpellText("judge run cancelled; {J} continues from here")
	}
	return &widget.Question{Title: "Cancel", Text: text, Yes: "cancel it", No: "keep it running", Do: func() tea.Cmd {
		return m.steerRun(said, r, Control.Cancel)
	}}
}

func (m *projectBoard) steerRun(done string, r Row, act func(Control, eval.RunID) error) tea.Cmd {
	if m.Control == nil {
		return widget.NotifyCmd(widget.Info, "this project is open read-only")
	}
	control, id := m.Control, r.Run.ID
	return runSteering(runTitle(r), done, func() error { return act(control, id) })
}

// runSteering runs act in a command, and says what came of it.
func runSteering(name, done string, act func() error) tea.Cmd {
	return func() tea.Msg {
		if err := act(); err != nil {
			return steered{err: fmt.Errorf("%s: %w", name, err)}
		}
		return steered{text: name + ": " + done}
	}
}
