package dataset

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"hash/maphash"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/profile"
)

// firstReading holds what a first reading of a file finds out: which row is which
// sample in which rotation. Rows of one question are not adjacent, since passes
// come in blocks, and whether a file is circular shows only at its end.
type firstReading struct {
	entries   []rowEntry // in the order of the rows
	questions int
	circular  bool
	hash      maphash.Hash // of questions
}

// rowEntry is one row: what identifies it, and a digest in place of its text.
type rowEntry struct {
	index    string
	group    string // g_index
	question uint64
	digest   [16]byte

	id      eval.SampleID
	line    int
	passes  uint32 // that the question has, a bit each
	pass    eval.Pass
	fault   dropReason
	first   bool // the row makes the sample
	repeats repeatPolicy
}

// repeatPolicy says whether a row whose id another one has is a row of its own.
type repeatPolicy uint8

const (
	never      repeatPolicy = iota
	otherwise               // where it asks something else
	allTheSame              // whatever it asks
)

// repeating is it by the cell of column.Repeat.
var repeating = map[string]repeatPolicy{string(eval.Yes): allTheSame, "other": otherwise}

// dropReason is why a row was dropped. It is words only where they are read: a file
// may have a million such rows.
type dropReason uint8

const (
	sound dropReason = iota
	repeated
	beyond
)

func (e *rowEntry) explainFault() string {
	if e.fault == repeated {
		return "the row repeats index " + e.index
	}
	return "index " + e.index + " means a pass beyond the 26 letters"
}

// lastPass is the last pass of the row's question.
func (e *rowEntry) lastPass() eval.Pass { return eval.Pass(31 - bits.LeadingZeros32(e.passes)) }

// hasEveryPass reports whether the question has every pass that the sample asks for.
func (e *rowEntry) hasEveryPass(s *eval.Sample) bool { return e.passes == 1<<s.PassCount()-1 }

func (v *firstReading) addRecord(rec *record) {
	v.hash.Reset()
	for word := range strings.FieldsSeq(rec.sample.Question) {
		_, _ = v.hash.WriteString(word) // a hash never fails
		_ = v.hash.WriteByte(' ')
	}
	v.entries = append(v.entries, rowEntry{
		index: rec.index, group: rec.group, line: rec.line,
		question: v.hash.Sum64(), digest: digestSample(&rec.sample), repeats: rec.repeats,
	})
}

// assignPasses gives every row its sample and pass, and marks duplicates.
func (v *firstReading) assignPasses() {
	v.identifySamples()
	makers := make(map[eval.SampleID]int, len(v.entries)) // rows of the lowest passes
	for i := range v.entries {
		e := &v.entries[i]
		at, known := makers[e.id]
		maker := &v.entries[at]
		switch {
		case e.fault != sound:
		case !known:
			makers[e.id], e.passes = i, 1<<e.pass
		case maker.passes&(1<<e.pass) != 0:
			e.fault = repeated
		case e.pass < maker.pass:
			makers[e.id], e.passes = i, maker.passes|1<<e.pass
		default:
			maker.passes |= 1 << e.pass
		}
	}
	for i := range v.entries {
		if e := &v.entries[i]; e.fault == sound {
			at := makers[e.id]
			e.first, e.passes = at == i, v.entries[at].passes
		}
	}
	v.questions = len(makers)
}

func (v *firstReading) identifySamples() {
	if slices.ContainsFunc(v.entries, func(e rowEntry) bool { return e.group != "" }) {
		v.identifyGroups()
		return
	}
	if v.circular = v.isCircular(); !v.circular {
		v.separateSharedIDs()
		return
	}
	for i := range v.entries {
		e := &v.entries[i]
		n, _ := strconv.ParseInt(e.index, 10, 64)
		e.setSampleAndPass(strconv.FormatInt(n%profile.PassOffset, 10), n/profile.PassOffset)
	}
}

// separateSharedIDs tells rows apart that have one id and ask different questions: TextVQA's
// ids are those of images, and OCRBench's are of the datasets that it was made
// of. The second one is ID/2.
func (v *firstReading) separateSharedIDs() {
	type row struct {
		id       string
		question uint64
	}
	times := make(map[string]int, len(v.entries))
	for i := range v.entries {
		e := &v.entries[i]
		e.id = eval.SampleID(e.index)
		times[e.index]++
	}
	if len(times) == len(v.entries) {
		return
	}
	clear(times)
	known := map[row]eval.SampleID{}
	for i := range v.entries {
		e := &v.entries[i]
		if same, ok := known[row{e.index, e.question}]; ok && e.repeats != allTheSame {
			e.id = same
			continue
		}
		if times[e.index]++; times[e.index] > 1 && e.repeats != never {
			e.id = eval.SampleID(e.index + "/" + strconv.Itoa(times[e.index]))
		}
		known[row{e.index, e.question}] = e.id
	}
}

func (e *rowEntry) setSampleAndPass(id string, pass int64) {
	e.id = eval.SampleID(id)
	if pass > 25 {
		e.fault = beyond
		return
	}
	e.pass = eval.Pass(pass)
}

