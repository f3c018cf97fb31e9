package eval

// Due are the passes of a question that can be asked now, for whoever asks
// elsewhere than through a Runner: under early stop the next one, since what
// it gives decides about those behind it, else all that are missing. Calls
// that failed are asked again, but for those that the sample is to blame for.
func Due(c Config, q *Question, r Reader) []Pass {
	total := 1
	if c.Strategy == Circular {
		total = q.Sample.Passes()
	}
	passes := make([]PassState, total)
	for i := range q.Predictions {
		if p := &q.Predictions[i]; int(p.Pass) < total {
			passes[p.Pass] = StateOfPass(p, p.Asked(&q.Sample), Read(r, &q.Sample, p), c.Decider(), q.Judgments)
		}
	}
	var due []Pass
	for {
		p, done := Next(c.Strategy, c.AllPasses, passes, total)
		if done {
			return due
		}
		due = append(due, p)
		if c.Strategy == Circular && !c.AllPasses {
			return due
		}
		passes[p] = PassOpen
	}
}
