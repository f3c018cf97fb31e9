package rubric

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/annotate/rubric"
	"concord/eval"
	"concord/eval/stat"
)

// Options say what to tell beside the scores.
type Options struct {
	report.Options
	Samples   bool // the score of each response
	Nodes     bool // that of each node of the trees
	Corrected bool // judges' scores by what people say of some responses
	Disputed  bool // the criteria on which people differ
}

// Row is how a rater grades the responses of one run: a person, a judge, or people together, by the
// verdict that more than half of them give on a criterion.
type Row struct {
	Dataset eval.DatasetName `json:"dataset"`
	Run     eval.RunID       `json:"run"`
	Model   string           `json:"model"`
	Rater   string           `json:"rater"`
	Kind    string           `json:"rater_kind"`
	Score   stat.Estimate    `json:"score" as:"mean"` // the mean over responses; N is how many have a score
	Clamped stat.Estimate    `json:"clamped" as:"mean"`
	figures
	rubric.Counts
	Undefined int           `json:"undefined"` // responses without a score
	Without   int           `json:"no_criteria,omitempty"`
	Parts     []Part        `json:"parts,omitempty"`
	Samples   []SampleScore `json:"samples,omitempty"`
	Disputed  []Disputed    `json:"disputed,omitempty"` // of people together

	countedResponses
}

// figures are what stands beside a score.
type figures struct {
	Bounds    *Bounds           `json:"bounds,omitempty"`    // of the mean, with what was not said at its worst and at its best
	Corrected *report.Corrected `json:"corrected,omitempty"` // a judge's, by what people say of some of the responses
}

// Bounds are the lowest and the highest that a figure can be.
type Bounds struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Part is the scores of a part of the criteria, or of the samples.
type Part struct {
	By    string        `json:"by"` // level, type, tag, or node of a tree
	Name  string        `json:"name"`
	Score stat.Estimate `json:"score" as:"mean"`
	figures
	rubric.Counts
}

// Disputed is a criterion on which people differ, for whoever wrote it.
type Disputed struct {
	Sample    eval.SampleID      `json:"sample"`
	Criterion string             `json:"criterion"`
	Author    annotate.Annotator `json:"author"`
	Text      string             `json:"text"`
	Verdicts  map[string]int     `json:"verdicts"` // of people, by their word
}

// SampleScore is the score of one response; nil where nothing of it was graded.
type SampleScore struct {
	Sample eval.SampleID `json:"sample"`
	Score  *float64      `json:"score"`
}

// noGrades is why a score has no value.
const noGrades = "no graded criterion weighs above zero"

// Audience is everybody, but for what one person says.
func (r *Row) Audience() report.Audience {
	return eval.Either(r.Kind == kindPerson, report.Insiders, report.Everyone)
}

// NamedCorrections are the corrected score of a judge.
func (r *Row) NamedCorrections() []report.NamedCorrection {
	one := report.NamedCorrection{Of: fmt.Sprintf("run %d (%s), %s", r.Run, r.Model, r.Rater)}
	if r.Corrected != nil {
		one.Correction = &report.Correction{Corrected: *r.Corrected}
	}
	return []report.NamedCorrection{one}
}

