package curation

import (
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/journal"
	"concord/eval"
)

// Word is what stands of one expert's acts on one sample: derived, never
// stored.
type Word struct {
	Expert   annotate.Annotator
	Verdict  Verdict
	Axis     []string // nil: they left it where the dataset has it
	Note     string
	Informed bool // given after other experts' words were shown
	Imported bool
	At       time.Time
	Spent    time.Duration
}

// State is what stands of one expert's acts in one dataset.
type State struct {
	Words   map[eval.Ordinal]Word
	Rulings map[eval.Ordinal]Word
	Axes    map[eval.Ordinal][]string // also of samples without a verdict
	Notes   map[eval.Ordinal]string
	Skipped map[eval.Ordinal]uint32 // put off and not judged since: the N of the last time
	Seen    map[eval.Ordinal]bool   // other experts' words were shown
	history journal.History
}

// Fold derives the state from one expert's acts in one dataset, in order of N.
func Fold(acts []Act) State {
	st := State{
		Words: make(map[eval.Ordinal]Word), Rulings: make(map[eval.Ordinal]Word),
		Axes: make(map[eval.Ordinal][]string), Notes: make(map[eval.Ordinal]string),
		Skipped: make(map[eval.Ordinal]uint32), Seen: make(map[eval.Ordinal]bool),
	}
	gone := journal.TakenBack(acts, number, takes)
	for i := range acts {
		if !gone[acts[i].N] {
			st.apply(&acts[i])
		}
		st.remember(acts, &acts[i])
	}
	for i := range acts {
		if a := &acts[i]; a.Kind == TookBack && a.Informed {
			st.inform(acts, gone, a)
		}
	}
	return st
}

// inform makes the word on the sample of an undo, or a redo, that was given
// before it no blind one: it was brought back after others' words were shown.
func (s *State) inform(acts []Act, gone map[uint32]bool, undo *Act) {
	of := undo
	for of.Kind == TookBack {
		i := slices.IndexFunc(acts, func(a Act) bool { return a.N == of.Target && a.N < of.N })
		if i < 0 {
			return
		}
		of = &acts[i]
	}
	for i := range acts {
		if a := &acts[i]; a.Kind == of.Kind && a.Sample == of.Sample && !gone[a.N] && a.N > undo.N {
			return // it was given after the undo
		}
	}
	for kind, words := range map[Kind]map[eval.Ordinal]Word{Judged: s.Words, Ruled: s.Rulings} {
		if w, ok := words[of.Sample]; ok && of.Kind == kind {
			w.Informed = true
			words[of.Sample] = w
		}
	}
}

// takes is the act that an act takes back; 0 for none.
func takes(a *Act) uint32 {
	if a.Kind != TookBack {
		return 0
	}
	return a.Target
}

// apply lets an act that stands count.
func (s *State) apply(a *Act) {
	o := a.Sample
	switch a.Kind {
	case Judged:
		s.Words[o] = word(a)
		delete(s.Skipped, o)
	case Ruled:
		s.Rulings[o] = word(a)
	case Placed:
		s.Axes[o] = a.Axis
	case Noted:
		if a.Text == "" {
			delete(s.Notes, o)
		} else {
			s.Notes[o] = a.Text
		}
	case Skipped:
		if _, done := s.Words[o]; !done {
			s.Skipped[o] = a.N
		}
	case Looked:
		s.Seen[o] = true
	case TookBack, KindUnset:
	}
}

func word(a *Act) Word {
	return Word{
		Expert: a.Expert, Verdict: a.Verdict, Axis: a.Axis, Informed: a.Informed, Imported: a.Imported,
		At: a.At, Spent: a.Spent,
	}
}

// remember takes up an act in what can be taken back. What came from a file is
// no act of this kind.
func (s *State) remember(acts []Act, a *Act) {
	switch {
	case a.Imported || a.Kind == KindUnset || a.Kind == Looked:
	case a.Kind != TookBack:
		s.history.Did(a.N)
	case a.Target == 0 || a.Target >= a.N:
	case acts[a.Target-1].Kind == TookBack:
		s.history.Redid(a.Target, acts[a.Target-1].Target)
	default:
		s.history.Undid(a.N, a.Target)
	}
}

// Word is what the expert says of a sample, its axis and note with it; false
// while they have given no verdict.
func (s *State) Word(o eval.Ordinal) (Word, bool) {
	w, ok := s.Words[o]
	w.Axis, w.Note = s.Axes[o], s.Notes[o]
	return w, ok
}

// Ruling is how the expert settled a sample.
func (s *State) Ruling(o eval.Ordinal) (Word, bool) {
	w, ok := s.Rulings[o]
	w.Note = s.Notes[o]
	return w, ok
}

// Answered reports whether the expert has said what they make of a sample, as
// a verdict or a ruling.
func (s *State) Answered(o eval.Ordinal) bool {
	_, judged := s.Words[o]
	_, ruled := s.Rulings[o]
	return judged || ruled
}

// Take lets the expert's next act count, one that takes nothing back.
func (s *State) Take(a Act) { s.apply(&a) }
