package annotate

import (
	"fmt"
	"time"

	"concord/eval"
)

// QueueName names a queue within a project.
type QueueName string

// From is the population that a queue is drawn from. The zero value is unset.
type From uint8

// The populations.
const (
	FromUnset         From = iota
	FromUnparsable         // predictions that a named rule set reads no choice from
	FromDisagreements      // predictions that two extractors read differently
	FromPairs              // pairs of answers, for votes
	FromAll                // every prediction
)

var fromNames = []string{"", "unparsable", "disagreements", "pairs", "all"}

// String is the name that is stored and exported; --from says unparsed for
// FromUnparsable.
func (f From) String() string { return eval.NameOf(fromNames, f) }

// Word is the population as people read it.
func (f From) Word() string {
	if f == FromUnparsable {
		return "unparsed"
	}
	return f.String()
}

// ParseFrom reads what String writes, and what --from says.
func ParseFrom(s string) (From, error) {
	if s == "unparsed" {
		return FromUnparsable, nil
	}
	return eval.ParseName[From](fromNames, s, "population")
}

// Stratum tells what a queue's labels may be used for.
type Stratum uint8

// The strata.
const (
	StratumUnset Stratum = iota
	Random               // drawn at random: feeds rates
	Priority             // drawn by interest: does not
)

var stratumNames = []string{"", "random", "priority"}

// String is the name that is stored and exported; --sampling says targeted for
// Priority.
func (s Stratum) String() string { return eval.NameOf(stratumNames, s) }

// ParseStratum reads what String writes, and what --sampling says.
func ParseStratum(s string) (Stratum, error) {
	if s == "targeted" {
		return Priority, nil
	}
	return eval.ParseName[Stratum](stratumNames, s, "sampling")
}

// Rule is how a queue's items are chosen. It is frozen when the queue is
// created, also for a queue that grows while a run runs.
type Rule struct {
	Dataset  eval.DatasetName
	Runs     []eval.RunID // empty: every run on the dataset
	From     From
	Rules    string   // name@version of the rule set, for FromUnparsable
	Among    []string // name@version of the rule sets that are compared, with each other and with judges; empty: Rules alone
	Order    Order
	Rate     float64         // share in (0, 1]; 0 where Number or PerLevel decides
	Number   int             // how many in all, of samples where they are drawn; 0: no fixed number
	Level    int             // with PerLevel: how many taxonomy levels group the items
	PerLevel int             // how many of each group
	IDs      []eval.SampleID // only these samples; empty: all, or the queue was read back
	Listed   int             // how many IDs the queue was created with, also where they are left out
	Seed     uint64
	Anchor   eval.RunID // FromPairs: what every run is set against; 0: each against each
	Whole    bool       // samples are drawn, and all predictions on a drawn one enrolled; pairs always are
}

// Queue is a list of items to annotate. Population is how many predictions, or
// pairs, the rule's filter found, from which Items were drawn.
type Queue struct {
	Name       QueueName
	Rule       Rule
	Stratum    Stratum
	Overlap    int // how many people label each item
	Extra      int // and how many more, once these do not say the same
	GoldItems  int // items whose answer is known
	Growing    bool
	Population int
	Items      int
	Design     Design    // of a sample that was drawn elsewhere
	Guideline  Guideline // the version in force
	Criteria   bool      // of pairs: the samples' criteria are shown
	Synthetic  bool
	By         Annotator
	Created    time.Time
}

// Wanted is how many people label an item on which they agree: at least one.
// What one item wants, Wants says.
func (q *Queue) Wanted() int { return max(q.Overlap, 1) }

// ForLabels gives ErrPairs for a queue of pairs, which people vote on: there is
// nothing to label in it, and nothing that a reading could be aligned with.
func (q *Queue) ForLabels() error {
	if q.Rule.From == FromPairs {
		return fmt.Errorf("queue %s holds pairs of answers: %w", q.Name, ErrPairs)
	}
	return nil
}

// QueueItem is what is enrolled in a queue. Inclusion is the probability with
// which the rule chose it from its population; 0 of one that was added because
// its answer is known.
type QueueItem struct {
	Index     int // from 0, in the order of enrolment
	Key       ItemKey
	Inclusion float64
	Group     string // the taxonomy group it was drawn in, "" without groups
}
