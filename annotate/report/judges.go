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
// one prediction the last one that reads counts, by sequence and not by time.
type judgments struct {
	names  []string // of all that were asked, also of those that never replied
	byKey  map[string]map[eval.Key]eval.Judgment
	failed map[string]map[eval.Key]bool // calls that failed; a reading may stand beside one
}

func judgesOf(ctx context.Context, facts Facts, run eval.RunID) (*judgments, error) {
	js := &judgments{byKey: make(map[string]map[eval.Key]eval.Judgment), failed: make(map[string]map[eval.Key]bool)}
	for j, err := range facts.Judgments(ctx, run) {
		if err != nil {
			return nil, fmt.Errorf("read judgments of run %d: %w", run, err)
		}
		js.add(&j)
	}
	slices.Sort(js.names)
	return js, nil
}

func (js *judgments) add(j *eval.Judgment) {
	if js.byKey[j.Judge] == nil && js.failed[j.Judge] == nil {
		js.names = append(js.names, j.Judge)
	}
	if j.Reads() {
		put(js.byKey, j.Judge, j.Key, *j)
	} else {
		put(js.failed, j.Judge, j.Key, true)
	}
}

func put[T any](m map[string]map[eval.Key]T, judge string, k eval.Key, v T) {
	if m[judge] == nil {
		m[judge] = make(map[eval.Key]T)
	}
	m[judge][k] = v
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
