package alignment

import (
	"fmt"

	"concord/annotate/report"
	"concord/annotate/report/table"
)

// Columns are those of the figures one below the other, for machines: what it
// is, of whom, and the figure as what it is.
func (r *AgreeRow) Columns() []table.Column {
	return table.List("file level figure a b rate:rate coefficient:coefficient count:count")
}

// Lines lays the row out as lines of its table.
func (r *AgreeRow) Lines() [][]table.Cell {
	f := figureLines{columns: r.Columns(), start: report.Cells{"file": table.Text(r.File), "level": table.Text(r.Level)}}
	f.part(r, "", "")
	for i := range r.Pairs {
		f.part(&r.Pairs[i], r.Pairs[i].A, r.Pairs[i].B)
	}
	for i := range r.Against {
		a := &r.Against[i]
		f.part(a, a.Rater, r.Reference.name())
		for _, c := range a.Confusion {
			f.add("confusion "+a.Rater, c.Reference, c.Rater, table.Count(c.N))
		}
	}
	for i := range r.Judges {
		f.part(&r.Judges[i], r.Judges[i].Judge, "")
	}
	return f.out
}

// Measured has the baseline with its interval.
func (r *AgreeRow) Measured() report.Cells {
	return report.Cells{"majority_baseline": table.Rate(r.baseline)}
}

// name is the reference as figures name it.
func (r *ReferenceRow) name() string {
	if r.Policy == "" {
		return r.Raters[0]
	}
	return r.Policy + " of " + some(r.Raters)
}

// sheets are the tables that people read.
func (r *AgreeRow) sheets() []table.Table {
	out := []table.Table{r.whole(), r.pairSheet()}
	var judges []string
	var tests []*report.Replacing
	for i := range r.Judges {
		judges, tests = append(judges, r.Judges[i].Judge), append(tests, &r.Judges[i].Replacing)
	}
	if t := report.ReplacingTable(judges, tests); len(t.Rows) > 0 {
		out = append(out, t)
	}
	if r.Reference == nil {
		return out
	}
	out = append(out, r.againstSheet())
	if len(r.McNemar) > 0 {
		out = append(out, r.mcnemarSheet())
	}
	for i := range r.Against {
		out = append(out, r.Against[i].confusionSheet())
	}
	return out
}

func (r *AgreeRow) whole() table.Table {
	title := fmt.Sprintf("%s · %s items, %s raters, %s ratings, %s", r.File, table.Grouped(r.Items), table.Grouped(r.Raters), table.Grouped(r.Ratings), r.Level)
	return figureSheet("agreement", title, "ratings", r.Level, r)
}

var (
	agreePairs   = report.Lay("a b agreement cohen_kappa linear quadratic", AgreePair{})
	againstTable = report.Lay("rater agreement cohen_kappa gwet_ac1 majority_baseline not_rated no_reference", AgainstRow{})
)

func (r *AgreeRow) pairSheet() table.Table {
	return report.PartTable(agreePairs, "pairs", "", r.Pairs, nil).Without(table.List("linear:coefficient quadratic:coefficient"))
}

func (r *AgreeRow) againstSheet() table.Table {
	ref := r.Reference
	title := "against " + ref.name() + fmt.Sprintf(" · %s items", table.Grouped(ref.Items))
	if ref.Policy != "" {
		title += fmt.Sprintf(", %s without consensus: %s", table.Grouped(ref.Open), ref.Undecided)
	}
	return report.PartTable(againstTable, "reference", title, r.Against, nil)
}

func (r *AgreeRow) mcnemarSheet() table.Table {
	t := table.Table{
		Name: "mcnemar", Title: "items on which one of two raters alone is with the reference",
		Columns: table.List("a b only_a:count only_b:count exact_p mid_p corrected_p uncorrected_p"),
	}
	for i := range r.McNemar {
		m := &r.McNemar[i]
		s := &m.Test
		line := []table.Cell{table.Text(m.A), table.Text(m.B), table.Count(s.First), table.Count(s.Second)}
		for _, p := range []float64{s.Exact, s.MidP, s.PCorrected, s.P} {
			cell := table.Text(fmt.Sprintf("%.4g", p))
			if s.Undefined != "" {
				cell = table.Text("- (" + s.Undefined + ")")
			}
			line = append(line, cell)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// mostClasses is the most classes that a confusion matrix shows.
const mostClasses = 12

// confusionSheet is the reference's classes by the rater's, with precision and
// recall of each.
func (a *AgainstRow) confusionSheet() table.Table {
	t := table.Table{Name: "confusion", Title: a.Rater + ": its classes across, the reference's down", Columns: table.List("reference")}
	shown := a.Classes
	if len(shown) > mostClasses {
		shown = shown[:mostClasses]
		t.Notes = append(t.Notes, fmt.Sprintf("%d classes of %d are shown; --json has all.", mostClasses, len(a.Classes)))
	}
	n := make(map[[2]string]int)
	for _, c := range a.Confusion {
		n[[2]string{c.Reference, c.Rater}] = c.N
	}
	for _, c := range shown {
		t.Columns = append(t.Columns, table.Column{Name: c.Class, Kind: table.KindCount})
	}
	t.Columns = append(t.Columns, table.Column{Name: "recall", Kind: table.KindRate}, table.Column{Name: "precision", Kind: table.KindRate})
	for _, down := range shown {
		line := []table.Cell{table.Text(down.Class)}
		for _, across := range shown {
			line = append(line, table.Count(n[[2]string{down.Class, across.Class}]))
		}
		t.Rows = append(t.Rows, append(line, table.Rate(down.Recall), table.Rate(down.Precision)))
	}
	return t
}
