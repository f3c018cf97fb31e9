package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"concord/eval"
	"concord/eval/prompt"
)

// survey is what a dataset holds, as far as a run over it depends on that.
type survey struct {
	dataset  eval.Dataset
	kinds    map[eval.Kind]int
	pictured int // samples with a picture
}

// survey looks through a dataset once.
func (l *lab) survey(ctx context.Context, name eval.DatasetName) (survey, error) {
	d, err := l.st.Datasets().Dataset(name)
	if err != nil {
		if errors.Is(err, eval.ErrNotFound) {
			err = fmt.Errorf("%w (see: concord import dataset --help)", err)
		}
		return survey{}, err
	}
	if !d.Complete {
		return survey{}, fmt.Errorf("dataset %s was not imported to the end: the same import goes on with it", name)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, ok := l.surveys[name]; ok && s.dataset.Hash == d.Hash {
		return s, nil
	}
	s := survey{dataset: d, kinds: make(map[eval.Kind]int)}
	for sample, err := range l.st.Datasets().Samples(ctx, name) {
		if err != nil {
			return s, err
		}
		s.kinds[sample.Kind]++
		if len(sample.Pictures) > 0 {
			s.pictured++
		}
	}
	l.surveys[name] = s
	return s, nil
}

// kindList are the kinds of a dataset's samples, in their order.
func (s *survey) kindList() []eval.Kind {
	var out []eval.Kind
	for _, k := range []eval.Kind{eval.KindChoice, eval.KindYesNo, eval.KindOpen} {
		if s.kinds[k] > 0 {
			out = append(out, k)
		}
	}
	return out
}

// templates are those that a run over the dataset fills in.
func (s *survey) templates(o *order) []string { return prompt.Names(s.kindList(), o.Modality, o.Shots) }

// judgeTemplates are those by which a judge reads its answers.
func (s *survey) judgeTemplates() []string {
	var out []string
	for _, k := range s.kindList() {
		if n := prompt.Reads(k); n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
