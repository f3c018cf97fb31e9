package eval

import "time"

// ExternalScore is a model's score on a benchmark that was measured elsewhere, as
// whoever measured it prints it: a fact, with its source. Reports that take it
// mark it as external. It is no Score, which a judge gives one answer.
type ExternalScore struct {
	Benchmark string  // as a dataset is named, where the project has one of it
	Model     string  // as runs name it
	Metric    string  // such as accuracy, perception or S_wv
	Value     float64 // in the metric's own unit; accuracies in percent
	Source    string  // who says so: a paper and its table, a leaderboard
	N         int     // over how many items; 0: not told
	File      string  // where it came from
	At        time.Time
	Revision  int // from 0, of the measures of its benchmark, model and metric
}

// SaysSame reports whether the two say the same of the same, wherever they came
// from.
func (m *ExternalScore) SaysSame(o *ExternalScore) bool {
	return m.Benchmark == o.Benchmark && m.Model == o.Model && m.Metric == o.Metric &&
		m.Value == o.Value && m.Source == o.Source && m.N == o.N
}
