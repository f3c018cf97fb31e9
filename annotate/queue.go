package annotate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
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
	FromCriteria           // predictions on samples that have criteria, for grades
	FromWrong              // predictions that a named rule set, or else a judge, reads, and not as the ground truth; or nobody reads
)

var fromNames = []string{"", "unparsable", "disagreements", "pairs", "all", "criteria", "wrong"}

// String is the name that is stored and exported; --from says unparsed for FromUnparsable.
func (f From) String() string { return eval.EnumName(fromNames, f) }

// DisplayName is the population as people read it.
func (f From) DisplayName() string { return eval.Either(f == FromUnparsable, "unparsed", f.String()) }

// ParseFrom reads what String writes, and what --from says.
func ParseFrom(s string) (From, error) {
	if s == "unparsed" {
		return FromUnparsable, nil
	}
	return eval.ParseEnum[From](fromNames, s, "population")
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

// String is the name that is stored and exported; --sampling says targeted for Priority.
func (s Stratum) String() string { return eval.EnumName(stratumNames, s) }

// DisplayName is the name that people read.
func (s Stratum) DisplayName() string { return eval.Either(s == Priority, "targeted", s.String()) }

// ParseStratum reads what String writes, and what --sampling says.
func ParseStratum(s string) (Stratum, error) {
	if s == "targeted" {
		return Priority, nil
	}
	return eval.ParseEnum[Stratum](stratumNames, s, "sampling")
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
	Drawing  Drawing    // ByUncertainty: with which probabilities
}

// Queue is a list of items to annotate. Population is how many predictions, or
// pairs, the rule's filter found, from which Items were drawn.
type Queue struct {
	Name              QueueName
	Rule              Rule
	Stratum           Stratum
	Overlap           int // how many people label each item
	Extra             int // and how many more, once these do not say the same
	GoldItems         int // items whose answer is known
	Growing           bool
	Population, Items int
	Design            Design    // of a sample that was drawn elsewhere
	Guideline         Guideline // the version in force
	Criteria          bool      // of pairs: the samples' criteria are shown
	Labels            LabelSet  // what people say of its items; none: the items' own options
	Tags              LabelSet  // what they can mark an item with beside its label
	Synthetic         bool
	By                Annotator
	Created           time.Time
}

// WantedLabelsIfAgreed is how many people label an item on which they agree: at least one.
// What one item wants, Wants says.
func (q *Queue) WantedLabelsIfAgreed() int { return max(q.Overlap, 1) }

// CheckTakesReadings gives ErrPairs for a queue of pairs, which people vote on, ErrGrades
// for one whose responses they grade, and ErrOwnLabels for one with labels of its
// own: there is nothing that a reading could be aligned with.
func (q *Queue) CheckTakesReadings() error {
	if err := q.CheckTakesLabels(); err != nil || q.Labels.Name == "" {
		return err
	}
	return fmt.Errorf("queue %s has the labels %s: %w", q.Name, q.Labels.ID(), ErrOwnLabels)
}

// CheckTakesLabels gives ErrPairs for a queue of pairs, which people vote on, and
// ErrGrades for one whose responses they grade: there is nothing to label in it.
func (q *Queue) CheckTakesLabels() error {
	switch q.Rule.From {
	case FromPairs:
		return fmt.Errorf("queue %s holds pairs of answers: %w", q.Name, ErrPairs)
	case FromCriteria:
		return fmt.Errorf("queue %s holds responses to grade by criteria: %w", q.Name, ErrGrades)
	case FromUnset, FromUnparsable, FromDisagreements, FromAll, FromWrong:
	}
	return nil
}

// QueueItem is what is enrolled in a queue. Inclusion is the probability with which the rule
// chose it from its population; 0 of one that was added because its answer is known.
type QueueItem struct {
	Index     int // from 0, in the order of enrolment
	Key       ItemKey
	Inclusion float64
	Group     string // the taxonomy group it was drawn in, "" without groups
	Uncertain bool   // ByUncertainty: extractors left it uncertain when it was drawn
}

// Design is how a sample that was drawn elsewhere came about, as whoever
// imported it declared. The zero value is of a queue that was drawn here.
type Design struct {
	File    string // that it came in
	Column  string // of that file, with the probability of each item; "": all were as likely
	Weights bool   // the column has 1 over the probability
	Seed    uint64 // of the draw, as declared; 0: not told
}

// IsDeclared reports whether the sample was drawn elsewhere.
func (d *Design) IsDeclared() bool { return d.File != "" }

// IsUneven reports whether items were drawn with probabilities of their own.
func (d *Design) IsUneven() bool { return d.Column != "" }

// IsUneven reports whether the queue's items were drawn with probabilities of their own.
func (q *Queue) IsUneven() bool { return q.Design.IsUneven() || q.Rule.Order == ByUncertainty }

// IsSame reports whether another declaration says the same.
func (d *Design) IsSame(o *Design) bool {
	return d.IsDeclared() == o.IsDeclared() && d.Column == o.Column && d.Weights == o.Weights && d.Seed == o.Seed
}

// leastInclusion is the smallest probability that counts: the weights of smaller ones have no squares.
const leastInclusion = 1e-9

// ParseInclusionProbability gives the probability that a cell of the column says.
func (d *Design) ParseInclusionProbability(cell string) (float64, error) {
	v, err := strconv.ParseFloat(cell, 64)
	want := "a probability is above 0 and at most 1, and no less than one in a billion"
	if d.Weights {
		v, want = 1/v, "a weight is 1 over the probability of being drawn, a number of at least 1 and at most a billion"
	}
	if err != nil || !(v >= leastInclusion && v <= 1) {
		return 0, fmt.Errorf("has the %s %.20q: %s", d.Column, cell, want)
	}
	return v, nil
}

// ConcernsRun reports whether the rule is about a run's predictions.
func (r *Rule) ConcernsRun(run eval.RunID) bool {
	return len(r.Runs) == 0 || slices.Contains(r.Runs, run)
}

// IncludesPrediction reports whether a prediction is of the population that the rule draws from, for a queue that
// is drawn at once and for one that grows alike. read gives what the rule's rule set reads in it, and
// is called only where that decides; others are the classes that judges, and the rule sets of Among,
// read. A call that failed has nothing to read, and a rule set that could not read says nothing.
func (r *Rule) IncludesPrediction(p *eval.Prediction, read func() eval.Extraction, others []eval.Choice) bool {
	if p.Failure != nil || !r.ConcernsRun(p.Run) {
		return false
	}
	switch r.From {
	case FromAll, FromCriteria, FromWrong: // whoever draws knows the criteria and the ground truth
		return true
	case FromUnparsable:
		return read().IsUnparsable()
	case FromDisagreements:
		classes := others
		if e := read(); e.Status != eval.StatusUnset {
			classes = append([]eval.Choice{e.AlignmentClass()}, others...)
		}
		return ComputeDisagreement(classes) > 0
	case FromUnset, FromPairs:
	}
	return false
}

// DrawsByRate reports whether the rule of a growing queue draws a prediction.
// Only a rate can decide that without knowing the predictions to come.
func (r *Rule) DrawsByRate(k ItemKey) bool { return r.IsUnderRate(r.DrawnUnit(k).DrawHash(r.Seed)) }

// IsUnderRate reports whether the rate draws what has this hash. The hash counts
// as a number in [0, 1), with the 53 bits that a float64 can hold.
func (r *Rule) IsUnderRate(hash uint64) bool { return r.Rate > 0 && float64(hash>>11)/(1<<53) < r.Rate }

// DrawsSamples reports that samples are drawn, with all that there is of them.
func (r *Rule) DrawsSamples() bool { return r.Whole || r.From == FromPairs }

// DrawnUnit is what is drawn so that the queue gets the item: the item itself, or its sample.
func (r *Rule) DrawnUnit(k ItemKey) ItemKey {
	return eval.Either(r.DrawsSamples(), NewItemKey(eval.Key{Sample: k.Sample}), k)
}

// TaxonomyGroupOf gives the taxonomy group that a sample is drawn in, "" without groups.
func (r *Rule) TaxonomyGroupOf(taxonomy []string) string {
	if r.PerLevel == 0 {
		return ""
	}
	return eval.JoinPath(taxonomy[:min(r.Level, len(taxonomy))])
}

// ItemPlace is an item as a session keeps it: queues may have a million of them.
type ItemPlace struct {
	Hash  uint64 // of a queue whose stored order is not the random one; else 0
	Index int
	Key   ItemKey
}

// Compare is by where the queue offers them.
func (p ItemPlace) Compare(o ItemPlace) int {
	return cmp.Or(cmp.Compare(p.Hash, o.Hash), cmp.Compare(p.Index, o.Index))
}

// PlaceOf gives that of an item of the queue.
func (q *Queue) PlaceOf(index int, k ItemKey) ItemPlace {
	p := ItemPlace{Index: index, Key: k}
	if q.offersByHash() {
		p.Hash = q.Rule.DrawHash(k)
	}
	return p
}

// offersByHash reports that items are to be offered by their draw hash, and are stored in another
// order: a queue that grows is stored as answers came, one of listed samples as they were listed. What
// Draw has put in order stays as it is, with the items of known answers among it.
func (q *Queue) offersByHash() bool {
	r := &q.Rule
	if r.Order.ComparesExtractors() || r.From == FromPairs || q.GoldItems > 0 {
		return false
	}
	listed := len(r.IDs)+r.Listed > 0 && r.Rate == 0 && r.Number == 0 && r.PerLevel == 0
	return r.From == FromUnparsable && r.Rate > 0 || listed && q.Stratum == Random
}

// SortAsOffered puts items of the queue into the order in which it offers them.
func (q *Queue) SortAsOffered(items []QueueItem) []QueueItem {
	if !q.offersByHash() {
		return items
	}
	out := slices.Clone(items)
	slices.SortStableFunc(out, func(a, b QueueItem) int {
		return cmp.Compare(q.Rule.DrawHash(a.Key), q.Rule.DrawHash(b.Key))
	})
	return out
}

// Order is the order in which a queue's items come. The zero value is unset, and comes by hash.
type Order uint8

// The orders.
const (
	OrderUnset     Order = iota
	ByHash               // at random, so that any beginning of the queue is a sample too
	ByDisagreement       // what extractors differ on most comes first, and by hash among equals
	ByUncertainty        // at random, what extractors leave uncertain more often (Drawing)
	ByMetric             // what judges and the dataset's own metric differ on most comes first
	ByConfidence         // what a judge is least sure of comes first
)

var orderNames = []string{"", "hash", "disagreement", "uncertain", "metric", "confidence"}

// ComparesExtractors reports whether the order follows from what extractors or judges say.
func (o Order) ComparesExtractors() bool { return o.IsTargeted() || o == ByUncertainty }

// IsTargeted reports whether what others differ on most, or are least sure of, comes first.
func (o Order) IsTargeted() bool { return o == ByDisagreement || o.IsOfJudges() }

// IsOfJudges reports whether judges alone decide what comes first, and no rule set.
func (o Order) IsOfJudges() bool { return o == ByMetric || o == ByConfidence }

// String returns the name that --order takes.
func (o Order) String() string { return eval.EnumName(orderNames, o) }

// ParseOrder reads what String writes.
func ParseOrder(s string) (Order, error) { return eval.ParseEnum[Order](orderNames, s, "order") }

// ComparesExtractors reports whether the rule asks for what several extractors read.
func (r *Rule) ComparesExtractors() bool {
	return r.Order.ComparesExtractors() || r.From == FromDisagreements
}

// ComputeDisagreement computes how much extractors differ on one prediction, given the class that each
// reads in it: the share of pairs of extractors that read different classes, in [0, 1]. All that is not
// one option is one class, as in alignment rates. Fewer than two extractors do not differ.
func ComputeDisagreement(classes []eval.Choice) float64 {
	pairs, differ := 0, 0
	for i := range classes {
		for j := range i {
			pairs++
			if classes[i] != classes[j] {
				differ++
			}
		}
	}
	if pairs == 0 {
		return 0
	}
	return float64(differ) / float64(pairs)
}

// DrawRank gives the place of an item in the order in which it is drawn and offered: its hash, and
// by uncertainty its hash over its probability (sequential Poisson sampling: Ohlsson,
// "Sequential Poisson sampling", Journal of Official Statistics 14, 1998).
func (r *Rule) DrawRank(k ItemKey, uncertain bool) uint64 {
	h := r.DrawHash(k)
	if r.Order == ByUncertainty && uncertain && r.Drawing.Lift > 1 {
		return uint64(float64(h) / r.Drawing.Lift)
	}
	return h
}

// IsUncertain reports whether extractors leave a prediction uncertain, given the
// class that each reads in it: two differ, or one reads no choice.
func IsUncertain(classes []eval.Choice) bool {
	return slices.Contains(classes, eval.X) || ComputeDisagreement(classes) > 0
}