// ReportScores reports how raters grade the responses of every run of which anybody said anything.
func ReportScores(ctx context.Context, f Facts, o Options) (report.Report, error) {
	datasets, err := readGrades(ctx, f, &o.Options)
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "rubric", Confidence: stat.Confidence, Layout: scoreLayout, Lay: makeScoreTables}
	for i := range datasets {
		for _, c := range datasets[i].runs {
			raters := c.raters
			if len(raters) > 0 && raters[0].person {
				raters = slices.Insert(slices.Clone(raters), 0, rater{kindPeople, true})
			}
			for n, who := range raters {
				out.Rows = append(out.Rows, c.newRow(who, n == 0 && who.person, &o))
			}
		}
		if n := datasets[i].informed; n > 0 {
			out.Notes = append(out.Notes, fmt.Sprintf("%s: %d verdicts that people gave after others' were shown to them are left out.", datasets[i].dataset, n))
		}
	}
	if o.Corrected {
		said := make(map[annotate.Annotator]string)
		for i := range datasets {
			for who, sum := range datasets[i].said {
				said[who] = strings.TrimSpace(said[who] + " " + sum)
			}
		}
		if err := out.PrepareSaving(ctx, f, new(report.Correcting), said); err != nil {
			return out, err
		}
		out.Notes = append(out.Notes, "Corrected: a judge's score by prediction-powered inference (PPI++) over responses; those that people graded are taken as drawn at random from all.")
	}
	out.Notes = append(out.Notes,
		"A response's score is the sum of the weights of criteria that are met, those met in part by what they count then (a half, unless they say otherwise), over the sum of the weights above zero, of the criteria with a verdict; a score is their mean, clamped where each is held between 0 and 1.",
		"People are the verdict of more than half of them on a criterion, unable among them; criteria on which they tie, or are unable, are left out. Bounds hold what is not graded, unread or unable at its worst and at its best.")
	return out, nil
}

// newRow gives one rater's row; together is people's consensus.
func (c *runResponses) newRow(who rater, together bool, o *Options) *Row {
	out := &Row{Dataset: c.run.Config.Dataset, Run: c.run.ID, Model: report.NameRun(c.run), Rater: who.name, Kind: kindJudge}
	switch {
	case together:
		out.Kind = kindPeople
	case who.person:
		out.Kind = kindPerson
	}
	var all scoreMeans
	parts := make(map[[2]string]*scoreMeans)
	for _, r := range c.responses {
		if len(r.criteria) == 0 {
			out.Without++
		}
		sheet, cuts := r.scoreResponse(who, together, o)
		var people *rubric.ScoreSheet
		var peoples map[[2]string]*rubric.ScoreSheet
		if o.Corrected && !who.person {
			people, peoples = r.scoreResponse(rater{kindPeople, true}, true, o)
		}
		v, ok := all.addResponse(sheet, people)
		for name, s := range cuts {
			eval.GetOrAdd(parts, name, func() *scoreMeans { return new(scoreMeans) }).addResponse(s, peoples[name])
		}
		if o.Disputed && together {
			out.Disputed = append(out.Disputed, r.findDisputed()...)
		}
		if ok {
			out.keys = append(out.keys, r.key)
		} else {
			out.Undefined++
		}
		if o.Samples {
			one := SampleScore{Sample: r.id}
			if ok {
				one.Score = &v
			}
			out.Samples = append(out.Samples, one)
		}
	}
	out.Counts, out.Score, out.Clamped, out.figures = all.Counts, all.meanEstimate(false), all.meanEstimate(true), all.computeFigures()
	for _, name := range slices.SortedFunc(maps.Keys(parts), func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }) {
		m := parts[name]
		out.Parts = append(out.Parts, Part{By: name[0], Name: name[1], Score: m.meanEstimate(false), figures: m.computeFigures(), Counts: m.Counts})
	}
	return out
}

// scoreResponse adds up what a rater says of the response: as a whole, and by level,
// type, tag and, where they are asked for, nodes.
func (r *response) scoreResponse(who rater, together bool, o *Options) (*rubric.ScoreSheet, map[[2]string]*rubric.ScoreSheet) {
	whole, cuts := new(rubric.ScoreSheet), make(map[[2]string]*rubric.ScoreSheet)
	said := r.by[who]
	for i := range r.criteria {
		c := &r.criteria[i]
		var s rubric.Said
		switch {
		case together:
			s = r.consensusOn(i)
		case said != nil:
			s = said[i]
		}
		whole.AddCriterion(c, &s)
		for _, name := range r.cutsOfCriterion(c, o) {
			eval.GetOrAdd(cuts, name, func() *rubric.ScoreSheet { return new(rubric.ScoreSheet) }).AddCriterion(c, &s)
		}
	}
	return whole, cuts
}

