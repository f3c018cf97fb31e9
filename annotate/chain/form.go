package chain

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/rubric"
	"concord/eval"
)

// Hash is the SHA-256 of an act in its canonical form, or of what was there
// before a chain.
type Hash [sha256.Size]byte

// String is the hash in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ShortSize is how many hexadecimal digits of a hash are shown to people, and
// the fewest by which one is found.
const ShortSize = 16

// Short is how a hash is shown to people.
func (h Hash) Short() string { return h.String()[:ShortSize] }

// Link is what binds an act: its place in its person's chain, from 1, and the
// hash of the act before it. The zero value is that of an act of before the
// chain.
type Link struct {
	Place  uint64
	Before Hash
}

// Stream is where acts are numbered from 1 without gaps: a queue, for each
// person; a pool that is curated, for each expert; or the criteria of a sample,
// for all people together.
type Stream struct {
	Queue   annotate.QueueName
	Dataset eval.DatasetName
	Sample  eval.Ordinal // of criteria
	Of      Part
}

// Part is of which part of the work an act is. The zero value is unset.
type Part uint8

// The parts.
const (
	PartUnset Part = iota
	InQueue
	OnCriteria
	InCuration
	OnGrades
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

// Bytes are the canonical form of the act as it is bound.
func (f *Form) Bytes(l Link) []byte {
	w := writer(append(make([]byte, 0, len(f.text)+100), f.text...))
	if l.Place > 0 {
		w.number("place", l.Place)
		w.text("before", l.Before.String())
	}
	return w
}

// Hash is the hash of the act as it is bound.
func (f *Form) Hash(l Link) Hash { return sha256.Sum256(f.Bytes(l)) }

// Beginning is the hash of what was there before a person's chain.
type Beginning struct{ sum hash.Hash }

// Begin is that of a person who has done nothing.
func Begin(who annotate.Annotator) Beginning {
	b := Beginning{sha256.New()}
	w := writer(chainLine)
	w.text("by", string(who))
	_, _ = b.sum.Write(w) // a hash never refuses what is written to it
	return b
}

// Take adds the next act of before the chain.
func (b Beginning) Take(f *Form) { _, _ = b.sum.Write(f.text) }

// Hash is the hash that the first act of the chain holds.
func (b Beginning) Hash() Hash { return Hash(b.sum.Sum(nil)) }

// writer writes fields, and leaves those out that have no value.
type writer []byte

func (w *writer) text(name, value string) {
	if value != "" {
		w.always(name, value)
	}
}

func (w *writer) always(name, value string) {
	b := append(append(*w, name...), ' ')
	b = append(strconv.AppendInt(b, int64(len(value)), 10), ':')
	*w = append(append(b, value...), '\n')
}

func (w *writer) number(name string, n uint64) {
	if n != 0 {
		w.always(name, strconv.FormatUint(n, 10))
	}
}

func (w *writer) signed(name string, n int64) {
	if n != 0 {
		w.always(name, strconv.FormatInt(n, 10))
	}
}

func (w *writer) decimal(name string, x float64) {
	if x != 0 {
		w.always(name, strconv.FormatFloat(x, 'g', -1, 64))
	}
}

func (w *writer) yes(name string, is bool) {
	if is {
		w.always(name, "1")
	}
}

// time writes when something was done.
func (w *writer) time(t time.Time) {
	if !t.IsZero() {
		w.signed("at", t.UnixMilli())
	}
}

// OfAct is the form of an act in a queue.
func OfAct(a *annotate.Act) Form {
	w := writer(append(make([]byte, 0, 384), actLine...))
	w.text("queue", string(a.Queue))
	w.text("by", string(a.Annotator))
	w.number("n", uint64(a.N))
	w.number("run", uint64(a.Item.Run))
	w.number("against", uint64(a.Item.Against))
	w.number("sample", uint64(a.Item.Sample))
	w.number("pass", uint64(a.Item.Pass))
	w.text("kind", a.Kind.String())
	w.reading(&a.Reading)
	w.text("reason", a.Reason)
	w.decimal("confidence", a.Confidence)
	w.text("cause", a.Cause.String())
	w.text("text", a.Text)
	w.number("target", uint64(a.Target))
	w.text("whose", string(a.Whose))
	w.text("matter", a.Matter.String())
	w.yes("informed", a.Informed)
	w.signed("guideline", int64(a.Guideline))
	w.yes("decoy", a.Decoy)
	w.yes("imported", a.Imported)
	w.time(a.At)
	w.signed("spent", int64(a.Spent))
	return Form{Stream: Stream{Queue: a.Queue, Of: InQueue}, Who: a.Annotator, N: a.N, text: w}
}

func (w *writer) reading(r *annotate.Reading) {
	w.text("verdict", r.Verdict.String())
	w.text("choice", string(r.Choice))
	for _, c := range r.Several {
		w.always("several", string(c))
	}
	w.text("vote", r.Vote.String())
	w.yes("swapped", r.Swapped)
	w.text("criteria", r.Criteria)
	w.signed("score", int64(r.Score))
	for _, g := range r.Grades {
		w.always("grade", g.Criterion)
		w.text("criterion-hash", g.Hash)
		w.text("grade-verdict", g.Verdict.String())
	}
}

// OfCriteria is the form of an act on the criteria of a sample.
func OfCriteria(a *criteria.Act) Form {
	w := writer(append(make([]byte, 0, 384), actLine...))
	w.always("criteria-of", string(a.Dataset))
	w.number("sample", uint64(a.Sample))
	w.number("n", uint64(a.N))
	w.text("by", string(a.Who))
	w.text("kind", a.Kind.String())
	w.signed("round", int64(a.Round))
	for _, c := range a.Criteria {
		w.always("criterion", c.Text)
		w.text("demands", c.Type.String())
		w.text("id", c.ID)
		w.text("class", c.Class)
		w.yes("weighted", c.Weighted)
		w.decimal("weight", c.Weight)
		for _, t := range c.Tags {
			w.always("tag", t)
		}
		for _, p := range c.Path {
			w.always("above", p)
		}
		if c.Credit != nil {
			w.always("credit", strconv.FormatFloat(*c.Credit, 'g', -1, 64))
		}
	}
	w.text("type", a.Type.String())
	w.text("reason", a.Reason)
	w.text("text", a.Text)
	for _, t := range a.Ticks {
		w.always("tick", string(t.Item))
		w.yes("ok", t.OK)
	}
	w.text("assignee", string(a.Assignee))
	w.text("other", string(a.Other))
	w.number("target", uint64(a.Target))
	w.yes("imported", a.Imported)
	w.time(a.At)
	return Form{Stream: Stream{Dataset: a.Dataset, Sample: a.Sample, Of: OnCriteria}, Who: a.Who, N: a.N, text: w}
}

// OfCuration is the form of an expert's act in a pool.
func OfCuration(a *curation.Act) Form {
	w := writer(append(make([]byte, 0, 384), actLine...))
	w.always("curation-of", string(a.Dataset))
	w.text("by", string(a.Expert))
	w.number("n", uint64(a.N))
	w.number("sample", uint64(a.Sample))
	w.text("kind", a.Kind.String())
	w.text("verdict", a.Verdict.String())
	for _, level := range a.Axis {
		w.always("axis", level)
	}
	w.text("text", a.Text)
	w.number("target", uint64(a.Target))
	w.yes("informed", a.Informed)
	w.yes("imported", a.Imported)
	w.time(a.At)
	w.signed("spent", int64(a.Spent))
	return Form{Stream: Stream{Dataset: a.Dataset, Of: InCuration}, Who: a.Expert, N: a.N, text: w}
}

// OfGrading is the form of an act on the criteria of a response.
func OfGrading(a *rubric.Act) Form {
	w := writer(append(make([]byte, 0, 384), actLine...))
	w.always("grading-of", string(a.Dataset))
	w.text("by", string(a.Person))
	w.number("n", uint64(a.N))
	w.number("run", uint64(a.Response.Run))
	w.number("sample", uint64(a.Response.Sample))
	w.number("pass", uint64(a.Response.Pass))
	w.text("kind", a.Kind.String())
	w.text("criterion", a.Criterion)
	w.text("criterion-hash", a.Hash)
	w.text("verdict", a.Graded.Verdict.String())
	w.decimal("score", a.Graded.Score)
	w.text("label", a.Graded.Label)
	w.number("target", uint64(a.Target))
	w.yes("informed", a.Informed)
	w.yes("imported", a.Imported)
	w.time(a.At)
	w.signed("spent", int64(a.Spent))
	return Form{Stream: Stream{Dataset: a.Dataset, Of: OnGrades}, Who: a.Person, N: a.N, text: w}
}
