package home

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/action"
	"concord/tui/job"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// IsTyping reports whether keys are text now: in the form, where judges are
// chosen, and in the filter, they are.
func (m *Model) IsTyping() bool { return m.composer.form != nil || m.jury != nil || m.filter.Typing() }

// GoBack leaves what is open, one level, and reports whether there was any.
func (m *Model) GoBack() bool {
	switch {
	case m.question != nil:
		m.question = nil
	case m.composer.form != nil:
		if !m.composer.form.CloseInner() {
			m.composer.closeForm()
		}
	case m.jury != nil:
		if !m.jury.clearFilter() {
			m.showJudgePicker(nil)
		}
	case m.side.page.open:
		m.side.page.open = false
		m.side.answers.showNewest()
	default:
		return m.clearFilter()
	}
	return true
}

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.question != nil:
		return action.AnswerQuestion(&m.question, msg)
	case m.composer.form != nil:
		return m.composer.form.handleKey(msg)
	case m.jury != nil:
		return m.jury.handleKey(msg)
	case m.side.page.open:
		return m.pressPage(msg)
	case m.filter.Typing():
		return m.pressFilter(msg)
	}
	if by, ok := widget.NewMoves().MoveBy(msg, max(1, m.countShownRows(m.focus)), m.countShown(m.focus)); ok {
		return m.moveCursor(by)
	}
	for _, one := range m.Links {
		if key.Matches(msg, one.Key) {
			return widget.SendCmd(one.Open)
		}
	}
	return newBounds(m).PressKey(msg.String())
}

func (m *Model) pressPage(msg tea.KeyMsg) tea.Cmd {
	by, ok := widget.NewMoves().MoveBy(msg, max(1, m.height-3), 1<<30)
	switch {
	case !ok:
		return newBounds(m).PressKey(msg.String())
	case m.side.page.answers:
		m.side.answers.holdAndMove(by, m.answersHeight())
	default:
		m.side.page.top += by
		m.side.clampPage()
	}
	return nil
}

// NewRun opens the form, or reads anew what a run can be made of where it is
// open.
func (m *Model) NewRun() tea.Cmd { return m.composer.openForm() }

// runStarted closes the form and goes to the new run; when it could not be
// started, the form says why.
func runStarted(m *Model, msg startedRun) tea.Cmd {
	f := msg.of
	if failed := f.EndStart("run", msg.err); failed != nil {
		return failed
	}
	if m.composer.form == f {
		m.composer.form = nil
	}
	m.side.page.open, m.focus = false, atRuns
	m.wanted = msg.run
	m.clearFilter()
	m.goTo()
	return tea.Batch(widget.NotifyCmd(widget.Info, "started: "+f.dataset.Value()+" with "+f.model.Value()), m.Refresh())
}

// showJudgePicker shows a jury beside the lists; nil takes it away.
func (m *Model) showJudgePicker(j *judgePicker) { m.jury, m.choosing = j, j != nil }

// takeSeated closes the jury and says what happens now; when the judges could not
// be called, the jury says why.
func takeSeated(m *Model, msg judgesStarted) tea.Cmd {
	msg.of.calling = false
	if msg.err != nil {
		msg.of.trouble = msg.err.Error()
		return tea.Batch(widget.NotifyCmd(widget.Problem, msg.text+": "+msg.err.Error()), m.Refresh())
	}
	if m.jury == msg.of {
		m.showJudgePicker(nil)
	}
	return tea.Batch(widget.NotifyCmd(widget.Info, msg.text), m.Refresh())
}

// IsDeep reports whether one run takes the whole screen.
func (m *Model) IsDeep() bool { return m.side.page.open }

// GoToJob moves to a job, once it is in the list.
func (m *Model) GoToJob(id job.ID) {
	m.side.page.open = false
	m.clearFilter()
	m.sought = id
	m.goTo()
}

// resizeList gives the list in which keys move more room, or less, and says so where
// nothing is seen of it.
func resizeList(m *Model, key string) tea.Cmd {
	high, width := m.listHeight(m.focus), m.listWidth()
	m.space.Press(key)
	clampCursors(m)
	if m.listHeight(m.focus) == high && m.listWidth() == width {
		return widget.NotifyCmd(widget.Info, m.SpellText("all of this list is shown; {more_room} gives it the whole screen, {less_room} takes it back"))
	}
	return nil
}

// IsAsking reports whether cancelling waits for an answer.
func (m *Model) IsAsking() bool { return m.question != nil }

// KeymapPlace is where the screen's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place { return keymap.Runs }

// Bindings are the bindings that matter now, the most important first.
func (m *Model) Bindings() []key.Binding {
	switch {
	case m.question != nil:
		return m.question.Bindings()
	case m.composer.form != nil:
		return m.composer.form.Bindings()
	case m.jury != nil:
		return m.jury.Bindings()
	case m.side.page.open:
		return m.newBindings(onPage)
	case m.filter.Typing():
		return widget.FilterKeys()
	case !m.hasAny(): // what brings something in goes first
		return m.addLinkKeys(m.newBindings(onNothing))
	case m.focus == atDatasets: // enter does what n does
		return m.addLinkKeys(m.newBindings(onDatasets))
	}
	return m.addLinkKeys(m.newBindings(onLists))
}

// HelpGroups is the page of all bindings.
func (m *Model) HelpGroups() []widget.Group {
	return []widget.Group{
		{Title: "Runs, judge runs and queues", Keys: m.addLinkKeys(m.newBindings(onHelp))},
		{Title: "Move", Keys: widget.NewMoves().Bindings()},
		{Title: "New run", Keys: m.formKeys.HelpKeys()},
	}
}

// addLinkKeys adds keys, with those of pages behind them.
func (m *Model) addLinkKeys(all []key.Binding) []key.Binding {
	return append(all, eval.Map(m.Links, func(one Link) key.Binding { return one.Key })...)
}

// HandleClick chooses the row of one of the lists that is drawn at a line.
func (m *Model) HandleClick(x, y int) tea.Cmd {
	if m.side.page.open || x >= m.listWidth() {
		return nil
	}
	between := eval.Either(m.isWide(), 1, 0)
	for f := range lists {
		high := m.listHeight(f)
		if high == 0 {
			continue
		}
		if m.listOf(f).cursor().SelectAt(y-above, m.countShown(f), high-above) {
			m.focus = f
			if f == atRuns {
				return m.readAnswers()
			}
			return nil
		}
		y -= high + between
	}
	return nil
}

// CopyText gives the answer or the error under the cursor of a run's page; on the
// lists, what the row under the cursor is called, with the last error of a run.
func (m *Model) CopyText() (what, text string) {
	switch {
	case m.side.page.open:
		return m.side.answers.copyText()
	case m.focus == atQueues:
		q, _ := m.queues.currentRow()
		return "the queue's name", string(q.Name)
	case m.focus == atDatasets:
		d, _ := m.datasets.currentRow()
		return "the dataset's name", string(d.Name)
	case m.focus == atJobs:
		j, _ := m.jobs.currentRow()
		return "the judge run's name", string(j.ID)
	}
	r, ok := m.runs.currentRow()
	switch {
	case !ok:
		return "", ""
	case r.Progress.LastFailure != "":
		return "the run's last error", r.Progress.LastFailure
	}
	return "the run's name", runTitle(r)
}
