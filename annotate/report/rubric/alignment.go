package rubric

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"concord/annotate/agree"
	"concord/annotate/criteria"
	"concord/annotate/report"
	"concord/annotate/rubric"
	"concord/eval"
	"concord/eval/stat"
)

// AlignmentRow is how far a judge grades as people do: over all criteria, those
// of one type, or one criterion that several samples have.
type AlignmentRow struct {
	report.ForEveryone
	Dataset   eval.DatasetName `json:"dataset"`
	Judge     string           `json:"judge"`
	All       bool             `json:"all,omitempty"`
	Type      string           `json:"type,omitempty"`
	Criterion string           `json:"criterion,omitempty"`

	N           int               `json:"n"`
	Agreement   stat.Rate         `json:"agreement" opens:"every"`
	Kappa       agree.Coefficient `json:"cohen_kappa"`
	AC1         agree.Coefficient `json:"gwet_ac1"`
	MacroF1     agree.Coefficient `json:"macro_f1"`
	Sensitivity stat.Rate         `json:"sensitivity"` // of what people find met, what the judge does too
	Specificity stat.Rate         `json:"specificity"` // of what people find unmet, what the judge does too

	report.Replacing

	Excluded   int            `json:"excluded"` // of the criteria that people graded
	ExcludedBy map[string]int `json:"excluded_by,omitempty"`

	Numbers   *agree.Numeric `json:"numbers,omitempty"`            // beside the mean of people's numbers
	PerPerson *float64       `json:"pearson_per_person,omitempty"` // the mean over people of the correlation with each
	Expected  *agree.Numeric `json:"expected_numbers,omitempty"`   // of the means by the judge's probabilities

	behind
}

// Why a criterion that people graded is not compared.
const (
	noMajority = "no majority of people"
	notGraded  = "not graded by the judge"
	notRead    = "the judge's reply was not read"
	unable     = "no number, as people or the judge are unable"
)

// noItems is why a figure of an alignment has no value.
const noItems = "no criterion that both graded"

// AlignmentOptions say what is compared.
type AlignmentOptions struct {
	report.Options
	Judge   string  // only this one; "": all
	Epsilon float64 // of the alternative annotator test
}

// Alignment sets every judge beside the people who graded the same criteria.
func Alignment(ctx context.Context, f Facts, o AlignmentOptions) (report.Report, error) {
	books, err := read(ctx, f, &o.Options)
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "alignment", Confidence: stat.Confidence, Layout: alignmentLayout}
	for i := range books {
		for _, judge := range books[i].judges() {
			if o.Judge == "" || o.Judge == judge {
				out.Rows = append(out.Rows, report.Rows(books[i].alignment(judge, &o))...)
			}
		}
	}
	if len(out.Rows) == 0 {
		return out, fmt.Errorf("find a judge's verdicts on criteria that people graded: %w", eval.ErrNotFound)
	}
	out.Notes = []string{
		"Agreement is with the verdict of more than half of the people; unable is a class of its own, and beside numbers left out. Samples are the clusters of all intervals.",
		report.ReplacingNote(o.Epsilon),
	}
	return out, nil
}

