package alignment

import (
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
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

// CommonShare is the alignment on the items on which all of the Extractors are
// compared, which are those that are compared on any: there the rates of
// several rows are of the same items.
type CommonShare struct {
	Extractors []string `json:"extractors"`
	Agreement
}

// Test is the row's extractor beside another one on the items on which
// both are compared: their rates there, the difference with its paired
// interval, and McNemar's test, in which the row's own is the first.
type Test struct {
	With       string         `json:"with"`
	N          int            `json:"n"`
	Alignment  stat.Rate      `json:"alignment"`
	Other      stat.Rate      `json:"with_alignment"`
	Difference stat.Estimate  `json:"difference"`
	Test       agree.Sameness `json:"test"`
}

func figuresOf(s annotate.Share) Agreement {
	return Agreement{s.Alignment, s.Kappa, s.AC1}
}

// part enters the figures of models, levels and people. A row about one run has
// one model.
func (r *Row) part(a *annotate.AlignmentRow) {
	r.Levels, r.People = []LevelShare{}, []PersonShare{}
	if r.Run == 0 {
		for _, s := range a.Models {
			r.Models = append(r.Models, ModelShare{s.Name, figuresOf(s)})
		}
	}
	for _, s := range a.Categories {
		r.Levels = append(r.Levels, LevelShare{s.Path, figuresOf(s)})
	}
	for _, s := range a.People {
		r.People = append(r.People, PersonShare{s.Name, figuresOf(s)})
	}
}

// beside enters the other extractors.
func (r *Row) beside(a *annotate.AlignmentRow) {
	if c := a.Common; c != nil {
		r.Common = &CommonShare{c.Extractors, figuresOf(c.Share)}
	}
	for _, b := range a.Besides {
		const reason = "no item on which both are compared"
		l, n := b.Looks, b.Looks.N()
		own, other := l.Rates(reason)
		r.McNemar = append(r.McNemar, Test{
			With: b.With, N: n, Alignment: own, Other: other, Difference: l.Difference(reason), Test: b.Test,
		})
	}
}

// apart says when the rates of rows about one thing are not of the same items,
// which they have to be to be set beside each other.
func apart(rows []report.Row) []string {
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
		table.Grouped(slices.Min(ns)), table.Grouped(slices.Max(ns)), table.Grouped(of.Alignment.N), strings.Join(of.Extractors, ", "))}
}

// fillOld says why the parts of a row that was saved without coefficients have
// none.
func (r *Row) fillOld() {
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

// cells are the test's; they open the items that tell the two extractors apart.
// The p-values are two-sided.
func (t *Test) cells(r *Row) report.Cells {
	by := r.opener().With(Part{With: t.With})
	difference := r.over(table.Points(t.Difference), by, OnlyFirst, OnlySecond)
	out := report.Cells{
		"with": table.Text(t.With), "alignment": table.Rate(t.Alignment), "with_alignment": report.Like(table.Rate(t.Other), difference), "difference": difference,
		"first_only": r.over(table.Count(t.Test.First), by, OnlyFirst), "second_only": r.over(table.Count(t.Test.Second), by, OnlySecond),
	}
	if t.Test.Undefined != "" {
		out["exact"] = table.Text("- (" + t.Test.Undefined + ")")
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
		out[p.key], out[p.name] = table.Number(&p.p), table.Text(report.Probability(p.p))
	}
	return out
}

// alignmentSheets lay the report out as people read it: the figures, and every
// two extractors once.
func alignmentSheets(r *report.Report) []table.Table {
	figures, tests := alignmentLayout.Table(r.Name, ""), testLayout.Table("McNemar between extractors", "on the items on which both are compared")
	tests.Notes = []string{
		"First only and second only are the items on which only the extractor and only the one it is set beside reads as people do. " +
			"The exact test holds its level always; read mid-p where few items differ.",
	}
	var judges []string
	var replacing []*report.Replacing
	for _, row := range slices.Concat(r.Overall, r.Rows) {
		if a := row.(*Row); a.Saved == 0 {
			if figures.Title == "" { // of the whole queue, where it has several runs
				figures.Title = report.Plural(a.Items, "item") + ", labels of " + report.Plural(a.Annotators, "annotator")
			}
			figures.Rows = append(figures.Rows, a.partLines(alignmentLayout, false)...)
			tests.Rows = append(tests.Rows, a.testLines()...)
			judges, replacing = append(judges, a.named()), append(replacing, a.Replacing)
		}
	}
	return slices.DeleteFunc([]table.Table{figures, tests, report.ReplacingTable(judges, replacing)}, func(t table.Table) bool {
		return len(t.Rows) == 0 && t.Name != figures.Name
	})
}

// named is the extractor, and of what model it reads.
func (r *Row) named() string { return r.Extractor + " on " + r.Model }

// testLines are the tests with extractors that come after the row's own: the
// others stand in their rows.
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
		cells := t.cells(r)
		cells["alignment"] = report.Like(cells["alignment"], cells["difference"])
		out = append(out, r.line(testLayout, "", cells))
	}
	return out
}

const alignmentNames = "queue " + report.HeadNames + "policy undecided extractor part:text alignment case_one case_two cohen_kappa gwet_ac1 majority_baseline excluded:text "

