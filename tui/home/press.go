package home

import (
	"cmp"
	"maps"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/annotation"
	"concord/tui/job"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// IsTyping reports whether keys are text now, as in the form, where judges are chosen, and in the filter.
func (m *Model) IsTyping() bool {
	return m.composer.form != nil || m.jury != nil || m.filter.IsTyping()
}

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
		if m.jury.calling || !m.jury.pick.ClearFilter() {
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
		return action.PassKeyToQuestion(&m.question, msg)
	case m.composer.form != nil:
		return m.composer.form.handleKey(msg)
	case m.jury != nil:
		return m.jury.handleKey(msg)
	case m.side.page.open:
		return m.handlePageKey(msg)
	case m.filter.IsTyping():
		return m.handleFilterKey(msg)
	}
	if by, ok := widget.NewMoves().MoveBy(msg, max(1, m.countShownRows(m.focus)), m.countShown(m.focus)); ok {
		return m.moveCursor(by)
	}
	for _, one := range m.Links {
		if key.Matches(msg, one.Key) {
			return widget.SendCmd(one.Open)
		}
	}
	return newActions(m).PressKey(msg.String())
}

func (m *Model) handlePageKey(msg tea.KeyMsg) tea.Cmd {
	by, ok := widget.NewMoves().MoveBy(msg, max(1, m.height-3), 1<<30)
	switch {
	case !ok:
		return newActions(m).PressKey(msg.String())
	case m.side.page.answers:
		m.side.answers.holdAndMove(by, m.answersHeight())
	default:
		m.side.page.top += by
		m.side.clampPage()
	}
	return nil
}

// OpenRunForm opens the form, or reads anew what a run can be made of where it is open.
func (m *Model) OpenRunForm() tea.Cmd { return m.composer.openForm() }

// handleRunStarted closes the form and goes to the new run; when it could not be started, the form says why.
func handleRunStarted(m *Model, msg startedRun) tea.Cmd {
	f := msg.of
	if failed := f.HandleStarted("run", msg.err); failed != nil {
		return failed
	}
	if m.composer.form == f {
		m.composer.form = nil
	}
	m.side.page.open, m.focus = false, atRuns
	m.wanted = msg.run
	m.clearFilter()
	m.goToStarted()
	return tea.Batch(widget.NotifyCmd(widget.Info, "started: "+f.dataset.Value()+" with "+f.model.Value()), m.Refresh())
}

// showJudgePicker shows a jury beside the lists; nil takes it away.
func (m *Model) showJudgePicker(j *judgePicker) { m.jury, m.choosing = j, j != nil }

// handleJudgesStarted closes the jury and says what happens now; when the judges could not
// be called, the jury says why.
func handleJudgesStarted(m *Model, msg judgesStarted) tea.Cmd {
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
	m.goToStarted()
}

