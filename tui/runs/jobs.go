package runs

import (
	"cmp"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/jobs"
	"concord/tui/widget"
)

// focus is the list that keys move in.
type focus uint8

const (
	atRuns focus = iota
	atJobs
	atQueues
)

// OpenJob asks for the page of a job. Errors asks for what failed in it.
type OpenJob struct {
	Job    jobs.ID
	Errors bool
}

// NewVotes asks for the form in which a judging of votes is put together, at
// first as that of Like is; "" is none.
type NewVotes struct{ Like jobs.ID }

// GoToJob moves to a job, once it is in the list.
func (m *Model) GoToJob(id jobs.ID) {
	m.page.open = false
	m.unfilter()
	for i := range m.jobs {
		if m.jobs[i].ID == id {
			m.jobAt.Set(i, len(m.jobs), m.jobHeight()-2)
			m.focus, id = atJobs, ""
			break
		}
	}
	m.sought = id
}

// job is the job under the cursor.
func (m *Model) job() (jobs.Row, bool) {
	if m.jobAt.At < 0 || m.jobAt.At >= len(m.jobs) {
		return jobs.Row{}, false
	}
	return m.jobs[m.jobAt.At], true
}

func stirs(j jobs.Row) bool { return j.Moves() }

// turnFocus goes on to the next list that has rows, or to the one before.
func (m *Model) turnFocus(back bool) {
	step := focus(1)
	if back {
		step = 2
	}
	for range 3 {
		if m.focus = (m.focus + step) % 3; m.has(m.focus) {
			return
		}
	}
}

func (m *Model) has(f focus) bool {
	switch f {
	case atJobs:
		return len(m.jobs) > 0
	case atQueues:
		return len(m.queues) > 0
	case atRuns:
	}
	return true
}

// nextFocus names the list that tab goes to.
func (m *Model) nextFocus() string {
	names := [...]string{"runs", "judgings", "queues"}
	for f := (m.focus + 1) % 3; f != m.focus; f = (f + 1) % 3 {
		if m.has(f) {
			return names[f]
		}
	}
	return "queues"
}

// jobHeight is the height of the list of jobs, title and headings included;
// without any there is no such list.
func (m *Model) jobHeight() int {
	switch {
	case len(m.jobs) == 0:
		return 0
	case m.wide():
		return max(4, min(listNeeds(len(m.jobs)), m.height/4))
	}
	return min(listNeeds(len(m.jobs)), max(3, m.height/4))
}

// jobRoom is what the list takes where the detail stands beside the lists: a
// line between it and the next one, too.
func (m *Model) jobRoom() int {
	if len(m.jobs) == 0 {
		return 0
	}
	return m.jobHeight() + 1
}

// jobLines draw the list.
func (m *Model) jobLines(width int) []string {
	if len(m.jobs) == 0 {
		return nil
	}
	t := m.theme
	out := []string{t.Section("Judgings", m.counted(len(m.jobs), len(m.every.jobs), false, m.focus == atJobs), m.focus == atJobs, width)}
	out = append(out, t.Table(widget.Table{
		Columns: jobs.Columns(m.barWidth()),
		Rows:    len(m.jobs),
		Row:     func(i int) []string { return m.jobs[i].Cells(t, m.barWidth()) },
		Cursor:  m.jobAt,
		Focused: m.focus == atJobs,
	}, width, m.jobHeight()-1)...)
	if m.wide() {
		out = append(out, "")
	}
	return out
}

// jobDetail is the pane of a job.
func (m *Model) jobDetail(j *jobs.Row, width int) []string {
	t := m.theme
	sign, style := j.Glyph(t)
	name := widget.Cut(j.Title(), max(8, width-widget.Width(j.State())-6))
	line := t.Strong.Render(name) + "  " + style.Render(sign+" "+j.State())
	out := []string{widget.Cut(line, width), t.Field("sees", j.Ballot()+t.Faint.Render(" · "+widget.Line(string(j.Dataset))), jobs.NameWidth)}
	out = append(out, j.Overview(t, &m.Spelling, width, m.seen)...)
	return append(out, "", t.Key.Render(m.Spelled("enter"))+t.KeyText.Render(" shows results, positions and what could not be read"))
}

