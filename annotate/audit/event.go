package audit

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/authoring"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/packet"
	"concord/annotate/rubric"
	"concord/eval"
)

// Kind is what kind of thing happened, by the word that --kind takes. The zero value is unset.
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

// AllKinds are all kinds.
func AllKinds() []Kind {
	return []Kind{
		Label, Vote, Score, Skip, Flag, Unflag, Note, Undo, Redo, Late, Reveal, Ruling, Exclude, Include, Resolve,
		Draft, Revise, Submit, Comment, RequestChanges, Accept, Verify, Discard, Replace, Type, Assign,
		Verdict, Axis, Grade,
		Person, Queue, Guideline, Report, Dataset, Import, Run, Judging, Inspection, Packet, Shown,
	}
}

// ParseKind reads the word of a kind.
func ParseKind(s string) (Kind, error) {
	if all := AllKinds(); !slices.Contains(all, Kind(s)) {
		return "", fmt.Errorf("unknown kind %q: want one of %s", s, eval.JoinList(all, func(k Kind) string { return string(k) }))
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

// WantsActs reports whether acts in queues may be asked for: there are the most of
// them, so that they are better not read in vain.
func (f *Filter) WantsActs() bool {
	return len(f.Kinds) == 0 || slices.ContainsFunc(f.Kinds, func(k Kind) bool {
		return k == Grade || k == Comment || slices.Index(AllKinds(), k) <= slices.Index(AllKinds(), Resolve)
	})
}

// WantsDisclosures reports whether what people were shown is asked for: by its name
// alone, since there may be more of it than of all else.
func (f *Filter) WantsDisclosures() bool { return slices.Contains(f.Kinds, Shown) }

// Keeps reports whether an event is asked for. Of what has no time nobody knows whether it was then.
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

// NewDisclosureEvent tells what a person was first shown, of what, and where.
func NewDisclosureEvent(d *annotate.Disclosure) Event {
	e := Event{At: d.At, Who: d.Person, Kind: Shown, Dataset: d.Dataset, Item: annotate.NewItemKey(d.Key), Sampled: true, What: "shown " + d.Content.String() + ": " + d.Screen}
	if d.Key.Sample == annotate.EverySample {
		e.Sampled, e.Item = false, annotate.NewItemKey(eval.Key{Run: d.Key.Run})
	}
	return e
}

// GradingEvents tells one person's acts on the criteria of responses to a dataset, in their order.
func GradingEvents(acts []rubric.Act) []Event {
	return eventsOfActs(acts, func(a *rubric.Act) Event {
		return newSampleEvent(a.At, a.Person, a.Dataset, a.Response.Sample, a.N, a.Target, a.Imported, a.Kind)
	}, func(a *rubric.Act) string {
		return "grade " + a.Graded.Verdict.String() + " of criterion " + a.Criterion + describeInformed(a.Informed)
	})
}

// AuthoringEvents tells the acts on one sample that is written, in their order.
func AuthoringEvents(acts []authoring.Act) []Event {
	stands := false
	return eval.Map(acts, func(a authoring.Act) Event {
		what := fmt.Sprintf("%s written sample %s", a.Kind, cmp.Or(string(a.ID), fmt.Sprint(a.Sample)))
		what += eval.Either(a.Model != "", ", translated by "+a.Model, "")
		what += eval.Either(a.Kind == criteria.Accepted && stands, ", which is still true of its changed original", "")
		stands = a.Kind == criteria.Accepted || stands && a.Kind != criteria.Submitted
		what += eval.Either(a.Kind == criteria.RequestedChanges || a.Kind == criteria.Discarded, ": "+a.Text, "")
		return Event{At: a.At, Who: a.Who, Dataset: a.Dataset, N: a.N, Kind: Kind(a.Kind.String()), What: what}
	})
}

// PacketEvents tells what went out to people away, and what came of it, of which of says the dataset.
func PacketEvents(all []packet.Packet, of func(annotate.QueueName) eval.DatasetName) []Event {
	var out [][]Event
	for i := range all {
		p := &all[i]
		if p.Here {
			continue // this project is the packet: its queue tells it
		}
		base := Event{Kind: Packet, Queue: p.Queue, Dataset: of(p.Queue)}
		made, merged, recalled := base, base, base
		made.At, made.Who = p.Made, p.By
		made.What = fmt.Sprintf("packet %s for %s: %s", p.ID, p.Who, formatCount(len(p.Keys), "item", "items"))
		merged.Who, recalled.Who = p.MergedBy, p.RecallBy
		merged.At, merged.What = p.Merged, fmt.Sprintf("packet %s of %s came home: %s by now", p.ID, p.Who, formatCount(p.Labels, "label", "labels"))
		recalled.At, recalled.What = p.Recalled, fmt.Sprintf("packet %s of %s called back", p.ID, p.Who)
		later := slices.DeleteFunc([]Event{merged, recalled}, func(e Event) bool { return e.At.IsZero() })
		slices.SortFunc(later, func(a, b Event) int { return a.At.Compare(b.At) })
		out = append(out, append([]Event{made}, later...))
	}
	return MergeInMemory(out)
}

// CurationEvents tells one expert's acts in a dataset, in their order.
func CurationEvents(acts []curation.Act) []Event {
	return eventsOfActs(acts, func(a *curation.Act) Event {
		return newSampleEvent(a.At, a.Expert, a.Dataset, a.Sample, a.N, a.Target, a.Imported, a.Kind)
	}, describeCurationAct)
}

// describeCurationAct describes what an act that takes nothing back says.
func describeCurationAct(a *curation.Act) string {
	switch a.Kind {
	case curation.Judged:
		return "verdict " + a.Verdict.String() + describeInformed(a.Informed)
	case curation.Placed:
		return "axis " + eval.JoinPath(a.Axis) + describeInformed(a.Informed)
	case curation.Skipped:
		return "skip"
	case curation.Noted:
		return describeNote(a.Text)
	case curation.Looked:
		return "reveal"
	case curation.Ruled:
		what := "adjudication " + a.Verdict.String()
		if a.Axis != nil {
			what += ", axis " + eval.JoinPath(a.Axis)
		}
		return what + describeInformed(a.Informed)
	case curation.TookBack, curation.KindUnset:
	}
	return "an act"
}

// Recall gives an act of the same sequence by its number.
type Recall func(n uint32) (annotate.Act, error)

// ActEvents tells one person's acts in a queue of a dataset, in their order.
func ActEvents(d eval.DatasetName, acts iter.Seq2[annotate.Act, error], recall Recall) Seq {
	return eval.MapSeq(acts, func(a annotate.Act) (Event, error) { return newActEvent(d, &a, recall) })
}

func newActEvent(d eval.DatasetName, a *annotate.Act, recall Recall) (Event, error) {
	e := Event{At: a.At, Who: a.Annotator, Queue: a.Queue, Dataset: d, Item: a.Item, Sampled: true, N: a.N, Imported: a.Imported}
	if a.Kind != annotate.TookBack {
		e.Kind, e.What = describeAct(a)
		return e, nil
	}
	e.Kind, e.Target = Undo, a.Target
	base := *a
	for base.Kind == annotate.TookBack && base.Target > 0 && base.Target < base.N {
		var err error
		if base, err = recall(base.Target); err != nil {
			return e, err
		}
		if base.Kind == annotate.TookBack {
			e.Kind = oppositeKind(e.Kind)
		}
	}
	_, what := describeAct(&base)
	e.What = string(e.Kind) + " " + what
	return e, nil
}

// oppositeKind is redo for undo, and undo for redo.
func oppositeKind(k Kind) Kind { return eval.Either(k == Undo, Redo, Undo) }

// describeAct describes what an act that takes nothing back says.
func describeAct(a *annotate.Act) (Kind, string) {
	switch a.Kind {
	case annotate.Labelled:
		kind, what := describeReading(&a.Reading)
		return kind, what + describeInformed(a.Informed)
	case annotate.TooLate:
		_, what := describeReading(&a.Reading)
		return Late, what + ", too late: counts for nothing"
	case annotate.Ruled:
		what := "adjudication " + a.Reading.Word()
		if a.Cause != annotate.CauseUnset {
			what += ", " + a.Cause.String()
		}
		return Ruling, what + describeInformed(a.Informed)
	case annotate.GradedOne:
		return Grade, "grade of criterion " + a.Reading.Word()
	case annotate.RuledOne:
		return Ruling, "adjudication of criterion " + a.Reading.Word()
	case annotate.Skipped:
		return Skip, "skip"
	case annotate.Flagged:
		return Flag, "flag"
	case annotate.Unflagged:
		return Unflag, "unflag"
	case annotate.Noted:
		return Note, describeNote(a.Text)
	case annotate.Tagged:
		return Note, "tags: " + a.Text
	case annotate.Looked:
		return Reveal, "reveal"
	case annotate.Excluded:
		return Exclude, "exclude: " + a.Text
	case annotate.Included:
		return Include, "include again, excluded by " + string(a.Whose)
	case annotate.Commented:
		return Comment, "comment: " + a.Text
	case annotate.Closed:
		return Resolve, "resolve " + a.Matter.String() + " of " + string(a.Whose) + eval.Either(a.Text == "", "", ": "+a.Text)
	case annotate.TookBack, annotate.ActUnset:
	}
	return Undo, "an act"
}

// describeReading describes the words of a label, a vote or a score.
func describeReading(r *annotate.Reading) (Kind, string) {
	switch r.Kind {
	case annotate.Voted:
		if r.Swapped {
			return Vote, "vote " + r.Vote.String() + ", answers swapped"
		}
		return Vote, "vote " + r.Vote.String()
	case annotate.Scored:
		return Score, "score " + r.Word()
	case annotate.Graded:
		return Grade, "grades " + r.Word()
	case annotate.PickedOption, annotate.SaidNone, annotate.SaidAmbiguous, annotate.SaidRefused, annotate.ReadingUnset:
	}
	return Label, "label " + r.Word()
}

func describeInformed(informed bool) string { return eval.Either(informed, ", after the reveal", "") }

func describeNote(text string) string { return eval.Either(text == "", "note removed", "note: "+text) }
