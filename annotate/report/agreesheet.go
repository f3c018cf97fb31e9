package report

import (
	"fmt"
	"slices"

	"concord/annotate/agree"
)

// columns are those of the figures one below the other, for machines: what it
// is, of whom, and the figure as what it is.
func (r *AgreeRow) columns() []Column {
	return columns([]Column{
		{Name: "file"},
		{Name: "level"},
		{Name: "figure"},
		{Name: "a"},
		{Name: "b"},
		{Name: "rate", Kind: KindRate},
		{Name: "coefficient", Kind: KindCoefficient},
	}, countColumns("count"))
}

func (r *AgreeRow) lines() [][]Cell {
	var out [][]Cell
	line := func(figure, a, b string, rate, coefficient, count Cell) {
		out = append(out, []Cell{text(r.File), text(r.Level), text(figure), text(a), text(b), rate, coefficient, count})
	}
	no := blank()
	for _, c := range r.counts() {
		line(c.name, "", "", no, no, integer(c.of))
	}
	line("percent_agreement", "", "", rate(r.Percent), no, no)
	line("majority_baseline", "", "", rate(r.baseline), no, no)
	for _, c := range r.coefficients() {
		line(c.name, "", "", no, coefficient(c.of), no)
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		line("pair", p.A, p.B, rate(p.Agreement), coefficient(p.Kappa), no)
		if p.Linear != nil {
			line("linear_kappa", p.A, p.B, no, coefficient(*p.Linear), no)
			line("quadratic_kappa", p.A, p.B, no, coefficient(*p.Quadratic), no)
		}
	}
	for i := range r.Against {
		a := &r.Against[i]
		line("against", a.Rater, r.Reference.name(), rate(a.Agreement), coefficient(a.Kappa), no)
		line("against_gwet_ac1", a.Rater, r.Reference.name(), no, coefficient(a.AC1), no)
		line("against_baseline", a.Rater, r.Reference.name(), rate(a.Baseline), no, no)
		for _, c := range a.Confusion {
			line("confusion "+a.Rater, c.Reference, c.Rater, no, no, integer(c.N))
		}
	}
	return out
}

type named[T any] struct {
	name string
	of   T
}

func (r *AgreeRow) counts() []named[int] {
	return []named[int]{
		{"items", r.Items},
		{"items_paired", r.Paired},
		{"raters", r.Raters},
		{"ratings", r.Ratings},
		{"missing", r.Missing},
		{"skipped", r.Skipped},
		{"others", r.Others},
	}
}

func (r *AgreeRow) coefficients() []named[agree.Coefficient] {
	return []named[agree.Coefficient]{
		{"observed_agreement", r.Observed},
		{"fleiss_kappa", r.Fleiss},
		{"krippendorff_alpha", r.Alpha},
		{"gwet_ac1", r.AC1},
		{"one_against_rest", r.OneRest},
	}
}

// name is the reference as figures name it.
func (r *ReferenceRow) name() string {
	if r.Policy == "" {
		return r.Raters[0]
	}
	return r.Policy + " of " + some(r.Raters)
}

