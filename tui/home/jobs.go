package home

import (
	"cmp"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

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

// confirmEnd takes the answer to whether a job is to end; enter is the safe
// one.
func confirmEnd(m *board, msg tea.KeyMsg) tea.Cmd {
	id := m.ending
	switch msg.String() {
	case "y":
		m.ending = ""
		for i := range m.jobs {
			if m.jobs[i].ID == id {
				return job.Steer(m.ctx, m.jobControl, &m.jobs[i], job.Cancel, &m.Spelling)
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
	if m.jobControl == nil {
		return widget.Tell(widget.Info, noStarter)
	}
	j, ok := m.job()
	if !ok || m.focus != atJobs {
		return widget.Send(NewVotes{})
	}
	return widget.Send(NewVotes{Like: j.ID})
}

// jobKeys are the bindings as they read for the job under the cursor.
func jobKeys(m *board, k keys) keys {
	j, ok := m.job()
	off := ""
	switch {
	case !ok:
		off = "there is no judge run"
	case m.jobControl == nil:
		off = "this project is open read-only"
	}
	k.open.SetHelp("enter", "results")
	k.open = widget.When(k.open, ok, off)
	k.errors = widget.When(k.errors, ok, off)
	for _, b := range []*key.Binding{&k.details, &k.judge, &k.again} {
		*b = widget.Able(*b, "it is of a run, and a judge run is selected")
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
