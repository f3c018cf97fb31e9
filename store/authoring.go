package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

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

// Append commits an act, with the bytes of images that it brings along, and gives the sample as it stands
// then. The first act on a sample may leave its number open. One that may not come next gives the reason of
// authoring.Set.WithAct. What is accepted is a sample of the dataset from then on, in the same transaction.
func (a *Authoring) Append(ctx context.Context, act authoring.Act, images map[eval.PictureHash][]byte) (set authoring.Set, err error) {
	if err := errors.Join(record.CheckName("dataset", string(act.Dataset)), record.CheckName("person", string(act.Who))); err != nil {
		return set, err
	}
	pictures, size, err := collectPictures([]dataset.Item{{Pictures: images}})
	if err != nil {
		return set, err
	}
	err = a.s.file.Apply(ctx, size+2*len(act.Text)+512, func(tx *file.Tx) error {
		one := act
		if set, err = a.numberFirstAct(tx, &one); err != nil {
			return file.NewRejection(err)
		}
		if err = appendNewPictures(tx, pictures); err == nil && one.Kind == criteria.Accepted {
			err = a.putAcceptedSample(tx, &set)
		}
		if err != nil {
			return err
		}
		return putChainedAct(a.s, record.AuthoringActs, tx, record.AuthoringActs.Key(&one), &one)
	})
	return set, eval.WrapError(err, "written sample %d of %s", act.Sample, act.Dataset)
}

// numberFirstAct numbers the first act on a sample, and gives the sample behind the act. It refuses
// datasets that are of a file, or hold samples of another original.
func (a *Authoring) numberFirstAct(tx *file.Tx, one *authoring.Act) (set authoring.Set, err error) {
	if ds, err := a.s.Datasets().readDataset(tx, one.Dataset); err == nil && (ds.Origin != AuthoredOrigin || ds.Hash != "") {
		return set, fmt.Errorf("dataset %s came from %s and is not written on: choose another name", ds.Name, ds.Origin)
	}
	prefix := record.AppendName(nil, string(one.Dataset))
	next := eval.Ordinal(1)
	if last, any := tx.Table(record.TableAuthoring).LastUnder(prefix); any {
		before, err := decodeRecord(a.s, record.AuthoringActs, last.Key, last.Value)
		switch {
		case err != nil:
			return set, err
		case before.Original != one.Original:
			return set, fmt.Errorf("dataset %s holds %s: choose another name", one.Dataset, eval.Either(before.Original == "", "samples that are written in it", "translations of "+string(before.Original)))
		}
		next = before.Sample + 1
	}
	if one.Sample == 0 && one.Original == "" {
		one.Sample = next
	}
	acts, err := file.Collect(eachUnderPrefix(a.s, record.AuthoringActs, tx, record.SampleKey(one.Dataset, one.Sample)))
	before := authoring.FoldActs(acts)
	for n := int(one.N); n > 0 && n <= len(acts) && acts[n-1].Kind == criteria.Drafted && acts[n-1].Who != one.Who && before.State > criteria.Draft; n++ {
		one.N++ // somebody's draft of a change that came between is no conflict
	}
	if err == nil {
		set, err = before.WithAct(*one)
	}
	stays := one.Kind == criteria.RequestedChanges || one.Kind == criteria.Discarded || one.Kind == criteria.Accepted && before.State == criteria.Approved
	if err == nil && !stays {
		err = a.requireUnanswered(tx, &set)
	}
	if err == nil && set.Original != "" && (one.Kind == criteria.Submitted || one.Kind == criteria.Accepted) {
		err = a.checkAgainstOriginal(tx, &set)
	}
	return set, err
}

// checkAgainstOriginal refuses a translation with other choices than its original, or another answer.
func (a *Authoring) checkAgainstOriginal(tx *file.Tx, set *authoring.Set) error {
	original, err := a.s.Datasets().readSampleInTx(tx, set.Original, set.Sample)
	if err != nil {
		return err
	}
	translation, err := set.ToSample()
	return cmp.Or(err, authoring.CheckTranslationKeeps(&original, &translation))
}

// CheckUnanswered refuses a sample that a run has answered.
func (a *Authoring) CheckUnanswered(set *authoring.Set) error {
	return a.s.file.View(func(tx *file.Tx) error { return a.requireUnanswered(tx, set) })
}

