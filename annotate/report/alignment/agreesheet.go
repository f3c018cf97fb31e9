package alignment

import (
	"fmt"

	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
)

// agreeLayout is that of the figures one below the other, for machines: what it is, of
// whom, and the figure as what it is.
var agreeLayout = report.NewLayout("file level figure a b rate:rate coefficient:coefficient count:count")

// TableLines lays the row out as lines of its table.
func (r *AgreeRow) TableLines() [][]table.Cell {
	f := figureLines{layout: agreeLayout, start: report.Cells{"file": table.NewText(r.File), "level": table.NewText(r.Level)}}
	f.addPart(r, "", "")
	for i := range r.Pairs {
		f.addPart(&r.Pairs[i], r.Pairs[i].A, r.Pairs[i].B)
	}
	for i := range r.Against {
		a := &r.Against[i]
		f.addPart(a, a.Rater, r.Reference.displayName())
		for _, c := range a.Confusion {
			f.addLine("confusion "+a.Rater, c.Reference, c.Rater, table.NewCount(c.N))
		}
	}
	for i := range r.Judges {
		f.addPart(&r.Judges[i], r.Judges[i].Judge, "")
	}
	return f.out
}

// Extras has the baseline with its interval.
func (r *AgreeRow) Extras() report.Cells {
	return report.Cells{"majority_baseline": table.NewRate(r.baseline)}
}

// displayName is the reference as figures name it.
func (r *ReferenceRow) displayName() string {
	if r.Policy == "" {
		return r.Raters[0]
	}
	return r.Policy + " of " + joinFirst(r.Raters)
}

// makeTables makes the tables that people read.
func (r *AgreeRow) makeTables() []table.Table {
	out := []table.Table{r.makeWholeTable(), report.MakePartTable(agreePairs, "pairs", "", r.Pairs, nil).WithoutEmpty(table.ParseColumns("linear:coefficient quadratic:coefficient"))}
	var judges []string
	var tests []*agree.AlternativeTest
	for i := range r.Judges {
		judges, tests = append(judges, r.Judges[i].Judge), append(tests, &r.Judges[i].AlternativeTest)
	}
	if t := report.MakeAlternativeTestTable(judges, tests); len(t.Rows) > 0 {
		out = append(out, t)
	}
	if r.Reference == nil {
		return out
	}
	out = append(out, r.makeAgainstTable())
	if len(r.McNemar) > 0 {
		out = append(out, r.makeMcNemarTable())
	}
	for i := range r.Against {
		out = append(out, r.Against[i].makeConfusionTable())
	}
	return out
}

func (r *AgreeRow) makeWholeTable() table.Table {
	title := fmt.Sprintf("%s · %s items, %s raters, %s ratings, %s", r.File, table.FormatGrouped(r.Items), table.FormatGrouped(r.Raters), table.FormatGrouped(r.Ratings), r.Level)
	return makeFigureTable("agreement", title, "ratings", r.Level, r)
}

var (
	agreePairs   = report.NewLayout("a b agreement cohen_kappa linear quadratic", AgreePair{})
	againstTable = report.NewLayout("rater agreement cohen_kappa gwet_ac1 majority_baseline not_rated no_reference", AgainstRow{})
)

func (r *AgreeRow) makeAgainstTable() table.Table {
	ref := r.Reference
	title := "against " + ref.displayName() + fmt.Sprintf(" · %s items", table.FormatGrouped(ref.Items))
	if ref.Policy != "" {
		title += fmt.Sprintf(", %s without consensus: %s", table.FormatGrouped(ref.Open), ref.Undecided)
	}
	return report.MakePartTable(againstTable, "reference", title, r.Against, nil)
}

func (r *AgreeRow) makeMcNemarTable() table.Table {
	t := table.Table{
		Name: "mcnemar", Title: "items on which one of two raters alone is with the reference",
		Columns: table.ParseColumns("a b only_a:count only_b:count exact_p mid_p corrected_p uncorrected_p"),
	}
	for i := range r.McNemar {
		m := &r.McNemar[i]
		s := &m.Test
		line := []table.Cell{table.NewText(m.A), table.NewText(m.B), table.NewCount(s.First), table.NewCount(s.Second)}
		for _, p := range []float64{s.Exact, s.MidP, s.PCorrected, s.P} {
			cell := table.NewText(fmt.Sprintf("%.4g", p))
			if s.Undefined != "" {
				cell = table.NewText("- (" + s.Undefined + ")")
			}
			line = append(line, cell)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// mostClasses is the most classes that a confusion matrix shows.
const mostClasses = 12

// makeConfusionTable makes the reference's classes by the rater's, with precision and
// recall of each.
func (a *AgainstRow) makeConfusionTable() table.Table {
	t := table.Table{Name: "confusion", Title: a.Rater + ": its classes across, the reference's down", Columns: table.ParseColumns("reference")}
	shown := a.Classes
	if len(shown) > mostClasses {
		shown = shown[:mostClasses]
		t.Notes = append(t.Notes, fmt.Sprintf("%d classes of %d are shown; --json has all.", mostClasses, len(a.Classes)))
	}
	n := eval.Index(a.Confusion, func(c agree.Confusion) ([2]string, int) { return [2]string{c.Reference, c.Rater}, c.N })
	for _, c := range shown {
		t.Columns = append(t.Columns, table.Column{Name: c.Class, Kind: table.KindCount})
	}
	t.Columns = append(t.Columns, table.Column{Name: "recall", Kind: table.KindRate}, table.Column{Name: "precision", Kind: table.KindRate})
	for _, down := range shown {
		line := []table.Cell{table.NewText(down.Class)}
		for _, across := range shown {
			line = append(line, table.NewCount(n[[2]string{down.Class, across.Class}]))
		}
		t.Rows = append(t.Rows, append(line, table.NewRate(down.Recall), table.NewRate(down.Precision)))
	}
	return t
}
