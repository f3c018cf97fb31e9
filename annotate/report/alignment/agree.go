package alignment

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// AgreeOptions say what to ask of a long table of ratings.
type AgreeOptions struct {
	File       string
	Scale      agree.Scale
	Raters     []string // empty: all, by name
	Reference  Reference
	Bootstrap  agree.Bootstrap
	Thresholds Thresholds
	Judges     []string // of the raters, who are not people
	Epsilon    float64  // of the alternative annotator test of each

	Missing, Skipped int // rows without a rating, and rows that could not be read
	Recoded          []Recoded
}

// Reference is what raters are compared with: one rater, or the consensus of several under a policy.
type Reference struct {
	Raters    []string
	Policy    annotate.Policy // unset: one rater's own word
	Undecided string          // class of items on which they do not agree; "": dropped
}

// Recoded is a class that was read as another; as none, where To is "".
type Recoded struct {
	From string `json:"from"`
	To   string `json:"to"`
	N    int    `json:"n"`
}

// AgreeRow is how far the raters of a table agree, which are a file's and no run's.
type AgreeRow struct {
	report.ForEveryone
	report.NoKeys
	File    string        `json:"file"`
	Level   string        `json:"level"`
	Items   int           `json:"items"`
	Paired  int           `json:"items_paired"` // with two ratings or more
	Raters  int           `json:"raters"`
	Ratings int           `json:"ratings"`
	Missing int           `json:"missing"` // rows without a rating
	Skipped int           `json:"skipped"` // rows that could not be read
	Others  int           `json:"others"`  // ratings by raters that were not chosen
	Recoded []Recoded     `json:"recoded,omitempty"`
	People  []RaterCount  `json:"by_rater"`
	Classes []agree.Class `json:"classes"`

	Percent  stat.Rate         `json:"percent_agreement"`
	Majority *float64          `json:"majority_baseline"`
	Observed agree.Coefficient `json:"observed_agreement"`
	Fleiss   agree.Coefficient `json:"fleiss_kappa"`
	Alpha    agree.Coefficient `json:"krippendorff_alpha"`
	AC1      agree.Coefficient `json:"gwet_ac1"`
	Ordered
	OneRest agree.Coefficient `json:"one_against_rest"`

	Pairs     []AgreePair    `json:"pairs"`
	Unlisted  int            `json:"pairs_unlisted" line:"-"` // those with the fewest items in common, where there are too many
	Reference *ReferenceRow  `json:"reference,omitempty"`
	Against   []AgainstRow   `json:"against,omitempty"`
	McNemar   []AgreeMcNemar `json:"mcnemar,omitempty"`
	Judges    []JudgeTest    `json:"judges,omitempty"`

	Resamples int    `json:"resamples" line:"-"`
	Seed      uint64 `json:"seed" line:"-"`
	Gates     []Gate `json:"gates,omitempty"`

	baseline stat.Rate
}

// Ordered are the coefficients over all raters that use the distance of classes; nil where they have none.
type Ordered struct {
	Weighted *agree.Coefficient `json:"weighted_fleiss_kappa,omitempty"`
	AC2      *agree.Coefficient `json:"gwet_ac2,omitempty"`
}

// RaterCount is how many ratings a rater has given.
type RaterCount struct {
	Rater   string `json:"rater"`
	Ratings int    `json:"ratings"`
}

// AgreePair is two raters on the items that both rated. The weighted kappas
// are there where classes have an order.
type AgreePair struct {
	A         string             `json:"a"`
	B         string             `json:"b"`
	Agreement stat.Rate          `json:"agreement" line:"pair"`
	Kappa     agree.Coefficient  `json:"cohen_kappa" line:"pair"`
	Linear    *agree.Coefficient `json:"linear_kappa,omitempty" column:"linear" line:"linear_kappa"`
	Quadratic *agree.Coefficient `json:"quadratic_kappa,omitempty" column:"quadratic" line:"quadratic_kappa"`
}

// ReferenceRow is what raters are compared with. Open are the items on which
// its raters come to nothing under the policy.
type ReferenceRow struct {
	Raters    []string      `json:"raters"`
	Policy    string        `json:"policy,omitempty"`
	Undecided string        `json:"undecided,omitempty"`
	Items     int           `json:"items"`
	Open      int           `json:"open"`
	Classes   []agree.Class `json:"classes"`
}

// AgainstRow is one rater beside the reference.
type AgainstRow struct {
	Rater string `json:"rater"`
	agree.ReferenceComparison
}

