package home

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
	"concord/tui/widget"
)

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place { return keymap.Runs }

// Keys are the bindings that matter now, the most important first.
func (m *Model) Keys() []key.Binding {
	switch {
	case m.question != nil:
		return m.question.Keys()
	case m.composer.form != nil:
		return m.composer.form.Keys()
	case m.jury != nil:
		return m.jury.Keys()
	case m.side.page.open:
		return m.bindings(onPage)
	case m.filter.Typing():
		return widget.FilterKeys()
	case !m.any(): // what brings something in goes first
		return m.linked(m.bindings(onNothing))
	case m.focus == atDatasets: // enter does what n does
		return m.linked(m.bindings(onDatasets))
	}
	return m.linked(m.bindings(onLists))
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	return []widget.Group{
		{Title: "Runs, judge runs and queues", Keys: m.linked(m.bindings(onHelp))},
		{Title: "Move", Keys: widget.NewMoves().Keys()},
		{Title: "New run", Keys: m.formKeys.Help()},
	}
}

// linked are keys, with those of pages behind them.
func (m *Model) linked(all []key.Binding) []key.Binding {
	for _, one := range m.Links {
		all = append(all, one.Key)
	}
	return all
}

// Click chooses the row of one of the lists that is drawn at a line.
func (m *Model) Click(x, y int) tea.Cmd {
	if m.side.page.open || x >= m.listWidth() {
		return nil
	}
	between := 0
	if m.wide() {
		between = 1
	}
	for f := range lists {
		high := m.high(f)
		if high == 0 {
			continue
		}
		if m.listOf(f).cursor().Click(y-above, m.count(f), high-above) {
			m.focus = f
			if f == atRuns {
				return m.look()
			}
			return nil
		}
		y -= high + between
	}
	return nil
}

// Copied is the answer or the error under the cursor of a run's page; on the
// lists, what the row under the cursor is called, with the last error of a run.
func (m *Model) Copied() (what, text string) {
	switch {
	case m.side.page.open:
		return m.side.answers.copied()
	case m.focus == atQueues:
		q, _ := m.queues.front()
		return "the queue's name", string(q.Name)
	case m.focus == atDatasets:
		d, _ := m.datasets.front()
		return "the dataset's name", string(d.Name)
	case m.focus == atJobs:
		j, _ := m.jobs.front()
		return "the judge run's name", string(j.ID)
	}
	r, ok := m.runs.front()
	switch {
	case !ok:
		return "", ""
	case r.Progress.LastFailure != "":
		return "the run's last error", r.Progress.LastFailure
	}
	return "the run's name", title(r)
}
