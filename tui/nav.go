package tui

import (
	"context"
	"iter"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/adjudicate"
	"concord/tui/criteria"
	"concord/tui/curate"
	"concord/tui/home"
	"concord/tui/importer"
	"concord/tui/judging"
	"concord/tui/label"
	"concord/tui/pairs"
	"concord/tui/report"
	"concord/tui/samples"
	"concord/tui/widget"
)

// Tab is one of the places at the top. The zero value is the home screen.
type Tab uint8

// The tabs.
const (
	TabRuns Tab = iota
	TabReview
	TabReport
	TabCriteria
	TabCurate // absent where nothing can be curated
	tabCount
)

var tabNames = [tabCount]string{"Runs", "Review", "Report", "Criteria", "Curate"}

// beside is the next tab that there is, forth or back.
func (m *Model) beside(by Tab) Tab {
	t := (m.tab + by) % tabCount
	for !m.has(t) {
		t = (t + by) % tabCount
	}
	return t
}

// stack is the open tab's screens; the last one is seen.
func (m *Model) stack() []Screen { return m.stacks[m.tab] }

// top is the screen that is seen.
func (m *Model) top() Screen { return m.stack()[len(m.stack())-1] }

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

// back leaves one level: a problem that is shown, something open within the
// screen, the screen, the tab. It never quits.
func (m *Model) back() tea.Cmd {
	if m.toasts.Dismiss() {
		return m.resize()
	}
	if m.keepOn() {
		return m.top().Refresh()
	}
	if m.top().Back() {
		return nil
	}
	cmd, ok := m.pop()
	if !ok && m.tab != m.home() {
		return m.show(m.home())
	}
	return cmd
}

// leave leaves the view: the screen, else the tab, else the app.
func (m *Model) leave() tea.Cmd {
	if m.top().Back() {
		return nil
	}
	if cmd, ok := m.pop(); ok {
		return cmd
	}
	if m.tab != m.home() {
		return m.show(m.home())
	}
	return m.startQuit()
}

// move takes the messages by which screens ask for others.
func (m *Model) move(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case home.OpenQueue:
		return m.openQueue(msg.Queue), true
	case home.OpenReport:
		if msg.Pairs {
			return m.showAgreement(msg.Queue), true
		}
		return m.showReport(msg.Run, msg.Queue), true
	case home.OpenVotes:
		return m.showVotes(msg.Dataset), true
	case home.OpenSamples:
		return m.openSamples(samples.OfRun(m.deps.Samples, msg.Run, msg.Title)), true
	case home.OpenJob:
		m.duels.Open(msg.Job, msg.Errors)
		return m.push(m.duels), true
	case home.NewVotes:
		m.duels.OpenForm(msg.Like)
		return m.push(m.duels), true
	case judging.Started:
		return m.startedVotes(msg), true
	case home.OpenAnswers:
		return m.openAnswers(msg), true
	case chosenFrom:
		return msg.open(), true
	case report.OpenSamples:
		return m.openSamples(m.behind(msg)), true
	case report.OpenPairs:
		return m.openPairs(msg), true
	case criteria.Named:
		m.setAnnotator(msg.Who)
		return tea.Batch(m.remember(msg.Who), m.top().Refresh()), true
	case curate.Named:
		m.setAnnotator(msg.Who)
		return tea.Batch(m.remember(msg.Who), m.curate.Enter()), true
	case named:
		m.setAnnotator(msg.who)
		return m.remember(msg.who), true
	case wantPairs:
		if !m.may().Owns() {
			return notYours("the owner"), true
		}
		if m.deps.Pairer == nil {
			return send(widget.Notify{Level: widget.Info, Text: "no queues can be made here: the project is open for reading"}), true
		}
		return m.push(newPairForm(m.ctx, m.theme, m.deps.Pairer, m.who)), true
	case chosen:
		return m.review(msg), true
	case wantCandidates, curate.OpenCompare:
		return m.candidates(), true
	case adjudicate.OpenCuration:
		return m.settleCuration(msg.Dataset), true
	case wantCompare:
		return m.compare(msg), true
	case label.OpenCompare:
		return m.compare(wantCompare{queue: msg.Queue}), true
	case report.OpenCompare:
		return m.compare(wantCompare{queue: msg.Queue}), true
	}
	return m.begins(msg)
}

