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

// deed is what an action of the keymap does now.
type deed struct {
	says string // in words of its own; "": the keymap's
	why  string // why it cannot be done now, keys in braces; "" when it can
	do   func(key string) tea.Cmd
	asks bool // of the root, which says itself why not
}

// deeds are by the names of actions.
type deeds map[string]deed

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

// binding is an action's, as it reads now.
func binding(m *Model, all deeds, name string) key.Binding {
	var out key.Binding
	switch name {
	case "other":
		out = widget.Bind("tab", "", "tab", "shift+tab")
	case "more_room":
		out = widget.PaneKeys()
	case "back":
		return m.formKeys.Back
	case "up":
		return widget.Bind("↑↓", "move", "up")
	default:
		out = keymap.Runs.Bind(name)
	}
	d := all[name]
	out.SetHelp(out.Help().Key, cmp.Or(d.says, out.Help().Desc))
	return widget.Able(out, m.Keyed(d.why))
}

// bindings are those of actions, as they read now.
func (m *Model) bindings(names []string) []key.Binding {
	all := deedsOf(m)
	out := make([]key.Binding, len(names))
	for i, name := range names {
		out[i] = binding(m, all, name)
	}
	return out
}

// act does what a key means now, or says why it cannot be done.
func (m *Model) act(msg tea.KeyMsg) tea.Cmd {
	all := deedsOf(m)
	for name, d := range all {
		b := binding(m, all, name)
		if !slices.Contains(b.Keys(), msg.String()) {
			continue
		}
		if d.why != "" && !d.asks {
			return widget.Tell(widget.Info, m.Keyed(d.why))
		}
		return d.do(msg.String())
	}
	return nil
}

// send asks the root for something.
func send(msg tea.Msg) func(string) tea.Cmd {
	return func(string) tea.Cmd { return widget.Send(msg) }
}

// unless is a reason where something does not hold.
func unless(ok bool, why string) string {
	if ok {
		return ""
	}
	return why
}

// deedsOf are all that keys do now.
func deedsOf(m *Model) deeds {
	if m.side.page.open {
		return pageDeeds(m)
	}
	starts, votes := unless(m.Scheduler != nil, noStarter), unless(m.JobControl != nil, noStarter)
	out := deeds{
		"new_run":        {why: starts, do: func(string) tea.Cmd { return m.composer.openForm() }},
		"import":         {why: unless(m.Import, noStarter), do: send(OpenImport{}), asks: true},
		"connect":        {why: starts, do: send(OpenConnect{}), asks: true},
		"new_queue":      {says: "new annotation queue", why: starts, do: send(enrolled(m.board)), asks: true},
		"judge_votes":    {why: votes, do: send(NewVotes{})},
		"filter":         {why: unless(m.any(), "nothing is listed yet"), do: func(string) tea.Cmd { m.filter.Start(); return nil }},
		"guideline_page": {says: "guideline", why: "{guideline_page} is of queues: {tab} goes to them"},
		"other": {says: m.nextFocus(), why: unless(m.elsewhere(), "there is one list only"), do: func(key string) tea.Cmd {
			m.turnFocus(key == "shift+tab")
			settle(m)
			return nil
		}},
		"more_room": {do: func(key string) tea.Cmd { return give(m, key) }},
		"refresh":   {why: unless(m.side.answers.held, nothingNew), do: func(string) tea.Cmd { m.side.answers.follow(); return m.look() }},
	}
	switch m.focus {
	case atDatasets:
		maps.Copy(out, datasetDeeds(m))
	case atJobs:
		maps.Copy(out, jobDeeds(m))
	case atQueues:
		maps.Copy(out, queueDeeds(m))
	case atRuns, lists:
		maps.Copy(out, runDeeds(m))
	}
	return out
}

// foreign are the actions of runs where another list has the keys.
func foreign(why string) deeds {
	out := deeds{}
	for _, name := range []string{"open", "report", "pause", "cancel", "retry", "judge", "details", "errors"} {
		out[name] = deed{why: "{" + name + "} " + why}
	}
	return out
}

func runDeeds(m *Model) deeds {
	r, ok := m.runs.front()
	none := unless(ok, "there is no run")
	begun := cmp.Or(none, unless(m.Scheduler != nil, noStarter))
	return deeds{
		"open":    {says: "samples", why: none, do: send(OpenSamples{Run: r.Run.ID, Title: title(r)})},
		"report":  {says: "report", why: none, do: send(OpenReport{Run: r.Run.ID})},
		"details": {why: none, do: func(string) tea.Cmd { return m.side.openPage(false, false) }},
		"errors":  {why: none, do: func(string) tea.Cmd { return m.side.openPage(true, true) }},
		"pause":   {says: pauses(ok && resumes(r)), why: cmp.Or(none, whyNotPause(r)), do: func(string) tea.Cmd { return m.pause(r) }},
		"cancel":  {why: cmp.Or(none, whyNotCancel(r)), do: func(string) tea.Cmd { m.question = cancelling(m.board, r); return nil }},
		"retry":   {why: cmp.Or(begun, whyNotRetry(r)), do: func(string) tea.Cmd { return retry(m.board, r) }},
		"judge": {why: cmp.Or(begun, whyNotJudge(r)), do: func(string) tea.Cmd {
			m.seat(&jury{m: m.board, run: r.Run.ID})
			return m.jury.read()
		}},
	}
}

