package audit

import (
	"iter"

	"concord/annotate"
	"concord/eval"
)

// Recall gives an act of the same sequence by its number.
type Recall func(n uint32) (annotate.Act, error)

// Acts tells one person's acts in a queue of a dataset, in their order.
func Acts(d eval.DatasetName, acts iter.Seq2[annotate.Act, error], recall Recall) Seq {
	return func(yield func(Event, error) bool) {
		for a, err := range acts {
			var e Event
			if err == nil {
				e, err = ofAct(d, &a, recall)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func ofAct(d eval.DatasetName, a *annotate.Act, recall Recall) (Event, error) {
	e := Event{
		At: a.At, Who: a.Annotator, Queue: a.Queue, Dataset: d, Item: a.Item, Sampled: true,
		N: a.N, Imported: a.Imported,
	}
	if a.Kind != annotate.TookBack {
		e.Kind, e.What = words(a)
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
			e.Kind = other(e.Kind)
		}
	}
	_, what := words(&base)
	e.What = string(e.Kind) + " " + what
	return e, nil
}

// other is redo for undo, and undo for redo.
func other(k Kind) Kind {
	if k == Undo {
		return Redo
	}
	return Undo
}

// words are what an act that takes nothing back says.
func words(a *annotate.Act) (Kind, string) {
	switch a.Kind {
	case annotate.Labelled:
		kind, what := reading(&a.Reading)
		return kind, what + seen(a.Informed)
	case annotate.TooLate:
		_, what := reading(&a.Reading)
		return Late, what + ", too late: counts for nothing"
	case annotate.Ruled:
		what := "adjudication " + a.Reading.Word()
		if a.Cause != annotate.CauseUnset {
			what += ", " + a.Cause.String()
		}
		return Ruling, what + seen(a.Informed)
	case annotate.Skipped:
		return Skip, "skip"
	case annotate.Flagged:
		return Flag, "flag"
	case annotate.Unflagged:
		return Unflag, "unflag"
	case annotate.Noted:
		return Note, noted(a.Text)
	case annotate.Looked:
		return Reveal, "reveal"
	case annotate.Excluded:
		return Exclude, "exclude: " + a.Text
	case annotate.Included:
		return Include, "include again, excluded by " + string(a.Whose)
	case annotate.Commented:
		return Comment, "comment: " + a.Text
	case annotate.Closed:
		return Resolve, resolved(a)
	case annotate.TookBack, annotate.ActUnset:
	}
	return Undo, "an act"
}

// reading are the words of a label, a vote or a score.
func reading(r *annotate.Reading) (Kind, string) {
	switch r.Verdict {
	case annotate.Voted:
		if r.Swapped {
			return Vote, "vote " + r.Vote.String() + ", answers swapped"
		}
		return Vote, "vote " + r.Vote.String()
	case annotate.Scored:
		return Score, "score " + r.Word()
	case annotate.PickedOption, annotate.SaidNone, annotate.SaidAmbiguous, annotate.SaidRefused, annotate.VerdictUnset:
	}
	return Label, "label " + r.Word()
}

func seen(informed bool) string {
	if informed {
		return ", after the reveal"
	}
	return ""
}

func noted(text string) string {
	if text == "" {
		return "note removed"
	}
	return "note: " + text
}

func resolved(a *annotate.Act) string {
	out := "resolve " + a.Matter.String() + " of " + string(a.Whose)
	if a.Text != "" {
		out += ": " + a.Text
	}
	return out
}
