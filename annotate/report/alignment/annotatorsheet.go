package alignment

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// Columns are those of the figures one below the other, for machines: what it
// is, of whom, and the figure as what it is.
func (r *AnnotatorsRow) Columns() []table.Column {
	return table.List("dataset queue policy undecided figure a b rate:rate coefficient:coefficient count:count seconds:number text")
}

// Lines lays the row out as lines of its table.
func (r *AnnotatorsRow) Lines() [][]table.Cell {
	f := figureLines{columns: r.Columns(), start: report.Cells{
		"dataset": table.Text(string(r.Dataset)), "queue": table.Text(string(r.Queue)), "policy": table.Text(r.Policy), "undecided": table.Text(r.Undecided),
	}}
	t := &r.Together
	f.add("items", "", "", table.Count(r.Items))
	for name, cells := range report.Measures(t) {
		if name == "krippendorff_alpha" {
			cells = append(cells, table.Text(t.Level))
		}
		f.add(name, "", "", cells...)
	}
	f.left("excluded", "", "", t.LeftOut)
	for i := range r.Pairs {
		p := &r.Pairs[i]
		a, b := string(p.A), string(p.B)
		f.part(p, a, b)
		f.left("pair_excluded", a, b, p.LeftOut)
	}
	for i := range r.People {
		r.People[i].lines(&f)
	}
	for _, p := range r.Outliers {
		f.add(p.Kind.String(), string(p.Annotator), "", table.Count(p.N), table.Text(p.Text))
	}
	for i := range r.Slowest {
		f.add("slowest", string(r.Slowest[i].Sample), r.Slowest[i].which(), table.Number(r.Slowest[i].Median), table.Count(r.Slowest[i].Timed))
	}
	for i := range r.Contested {
		c := &r.Contested[i]
		f.add("contested", string(c.Sample), c.which(), table.Computed(c.Agreement), table.Number(c.Median), table.Text(c.said()))
	}
	return f.out
}

func (l *AnnotatorLine) lines(f *figureLines) {
	who := string(l.Annotator)
	f.part(l, who, "")
	f.left("with_others_excluded", who, "", l.LeftOut)
	p := &l.Time
	f.add("time_median", who, "", table.Number(p.Median), table.Count(p.Items))
	f.add("time_q1", who, "", table.Number(p.Lower), table.Count(p.Items))
	f.add("time_q3", who, "", table.Number(p.Upper), table.Count(p.Items))
	f.add("time_total", who, "", table.Number(&p.Total), table.Count(p.Items))
	if s := p.Same; s != nil {
		f.add("time_same_items", who, "", table.Number(&s.Median), table.Count(s.Items))
		f.add("time_same_items_others", who, "", table.Number(&s.Others), table.Count(s.Items))
	}
	f.left("time_excluded", who, "", p.LeftOut)
}

// which tells items of one sample apart.
func (l *ItemLine) which() string {
	k := l.Key
	if k.Run == 0 {
		return ""
	}
	return k.String()
}

func (l *ItemLine) said() string {
	parts := make([]string, len(l.Said))
	for i, c := range l.Said {
		parts[i] = fmt.Sprintf("%s %d", c.Name, c.N)
	}
	return strings.Join(parts, ", ")
}

func (r *AnnotatorsRow) title() string {
	return report.Titled(fmt.Sprintf("%s, queue %s, others' word by %s", r.Dataset, r.Queue, annotate.PolicyInWords(r.Policy, r.Undecided)), r.Synthetic)
}

// annotatorSheets are the tables that people read.
func annotatorSheets(r *report.Report) []table.Table {
	var out []table.Table
	for _, row := range report.RowsOf[*AnnotatorsRow](r.Rows) {
		out = append(out, row.sheets()...)
	}
	return out
}

