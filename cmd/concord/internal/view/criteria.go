package view

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"

	"concord/eval/bound"
	"concord/eval/dataset"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/rubric"
	"concord/annotate/session"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/store"
	"concord/tui"
	criteriascreen "concord/tui/criteria"
)

// Criteria shows the store as the screen of criteria reads it.
type Criteria struct{ Store *store.Store }

var _ criteriascreen.Source = Criteria{}

// Datasets are all of the project.
func (c Criteria) Datasets() ([]eval.Dataset, error) { return c.Store.Datasets().List() }

// Rows are all samples of a dataset with their criteria.
func (c Criteria) Rows(ctx context.Context, d eval.DatasetName) ([]criteriascreen.Row, error) {
	sets, err := criteria.SetsBySample(c.Store.Criteria().All(ctx, d))
	if err != nil {
		return nil, err
	}
	stands, _, err := facts.Source{Store: c.Store}.Gradings(ctx, d)
	if err != nil {
		return nil, err
	}
	disputed := rubric.FindDisputed(stands, func(o eval.Ordinal) []criteria.Criterion { set := sets[o]; return set.Criteria() })
	var out []criteriascreen.Row
	for s, err := range c.Store.Datasets().Samples(ctx, d) {
		if err != nil {
			return nil, err
		}
		set, acted := sets[s.Ordinal]
		if !acted {
			set = criteria.NewSet(d, s.Ordinal)
		}
		out = append(out, criteriascreen.Row{Sample: s, Set: set, Disputed: disputed[s.Ordinal]})
	}
	return out, nil
}

// HiddenCriteria finds the samples whose criteria the queues of pairs keep from a
// person.
func HiddenCriteria(st *store.Store, policies *blind.Policies) func(context.Context, annotate.Annotator, eval.DatasetName) (map[eval.Ordinal]annotate.QueueName, error) {
	return func(ctx context.Context, who annotate.Annotator, d eval.DatasetName) (map[eval.Ordinal]annotate.QueueName, error) {
		out := make(map[eval.Ordinal]annotate.QueueName)
		policy, err := policies.NewPolicy(who, d)
		if err != nil || !policy.HidesCriteria() {
			return out, err
		}
		for s, err := range st.Datasets().Samples(ctx, d) {
			if err != nil {
				return nil, err
			}
			q, err := policy.CriteriaHiddenBy(s.Ordinal)
			if err != nil {
				return nil, err
			}
			if q != "" {
				out[s.Ordinal] = q
			}
		}
		return out, nil
	}
}

// Set gives the criteria of one sample.
func (c Criteria) Set(d eval.DatasetName, o eval.Ordinal) (criteria.Set, error) {
	return c.Store.Criteria().Set(d, o)
}

// Picture reads the bytes of a picture.
func (c Criteria) Picture(h eval.PictureHash) ([]byte, error) { return c.Store.Datasets().Picture(h) }

// Add adds a sample, with the picture that its path leads to.
func (c Criteria) Add(ctx context.Context, d eval.DatasetName, a criteriascreen.Addition) (eval.Sample, error) {
	item := dataset.Item{Sample: a.Sample}
	if a.Picture != "" {
		data, err := readPicture(a.Picture)
		if err != nil {
			return eval.Sample{}, err
		}
		sum := sha256.Sum256(data)
		hash := eval.PictureHash(hex.EncodeToString(sum[:]))
		item.Sample.Pictures = []eval.Picture{{Hash: hash, Name: filepath.Base(a.Picture)}}
		item.Pictures = map[eval.PictureHash][]byte{hash: data}
	}
	return c.Store.Datasets().AddSample(ctx, d, item)
}

// readPicture reads a file that is a picture, and not a large one.
func readPicture(path string) ([]byte, error) {
	data, err := bound.ReadFile(path, bound.Picture)
	if err != nil {
		return nil, fmt.Errorf("read image: %w", err)
	}
	if _, err := criteria.ReadSize(data); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

// Writers are all writers of people's acts, as one.
type Writers struct {
	Journal  *session.Journal
	Criteria *criteria.Writer
	Curation *curation.Journal
}

var _ tui.Saver = Writers{}

// State adds up what waits and what is saved.
func (s Writers) State() session.JournalState {
	out, more, verdicts := s.Journal.State(), s.Criteria.State(), s.Curation.State()
	out.Saved += more.Saved + verdicts.Saved
	out.Pending += more.Pending + verdicts.Pending
	for _, err := range []error{more.Err, verdicts.Err} {
		out.Err = cmp.Or(out.Err, err)
	}
	return out
}

// Flush waits until all have stored everything.
func (s Writers) Flush(ctx context.Context) error {
	return errors.Join(s.Journal.Flush(ctx), s.Criteria.Flush(ctx), s.Curation.Flush(ctx))
}
