package report

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"concord/eval"
	"concord/eval/metric"
)

// Which names a figure of a row whose samples are asked for.
type Which string

// The figures that rows of several reports have.
const (
	Every      Which = "every" // all that the row is about, in any figure of it or in none
	Right      Which = "right"
	Wrong      Which = "wrong"      // not right: read as another option, or not read
	Incomplete Which = "incomplete" // of an inspection: an inspector has not decided them

	Agree    Which = "agree" // what two people, or people and a judge, say
	Disagree Which = "disagree"
)

// Selection is a figure of a row, and where in the taxonomy.
type Selection struct {
	Which Which
	Level []string // a prefix of the taxonomy; empty: all
	Part  any      // of the package that the row is of: what else tells its figures apart; nil: nothing
}

// Drill yields the predictions behind a figure of a row, in the order of
// samples. A question without a prediction is named by its pass 0.
func Drill(ctx context.Context, facts Facts, row Row, s Selection) iter.Seq2[eval.Key, error] {
	return row.Keys(ctx, facts, s)
}

// FailedKeys yields nothing but the error.
func FailedKeys(err error) iter.Seq2[eval.Key, error] {
	return func(yield func(eval.Key, error) bool) { yield(eval.Key{}, err) }
}

// Drilled is one question of a drill, decided.
type Drilled struct {
	*eval.Question
	Outcome metric.Outcome
	Scheme  *metric.Scheme
}

// Drill goes through the questions behind a row and yields the keys that pick
// names in each.
func (h *Head) Drill(
	ctx context.Context, facts Facts, o Options, s Selection, pick func(*Drilled) []eval.Key,
) iter.Seq2[eval.Key, error] {
	run, err := runOf(facts, h.Run)
	if err != nil {
		return FailedKeys(err)
	}
	scheme, _, err := SchemeOf(ctx, facts, run, &o)
	if err != nil {
		return FailedKeys(err)
	}
	return func(yield func(eval.Key, error) bool) {
		for q, err := range facts.Questions(ctx, run) {
			if err != nil {
				yield(eval.Key{}, fmt.Errorf("read questions: %w", err))
				return
			}
			if !h.Covers(&q.Sample) || !Under(q.Sample.Taxonomy, s.Level) {
				continue
			}
			for _, k := range pick(&Drilled{&q, scheme.Outcome(&q), scheme}) {
				if !yield(k, nil) {
					return
				}
			}
		}
	}
}

func runOf(facts Facts, id eval.RunID) (eval.Run, error) {
	runs, err := facts.Runs()
	if err != nil {
		return eval.Run{}, fmt.Errorf("list runs: %w", err)
	}
	for _, r := range runs {
		if r.ID == id {
			return r, nil
		}
	}
	return eval.Run{}, fmt.Errorf("find run %d: %w", id, eval.ErrNotFound)
}

// Covers reports whether the sample is of the row's split.
func (h *Head) Covers(s *eval.Sample) bool {
	return h.Split == AllSplits || h.Split == s.Split || h.Split == NoSplit && s.Split == ""
}

// Under reports whether a path begins with the prefix.
func Under(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

// Key is the prediction to look at first for the question.
func (q *Drilled) Key(run eval.RunID) []eval.Key {
	pass, _ := q.Outcome.Deciding()
	return []eval.Key{{Run: run, Sample: q.Sample.Ordinal, Pass: pass}}
}

// Records yields the predictions whose reading the test wants.
func (q *Drilled) Records(want func(i int, r *metric.Reading) bool) []eval.Key {
	var out []eval.Key
	for i := range q.Outcome.Readings {
		if want(i, &q.Outcome.Readings[i]) {
			out = append(out, q.Predictions[i].Key)
		}
	}
	return out
}
