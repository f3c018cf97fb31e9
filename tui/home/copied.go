package home

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