// findDisputed finds the criteria on which people differ.
func (r *response) findDisputed() []Disputed {
	var out []Disputed
	for i := range r.criteria {
		one := Disputed{Sample: r.id, Criterion: criteria.CriterionName(r.criteria, i), Author: r.author, Text: r.criteria[i].Text, Verdicts: make(map[string]int)}
		_, all := r.peopleVerdicts(i)
		for _, g := range all {
			one.Verdicts[rubric.VerdictClass(g)]++
		}
		if len(one.Verdicts) > 1 {
			out = append(out, one)
		}
	}
	return out
}

func (r *response) cutsOfCriterion(c *criteria.Criterion, o *Options) [][2]string {
	var out [][2]string
	for i := range r.taxonomy {
		out = append(out, [2]string{"level", strings.Join(r.taxonomy[:i+1], " / ")})
	}
	if t := c.TypeName(); t != "" {
		out = append(out, [2]string{"type", t})
	}
	out = append(out, eval.Map(c.Tags, func(t string) [2]string { return [2]string{"tag", t} })...)
	if o.Nodes {
		out = append(out, eval.Map(c.Path, func(n string) [2]string { return [2]string{"node", n} })...)
	}
	return out
}

var (
	scoreLayout     = report.NewLayout("dataset model rater score bounds corrected met partial unmet unable ungraded", Row{}, rubric.Counts{})
	partLayout      = report.NewLayout("model rater by name score bounds corrected met partial unmet unable ungraded", Part{}, rubric.Counts{})
	disputedLayout  = report.NewLayout("model sample criterion author verdicts text", Disputed{})
	alignmentLayout = report.NewLayout("dataset judge of n agreement cohen_kappa gwet_ac1 macro_f1 sensitivity specificity winning_rate advantage_probability excluded", AlignmentRow{})
)

// ExtraCells has the bounds and the corrected score as texts.
func (f *figures) ExtraCells() report.Cells {
	out := report.Cells{"bounds": table.NewBlank(), "corrected": table.NewBlank()}
	if f.Bounds != nil {
		end := func(v float64) string { return table.NewMean(stat.NewExactEstimate(v, 0)).FormatEstimate() }
		out["bounds"] = table.NewText("[" + end(f.Bounds.Low) + ", " + end(f.Bounds.High) + "]")
	}
	if f.Corrected != nil {
		out["corrected"] = table.NewMean(f.Corrected.Estimate)
	}
	return out
}

// ExtraCells says of which criteria the row is.
func (r *AlignmentRow) ExtraCells() report.Cells {
	of := "all criteria"
	switch {
	case r.Type != "":
		of = "type " + r.Type
	case r.Criterion != "":
		of = "criterion " + r.Criterion
	}
	return report.Cells{"of": table.NewText(of)}
}

// makeScoreTables makes the scores, and below them their parts.
func makeScoreTables(r *report.Report) []table.Table {
	scores := scoreLayout.NewTable("rubric", "")
	parts := partLayout.NewTable("parts", "By level, type and tag")
	disputed := disputedLayout.NewTable("disputed", "Criteria with disagreements")
	for _, row := range r.Rows {
		one := row.(*Row)
		scores.Rows = append(scores.Rows, scoreLayout.MakeRowLine(one))
		for i := range one.Parts {
			parts.Rows = append(parts.Rows, partLayout.MakeTableLine(report.Opener{Row: one}, &one.Parts[i], report.Cells{
				"model": table.NewText(one.Model), "rater": table.NewText(one.Rater),
			}))
		}
		for i := range one.Disputed {
			d := &one.Disputed[i]
			said := eval.Map(slices.Sorted(maps.Keys(d.Verdicts)), func(word string) string {
				return fmt.Sprintf("%s %d", word, d.Verdicts[word])
			})
			disputed.Rows = append(disputed.Rows, disputedLayout.MakeTableLine(report.Opener{Row: one}, d, report.Cells{
				"model": table.NewText(one.Model), "verdicts": table.NewText(strings.Join(said, ", ")),
			}))
		}
	}
	return slices.DeleteFunc([]table.Table{scores, parts, disputed}, func(t table.Table) bool { return len(t.Rows) == 0 })
}
