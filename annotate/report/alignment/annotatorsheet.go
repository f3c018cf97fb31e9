package alignment

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// annotatorLayout is that of the figures one below the other, for machines: what it is, of
// whom, and the figure as what it is.
var annotatorLayout = report.NewLayout("dataset queue policy undecided figure a b rate:rate coefficient:coefficient count:count seconds:number text")

// TableLines lays the row out as lines of its table.
func (r *AnnotatorsRow) TableLines() [][]table.Cell {
	f := figureLines{layout: annotatorLayout, start: report.Cells{
		"dataset": table.NewText(string(r.Dataset)), "queue": table.NewText(string(r.Queue)), "policy": table.NewText(r.Policy), "undecided": table.NewText(r.Undecided),
	}}
	t := &r.Together
	f.addLine("items", "", "", table.NewCount(r.Items))
	for name, cells := range report.EachMeasure(t) {
		if name == "krippendorff_alpha" {
			cells = append(cells, table.NewText(t.Level))
		}
		f.addLine(name, "", "", cells...)
	}
	f.addLeftOut("excluded", "", "", t.LeftOut)
	for i := range r.Words {
		l := &r.Words[i]
		f.addLine("word_said", l.Set, l.Word, table.NewCount(l.Said))
		f.addPart(l, l.Set, l.Word)
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		a, b := string(p.A), string(p.B)
		f.addPart(p, a, b)
		f.addLeftOut("pair_excluded", a, b, p.LeftOut)
	}
	for i := range r.People {
		r.People[i].addLines(&f)
	}
	for _, p := range r.Outliers {
		f.addLine(p.Kind.String(), string(p.Annotator), "", table.NewCount(p.N), table.NewText(p.Text))
	}
	for i := range r.Slowest {
		f.addLine("slowest", string(r.Slowest[i].Sample), r.Slowest[i].describePass(), table.NewNumber(r.Slowest[i].Median), table.NewCount(r.Slowest[i].Timed))
	}
	for i := range r.Contested {
		c := &r.Contested[i]
		f.addLine("contested", string(c.Sample), c.describePass(), table.NewComputed(c.Agreement), table.NewNumber(c.Median), table.NewText(c.describeLabels()))
	}
	return f.out
}

func (l *AnnotatorLine) addLines(f *figureLines) {
	who := string(l.Annotator)
	f.addPart(l, who, "")
	f.addLeftOut("with_others_excluded", who, "", l.LeftOut)
	p := &l.Time
	f.addLine("time_median", who, "", table.NewNumber(p.Median), table.NewCount(p.Items))
	f.addLine("time_q1", who, "", table.NewNumber(p.Lower), table.NewCount(p.Items))
	f.addLine("time_q3", who, "", table.NewNumber(p.Upper), table.NewCount(p.Items))
	f.addLine("time_total", who, "", table.NewNumber(&p.Total), table.NewCount(p.Items))
	if s := p.Same; s != nil {
		f.addLine("time_same_items", who, "", table.NewNumber(&s.Median), table.NewCount(s.Items))
		f.addLine("time_same_items_others", who, "", table.NewNumber(&s.Others), table.NewCount(s.Items))
	}
	f.addLeftOut("time_excluded", who, "", p.LeftOut)
}

// describePass tells items of one sample apart.
func (l *ItemLine) describePass() string {
	k := l.Key
	return eval.Either(k.Run == 0, "", k.String())
}

func (l *ItemLine) describeLabels() string {
	return eval.JoinList(l.Said, func(c agree.Class) string { return fmt.Sprintf("%s %d", c.Name, c.N) })
}

func (r *AnnotatorsRow) title() string {
	return report.MarkSynthetic(fmt.Sprintf("%s, queue %s, others' word by %s", r.Dataset, r.Queue, annotate.DescribePolicies(r.Policy, r.Undecided)), r.Synthetic)
}

func (r *AnnotatorsRow) makeTables() []table.Table {
	out := []table.Table{r.makeOutlierTable(), r.makeTogetherTable(), r.makeWordTable(), r.makeMatrix(), r.makePairTable(), r.makePeopleTable(), r.makeTimeTable()}
	if len(r.Slowest) > 0 {
		out = append(out, r.makeItemTable("slowest items", r.Slowest))
	}
	if len(r.Contested) > 0 {
		t := r.makeItemTable("most contested items", r.Contested)
		t.Notes = append(t.Notes, fmt.Sprintf("Disagreements: %s of %s items.", table.FormatGrouped(r.InDispute), table.FormatGrouped(r.Items)))
		out = append(out, t)
	}
	return table.SelectWithRows(out...)
}