// sheets are the tables that people read.
func (r *AnnotatorsRow) sheets() []table.Table {
	out := []table.Table{r.pointerSheet(), r.togetherSheet(), r.matrix(), r.pairSheet(), r.peopleSheet(), r.timeSheet()}
	if len(r.Slowest) > 0 {
		out = append(out, r.itemSheet("slowest items", r.Slowest))
	}
	if len(r.Contested) > 0 {
		t := r.itemSheet("most contested items", r.Contested)
		t.Notes = append(t.Notes, fmt.Sprintf("Disagreements: %s of %s items.", table.Grouped(r.InDispute), table.Grouped(r.Items)))
		out = append(out, t)
	}
	return slices.DeleteFunc(out, func(t table.Table) bool { return len(t.Rows) == 0 })
}

// with is somebody's agreement with another person, or without one with the
// others' word, and the items behind it.
func (r *AnnotatorsRow) with(who, other annotate.Annotator, rate stat.Rate, left map[string]int) table.Cell {
	by := report.Opener{Row: r, People: true, Pairs: r.Votes, Whole: true, Names: func(s *report.Selection) string {
		return map[report.Which]string{report.Disagree: "differ", Excluded: "left out"}[s.Which]
	}}.With(Part{Person: who, Other: other})
	c := table.Rate(rate)
	switch {
	case rate.N == 0 && len(left) > 0:
		return report.Like(c, report.Over(table.Count(len(left)), by, Excluded))
	case len(left) > 0:
		return report.And(report.Over(c, by, report.Agree, report.Disagree), by, Excluded)
	}
	return report.Over(c, by, report.Agree, report.Disagree)
}

// withOthers is a person's agreement with the others' word.
func (r *AnnotatorsRow) withOthers(l *AnnotatorLine) table.Cell {
	return r.with(l.Annotator, "", l.Others, l.LeftOut)
}

// pointerSheet is what is worth talking over with somebody.
func (r *AnnotatorsRow) pointerSheet() table.Table {
	t := table.Table{Name: "to talk over", Title: r.title(), Columns: table.List("person what items:count")}
	for _, p := range r.Outliers {
		n := table.Count(p.N)
		for i := range r.People {
			if l := &r.People[i]; l.Annotator == p.Annotator {
				n = report.Like(n, r.withOthers(l))
			}
		}
		t.Rows = append(t.Rows, []table.Cell{table.Text(string(p.Annotator)), table.Text(p.Kind.String()), n})
		t.Notes = append(t.Notes, p.Text)
	}
	return t
}

func (r *AnnotatorsRow) togetherSheet() table.Table {
	s := &r.Together
	t := figureSheet("all together", r.title(), "labels", s.Level, s)
	t.Rows = append(t.Rows, []table.Cell{table.Text("left out"), table.Text(reasons(s.LeftOut)), table.Text("labels")})
	return t
}

// matrix is every person beside every other one (MLLM-Bench, Table 15, for
// labels).
func (r *AnnotatorsRow) matrix() table.Table {
	var people []string
	for i := range r.People {
		if r.People[i].Labelled > 0 {
			people = append(people, string(r.People[i].Annotator))
		}
	}
	if len(people) < 2 || len(r.Pairs) == 0 {
		return table.Table{}
	}
	t := table.Matrix("people among themselves", r.title(), "person", people, func(i, j int) table.Cell {
		return r.cell(annotate.Annotator(people[i]), annotate.Annotator(people[j]), i < j)
	})
	t.Notes = []string{"Above the diagonal the share of items on which both say the same; below it Cohen's kappa."}
	return t
}

func (r *AnnotatorsRow) cell(a, b annotate.Annotator, above bool) table.Cell {
	i := slices.IndexFunc(r.Pairs, func(p AnnotatorPair) bool { return p.A == a && p.B == b || p.A == b && p.B == a })
	if i < 0 {
		return table.Text("·")
	}
	p := &r.Pairs[i]
	text := table.Decimal(p.Kappa.Value)
	switch {
	case p.Agreement.N == 0:
		text = "- (n 0)"
	case above:
		text = fmt.Sprintf("%s%% (n %s)", table.Percent(p.Agreement.Value), table.Grouped(p.Agreement.N))
	case p.Kappa.Undefined != "":
		text = "-"
	}
	return report.Like(table.Text(text), r.with(a, b, p.Agreement, p.LeftOut))
}

