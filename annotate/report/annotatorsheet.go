package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/agree"
)

// columns are those of the figures one below the other, for machines: what it
// is, of whom, and the figure as what it is.
func (r *AnnotatorsRow) columns() []Column {
	return columns([]Column{
		{Name: "dataset"},
		{Name: "queue"},
		{Name: "policy"},
		{Name: "undecided"},
		{Name: "figure"},
		{Name: "a"},
		{Name: "b"},
		{Name: "rate", Kind: KindRate},
		{Name: "coefficient", Kind: KindCoefficient},
		{Name: "count", Kind: KindCount},
		{Name: "seconds", Kind: KindNumber},
		{Name: "text"},
	})
}

// figureLines gathers the lines of a row.
type figureLines struct {
	start []Cell
	out   [][]Cell
}

// add places the figures by what they are.
func (f *figureLines) add(figure, a, b string, figures ...Cell) {
	line := append(clip(f.start), text(figure), text(a), text(b), blank(), blank(), blank(), blank(), blank())
	rest := line[len(f.start)+3:]
	for _, c := range figures {
		switch c.kind {
		case cellRate:
			rest[0] = c
		case cellCoefficient:
			rest[1] = c
		case cellCount:
			rest[2] = c
		case cellNumber:
			rest[3] = c
		default:
			rest[4] = c
		}
	}
	f.out = append(f.out, line)
}

func (f *figureLines) left(figure, a, b string, reasons map[string]int) {
	for _, why := range slices.Sorted(maps.Keys(reasons)) {
		f.add(figure, a, b, integer(reasons[why]), text(why))
	}
}

func (r *AnnotatorsRow) lines() [][]Cell {
	f := figureLines{start: []Cell{text(string(r.Dataset)), text(string(r.Queue)), text(r.Policy), text(r.Undecided)}}
	t := &r.Together
	f.add("items", "", "", integer(r.Items))
	f.add("percent_agreement", "", "", rate(t.Percent))
	f.add("majority_baseline", "", "", rate(t.Baseline))
	f.add("fleiss_kappa", "", "", coefficient(t.Fleiss))
	f.add("krippendorff_alpha", "", "", coefficient(t.Alpha), text(t.Level))
	f.add("gwet_ac1", "", "", coefficient(t.AC1))
	f.left("excluded", "", "", t.LeftOut)
	for i := range r.Pairs {
		p := &r.Pairs[i]
		a, b := string(p.A), string(p.B)
		f.add("pair", a, b, rate(p.Agreement), coefficient(p.Kappa))
		f.add("pair_gwet_ac1", a, b, coefficient(p.AC1))
		f.left("pair_excluded", a, b, p.LeftOut)
	}
	for i := range r.People {
		r.People[i].lines(&f)
	}
	for _, p := range r.Pointers {
		f.add(p.Kind.String(), string(p.Annotator), "", integer(p.N), text(p.Text))
	}
	for i := range r.Slowest {
		f.add("slowest", string(r.Slowest[i].Sample), r.Slowest[i].which(), number(r.Slowest[i].Median), integer(r.Slowest[i].Timed))
	}
	for i := range r.Contested {
		c := &r.Contested[i]
		f.add("contested", string(c.Sample), c.which(), rate(c.Agreement), number(c.Median), text(c.said()))
	}
	return f.out
}