// agreementCell is somebody's agreement with another person, or without one with the
// others' word, and the items behind it.
func (r *AnnotatorsRow) agreementCell(who, other annotate.Annotator, rate stat.Rate, left map[string]int) table.Cell {
	by := report.Opener{Row: r, People: true, Pairs: r.Votes, Whole: true, Names: func(s *report.Selection) string {
		return map[report.Which]string{report.Disagree: "differ", Excluded: "left out"}[s.Which]
	}}.WithPart(FigureParams{Person: who, Other: other})
	c := table.NewRate(rate)
	switch {
	case rate.N == 0 && len(left) > 0:
		return report.CopyPicks(c, report.AttachPicks(table.NewCount(len(left)), by, Excluded))
	case len(left) > 0:
		return report.AttachFurtherPicks(report.AttachPicks(c, by, report.Agree, report.Disagree), by, Excluded)
	}
	return report.AttachPicks(c, by, report.Agree, report.Disagree)
}

// cellWithOthers gives a person's agreement with the others' word.
func (r *AnnotatorsRow) cellWithOthers(l *AnnotatorLine) table.Cell {
	return r.agreementCell(l.Annotator, "", l.Others, l.LeftOut)
}

// makeOutlierTable makes what is worth talking over with somebody.
func (r *AnnotatorsRow) makeOutlierTable() table.Table {
	t := table.Table{Name: "to talk over", Title: r.title(), Columns: table.ParseColumns("person what items:count")}
	for _, p := range r.Outliers {
		n := table.NewCount(p.N)
		for i := range r.People {
			if l := &r.People[i]; l.Annotator == p.Annotator {
				n = report.CopyPicks(n, r.cellWithOthers(l))
			}
		}
		t.Rows = append(t.Rows, []table.Cell{table.NewText(string(p.Annotator)), table.NewText(p.Kind.String()), n})
		t.Notes = append(t.Notes, p.Text)
	}
	return t
}

func (r *AnnotatorsRow) makeTogetherTable() table.Table {
	s := &r.Together
	t := makeFigureTable("all together", r.title(), "labels", s.Level, s)
	t.Rows = append(t.Rows, []table.Cell{table.NewText("left out"), table.NewText(formatLeftOut(s.LeftOut)), table.NewText("labels")})
	return t
}

// makeMatrix makes every person beside every other one (MLLM-Bench, Table 15, for labels).
func (r *AnnotatorsRow) makeMatrix() table.Table {
	labelled := eval.Select(r.People, func(l AnnotatorLine) bool { return l.Labelled > 0 })
	people := eval.Map(labelled, func(l AnnotatorLine) string { return string(l.Annotator) })
	if len(people) < 2 || len(r.Pairs) == 0 {
		return table.Table{}
	}
	t := table.MakeSquareTable("people among themselves", r.title(), "person", people, func(i, j int) table.Cell {
		return r.matrixCell(annotate.Annotator(people[i]), annotate.Annotator(people[j]), i < j)
	})
	t.Notes = []string{"Above the diagonal the share of items on which both say the same; below it Cohen's kappa."}
	return t
}

func (r *AnnotatorsRow) matrixCell(a, b annotate.Annotator, above bool) table.Cell {
	p := eval.Find(r.Pairs, func(p *AnnotatorPair) bool { return p.A == a && p.B == b || p.A == b && p.B == a })
	if p == nil {
		return table.NewText("·")
	}
	text := table.FormatDecimal(p.Kappa.Value)
	switch {
	case p.Agreement.N == 0:
		text = "- (n 0)"
	case above:
		text = fmt.Sprintf("%s%% (n %s)", table.FormatPercent(p.Agreement.Value), table.FormatGrouped(p.Agreement.N))
	case p.Kappa.Undefined != "":
		text = "-"
	}
	return report.CopyPicks(table.NewText(text), r.agreementCell(a, b, p.Agreement, p.LeftOut))
}

var (
	twoLayout = report.NewLayout("a b agreement cohen_kappa gwet_ac1 left+out", AnnotatorPair{})
	oneLayout = report.NewLayout("person labelled skipped flagged after_the_reveal imported rulings:count with_others cohen_kappa gwet_ac1 others_among_themselves left+out known_answers error_rate", AnnotatorLine{})
)

