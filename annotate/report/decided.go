package report

import (
	"context"
	"fmt"

	"concord/eval"
	"concord/eval/metric"
)

// Decided is what a run makes of each question of its dataset under a strategy.
type Decided struct {
	Source Source
	Rules  string // name@version
	Judge  string // that completes their readings; "": none
	Marks  metric.Marks
	Passes []eval.Pass // to look at first, by sample
}

// Decide decides every question of a run, in the order of its dataset, and
// tells each with its verdict.
func Decide(
	ctx context.Context, facts Facts, run eval.Run, o *Options, strategy eval.Strategy, m *Progress, tell func(*eval.Sample, metric.Verdict),
) (*Decided, error) {
	scheme, f, err := SchemeOf(ctx, facts, run, o)
	if err != nil {
		return nil, err
	}
	d := &Decided{Source: f.Source(), Rules: eval.ReaderID(f.Rules), Judge: f.Second}
	n := 0
	for q, err := range facts.Questions(ctx, run) {
		if err != nil {
			return nil, fmt.Errorf("read questions: %w", err)
		}
		outcome := scheme.Outcome(&q)
		verdict := outcome.Vanilla
		if strategy == eval.Circular {
			verdict = outcome.Circular
		}
		d.Marks.Set(q.Sample.Ordinal, metric.MarkOf(verdict))
		for int(q.Sample.Ordinal) >= len(d.Passes) {
			d.Passes = append(d.Passes, 0)
		}
		if strategy == eval.Circular {
			d.Passes[q.Sample.Ordinal], _ = outcome.Deciding()
		}
		tell(&q.Sample, verdict)
		if n++; n == BatchSize {
			m.Add(n)
			n = 0
		}
	}
	return d, context.Cause(ctx)
}

// Pass is the pass of a question to look at first.
func (d *Decided) Pass(o eval.Ordinal) eval.Pass {
	if int(o) >= len(d.Passes) {
		return 0
	}
	return d.Passes[o]
}

// Extractor is who read the answers, as rows name it.
func (d *Decided) Extractor() string { return d.Source.Extractor }
