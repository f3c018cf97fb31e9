package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/prompt"
	"concord/store"
	"concord/tui/home"
)

// datasetFacts holds what a run over a dataset depends on.
type datasetFacts struct {
	dataset  eval.Dataset
	kinds    map[eval.Kind]int
	Pictured int // samples that have or name an image
	Absent   int // of those, samples with an image that the project does not hold
}

// Datasets looks through each dataset once, and again when it has changed.
type Datasets struct {
	Store *store.Store
	mu    sync.Mutex
	facts map[eval.DatasetName]datasetFacts // of those that were looked through
}

// Facts gives the facts of a dataset, or an error that names the datasets there are.
func (ds *Datasets) Facts(ctx context.Context, name eval.DatasetName) (datasetFacts, error) {
	d, err := ds.Store.Datasets().Dataset(name)
	if err != nil {
		if errors.Is(err, eval.ErrNotFound) {
			err = fmt.Errorf("%w (%s)", err, ds.names())
		}
		return datasetFacts{}, err
	}
	if !d.Complete {
		return datasetFacts{}, fmt.Errorf("dataset %s was not imported to the end: the same import continues it", name)
	}
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if s, ok := ds.facts[name]; ok && s.dataset == d {
		return s, nil
	}
	s := datasetFacts{dataset: d, kinds: make(map[eval.Kind]int)}
	for sample, err := range ds.Store.Datasets().Samples(ctx, name) {
		if err != nil {
			return s, err
		}
		s.kinds[sample.Kind]++
		n := sample.Images()
		if n > 0 {
			s.Pictured++
		}
		if sample.Held() < n {
			s.Absent++
		}
	}
	ds.facts[name] = s
	return s, nil
}

// names lists the datasets of the project, for an error about one that is missing.
func (ds *Datasets) names() string {
	all, err := ds.Store.Datasets().List()
	if err != nil || len(all) == 0 {
		return "the project holds no dataset; see: concord import dataset --help"
	}
	names := make([]string, len(all))
	for i, d := range all {
		names[i] = string(d.Name)
	}
	return "the project holds: " + cli.Few(names) + "; see: concord import dataset --help"
}

// sight refuses a run with images on a dataset without any, and says of others
// what is asked without.
func (s *datasetFacts) sight(m eval.Modality) (warning string, err error) {
	name, samples := s.dataset.Name, s.dataset.Samples
	const cure = "import the dataset with its images, ask with --modality text, or insist with --without-images"
	lacking := fmt.Sprintf("%d of %s", s.Absent, cli.Count(samples, "question"))
	switch m {
	case eval.WithoutImages:
		if s.Pictured == 0 {
			lacking = "all questions"
		}
		return fmt.Sprintf("dataset %s: %s are asked without images that they have or name: the run counts as modality %s", name, lacking, m), nil
	case eval.WithImage, eval.GreyImage:
	case eval.ModalityUnset, eval.TextOnly, eval.BaseText:
		return "", nil
	}
	switch {
	case s.Absent > 0 && s.Absent == samples:
		return "", fmt.Errorf("dataset %s: the project holds the images of none of its %s: %s", name, cli.Count(samples, "question"), cure)
	case s.Absent > 0:
		return fmt.Sprintf("dataset %s: %s cannot be asked, their images are not in the project: %s", name, lacking, cure), nil
	case s.Pictured == 0 && samples > 0 && m == eval.WithImage:
		return "", fmt.Errorf("dataset %s has no images, so no question can be asked with one: %s", name, cure)
	}
	return "", nil
}

// kindList are the kinds of a dataset's samples, in their order.
func (s *datasetFacts) kindList() []eval.Kind {
	var out []eval.Kind
	for _, k := range []eval.Kind{eval.KindChoice, eval.KindYesNo, eval.KindOpen} {
		if s.kinds[k] > 0 {
			out = append(out, k)
		}
	}
	return out
}

// templates are those that a run over the dataset fills in.
func (s *datasetFacts) templates(o *Order) []string {
	return prompt.Names(s.kindList(), o.Modality, o.Shots)
}

// judgeTemplates are those by which a judge reads its answers.
func (s *datasetFacts) judgeTemplates() []string {
	var out []string
	for _, k := range s.kindList() {
		if n := prompt.Reads(k); n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// choice describes a dataset for the form of a run.
func (ds *Datasets) choice(ctx context.Context, d eval.Dataset) (home.DatasetChoice, error) {
	c := home.DatasetChoice{Name: d.Name, Samples: d.Samples}
	if !d.Complete {
		c.Why = "its import has not finished: the same import continues it"
		return c, nil
	}
	v, err := ds.Facts(ctx, d.Name)
	if err != nil {
		return c, err
	}
	c.Pictures = v.Pictured
	for _, k := range []eval.Kind{eval.KindChoice, eval.KindYesNo, eval.KindOpen} {
		if v.kinds[k] > 0 {
			c.Kinds = append(c.Kinds, k)
		}
	}
	return c, nil
}
