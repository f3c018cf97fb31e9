package dataset

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/profile"
)

// firstReading holds what a first reading of a file finds out: which row is which sample in which rotation. Rows of
// one question are not adjacent, since passes come in blocks, and whether a file is circular shows only at its end.
type firstReading struct {
	rowTable  // in the order of the rows
	questions int
	grouped   bool // a row has a g_index
	long      bool // an index may be as large as profile.PassOffset
	circular  bool
	hash      maphash.Hash // of questions
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

// dropReason is why a row was dropped. It is words only where they are read: a file may have a million such rows.
type dropReason uint8

const (
	sound dropReason = iota
	repeated
	beyond
)

func (v *firstReading) addRecord(rec *record) {
	v.hash.Reset()
	for word := range strings.FieldsSeq(rec.sample.Question) {
		_, _ = v.hash.WriteString(word) // a hash never fails
		_ = v.hash.WriteByte(' ')
	}
	v.long = v.long || len(rec.index) > 6
	index := v.keepText(rec.index)
	id := index
	if rec.group != "" {
		v.grouped, id = true, v.keepText(rec.group)
	}
	v.addRow(rowEntry{index: index, id: id, line: uint32(rec.line), question: v.hash.Sum64(), digest: digestSample(&rec.sample), repeats: rec.repeats})
}

// assignPasses gives every row its sample and pass, and marks duplicates.
func (v *firstReading) assignPasses() {
	v.identifySamples()
	for rows := range v.rowsByText(func(e *rowEntry) textRef { return e.id }) {
		var maker *rowEntry // the row of the lowest pass
		passes := uint32(0)
		for _, i := range rows {
			e := v.entryAt(int(i))
			switch {
			case e.fault != sound:
				continue
			case passes&(1<<e.pass) != 0:
				e.fault = repeated
				continue
			case maker == nil || e.pass < maker.pass:
				maker = e
			}
			passes |= 1 << e.pass
		}
		for _, i := range rows {
			if e := v.entryAt(int(i)); e.fault == sound {
				e.first, e.passes = e == maker, passes
			}
		}
		if maker != nil {
			v.questions++
		}
	}
}

func (v *firstReading) identifySamples() {
	if v.grouped {
		v.assignGroupedRows()
		return
	}
	if v.circular = v.isCircular(); !v.circular {
		v.separateSharedIDs()
		return
	}
	for i := range v.rows {
		e := v.entryAt(i)
		n, _ := strconv.ParseInt(v.textAt(e.index), 10, 64)
		e.id = v.keepText(strconv.FormatInt(n%profile.PassOffset, 10))
		e.setPassOrFault(n / profile.PassOffset)
	}
}

// separateSharedIDs tells rows apart that have one id and ask different questions: TextVQA's ids are
// those of images, and OCRBench's are of the datasets that it was made of. The second one is ID/2.
func (v *firstReading) separateSharedIDs() {
	for rows := range v.rowsByText(func(e *rowEntry) textRef { return e.index }) {
		if len(rows) == 1 {
			continue
		}
		known, times := map[uint64]textRef{}, 0
		for _, i := range rows {
			e := v.entryAt(int(i))
			if same, ok := known[e.question]; ok && e.repeats != allTheSame {
				e.id = same
				continue
			}
			if times++; times > 1 && e.repeats != never {
				e.id = v.keepText(v.textAt(e.index) + "/" + strconv.Itoa(times))
			}
			known[e.question] = e.id
		}
	}
}

func (e *rowEntry) setPassOrFault(pass int64) {
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
	for i := range v.rows {
		e := v.entryAt(i)
		n, err := strconv.ParseInt(v.textAt(e.index), 10, 64)
		if err != nil || !v.long || !fastio.IsInteger(v.textBytesAt(e.index)) {
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

// assignGroupedRows takes the sample from g_index, and the pass from the index
// or, where that is free, from its order within the group.
func (v *firstReading) assignGroupedRows() {
	for rows := range v.rowsByText(func(e *rowEntry) textRef { return e.id }) {
		v.circular = v.circular || len(rows) > 1
		if v.placeByOffset(rows) {
			continue
		}
		slices.SortStableFunc(rows, func(a, b uint32) int {
			x, errX := strconv.ParseInt(v.textAt(v.entryAt(int(a)).index), 10, 64)
			y, errY := strconv.ParseInt(v.textAt(v.entryAt(int(b)).index), 10, 64)
			return eval.Either(errX != nil || errY != nil, 0, cmp.Compare(x, y))
		})
		for pass, i := range rows {
			v.entryAt(int(i)).setPassOrFault(int64(pass))
		}
	}
}

// placeByOffset places a group whose indexes are its g_index plus the offsets.
func (v *firstReading) placeByOffset(rows []uint32) bool {
	for _, i := range rows {
		e := v.entryAt(int(i))
		n, err := strconv.ParseInt(v.textAt(e.index), 10, 64)
		if err != nil || strconv.FormatInt(n%profile.PassOffset, 10) != v.textAt(e.id) {
			return false
		}
	}
	for _, i := range rows {
		n, _ := strconv.ParseInt(v.textAt(v.entryAt(int(i)).index), 10, 64)
		v.entryAt(int(i)).setPassOrFault(n / profile.PassOffset)
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

// HashSamples gives the hash of samples' text in their order: what tells one content of a dataset from another.
// Pictures are no part of it, nor is anything that a later version of this program may know of a sample.
func HashSamples(samples []eval.Sample) string {
	h := sha256.New()
	for i := range samples {
		writeSampleToHash(h, samples[i].ID, 0, digestSample(&samples[i]))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashContent gives the same of a file's samples, of which only digests are kept.
func (v *firstReading) hashContent() string {
	h := sha256.New()
	for i := range v.rows {
		if e := v.entryAt(i); e.first {
			writeSampleToHash(h, eval.SampleID(v.textAt(e.id)), e.pass, e.digest)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func writeSampleToHash(h hash.Hash, id eval.SampleID, p eval.Pass, d [16]byte) {
	_, _ = h.Write(append(append(appendSizedText(nil, string(id)), byte(p)), d[:]...)) // a hash never fails
}

// digestSample is of what a person would call the sample's content: where its
// pictures come from, and in which order, is no part of it.
func digestSample(s *eval.Sample) (out [16]byte) {
	b := make([]byte, 0, 1<<10)
	for _, t := range [...]string{s.Question, s.Hint, string(s.Answer), s.Split} {
		b = appendSizedText(b, t)
	}
	for _, o := range s.Options {
		b = appendSizedText(appendSizedText(b, string(o.Letter)), o.Text)
	}
	b = appendSizedText(b, "\x00taxonomy")
	for _, l := range levelsWithoutMMEAbility(s) {
		b = appendSizedText(b, l)
	}
	if s.Type != eval.TypeUnset {
		b = appendSizedText(appendSizedText(b, "\x00type"), s.Type.String())
	}
	if s.Reference != "" {
		b = appendSizedText(appendSizedText(b, "\x00reference"), s.Reference)
	}
	if len(s.References) > 0 {
		b = appendSizedText(b, "\x00references")
		for _, r := range s.References {
			b = appendSizedText(b, r)
		}
	}
	sum := sha256.Sum256(b)
	copy(out[:], sum[:])
	return out
}

// levelsWithoutMMEAbility is the taxonomy path without the ability that MME's files do
// not write: what was imported before the ability was known is the same.
func levelsWithoutMMEAbility(s *eval.Sample) []string {
	path := s.Taxonomy
	if s.Kind == eval.KindYesNo && len(path) == 2 && path[0] == eval.MMEAbilityOf(path[1]) {
		return path[1:]
	}
	return path
}

func appendSizedText(b []byte, t string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(t))), t...)
}