// sheets are the tables that people read.
func (r *AgreeRow) sheets() []Table {
	out := []Table{r.whole(), r.pairSheet()}
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

func (r *AgreeRow) whole() Table {
	t := Table{
		Name: "agreement", Title: fmt.Sprintf("%s · %s items, %s raters, %s ratings, %s", r.File, grouped(r.Items), grouped(r.Raters), grouped(r.Ratings), r.Level),
		Columns: []Column{{Name: "figure"}, {Name: "value"}, {Name: "n"}},
	}
	add := func(name, value, n string) { t.Rows = append(t.Rows, []Cell{text(name), text(value), text(n)}) }
	add("percent agreement", formatRate(r.Percent), "pairs of ratings")
	add("majority baseline", formatRate(r.baseline), "ratings")
	for _, c := range []named[agree.Coefficient]{
		{"observed agreement", r.Observed},
		{"Fleiss' kappa", r.Fleiss},
		{"Krippendorff's alpha, " + r.Level, r.Alpha},
		{"Gwet's AC1", r.AC1},
		{"one rater against the rest", r.OneRest},
	} {
		add(c.name, formatCoefficient(c.of), grouped(c.of.N)+" items")
	}
	return t
}

func (r *AgreeRow) pairSheet() Table {
	t := Table{Name: "pairs", Columns: []Column{
		{Name: "a"}, {Name: "b"}, {Name: "agreement", Kind: KindRate}, {Name: "cohen_kappa", Kind: KindCoefficient},
	}}
	weighted := slices.ContainsFunc(r.Pairs, func(p AgreePair) bool { return p.Linear != nil })
	if weighted {
		t.Columns = append(t.Columns, Column{Name: "linear", Kind: KindCoefficient}, Column{Name: "quadratic", Kind: KindCoefficient})
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		line := []Cell{text(p.A), text(p.B), rate(p.Agreement), coefficient(p.Kappa)}
		if weighted {
			line = append(line, coefficient(*p.Linear), coefficient(*p.Quadratic))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

func (r *AgreeRow) againstSheet() Table {
	ref := r.Reference
	title := "against " + ref.name() + fmt.Sprintf(" · %s items", grouped(ref.Items))
	if ref.Policy != "" {
		title += fmt.Sprintf(", %s without agreement: %s", grouped(ref.Open), ref.Undecided)
	}
	t := Table{Name: "reference", Title: title, Columns: columns([]Column{
		{Name: "rater"},
		{Name: "agreement", Kind: KindRate},
		{Name: "cohen_kappa", Kind: KindCoefficient},
		{Name: "gwet_ac1", Kind: KindCoefficient},
		{Name: "majority_baseline", Kind: KindRate},
	}, countColumns("not_rated", "no_reference"))}
	for i := range r.Against {
		a := &r.Against[i]
		t.Rows = append(t.Rows, []Cell{
			text(a.Rater), rate(a.Agreement), coefficient(a.Kappa), coefficient(a.AC1), rate(a.Baseline),
			integer(a.NotRated), integer(a.NoReference),
		})
	}
	return t
}

func (r *AgreeRow) mcnemarSheet() Table {
	t := Table{
		Name: "mcnemar", Title: "items on which one of two raters alone is with the reference",
		Columns: columns([]Column{{Name: "a"}, {Name: "b"}}, countColumns("only_a", "only_b"),
			[]Column{{Name: "exact_p"}, {Name: "mid_p"}, {Name: "corrected_p"}, {Name: "uncorrected_p"}}),
	}
	for i := range r.McNemar {
		m := &r.McNemar[i]
		s := &m.Test
		line := []Cell{text(m.A), text(m.B), integer(s.First), integer(s.Second)}
		for _, p := range []float64{s.Exact, s.MidP, s.PCorrected, s.P} {
			cell := text(fmt.Sprintf("%.4g", p))
			if s.Undefined != "" {
				cell = text("- (" + s.Undefined + ")")
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
func (a *AgainstRow) confusionSheet() Table {
	t := Table{Name: "confusion", Title: a.Rater + ": its classes across, the reference's down", Columns: []Column{{Name: "reference"}}}
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
		t.Columns = append(t.Columns, Column{Name: c.Class, Kind: KindCount})
	}
	t.Columns = append(t.Columns, Column{Name: "recall", Kind: KindRate}, Column{Name: "precision", Kind: KindRate})
	for _, down := range shown {
		line := []Cell{text(down.Class)}
		for _, across := range shown {
			line = append(line, integer(n[[2]string{down.Class, across.Class}]))
		}
		t.Rows = append(t.Rows, append(line, rate(down.Recall), rate(down.Precision)))
	}
	return t
}