// pairsMade leaves the form of a queue that was made.
func (m *Model) pairsMade(msg pairsMade) tea.Cmd {
	cmd := m.broadcast(msg)
	if msg.err != nil {
		return cmd
	}
	cmds := []tea.Cmd{cmd, send(widget.Notify{Level: widget.Info, Text: msg.said}), m.lobby.reload()}
	if m.top() == Screen(msg.of) {
		left, _ := m.pop()
		cmds = append(cmds, left)
	}
	return tea.Batch(cmds...)
}

// startedVotes goes back to the list, to the job that has begun.
func (m *Model) startedVotes(msg judging.Started) tea.Cmd {
	m.runs.GoToJob(msg.Job)
	if m.top() != Screen(m.duels) {
		return nil
	}
	cmd, _ := m.pop()
	return cmd
}

// unwind leaves all of the open tab's screens but the first.
func (m *Model) unwind() {
	for m.drop() {
	}
}

func (m *Model) openSamples(q samples.Query) tea.Cmd {
	return m.push(samples.New(m.ctx, m.theme, m.deps.Samples, m.who, q))
}

// openAnswers shows predictions of a run, the first one opened.
func (m *Model) openAnswers(open home.OpenAnswers) tea.Cmd {
	source, name := m.deps.Samples, "latest answers"
	if open.Errors {
		name = "latest errors"
	}
	keys := func(yield func(eval.Key, error) bool) {
		for _, k := range open.Keys {
			if !yield(k, nil) {
				return
			}
		}
	}
	list := samples.New(m.ctx, m.theme, source, m.who, samples.Query{Title: open.Title, Lists: []samples.List{{
		Name: name,
		Rows: func(ctx context.Context, who annotate.Annotator) iter.Seq2[samples.Row, error] {
			return source.Of(ctx, samples.Ask{Who: who}, keys)
		},
	}}})
	read := m.push(list)
	return func() tea.Msg { return chosenFrom{list, read()} }
}

// chosenFrom is the first page of a list in which the first row has been
// chosen before: it is opened at once.
type chosenFrom struct {
	list Screen
	page tea.Msg
}

func (c chosenFrom) open() tea.Cmd {
	return tea.Batch(c.list.Update(c.page), c.list.Update(tea.KeyMsg{Type: tea.KeyEnter}))
}

// behind is the query for the samples behind a figure of a report.
func (m *Model) behind(open report.OpenSamples) samples.Query {
	source := m.deps.Samples
	q := samples.Query{Title: open.Title, People: open.People, Alone: open.Dataset != ""}
	for _, l := range open.Lists {
		until := ""
		if l.Experts {
			until = "you judged it and pressed o"
		}
		q.Lists = append(q.Lists, samples.List{
			Name: l.Name, Until: until,
			Rows: func(ctx context.Context, who annotate.Annotator) iter.Seq2[samples.Row, error] {
				return source.Of(ctx, samples.Ask{
					Who: who, Extractor: open.Extractor, Tells: l.Tells, Experts: l.Experts, Dataset: open.Dataset,
				}, l.Keys(ctx))
			},
		})
	}
	return q
}

// openPairs shows the pairs behind a figure of a report.
func (m *Model) openPairs(open report.OpenPairs) tea.Cmd {
	source := m.deps.Pairs
	q := pairs.Query{Title: open.Title, Judge: open.Ballot != nil}
	for _, l := range open.Lists {
		q.Lists = append(q.Lists, pairs.List{
			Name: l.Name,
			Rows: func(ctx context.Context, who annotate.Annotator) iter.Seq2[pairs.Row, error] {
				return source.Of(ctx, pairs.Ask{Who: who, Ballot: open.Ballot, Tells: l.Tells}, l.Pairs)
			},
		})
	}
	return m.push(pairs.New(m.ctx, m.theme, source, m.who, q))
}

// openQueue goes to the review of a queue, over the question for a name when
// there is none yet.
func (m *Model) openQueue(q annotate.QueueName) tea.Cmd {
	m.tab = TabReview
	if len(m.stack()) > 1 && m.lobby.queue == q {
		return m.top().Refresh()
	}
	m.unwind()
	return m.lobby.enter(q)
}

// review opens the screen on which a queue is worked through.
func (m *Model) review(c chosen) tea.Cmd {
	m.leaveQueues()
	if c.pairs {
		return m.push(m.deps.Votes(c.queue, m.who))
	}
	return m.push(m.deps.Review(c.queue, m.who))
}
