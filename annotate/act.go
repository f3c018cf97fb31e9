package annotate

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"time"

	"concord/eval"
	"concord/eval/stat"
)

// Annotator is a person, by the name that they work under.
type Annotator string

// ReadingKind is what kind of reading a person gave: a vote and a score are readings too. The zero value is unset.
type ReadingKind uint8

// The kinds of readings.
const (
	ReadingUnset  ReadingKind = iota
	PickedOption              // one option
	SaidNone                  // none of the options
	SaidAmbiguous             // several options, none of them final
	SaidRefused               // the model declined to answer
	Voted                     // of a pair: said which answer is better
	Scored                    // of an open answer: how right it is
	Graded                    // of a response: which criteria it meets
)

var readingNames = []string{"", "option", "none", "ambiguous", "refused", "vote", "score", "grades"}

// String returns the name that files and reports use.
func (v ReadingKind) String() string { return eval.EnumName(readingNames, v) }

// Reading is what a person makes of an item: the choice that they read out of a prediction, their vote
// on a pair, or their score of an open answer. Choice is set exactly for PickedOption, and is a letter
// as shown in that pass; Several may name the options meant by SaidAmbiguous. Vote is set exactly for
// Voted, and speaks of the answers as they were shown: that of the item's run first, or Swapped.
// Criteria is the hash of the criteria that were shown beside them, "" for none. Score is set exactly
// for Scored: 1 (completely wrong) to 5 (completely right). Grades are set exactly for Graded.
type Reading struct {
	Kind     ReadingKind
	Choice   eval.Choice
	Several  []eval.Choice
	Vote     eval.Vote
	Swapped  bool
	Criteria string
	Score    int
	Grades   []Grade
}

// SaysSame reports whether two readings of an item say the same; what was shown beside a pair is left aside.
func (r *Reading) SaysSame(o *Reading) bool {
	return r.Kind == o.Kind && r.Choice == o.Choice && r.Score == o.Score &&
		r.Vote == o.Vote && r.Swapped == o.Swapped && slices.Equal(r.Several, o.Several) && slices.Equal(r.Grades, o.Grades)
}

// IsComplete reports whether the reading has what its kind needs, and nothing that another one needs.
func (r *Reading) IsComplete() bool {
	return r.Kind != ReadingUnset &&
		(r.Kind == PickedOption) == (r.Choice != "") &&
		(r.Kind == Voted) == (r.Vote != eval.VoteUnset) &&
		(r.Kind == Scored) == (r.Score >= 1 && r.Score <= eval.TopScore) &&
		(r.Kind == Scored) == (r.Score != 0) &&
		(r.Kind == Graded) == (len(r.Grades) > 0)
}

// SideBalance is what a vote adds to the balance of sides: 1 when it was given on the
// pair swapped, -1 when not, and 0 for other readings.
func (r *Reading) SideBalance() int {
	switch {
	case r.Kind != Voted:
		return 0
	case r.Swapped:
		return 1
	}
	return -1
}

// AlignmentClass is the reading as alignment compares it: the choice, or eval.X.
func (r Reading) AlignmentClass() eval.Choice {
	return eval.Either(r.Kind == PickedOption, r.Choice, eval.X)
}

// Word is the reading in one word: a letter, a score, or the name of its kind.
func (r Reading) Word() string {
	switch r.Kind {
	case PickedOption:
		return string(r.Choice)
	case Scored:
		return strconv.Itoa(r.Score)
	case Graded:
		return formatGrades(r.Grades)
	case ReadingUnset, SaidNone, SaidAmbiguous, SaidRefused, Voted:
	}
	return r.Kind.String()
}

// ActKind is what a person did. The zero value is unset.
type ActKind uint8

// The kinds of acts.
const (
	ActUnset  ActKind = iota
	Labelled          // gave a Reading
	Skipped           // put the item off
	Flagged           // marked it for a second look
	Unflagged         // took that mark away
	Noted             // wrote a note; an empty one removes it
	TookBack          // undid the act Target; taking back such an act is redo
	TooLate           // was to give a label, when others had given all that the item takes; counts for nothing
	Looked            // was shown what the machine made of it; nothing takes that back
	Ruled             // settled it as its adjudicator: a Reading that is no label
	Excluded          // decided that it counts in no figure, for the reason Text
	Included          // ended the exclusion by the act that Whose and Target name
	Commented         // wrote a comment for others who work on it
	Closed            // closed the Matter that the act of Whose and Target raised, with Text as a remark
	GradedOne         // graded one criterion of the item, of which others are still to come; Labelled follows with all
	RuledOne          // the same as its adjudicator; Ruled follows
	Tagged            // put the tags of Text on the item, in the place of those before
)

var actNames = []string{"", "label", "skip", "flag", "unflag", "note", "undo", "late", "reveal", "ruling", "exclude", "include", "comment", "resolve", "criterion", "criterion adjudication", "tag"}

// String returns the name that exports use.
func (k ActKind) String() string { return eval.EnumName(actNames, k) }

// Act is one thing that a person did to one item of a queue: a fact. Acts of one annotator in
// one queue are numbered from 1 without gaps, and that number orders them; clocks do not.
type Act struct {
	Queue      QueueName
	Annotator  Annotator
	N          uint32
	Item       ItemKey
	Kind       ActKind
	Reading    Reading   // Labelled, Ruled, GradedOne, RuledOne
	Reason     string    // Labelled, optional
	Confidence float64   // Labelled, in (0, 1]; 0: not given
	Cause      Cause     // Ruled, optional
	Text       string    // Noted, Excluded, Commented, Closed, Tagged (ListTags)
	Target     uint32    // TookBack: the N of the act taken back; Labelled, Ruled: that of the one whose reading is kept, with other grounds or another cause; Included, Closed: that of an act of Whose
	Whose      Annotator // Included, Closed: who did the act that Target names
	Matter     Matter    // Closed
	Informed   bool      // Labelled, Ruled: given after its person was shown something of it (Disclosure); TookBack: brought another reading back after that
	Guideline  int       // Labelled: the version that was in force; 0: none, or not known
	Decoy      bool      // Labelled: asked for on an item on which others agree, so that being asked tells nothing; counts in no figure
	Imported   bool      // read from a file, not typed here
	At         time.Time
	Spent      time.Duration // time that the item was in front of them
}

