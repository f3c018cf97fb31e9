package home

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

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
	between := 0
	if m.isWide() {
		between = 1
	}
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