func (b *book) judges() []string {
	names := make(map[string]bool)
	for _, c := range b.chapters {
		for _, who := range c.raters {
			if !who.person {
				names[who.name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// graded is a criterion of a response that people graded.
type graded struct {
	r         *response
	i         int
	people    []string
	words     []eval.Graded
	consensus rubric.Said
	judge     rubric.Said
	expected  *float64
}

func (g *graded) criterion() *criteria.Criterion { return &g.r.criteria[g.i] }

// group is the criteria of a row.
type group struct {
	of    AlignmentRow
	items []*graded
}

func (b *book) alignment(judge string, o *AlignmentOptions) []*AlignmentRow {
	items := b.items(rater{name: judge})
	head := AlignmentRow{Dataset: b.dataset, Judge: judge, Replacing: report.Replacing{Epsilon: o.Epsilon}}
	whole := &group{of: head, items: items}
	whole.of.All = true
	types, wordings := make(map[string]*group), make(map[[2]string]*group)
	for _, g := range items {
		c := g.criterion()
		if t := c.Demands(); t != "" {
			into(types, t, head, func(r *AlignmentRow) { r.Type = t }, g)
		}
		name := criteria.Name(g.r.criteria, g.i)
		into(wordings, [2]string{name, c.Hash()}, head, func(r *AlignmentRow) { r.Criterion = name }, g)
	}
	out := []*AlignmentRow{whole.row(agree.AlternativeItems)}
	for _, t := range slices.Sorted(maps.Keys(types)) {
		out = append(out, types[t].row(agree.AlternativeItems))
	}
	for _, w := range slices.SortedFunc(maps.Keys(wordings), func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }) {
		if g := wordings[w]; g.samples() > 1 { // another sample has it as well
			out = append(out, g.row(0))
		}
	}
	return out
}

func into[K comparable](all map[K]*group, k K, head AlignmentRow, name func(*AlignmentRow), g *graded) {
	if all[k] == nil {
		all[k] = &group{of: head}
		name(&all[k].of)
	}
	all[k].items = append(all[k].items, g)
}

func (g *group) samples() int {
	seen := make(map[eval.Ordinal]bool)
	for _, it := range g.items {
		seen[it.r.key.Sample] = true
	}
	return len(seen)
}

// items are the criteria that people graded, with what a judge says of them.
func (b *book) items(judge rater) []*graded {
	var out []*graded
	for _, c := range b.chapters {
		if !slices.Contains(c.raters, judge) {
			continue
		}
		for _, r := range c.responses {
			for i := range r.criteria {
				g := graded{r: r, i: i}
				if g.people, g.words = r.people(i); len(g.words) == 0 {
					continue
				}
				g.consensus = r.consensus(i)
				if said := r.by[judge]; said != nil {
					g.judge = said[i]
				}
				if e := r.expected[judge]; e != nil {
					g.expected = e[i]
				}
				out = append(out, &g)
			}
		}
	}
	return out
}

// excluded is why a criterion is not compared; "" when it is.
func (g *graded) excluded() string {
	people, judge := g.consensus.Graded.Verdict, g.judge.Graded.Verdict
	switch {
	case judge == eval.VerdictUnset && g.judge.Unread:
		return notRead
	case judge == eval.VerdictUnset:
		return notGraded
	case people == eval.VerdictUnset:
		return noMajority
	case (people == eval.Scored) != (judge == eval.Scored):
		return unable
	}
	return ""
}

func (g *group) row(fewest int) *AlignmentRow {
	out := &g.of
	var both agree.Classified
	var met, unmet stat.Clusters
	confusion := make(map[[2]string]int)
	for _, it := range g.items {
		if why := it.excluded(); why != "" {
			if out.ExcludedBy == nil {
				out.ExcludedBy = make(map[string]int)
			}
			out.Excluded++
			out.ExcludedBy[why]++
			continue
		}
		people, judge, sample := rubric.Word(it.consensus.Graded), rubric.Word(it.judge.Graded), uint64(it.r.key.Sample)
		both.Add(sample, people, judge, people == judge)
		confusion[[2]string{people, judge}]++
		for _, side := range []struct {
			to   *stat.Clusters
			word string
		}{{&met, eval.Met.String()}, {&unmet, eval.Unmet.String()}} {
			if people == side.word {
				side.to.In(sample, float64(report.OneIf(judge == side.word)), 1)
			}
		}
		if n := len(out.keys); n == 0 || out.keys[n-1] != it.r.key {
			out.keys = append(out.keys, it.r.key)
		}
	}
	out.N = both.N()
	out.Agreement = both.Agreement(noItems)
	out.Kappa, out.AC1 = both.Coefficients(stat.Confidence)
	out.MacroF1 = agree.MacroF1(confusion)
	out.Sensitivity, out.Specificity = met.Rate("people find nothing met"), unmet.Rate("people find nothing unmet")
	out.numbers(g.items)
	out.replacing(g.items, fewest)
	return out
}

// numbers sets the judge's numbers beside the mean of people's, and beside each.
func (r *AlignmentRow) numbers(items []*graded) {
	var mean, expected [][2]float64
	each := make(map[string][][2]float64)
	for _, it := range items {
		sum, n := 0.0, 0
		for at, w := range it.words {
			if w.Verdict != eval.Scored {
				continue
			}
			sum, n = sum+w.Score, n+1
			if it.judge.Graded.Verdict == eval.Scored {
				each[it.people[at]] = append(each[it.people[at]], [2]float64{w.Score, it.judge.Graded.Score})
			}
		}
		if n == 0 {
			continue
		}
		if it.judge.Graded.Verdict == eval.Scored {
			mean = append(mean, [2]float64{sum / float64(n), it.judge.Graded.Score})
		}
		if it.expected != nil {
			expected = append(expected, [2]float64{sum / float64(n), *it.expected})
		}
	}
	r.Numbers, r.Expected = agree.NumericOf(mean), agree.NumericOf(expected)
	sum, n := 0.0, 0.0
	for _, who := range slices.Sorted(maps.Keys(each)) {
		if x := agree.Pearson(each[who]); x != nil {
			sum, n = sum+*x, n+1
		}
	}
	if n > 0 {
		sum /= n
		r.PerPerson = &sum
	}
}

// replacing tests whether the judge may take the place of a person.
func (r *AlignmentRow) replacing(items []*graded, fewest int) {
	places := make(map[string]int)
	var rated []agree.Rated
	for _, it := range items {
		if it.judge.Graded.Verdict == eval.VerdictUnset {
			continue
		}
		one := agree.Rated{Judge: saying(it.judge.Graded), People: make(map[int]agree.Saying)}
		for at, who := range it.people {
			if _, ok := places[who]; !ok {
				places[who] = len(places)
			}
			one.People[places[who]] = saying(it.words[at])
		}
		rated = append(rated, one)
	}
	r.Replacing = report.ReplacingOf(rated, r.Epsilon, fewest)
}

func saying(g eval.Graded) agree.Saying {
	return agree.Saying{Class: g.Verdict.String(), Label: g.Label, Number: g.Score, Numeric: g.Verdict == eval.Scored}
}
