package eval

// Count is what one question adds to its run's totals, as r reads it: for
// counting a run anew when the rules have changed. Of the judges it knows the
// one that decides, by the question's Judgments. The usage is that of the
// predictions that are there, without failures that answers took the place of.
func Count(c Config, q *Question, r Reader) Counts {
	out := Counts{Predictions: len(q.Predictions), Reader: ReaderID(r)}
	passes := make([]PassState, q.Sample.Passes())
	for i := range q.Predictions {
		p := &q.Predictions[i]
		out.Usage.Add(p.Usage)
		reading := Read(r, &q.Sample, p)
		if p.Failure != nil {
			out.Failures++
		} else {
			out.Statuses[reading.Status]++
		}
		if int(p.Pass) < len(passes) {
			passes[p.Pass] = StateOfPass(p, p.Asked(&q.Sample), reading, c.Decider(), q.Judgments)
		}
	}
	done := c.Origin == Imported && len(q.Predictions) > 0 // a file does not grow
	if done || IsClosed(c.Strategy, c.AllPasses, passes, len(passes)) {
		out.Questions = 1
	}
	return out
}