func (l *AnnotatorLine) lines(f *figureLines) {
	who := string(l.Annotator)
	for _, c := range []named[int]{
		{"labelled", l.Labelled},
		{"skipped", l.Skipped},
		{"flagged", l.Flagged},
		{"after_the_reveal", l.Informed},
		{"imported", l.Imported},
		{"rulings", l.Rulings},
	} {
		f.add(c.name, who, "", integer(c.of))
	}
	f.add("with_others", who, "", rate(l.Others), coefficient(l.Kappa))
	f.add("with_others_gwet_ac1", who, "", coefficient(l.AC1))
	f.add("others_among_themselves", who, "", rate(l.Without))
	if l.Known != nil {
		f.add("known_answers", who, "", rate(*l.Known))
	}
	f.left("with_others_excluded", who, "", l.LeftOut)
	p := &l.Time
	f.add("time_median", who, "", number(p.Median), integer(p.Items))
	f.add("time_q1", who, "", number(p.Lower), integer(p.Items))
	f.add("time_q3", who, "", number(p.Upper), integer(p.Items))
	f.add("time_total", who, "", number(&p.Total), integer(p.Items))
	if s := p.Same; s != nil {
		f.add("time_same_items", who, "", number(&s.Median), integer(s.Items))
		f.add("time_same_items_others", who, "", number(&s.Others), integer(s.Items))
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
	t := fmt.Sprintf("%s, queue %s, others' word by %s, undecided %s", r.Dataset, r.Queue, r.Policy, r.Undecided)
	if r.Synthetic {
		t += " (synthetic)"
	}
	return t
}

// sheets are the tables that people read.
func (r *AnnotatorsRow) sheets() []Table {
	out := []Table{r.togetherSheet(), r.matrix(), r.pairSheet(), r.peopleSheet(), r.timeSheet()}
	if len(r.Slowest) > 0 {
		out = append(out, r.itemSheet("slowest items", r.Slowest))
	}
	if len(r.Contested) > 0 {
		t := r.itemSheet("most contested items", r.Contested)
		t.Notes = append(t.Notes, fmt.Sprintf("People differ on %s of %s items.", grouped(r.InDispute), grouped(r.Items)))
		out = append(out, t)
	}
	return slices.DeleteFunc(out, func(t Table) bool { return len(t.Rows) == 0 })
}

func (r *AnnotatorsRow) togetherSheet() Table {
	t := Table{
		Name: "all together", Title: r.title(),
		Columns: []Column{{Name: "figure"}, {Name: "value"}, {Name: "n"}},
	}
	s := &r.Together
	add := func(name, value, n string) { t.Rows = append(t.Rows, []Cell{text(name), text(value), text(n)}) }
	add("percent agreement", formatRate(s.Percent), "pairs of labels")
	add("majority baseline", formatRate(s.Baseline), "labels")
	for _, c := range []named[agree.Coefficient]{
		{"Fleiss' kappa", s.Fleiss},
		{"Krippendorff's alpha, " + s.Level, s.Alpha},
		{"Gwet's AC1", s.AC1},
	} {
		add(c.name, formatCoefficient(c.of), grouped(c.of.N)+" items")
	}
	add("left out", reasons(s.LeftOut), "labels")
	return t
}

// matrix is every person beside every other one (MLLM-Bench, Table 15, for
// labels).
func (r *AnnotatorsRow) matrix() Table {
	t := Table{
		Name: "people among themselves", Title: r.title(), Columns: []Column{{Name: "person"}},
		Notes: []string{"Above the diagonal the share of items on which both say the same; below it Cohen's kappa."},
	}
	var people []annotate.Annotator
	for i := range r.People {
		if r.People[i].Labelled > 0 {
			people = append(people, r.People[i].Annotator)
			t.Columns = append(t.Columns, Column{Name: string(r.People[i].Annotator), Kind: KindNumber})
		}
	}
	if len(people) < 2 || len(r.Pairs) == 0 {
		return Table{}
	}
	for i, a := range people {
		line := []Cell{text(string(a))}
		for j, b := range people {
			line = append(line, r.cell(a, b, i < j))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

func (r *AnnotatorsRow) cell(a, b annotate.Annotator, above bool) Cell {
	i := slices.IndexFunc(r.Pairs, func(p AnnotatorPair) bool { return p.A == a && p.B == b || p.A == b && p.B == a })
	if i < 0 {
		return text("·")
	}
	p := &r.Pairs[i]
	switch {
	case p.Agreement.N == 0:
		return text("- (n 0)")
	case above:
		return text(fmt.Sprintf("%s%% (n %s)", percent(p.Agreement.Value), grouped(p.Agreement.N)))
	case p.Kappa.Undefined != "":
		return text("-")
	}
	return text(decimal(p.Kappa.Value))
}

func (r *AnnotatorsRow) pairSheet() Table {
	t := Table{Name: "every two people", Title: r.title(), Columns: []Column{
		{Name: "a"},
		{Name: "b"},
		{Name: "agreement", Kind: KindRate},
		{Name: "cohen_kappa", Kind: KindCoefficient},
		{Name: "gwet_ac1", Kind: KindCoefficient},
		{Name: "left out"},
	}}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		t.Rows = append(t.Rows, []Cell{
			text(string(p.A)), text(string(p.B)), rate(p.Agreement), coefficient(p.Kappa), coefficient(p.AC1), text(reasons(p.LeftOut)),
		})
	}
	if r.Unlisted > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s more pairs of people, with the fewest items in common, are not listed.", grouped(r.Unlisted)))
	}
	return t
}

func (r *AnnotatorsRow) peopleSheet() Table {
	t := Table{Name: "each beside the others", Title: r.title(), Columns: columns([]Column{{Name: "person"}},
		countColumns("labelled", "skipped", "flagged", "after_the_reveal", "imported", "rulings"), []Column{
			{Name: "with_others", Kind: KindRate},
			{Name: "cohen_kappa", Kind: KindCoefficient},
			{Name: "gwet_ac1", Kind: KindCoefficient},
			{Name: "others_among_themselves", Kind: KindRate},
			{Name: "left out"},
		})}
	golds := slices.ContainsFunc(r.People, func(l AnnotatorLine) bool { return l.Known != nil })
	if golds {
		t.Columns = append(t.Columns, Column{Name: "known_answers", Kind: KindRate})
		t.Notes = append(t.Notes, "Known answers: how many of the items with a known answer a person labelled as is known, by the first label of each.")
	}
	for i := range r.People {
		l := &r.People[i]
		t.Rows = append(t.Rows, []Cell{
			text(string(l.Annotator)), integer(l.Labelled), integer(l.Skipped), integer(l.Flagged), integer(l.Informed), integer(l.Imported), integer(l.Rulings),
			rate(l.Others), coefficient(l.Kappa), coefficient(l.AC1), rate(l.Without), text(reasons(l.LeftOut)),
		})
		if golds {
			t.Rows[i] = append(t.Rows[i], rate(*l.Known))
		}
	}
	return t
}

func (r *AnnotatorsRow) timeSheet() Table {
	t := Table{Name: "time per item", Title: r.title(), Columns: []Column{
		{Name: "person"},
		{Name: "n", Kind: KindCount},
		{Name: "median [quartiles]"},
		{Name: "total"},
		{Name: "items an hour"},
		{Name: "same items: own, others"},
		{Name: "left out"},
	}}
	for i := range r.People {
		l := &r.People[i]
		t.Rows = append(t.Rows, append([]Cell{text(string(l.Annotator)), integer(l.Time.Items)}, l.Time.cells()...))
	}
	for _, p := range r.Pointers {
		t.Notes = append(t.Notes, p.Text)
	}
	return t
}

func (p *Pace) cells() []Cell {
	if p.Median == nil {
		return []Cell{text("- (no time known)"), blank(), blank(), blank(), text(reasons(p.LeftOut))}
	}
	same := "- (nobody else's time is known)"
	if s := p.Same; s != nil {
		same = fmt.Sprintf("%s s, %s s  n %s", tenths(s.Median), tenths(s.Others), grouped(s.Items))
	}
	total := time.Duration(p.Total * float64(time.Second)).Round(time.Second)
	return []Cell{
		text(fmt.Sprintf("%s s [%s, %s]", tenths(*p.Median), tenths(*p.Lower), tenths(*p.Upper))),
		text(total.String()), text(fmt.Sprintf("%.0f", *p.PerHour)), text(same), text(reasons(p.LeftOut)),
	}
}

func (r *AnnotatorsRow) itemSheet(name string, items []ItemLine) Table {
	t := Table{Name: name, Title: r.title(), Columns: []Column{
		{Name: "sample"},
		{Name: "item"},
		{Name: "said"},
		{Name: "agreement of pairs", Kind: KindRate},
		{Name: "median"},
		{Name: "timed", Kind: KindCount},
	}}
	for i := range items {
		l := &items[i]
		took := "-"
		if l.Median != nil {
			took = tenths(*l.Median) + " s"
		}
		t.Rows = append(t.Rows, []Cell{text(string(l.Sample)), text(l.which()), text(l.said()), rate(l.Agreement), text(took), integer(l.Timed)})
	}
	return t
}

// reasons are the counts of what is left out, by reason.
func reasons(of map[string]int) string {
	var parts []string
	for _, why := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, fmt.Sprintf("%s %s", why, grouped(of[why])))
	}
	return strings.Join(parts, ", ")
}