// Matter is what kind of thing on an item asks for a second look. The zero value is unset.
type Matter uint8

// The matters.
const (
	MatterUnset        Matter = iota
	FlagMatter                // somebody flagged the item
	NoteMatter                // somebody wrote a note
	CommentMatter             // somebody wrote a comment
	DisagreementMatter        // people's labels differ, and nobody has adjudicated them
	GoldMatter                // somebody's label is not the known answer
	ExclusionMatter           // somebody excluded the item from figures
	ChangesMatter             // a reviewer asked for changes to criteria
)

var matterNames = []string{"", "flag", "note", "comment", "disagreement", "gold", "exclusion", "changes"}

// String returns the name that commands use.
func (m Matter) String() string { return eval.EnumName(matterNames, m) }

// ParseMatter reads what String writes.
func ParseMatter(s string) (Matter, error) { return eval.ParseEnum[Matter](matterNames, s, "kind") }

// AllMatters are all matters, in the order in which they are shown.
func AllMatters() []Matter {
	return []Matter{FlagMatter, NoteMatter, CommentMatter, DisagreementMatter, GoldMatter, ExclusionMatter, ChangesMatter}
}

// Checks are counted in blocks of so many items with a known answer, and shown only when so many labels
// are behind the annotator: neither a change of the score nor its moment tells which item it was about.
const (
	checkBlock = 5
	checkPause = 10
)

// GoldChecks counts how an annotator does on the items whose answer is known. The first label of an
// item counts, whatever becomes of it: else undo and another answer would tell the right one.
type GoldChecks struct {
	seen  map[ItemKey]bool
	right []bool // by the order in which those with a known answer were labelled
	shown stat.Count
}

// CheckAgainstGold takes up one of the annotator's acts.
func (c *GoldChecks) CheckAgainstGold(a *Act, known map[ItemKey]Reading) {
	if len(known) == 0 || a.Kind != Labelled || c.seen[a.Item] {
		return
	}
	eval.EnsureMap(&c.seen)[a.Item] = true
	if answer, ok := known[a.Item]; ok {
		c.right = append(c.right, answer.AnswerName() == a.Reading.AnswerName())
	}
	if len(c.seen)%checkPause > 0 {
		return
	}
	c.shown = stat.Count{}
	for _, right := range c.right[:len(c.right)-len(c.right)%checkBlock] {
		c.shown.Add(right)
	}
}

// CountGoldHits counts how many of the items with a known answer somebody labelled as is known, over those
// that they labelled: the first label of each counts, as in a session, and all do. The acts are one
// annotator's in one queue, in order. It is for who keeps the queue: of few items it tells which they are.
func CountGoldHits(acts []Act, known map[ItemKey]Reading) stat.Count {
	var c GoldChecks
	for i := range acts {
		c.CheckAgainstGold(&acts[i], known)
	}
	var out stat.Count
	for _, right := range c.right {
		out.Add(right)
	}
	return out
}

// VisibleHits is how many of them the annotator labelled as is known, so far as it may be shown: in
// whole blocks, after every so many labels. It is empty before the first block.
func (c *GoldChecks) VisibleHits() stat.Count { return c.shown }

// ActRef names an act of a queue: whose it is, and its number.
type ActRef struct {
	Who Annotator
	N   uint32
}

// Ref names the act.
func (a *Act) Ref() ActRef { return ActRef{a.Annotator, a.N} }

// TargetAct names the act of another person, or an own one, that the act is about; false for an act that names none.
func (a *Act) TargetAct() (ActRef, bool) { return ActRef{a.Whose, a.Target}, a.Whose != "" }

// Exclusion is a decision that an item counts in no figure: derived, never stored.
type Exclusion struct {
	Item   ItemKey
	Reason string
	By     Annotator
	N      uint32 // of the act
	At     time.Time
}

// ListExclusions lists the exclusions that stand in a queue, in the order of items and people,
// by the states of everybody who has acted in it.
func ListExclusions(states map[Annotator]State) []Exclusion {
	again := make(map[ActRef]bool)
	for _, st := range states {
		maps.Copy(again, st.Included)
	}
	var out []Exclusion
	for _, st := range states {
		for _, x := range st.Excluded {
			if !again[ActRef{x.By, x.N}] {
				out = append(out, x)
			}
		}
	}
	slices.SortFunc(out, func(a, b Exclusion) int { return cmp.Or(a.Item.Compare(b.Item), cmp.Compare(a.By, b.By)) })
	return out
}

// FoldStates derives what stands of everybody's acts in a queue, as it counts in
// figures: without decoys, and with labels of excluded items marked.
func FoldStates(acts map[Annotator][]Act) map[Annotator]State {
	out := make(map[Annotator]State, len(acts))
	for who, all := range acts {
		out[who] = FoldCountedActs(all)
	}
	for _, x := range ListExclusions(out) {
		for _, st := range out {
			if l, ok := st.Labels[x.Item]; ok {
				l.Excluded = true
				st.Labels[x.Item] = l
			}
		}
	}
	return out
}
