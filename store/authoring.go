package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"concord/annotate/authoring"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/eval/dataset"
	"concord/store/file"
	"concord/store/record"
)

// AuthoredOrigin is the origin of datasets whose samples are written in the project.
const AuthoredOrigin = "written here"

// Authoring keeps what people did about samples that are written here, act by act. The
// acts of a sample, and those of a dataset, are one range.
type Authoring struct{ s *Store }

// Authoring is the handle of samples that are written.
func (s *Store) Authoring() *Authoring { return &Authoring{s} }

// Append commits an act, with the bytes of images that it brings along, and gives the
// sample as it stands then. The first act on a sample may leave its number open. One
// that may not come next gives the reason of authoring.Set.WithAct. What is accepted is
// a sample of the dataset from then on, in the same transaction.
func (a *Authoring) Append(ctx context.Context, act authoring.Act, images map[eval.PictureHash][]byte) (set authoring.Set, err error) {
	if err := errors.Join(record.CheckName("dataset", string(act.Dataset)), record.CheckName("person", string(act.Who))); err != nil {
		return set, err
	}
	pictures, size, err := picturesOf([]dataset.Item{{Pictures: images}})
	if err != nil {
		return set, err
	}
	err = a.s.file.Apply(ctx, size+2*len(act.Text)+512, func(tx *file.Tx) error {
		one := act
		if err := a.admit(tx, &one); err != nil {
			return file.Reject(err)
		}
		if set, err = a.foldActs(tx, one.Dataset, one.Sample); err == nil {
			set, err = set.WithAct(one)
		}
		if err == nil && set.ID != "" && one.Kind != criteria.RequestedChanges {
			err = a.requireUnanswered(tx, one.Dataset, set.ID)
		}
		if err != nil {
			return file.Reject(err)
		}
		if err := putPictures(tx, pictures); err != nil {
			return err
		}
		if one.Kind == criteria.Accepted {
			if err := a.putAccepted(tx, one.Dataset, &set); err != nil {
				return err
			}
		}
		return bindAct(a.s, record.AuthoringActs, tx, record.AuthoringActs.Key(&one), &one)
	})
	return set, eval.WrapError(err, "written sample %d of %s", act.Sample, act.Dataset)
}

// admit numbers the first act on a sample, and refuses datasets that are of a file, or
// hold samples of another original.
func (a *Authoring) admit(tx *file.Tx, one *authoring.Act) error {
	ds, err := a.s.Datasets().readDataset(tx, one.Dataset)
	if err == nil && (ds.Origin != AuthoredOrigin || ds.Hash != "") {
		return fmt.Errorf("dataset %s came from %s and is not written on: choose another name", ds.Name, ds.Origin)
	}
	prefix := record.AppendName(nil, string(one.Dataset))
	last, any := tx.Table(record.TableAuthoring).LastUnder(prefix)
	if !any {
		one.Sample = eval.Either(one.Original == "", max(one.Sample, 1), one.Sample)
		return nil
	}
	before, err := decodeRecord(a.s, record.AuthoringActs, last.Key, last.Value)
	switch {
	case err != nil:
		return err
	case before.Original != one.Original:
		return fmt.Errorf("dataset %s holds %s: choose another name", one.Dataset, eval.Either(before.Original == "", "samples that are written in it", "translations of "+string(before.Original)))
	case one.Sample == 0 && one.Original == "":
		one.Sample = eval.Ordinal(binary.BigEndian.Uint32(last.Key[len(prefix):])) + 1
	}
	return nil
}

func (a *Authoring) foldActs(tx *file.Tx, d eval.DatasetName, o eval.Ordinal) (authoring.Set, error) {
	acts, err := file.Collect(eachUnder(a.s, record.AuthoringActs, tx, record.SampleKey(d, o)))
	return authoring.Fold(acts), err
}

// requireUnanswered refuses to change a sample of the dataset that a run has answered.
func (a *Authoring) requireUnanswered(tx *file.Tx, d eval.DatasetName, id eval.SampleID) error {
	o, ok := record.DecodeNumber(tx.Table(record.TableSampleIDs).Get(record.IDKey(d, id)))
	if !ok {
		return nil
	}
	for run, err := range eachUnder(a.s, record.Runs, tx, nil) {
		if err != nil || run.Config.Dataset != d {
			continue
		}
		if _, answered := tx.Table(record.TablePredictions).LastUnder(record.PredictionKey(eval.Key{Run: run.ID, Sample: eval.Ordinal(o)})[:12]); answered {
			return fmt.Errorf("run %d has answered sample %s as it was accepted, so that it stays: write a new sample from it", run.ID, id)
		}
	}
	return nil
}

// putAccepted puts a sample into the dataset, which the first one makes.
func (a *Authoring) putAccepted(tx *file.Tx, name eval.DatasetName, set *authoring.Set) error {
	d := a.s.Datasets()
	ds, err := d.readDataset(tx, name)
	if errors.Is(err, eval.ErrNotFound) {
		ds, err = eval.Dataset{Name: name, Complete: true, Origin: AuthoredOrigin}, nil
	}
	if err != nil {
		return err
	}
	s, err := set.Sample()
	if err != nil {
		return err
	}
	s.Ordinal = eval.Ordinal(ds.Samples)
	if o, ok := record.DecodeNumber(tx.Table(record.TableSampleIDs).Get(record.IDKey(name, s.ID))); ok {
		s.Ordinal = eval.Ordinal(o)
	}
	rows, err := d.makeSampleRows(name, []dataset.Item{{Sample: s}})
	if err != nil {
		return err
	}
	added, err := putRows(tx, rows)
	if err != nil {
		return err
	}
	ds.Samples += added
	ds.Added += added
	return putValue(a.s, record.Datasets, tx, &ds)
}

// All yields the samples that are written for a dataset, in their order; "" for all
// datasets. One with an act that cannot be read yields an error, and the scan goes on.
func (a *Authoring) All(ctx context.Context, d eval.DatasetName) iter.Seq2[authoring.Set, error] {
	return func(yield func(authoring.Set, error) bool) {
		var acts []authoring.Act
		flush := func() bool {
			of := acts
			acts = nil
			return len(of) == 0 || yield(authoring.Fold(of), nil)
		}
		prefix := eval.Either(d == "", nil, record.AppendName(nil, string(d)))
		for act, err := range scanUnder(ctx, a.s, record.AuthoringActs, prefix) {
			next := err == nil && len(acts) > 0 && (acts[0].Dataset != act.Dataset || acts[0].Sample != act.Sample)
			if next && !flush() || err != nil && !yield(authoring.Set{}, err) {
				return
			}
			if err == nil {
				acts = append(acts, act)
			}
		}
		flush()
	}
}
