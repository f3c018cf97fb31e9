package annotate

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"concord/annotate/journal"
	"concord/eval"
)

// Label is what stands of one person's acts on one item: derived, never stored.
type Label struct {
	Queue      QueueName
	Annotator  Annotator
	Item       ItemKey
	Reading    Reading
	Reason     string
	Confidence float64
	Note       string
	Tags       []string // in the order of their set
	Flagged    bool
	Excluded   bool // the item counts in no figure: see FoldStates
	Informed   bool // given after its person was shown something of it
	Guideline  int  // the version of the guideline that it was made under; 0: none, or not known
	Imported   bool
	Decoy      bool // it counts in no figure: see Queue.PeopleAsked
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
	Tags    map[ItemKey][]string
	Seen    map[ItemKey]bool    // what the machine made of it was shown
	Grades  map[ItemKey][]Grade // of criteria so far, also where others lack theirs
	Ruled   map[ItemKey][]Grade // the same as its adjudicator

	Excluded map[ItemKey]Exclusion // that this person excluded, whoever included them since
	Included map[ActRef]bool       // exclusions that this person ended
}

// FoldActs derives the state from one annotator's acts in one queue, in order of N. An act stands
// unless a later act that stands took it back, so undo, redo and undo again are one rule.
func FoldActs(acts []Act) State {
	st := State{
		Labels:  make(map[ItemKey]Label),
		Rulings: make(map[ItemKey]Ruling),
		Skipped: make(map[ItemKey]bool),
		Flagged: make(map[ItemKey]bool),
		Notes:   make(map[ItemKey]string),
		Tags:    make(map[ItemKey][]string),
		Seen:    make(map[ItemKey]bool),
		Grades:  make(map[ItemKey][]Grade),
		Ruled:   make(map[ItemKey][]Grade),

		Excluded: make(map[ItemKey]Exclusion),
		Included: make(map[ActRef]bool),
	}
	gone := FindTakenBack(acts)
	for i := range acts {
		if a := &acts[i]; !gone[a.N] {
			st.ApplyAct(a)
		}
	}
	for i := range acts {
		if a := &acts[i]; a.Kind == TookBack && a.Informed {
			st.markInformed(acts, a)
		}
	}
	for k, l := range st.Labels {
		l.Flagged, l.Note, l.Tags = st.Flagged[k], st.Notes[k], st.Tags[k]
		st.Labels[k] = l
	}
	for k, r := range st.Rulings {
		r.Note = st.Notes[k]
		st.Rulings[k] = r
	}
	return st
}

// FoldCountedActs is FoldActs with the labels that count in figures: without decoys.
func FoldCountedActs(acts []Act) State {
	st := FoldActs(acts)
	maps.DeleteFunc(st.Labels, func(_ ItemKey, l Label) bool { return l.Decoy })
	return st
}