// AgreeMcNemar tests whether two raters agree with the reference equally
// often, on the items that both rated.
type AgreeMcNemar struct {
	A    string            `json:"a"`
	B    string            `json:"b"`
	Test agree.McNemarTest `json:"test"`
}

// JudgeTest is whether a judge may take the place of one of the people.
type JudgeTest struct {
	Judge string `json:"judge"`
	agree.AlternativeTest
}

// mostPairs is the most pairs of raters that are listed: those of 50 raters.
const mostPairs = 50 * 49 / 2

// ReportRatings reports on the ratings of a long table. Raters that are asked for and
// have rated nothing are an error. The context ends resampling early.
func ReportRatings(ctx context.Context, l *agree.LongTable, o AgreeOptions) (report.Report, error) {
	raters := eval.Either(len(o.Raters) > 0, o.Raters, l.Raters())
	for _, name := range slices.Concat(raters, o.Reference.Raters, o.Judges) {
		if l.CountRatings(name) == 0 {
			return report.Report{}, fmt.Errorf("%s has no rating by %q: its raters are %s", o.File, name, joinFirstNames(l.Raters()))
		}
	}
	panel := l.NewPanel(raters, o.Scale)
	s, err := panel.Summarize(ctx, o.Bootstrap)
	if err != nil {
		return report.Report{}, err
	}
	row := &AgreeRow{
		File: o.File, Level: o.Scale.Level.String(), Items: s.Items, Paired: s.Paired, Raters: len(raters), Ratings: s.Ratings,
		Missing: o.Missing, Skipped: o.Skipped, Recoded: o.Recoded, Classes: s.Classes,
		Percent: s.Percent, baseline: s.Majority, Observed: s.Observed, Fleiss: s.Fleiss, Alpha: s.Alpha, AC1: s.AC1, Ordered: Ordered{s.Weighted, s.AC2}, OneRest: s.OneRest,
		Pairs: []AgreePair{}, Resamples: o.Bootstrap.Times, Seed: o.Bootstrap.Seed,
	}
	if s.Majority.N > 0 {
		row.Majority = &s.Majority.Value
	}
	for _, name := range l.Raters() {
		if slices.Contains(raters, name) {
			row.People = append(row.People, RaterCount{name, l.CountRatings(name)})
		} else {
			row.Others += l.CountRatings(name)
		}
	}
	row.addPairs(panel, raters, o)
	if len(o.Reference.Raters) > 0 {
		row.addReferenceComparisons(l, raters, o)
	}
	people := slices.DeleteFunc(slices.Clone(raters), func(name string) bool { return slices.Contains(o.Judges, name) })
	row.Judges = eval.Map(o.Judges, func(judge string) JudgeTest {
		return JudgeTest{judge, agree.RunAlternativeTest(l.RatedItems(judge, people, o.Scale), o.Epsilon, agree.AlternativeItems)}
	})
	row.addThresholdGates(o.Thresholds)
	return report.Report{
		Name: "agree", Layout: agreeLayout, Confidence: o.Bootstrap.Confidence, Rows: []report.Row{row}, Sheets: row.makeTables(), Notes: row.listNotes(raters, &s),
	}, nil
}

func (r *AgreeRow) addPairs(panel *agree.Panel, raters []string, o AgreeOptions) {
	list, left := panel.ComparePairs(o.Bootstrap.Confidence, mostPairs)
	r.Unlisted = left
	for _, p := range list {
		pair := AgreePair{A: raters[p.First], B: raters[p.Last], Agreement: p.Agreement, Kappa: p.Kappa}
		if o.Scale.Level > agree.Nominal {
			pair.Linear, pair.Quadratic = &p.Linear, &p.Quadratic
		}
		r.Pairs = append(r.Pairs, pair)
	}
}

// joinFirstNames gives the first few of many names.
func joinFirstNames(names []string) string {
	const few = 12
	if len(names) > few {
		return strings.Join(names[:few], ", ") + fmt.Sprintf(" and %d more", len(names)-few)
	}
	return strings.Join(names, ", ")
}

