package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"

	"concord/eval"
)

// Hash is the hash of samples' text in their order: what tells one content of
// a dataset from another. Pictures are no part of it, nor is anything that a
// later version of this program may know of a sample.
func Hash(samples []eval.Sample) string {
	h := sha256.New()
	for i := range samples {
		writeSample(h, samples[i].ID, 0, digest(&samples[i]))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hash is the same of a file's samples, of which only digests are kept.
func (v *firstPass) hash() string {
	h := sha256.New()
	for i := range v.entries {
		if e := &v.entries[i]; e.first {
			writeSample(h, e.id, e.pass, e.digest)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func writeSample(h hash.Hash, id eval.SampleID, p eval.Pass, d [16]byte) {
	writeText(h, string(id))
	_, _ = h.Write([]byte{byte(p)}) // a hash never fails
	_, _ = h.Write(d[:])
}

// digest is of what a person would call the sample's content: where its
// pictures come from, and in which order, is no part of it.
func digest(s *eval.Sample) (out [16]byte) {
	h := sha256.New()
	for _, t := range []string{s.Question, s.Hint, string(s.Answer), s.Split} {
		writeText(h, t)
	}
	for _, o := range s.Options {
		writeText(h, string(o.Letter))
		writeText(h, o.Text)
	}
	writeText(h, "\x00taxonomy")
	for _, l := range writtenLevels(s) {
		writeText(h, l)
	}
	if s.Type != eval.TypeUnset {
		writeText(h, "\x00type")
		writeText(h, s.Type.String())
	}
	if s.Reference != "" {
		writeText(h, "\x00reference")
		writeText(h, s.Reference)
	}
	if len(s.References) > 0 {
		writeText(h, "\x00references")
		for _, r := range s.References {
			writeText(h, r)
		}
	}
	copy(out[:], h.Sum(nil))
	return out
}

// writtenLevels is the taxonomy path without the ability that MME's files do
// not write: what was imported before the ability was known is the same.
func writtenLevels(s *eval.Sample) []string {
	path := s.Taxonomy
	if s.Kind == eval.KindYesNo && len(path) == 2 && path[0] == eval.MMEAbility(path[1]) {
		return path[1:]
	}
	return path
}

func writeText(h hash.Hash, t string) {
	_, _ = h.Write(binary.AppendUvarint(nil, uint64(len(t)))) // a hash never fails
	_, _ = h.Write([]byte(t))
}
