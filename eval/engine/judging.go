package engine

import (
	"context"
	"fmt"

	"concord/eval"
)

// answer is an answer that the rules cannot read, and what judges make of it.
type answer struct {
	prediction eval.Prediction
	shown      eval.Shown
	wanted     []bool           // of each judge of the plan: it is to be asked
	last       []*eval.Judgment // of each judge of the plan: a stored call that failed; nil without
}

// expect notes an answer that judges are to read: those that have not had
// their say. Where only what failed is asked again, a stored answer is for
// those alone whose call failed. judgments are the newest that are stored.
func (t *task) expect(p *eval.Prediction, shown eval.Shown, reading eval.Extraction, stored bool, judgments []eval.Judgment) {
	judges := t.plan.Judges
	if len(judges) == 0 || p.Failure != nil || !reading.IsUnparsable() {
		return
	}
	a := answer{
		prediction: *p, shown: shown,
		wanted: make([]bool, len(judges)), last: make([]*eval.Judgment, len(judges)),
	}
	some := false
	for k, judge := range judges {
		name := judge.Name()
		a.wanted[k] = !stored || !t.plan.FailedOnly
		for i := range judgments {
			if j := &judgments[i]; j.Key == p.Key && j.Judge == name {
				a.wanted[k], a.last[k] = !j.Reads() && (t.plan.FailedOnly || !j.Final()), j
			}
		}
		some = some || a.wanted[k]
	}
	if some {
		t.answers = append(t.answers, a)
	}
}

// judging is the call that has judge k read answer i.
func (t *task) judging(i, k int) call {
	return call{to: t.judges[k], try: func(ctx context.Context, attempt int) outcome {
		out := t.judge(ctx, t.plan.Judges[k], &t.answers[i], attempt)
		return outcome{usage: out.Usage, failure: out.Failure, settle: func(ctx context.Context) error {
			return t.settleJudgment(ctx, i, k, out)
		}}
	}}
}

// judge asks a judge once. A panic of the judge is the sample's failure.
func (t *task) judge(ctx context.Context, judge eval.Judge, a *answer, attempt int) (j eval.Judgment) {
	start := t.plan.Now()
	name := judge.Name()
	defer func() {
		if v := recover(); v != nil {
			j = eval.Judgment{Failure: &eval.Failure{Kind: eval.FailureSample, Message: fmt.Sprintf("judge panicked: %v", v)}}
		}
		j.Key, j.Judge, j.At = a.prediction.Key, name, t.plan.Now()
		j.Latency = j.At.Sub(start)
	}()
	j, err := judge.Judge(ctx, eval.Judging{
		Run: t.plan.Run, Sample: t.sample, Shown: a.shown, Prediction: a.prediction, Attempt: attempt,
	})
	if err != nil {
		j.Failure = eval.FailureOf(err)
	}
	if j.Failure != nil {
		j.Extraction = eval.Extraction{}
	}
	return j
}

// settleJudgment makes a judgment durable, and then counts it. That of the
// decider decides over its pass.
func (t *task) settleJudgment(ctx context.Context, i, k int, j eval.Judgment) error {
	a := &t.answers[i]
	a.wanted[k] = false
	before := t.closed()
	decides := j.Judge == t.decider && j.Reads() && j.Extraction.IsFound()
	if decides && int(j.Pass) < t.total {
		t.passes[j.Pass] = eval.StateOf(a.shown, j.Extraction)
	}
	closes := t.closed() && !before
	if err := t.plan.Judgments.RecordJudgment(ctx, j, closes); err != nil {
		return fmt.Errorf("record judgment of %v by %s: %w", j.Key, j.Judge, err)
	}
	t.asking = t.plan.Model != nil
	t.tracker.judged(&j, a.last[k], closes)
	return nil
}