// resizeList gives the list in which keys move more room, or less, and says so where nothing is seen of it.
func resizeList(m *Model, key string) tea.Cmd {
	high, width := m.listHeight(m.focus), m.listWidth()
	m.space.ChangeByKey(key)
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
	case m.filter.IsTyping():
		return widget.FilterKeys()
	case !m.hasAnyRows(): // what brings something in goes first
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

// order is in which order the footer has the actions, and the help page.
var (
	onLists    = []string{"new_run", "open", "report", "pause", "other", "new_queue", "judge", "details", "filter", "guideline_page", "cancel", "retry", "judge_votes", "workshop", "errors", "import", "connect"}
	onDatasets = []string{"new_run", "import", "other", "connect", "filter", "judge_votes"}
	onNothing  = []string{"new_run", "import", "connect", "new_queue", "judge_votes"}
	onPage     = []string{"open", "back", "other", "errors", "refresh", "pause", "cancel", "retry", "judge", "report", "up", "more_room"}
	onHelp     = []string{
		"new_run", "import", "connect", "new_queue", "open", "details", "errors", "pause", "cancel", "retry", "judge",
		"judge_votes", "workshop", "report", "guideline_page", "other", "filter", "refresh", "more_room",
	}
)

// newMessageAction asks the root for something.
func newMessageAction(msg tea.Msg) func(string) tea.Cmd {
	return func(string) tea.Cmd { return widget.SendCmd(msg) }
}

// newBindings gives those of actions, as they read now.
func (m *Model) newBindings(names []string) []key.Binding { return newActions(m).Bindings(names...) }

// newActions gives all that keys do now.
func newActions(m *Model) *action.Bounds {
	out := &action.Bounds{Place: keymap.Runs, Own: action.PartKeys, Spell: &m.Spelling, All: listActions(m)}
	if m.side.page.open {
		out.All = pageActions(m)
	}
	return out
}

func listActions(m *Model) map[string]action.Bound {
	starts, votes := action.WhyUnless(m.Scheduler != nil, noStarter), action.WhyUnless(m.JobControl != nil, noStarter)
	out := map[string]action.Bound{
		"new_run":        {Why: starts, Do: func(string) tea.Cmd { return m.composer.openForm() }},
		"import":         {Why: action.WhyUnless(m.Import, noStarter), Do: newMessageAction(OpenImport{}), Asks: true},
		"connect":        {Why: starts, Do: newMessageAction(OpenConnect{}), Asks: true},
		"new_queue":      {Says: "new annotation queue", Why: starts, Do: newMessageAction(newQueueRequest(m.projectBoard)), Asks: true},
		"workshop":       {Says: "judge workshop", Do: newMessageAction(OpenWorkshop{})},
		"judge_votes":    {Why: votes, Do: newMessageAction(NewVotes{})},
		"filter":         {Why: action.WhyUnless(m.hasAnyRows(), "nothing is listed yet"), Do: func(string) tea.Cmd { m.filter.StartTyping(); return nil }},
		"guideline_page": {Says: "guideline", Why: "{guideline_page} is of queues: {tab} goes to them"},
		"other": {Says: m.nextListTitle(), Why: action.WhyUnless(m.hasOtherList(), "there is one list only"), Do: func(key string) tea.Cmd {
			m.moveFocus(key == "shift+tab")
			clampCursors(m)
			return nil
		}},
		"more_room": {Do: func(key string) tea.Cmd { return resizeList(m, key) }},
		"refresh":   {Why: action.WhyUnless(m.side.answers.held, nothingNew), Do: func(string) tea.Cmd { m.side.answers.showNewest(); return m.readAnswers() }},
	}
	switch m.focus {
	case atDatasets:
		maps.Copy(out, datasetActions(m))
	case atJobs:
		maps.Copy(out, jobActions(m))
	case atQueues:
		maps.Copy(out, queueActions(m))
	case atRuns, lists:
		maps.Copy(out, runListActions(m))
	}
	return out
}

// disabledRunActions are the actions of runs where another list has the keys.
func disabledRunActions(why string) map[string]action.Bound {
	out := map[string]action.Bound{}
	for _, name := range []string{"open", "report", "pause", "cancel", "retry", "judge", "details", "errors"} {
		out[name] = action.Bound{Why: "{" + name + "} " + why}
	}
	return out
}

func runListActions(m *Model) map[string]action.Bound {
	r, ok := m.runs.currentRow()
	none := action.WhyUnless(ok, "there is no run")
	begun := cmp.Or(none, action.WhyUnless(m.Scheduler != nil, noStarter))
	return map[string]action.Bound{
		"open":    {Says: "samples", Why: none, Do: newMessageAction(OpenSamples{Run: r.Run.ID, Title: runTitle(r)})},
		"report":  {Says: "report", Why: none, Do: newMessageAction(OpenReport{Run: r.Run.ID})},
		"details": {Why: none, Do: func(string) tea.Cmd { return m.side.openPage(false, false) }},
		"errors":  {Why: none, Do: func(string) tea.Cmd { return m.side.openPage(true, true) }},
		"pause":   {Says: pauseWord(ok && canResume(r)), Why: cmp.Or(none, whyNotPause(r)), Do: func(string) tea.Cmd { return m.pauseOrResumeRun(r) }},
		"cancel":  {Why: cmp.Or(none, whyNotCancel(r)), Do: func(string) tea.Cmd { m.question = newCancelQuestion(m.projectBoard, r); return nil }},
		"retry":   {Why: cmp.Or(begun, whyNotRetry(r)), Do: func(string) tea.Cmd { return retryRun(m.projectBoard, r) }},
		"judge": {Why: cmp.Or(begun, whyNotJudge(r)), Do: func(string) tea.Cmd {
			m.showJudgePicker(&judgePicker{m: m.projectBoard, run: r.Run.ID})
			return m.jury.readCandidates()
		}},
	}
}

func pauseWord(resumes bool) string { return eval.Either(resumes, "resume", "pause") }

func datasetActions(m *Model) map[string]action.Bound {
	d, _ := m.datasets.currentRow()
	out := disabledRunActions("is for runs, and this dataset has none yet: {n} starts one")
	starts := action.Bound{Why: action.WhyUnless(m.Scheduler != nil, noStarter), Do: func(string) tea.Cmd { return m.composer.openFormFor(d.Name) }}
	out["new_run"] = starts
	starts.Says = "new run"
	out["open"] = starts
	return out
}

func queueActions(m *Model) map[string]action.Bound {
	q, ok := m.queues.currentRow()
	none := action.WhyUnless(ok, "there is no queue yet")
	out := disabledRunActions("steers runs: {tab} goes to them")
	out["open"] = action.Bound{Says: "review", Why: none, Do: newMessageAction(OpenQueue{Queue: q.Name})}
	out["report"] = action.Bound{Says: "report", Why: none, Do: newMessageAction(OpenReport{Queue: q.Name, Pairs: q.Rule.From == annotate.FromPairs})}
	out["workshop"] = action.Bound{Says: "judge workshop", Why: none, Do: newMessageAction(OpenWorkshop{Queue: q.Name})}
	out["guideline_page"] = action.Bound{Says: "guideline", Why: none, Do: newMessageAction(annotation.OpenGuideline{Queue: q.Name})}
	return out
}

func jobActions(m *Model) map[string]action.Bound {
	j, ok := m.jobs.currentRow()
	none := action.WhyUnless(ok, "there is no judge run")
	off := cmp.Or(none, action.WhyUnless(m.JobControl != nil, "this project is open read-only"))
	steer := func(s job.Steering) func(string) tea.Cmd {
		return func(string) tea.Cmd { return job.SteerJob(m.ctx, m.JobControl, &j, s, &m.Spelling) }
	}
	return map[string]action.Bound{
		"open":        {Says: "results", Why: none, Do: newMessageAction(OpenJob{Job: j.ID})},
		"details":     {Why: none, Do: newMessageAction(OpenJob{Job: j.ID})},
		"errors":      {Why: none, Do: newMessageAction(OpenJob{Job: j.ID, Errors: true})},
		"judge":       {Why: "{J} is for runs, whose answers the rules could not read: {tab} goes to them"},
		"judge_votes": {Says: "votes like these", Why: action.WhyUnless(m.JobControl != nil, noStarter), Do: newMessageAction(NewVotes{Like: j.ID})},
		"pause":       {Says: pauseWord(ok && j.CanResume()), Why: cmp.Or(off, j.NoPause), Do: steer(job.PauseOrResume)},
		"retry":       {Why: cmp.Or(off, j.NoRetry), Do: steer(job.Retry)},
		"report":      {Says: "report", Why: cmp.Or(none, action.WhyUnless(j.Work == eval.Voting, "it is of votes")), Do: newMessageAction(OpenVotes{Dataset: j.Dataset})},
		"cancel": {Why: cmp.Or(off, j.NoCancel), Do: func(string) tea.Cmd {
			m.question = j.NewCancelQuestion(m.ctx, m.JobControl, &m.Spelling)
			return nil
		}},
	}
}

// pageActions are those of the page of a run.
func pageActions(m *Model) map[string]action.Bound {
	out, p := runListActions(m), &m.side
	says := eval.Either(m.errors, "answers", "errors")
	maps.Copy(out, map[string]action.Bound{
		"open":   {Says: "sample", Why: action.WhyUnless(p.page.answers && len(p.answers.rows) > 0, "no answers are selected"), Do: func(string) tea.Cmd { return p.requestSample() }},
		"other":  {Says: "next part", Do: func(string) tea.Cmd { return p.showNextPart() }},
		"errors": {Says: says, Do: func(string) tea.Cmd { p.page.answers = true; return m.showAnswersOrErrors(!m.errors) }},
		"refresh": {Why: action.WhyUnless(p.answers.held, nothingNew), Do: func(string) tea.Cmd {
			p.answers.showNewest()
			return m.readAnswers()
		}},
		"more_room": {Why: action.WhyUnless(m.isWide(), "this part has the whole screen"), Do: func(key string) tea.Cmd { p.pageSpace.ChangeByKey(key); return nil }},
		"details":   {Do: func(string) tea.Cmd { m.GoBack(); return nil }},
	})
	return out
}

// newQueueRequest asks for a queue to label: of the run or dataset under the cursor.
func newQueueRequest(m *projectBoard) OpenNewQueue {
	r, _ := m.runs.currentRow()
	d, _ := m.datasets.currentRow()
	switch m.focus {
	case atRuns:
		return OpenNewQueue{Dataset: r.Run.Config.Dataset, Run: r.Run.ID}
	case atDatasets:
		return OpenNewQueue{Dataset: d.Name}
	case atJobs, atQueues, lists:
	}
	return OpenNewQueue{}
}
