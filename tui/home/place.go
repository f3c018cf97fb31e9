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
	case m.Asking():
		return []key.Binding{widget.Bind("y", "cancel it", "y"), widget.Bind("n/esc", "keep it running", "n")}
	case m.composer.form != nil:
		return m.composer.form.Keys()
	case m.jury != nil:
		return m.jury.Keys()
	case m.side.page.open:
		return m.side.pageKeys()
	case m.filter.Typing():
		return widget.FilterKeys()
	}
	k := m.side.current()
	if len(m.rows)+len(m.datasets)+len(m.queues)+len(m.jobs) == 0 { // what brings something in goes first
		return m.links.after([]key.Binding{k.start, k.bring, k.connect, k.enrol, k.votes})
	}
	if m.focus == atDatasets { // enter does what n does
		return m.links.after([]key.Binding{k.start, k.bring, k.other, k.connect, k.filter, k.votes})
	}
	return m.links.after([]key.Binding{k.start, k.open, k.report, k.pause, k.other, k.enrol, k.judge, k.details, k.filter, k.guide, k.cancel, k.retry, k.votes, k.errors, k.bring, k.connect})
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	k := m.side.current()
	return []widget.Group{
		{Title: "Runs, judge runs and queues", Keys: m.links.after([]key.Binding{
			k.start, k.bring, k.connect, k.enrol, k.open, k.details, k.errors, k.pause, k.cancel, k.retry, k.judge, k.votes, k.report, k.guide, k.other, k.filter, k.again, k.room,
		})},
		{Title: "Move", Keys: k.moves.Keys()},
		{Title: "New run", Keys: m.formKeys.Help()},
	}
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
		if m.cursor(f).Click(y-above, count(m.board, f), high-above) {
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
		q, _ := m.queue()
		return "the queue's name", string(q.Name)
	case m.focus == atDatasets:
		d, _ := m.set()
		return "the dataset's name", string(d.Name)
	case m.focus == atJobs:
		j, _ := m.job()
		return "the judge run's name", string(j.ID)
	}
	r, ok := m.run()
	switch {
	case !ok:
		return "", ""
	case r.Progress.LastFailure != "":
		return "the run's last error", r.Progress.LastFailure
	}
	return "the run's name", title(r)
}
