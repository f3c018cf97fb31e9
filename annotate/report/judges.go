package report

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"concord/eval"
)

// Questions are those of a run, in the order of its dataset, or why they end.
type Questions = iter.Seq2[eval.Question, error]

// Judgments is what judges read in a run. Of several judgments of one judge on
// one prediction the last one that reads counts, by sequence and not by time.
type Judgments struct {
	names  []string // of all that were asked, also of those that never replied
	ByKey  map[string]map[eval.Key]eval.Judgment
	failed map[string]map[eval.Key]bool // calls that failed; a reading may stand beside one. True: it is made again
}

// JudgesOf reads the judgments of a run.
func JudgesOf(ctx context.Context, facts Facts, run eval.RunID) (*Judgments, error) {
	js := &Judgments{ByKey: make(map[string]map[eval.Key]eval.Judgment), failed: make(map[string]map[eval.Key]bool)}
	for j, err := range facts.Judgments(ctx, run) {
		if err != nil {
			return nil, fmt.Errorf("read judgments of run %d: %w", run, err)
		}
		js.add(&j)
	}
	slices.Sort(js.names)
	return js, nil
}

func (js *Judgments) add(j *eval.Judgment) {
	if js.ByKey[j.Judge] == nil && js.failed[j.Judge] == nil {
		js.names = append(js.names, j.Judge)
	}
	if j.Reads() {
		put(js.ByKey, j.Judge, j.Key, *j)
	} else {
		put(js.failed, j.Judge, j.Key, !j.Final())
	}
}

func put[T any](m map[string]map[eval.Key]T, judge string, k eval.Key, v T) {
	if m[judge] == nil {
		m[judge] = make(map[eval.Key]T)
	}
	m[judge][k] = v
}

func (js *Judgments) reading(judge string) func(eval.Key) (eval.Extraction, bool) {
	m := js.ByKey[judge]
	return func(k eval.Key) (eval.Extraction, bool) {
		j, ok := m[k]
		return j.Extraction, ok
	}
}

// CompareKeys orders predictions by run, sample and pass.
func CompareKeys(a, b eval.Key) int {
	return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Sample, b.Sample), cmp.Compare(a.Pass, b.Pass))
}