// pauses is what the key does that pauses and resumes.
func pauses(resumes bool) string {
	if resumes {
		return "resume"
	}
	return "pause"
}

func datasetDeeds(m *Model) deeds {
	d, _ := m.datasets.front()
	out := foreign("is for runs, and this dataset has none yet: {n} starts one")
	starts := deed{why: unless(m.Scheduler != nil, noStarter), do: func(string) tea.Cmd { return m.composer.openFormFor(d.Name) }}
	out["new_run"] = starts
	starts.says = "new run"
	out["open"] = starts
	return out
}

func queueDeeds(m *Model) deeds {
	q, ok := m.queues.front()
	none := unless(ok, "there is no queue yet")
	out := foreign("steers runs: {tab} goes to them")
	out["open"] = deed{says: "review", why: none, do: send(OpenQueue{Queue: q.Name})}
	out["report"] = deed{says: "report", why: none, do: send(OpenReport{Queue: q.Name, Pairs: q.Rule.From == annotate.FromPairs})}
	out["guideline_page"] = deed{says: "guideline", why: none, do: send(annotation.OpenGuideline{Queue: q.Name})}
	return out
}

func jobDeeds(m *Model) deeds {
	j, ok := m.jobs.front()
	none := unless(ok, "there is no judge run")
	off := cmp.Or(none, unless(m.JobControl != nil, "this project is open read-only"))
	steer := func(s job.Steering) func(string) tea.Cmd {
		return func(string) tea.Cmd { return job.Steer(m.ctx, m.JobControl, &j, s, &m.Spelling) }
	}
	return deeds{
		"open":        {says: "results", why: none, do: send(OpenJob{Job: j.ID})},
		"details":     {why: none, do: send(OpenJob{Job: j.ID})},
		"errors":      {why: none, do: send(OpenJob{Job: j.ID, Errors: true})},
		"judge":       {why: "{J} is for runs, whose answers the rules could not read: {tab} goes to them"},
		"judge_votes": {says: "votes like these", why: unless(m.JobControl != nil, noStarter), do: send(NewVotes{Like: j.ID})},
		"pause":       {says: pauses(ok && j.Resumes()), why: cmp.Or(off, j.NoPause), do: steer(job.PauseOrResume)},
		"retry":       {why: cmp.Or(off, j.NoRetry), do: steer(job.Retry)},
		"report":      {says: "report", why: cmp.Or(none, unless(j.Work == eval.Voting, "it is of votes")), do: send(OpenVotes{Dataset: j.Dataset})},
		"cancel": {why: cmp.Or(off, j.NoCancel), do: func(string) tea.Cmd {
			m.question = j.Cancelling(m.ctx, m.JobControl, &m.Spelling)
			return nil
		}},
	}
}

// pageDeeds are those of the page of a run.
func pageDeeds(m *Model) deeds {
	out, p := runDeeds(m), &m.side
	says := "errors"
	if m.errors {
		says = "answers"
	}
	maps.Copy(out, deeds{
		"open":   {says: "sample", why: unless(p.page.answers && len(p.answers.rows) > 0, "no answers are selected"), do: func(string) tea.Cmd { return p.openAnswer() }},
		"other":  {says: "next part", do: func(string) tea.Cmd { return p.turn() }},
		"errors": {says: says, do: func(string) tea.Cmd { p.page.answers = true; return m.list(!m.errors) }},
		"refresh": {why: unless(p.answers.held, nothingNew), do: func(string) tea.Cmd {
			p.answers.follow()
			return m.look()
		}},
		"more_room": {why: unless(m.wide(), "this part has the whole screen"), do: func(key string) tea.Cmd { p.pageSpace.Press(key); return nil }},
		"details":   {do: func(string) tea.Cmd { m.Back(); return nil }},
	})
	return out
}

// enrolled asks for a queue to label: of the run or dataset under the cursor.
func enrolled(m *board) OpenNewQueue {
	r, _ := m.runs.front()
	d, _ := m.datasets.front()
	switch m.focus {
	case atRuns:
		return OpenNewQueue{Dataset: r.Run.Config.Dataset, Run: r.Run.ID}
	case atDatasets:
		return OpenNewQueue{Dataset: d.Name}
	case atJobs, atQueues, lists:
	}
	return OpenNewQueue{}
}
