package report

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"concord/eval"
)

type seqQuestions = iter.Seq2[eval.Question, error]

// judgments is what judges read in a run. Of several judgments of one judge on
// one prediction the last one counts, by sequence and not by time.
type judgments struct {
	names []string
	byKey map[string]map[eval.Key]eval.Judgment
}

func judgesOf(ctx context.Context, facts Facts, run eval.RunID) (*judgments, error) {
	js := &judgments{byKey: make(map[string]map[eval.Key]eval.Judgment)}
	for j, err := range facts.Judgments(ctx, run) {
		if err != nil {
			return nil, fmt.Errorf("read judgments of run %d: %w", run, err)
		}
		m, ok := js.byKey[j.Judge]
		if !ok {
			m = make(map[eval.Key]eval.Judgment)
			js.byKey[j.Judge] = m
			js.names = append(js.names, j.Judge)
		}
		m[j.Key] = j
	}
	slices.Sort(js.names)
	return js, nil
}

func (js *judgments) reading(judge string) func(eval.Key) (eval.Extraction, bool) {
	m := js.byKey[judge]
	return func(k eval.Key) (eval.Extraction, bool) {
		j, ok := m[k]
		return j.Extraction, ok
	}
}

func compareKeys(a, b eval.Key) int {
	return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Sample, b.Sample), cmp.Compare(a.Pass, b.Pass))
}
