package annotate

import (
	"maps"
	"slices"
	"time"

	"concord/annotate/journal"
)

// Label is what stands of one person's acts on one item: derived, never
// stored.
type Label struct {
	Queue      QueueName
	Annotator  Annotator
	Item       ItemKey
	Reading    Reading
	Reason     string
	Confidence float64
	Note       string
	Flagged    bool
	Excluded   bool // the item counts in no figure: see FoldAll
	Informed   bool // given after its person was shown something of it
	Guideline  int  // the version of the guideline that it was made under; 0: none, or not known
	Imported   bool
	Decoy      bool // it counts in no figure: see Queue.Asks
	At         time.Time
	Spent      time.Duration
}

// State is what stands of one annotator's acts in one queue.
type State struct {
	Labels  map[ItemKey]Label
	Rulings map[ItemKey]Ruling
	Skipped map[ItemKey]bool // put off and not labelled since
	Flagged map[ItemKey]bool
	Notes   map[ItemKey]string
	Seen    map[ItemKey]bool // what the machine made of it was shown

	Excluded map[ItemKey]Exclusion // that this person excluded, whoever included them since
	Included map[ActRef]bool       // exclusions that this person ended
}

// Fold derives the state from one annotator's acts in one queue, in order of
// N. An act stands unless a later act that stands took it back, so undo,
// redo and undo again are one rule.
func Fold(acts []Act) State {
	st := State{
		Labels:  make(map[ItemKey]Label),
		Rulings: make(map[ItemKey]Ruling),
		Skipped: make(map[ItemKey]bool),
		Flagged: make(map[ItemKey]bool),
		Notes:   make(map[ItemKey]string),
		Seen:    make(map[ItemKey]bool),

		Excluded: make(map[ItemKey]Exclusion),
		Included: make(map[ActRef]bool),
	}
	gone := TakenBack(acts)
	for i := range acts {
		if a := &acts[i]; !gone[a.N] {
			st.Apply(a)
		}
	}
	for i := range acts {
		if a := &acts[i]; a.Kind == TookBack && a.Informed {
			st.inform(acts, a)
		}
	}
	for k, l := range st.Labels {
		l.Flagged, l.Note = st.Flagged[k], st.Notes[k]
		st.Labels[k] = l
	}
	for k, r := range st.Rulings {
		r.Note = st.Notes[k]
		st.Rulings[k] = r
	}
	return st
}

// FoldCounted is Fold with the labels that count in figures: without decoys.
func FoldCounted(acts []Act) State {
	st := Fold(acts)
	maps.DeleteFunc(st.Labels, func(_ ItemKey, l Label) bool { return l.Decoy })
	return st
}

// inform makes what stands of the item of an undo, or a redo, by acts before it
// no blind reading: it was brought back after its person was shown something.
func (s *State) inform(acts []Act, undo *Act) {
	gone, what := TakenBack(acts), base(acts, undo)
	last := func(kind ActKind) uint32 {
		n := uint32(0)
		for i := range acts {
			if a := &acts[i]; a.Kind == kind && a.Item == undo.Item && !gone[a.N] {
				n = a.N
			}
		}
		return n
	}
	if l, ok := s.Labels[undo.Item]; ok && what == Labelled && last(Labelled) < undo.N {
		l.Informed = true
		s.Labels[undo.Item] = l
	}
	if r, ok := s.Rulings[undo.Item]; ok && what == Ruled && last(Ruled) < undo.N {
		r.Informed = true
		s.Rulings[undo.Item] = r
	}
}

// base is the kind of the act that a chain of undo and redo is about.
func base(acts []Act, undo *Act) ActKind {
	for undo.Kind == TookBack {
		i := slices.IndexFunc(acts, func(a Act) bool { return a.N == undo.Target && a.N < undo.N })
		if i < 0 {
			return ActUnset
		}
		undo = &acts[i]
	}
	return undo.Kind
}

// TakenBack are the numbers of the acts that a later act took back.
func TakenBack(acts []Act) map[uint32]bool {
	return journal.TakenBack(acts, func(a *Act) uint32 { return a.N }, func(a *Act) uint32 {
		if a.Kind != TookBack {
			return 0
		}
		return a.Target
	})
}

// Apply changes the state by one act that stands.
func (s *State) Apply(a *Act) {
	switch a.Kind {
	case Labelled:
		s.Labels[a.Item] = Label{
			Queue: a.Queue, Annotator: a.Annotator, Item: a.Item, Reading: a.Reading,
			Reason: a.Reason, Confidence: a.Confidence, Imported: a.Imported, Informed: a.Informed,
			Guideline: a.Guideline, Decoy: a.Decoy, At: a.At, Spent: a.Spent,
		}
		delete(s.Skipped, a.Item)
	case Skipped:
		if _, done := s.Labels[a.Item]; !done {
			s.Skipped[a.Item] = true
		}
	case Flagged:
		s.Flagged[a.Item] = true
	case Unflagged:
		delete(s.Flagged, a.Item)
	case Noted:
		if a.Text == "" {
			delete(s.Notes, a.Item)
		} else {
			s.Notes[a.Item] = a.Text
		}
	case Looked:
		s.Seen[a.Item] = true
	case Ruled:
		s.Rulings[a.Item] = Ruling{
			Queue: a.Queue, Annotator: a.Annotator, Item: a.Item, Reading: a.Reading, Cause: a.Cause,
			Imported: a.Imported, Informed: a.Informed, At: a.At, Spent: a.Spent,
		}
	case Excluded:
		s.Excluded[a.Item] = Exclusion{Item: a.Item, Reason: a.Text, By: a.Annotator, N: a.N, At: a.At}
	case Included:
		s.Included[ActRef{a.Whose, a.Target}] = true
	case TookBack, TooLate, Commented, Closed, ActUnset:
	}
}
