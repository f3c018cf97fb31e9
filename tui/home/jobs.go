package home

import (
	"cmp"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

// OpenJob asks for the page of a job. Errors asks for what failed in it.
type OpenJob struct {
	Job    job.ID
	Errors bool
}

// NewVotes asks for the form in which a judging of votes is put together, at
// first as that of Like is; "" is none.
type NewVotes struct{ Like job.ID }

// GoToJob moves to a job, once it is in the list.
func (m *Model) GoToJob(id job.ID) {
	m.side.page.open = false
	m.unfilter()
	for i := range m.jobs {
		if m.jobs[i].ID == id {
			m.jobAt.Set(i, len(m.jobs), m.shownRows(atJobs))
			m.focus, id = atJobs, ""
			break
		}
	}
	m.sought = id
}

func stirs(j job.Row) bool { return j.Moves() }

func jobTable(m *board) widget.Table {
	return widget.Table{
		Columns: job.Columns(m.barWidth()),
		Row:     func(i int) []string { return m.jobs[i].Cells(m.theme, m.barWidth()) },
	}
}

// jobDetail is the pane of a job.
func jobDetail(m *board, j *job.Row, width int) []string {
	t := m.theme
	sign, style := j.Glyph(t)
	name := widget.Cut(j.Title(), max(8, width-widget.Width(j.State())-6))
	line := t.Strong.Render(name) + "  " + style.Render(sign+" "+j.State())
	out := []string{widget.Cut(line, width), t.Field("sees", j.Ballot()+t.Faint.Render(" · "+widget.Line(string(j.Dataset))), job.NameWidth)}
	out = append(out, j.Overview(t, &m.Spelling, width, m.seen)...)
	return append(out, "", t.Key.Render(m.Spelled("enter"))+t.KeyText.Render(" shows results, positions and what could not be read"))
}

// pressJob takes a key on the list of jobs.
func pressJob(m *Model, msg tea.KeyMsg) tea.Cmd {
	k := m.keys
	j, ok := m.job()
	if !ok {
		return nil
	}
	switch {
	case key.Matches(msg, k.start):
		return m.composer.openForm()
	case key.Matches(msg, k.open, k.details):
		return send(OpenJob{Job: j.ID})
	case key.Matches(msg, k.errors):
		return send(OpenJob{Job: j.ID, Errors: true})
	case key.Matches(msg, k.cancel):
		if m.arbiter != nil && j.NoCancel == "" {
			m.ending = j.ID
			return nil
		}
		return job.Steer(m.ctx, m.arbiter, &j, job.Cancel, &m.Spelling)
	case key.Matches(msg, k.pause):
		return job.Steer(m.ctx, m.arbiter, &j, job.PauseOrResume, &m.Spelling)
	case key.Matches(msg, k.retry):
		return job.Steer(m.ctx, m.arbiter, &j, job.Retry, &m.Spelling)
	case key.Matches(msg, k.report) && j.Work == eval.Voting:
		return send(OpenVotes{Dataset: j.Dataset})
	case key.Matches(msg, k.judge):
		return notify(widget.Info, m.Keyed("{J} is for runs, whose answers the rules could not read: {tab} goes to them"))
	}
	return nil
}

// confirmEnd takes the answer to whether a job is to end; enter is the safe
// one.
func confirmEnd(m *board, msg tea.KeyMsg) tea.Cmd {
	id := m.ending
	switch msg.String() {
	case "y":
		m.ending = ""
		for i := range m.jobs {
			if m.jobs[i].ID == id {
				return job.Steer(m.ctx, m.arbiter, &m.jobs[i], job.Cancel, &m.Spelling)
			}
		}
	case "n", "enter":
		m.ending = ""
	}
	return nil
}

func endQuestion(m *board) []string {
	for i := range m.jobs {
		if m.jobs[i].ID == m.ending {
			return m.jobs[i].Question(m.theme, &m.Spelling, m.width, m.height)
		}
	}
	return nil
}

// newVotes asks for the form of a judging, as the one under the cursor is.
func newVotes(m *board) tea.Cmd {
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
func jobKeys(m *board, k keys) keys {
	j, ok := m.job()
	off := ""
	switch {
	case !ok:
		off = "there is no judging"
	case m.arbiter == nil:
		off = "this project is open for reading only"
	}
	k.open.SetHelp("enter", "results")
	k.open = widget.When(k.open, ok, off)
	k.errors = widget.When(k.errors, ok, off)
	for _, b := range []*key.Binding{&k.details, &k.judge, &k.again} {
		*b = widget.Able(*b, "it is of a run, and a judging is in front")
	}
	if ok && j.Resumes() {
		k.pause.SetHelp("p", "resume")
	}
	k.pause = widget.Able(k.pause, cmp.Or(off, j.NoPause))
	k.cancel = widget.Able(k.cancel, cmp.Or(off, j.NoCancel))
	k.retry = widget.Able(k.retry, cmp.Or(off, j.NoRetry))
	k.report = widget.When(k.report, ok && j.Work == eval.Voting, "it is of votes")
	k.votes.SetHelp("V", "votes like these")
	return k
}

// seek moves to the job that was started, once it is in the list.
func seek(m *Model) {
	if m.sought != "" {
		m.GoToJob(m.sought)
	}
}
