package alignment

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
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

// ExtraCells has the baseline with its interval.
func (r *AgreeRow) ExtraCells() report.Cells {
	return report.Cells{"majority_baseline": table.NewRate(r.baseline)}
}

func (r *ReferenceRow) displayName() string {
	if r.Policy == "" {
		return r.Raters[0]
	}
	return r.Policy + " of " + joinFirstNames(r.Raters)
}

func (r *AgreeRow) makeTables() []table.Table {
	title := fmt.Sprintf("%s · %s items, %s raters, %s ratings, %s", r.File, table.FormatGrouped(r.Items), table.FormatGrouped(r.Raters), table.FormatGrouped(r.Ratings), r.Level)
	out := []table.Table{makeFigureTable("agreement", title, "ratings", r.Level, r), report.MakePartTable(agreePairs, "pairs", "", r.Pairs, nil).WithoutEmpty(table.ParseColumns("linear:coefficient quadratic:coefficient"))}
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
	out = append(out, r.makeReferenceTable())
	if len(r.McNemar) > 0 {
		out = append(out, r.makeMcNemarTable())
	}
	for i := range r.Against {
		out = append(out, r.Against[i].makeConfusionTable())
	}
	return out
}

var (
	agreePairs   = report.NewLayout("a b agreement cohen_kappa linear quadratic", AgreePair{})
	againstTable = report.NewLayout("rater agreement cohen_kappa gwet_ac1 majority_baseline not_rated no_reference", AgainstRow{})
)