// requireUnanswered refuses to change a sample of the dataset that a run has answered.
func (a *Authoring) requireUnanswered(tx *file.Tx, set *authoring.Set) error {
	o, ok := record.DecodeNumber(tx.Table(record.TableSampleIDs).Get(record.IDKey(set.Dataset, set.ID)))
	for run, err := range eachUnderPrefix(a.s, record.Runs, tx, nil) {
		if !ok || err != nil || run.Config.Dataset != set.Dataset {
			continue
		}
		of := record.PredictionKey(eval.Key{Run: run.ID, Sample: eval.Ordinal(o)})[:12]
		for p, err := range file.DecodeRecords(tx.Table(record.TablePredictions).ScanPrefix(of), a.s.codec.ReadPrediction) {
			if err == nil && p.Failure == nil {
				return fmt.Errorf("run %d has answered sample %s: %w", run.ID, set.ID, authoring.ErrAnswered)
			}
		}
	}
	return nil
}

// putAcceptedSample puts a sample into its dataset, which the first one makes.
func (a *Authoring) putAcceptedSample(tx *file.Tx, set *authoring.Set) error {
	ds, err := a.s.Datasets().readDataset(tx, set.Dataset)
	if errors.Is(err, eval.ErrNotFound) {
		ds, err = eval.Dataset{Name: set.Dataset, Complete: true, Origin: AuthoredOrigin}, nil
	}
	if err != nil {
		return err
	}
	s, err := set.ToSample()
	if err != nil {
		return err
	}
	o, ok := record.DecodeNumber(tx.Table(record.TableSampleIDs).Get(record.IDKey(ds.Name, s.ID)))
	if ok && !slices.ContainsFunc(set.Acts[:len(set.Acts)-1], func(a authoring.Act) bool { return a.Kind == criteria.Accepted }) {
		return file.NewRejection(fmt.Errorf("dataset %s has another sample %s, which was added to it: write a new one from this", ds.Name, s.ID))
	}
	s.Ordinal = eval.Ordinal(eval.Either(ok, o, uint64(ds.Samples)))
	return a.s.Datasets().putSample(tx, &ds, s)
}

// Acts yields the acts on the samples that are written for a dataset, sample by sample, each
// in order; "" for all datasets. One that cannot be read yields an error, and the scan goes on.
func (a *Authoring) Acts(ctx context.Context, d eval.DatasetName) iter.Seq2[authoring.Act, error] {
	return scanPrefix(ctx, a.s, record.AuthoringActs, prefixOfDatasetOrAll(d))
}

// AllSets yields the samples that are written for a dataset, in their order; "" for all
// datasets. One with an act that cannot be read yields an error, and the scan goes on.
func (a *Authoring) AllSets(ctx context.Context, d eval.DatasetName) iter.Seq2[authoring.Set, error] {
	return foldSamples(ctx, a.s, record.AuthoringActs, prefixOfDatasetOrAll(d), func(_ eval.Ordinal, acts []authoring.Act) authoring.Set { return authoring.FoldActs(acts) })
}

// Original gives what a translation is of, as it stands now, and its HashOriginal.
func (a *Authoring) Original(set *authoring.Set) (s eval.Sample, hash string, err error) {
	if s, err = a.s.Datasets().Sample(set.Original, set.Sample); err == nil {
		hash = authoring.HashOriginal(&s)
	}
	return s, hash, err
}

// DescribeStale says how many accepted translations of a dataset are of originals that have
// changed since, and what to do; "" for none.
func (a *Authoring) DescribeStale(ctx context.Context, d eval.DatasetName) (string, error) {
	all, err := eval.Collect(a.AllSets(ctx, d))
	n := eval.Count(all, func(s authoring.Set) bool {
		if s.Held == nil || s.Original == "" {
			return false
		}
		_, hash, unread := a.Original(&s)
		err = cmp.Or(err, unread)
		return s.Held.IsStale(hash)
	})
	if n == 0 {
		return "", err
	}
	return fmt.Sprintf("dataset %s: accepted translations whose original changed since: %d; concord translate makes drafts anew, concord author --dataset %[1]s accepts what is still true", d, n), err
}

// explainMissingDataset says of a dataset that is not there how far what is written for it is; nil for nothing.
func (a *Authoring) explainMissingDataset(d eval.DatasetName) error {
	all, err := eval.Collect(a.AllSets(context.Background(), d))
	by := func(of criteria.State) int {
		return eval.Count(all, func(s authoring.Set) bool { return s.State == of })
	}
	drafts, review, changes := by(criteria.Draft), by(criteria.InReview), by(criteria.ChangesRequested)
	if err != nil || drafts+review+changes == 0 {
		return err
	}
	return eval.NewNotFoundError("no sample of dataset %s is accepted yet: %d in draft, %d in review, %d with changes requested; somebody accepts them in concord author --dataset %[1]s", d, drafts, review, changes)
}

func prefixOfDatasetOrAll(d eval.DatasetName) []byte {
	return eval.Either(d == "", nil, record.AppendName(nil, string(d)))
}