// markInformed makes what stands of the item of an undo, or a redo, by acts before it
// no blind reading: it was brought back after its person was shown something.
func (s *State) markInformed(acts []Act, undo *Act) {
	gone, what := FindTakenBack(acts), kindBehindUndo(acts, undo)
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

// kindBehindUndo is the kind of the act that a chain of undo and redo is about.
func kindBehindUndo(acts []Act, undo *Act) ActKind {
	for undo.Kind == TookBack {
		i := slices.IndexFunc(acts, func(a Act) bool { return a.N == undo.Target && a.N < undo.N })
		if i < 0 {
			return ActUnset
		}
		undo = &acts[i]
	}
	return undo.Kind
}

// FindTakenBack finds the numbers of the acts that a later act took back.
func FindTakenBack(acts []Act) map[uint32]bool {
	return journal.FindTakenBack(acts, func(a *Act) uint32 { return a.N }, func(a *Act) uint32 {
		return eval.Either(a.Kind != TookBack, 0, a.Target)
	})
}

// ApplyAct changes the state by one act that stands.
func (s *State) ApplyAct(a *Act) {
	switch a.Kind {
	case Labelled:
		s.Labels[a.Item] = Label{
			Queue: a.Queue, Annotator: a.Annotator, Item: a.Item, Reading: a.Reading,
			Reason: a.Reason, Confidence: a.Confidence, Imported: a.Imported, Informed: a.Informed,
			Guideline: a.Guideline, Decoy: a.Decoy, At: a.At, Spent: a.Spent,
		}
		delete(s.Skipped, a.Item)
		applyGrades(s.Grades, a)
	case GradedOne:
		applyGrades(s.Grades, a)
	case RuledOne:
		applyGrades(s.Ruled, a)
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
	case Tagged:
		s.Tags[a.Item] = ListTags(a.Text)
	case Looked:
		s.Seen[a.Item] = true
	case Ruled:
		s.Rulings[a.Item] = Ruling{
			Queue: a.Queue, Annotator: a.Annotator, Item: a.Item, Reading: a.Reading, Cause: a.Cause,
			Imported: a.Imported, Informed: a.Informed, At: a.At, Spent: a.Spent,
		}
		applyGrades(s.Ruled, a)
	case Excluded:
		s.Excluded[a.Item] = Exclusion{Item: a.Item, Reason: a.Text, By: a.Annotator, N: a.N, At: a.At}
	case Included:
		s.Included[ActRef{a.Whose, a.Target}] = true
	case TookBack, TooLate, Commented, Closed, ActUnset:
	}
}

func applyGrades(of map[ItemKey][]Grade, a *Act) {
	for _, g := range a.Reading.Grades {
		of[a.Item] = ReplaceGrade(of[a.Item], g)
	}
}

// Rationale is what a person may add to a label: the reason, and their confidence.
type Rationale struct {
	Reason     string
	Confidence float64 // in (0, 1]; 0: not given
}

// ParseRationale reads a rationale as it is typed: a reason, and before it,
// optionally, how sure one is: "80% it says so at the end", or "80%" alone.
func ParseRationale(s string) Rationale {
	s = strings.TrimSpace(s)
	head, rest, ok := strings.Cut(s, "%")
	if n, err := strconv.Atoi(strings.TrimSpace(head)); ok && err == nil && n >= 1 && n <= 100 {
		return Rationale{Reason: strings.TrimSpace(rest), Confidence: float64(n) / 100}
	}
	return Rationale{Reason: s}
}

// String writes what ParseRationale reads.
func (g Rationale) String() string {
	if g.Confidence <= 0 {
		return g.Reason
	}
	return strings.TrimSpace(strconv.Itoa(int(100*g.Confidence+0.5)) + "% " + g.Reason)
}

// Rationale gives the rationale of the label.
func (l *Label) Rationale() Rationale { return Rationale{l.Reason, l.Confidence} }

// Guideline is one version of the text that a queue's annotators go by. The
// zero value is no guideline: a screen then shows the standard one.
type Guideline struct {
	Version int // from 1, in the order in which they were written; 0: none
	Text    string
	By      Annotator
	At      time.Time
}

// ErrSameGuideline says that a text is the guideline in force already.
var ErrSameGuideline = errors.New("this is the guideline in force")

// NextVersion gives the version that follows g. It gives ErrSameGuideline when it would
// say the same, so that writing a file twice makes no second version.
func (g Guideline) NextVersion(text string, by Annotator, at time.Time) (Guideline, error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	switch {
	case text == "":
		return g, errors.New("the guideline is empty")
	case text == strings.TrimSpace(g.Text):
		return g, fmt.Errorf("version %d: %w", g.Version, ErrSameGuideline)
	}
	return Guideline{Version: g.Version + 1, Text: text, By: by, At: at}, nil
}

// VersionOfLabel is the version that a label was made under while g is in force; 0 when
// that was none, or is not known. A label of before there were versions says
// nothing: it was made under the first one, unless it is older.
func (g Guideline) VersionOfLabel(l *Label) int { return g.VersionAt(l.Guideline, l.Imported, l.At) }

// VersionAt is the version that was in force at a time, given what an act says of it; see Of.
func (g Guideline) VersionAt(version int, imported bool, at time.Time) int {
	return eval.Either(version == 0 && !imported && g.Version == 1 && !at.Before(g.At), 1, version)
}

// PersonVote is what stands of one person's acts on one pair, as a vote: derived, never stored.
type PersonVote struct {
	Queue     QueueName
	Annotator Annotator
	Pair      eval.Pair // in the order in which it was shown
	Vote      eval.Vote // of the answers in that order
	Criteria  string    // the hash of the criteria that were shown; "" for none
	Flagged   bool      // marked for a second look
	Note      string
	Excluded  bool // the pair was excluded: reports leave it out, and count it
	Informed  bool // given after its person was shown something of the pair, so it is no blind one
	Imported  bool
	At        time.Time
	Spent     time.Duration
}

// ToVote gives the label as a vote; false when it is none.
func (l *Label) ToVote() (PersonVote, bool) {
	if l.Reading.Kind != Voted || l.Item.Against == 0 {
		return PersonVote{}, false
	}
	pair := eval.Pair{Sample: l.Item.Sample, First: l.Item.Run, Second: l.Item.Against}
	if l.Reading.Swapped {
		pair = pair.Swapped()
	}
	return PersonVote{
		Queue: l.Queue, Annotator: l.Annotator, Pair: pair, Vote: l.Reading.Vote, Criteria: l.Reading.Criteria,
		Flagged: l.Flagged, Note: l.Note, Excluded: l.Excluded, Informed: l.Informed, Imported: l.Imported, At: l.At, Spent: l.Spent,
	}, true
}

// CollectVotes collects the votes of one annotator in one queue that stand, in the order of the items.
func CollectVotes(st State, items []QueueItem) []PersonVote {
	var out []PersonVote
	for i := range items {
		l := st.Labels[items[i].Key] // without one, it is no vote
		if v, ok := l.ToVote(); ok {
			out = append(out, v)
		}
	}
	return out
}

// DrawHash draws the place of an item in the random order in which the items of its queue are
// offered. It follows from the seed and the key alone, so that it is known of items that were
// enrolled long ago. The passes of a sample that is drawn whole have the same one; pairs, which
// are drawn by their sample, come in an order of their own.
func (r *Rule) DrawHash(k ItemKey) uint64 {
	if r.From == FromPairs {
		return k.DrawHash(r.Seed)
	}
	return r.DrawnUnit(k).DrawHash(r.Seed)
}

// LabelTurnout tells which items of a queue may still get a label.
type LabelTurnout struct {
	queue  *Queue
	gone   map[ItemKey]bool // excluded
	states []State          // of those who label or skip
}

// NewLabelTurnout takes the state of everybody who has acted in the queue.
func NewLabelTurnout(q *Queue, states map[Annotator]State) *LabelTurnout {
	t := &LabelTurnout{queue: q, gone: eval.IndexBy(ListExclusions(states), func(x Exclusion) (ItemKey, bool) { return x.Item, true })}
	t.states = eval.Select(slices.Collect(maps.Values(states)), func(st State) bool { return len(st.Labels)+len(st.Skipped) > 0 })
	return t
}

// IsOpen reports whether an item lacks a label that it could get. An item that nobody has
// labelled is open, also while somebody has it in front of them, unless it was skipped. One
// with fewer labels than the queue wants is open while somebody who works in the queue has
// neither labelled nor skipped it. One that is excluded is not.
func (t *LabelTurnout) IsOpen(k ItemKey) bool {
	if t.gone[k] {
		return false
	}
	var crowd Crowd
	skipped, could := false, false
	for i := range t.states {
		st := &t.states[i]
		if l, ok := st.Labels[k]; ok {
			crowd.AddLabel(l.Reading)
			continue
		}
		skipped = skipped || st.Skipped[k]
		could = could || !st.Skipped[k]
	}
	if crowd.People == 0 {
		return !skipped
	}
	return could && crowd.People < t.queue.LabelsWantedOfItem(crowd.Differs(), false)
}