func (r *AnnotatorsRow) makePairTable() table.Table {
	t := twoLayout.NewTable("every two people", r.title())
	for i := range r.Pairs {
		p := &r.Pairs[i]
		rate := r.agreementCell(p.A, p.B, p.Agreement, p.LeftOut)
		t.Rows = append(t.Rows, twoLayout.MakeTableLine(report.Opener{}, report.Cells{"agreement": rate, "left out": report.CopyPicks(table.NewText(formatLeftOut(p.LeftOut)), rate)}, p))
	}
	if r.Unlisted > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s more pairs of people, with the fewest items in common, are not listed.", table.FormatGrouped(r.Unlisted)))
	}
	return t
}

func (r *AnnotatorsRow) makePeopleTable() table.Table {
	t := oneLayout.NewTable("each beside the others", r.title())
	if slices.ContainsFunc(r.People, func(l AnnotatorLine) bool { return l.Known != nil }) {
		t.Notes = append(t.Notes, "Known answers: how many of the items with a known answer a person labelled as is known, by the first label of each. The error rate is what that tells of the person's other labels, by Jeffreys' prior: none wrong of ten may still be one in five.")
	}
	for i := range r.People {
		l := &r.People[i]
		rate := r.cellWithOthers(l)
		t.Rows = append(t.Rows, oneLayout.MakeTableLine(report.Opener{}, report.Cells{"with_others": rate, "left out": report.CopyPicks(table.NewText(formatLeftOut(l.LeftOut)), rate)}, l))
	}
	if t.Notes == nil {
		t = t.WithoutEmpty(t.Columns[len(t.Columns)-2:])
	}
	return t
}

func (r *AnnotatorsRow) makeTimeTable() table.Table {
	t := table.Table{Name: "time per item", Title: r.title(), Columns: table.ParseColumns("person n:count median+[quartiles] total items+an+hour same left+out")}
	t.Columns[len(t.Columns)-2].Name = "same items: own, others"
	for i := range r.People {
		l := &r.People[i]
		t.Rows = append(t.Rows, append([]table.Cell{table.NewText(string(l.Annotator)), report.CopyPicks(table.NewCount(l.Time.Items), r.cellWithOthers(l))}, l.Time.makeCells()...))
	}
	return t
}

func (p *Speed) makeCells() []table.Cell {
	if p.Median == nil {
		return []table.Cell{table.NewText("- (no time known)"), table.NewBlank(), table.NewBlank(), table.NewBlank(), table.NewText(formatLeftOut(p.LeftOut))}
	}
	same := "- (nobody else's time is known)"
	if s := p.Same; s != nil {
		same = fmt.Sprintf("%s s, %s s  n %s", formatTenths(s.Median), formatTenths(s.Others), table.FormatGrouped(s.Items))
	}
	total := time.Duration(p.Total * float64(time.Second)).Round(time.Second)
	return []table.Cell{
		table.NewText(fmt.Sprintf("%s s [%s, %s]", formatTenths(*p.Median), formatTenths(*p.Lower), formatTenths(*p.Upper))),
		table.NewText(total.String()), table.NewText(fmt.Sprintf("%.0f", *p.PerHour)), table.NewText(same), table.NewText(formatLeftOut(p.LeftOut)),
	}
}

func (r *AnnotatorsRow) makeItemTable(name string, items []ItemLine) table.Table {
	t := table.Table{Name: name, Title: r.title(), Columns: table.ParseColumns("sample item said agreement+of+pairs:rate median timed:count")}
	for i := range items {
		l := &items[i]
		took := "-"
		if l.Median != nil {
			took = formatTenths(*l.Median) + " s"
		}
		t.Rows = append(t.Rows, []table.Cell{table.NewText(string(l.Sample)), table.NewText(l.describePass()), table.NewText(l.describeLabels()), table.NewComputed(l.Agreement), table.NewText(took), table.NewCount(l.Timed)})
	}
	return t
}

// addSpeeds enters everybody's speed, and beside it the others' on the same items.
func (c *queueWork) addSpeeds(lines []AnnotatorLine) {
	own, same, others := make([][]float64, len(lines)), make([][]float64, len(lines)), make([][]float64, len(lines))
	for i := range lines {
		lines[i].Time.LeftOut = make(map[string]int)
	}
	for i := range c.items {
		said := c.items[i].said
		for j := range said {
			m := &said[j]
			if m.late != "" {
				lines[m.who].Time.LeftOut[m.late]++
				continue
			}
			own[m.who] = append(own[m.who], m.spent.Seconds())
			if rest := collectTimes(said, m.who); len(rest) > 0 {
				same[m.who], others[m.who] = append(same[m.who], m.spent.Seconds()), append(others[m.who], sortForMedian(rest))
			}
		}
	}
	for i := range lines {
		p := &lines[i].Time
		p.fillFromSeconds(own[i])
		if n := len(same[i]); n > 0 {
			p.Same = &SameSpeed{Items: n, Median: sortForMedian(same[i]), Others: sortForMedian(others[i])}
		}
	}
}

