package rubric

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

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

	agree.AlternativeTest

	Excluded   int            `json:"excluded"` // of the criteria that people graded
	ExcludedBy map[string]int `json:"excluded_by,omitempty"`

	Numbers   *agree.Numeric `json:"numbers,omitempty"`            // beside the mean of people's numbers
	PerPerson *float64       `json:"pearson_per_person,omitempty"` // the mean over people of the correlation with each
	// Between people: the means over every two of them.
	PeopleMAE     *float64       `json:"people_mae,omitempty"` // mean absolute error
	PeoplePearson *float64       `json:"people_pearson,omitempty"`
	Expected      *agree.Numeric `json:"expected_numbers,omitempty"` // of the means by the judge's probabilities

	countedResponses
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

// ReportAlignment sets every judge beside the people who graded the same criteria.
func ReportAlignment(ctx context.Context, f Facts, o AlignmentOptions) (report.Report, error) {
	datasets, err := readGrades(ctx, f, &o.Options)
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "alignment", Confidence: stat.Confidence, Layout: alignmentLayout}
	var judges []string
	for i := range datasets {
		for _, judge := range datasets[i].judgeNames() {
			judges = append(judges, judge)
			if o.Judge == "" || o.Judge == judge {
				out.Rows = append(out.Rows, report.ToRows(datasets[i].compareJudge(judge, &o))...)
			}
		}
	}
	if len(out.Rows) == 0 {
		next := "have them given (concord judge criteria --dataset " + string(datasets[0].dataset) + " --judge NAME) or import them (concord import grades)"
		if len(judges) > 0 {
			next = "there are those of " + strings.Join(judges, ", ")
		}
		return out, fmt.Errorf("find a judge's verdicts on criteria: %s: %w", next, eval.ErrNotFound)
	}
	out.Notes = []string{
		"Agreement is with the verdict of more than half of the people; unable is a class of its own, and beside numbers left out. Samples are the clusters of all intervals.",
		report.DescribeAlternativeTest(o.Epsilon),
	}
	for i := range datasets {
		if runs := datasets[i].runs; len(runs) > 1 {
			names := eval.JoinList(runs, func(r *runResponses) string { return report.NameRun(r.run) })
			out.Notes = append(out.Notes, fmt.Sprintf("On %s the responses of %d runs count together: %s.", datasets[i].dataset, len(runs), names))
		}
	}
	return out, nil
}

