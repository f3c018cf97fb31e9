// Package unseen takes older projects to where calls without the image that was due are told from those
// with it: what ran as with images on a dataset that has none, and judges' votes on samples without
// one. Images are added to samples and never taken away, so what has none now had none then. Of other
// calls from before it was kept what they sent, that stays unknown.
package unseen

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// separation is the migration within its transaction.
type separation struct {
	tx    *file.Tx
	codec record.Codec
	held  map[eval.DatasetName]map[eval.Ordinal]bool // samples with an image that the project holds
	runs  map[eval.RunID]eval.DatasetName
}

// SeparateUnseen gives such runs another modality, and such votes a ballot of their
// own. A record that cannot be read is left as it is.
func SeparateUnseen(tx *file.Tx) error {
	codec, err := record.NewCodec()
	if err != nil {
		return err
	}
	s := separation{tx: tx, codec: codec, held: make(map[eval.DatasetName]map[eval.Ordinal]bool), runs: make(map[eval.RunID]eval.DatasetName)}
	return eval.Each([]func() error{s.findImageSamples, s.separateRuns, s.separateVotes}, func(do func() error) error { return do() })
}

func (s *separation) findImageSamples() error {
	return eval.ForEachRead(s.tx.Table(record.TableSamples).ScanPrefix(nil), func(pair file.Pair) {
		name, rest, ok := record.CutName(pair.Key)
		var r record.Sample
		if !ok || len(rest) != 4 || s.codec.Decode(record.TableSamples, pair.Key, pair.Value, &r) != nil {
			return
		}
		sample, d := r.ToSample(eval.Ordinal(binary.BigEndian.Uint32(rest))), eval.DatasetName(name)
		if sample.CountHeldImages() == 0 {
			return
		}
		eval.GetOrAdd(s.held, d, func() map[eval.Ordinal]bool { return make(map[eval.Ordinal]bool) })[sample.Ordinal] = true
	})
}

// separateRuns gives runs of our own that had no image to send another modality, by
// which they are found from then on.
func (s *separation) separateRuns() error {
	var changed []eval.Run
	for pair, err := range s.tx.Table(record.TableRuns).ScanPrefix(nil) {
		if err != nil {
			return err
		}
		r, err := record.Runs.Read(s.codec, pair.Key, pair.Value)
		if err != nil {
			continue
		}
		s.runs[r.ID] = r.Config.Dataset
		if r.Config.Origin == eval.Asked && r.Config.Modality == eval.WithImage && len(s.held[r.Config.Dataset]) == 0 {
			changed = append(changed, r)
		}
	}
	configs := s.tx.Table(record.TableConfigs)
	for _, r := range changed {
		old, err := s.hashConfig(&r.Config)
		if err == nil && bytes.Equal(configs.Get(old), record.RunKey(r.ID)) {
			err = configs.Delete(old)
		}
		if err != nil {
			return err
		}
		r.Config.Modality = eval.WithoutImages
		key, err := s.hashConfig(&r.Config)
		if err != nil {
			return err
		}
		raw, err := record.Runs.Encode(s.codec, &r)
		if err != nil {
			return err
		}
		if err := s.tx.Table(record.TableRuns).Put(record.RunKey(r.ID), raw); err != nil {
			return err
		}
		if err := configs.Put(key, record.RunKey(r.ID)); err != nil {
			return err
		}
	}
	return nil
}

// hashConfig gives how a run is found by its configuration.
func (s *separation) hashConfig(c *eval.Config) ([]byte, error) {
	raw, err := s.codec.EncodeBare(record.NewConfigRecord(c))
	sum := sha256.Sum256(raw)
	return sum[:], err
}

func (s *separation) readVote(key, raw []byte) (p eval.Preference, ok bool) {
	p, err := record.Votes.Read(s.codec, key, raw)
	return p, err == nil
}

// separateVotes puts the votes of judges that were to see an image, where there was
// none, into comparisons of their own. Of imported ones nobody knows.
func (s *separation) separateVotes() error {
	table := s.tx.Table(record.TableVotes)
	var moved []file.Pair
	for pair, err := range table.ScanPrefix(nil) {
		if err != nil {
			return err
		}
		p, ok := s.readVote(pair.Key, pair.Value)
		d, known := s.runs[p.First]
		if ok && known && p.Input == eval.SeesImage && p.Prompt != "" && !s.held[d][p.Sample] {
			moved = append(moved, file.Pair{Key: slices.Clone(pair.Key), Value: slices.Clone(pair.Value)})
		}
	}
	touched := make(map[eval.Comparison]bool)
	for _, one := range moved {
		p, _ := s.readVote(one.Key, one.Value)
		revision := one.Key[len(record.VoteKey(&p)):]
		touched[p.Comparison()] = true
		p.Input = eval.SeesNothing
		touched[p.Comparison()] = true
		if err := table.Delete(one.Key); err != nil {
			return err
		}
		if err := table.Put(append(record.VoteKey(&p), revision...), one.Value); err != nil {
			return err
		}
	}
	for c := range touched {
		if err := s.recountComparison(c); err != nil {
			return err
		}
	}
	return nil
}

// recountComparison counts a comparison anew from its votes. One without any is gone.
func (s *separation) recountComparison(c eval.Comparison) error {
	var counts eval.VoteCounts
	var last *eval.Preference
	key, n := record.ComparisonPrefix(c), 0
	for pair, err := range s.tx.Table(record.TableVotes).ScanPrefix(key) {
		if err != nil {
			return err
		}
		p, ok := s.readVote(pair.Key, pair.Value)
		if !ok {
			continue
		}
		if last != nil && last.Pair != p.Pair {
			last = nil
		}
		counts.CountVote(&p, last)
		if p.HasReply() || last == nil || !last.HasReply() {
			last = &p
		}
		n++
	}
	if n == 0 {
		return s.tx.Table(record.TableComparisons).Delete(key)
	}
	raw, err := record.Comparisons.Encode(s.codec, &eval.ComparisonProgress{Comparison: c, Counts: counts})
	if err != nil {
		return err
	}
	return s.tx.Table(record.TableComparisons).Put(key, raw)
}
