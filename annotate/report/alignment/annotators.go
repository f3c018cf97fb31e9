package alignment

import (
	"context"
	"fmt"
	"strconv"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// AnnotatorOptions say what a report on the people of a queue is about.
type AnnotatorOptions struct {
	Queue     annotate.QueueName
	Policy    annotate.Policy    // when the others have agreed; unset: Majority
	Undecided annotate.Undecided // unset: Dropped
	Clustered bool               // samples may share a cluster (report.ClusterOf)
	Listed    int                // how many slow and how many contested items are listed; 0: 10

	// Progress is told how many resamples of how many are drawn; nil: nobody asks.
	Progress func(done, total int)
}

// AnnotatorsRow is how the people of one queue worked: how far every two of them agree, each
// against the others, and the time that they took. Classes are an option or "not one option",
// of open answers the score, and of pairs the answer that is preferred or neither. Labels of
// excluded items, and those given after the reveal, are left out of agreement and counted; so
// are, of agreement between people, labels of those who were asked since others differed. Of
// responses that are graded by criteria every criterion is an item of its own.
type AnnotatorsRow struct {
	Dataset   eval.DatasetName   `json:"dataset"`
	Queue     annotate.QueueName `json:"queue"`
	Votes     bool               `json:"votes"` // the queue holds pairs of answers
	Synthetic bool               `json:"synthetic,omitempty"`
	Policy    string             `json:"policy"` // of the others' word
	Undecided string             `json:"undecided"`
	Items     int                `json:"items"`
	Overlap   int                `json:"overlap"`

	Together  AllAnnotators   `json:"together"`
	Pairs     []AnnotatorPair `json:"pairs"`
	Unlisted  int             `json:"pairs_unlisted"` // those with the fewest items in common, where there are too many
	People    []AnnotatorLine `json:"annotators"`
	Outliers  []Outlier       `json:"pointers"`
	Slowest   []ItemLine      `json:"slowest"`
	Contested []ItemLine      `json:"contested"`
	InDispute int             `json:"contested_items"` // also those that are not listed
	Words     []WordLine      `json:"words,omitempty"` // of labels and tags of its own

	work *queueWork
}

// AllAnnotators is the agreement of all people of a queue. Ratings and the
// counts of LeftOut sum to the labels that stand.
type AllAnnotators struct {
	Items    int               `json:"items" line:"-"`  // with a rating
	Paired   int               `json:"paired" line:"-"` // with two or more
	Ratings  int               `json:"ratings" line:"-"`
	Level    string            `json:"level"` // of the classes: scores have an order
	Percent  stat.Rate         `json:"percent_agreement"`
	Baseline stat.Rate         `json:"majority_baseline"`
	Fleiss   agree.Coefficient `json:"fleiss_kappa"`
	Alpha    agree.Coefficient `json:"krippendorff_alpha"`
	AC1      agree.Coefficient `json:"gwet_ac1"`
	Ordered
	LeftOut map[string]int `json:"excluded"`

	Resamples int    `json:"resamples" line:"-"` // behind the intervals of Fleiss, Alpha and Weighted
	Seed      uint64 `json:"seed" line:"-"`
}

// AnnotatorPair is two people on the items that both labelled: n of Agreement
// and the counts of LeftOut sum to them.
type AnnotatorPair struct {
	A         annotate.Annotator `json:"a"`
	B         annotate.Annotator `json:"b"`
	Agreement stat.Rate          `json:"agreement" line:"pair"`
	Kappa     agree.Coefficient  `json:"cohen_kappa" line:"pair" like:"agreement"`
	AC1       agree.Coefficient  `json:"gwet_ac1" line:"pair_gwet_ac1" like:"agreement"`
	LeftOut   map[string]int     `json:"excluded"`
}

// AnnotatorLine is one person's work on the queue.
type AnnotatorLine struct {
	Annotator annotate.Annotator `json:"annotator" column:"person"`
	Labelled  int                `json:"labelled"`
	Skipped   int                `json:"skipped"` // put off, and not labelled since
	Flagged   int                `json:"flagged"` // of all items, labelled or not
	Informed  int                `json:"after_the_reveal"`
	Imported  int                `json:"imported"`
	Rulings   int                `json:"rulings"` // items settled as an adjudicator

	// Others is the agreement with the word of the other people under the report's policy, the
	// person's own left aside. Its n and the counts of LeftOut sum to Labelled.
	Others  stat.Rate         `json:"with_others"`
	Kappa   agree.Coefficient `json:"cohen_kappa" line:"with_others" like:"with_others"`
	AC1     agree.Coefficient `json:"gwet_ac1" line:"with_others_gwet_ac1" like:"with_others"`
	LeftOut map[string]int    `json:"excluded"`
	// Without is the same of the other people among themselves, as if this one
	// had labelled nothing: over all their labels, each with the rest's word.
	Without stat.Rate `json:"others_among_themselves"`

	// Known is how many of the items with a known answer they labelled as is
	// known, by the first label of each; nil where the queue has none. It is
	// over items that were added for that and such as were drawn alike.
	Known *stat.Rate `json:"known_answers,omitempty"`
	// ErrorRate is what the known answers say of the person's errors, with a
	// prior, since ten of ten right are no certainty (agree.JeffreysEstimate).
	ErrorRate *stat.Estimate `json:"error_rate,omitempty" as:"share"`

	Time Speed `json:"time"`
}

// Speed holds the time that one person took for an item, in seconds: the longest of their labels on it,
// those after the reveal aside. Items and the counts of LeftOut sum to the labels that stand.
type Speed struct {
	Items   int            `json:"n"`
	Lower   *float64       `json:"q1_s"`
	Median  *float64       `json:"median_s"`
	Upper   *float64       `json:"q3_s"`
	Total   float64        `json:"total_s"`
	PerHour *float64       `json:"items_per_hour"`
	LeftOut map[string]int `json:"excluded"`
	Same    *SameSpeed     `json:"same_items,omitempty"` // nil where nobody else's time is known
}

// SameSpeed is one person's time beside the others' on the same Items: of each the
// median of the other people's times, and the median of these over the items.
type SameSpeed struct {
	Items  int     `json:"n"`
	Median float64 `json:"median_s"`
	Others float64 `json:"others_median_s"`
}

// ItemLine is one item of a queue as its people worked on it. Key is the item, to open it by.
type ItemLine struct {
	Key       annotate.ItemKey `json:"-"`
	Index     int              `json:"index"`
	Sample    eval.SampleID    `json:"sample"`
	Run       eval.RunID       `json:"run,omitzero"`
	Against   eval.RunID       `json:"against,omitzero"`
	Pass      eval.Pass        `json:"pass"`
	Criterion string           `json:"criterion,omitempty"` // of a response that is graded
	Agreement stat.Estimate    `json:"agreement"`           // of all pairs of its people, without an interval
	Said      []agree.Class    `json:"said"`                // classes, and how many people say so
	Timed     int              `json:"timed"`               // people whose time is known
	Median    *float64         `json:"median_s"`            // of their times
}

// ReportAnnotators reports how the people of one queue worked.
func ReportAnnotators(ctx context.Context, facts report.Facts, o AnnotatorOptions) (report.Report, error) {
	c, err := readQueueWork(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	row, err := c.newAnnotatorsRow(ctx, facts, &o)
	if err != nil {
		return report.Report{}, fmt.Errorf("report on the people of queue %s: %w", o.Queue, err)
	}
	out := report.Report{Name: "annotators", Layout: annotatorLayout, Confidence: stat.Confidence, Rows: []report.Row{row}, Notes: row.listNotes()}
	out.Lay = func(r *report.Report) []table.Table {
		return append(eval.FlatMap(report.SelectRows[*AnnotatorsRow](r.Rows), (*AnnotatorsRow).makeTables), r.Sheets...)
	}
	out.NoteExcludedItems(c.excluded)
	return out, row.prepareSavingWords(ctx, facts, &out)
}

func (c *queueWork) newAnnotatorsRow(ctx context.Context, facts report.Facts, o *AnnotatorOptions) (*AnnotatorsRow, error) {
	q := &c.queue
	together, err := c.computeAllAnnotators(ctx, o.Progress)
	if err != nil {
		return nil, err
	}
	row := &AnnotatorsRow{
		Dataset: q.Rule.Dataset, Queue: q.Name, Votes: q.Rule.From == annotate.FromPairs, Synthetic: q.Synthetic,
		Policy: c.basis.Policy.String(), Undecided: c.basis.Undecided.String(),
		Items: q.Items, Overlap: q.WantedLabelsIfAgreed(),
		Together: together, People: c.newAnnotatorLines(), Outliers: []Outlier{}, work: c,
	}
	if row.Words, err = c.newWordLines(ctx, o.Progress); err != nil {
		return nil, err
	}
	row.Pairs, row.Unlisted = c.comparePairs()
	for i := range row.People {
		row.Outliers = append(row.Outliers, row.People[i].findOutliers()...)
	}
	most := eval.Either(o.Listed > 0, o.Listed, 10)
	if row.Slowest, err = c.nameItems(facts, c.slowestItems(), most); err != nil {
		return nil, err
	}
	contested := c.contestedItems()
	row.InDispute = len(contested)
	row.Contested, err = c.nameItems(facts, contested, most)
	return row, err
}

// OutlierKind tells why an annotator's figures stand out. The zero value is unset.
type OutlierKind uint8

// The kinds of outliers.
const (
	OutlierUnset OutlierKind = iota
	Differs                  // agrees with the others less often than they among themselves
	Hurries                  // takes less than half the time of the others
)

var outlierNames = []string{"", "differs", "hurries"}

// String returns the name that reports use.
func (k OutlierKind) String() string { return eval.EnumName(outlierNames, k) }

// MarshalText writes the name.
func (k OutlierKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Outlier tells how the figures of one annotator stand out. It is no verdict: who
// differs may be the one who reads the guideline right.
type Outlier struct {
	Annotator annotate.Annotator `json:"annotator"`
	Kind      OutlierKind        `json:"kind"`
	N         int                `json:"n"` // items behind it
	Text      string             `json:"text"`
}

// What it takes to point something out. Fewer items tell too little, and a
// small difference that many items make certain is not worth a talk.
const (
	outlierItems = 20   // items
	outlierGap   = 0.05 // between the rates
	outlierSpeed = 0.5  // of the others' time
)

// findOutliers lists how the figures of an annotator stand out.
func (l *AnnotatorLine) findOutliers() []Outlier {
	var out []Outlier
	if l.Others.N >= outlierItems && l.Without.N >= outlierItems && l.Others.High < l.Without.Value && l.Without.Value-l.Others.Value >= outlierGap {
		out = append(out, Outlier{l.Annotator, Differs, l.Others.N, fmt.Sprintf(
			"%s agrees with the others less often than they do among themselves (%s %%, %s %% CI %s to %s, n %s, against %s %%, n %s): worth talking over the guideline together.",
			l.Annotator, table.FormatPercent(l.Others.Value), strconv.FormatFloat(100*stat.Confidence, 'g', -1, 64), table.FormatPercent(l.Others.Low), table.FormatPercent(l.Others.High), table.FormatGrouped(l.Others.N),
			table.FormatPercent(l.Without.Value), table.FormatGrouped(l.Without.N))})
	}
	if s := l.Time.Same; s != nil && s.Items >= outlierItems && s.Median < outlierSpeed*s.Others {
		out = append(out, Outlier{l.Annotator, Hurries, s.Items, fmt.Sprintf(
			"%s takes %s s an item where the others take %s s (medians over the same %s items).",
			l.Annotator, formatTenths(s.Median), formatTenths(s.Others), table.FormatGrouped(s.Items))})
	}
	return out
}

func formatTenths(seconds float64) string { return strconv.FormatFloat(seconds, 'f', 1, 64) }