func (r *AgreeRow) makeReferenceTable() table.Table {
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
			cell := eval.Either(s.Undefined != "", table.NewText("- ("+s.Undefined+")"), table.NewText(fmt.Sprintf("%.4g", p)))
			line = append(line, cell)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// mostClasses is the most classes that a confusion matrix shows.
const mostClasses = 12

// makeConfusionTable makes the reference's classes by the rater's, with precision and recall of each.
func (a *AgainstRow) makeConfusionTable() table.Table {
	t := table.Table{Name: "confusion", Title: a.Rater + ": its classes across, the reference's down", Columns: table.ParseColumns("reference")}
	shown := a.Classes
	if len(shown) > mostClasses {
		shown = shown[:mostClasses]
		t.Notes = append(t.Notes, fmt.Sprintf("%d classes of %d are shown; --json has all.", mostClasses, len(a.Classes)))
	}
	n := eval.IndexBy(a.Confusion, func(c agree.Confusion) ([2]string, int) { return [2]string{c.Reference, c.Rater}, c.N })
	classes := eval.Map(shown, func(c agree.ClassRates) string { return c.Class })
	t.Columns = slices.Concat(t.Columns, table.NewColumnsOfKind(table.KindCount, classes), table.ParseColumns("recall:rate precision:rate"))
	for _, down := range shown {
		line := []table.Cell{table.NewText(down.Class)}
		line = append(line, eval.Map(shown, func(across agree.ClassRates) table.Cell {
			return table.NewCount(n[[2]string{down.Class, across.Class}])
		})...)
		t.Rows = append(t.Rows, append(line, table.NewRate(down.Recall), table.NewRate(down.Precision)))
	}
	return t
}

// Gate is a floor that a figure has to reach: with the lower end of its interval, since a
// figure that is on the floor lies below it half of the time, or with its value alone. A figure
// that is undefined does not reach it, and one without an interval has no lower end.
type Gate struct {
	Figure     string
	Min, Value float64
	Low        *float64 // nil: the figure has no interval
	ByValue    bool     // the value has to reach the threshold, and no bound
	Max        *float64 // a ceiling in place of the threshold; nil: Min
	High       *float64 // what has to be below the ceiling
	How        string   // High came about
	Undefined  string   // the reason; "" when there is a value
}

// IsMet reports whether the figure reaches the floor.
func (g Gate) IsMet() bool {
	switch {
	case g.Undefined != "":
		return false
	case g.Max != nil:
		return g.ByValue && g.Value < *g.Max || !g.ByValue && g.High != nil && *g.High < *g.Max
	case g.ByValue:
		return g.Value >= g.Min
	}
	return g.Low != nil && *g.Low >= g.Min
}

// String says what was asked and what there is.
func (g Gate) String() string {
	switch {
	case g.Max != nil:
		return g.describeCeiling()
	case g.Undefined != "":
		return fmt.Sprintf("%s is undefined (%s), at least %v is asked for", g.Figure, g.Undefined, g.Min)
	case g.ByValue && g.IsMet():
		return fmt.Sprintf("%s is %.4f, at least %v", g.Figure, g.Value, g.Min)
	case g.ByValue:
		return fmt.Sprintf("%s is %.4f, below %v", g.Figure, g.Value, g.Min)
	case g.Low == nil:
		return fmt.Sprintf("%s is %.4f and has no interval; its lower bound has to reach %v", g.Figure, g.Value, g.Min)
	case g.IsMet():
		return fmt.Sprintf("%s is %.4f, and its lower bound %.4f at least %v", g.Figure, g.Value, *g.Low, g.Min)
	}
	return fmt.Sprintf("%s is %.4f, but its lower bound %.4f is below %v", g.Figure, g.Value, *g.Low, g.Min)
}

// describeCeiling says what was asked of a drop, in points, and what there is.
func (g Gate) describeCeiling() string {
	less := fmt.Sprintf("less than %.4g points", 100**g.Max)
	switch {
	case g.Undefined != "":
		return fmt.Sprintf("%s is undefined (%s), %s is asked for", g.Figure, g.Undefined, less)
	case g.ByValue:
		return fmt.Sprintf("%s is %.1f points (%s), %s is asked for", g.Figure, 100*g.Value, g.How, less)
	}
	return fmt.Sprintf("%s is %.1f points with the upper bound %.1f (%s), %s is asked for", g.Figure, 100*g.Value, 100**g.High, g.How, less)
}

// MarshalJSON writes a missing value as null, with the reason.
func (g Gate) MarshalJSON() ([]byte, error) {
	out := struct {
		Figure    string   `json:"figure"`
		Min       *float64 `json:"min,omitempty"`
		Max       *float64 `json:"max,omitempty"`
		Value     *float64 `json:"value"`
		Low       *float64 `json:"low"`
		High      *float64 `json:"high,omitempty"`
		How       string   `json:"how,omitempty"`
		By        string   `json:"by"`
		Met       bool     `json:"met"`
		Undefined string   `json:"undefined,omitempty"`
	}{Figure: g.Figure, Max: g.Max, Low: g.Low, High: g.High, How: g.How, By: "bound", Met: g.IsMet(), Undefined: g.Undefined}
	if g.Max == nil {
		out.Min = &g.Min
	}
	if g.ByValue {
		out.By = "value"
	}
	if g.Undefined == "" {
		out.Value = &g.Value
	}
	return json.Marshal(out)
}

// Thresholds are the least figures that AgreeOptions ask of a table; nil asks none. With a
// reference every rater beside it has to reach them. Without one, they are asked of the
// agreement of all pairs of ratings, and of Cohen's kappa of two raters or Fleiss' of more.
type Thresholds struct {
	Agreement, Kappa *float64
	ByValue          bool // the figures have to reach them, and not their lower bounds
}

func (r *AgreeRow) addThresholdGates(f Thresholds) {
	ask := func(g Gate, min *float64) {
		if min != nil {
			g.Min, g.ByValue = *min, f.ByValue
			r.Gates = append(r.Gates, g)
		}
	}
	rate := func(name string, x *stat.Rate) { ask(NewGate(name, x), f.Agreement) }
	kappa := func(name string, c agree.Coefficient) {
		g := Gate{Figure: name, Value: c.Value, Undefined: c.Undefined}
		if c.Interval {
			g.Low = &c.Low
		}
		ask(g, f.Kappa)
	}
	if r.Reference != nil {
		for i := range r.Against {
			a := &r.Against[i]
			rate("agreement of "+a.Rater+" with the reference", &a.Agreement)
			kappa("Cohen's kappa of "+a.Rater+" and the reference", a.Kappa)
		}
		if len(r.Against) == 0 {
			ask(Gate{Figure: "agreement with the reference", Undefined: "no rater beside it"}, f.Agreement)
			ask(Gate{Figure: "Cohen's kappa with the reference", Undefined: "no rater beside it"}, f.Kappa)
		}
		return
	}
	rate("percent agreement", &r.Percent)
	if r.Raters == 2 && len(r.Pairs) == 1 {
		kappa("Cohen's kappa", r.Pairs[0].Kappa)
	} else {
		kappa("Fleiss' kappa", r.Fleiss)
	}
}

// NewGate gives a gate for a rate, whose floor the caller sets.
func NewGate(name string, r *stat.Rate) Gate {
	g := Gate{Figure: name, Value: r.Value, Undefined: r.Undefined}
	if r.N > 0 {
		g.Low = &r.Low
	} else if g.Undefined == "" {
		g.Undefined = "nothing to count"
	}
	return g
}

// FindUnmetGates finds the gates of the report that are not met.
func FindUnmetGates(r *report.Report) []Gate {
	return eval.FlatMap(report.SelectRows[*AgreeRow](r.Rows), func(a *AgreeRow) []Gate { return slices.DeleteFunc(slices.Clone(a.Gates), Gate.IsMet) })
}

type figureLines struct {
	layout *report.Layout
	start  report.Cells
	out    [][]table.Cell
}

// addPart adds the figures of a part of the row, which is about two.
func (f *figureLines) addPart(of any, a, b string) {
	for name, cells := range report.EachMeasure(of) {
		f.addLine(name, a, b, cells...)
	}
}

func (f *figureLines) addLine(figure, a, b string, figures ...table.Cell) {
	cells := report.Cells{"figure": table.NewText(figure), "a": table.NewText(a), "b": table.NewText(b)}
	for _, c := range figures {
		cells[map[table.ColumnKind]string{
			table.KindRate: "rate", table.KindCoefficient: "coefficient", table.KindScore: "coefficient", table.KindCount: "count", table.KindNumber: "seconds", table.KindText: "text",
		}[c.Kind()]] = c
	}
	f.out = append(f.out, f.layout.MakeTableLine(report.Opener{}, cells, f.start))
}

func (f *figureLines) addLeftOut(figure, a, b string, reasons map[string]int) {
	for _, why := range slices.Sorted(maps.Keys(reasons)) {
		f.addLine(figure, a, b, table.NewCount(reasons[why]), table.NewText(why))
	}
}

// makeFigureTable makes the agreement of all together, a figure a line: of what all of them
// is over, on a level.
func makeFigureTable(name, title, things, level string, all any) table.Table {
	titles := map[string]string{
		"fleiss_kappa": "Fleiss' kappa", "krippendorff_alpha": "Krippendorff's alpha, " + level, "gwet_ac1": "Gwet's AC1", "one_against_rest": "one rater against the rest",
		"weighted_fleiss_kappa": "Fleiss' kappa, weighted", "gwet_ac2": "Gwet's AC2",
	}
	t := table.Table{Name: name, Title: title, Columns: table.ParseColumns("figure value n")}
	for name, cells := range report.EachMeasure(all) {
		n, c := map[string]string{"percent_agreement": "pairs of " + things, "majority_baseline": things}[name], cells[0]
		if c.Kind() == table.KindCoefficient {
			n = table.FormatGrouped(c.CountUnits()) + " items"
		}
		if n != "" {
			t.Rows = append(t.Rows, []table.Cell{table.NewText(cmp.Or(titles[name], strings.ReplaceAll(name, "_", " "))), table.NewText(c.String()), table.NewText(n)})
		}
	}
	return t
}

// formatLeftOut gives the counts of what is left out, by reason.
func formatLeftOut(of map[string]int) string {
	return eval.JoinList(slices.Sorted(maps.Keys(of)), func(why string) string { return why + " " + table.FormatGrouped(of[why]) })
}

// compareClasses puts options before words.
func compareClasses(a, b string) int {
	if (len(a) == 1) != (len(b) == 1) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}
