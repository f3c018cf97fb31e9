package chain

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"
	"time"

	"concord/annotate"
	"concord/annotate/authoring"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/rubric"
	"concord/eval"
)

// Hash is the SHA-256 of an act in its canonical form, or of what was there before a chain.
type Hash [sha256.Size]byte

// String is the hash in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ShortSize is how many hexadecimal digits of a hash are shown to people, and the fewest that find one.
const ShortSize = 16

// Link is what binds an act: its place in its person's chain, from 1, and the hash of the act before
// it. The zero value is that of an act of before the chain.
type Link struct {
	Place  uint64
	Before Hash
}

// Stream is where acts are numbered from 1 without gaps: a queue, for each person; a pool that is curated,
// for each expert; or the criteria of a sample, or a sample that is written, for all people together.
type Stream struct {
	Queue   annotate.QueueName
	Dataset eval.DatasetName
	Sample  eval.Ordinal // of criteria, or that is written
	Of      WorkPart
}

// isShared reports whether the acts of several people are numbered together.
func (s Stream) isShared() bool { return s.Of == OnCriteria || s.Of == OnSamples }

// WorkPart is of which part of the work an act is. The zero value is unset.
type WorkPart uint8

// The parts.
const (
	PartUnset WorkPart = iota
	InQueue
	OnCriteria
	InCuration
	OnGrades
	OnSamples
)

// Form is an act in its canonical form, less its link.
type Form struct {
	Stream Stream
	Who    annotate.Annotator
	N      uint32
	text   []byte
}

const (
	actLine   = "concord act 1\n"
	chainLine = "concord chain 1\n"
)

// Encode gives the canonical form of the act as it is bound.
func (f *Form) Encode(l Link) []byte {
	w := fieldWriter(append(make([]byte, 0, len(f.text)+100), f.text...))
	if l.Place > 0 {
		w.writeNumber("place", l.Place)
		w.writeText("before", l.Before.String())
	}
	return w
}

// HashAct gives the hash of the act as it is bound.
func (f *Form) HashAct(l Link) Hash { return sha256.Sum256(f.Encode(l)) }

// InitialHash is the hash of what was there before a person's chain.
type InitialHash struct{ sum hash.Hash }

// NewInitialHash gives that of a person who has done nothing.
func NewInitialHash(who annotate.Annotator) InitialHash {
	b := InitialHash{sha256.New()}
	w := fieldWriter(chainLine)
	w.writeText("by", string(who))
	_, _ = b.sum.Write(w) // a hash never refuses what is written to it
	return b
}

// AddAct adds the next act of before the chain.
func (b InitialHash) AddAct(f *Form) { _, _ = b.sum.Write(f.text) }

// Sum gives the hash that the first act of the chain holds.
func (b InitialHash) Sum() Hash { return Hash(b.sum.Sum(nil)) }

// fieldWriter writes fields, and leaves those out that have no value.
type fieldWriter []byte

func (w *fieldWriter) writeText(name, value string) {
	if value != "" {
		w.writeAlways(name, value)
	}
}

func (w *fieldWriter) writeAlways(name, value string) {
	b := append(append(*w, name...), ' ')
	b = append(strconv.AppendInt(b, int64(len(value)), 10), ':')
	*w = append(append(b, value...), '\n')
}

func (w *fieldWriter) writeNumber(name string, n uint64) {
	if n != 0 {
		w.writeAlways(name, strconv.FormatUint(n, 10))
	}
}

func (w *fieldWriter) writeSigned(name string, n int64) {
	if n != 0 {
		w.writeAlways(name, strconv.FormatInt(n, 10))
	}
}

func (w *fieldWriter) writeDecimal(name string, x float64) {
	if x != 0 {
		w.writeAlways(name, strconv.FormatFloat(x, 'g', -1, 64))
	}
}

func (w *fieldWriter) writeBool(name string, is bool) {
	if is {
		w.writeAlways(name, "1")
	}
}

// writeTime writes when something was done.
func (w *fieldWriter) writeTime(t time.Time) {
	if !t.IsZero() {
		w.writeSigned("at", t.UnixMilli())
	}
}

// NewActForm gives the form of an act in a queue.
func NewActForm(a *annotate.Act) Form {
	w := fieldWriter(append(make([]byte, 0, 384), actLine...))
	w.writeText("queue", string(a.Queue))
	w.writeText("by", string(a.Annotator))
	w.writeNumber("n", uint64(a.N))
	w.writeNumber("run", uint64(a.Item.Run))
	w.writeNumber("against", uint64(a.Item.Against))
	w.writeNumber("sample", uint64(a.Item.Sample))
	w.writeNumber("pass", uint64(a.Item.Pass))
	w.writeText("kind", a.Kind.String())
	w.writeReading(&a.Reading)
	w.writeText("reason", a.Reason)
	w.writeDecimal("confidence", a.Confidence)
	w.writeText("cause", a.Cause.String())
	w.writeText("text", a.Text)
	w.writeNumber("target", uint64(a.Target))
	w.writeText("whose", string(a.Whose))
	w.writeText("matter", a.Matter.String())
	w.writeBool("informed", a.Informed)
	w.writeSigned("guideline", int64(a.Guideline))
	w.writeBool("decoy", a.Decoy)
	w.writeBool("imported", a.Imported)
	w.writeTime(a.At)
	w.writeSigned("spent", int64(a.Spent))
	return Form{Stream: Stream{Queue: a.Queue, Of: InQueue}, Who: a.Annotator, N: a.N, text: w}
}