var (
	alignmentLayout = report.Lay(alignmentNames, Row{})
	besideLayout    = report.Lay(alignmentNames+"with:text with_alignment:rate difference:points first_only:count second_only:count "+
		"mcnemar_exact_p:number mcnemar_mid_p:number mcnemar_corrected_p:number mcnemar_p:number", Row{})
	testLayout = report.Lay("run model extractor with:text alignment with_alignment:rate difference:points first_only:count second_only:count exact:text mid-p:text corrected:text uncorrected:text", Row{})
)

// Columns names the columns of the lines that Lines gives.
func (r *Row) Columns() []table.Column { return besideLayout.Columns }

// Lines gives the row and then its parts: models, people, levels, the items
// that all extractors are compared on, and every other extractor. A saved row
// has no lines: a note says how it stands.
func (r *Row) Lines() [][]table.Cell {
	if r.Saved != 0 {
		return nil
	}
	out := r.partLines(besideLayout, true)
	for i := range r.McNemar {
		t := &r.McNemar[i]
		out = append(out, r.line(besideLayout, "beside "+t.With, t.cells(r)))
	}
	return out
}

// line is a line of the row about a part of it: the figures, behind what all lines
// of the row begin with.
func (r *Row) line(l *report.Layout, part string, figures report.Cells) []table.Cell {
	start := report.Cells{
		"queue": table.Text(string(r.Queue)), "policy": table.Text(r.Policy), "undecided": table.Text(r.Undecided),
		"extractor": table.Text(r.Extractor), "part": table.Text(part),
	}
	if r.Run == 0 {
		start["run"] = table.Blank()
	}
	if l != besideLayout { // it is for people
		start["undecided"] = table.Text(annotate.UndecidedInWords(r.Undecided))
	}
	return l.Line(report.Opener{}, figures, start, &r.Head)
}

// partLines are the row and its parts. That of the items that all extractors
// are compared on is left out where it says nothing new, unless all is asked
// for.
func (r *Row) partLines(l *report.Layout, all bool) [][]table.Cell {
	var out [][]table.Cell
	line := func(part string, figures report.Cells) { out = append(out, r.line(l, part, figures)) }
	part := func(name string, f *Agreement, by report.Opener, person bool) {
		rate := r.rate(f.Alignment, by, person)
		line(name, report.Cells{"alignment": rate, "cohen_kappa": report.Like(table.Coefficient(f.Kappa), rate), "gwet_ac1": report.Like(table.Coefficient(f.AC1), rate)})
	}
	if r.LeftOut != "" {
		line("all", report.Cells{"alignment": table.Rate(r.Alignment)})
		return out
	}
	o := r.opener()
	rate := r.rate(r.Alignment, o, false)
	line("all", report.Cells{
		"alignment": rate, "case_one": r.over(table.Count(r.CaseOne), o, CaseOne), "case_two": r.over(table.Count(r.CaseTwo), o, CaseTwo),
		"cohen_kappa": report.Like(table.Coefficient(r.Kappa), rate), "gwet_ac1": report.Like(table.Coefficient(r.AC1), rate),
		"majority_baseline": report.Like(table.Rate(r.Baseline), rate), "excluded": r.leftOut(),
	})
	if r.Weighted != nil {
		line(r.weightedLine(), nil)
	}
	if r.CaseOpen > 0 {
		line(fmt.Sprintf("misaligned, no consensus: %s", table.Grouped(r.CaseOpen)), nil)
	}
	if c := r.Common; c != nil && (all || c.Alignment.N != r.Alignment.N) {
		part("items in common", &c.Agreement, report.Opener{}, false)
	}
	if a := r.Adjudicated; a != nil {
		line(a.name(), report.Cells{"alignment": r.over(table.Rate(a.Alignment), o, Adjudicated)})
		if e := a.Estimate; a.Optimistic && e.Reason() == "" {
			few := stat.Few(a.Share, a.Overturned)
			if few != "" {
				few = " (" + few + ")"
			}
			line(fmt.Sprintf("adjudicated, %s agreements at random for all: %s [%s, %s]%s", table.Grouped(a.Share), table.Percent(e.Value), table.Percent(e.Low), table.Percent(e.High), few), nil)
		}
		for _, c := range causes(a.CaseTwo) {
			line("disagree (Case II), "+c.name, report.Cells{"case_two": r.over(table.Count(c.n), o.With(Part{Cause: c.cause}), CausedBy)})
		}
	}
	for i := range r.Models {
		part("model "+r.Models[i].Model, &r.Models[i].Agreement, o.With(Part{Model: r.Models[i].Model}), false)
	}
	for i := range r.People {
		part("person "+r.People[i].Annotator, &r.People[i].Agreement, o.With(Part{Person: annotate.Annotator(r.People[i].Annotator)}), true)
	}
	for i := range r.Levels {
		part(strings.Join(r.Levels[i].Path, " / "), &r.Levels[i].Agreement, o.Under(r.Levels[i].Path...), false)
	}
	return out
}

// tallied is a count with its name.
type tallied struct {
	name  string
	n     int
	cause annotate.Cause
}

// causes are who turned out to be right on the Case II items, with those that
// nobody has settled.
func causes(c annotate.CaseTwoCauses) []tallied {
	return []tallied{
		{"person right", c.PersonRight, annotate.PersonRight},
		{"judge right", c.JudgeRight, annotate.JudgeRight},
		{"ambiguous", c.Ambiguous, annotate.AmbiguousCause},
		{"both wrong", c.BothWrong, annotate.BothWrong},
		{"not adjudicated", c.Open, annotate.CauseUnset},
	}
}
