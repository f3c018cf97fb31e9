package annotate

import (
	"math"
	"strconv"

	"concord/eval"
)

// Everybody is how many people an item wants that everybody labels.
const Everybody = math.MaxInt

// Crowd is the people whose label of one item stands.
type Crowd struct {
	People  int
	Sides   int            // of votes: how many more of them saw the pair swapped than not
	Classes map[string]int // how many of them say what; nil where it was not kept
}

// Differs reports whether not all of them say the same.
func (c Crowd) Differs() bool { return len(c.Classes) > 1 }

// AddLabel adds a label.
func (c *Crowd) AddLabel(r Reading) { c.AddContribution(r.Contribution(), 1) }

// RemoveLabel takes one away.
func (c *Crowd) RemoveLabel(r Reading) { c.AddContribution(r.Contribution(), -1) }

// AddContribution counts a contribution as often as by says; a negative number takes it away.
func (c *Crowd) AddContribution(m Contribution, by int) {
	eval.EnsureMap(&c.Classes)
	c.People += by
	c.Sides += by * m.Side
	if m.Answer == "" {
		return
	}
	if c.Classes[m.Answer] += by; c.Classes[m.Answer] <= 0 {
		delete(c.Classes, m.Answer)
	}
}

// AnswerName names what a reading comes to where people are compared with each other: the
// option, or that it is none; of a vote the answer that is preferred, in whichever order the
// two were shown, or that neither is; a score; what all grades say.
func (r Reading) AnswerName() string {
	switch r.Kind {
	case Voted:
		v := eval.Either(r.Swapped, r.Vote.Swapped(), r.Vote)
		return eval.Either(!v.IsDecided(), "neither", v.String())
	case Scored:
		return strconv.Itoa(r.Score)
	case Graded:
		return gradesAnswerName(r.Grades)
	case ReadingUnset, PickedOption, SaidNone, SaidAmbiguous, SaidRefused:
	}
	return newPersonSide(r).className()
}

// LabelsWantedOfItem is how many people are to label an item of the queue: everybody, where its
// answer is known; as many as the queue's overlap, while all who have labelled it say the same;
// and the extra ones too, once they differ. It follows from the labels that stand, so undo and
// a second thought change it back; who has labelled the item by then keeps their place.
func (q *Queue) LabelsWantedOfItem(differ, known bool) int {
	switch {
	case known:
		return Everybody
	case differ:
		return q.WantedLabelsIfAgreed() + max(q.Extra, 0)
	}
	return q.WantedLabelsIfAgreed()
}

// decoys is the share of the items on which people agree that are offered to the
// extra people all the same: one in so many.
const decoys = 4

// PeopleAsked is how many people an item is offered to: as many as it wants and, of some items on which
// people agree, the extra ones too. Whoever is handed an item on which others differ could else tell so
// by being asked. What they say of such an item is a Decoy, and counts nowhere.
func (q *Queue) PeopleAsked(k ItemKey, differ, known bool) int {
	return q.LabelsWantedOfItem(differ || q.isDecoy(k), known)
}

// isDecoy reports whether an item is offered to the extra people although others
// agree on it. It follows from the seed and the key, and is the same for everybody.
func (q *Queue) isDecoy(k ItemKey) bool {
	const another = 0x9e3779b97f4a7c15 // so that it is unrelated to how items are drawn
	return q.Extra > 0 && k.DrawHash(q.Rule.Seed^another) < math.MaxUint64/decoys
}

// audited is the share of items on which people and machines agree that are
// adjudicated all the same: one in so many.
const audited = 10

// IsAudited reports whether an item is adjudicated also where nobody differs on it: an error
// that people and a machine share is found on no other. It follows from the seed and the key.
func (q *Queue) IsAudited(k ItemKey) bool {
	const another = 0x517cc1b727220a95 // so that it is unrelated to how items are drawn
	return k.DrawHash(q.Rule.Seed^another) < math.MaxUint64/audited
}

// IsSpareLabel reports whether one more label of an item that others have labelled, as
// the crowd says, is a decoy: all that it wants are there, and they agree.
func (q *Queue) IsSpareLabel(c Crowd, known bool) bool {
	return q.Extra > 0 && !known && !c.Differs() && c.People >= q.WantedLabelsIfAgreed()
}

// Gold is an item of a queue whose answer is known.
type Gold struct {
	Key     ItemKey
	Reading Reading
	From    string // where the answer comes from: a file, or a queue
}

// KnownItems are the items that have a known answer.
func KnownItems(golds []Gold) map[ItemKey]bool {
	return eval.IndexBy(golds, func(g Gold) (ItemKey, bool) { return g.Key, true })
}

// Contribution is what one person's label adds to the crowd of an item.
type Contribution struct {
	Answer string // see Reading.AnswerName; "" of a decoy, which counts as nobody's word
	Side   int    // see Reading.SideBalance
}

// Contribution is what the label adds to a crowd.
func (l *Label) Contribution() Contribution {
	out := l.Reading.Contribution()
	if l.Decoy {
		out.Answer = ""
	}
	return out
}

// Contribution is what the reading adds to a crowd.
func (r *Reading) Contribution() Contribution { return Contribution{r.AnswerName(), r.SideBalance()} }