func (r *AgreeRow) listNotes(raters []string, s *agree.Summary) []string {
	var out []string
	add := func(n int, one, more string) {
		if n == 1 {
			out = append(out, "1 "+one+".")
		} else if n > 1 {
			out = append(out, table.FormatGrouped(n)+" "+more+".")
		}
	}
	add(r.Skipped, "row could not be read and is left out", "rows could not be read and are left out")
	add(r.Missing, "row holds no rating", "rows hold no rating")
	add(r.Others, "rating is by a rater that was not chosen", "ratings are by raters that were not chosen")
	for _, c := range r.Recoded {
		to := eval.Either(c.To == "", "as no rating", fmt.Sprintf("as %q", c.To))
		out = append(out, fmt.Sprintf("%q is read %s (%s of the rows).", c.From, to, table.FormatGrouped(c.N)))
	}
	add(r.Items-r.Paired, "item has one rating, which says nothing about agreement", "items have one rating, which says nothing about agreement")
	add(r.Unlisted, "pair of raters is not listed: that with the fewest items in common", "pairs of raters are not listed: those with the fewest items in common")
	for _, f := range s.Foreign {
		out = append(out, fmt.Sprintf("%s uses classes that nobody else uses: is this another alphabet? The coefficients over all raters are not computed.", raters[f]))
	}
	if r.Paired > 0 && r.Level != agree.Nominal.String() {
		out = append(out, fmt.Sprintf("Alpha uses the %s scale. Weighted Fleiss' kappa, AC2 and quadratic kappa count a near miss by the square of its distance; Fleiss' kappa, AC1 and plain kappa count it as a miss.", r.Level))
	}
	if len(r.Classes) > agree.MostRatios && r.Level == agree.Ratio.String() && r.Resamples > 0 {
		out = append(out, fmt.Sprintf("Alpha on the ratio scale has no interval: the ratings are of more than %s different numbers.", table.FormatGrouped(agree.MostRatios)))
	}
	if r.Paired > 0 && r.Resamples > 0 {
		out = append(out, fmt.Sprintf("Intervals of observed agreement, kappa over all and alpha are from %d resamples of items (seed %d).", r.Resamples, r.Seed))
	}
	return out
}

// addReferenceComparisons sets each rater beside the reference, and every two of them side by side. Those
// who made the reference are not compared with it, unless they were asked for by name.
func (r *AgreeRow) addReferenceComparisons(l *agree.LongTable, raters []string, o AgreeOptions) {
	ref := o.Reference
	r.Reference = &ReferenceRow{Raters: ref.Raters, Undecided: ref.Undecided}
	if ref.Policy != annotate.PolicyUnset {
		r.Reference.Policy = ref.Policy.String()
		r.Reference.Undecided = cmp.Or(ref.Undecided, annotate.Dropped.String())
	}
	truth := l.ResolveByItem(ref.Raters, func(classes []string) string {
		if ref.Policy == annotate.PolicyUnset {
			return classes[0]
		}
		got, ok := annotate.ResolveWords(classes, nil, ref.Policy)
		if !ok {
			r.Reference.Open++
			return ref.Undecided
		}
		return got.Word
	})
	r.Reference.countClasses(truth)
	var names []string
	var columns [][]string
	for _, name := range raters {
		if slices.Contains(ref.Raters, name) && (len(o.Raters) == 0 || ref.Policy == annotate.PolicyUnset) {
			continue
		}
		names = append(names, name)
		columns = append(columns, l.ResolveByItem([]string{name}, func(classes []string) string { return classes[0] }))
	}
	for i, name := range names {
		pairs := make([][2]string, len(truth))
		for j := range truth {
			pairs[j] = [2]string{truth[j], columns[i][j]}
		}
		r.Against = append(r.Against, AgainstRow{name, agree.CompareWithReference(pairs, o.Scale, o.Bootstrap.Confidence)})
	}
	for i := range names {
		for j := i + 1; j < len(names) && len(r.McNemar) < mostPairs; j++ {
			r.McNemar = append(r.McNemar, AgreeMcNemar{names[i], names[j], agree.RunMcNemarTest(countRightPairs(truth, columns[i], columns[j]))})
		}
	}
}

func (r *ReferenceRow) countClasses(truth []string) {
	n := make(map[string]int)
	for _, class := range truth {
		if class != "" {
			n[class]++
			r.Items++
		}
	}
	r.Classes = eval.Map(slices.Sorted(maps.Keys(n)), func(class string) agree.Class { return agree.Class{Name: class, N: n[class]} })
}

// countRightPairs counts the items that both rated by who gave the reference's class.
func countRightPairs(truth, a, b []string) stat.Pairs {
	var out stat.Pairs
	for i, class := range truth {
		if class != "" && a[i] != "" && b[i] != "" {
			out.AddItem(a[i] == class, b[i] == class)
		}
	}
	return out
}
