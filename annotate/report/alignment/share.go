package alignment

import (
	"cmp"
	"encoding/json"
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

// Agreement are the figures of a part of an alignment row. The
// coefficients are over options and "not one option".
type Agreement struct {
	Alignment stat.Rate         `json:"alignment"`
	Kappa     agree.Coefficient `json:"cohen_kappa"`
	AC1       agree.Coefficient `json:"gwet_ac1"`
}

// ModelShare is the alignment on one model's predictions.
type ModelShare struct {
	Model string `json:"model"`
	Agreement
}

// LevelShare is the alignment under one prefix of the taxonomy.
type LevelShare struct {
	Path []string `json:"path"`
	Agreement
}

// PersonShare is the alignment with one person's own labels.
type PersonShare struct {
	Annotator string `json:"annotator"`
	Agreement
}

// CommonShare is the alignment on the items on which all of the Extractors are compared, which
// are those that are compared on any: there the rates of several rows are of the same items.
type CommonShare struct {
	Extractors []string `json:"extractors"`
	Agreement
}

// Test is the row's extractor beside another one on the items on which both are compared: their rates
// there, the difference with its paired interval, and McNemar's test, in which the row's own is the first.
type Test struct {
	With       string            `json:"with"`
	N          int               `json:"n"`
	Alignment  stat.Rate         `json:"alignment"`
	Other      stat.Rate         `json:"with_alignment"`
	Difference stat.Estimate     `json:"difference"`
	Test       agree.McNemarTest `json:"test"`
}

func newAgreement(s annotate.AlignmentShare) Agreement { return Agreement{s.Alignment, s.Kappa, s.AC1} }

// fillParts enters the figures of models, levels and people. A row about one run has one model.
func (r *Row) fillParts(a *annotate.AlignmentRow) {
	if r.Run == 0 {
		r.Models = eval.Map(a.Models, func(s annotate.AlignmentShare) ModelShare { return ModelShare{s.Name, newAgreement(s)} })
	}
	r.Levels = append([]LevelShare{}, eval.Map(a.Categories, func(s annotate.AlignmentShare) LevelShare { return LevelShare{s.Path, newAgreement(s)} })...)
	r.People = append([]PersonShare{}, eval.Map(a.People, func(s annotate.AlignmentShare) PersonShare { return PersonShare{s.Name, newAgreement(s)} })...)
}

// addComparisons enters the other extractors.
func (r *Row) addComparisons(a *annotate.AlignmentRow) {
	if c := a.Common; c != nil {
		r.Common = &CommonShare{c.Extractors, newAgreement(c.AlignmentShare)}
	}
	for _, b := range a.Besides {
		const reason = "no item on which both are compared"
		l, n := b.Looks, b.Looks.N()
		own, other := l.Rates(reason)
		r.McNemar = append(r.McNemar, Test{With: b.With, N: n, Alignment: own, Other: other, Difference: l.Difference(reason), Test: b.Test})
	}
}

// warnDifferentItems says when the rates of rows about one thing are not of the same items,
// which they have to be to be set beside each other.
func warnDifferentItems(rows []report.Row) []string {
	var of *CommonShare
	var ns []int
	for _, row := range rows {
		if a := row.(*Row); a.Common != nil {
			of, ns = a.Common, append(ns, a.Alignment.N)
		}
	}
	if of == nil || of.Alignment.N == slices.Max(ns) {
		return nil
	}
	return []string{fmt.Sprintf("The extractors are compared on different items, on %s to %s of them: "+
		"set them beside each other by their rates on the %s that all of %s are compared on, or two of them by McNemar's test.",
		table.FormatGrouped(slices.Min(ns)), table.FormatGrouped(slices.Max(ns)), table.FormatGrouped(of.Alignment.N), strings.Join(of.Extractors, ", "))}
}

// explainMissingCoefficients says why the parts of a row that was saved without coefficients have none.
func (r *Row) explainMissingCoefficients() {
	fill := func(f *Agreement) {
		for _, c := range []*agree.Coefficient{&f.Kappa, &f.AC1} {
			if f.Alignment.N > 0 && c.N == 0 && c.Undefined == "" {
				c.Undefined = "not computed when it was saved"
			}
		}
	}
	for i := range r.Models {
		fill(&r.Models[i].Agreement)
	}
	for i := range r.Levels {
		fill(&r.Levels[i].Agreement)
	}
	for i := range r.People {
		fill(&r.People[i].Agreement)
	}
}

// makeCells makes the test's; they open the items that tell the two extractors apart.
// The p-values are two-sided.
func (t *Test) makeCells(r *Row) report.Cells {
	by := r.newOpener().WithPart(FigureParams{With: t.With})
	difference := r.attachPicks(table.NewPoints(t.Difference), by, OnlyFirst, OnlySecond)
	out := report.Cells{
		"with": table.NewText(t.With), "alignment": table.NewRate(t.Alignment), "with_alignment": report.CopyPicks(table.NewRate(t.Other), difference), "difference": difference,
		"first_only": r.attachPicks(table.NewCount(t.Test.First), by, OnlyFirst), "second_only": r.attachPicks(table.NewCount(t.Test.Second), by, OnlySecond),
	}
	if t.Test.Undefined != "" {
		out["exact"] = table.NewText("- (" + t.Test.Undefined + ")")
		return out
	}
	for _, p := range []struct {
		key, name string
		p         float64
	}{
		{"mcnemar_exact_p", "exact", t.Test.Exact},
		{"mcnemar_mid_p", "mid-p", t.Test.MidP},
		{"mcnemar_corrected_p", "corrected", t.Test.PCorrected},
		{"mcnemar_p", "uncorrected", t.Test.P},
	} {
		out[p.key], out[p.name] = table.NewNumber(&p.p), table.NewText(report.FormatPValue(p.p))
	}
	return out
}

// makeAlignmentTables lay the report out as people read it: the figures, and every two extractors once.
func makeAlignmentTables(r *report.Report) []table.Table {
	figures, tests := alignmentLayout.NewTable(r.Name, ""), testLayout.NewTable("McNemar between extractors", "on the items on which both are compared")
	tests.Notes = []string{
		"First only and second only are the items on which only the extractor and only the one it is set beside reads as people do. " +
			"The exact test holds its level always; read mid-p where few items differ.",
	}
	var judges []string
	var replacing []*agree.AlternativeTest
	for _, row := range slices.Concat(r.Overall, r.Rows) {
		if a := row.(*Row); a.Saved == 0 {
			if figures.Title == "" { // of the whole queue, where it has several runs
				figures.Title = report.FormatCount(a.Items, "item") + ", labels of " + report.FormatCount(a.Annotators, "annotator")
			}
			figures.Rows = append(figures.Rows, a.makePartLines(alignmentLayout, false)...)
			tests.Rows = append(tests.Rows, a.testLines()...)
			judges, replacing = append(judges, a.Extractor+" on "+a.Model), append(replacing, a.AlternativeTest)
		}
	}
	return slices.DeleteFunc([]table.Table{figures, tests, report.MakeAlternativeTestTable(judges, replacing)}, func(t table.Table) bool {
		return len(t.Rows) == 0 && t.Name != figures.Name
	})
}

// testLines are the tests with extractors that come after the row's own: the others stand in their rows.
func (r *Row) testLines() [][]table.Cell {
	var out [][]table.Cell
	if r.Common == nil {
		return nil
	}
	own := slices.Index(r.Common.Extractors, r.Extractor)
	for i := range r.McNemar {
		t := &r.McNemar[i]
		if slices.Index(r.Common.Extractors, t.With) < own {
			continue
		}
		cells := t.makeCells(r)
		cells["alignment"] = report.CopyPicks(cells["alignment"], cells["difference"])
		out = append(out, r.makeLine(testLayout, "", cells))
	}
	return out
}

const alignmentNames = "queue " + report.HeadNames + "policy undecided extractor part:text alignment case_one case_two cohen_kappa gwet_ac1 majority_baseline excluded:text "

var (
	alignmentLayout = report.NewLayout(alignmentNames, Row{})
	besideLayout    = report.NewLayout(alignmentNames+"with:text with_alignment:rate difference:points first_only:count second_only:count "+
		"mcnemar_exact_p:number mcnemar_mid_p:number mcnemar_corrected_p:number mcnemar_p:number", Row{})
	testLayout = report.NewLayout("run model extractor with:text alignment with_alignment:rate difference:points first_only:count second_only:count exact:text mid-p:text corrected:text uncorrected:text", Row{})
)

// TableLines gives the row and then its parts: models, people, levels, the items that all extractors
// are compared on, and every other extractor. A saved row has no lines: a note says how it stands.
func (r *Row) TableLines() [][]table.Cell {
	if r.Saved != 0 {
		return nil
	}
	out := r.makePartLines(besideLayout, true)
	for i := range r.McNemar {
		t := &r.McNemar[i]
		out = append(out, r.makeLine(besideLayout, "beside "+t.With, t.makeCells(r)))
	}
	return out
}

// makeLine makes a line of the row about a part of it: the figures, behind what all lines
// of the row begin with.
func (r *Row) makeLine(l *report.Layout, part string, figures report.Cells) []table.Cell {
	start := report.Cells{
		"queue": table.NewText(string(r.Queue)), "policy": table.NewText(r.Policy), "undecided": table.NewText(r.Undecided),
		"extractor": table.NewText(r.Extractor), "part": table.NewText(part),
	}
	if r.Run == 0 {
		start["run"] = table.NewBlank()
	}
	if l != besideLayout { // it is for people
		start["undecided"] = table.NewText(annotate.DescribeUndecided(r.Undecided))
	}
	return l.MakeTableLine(report.Opener{}, figures, start, &r.Head)
}

// makePartLines makes the row and its parts. That of the items that all extractors are compared
// on is left out where it says nothing new, unless all is asked for.
func (r *Row) makePartLines(l *report.Layout, all bool) [][]table.Cell {
	var out [][]table.Cell
	line := func(part string, figures report.Cells) { out = append(out, r.makeLine(l, part, figures)) }
	part := func(name string, f *Agreement, by report.Opener, person bool) {
		rate := r.rateCell(f.Alignment, by, person)
		line(name, report.Cells{"alignment": rate, "cohen_kappa": report.CopyPicks(table.NewCoefficient(f.Kappa), rate), "gwet_ac1": report.CopyPicks(table.NewCoefficient(f.AC1), rate)})
	}
	if r.LeftOut != "" {
		line("all", report.Cells{"alignment": table.NewRate(r.Alignment)})
		return out
	}
	o := r.newOpener()
	rate := r.rateCell(r.Alignment, o, false)
	line("all", report.Cells{
		"alignment": rate, "case_one": r.attachPicks(table.NewCount(r.CaseOne), o, CaseOne), "case_two": r.attachPicks(table.NewCount(r.CaseTwo), o, CaseTwo),
		"cohen_kappa": report.CopyPicks(table.NewCoefficient(r.Kappa), rate), "gwet_ac1": report.CopyPicks(table.NewCoefficient(r.AC1), rate),
		"majority_baseline": report.CopyPicks(table.NewRate(r.Baseline), rate), "excluded": r.leftOutCell(),
	})
	if r.Weighted != nil {
		line(r.weightedPartName(), nil)
	}
	if r.CaseOpen > 0 {
		line(fmt.Sprintf("misaligned, no consensus: %s", table.FormatGrouped(r.CaseOpen)), nil)
	}
	if c := r.Common; c != nil && (all || c.Alignment.N != r.Alignment.N) {
		part("items in common", &c.Agreement, report.Opener{}, false)
	}
	if a := r.Adjudicated; a != nil {
		name := "adjudicated: " + table.FormatGrouped(a.Items)
		if a.Optimistic {
			name += ", optimistic: agreements adjudicated " + table.FormatGrouped(a.Checked) + " of " + table.FormatGrouped(a.Agreed)
		}
		line(name, report.Cells{"alignment": r.attachPicks(table.NewRate(a.Alignment), o, Adjudicated)})
		if e := a.Estimate; a.Optimistic && e.WhyUndefined() == "" {
			few := stat.WarnFewUnits(a.Rulings, a.Overturned)
			if few != "" {
				few = " (" + few + ")"
			}
			line(fmt.Sprintf("adjudicated, %s agreements at random for all: %s [%s, %s]%s", table.FormatGrouped(a.Rulings), table.FormatPercent(e.Value), table.FormatPercent(e.Low), table.FormatPercent(e.High), few), nil)
		}
		for _, c := range countCauses(a.CaseTwo) {
			line("disagree (Case II), "+c.name, report.Cells{"case_two": r.attachPicks(table.NewCount(c.n), o.WithPart(FigureParams{Cause: c.cause}), CausedBy)})
		}
	}
	for i := range r.Models {
		part("model "+r.Models[i].Model, &r.Models[i].Agreement, o.WithPart(FigureParams{Model: r.Models[i].Model}), false)
	}
	for i := range r.People {
		part("person "+r.People[i].Annotator, &r.People[i].Agreement, o.WithPart(FigureParams{Person: annotate.Annotator(r.People[i].Annotator)}), true)
	}
	for i := range r.Levels {
		part(strings.Join(r.Levels[i].Path, " / "), &r.Levels[i].Agreement, o.UnderLevel(r.Levels[i].Path...), false)
	}
	return out
}

type namedCount struct {
	name  string
	n     int
	cause annotate.Cause
}

// countCauses counts who turned out to be right on the Case II items, with those that nobody has settled.
func countCauses(c annotate.CaseTwoCauses) []namedCount {
	return []namedCount{
		{"person right", c.PersonRight, annotate.PersonRight},
		{"judge right", c.JudgeRight, annotate.JudgeRight},
		{"ambiguous", c.Ambiguous, annotate.AmbiguousCause},
		{"both wrong", c.BothWrong, annotate.BothWrong},
		{"not adjudicated", c.Open, annotate.CauseUnset},
	}
}

// warnMixedSettings names the judges whose settings differ between the runs: a row
// of all runs is over both.
func (rv *reviewedQueue) warnMixedSettings(ids []eval.RunID) (notes []string) {
	runs, texts := make(map[string][]eval.RunID), make(map[string][][]byte)
	for _, id := range ids {
		for _, j := range rv.runs[id].Config.Settings.Judges {
			text, err := json.Marshal(map[string]any{
				"model": j.Name, "endpoint": j.Endpoint, "params": json.RawMessage(cmp.Or(j.Params, "{}")), "prompts": j.Prompts, "language": j.Language, "edge": j.Edge,
			})
			if err == nil { // params are JSON
				runs[j.Judge], texts[j.Judge] = append(runs[j.Judge], id), append(texts[j.Judge], text)
			}
		}
	}
	for _, judge := range slices.Sorted(maps.Keys(runs)) {
		var parts []string
		for n, said := range eval.DistinguishSettings(texts[judge]) {
			if said != "" {
				parts = append(parts, fmt.Sprintf("run %d by %s", runs[judge][n], said))
			}
		}
		if len(parts) > 0 {
			notes = append(notes, fmt.Sprintf("%s was not asked alike: %s. Its rows of all runs are over all of these settings; the rows of each run are not.", judge, strings.Join(parts, "; ")))
		}
	}
	return notes
}