func (w *fieldWriter) writeReading(r *annotate.Reading) {
	w.writeText("verdict", r.Kind.String())
	w.writeText("choice", string(r.Choice))
	for _, c := range r.Several {
		w.writeAlways("several", string(c))
	}
	w.writeText("vote", r.Vote.String())
	w.writeBool("swapped", r.Swapped)
	w.writeText("criteria", r.Criteria)
	w.writeSigned("score", int64(r.Score))
	for _, g := range r.Grades {
		w.writeAlways("grade", g.Criterion)
		w.writeText("criterion-hash", g.Hash)
		w.writeText("grade-verdict", g.Verdict.String())
	}
}

// writeActHead writes what acts on one sample, of curators and of authors, begin with.
func (w *fieldWriter) writeActHead(of string, d eval.DatasetName, sample eval.Ordinal, n uint32, who annotate.Annotator, kind criteria.Kind) {
	w.writeAlways(of, string(d))
	w.writeNumber("sample", uint64(sample))
	w.writeNumber("n", uint64(n))
	w.writeText("by", string(who))
	w.writeText("kind", kind.String())
}

// NewCriteriaForm gives the form of an act on the criteria of a sample.
func NewCriteriaForm(a *criteria.Act) Form {
	w := fieldWriter(append(make([]byte, 0, 384), actLine...))
	w.writeActHead("criteria-of", a.Dataset, a.Sample, a.N, a.Who, a.Kind)
	w.writeSigned("round", int64(a.Round))
	for _, c := range a.Criteria {
		w.writeAlways("criterion", c.Text)
		w.writeText("demands", c.Type.String())
		w.writeText("id", c.ID)
		w.writeText("class", c.Class)
		w.writeBool("weighted", c.Weighted)
		w.writeDecimal("weight", c.Weight)
		for _, t := range c.Tags {
			w.writeAlways("tag", t)
		}
		for _, p := range c.Path {
			w.writeAlways("above", p)
		}
		if c.Credit != nil {
			w.writeAlways("credit", strconv.FormatFloat(*c.Credit, 'g', -1, 64))
		}
	}
	w.writeText("type", a.Type.String())
	w.writeText("reason", a.Reason)
	w.writeText("text", a.Text)
	for _, t := range a.Ticks {
		w.writeAlways("tick", string(t.Item))
		w.writeBool("ok", t.OK)
	}
	w.writeText("assignee", string(a.Assignee))
	w.writeText("other", string(a.Other))
	w.writeNumber("target", uint64(a.Target))
	w.writeBool("imported", a.Imported)
	w.writeTime(a.At)
	return Form{Stream: Stream{Dataset: a.Dataset, Sample: a.Sample, Of: OnCriteria}, Who: a.Who, N: a.N, text: w}
}

// NewCurationForm gives the form of an expert's act in a pool.
func NewCurationForm(a *curation.Act) Form {
	w := fieldWriter(append(make([]byte, 0, 384), actLine...))
	w.writeAlways("curation-of", string(a.Dataset))
	w.writeText("by", string(a.Expert))
	w.writeNumber("n", uint64(a.N))
	w.writeNumber("sample", uint64(a.Sample))
	w.writeText("kind", a.Kind.String())
	w.writeText("verdict", a.Verdict.String())
	for _, level := range a.Axis {
		w.writeAlways("axis", level)
	}
	w.writeText("text", a.Text)
	w.writeNumber("target", uint64(a.Target))
	w.writeBool("informed", a.Informed)
	w.writeBool("imported", a.Imported)
	w.writeTime(a.At)
	w.writeSigned("spent", int64(a.Spent))
	return Form{Stream: Stream{Dataset: a.Dataset, Of: InCuration}, Who: a.Expert, N: a.N, text: w}
}

// NewGradingForm gives the form of an act on the criteria of a response.
func NewGradingForm(a *rubric.Act) Form {
	w := fieldWriter(append(make([]byte, 0, 384), actLine...))
	w.writeAlways("grading-of", string(a.Dataset))
	w.writeText("by", string(a.Person))
	w.writeNumber("n", uint64(a.N))
	w.writeNumber("run", uint64(a.Response.Run))
	w.writeNumber("sample", uint64(a.Response.Sample))
	w.writeNumber("pass", uint64(a.Response.Pass))
	w.writeText("kind", a.Kind.String())
	w.writeText("criterion", a.Criterion)
	w.writeText("criterion-hash", a.Hash)
	w.writeText("verdict", a.Graded.Verdict.String())
	w.writeDecimal("score", a.Graded.Score)
	w.writeText("label", a.Graded.Label)
	w.writeNumber("target", uint64(a.Target))
	w.writeBool("informed", a.Informed)
	w.writeBool("imported", a.Imported)
	w.writeTime(a.At)
	w.writeSigned("spent", int64(a.Spent))
	return Form{Stream: Stream{Dataset: a.Dataset, Of: OnGrades}, Who: a.Person, N: a.N, text: w}
}

// NewAuthoringForm gives the form of an act on a sample that is written.
func NewAuthoringForm(a *authoring.Act) Form {
	w := fieldWriter(append(make([]byte, 0, 384), actLine...))
	w.writeActHead("authoring-of", a.Dataset, a.Sample, a.N, a.Who, a.Kind)
	w.writeText("text", a.Text)
	w.writeText("image", string(a.Image.Hash))
	w.writeText("image-name", a.Image.Name)
	w.writeText("model", a.Model)
	w.writeText("original", string(a.Original))
	w.writeText("id", string(a.ID))
	w.writeText("of", a.Of)
	w.writeTime(a.At)
	return Form{Stream: Stream{Dataset: a.Dataset, Sample: a.Sample, Of: OnSamples}, Who: a.Who, N: a.N, text: w}
}
