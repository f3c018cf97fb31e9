package home

import (
	"cmp"
	"maps"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/job"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// boundAction is what an action of the keymap does now.
type boundAction struct {
	says string // in words of its own; "": the keymap's
	why  string // why it cannot be done now, keys in braces; "" when it can
	do   func(key string) tea.Cmd
	asks bool // of the root, which says itself why not
}

// boundActions are by the names of actions.
type boundActions map[string]boundAction

// order is in which order the footer has the actions, and the help page.
var (
	onLists    = []string{"new_run", "open", "report", "pause", "other", "new_queue", "judge", "details", "filter", "guideline_page", "cancel", "retry", "judge_votes", "errors", "import", "connect"}
	onDatasets = []string{"new_run", "import", "other", "connect", "filter", "judge_votes"}
	onNothing  = []string{"new_run", "import", "connect", "new_queue", "judge_votes"}
	onPage     = []string{"open", "back", "other", "errors", "refresh", "pause", "cancel", "retry", "judge", "report", "up", "more_room"}
	onHelp     = []string{
		"new_run", "import", "connect", "new_queue", "open", "details", "errors", "pause", "cancel", "retry", "judge",
		"judge_votes", "report", "guideline_page", "other", "filter", "refresh", "more_room",
	}
)

// newBinding gives an action's, as it reads now.
func newBinding(m *Model, all boundActions, name string) key.Binding {
	var out key.Binding
	switch name {
	case "other":
		out = widget.NewBinding("tab", "", "tab", "shift+tab")
	case "more_room":
		out = widget.NewPaneKeys()
	case "back":
		return m.formKeys.Back
	case "up":
		return widget.NewBinding("↑↓", "move", "up")
	default:
		out = keymap.Runs.BindAction(name)
	}
	d := all[name]
	out.SetHelp(out.Help().Key, cmp.Or(d.says, out.Help().Desc))
	return widget.EnableBinding(out, m.SpellText(d.why))
}

// newBindings gives those of actions, as they read now.
func (m *Model) newBindings(names []string) []key.Binding {
	all := newBoundActions(m)
	return eval.Map(names, func(name string) key.Binding { return newBinding(m, all, name) })
}

// doKey does what a key means now, or says why it cannot be done.
func (m *Model) doKey(msg tea.KeyMsg) tea.Cmd {
	all := newBoundActions(m)
	for name, d := range all {
		b := newBinding(m, all, name)
		if !slices.Contains(b.Keys(), msg.String()) {
			continue
		}
		if d.why != "" && !d.asks {
			return widget.NotifyCmd(widget.Info, m.SpellText(d.why))
		}
		return d.do(msg.String())
	}
	return nil
}

// sendMessage asks the root for something.
func sendMessage(msg tea.Msg) func(string) tea.Cmd {
	return func(string) tea.Cmd { return widget.SendCmd(msg) }
}

// reasonUnless is a reason where something does not hold.
func reasonUnless(ok bool, why string) string {
	if ok {
		return ""
	}
	return why
}

// newBoundActions gives all that keys do now.
func newBoundActions(m *Model) boundActions {
	if m.side.page.open {
		return pageActions(m)
	}
	starts, votes := reasonUnless(m.Scheduler != nil, noStarter), reasonUnless(m.JobControl != nil, noStarter)
	out := boundActions{
		"new_run":        {why: starts, do: func(string) tea.Cmd { return m.composer.openForm() }},
		"import":         {why: reasonUnless(m.Import, noStarter), do: sendMessage(OpenImport{}), asks: true},
		"connect":        {why: starts, do: sendMessage(OpenConnect{}), asks: true},
		"new_queue":      {says: "new annotation queue", why: starts, do: sendMessage(newQueueRequest(m.projectBoard)), asks: true},
		"judge_votes":    {why: votes, do: sendMessage(NewVotes{})},
		"filter":         {why: reasonUnless(m.hasAny(), "nothing is listed yet"), do: func(string) tea.Cmd { m.filter.StartTyping(); return nil }},
		"guideline_page": {says: "guideline", why: "{guideline_page} is of queues: {tab} goes to them"},
		"other": {says: m.nextFocus(), why: reasonUnless(m.hasOtherList(), "there is one list only"), do: func(key string) tea.Cmd {
			m.focusNext(key == "shift+tab")
			clampCursors(m)
			return nil
		}},
		"more_room": {do: func(key string) tea.Cmd { return resizeList(m, key) }},
		"refresh":   {why: reasonUnless(m.side.answers.held, nothingNew), do: func(string) tea.Cmd { m.side.answers.showNewest(); return m.readAnswers() }},
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
func disabledRunActions(why string) boundActions {
	out := boundActions{}
	for _, name := range []string{"open", "report", "pause", "cancel", "retry", "judge", "details", "errors"} {
		out[name] = boundAction{why: "{" + name + "} " + why}
	}
	return out
}

func runListActions(m *Model) boundActions {
	r, ok := m.runs.currentRow()
	none := reasonUnless(ok, "there is no run")
	begun := cmp.Or(none, reasonUnless(m.Scheduler != nil, noStarter))
	return boundActions{
		"open":    {says: "samples", why: none, do: sendMessage(OpenSamples{Run: r.Run.ID, Title: runTitle(r)})},
		"report":  {says: "report", why: none, do: sendMessage(OpenReport{Run: r.Run.ID})},
		"details": {why: none, do: func(string) tea.Cmd { return m.side.openPage(false, false) }},
		"errors":  {why: none, do: func(string) tea.Cmd { return m.side.openPage(true, true) }},
		"pause":   {says: pauseWord(ok && canResume(r)), why: cmp.Or(none, whyNotPause(r)), do: func(string) tea.Cmd { return m.pauseRun(r) }},
		"cancel":  {why: cmp.Or(none, whyNotCancel(r)), do: func(string) tea.Cmd { m.question = newCancelQuestion(m.projectBoard, r); return nil }},
		"retry":   {why: cmp.Or(begun, whyNotRetry(r)), do: func(string) tea.Cmd { return retryRun(m.projectBoard, r) }},
		"judge": {why: cmp.Or(begun, whyNotJudge(r)), do: func(string) tea.Cmd {
			m.showJudgePicker(&judgePicker{m: m.projectBoard, run: r.Run.ID})
			return m.jury.readCandidates()
		}},
	}
}

// pauseWord is what the key does that pauses and resumes.
func pauseWord(resumes bool) string {
	if resumes {
		return "resume"
	}
	return "pause"
}

func datasetActions(m *Model) boundActions {
	d, _ := m.datasets.currentRow()
	out := disabledRunActions("is for runs, and this dataset has none yet: {n} starts one")
	starts := boundAction{why: reasonUnless(m.Scheduler != nil, noStarter), do: func(string) tea.Cmd { return m.composer.openFormFor(d.Name) }}
	out["new_run"] = starts
	starts.says = "new run"
	out["open"] = starts
	return out
}

func queueActions(m *Model) boundActions {
	q, ok := m.queues.currentRow()
	none := reasonUnless(ok, "there is no queue yet")
	out := disabledRunActions("steers runs: {tab} goes to them")
	out["open"] = boundAction{says: "review", why: none, do: sendMessage(OpenQueue{Queue: q.Name})}
	out["report"] = boundAction{says: "report", why: none, do: sendMessage(OpenReport{Queue: q.Name, Pairs: q.Rule.From == annotate.FromPairs})}
	out["guideline_page"] = boundAction{says: "guideline", why: none, do: sendMessage(annotation.OpenGuideline{Queue: q.Name})}
	return out
}

func jobActions(m *Model) boundActions {
	j, ok := m.jobs.currentRow()
	none := reasonUnless(ok, "there is no judge run")
	off := cmp.Or(none, reasonUnless(m.JobControl != nil, "this project is open read-only"))
	steer := func(s job.Steering) func(string) tea.Cmd {
		return func(string) tea.Cmd { return job.SteerJob(m.ctx, m.JobControl, &j, s, &m.Spelling) }
	}
	return boundActions{
		"open":        {says: "results", why: none, do: sendMessage(OpenJob{Job: j.ID})},
		"details":     {why: none, do: sendMessage(OpenJob{Job: j.ID})},
		"errors":      {why: none, do: sendMessage(OpenJob{Job: j.ID, Errors: true})},
		"judge":       {why: "{J} is for runs, whose answers the rules could not read: {tab} goes to them"},
		"judge_votes": {says: "votes like these", why: reasonUnless(m.JobControl != nil, noStarter), do: sendMessage(NewVotes{Like: j.ID})},
		"pause":       {says: pauseWord(ok && j.CanResume()), why: cmp.Or(off, j.NoPause), do: steer(job.PauseOrResume)},
		"retry":       {why: cmp.Or(off, j.NoRetry), do: steer(job.Retry)},
		"report":      {says: "report", why: cmp.Or(none, reasonUnless(j.Work == eval.Voting, "it is of votes")), do: sendMessage(OpenVotes{Dataset: j.Dataset})},
		"cancel": {why: cmp.Or(off, j.NoCancel), do: func(string) tea.Cmd {
			m.question = j.NewCancelQuestion(m.ctx, m.JobControl, &m.Spelling)
			return nil
		}},
	}
}

// pageActions are those of the page of a run.
func pageActions(m *Model) boundActions {
	out, p := runListActions(m), &m.side
	says := "errors"
	if m.errors {
		says = "answers"
	}
	maps.Copy(out, boundActions{
		"open":   {says: "sample", why: reasonUnless(p.page.answers && len(p.answers.rows) > 0, "no answers are selected"), do: func(string) tea.Cmd { return p.openAnswer() }},
		"other":  {says: "next part", do: func(string) tea.Cmd { return p.nextPart() }},
		"errors": {says: says, do: func(string) tea.Cmd { p.page.answers = true; return m.listAnswers(!m.errors) }},
		"refresh": {why: reasonUnless(p.answers.held, nothingNew), do: func(string) tea.Cmd {
			p.answers.showNewest()
			return m.readAnswers()
		}},
		"more_room": {why: reasonUnless(m.isWide(), "this part has the whole screen"), do: func(key string) tea.Cmd { p.pageSpace.Press(key); return nil }},
		"details":   {do: func(string) tea.Cmd { m.GoBack(); return nil }},
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
