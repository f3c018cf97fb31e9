package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/judge"
	"concord/eval/openai"
)

// ModelCalls writes the calls of the model that a run waits for: of each
// question the passes that can be asked now, but for those that wait for a
// judge. It returns how many questions cannot be asked at all.
func (l *Factory) ModelCalls(ctx context.Context, run eval.Run, w *BatchWriter) (unasked int, err error) {
	asker, err := l.asker(run)
	if err != nil {
		return 0, err
	}
	reader, err := facts.ReaderOf(run)
	if err != nil {
		return 0, err
	}
	m := asker.Chatter.(*openai.Model)
	for q, err := range l.Store.Runs().Questions(ctx, run) {
		if err != nil {
			return unasked, err
		}
		if awaitsJudge(run, &q, reader) {
			w.Held++
			continue
		}
		for _, pass := range eval.Due(run.Config, &q, reader) {
			r := eval.Request{Run: run, Sample: q.Sample, Pass: pass, Shown: q.Sample.Show(pass), Pictures: l.Store.Datasets().Picture}
			chat, err := asker.Chat(r)
			if isSampleFailure(err) {
				unasked++
				break
			}
			if err != nil {
				return unasked, err
			}
			if err := w.call(m, CallID{Mark: MarkOf(run), Key: r.Key()}, chat); err != nil {
				return unasked, err
			}
		}
	}
	return unasked, nil
}

// awaitsJudge reports whether the run's judge has still to read an answer that
// decides about the next pass: a run that is asked call by call waits for it.
func awaitsJudge(run eval.Run, q *eval.Question, reader eval.Reader) bool {
	decider := run.Config.Decider()
	if decider == "" || run.Config.Strategy != eval.Circular || run.Config.AllPasses {
		return false
	}
	for i := range q.Predictions {
		p := &q.Predictions[i]
		asked := slices.ContainsFunc(q.Judgments, func(j eval.Judgment) bool { return j.Key == p.Key && j.Judge == decider })
		if p.Failure == nil && !asked && eval.Read(reader, &q.Sample, p).IsUnparsable() {
			return true
		}
	}
	return false
}

// JudgeCalls writes the calls of a run's judges, or of those that are named,
// about the predictions that they have not read yet.
func (l *Factory) JudgeCalls(ctx context.Context, run eval.Run, o *Order, w *BatchWriter) (unasked int, err error) {
	setups := run.Config.Settings.Judges
	if len(o.Judges) > 0 {
		if setups, err = l.JudgeSetups(ctx, run.Config.Dataset, o.Judges, o.Language); err != nil {
			return 0, err
		}
	}
	if setups = own(run, setups); len(setups) != 1 {
		return 0, cli.Usage(fmt.Errorf("run %d has %s: name the one to write calls for with --judge", run.ID, cli.Count(len(setups), "judge")))
	}
	reader, err := facts.ReaderOf(run)
	if err != nil {
		return 0, err
	}
	j, err := l.judge(ctx, run, setups[0], false)
	if err != nil {
		return 0, err
	}
	m, err := l.Models.chatter(setups[0].Judge, setups[0].Endpoint, setups[0].Name, setups[0].Params, 0)
	if err != nil {
		return 0, err
	}
	hash, _ := judge.Hash(setups[0])
	for q, err := range l.Store.Runs().Questions(ctx, run) {
		if err != nil {
			return unasked, err
		}
		for i := range q.Predictions {
			p := &q.Predictions[i]
			if p.Failure != nil || !eval.Read(reader, &q.Sample, p).IsUnparsable() || judged(&q, p.Key, setups[0].Judge) {
				continue
			}
			chat, err := j.Chat(eval.Judging{Run: run, Sample: q.Sample, Shown: p.Asked(&q.Sample), Prediction: *p})
			if isSampleFailure(err) {
				unasked++
				continue
			}
			if err != nil {
				return unasked, err
			}
			if err := w.call(m, CallID{Mark: MarkOf(run), Key: p.Key, Setup: hash[:SetupMark]}, chat); err != nil {
				return unasked, err
			}
		}
	}
	return unasked, nil
}

// judged reports whether a judge has had its say on a prediction.
func judged(q *eval.Question, k eval.Key, name string) bool {
	for i := range q.Judgments {
		if j := &q.Judgments[i]; j.Key == k && j.Judge == name && j.Final() {
			return true
		}
	}
	return false
}

func isSampleFailure(err error) bool {
	var f *eval.Failure
	return errors.As(err, &f) && f.Kind == eval.FailureSample
}
