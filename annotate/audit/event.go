package audit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"concord/annotate"
	"concord/eval"
)

// Kind is what kind of thing happened, by the word that --kind takes. The zero
// value is unset.
type Kind string

// The kinds: of acts in queues, those of criteria, of curation and of grading, and of what
// was made or changed. Acts of the same name are of one kind.
const (
	Label  Kind = "label"
	Vote   Kind = "vote"
	Score  Kind = "score"
	Skip   Kind = "skip"
	Flag   Kind = "flag"
	Unflag Kind = "unflag"
	Note   Kind = "note"
	Undo   Kind = "undo"
	Redo   Kind = "redo"
	Late   Kind = "late"
	Reveal Kind = "reveal"
	Ruling Kind = "ruling"

	Exclude Kind = "exclude"
	Include Kind = "include"
	Resolve Kind = "resolve"

	Draft          Kind = "draft"
	Revise         Kind = "revise"
	Submit         Kind = "submit"
	Comment        Kind = "comment"
	RequestChanges Kind = "request_changes"
	Accept         Kind = "accept"
	Verify         Kind = "verify"
	Discard        Kind = "discard"
	Replace        Kind = "replace"
	Type           Kind = "type"
	Assign         Kind = "assign"

	Verdict Kind = "verdict"
	Axis    Kind = "axis"

	Grade Kind = "grade"

	Person     Kind = "person"
	Queue      Kind = "queue"
	Guideline  Kind = "guideline"
	Report     Kind = "report"
	Dataset    Kind = "dataset"
	Import     Kind = "import"
	Run        Kind = "run"
	Judging    Kind = "judging"
	Inspection Kind = "inspection"
	Packet     Kind = "packet"

	Shown Kind = "shown" // told only when it is asked for
)

// Kinds are all kinds.
func Kinds() []Kind {
	return []Kind{
		Label, Vote, Score, Skip, Flag, Unflag, Note, Undo, Redo, Late, Reveal, Ruling, Exclude, Include, Resolve,
		Draft, Revise, Submit, Comment, RequestChanges, Accept, Verify, Discard, Replace, Type, Assign,
		Verdict, Axis, Grade,
		Person, Queue, Guideline, Report, Dataset, Import, Run, Judging, Inspection, Packet, Shown,
	}
}

// ParseKind reads the word of a kind.
func ParseKind(s string) (Kind, error) {
	if all := Kinds(); !slices.Contains(all, Kind(s)) {
		words := make([]string, len(all))
		for i, k := range all {
			words[i] = string(k)
		}
		return "", fmt.Errorf("unknown kind %q: want one of %s", s, strings.Join(words, ", "))
	}
	return Kind(s), nil
}

// Event is one thing that somebody did, or that was done.
type Event struct {
	At       time.Time          // zero: not known
	Who      annotate.Annotator // "": not known
	Kind     Kind
	What     string // in words; what people and models wrote in it is as they wrote it
	Queue    annotate.QueueName
	Dataset  eval.DatasetName
	Item     annotate.ItemKey // what it is about: runs, and the sample where Sampled
	Sampled  bool             // it is about one sample
	N        uint32           // of an act, in its sequence; 0: no act
	Target   uint32           // Undo, Redo: the number of the act that it takes back
	Imported bool             // read from a file
}

// Filter keeps the events that one asks for. The zero value keeps all.
type Filter struct {
	Queue   annotate.QueueName
	Dataset eval.DatasetName
	By      annotate.Annotator
	Since   time.Time // from then on
	Until   time.Time // before then
	Kinds   []Kind
}

// Acts reports whether acts in queues may be asked for: there are the most of
// them, so that they are better not read in vain.
func (f *Filter) Acts() bool {
	return len(f.Kinds) == 0 || slices.ContainsFunc(f.Kinds, func(k Kind) bool { return slices.Index(Kinds(), k) <= slices.Index(Kinds(), Ruling) })
}

// Disclosures reports whether what people were shown is asked for: by its name
// alone, since there may be more of it than of all else.
func (f *Filter) Disclosures() bool { return slices.Contains(f.Kinds, Shown) }

// Keeps reports whether an event is asked for. Of what has no time nobody knows
// whether it was then.
func (f *Filter) Keeps(e *Event) bool {
	switch {
	case f.Queue != "" && e.Queue != f.Queue, f.Dataset != "" && e.Dataset != f.Dataset, f.By != "" && e.Who != f.By:
		return false
	case !f.Since.IsZero() && (e.At.IsZero() || e.At.Before(f.Since)):
		return false
	case !f.Until.IsZero() && (e.At.IsZero() || !e.At.Before(f.Until)):
		return false
	}
	return len(f.Kinds) == 0 || slices.Contains(f.Kinds, e.Kind)
}

// OfDisclosure tells what a person was first shown, of what, and where.
func OfDisclosure(d *annotate.Disclosure) Event {
	e := Event{At: d.At, Who: d.Person, Kind: Shown, Dataset: d.Dataset, Item: annotate.ItemOf(d.Key), Sampled: true, What: "shown " + d.Content.String() + ": " + d.Screen}
	if d.Key.Sample == annotate.EverySample {
		e.Sampled, e.Item = false, annotate.ItemOf(eval.Key{Run: d.Key.Run})
	}
	return e
}
