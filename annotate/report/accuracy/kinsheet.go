package accuracy

import (
	"slices"
	"strconv"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// sheets are the language models, after answers at random (MMStar, Table 1),
// and each vision-language model's three forms (Tables 2, 4 and 7), with a column for each
// benchmark and for their average.
func (k *baseModels) sheets() []table.Table {
	var out []table.Table
	if len(k.alone) > 0 {
		t := k.sheet("language models")
		figures := len(t.Columns) - len(k.places) - 2
		for _, l := range k.alone {
			t.Rows = append(t.Rows, k.cells(l, l.model))
		}
		t.MarkBest(figures)
		t.Rows = slices.Concat(k.random(), t.Rows)
		out = append(out, t.Without(cardColumns))
	}
	if len(k.groups) > 0 {
		t := k.sheet("models beside their language base")
		for _, group := range k.groups {
			for _, l := range group {
				t.Rows = append(t.Rows, k.cells(l, group[len(group)-1].model))
			}
		}
		out = append(out, t.Without(cardColumns))
	}
	return out
}

func (k *baseModels) sheet(title string) table.Table {
	t := table.Table{Name: "text-only", Title: title, Columns: table.Columns(table.List("of"), cardColumns, table.List("form model shots modality strategy runs"))}
	for _, p := range k.places {
		t.Columns = append(t.Columns, table.Column{Name: k.title(p), Kind: table.KindRate})
	}
	t.Columns = append(t.Columns, table.Column{Name: "average", Kind: table.KindScore})
	return table.Table{Name: t.Name, Title: t.Title, Columns: append(t.Columns, table.List("pending:count")...)}
}

// title names a split where a benchmark has several columns.
func (k *baseModels) title(p baseModelPlace) string {
	several := slices.ContainsFunc(k.places, func(o baseModelPlace) bool { return o.dataset == p.dataset && o.split != p.split })
	if several {
		return string(p.dataset) + " " + p.split
	}
	return string(p.dataset)
}

func (k *baseModels) titles() []string {
	out := make([]string, len(k.places))
	for i, p := range k.places {
		out[i] = k.title(p)
	}
	return out
}

func (k *baseModels) cells(l *baseModelLine, of string) []table.Cell {
	named := report.Head{Model: l.model, Synthetic: l.synthetic}
	out := slices.Concat([]table.Cell{table.Text(of)}, cardOf(k.o, of).cells(), []table.Cell{table.Text(string(l.form)), report.Known(named.Named())})
	if len(l.cells) == 0 {
		out = append(out, table.Blank(), table.Blank(), table.Blank(), table.Blank())
	} else {
		out = append(out, table.Text(strconv.Itoa(l.shots)), table.Text(l.modality), table.Text(l.strategy), table.Text(l.runs()))
	}
	var parts []stat.Estimate
	var names []string
	var left []table.Cell
	pending, first := 0, len(out)
	for _, p := range k.places {
		r := l.at(p)
		if r == nil {
			out = append(out, table.Rate(l.none()))
			continue
		}
		o := opens(r, r.Extractor)
		out = append(out, report.Over(table.Rate(r.Accuracy), o, report.Right, report.Wrong))
		pending += r.Pending
		names, left = append(names, k.title(p)), append(left, report.Over(table.Count(r.Pending), o, Pending))
		if a := r.Accuracy; a.N > 0 {
			parts = append(parts, report.EstimateOf(a))
		}
	}
	return append(out, report.Among(k.average(parts), k.titles(), out[first:]), report.Among(table.Count(pending), names, left))
}

// average is the mean of the benchmarks, where there is a figure of each.
func (k *baseModels) average(parts []stat.Estimate) table.Cell {
	if len(parts) < len(k.places) {
		return table.Computed(stat.NoEstimate("not of all"))
	}
	return table.Computed(averaged(parts))
}

// averaged is the mean of independent figures.
func averaged(parts []stat.Estimate) stat.Estimate {
	sum, n := stat.Sum(parts...), float64(len(parts))
	if sum.Reason() == "" {
		sum.Value, sum.Low, sum.High = sum.Value/n, sum.Low/n, sum.High/n
	}
	return sum
}

// runs are the numbers of the line's runs.
func (l *baseModelLine) runs() string {
	var out []string
	for _, r := range l.cells {
		if id := strconv.Itoa(int(r.Run)); !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return strings.Join(out, ", ")
}

// random are the lines of answers at random, one for each strategy in which a
// language model was asked.
func (k *baseModels) random() [][]table.Cell {
	var out [][]table.Cell
	var seen []string
	for _, l := range k.alone {
		if slices.Contains(seen, l.strategy) {
			continue
		}
		seen = append(seen, l.strategy)
		line := make([]table.Cell, 1+len(cardColumns)+6)
		line[0], line[len(line)-2] = table.Text("random choice"), table.Text(l.strategy)
		var parts []stat.Estimate
		for _, p := range k.places {
			e, cell := k.expected(p, l.strategy)
			if line = append(line, cell); e.Reason() == "" {
				parts = append(parts, e)
			}
		}
		out = append(out, append(line, report.Among(k.average(parts), k.titles(), line[len(line)-len(k.places):]), table.Blank()))
	}
	return out
}

// expected is what answers at random reach, which is of the benchmark, whoever
// was asked; with the benchmark's questions.
func (k *baseModels) expected(p baseModelPlace, strategy string) (stat.Estimate, table.Cell) {
	for _, l := range k.lines {
		if r := l.at(p); r != nil && l.strategy == strategy {
			return r.Random, report.Over(table.Computed(r.Random), opens(r, r.Extractor), report.Every)
		}
	}
	none := stat.NoEstimate("no run")
	return none, table.Computed(none)
}
