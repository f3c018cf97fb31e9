package store

import (
	"bytes"
	"slices"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// unseen takes a project to schema 16: runs of our own that asked as with
// images about a dataset that has none, and judges' votes on samples without
// one, are said to be without since. Images are added to samples and never
// taken away, so what has none now had none then. Of others that are older
// than what each call is told to have sent, that stays unknown.
func unseen(tx *file.Tx) error {
	codec, err := record.NewCodec()
	if err != nil {
		return err
	}
	s := &Store{codec: codec}
	held, err := s.imagesHeld(tx)
	if err != nil {
		return err
	}
	datasets := make(map[eval.RunID]eval.DatasetName)
	var changed []eval.Run
	for run, err := range file.Records(tx.Table(record.TableRuns).Prefix(nil), s.Runs().read) {
		if err != nil {
			continue // a damaged record is left as it is
		}
		c := &run.Config
		datasets[run.ID] = c.Dataset
		if c.Origin == eval.Asked && c.Modality == eval.WithImage && len(held[c.Dataset]) == 0 {
			changed = append(changed, run)
		}
	}
	for i := range changed {
		if err := s.Runs().reconfigure(tx, &changed[i], eval.WithoutImages); err != nil {
			return err
		}
	}
	return s.Votes().separate(tx, func(run eval.RunID, o eval.Ordinal) bool {
		d, known := datasets[run]
		return known && !held[d][o]
	})
}

// imagesHeld are the samples with an image that the project holds, by dataset.
func (s *Store) imagesHeld(tx *file.Tx) (map[eval.DatasetName]map[eval.Ordinal]bool, error) {
	out := make(map[eval.DatasetName]map[eval.Ordinal]bool)
	for pair, err := range tx.Table(record.TableSamples).Prefix(nil) {
		if err != nil {
			return nil, err
		}
		name, _, ok := record.CutName(pair.Key)
		sample, err := s.Datasets().readSample(pair.Key, pair.Value)
		if !ok || err != nil || sample.Held() == 0 {
			continue
		}
		d := eval.DatasetName(name)
		if out[d] == nil {
			out[d] = make(map[eval.Ordinal]bool)
		}
		out[d][sample.Ordinal] = true
	}
	return out, nil
}

// reconfigure gives a run another modality, and has it found by that.
func (r *Runs) reconfigure(tx *file.Tx, run *eval.Run, m eval.Modality) error {
	old, err := r.configKey(run.Config)
	if err != nil {
		return err
	}
	configs := tx.Table(record.TableConfigs)
	if bytes.Equal(configs.Get(old), record.RunKey(run.ID)) {
		if err := configs.Delete(old); err != nil {
			return err
		}
	}
	run.Config.Modality = m
	key, err := r.configKey(run.Config)
	if err != nil {
		return err
	}
	if err := configs.Put(key, record.RunKey(run.ID)); err != nil {
		return err
	}
	return r.putRun(tx, run)
}

// separate puts the votes of judges that were to see an image, where there was
// none, into comparisons of their own, and counts both anew.
func (v *Votes) separate(tx *file.Tx, unseen func(eval.RunID, eval.Ordinal) bool) error {
	votes := tx.Table(record.TableVotes)
	var moved []file.Pair
	touched := make(map[eval.Comparison]bool)
	for pair, err := range votes.Prefix(nil) {
		if err != nil {
			return err
		}
		p, err := v.read(pair.Key, pair.Value)
		if err != nil || p.Input != eval.SeesImage || p.Prompt == "" || !unseen(p.First, p.Sample) {
			continue // damaged, or imported: nobody knows what was seen
		}
		moved = append(moved, file.Pair{Key: slices.Clone(pair.Key), Value: slices.Clone(pair.Value)})
	}
	for _, one := range moved {
		p, err := v.read(one.Key, one.Value)
		if err != nil {
			return err
		}
		touched[p.Comparison()] = true
		revision := one.Key[len(record.VoteKey(&p)):]
		p.Input = eval.SeesNothing
		touched[p.Comparison()] = true
		if err := votes.Delete(one.Key); err != nil {
			return err
		}
		if err := votes.Put(append(record.VoteKey(&p), revision...), one.Value); err != nil {
			return err
		}
	}
	return v.recount(tx, touched)
}

// recount counts comparisons anew from their votes. One without any is gone.
func (v *Votes) recount(tx *file.Tx, all map[eval.Comparison]bool) error {
	fresh := make(map[eval.Comparison]*eval.VoteCounts)
	for c := range all {
		var counts eval.VoteCounts
		var last *eval.Preference
		n := 0
		for p, err := range file.Records(tx.Table(record.TableVotes).Prefix(record.ComparisonKey(c)), v.read) {
			if err != nil {
				continue
			}
			if last != nil && last.Pair != p.Pair {
				last = nil
			}
			counts.Take(&p, last)
			if p.Reads() || last == nil || !last.Reads() {
				last = &p
			}
			n++
		}
		if n > 0 {
			fresh[c] = &counts
		} else if err := tx.Table(record.TableComparisons).Delete(record.ComparisonKey(c)); err != nil {
			return err
		}
	}
	return v.putCounts(tx, fresh)
}