// collectTimes collects the seconds that people took for an item, one of them left aside.
func collectTimes(said []personLabel, away int) []float64 {
	return eval.FilterMap(said, func(m personLabel) (float64, bool) { return m.spent.Seconds(), m.late == "" && m.who != away })
}

func (p *Speed) fillFromSeconds(seconds []float64) {
	if p.Items = len(seconds); p.Items == 0 {
		return
	}
	slices.Sort(seconds)
	for _, s := range seconds {
		p.Total += s
	}
	lower, middle, upper := stat.Quantile(seconds, 0.25), stat.Quantile(seconds, 0.5), stat.Quantile(seconds, 0.75)
	hourly := float64(p.Items) / p.Total * time.Hour.Seconds()
	p.Lower, p.Median, p.Upper, p.PerHour = &lower, &middle, &upper, &hourly
}

// sortForMedian sorts what it is given.
func sortForMedian(values []float64) float64 {
	slices.Sort(values)
	return stat.Quantile(values, 0.5)
}

// slowestItems are the items whose time is known, those that took longest first.
func (c *queueWork) slowestItems() []ItemLine {
	out := eval.Select(c.newItemLines(), func(l ItemLine) bool { return l.Median != nil })
	slices.SortStableFunc(out, func(a, b ItemLine) int { return cmp.Compare(*b.Median, *a.Median) })
	return out
}

// contestedItems are the items on which people differ: those first on which the
// fewest pairs of them agree, and of equals those that more people labelled.
func (c *queueWork) contestedItems() []ItemLine {
	out := eval.Select(c.newItemLines(), func(l ItemLine) bool { return l.Agreement.N > 0 && l.Agreement.Value < 1 })
	slices.SortStableFunc(out, func(a, b ItemLine) int {
		return cmp.Or(cmp.Compare(a.Agreement.Value, b.Agreement.Value), cmp.Compare(b.Agreement.N, a.Agreement.N))
	})
	return out
}

func (c *queueWork) newItemLines() []ItemLine {
	return eval.Map(c.items, func(t itemLabels) ItemLine { return t.newItemLine() })
}

func (t *itemLabels) newItemLine() ItemLine {
	out := ItemLine{Key: t.key, Index: t.index, Run: t.key.Run, Against: t.key.Against, Pass: t.key.Pass, Criterion: t.criterion, Said: []agree.Class{}}
	agreeing := eval.Select(t.said, func(m personLabel) bool { return m.why == "" })
	words := eval.Map(agreeing, func(m personLabel) string { return m.class })
	slices.Sort(words)
	var pairs stat.Count
	for i, w := range words {
		if last := len(out.Said) - 1; last >= 0 && out.Said[last].Name == w {
			out.Said[last].N++
		} else {
			out.Said = append(out.Said, agree.Class{Name: w, N: 1})
		}
		for _, other := range words[:i] {
			pairs.Add(w == other)
		}
	}
	slices.SortStableFunc(out.Said, func(a, b agree.Class) int { return cmp.Compare(b.N, a.N) })
	if out.Agreement = stat.NewUndefinedEstimate("fewer than two people are compared"); pairs.N > 0 {
		out.Agreement = stat.NewExactEstimate(float64(pairs.K)/float64(pairs.N), pairs.N)
	}
	if all := collectTimes(t.said, -1); len(all) > 0 {
		m := sortForMedian(all)
		out.Timed, out.Median = len(all), &m
	}
	return out
}

// nameItems names the samples of the first items, and by their words what people said of
// them in labels of their own.
func (c *queueWork) nameItems(facts report.Facts, all []ItemLine, most int) ([]ItemLine, error) {
	out := append([]ItemLine{}, all[:min(most, len(all))]...)
	for i := range out {
		s, err := facts.Sample(c.queue.Rule.Dataset, out[i].Key.Sample)
		if err != nil {
			return nil, err
		}
		out[i].Sample = s.ID
		out[i].Said = eval.Map(out[i].Said, func(one agree.Class) agree.Class {
			one.Name = cmp.Or(c.queue.Labels.WordOfKey(eval.Choice(one.Name)), one.Name)
			return one
		})
	}
	return out, nil
}
