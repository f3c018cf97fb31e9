package home

import (
	"context"
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

// board holds what the lists, the page of a run and the forms share: what was read
// of the project, where the cursors are, and the size of the screen.
type board struct {
	keymap.Spelling
	Deps
	shelf
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
	focus         focus
	space         *widget.PaneSize // of the list that keys move in
	errors        bool             // the answers shown are the errors
	choosing      bool             // judges are being chosen, beside the lists
	rates         map[eval.RunID]*rates
	growths       map[eval.RunID]*growth
	seen          time.Time // when the rows were read
	ticking       bool
	wanted        eval.RunID       // started just now: the cursor goes there
	sought        job.ID           // the same of a job
	question      *widget.Question // whether to cancel waits for an answer; nil: nothing does
}

// look reads the answers of the run under the cursor, and nothing else.
func (m *board) look() tea.Cmd {
	ask := m.ask()
	return func() tea.Msg { return ask.look() }
}

func (m *board) ask() ask {
	r, _ := m.runs.front()
	return ask{m.ctx, m.Source, m.Jobs, m.who, r.Run.ID, m.errors}
}

// tick looks again in a second while runs are at work: times go on, and a
// rate falls, without any news.
func (m *board) tick() tea.Cmd {
	if m.ticking || !slices.ContainsFunc(m.runs.all, moves) && !slices.ContainsFunc(m.jobs.all, stirs) {
		return nil
	}
	m.ticking = true
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return second{} })
}

func (m *board) wide() bool { return m.width >= beside }

func (m *board) field(name, text string, width int) []string {
	return m.styled(name, text, width, m.theme.Text.Render)
}

// styled is a name and its text in a style.
func (m *board) styled(name, text string, width int, style func(...string) string) []string {
	lines := widget.Wrap(text, max(1, width-nameWidth-1))
	for i := range lines {
		lines[i] = m.theme.Field(name, style(lines[i]), nameWidth)
		name = ""
	}
	return lines
}

// list shows the latest errors, or the latest answers.
func (m *board) list(errors bool) tea.Cmd {
	if m.errors == errors {
		return nil
	}
	m.errors = errors
	return m.look()
}

// answersHeight is how many answers the page shows.
func (m *board) answersHeight() int {
	if m.wide() {
		return max(1, m.height-2)
	}
	return max(1, m.height-3)
}

// Percent is how far the runs and judges at work have come together; -1 when none
// is at work.
func (m *board) Percent() int {
	done, total := 0, 0
	for _, r := range m.runs.all {
		if moves(r) {
			d, t := worked(r)
			done, total = done+d, total+t
		}
	}
	for _, j := range m.jobs.all {
		if j.Moves() {
			done, total = done+j.Tally.Done(), total+j.Tally.Wanted
		}
	}
	if total == 0 {
		return -1
	}
	return min(100, 100*done/total)
}

func stirs(j job.Row) bool { return j.Moves() }

// beside is the width from which on the detail stands right of the lists.
const beside = 140

// nameWidth is the width of the names in the detail.
const nameWidth = 11