// isCircular tells the circular layout from large indexes: all are numbers,
// and rows that would be passes of one question ask the same question.
func (v *firstReading) isCircular() bool {
	questions := map[int64]uint64{}
	same, other := 0, 0
	high := false
	for i := range v.entries {
		e := &v.entries[i]
		if !fastio.IsInteger([]byte(e.index)) {
			return false
		}
		n, err := strconv.ParseInt(e.index, 10, 64)
		if err != nil {
			return false
		}
		high = high || n >= profile.PassOffset
		q, ok := questions[n%profile.PassOffset]
		switch {
		case !ok:
			questions[n%profile.PassOffset] = e.question
		case q == e.question:
			same++
		default:
			other++
		}
	}
	return high && same > other
}

// identifyGroups takes the sample from g_index, and the pass from the index
// or, where that is free, from its order within the group.
func (v *firstReading) identifyGroups() {
	members := map[string][]*rowEntry{}
	var ids []string
	for i := range v.entries {
		e := &v.entries[i]
		if e.group == "" {
			e.group = e.index
		}
		if members[e.group] == nil {
			ids = append(ids, e.group)
		}
		members[e.group] = append(members[e.group], e)
	}
	for _, id := range ids {
		list := members[id]
		v.circular = v.circular || len(list) > 1
		if placeByOffset(list) {
			continue
		}
		slices.SortStableFunc(list, func(a, b *rowEntry) int {
			x, errX := strconv.ParseInt(a.index, 10, 64)
			y, errY := strconv.ParseInt(b.index, 10, 64)
			if errX != nil || errY != nil {
				return 0
			}
			return cmp.Compare(x, y)
		})
		for pass, e := range list {
			e.setSampleAndPass(id, int64(pass))
		}
	}
}

// placeByOffset places a group whose indexes are its g_index plus the offsets.
func placeByOffset(list []*rowEntry) bool {
	for _, e := range list {
		n, err := strconv.ParseInt(e.index, 10, 64)
		if err != nil || strconv.FormatInt(n%profile.PassOffset, 10) != e.group {
			return false
		}
	}
	for _, e := range list {
		n, _ := strconv.ParseInt(e.index, 10, 64)
		e.setSampleAndPass(e.group, n/profile.PassOffset)
	}
	return true
}

// unrotateSample takes a sample as asked in pass p back to pass 0: the text at
// position (k+p) mod n goes to position k.
func unrotateSample(s eval.Sample, p eval.Pass) eval.Sample {
	n := len(s.Options)
	if n == 0 || int(p)%n == 0 {
		return s
	}
	options := make([]eval.Option, n)
	answer := s.Answer
	for k := range options {
		from := s.Options[(k+int(p))%n]
		options[k] = eval.Option{Letter: s.Options[k].Letter, Text: from.Text}
		if from.Letter == s.Answer {
			answer = options[k].Letter
		}
	}
	s.Options, s.Answer = options, answer
	return s
}

// HashSamples gives the hash of samples' text in their order: what tells one content of
// a dataset from another. Pictures are no part of it, nor is anything that a
// later version of this program may know of a sample.
func HashSamples(samples []eval.Sample) string {
	h := sha256.New()
	for i := range samples {
		writeSample(h, samples[i].ID, 0, digestSample(&samples[i]))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashContent gives the same of a file's samples, of which only digests are kept.
func (v *firstReading) hashContent() string {
	h := sha256.New()
	for i := range v.entries {
		if e := &v.entries[i]; e.first {
			writeSample(h, e.id, e.pass, e.digest)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func writeSample(h hash.Hash, id eval.SampleID, p eval.Pass, d [16]byte) {
	_, _ = h.Write(append(append(appendText(nil, string(id)), byte(p)), d[:]...)) // a hash never fails
}

// digestSample is of what a person would call the sample's content: where its
// pictures come from, and in which order, is no part of it.
func digestSample(s *eval.Sample) (out [16]byte) {
	b := make([]byte, 0, 1<<10)
	for _, t := range [...]string{s.Question, s.Hint, string(s.Answer), s.Split} {
		b = appendText(b, t)
	}
	for _, o := range s.Options {
		b = appendText(appendText(b, string(o.Letter)), o.Text)
	}
	b = appendText(b, "\x00taxonomy")
	for _, l := range writtenLevels(s) {
		b = appendText(b, l)
	}
	if s.Type != eval.TypeUnset {
		b = appendText(appendText(b, "\x00type"), s.Type.String())
	}
	if s.Reference != "" {
		b = appendText(appendText(b, "\x00reference"), s.Reference)
	}
	if len(s.References) > 0 {
		b = appendText(b, "\x00references")
		for _, r := range s.References {
			b = appendText(b, r)
		}
	}
	sum := sha256.Sum256(b)
	copy(out[:], sum[:])
	return out
}

// writtenLevels is the taxonomy path without the ability that MME's files do
// not write: what was imported before the ability was known is the same.
func writtenLevels(s *eval.Sample) []string {
	path := s.Taxonomy
	if s.Kind == eval.KindYesNo && len(path) == 2 && path[0] == eval.MMEAbilityOf(path[1]) {
		return path[1:]
	}
	return path
}

func appendText(b []byte, t string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(t))), t...)
}
