package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/importer"
)

// show goes to a tab.
func (m *Model) show(t Tab) tea.Cmd {
	if !m.has(t) {
		return notYours("another role")
	}
	m.tab = t
	switch m.top() {
	case Screen(m.lobby):
		return m.lobby.enter("")
	case Screen(m.report):
		m.hear()
		return m.report.Enter()
	case Screen(m.criteria):
		return m.criteria.Enter()
	case Screen(m.curate):
		return m.curate.Enter()
	}
	return m.top().Refresh()
}

// jump goes to a tab by its key: from a queue that is being labelled or
// compared, the report is the one of how far the machine's reading of it can be
// trusted.
func (m *Model) jump(t Tab) tea.Cmd {
	if !m.has(t) {
		return notYours("another role")
	}
	if t == TabReport && m.comparing != nil && m.top() == m.comparing {
		return m.showReport(0, m.compared)
	}
	if t == TabReport && m.tab == TabReview && len(m.stack()) > 1 {
		if m.lobby.ofPairs(m.lobby.queue) {
			return m.showAgreement(m.lobby.queue)
		}
		return m.showReport(0, m.lobby.queue)
	}
	return m.show(t)
}

// showReport goes to the report of a run or a queue.
func (m *Model) showReport(run eval.RunID, queue annotate.QueueName) tea.Cmd {
	if !m.has(TabReport) {
		return notYours("the adjudicators")
	}
	m.tab = TabReport
	m.unwind()
	m.hear()
	return m.report.Show(run, queue)
}

// showAgreement goes to how far judges and people vote alike on a queue of
// pairs.
func (m *Model) showAgreement(queue annotate.QueueName) tea.Cmd {
	if !m.has(TabReport) {
		return notYours("the adjudicators")
	}
	m.tab = TabReport
	m.unwind()
	m.hear()
	return m.report.ShowAgreement(queue)
}

// showVotes goes to who wins by votes on a dataset.
func (m *Model) showVotes(d eval.DatasetName) tea.Cmd {
	m.tab = TabReport
	m.unwind()
	m.hear()
	return m.report.ShowVotes(d)
}

// hear tells the report of acts that were stored since it was seen last: the
// mark of background news is of runs only.
func (m *Model) hear() {
	if m.deps.Saver == nil {
		return
	}
	if n := m.deps.Saver.State().Saved; n != m.acts {
		m.acts = n
		m.report.Stale()
	}
}

// push opens a screen upon the open tab's.
func (m *Model) push(s Screen) tea.Cmd {
	m.stacks[m.tab] = append(m.stack(), s)
	m.spell(s)
	s.Resize(m.width, m.bodyHeight())
	return s.Init()
}

// pop leaves the screen that is seen, and reports whether there is one under
// it.
func (m *Model) pop() (tea.Cmd, bool) {
	if !m.drop() {
		return nil, false
	}
	if m.top() == Screen(m.lobby) {
		return m.lobby.reload(), true
	}
	return m.top().Refresh(), true
}

// drop leaves the screen that is seen without a look at the one under it.
func (m *Model) drop() bool {
	st := m.stack()
	if len(st) < 2 {
		return false
	}
	if b, ok := st[len(st)-1].(*importer.Model); ok && b.Ended() {
		m.report.Stale()
	}
	putAway(st[len(st)-1])
	m.stacks[m.tab] = st[: len(st)-1 : len(st)-1]
	return true
}

func putAway(s Screen) {
	if c, ok := s.(Closer); ok {
		c.Close()
	}
}

// unwind leaves all of the open tab's screens but the first.
func (m *Model) unwind() {
	for m.drop() {
	}
}

// broadcast hands a message to every screen: an answer may come after its
// screen has been left, and each knows its own.
func (m *Model) broadcast(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, stack := range m.stacks {
		for _, s := range stack {
			cmds = append(cmds, s.Update(msg))
		}
	}
	if !slices.Contains(m.stacks[TabRuns], Screen(m.duels)) {
		cmds = append(cmds, m.duels.Update(msg)) // it comes again, with its form as it was
	}
	if m.palette != nil {
		cmds = append(cmds, m.palette.Update(msg))
	}
	return tea.Batch(cmds...)
}

// Keep has the screens hand over what is being typed. Quitting does so by
// itself; whoever ends the program otherwise does it afterwards.
func (m *Model) Keep() {
	for _, stack := range m.stacks {
		for _, s := range stack {
			if k, ok := s.(Keeper); ok {
				k.Keep()
			}
		}
	}
}

// Close ends what the screens have under way. Quitting does so by itself;
// whoever ends the program otherwise does it afterwards.
func (m *Model) Close() {
	for _, stack := range m.stacks {
		for _, s := range stack {
			putAway(s)
		}
	}
}