var (
	twoLayout = report.Lay("a b agreement cohen_kappa gwet_ac1 left+out", AnnotatorPair{})
	oneLayout = report.Lay("person labelled skipped flagged after_the_reveal imported rulings:count with_others cohen_kappa gwet_ac1 others_among_themselves left+out known_answers error_rate", AnnotatorLine{})
)

func (r *AnnotatorsRow) pairSheet() table.Table {
	t := twoLayout.Table("every two people", r.title())
	for i := range r.Pairs {
		p := &r.Pairs[i]
		rate := r.with(p.A, p.B, p.Agreement, p.LeftOut)
		t.Rows = append(t.Rows, twoLayout.Line(report.Opener{}, report.Cells{"agreement": rate, "left out": report.Like(table.Text(reasons(p.LeftOut)), rate)}, p))
	}
	if r.Unlisted > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s more pairs of people, with the fewest items in common, are not listed.", table.Grouped(r.Unlisted)))
	}
	return t
}

func (r *AnnotatorsRow) peopleSheet() table.Table {
	t := oneLayout.Table("each beside the others", r.title())
	if slices.ContainsFunc(r.People, func(l AnnotatorLine) bool { return l.Known != nil }) {
		t.Notes = append(t.Notes, "Known answers: how many of the items with a known answer a person labelled as is known, by the first label of each. The error rate is what that tells of the person's other labels, by Jeffreys' prior: none wrong of ten may still be one in five.")
	}
	for i := range r.People {
		l := &r.People[i]
		rate := r.withOthers(l)
		t.Rows = append(t.Rows, oneLayout.Line(report.Opener{}, report.Cells{"with_others": rate, "left out": report.Like(table.Text(reasons(l.LeftOut)), rate)}, l))
	}
	if t.Notes == nil {
		t = t.Without(t.Columns[len(t.Columns)-2:])
	}
	return t
}

func (r *AnnotatorsRow) timeSheet() table.Table {
	t := table.Table{Name: "time per item", Title: r.title(), Columns: table.List("person n:count median+[quartiles] total items+an+hour same left+out")}
	t.Columns[len(t.Columns)-2].Name = "same items: own, others"
	for i := range r.People {
		l := &r.People[i]
		t.Rows = append(t.Rows, append([]table.Cell{table.Text(string(l.Annotator)), report.Like(table.Count(l.Time.Items), r.withOthers(l))}, l.Time.cells()...))
	}
	return t
}

func (p *Speed) cells() []table.Cell {
	if p.Median == nil {
		return []table.Cell{table.Text("- (no time known)"), table.Blank(), table.Blank(), table.Blank(), table.Text(reasons(p.LeftOut))}
	}
	same := "- (nobody else's time is known)"
	if s := p.Same; s != nil {
		same = fmt.Sprintf("%s s, %s s  n %s", tenths(s.Median), tenths(s.Others), table.Grouped(s.Items))
	}
	total := time.Duration(p.Total * float64(time.Second)).Round(time.Second)
	return []table.Cell{
		table.Text(fmt.Sprintf("%s s [%s, %s]", tenths(*p.Median), tenths(*p.Lower), tenths(*p.Upper))),
		table.Text(total.String()), table.Text(fmt.Sprintf("%.0f", *p.PerHour)), table.Text(same), table.Text(reasons(p.LeftOut)),
	}
}

func (r *AnnotatorsRow) itemSheet(name string, items []ItemLine) table.Table {
	t := table.Table{Name: name, Title: r.title(), Columns: table.List("sample item said agreement+of+pairs:rate median timed:count")}
	for i := range items {
		l := &items[i]
		took := "-"
		if l.Median != nil {
			took = tenths(*l.Median) + " s"
		}
		t.Rows = append(t.Rows, []table.Cell{table.Text(string(l.Sample)), table.Text(l.which()), table.Text(l.said()), table.Computed(l.Agreement), table.Text(took), table.Count(l.Timed)})
	}
	return t
}