func (b *datasetGrades) judgeNames() []string {
	names := make(map[string]bool)
	for _, c := range b.runs {
		for _, who := range c.raters {
			if !who.person {
				names[who.name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

type gradedCriterion struct {
	r                *response
	i                int
	people           []string
	words            []eval.Graded
	consensus, judge rubric.Said
	expected         *float64
}

type criterionGroup struct {
	of    AlignmentRow
	items []*gradedCriterion
}

func (b *datasetGrades) compareJudge(judge string, o *AlignmentOptions) []*AlignmentRow {
	items := b.gradedItems(rater{name: judge})
	head := AlignmentRow{Dataset: b.dataset, Judge: judge, AlternativeTest: agree.AlternativeTest{Epsilon: o.Epsilon}}
	whole := &criterionGroup{of: head, items: items}
	whole.of.All = true
	parts := make(map[[3]string]*criterionGroup) // by type; by name and wording
	add := func(g *gradedCriterion, k [3]string) {
		if parts[k] == nil {
			parts[k] = &criterionGroup{of: head}
			parts[k].of.Type, parts[k].of.Criterion = k[0], k[1]
		}
		parts[k].items = append(parts[k].items, g)
	}
	for _, g := range items {
		c := &g.r.criteria[g.i]
		if t := c.TypeName(); t != "" {
			add(g, [3]string{t})
		}
		add(g, [3]string{"", criteria.CriterionName(g.r.criteria, g.i), c.HashText()})
	}
	types, wordings := []*AlignmentRow{whole.newRow(agree.AlternativeItems)}, []*AlignmentRow(nil)
	for _, k := range slices.SortedFunc(maps.Keys(parts), func(a, b [3]string) int { return slices.Compare(a[:], b[:]) }) {
		if g := parts[k]; k[0] != "" {
			types = append(types, g.newRow(agree.AlternativeItems))
		} else if slices.ContainsFunc(g.items, func(it *gradedCriterion) bool { return it.r.key.Sample != g.items[0].r.key.Sample }) { // several samples have it
			wordings = append(wordings, g.newRow(0))
		}
	}
	return append(types, wordings...)
}

// gradedItems are the criteria that people graded, with what a judge says of them.
func (b *datasetGrades) gradedItems(judge rater) []*gradedCriterion {
	var out []*gradedCriterion
	for _, c := range b.runs {
		if !slices.Contains(c.raters, judge) {
			continue
		}
		for _, r := range c.responses {
			for i := range r.criteria {
				g := gradedCriterion{r: r, i: i}
				if g.people, g.words = r.peopleVerdicts(i); len(g.words) == 0 {
					continue
				}
				g.consensus = r.consensusOn(i)
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

// whyExcluded is why a criterion is not compared; "" when it is.
func (g *gradedCriterion) whyExcluded() string {
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

func (g *criterionGroup) newRow(fewest int) *AlignmentRow {
	out := &g.of
	out.ExcludedBy = make(map[string]int)
	var both agree.Classified
	var met, unmet stat.Clusters
	confusion := make(map[[2]string]int)
	for _, it := range g.items {
		if why := it.whyExcluded(); why != "" {
			out.Excluded++
			out.ExcludedBy[why]++
			continue
		}
		people, judge, sample := rubric.VerdictClass(it.consensus.Graded), rubric.VerdictClass(it.judge.Graded), uint64(it.r.key.Sample)
		both.AddItem(sample, people, judge, people == judge)
		confusion[[2]string{people, judge}]++
		for _, side := range []struct {
			to   *stat.Clusters
			word string
		}{{&met, eval.Met.String()}, {&unmet, eval.Unmet.String()}} {
			if people == side.word {
				side.to.AddToCluster(sample, float64(report.OneIf(judge == side.word)), 1)
			}
		}
		if n := len(out.keys); n == 0 || out.keys[n-1] != it.r.key {
			out.keys = append(out.keys, it.r.key)
		}
	}
	out.N = both.N()
	out.Agreement = both.Agreement(noItems)
	out.Kappa, out.AC1 = both.Coefficients(stat.Confidence)
	out.MacroF1 = agree.ComputeMacroF1(confusion)
	out.Sensitivity, out.Specificity = met.Rate("people find nothing met"), unmet.Rate("people find nothing unmet")
	out.addNumbers(g.items)
	out.addAlternativeTest(g.items, fewest)
	return out
}

// addNumbers sets the judge's numbers beside people's mean, each of theirs, and theirs beside each other.
func (r *AlignmentRow) addNumbers(items []*gradedCriterion) {
	var mean, expected [][2]float64
	each, everyTwo := make(map[string][][2]float64), make(map[string][][2]float64)
	for _, it := range items {
		sum, n := 0.0, 0
		for at, w := range it.words {
			if w.Verdict != eval.Scored {
				continue
			}
			sum, n = sum+w.Score, n+1
			for before, x := range it.words[:at] {
				if x.Verdict == eval.Scored {
					k := it.people[before] + "\x00" + it.people[at]
					everyTwo[k] = append(everyTwo[k], [2]float64{x.Score, w.Score})
				}
			}
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
	r.Numbers, r.Expected = agree.CompareNumbers(mean), agree.CompareNumbers(expected)
	r.PerPerson = averageOverGroups(each, agree.CorrelatePearson)
	r.PeoplePearson, r.PeopleMAE = averageOverGroups(everyTwo, agree.CorrelatePearson), averageOverGroups(everyTwo, agree.ComputeMAE)
}

// averageOverGroups is the mean of a figure over groups of pairs; nil where none has it.
func averageOverGroups(groups map[string][][2]float64, figure func([][2]float64) *float64) *float64 {
	var all []float64
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		if x := figure(groups[name]); x != nil {
			all = append(all, *x)
		}
	}
	if len(all) == 0 {
		return nil
	}
	mean := averageOf(all)
	return &mean
}

// addAlternativeTest tests whether the judge may take the place of a person.
func (r *AlignmentRow) addAlternativeTest(items []*gradedCriterion, fewest int) {
	var rated []agree.RatedItem
	for _, it := range items {
		if it.judge.Graded.Verdict == eval.VerdictUnset {
			continue
		}
		one := agree.RatedItem{Judge: newSaying(it.judge.Graded), People: make(map[string]agree.Saying)}
		for at, who := range it.people {
			one.People[who] = newSaying(it.words[at])
		}
		rated = append(rated, one)
	}
	r.AlternativeTest = agree.RunAlternativeTest(rated, r.Epsilon, fewest)
}

func newSaying(g eval.Graded) agree.Saying {
	return agree.Saying{Class: g.Verdict.String(), Label: g.Label, Number: g.Score, Numeric: g.Verdict == eval.Scored}
}