// pressJob takes a key on the list of jobs.
func (m *Model) pressJob(msg tea.KeyMsg) tea.Cmd {
	k := m.keys
	j, ok := m.job()
	if !ok {
		return nil
	}
	switch {
	case key.Matches(msg, k.start):
		return m.openForm()
	case key.Matches(msg, k.open, k.details):
		return send(OpenJob{Job: j.ID})
	case key.Matches(msg, k.errors):
		return send(OpenJob{Job: j.ID, Errors: true})
	case key.Matches(msg, k.cancel):
		if m.arbiter != nil && j.NoCancel == "" {
			m.ending = j.ID
			return nil
		}
		return jobs.Steer(m.ctx, m.arbiter, &j, jobs.Cancel, &m.Spelling)
	case key.Matches(msg, k.pause):
		return jobs.Steer(m.ctx, m.arbiter, &j, jobs.PauseOrResume, &m.Spelling)
	case key.Matches(msg, k.retry):
		return jobs.Steer(m.ctx, m.arbiter, &j, jobs.Retry, &m.Spelling)
	case key.Matches(msg, k.report) && j.Work == eval.Voting:
		return send(OpenVotes{Dataset: j.Dataset})
	case key.Matches(msg, k.judge):
		return notify(widget.Info, m.Keyed("{J} is for runs, whose answers the rules could not read: {tab} goes to them"))
	}
	return nil
}

// confirmEnd takes the answer to whether a job is to end; enter is the safe
// one.
func (m *Model) confirmEnd(msg tea.KeyMsg) tea.Cmd {
	id := m.ending
	switch msg.String() {
	case "y":
		m.ending = ""
		for i := range m.jobs {
			if m.jobs[i].ID == id {
				return jobs.Steer(m.ctx, m.arbiter, &m.jobs[i], jobs.Cancel, &m.Spelling)
			}
		}
	case "n", "enter":
		m.ending = ""
	}
	return nil
}

func (m *Model) endQuestion() []string {
	for i := range m.jobs {
		if m.jobs[i].ID == m.ending {
			return m.jobs[i].Question(m.theme, &m.Spelling, m.width, m.height)
		}
	}
	return nil
}

// newVotes asks for the form of a judging, as the one under the cursor is.
func (m *Model) newVotes() tea.Cmd {
	if m.arbiter == nil {
		return notify(widget.Info, noStarter)
	}
	j, ok := m.job()
	if !ok || m.focus != atJobs {
		return send(NewVotes{})
	}
	return send(NewVotes{Like: j.ID})
}

// jobKeys are the bindings as they read for the job under the cursor.
func (m *Model) jobKeys(k keys) keys {
	j, ok := m.job()
	off := ""
	switch {
	case !ok:
		off = "there is no judging"
	case m.arbiter == nil:
		off = "this project is open for reading only"
	}
	k.open.SetHelp("enter", "results")
	k.open.SetEnabled(ok)
	k.details.SetEnabled(false)
	k.errors.SetEnabled(ok)
	if ok && j.Resumes() {
		k.pause.SetHelp("p", "resume")
	}
	k.pause = widget.Able(k.pause, cmp.Or(off, j.NoPause))
	k.cancel = widget.Able(k.cancel, cmp.Or(off, j.NoCancel))
	k.retry = widget.Able(k.retry, cmp.Or(off, j.NoRetry))
	k.judge.SetEnabled(false)
	k.report.SetEnabled(ok && j.Work == eval.Voting)
	k.again.SetEnabled(false)
	k.votes.SetHelp("V", "votes like these")
	return k
}

// seek moves to the job that was started, once it is in the list.
func (m *Model) seek() {
	if m.sought != "" {
		m.GoToJob(m.sought)
	}
}
