package accuracy

import (
	"context"
	"iter"
	"slices"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// GainMean is the mean of gain and of leakage over the benchmarks of a model,
// or over the models on a benchmark (MMStar, Table 6): each over those of the
// rows that have it, Gains and Leakages many, of Of.
type GainMean struct {
	report.ForEveryone
	By       string           `json:"by"` // model or benchmark
	Model    string           `json:"model,omitempty"`
	Dataset  eval.DatasetName `json:"dataset,omitempty"`
	Split    string           `json:"split,omitempty"`
	Gain     stat.Estimate    `json:"gain"`
	Gains    int              `json:"gains"`
	Leakage  stat.Estimate    `json:"leakage"`        // mean of leakages, each of which is at least 0, as the paper has it
	Signed   stat.Estimate    `json:"leakage_signed"` // mean of the differences, some of which may be below 0
	Leakages int              `json:"leakages"`
	Of       int              `json:"of"`

	gain, leakage gap
}

// What a mean is by.
const (
	byModel     = "model"
	byBenchmark = "benchmark"
)

// gainMeans are the means of several rows, by benchmark and by model. Splits of
// a dataset are parts of one benchmark, and only its first rows, which are the
// whole, go into a model's.
func gainMeans(rows []*GainRow) []*GainMean {
	var out []*GainMean
	for _, group := range gainPlaces(rows) {
		if len(group) > 1 {
			out = append(out, gainMean(&GainMean{By: byBenchmark, Dataset: group[0].Dataset, Split: group[0].Split}, group))
		}
	}
	for _, line := range gainLines(rows) {
		if len(line) > 1 {
			out = append(out, gainMean(&GainMean{By: byModel, Model: line[0].Model}, line))
		}
	}
	return out
}

// gainMean fills in what the rows come to.
func gainMean(m *GainMean, rows []*GainRow) *GainMean {
	m.Of = len(rows)
	var gains, leakages []*gap
	for _, r := range rows {
		if r.Gain != nil {
			gains = append(gains, &r.gain)
		}
		if r.Leakage != nil {
			leakages = append(leakages, &r.leakage)
		}
	}
	m.gain, m.leakage = meanGap(gains, m.By == byBenchmark), meanGap(leakages, m.By == byBenchmark)
	m.Gain, m.Gains = m.gain.Estimate, len(gains)
	m.Leakage, m.Signed, m.Leakages = m.leakage.Estimate, m.leakage.signed, len(leakages)
	return m
}

// meanGap averages differences: those of one dataset are of the same samples,
// which are counted once.
func meanGap(all []*gap, same bool) gap {
	var out gap
	contrasts := make([]stat.Contrast, len(all))
	n := 0
	for i, g := range all {
		contrasts[i] = g.Contrast
		if g.floored {
			contrasts[i].Estimate = g.signed
		}
		if !same {
			contrasts[i].Influence = nil
		}
		n = max(n, g.N)
		out.marked, out.floored = out.marked || g.marked, out.floored || g.floored
	}
	mean, floored := stat.MeanContrast(contrasts, "no row has it")
	if same {
		mean.N, floored.N = n, n
	}
	out.Estimate, out.signed = mean, mean
	if out.floored {
		out.Estimate = floored
	}
	return out
}

// gainPlaces are the rows by dataset and split.
func gainPlaces(rows []*GainRow) [][]*GainRow {
	var out [][]*GainRow
	for _, r := range rows {
		i := slices.IndexFunc(out, func(g []*GainRow) bool { return g[0].Dataset == r.Dataset && g[0].Split == r.Split })
		if i < 0 {
			out = append(out, []*GainRow{r})
		} else {
			out[i] = append(out[i], r)
		}
	}
	return out
}

// gainLines deals the whole of each run out to lines of one model, one row of
// a dataset in each.
func gainLines(rows []*GainRow) [][]*GainRow {
	var out [][]*GainRow
	seen := make(map[eval.RunID]bool)
	for _, r := range rows {
		if r.Run != 0 && seen[r.Run] {
			continue // a split of what is there
		}
		seen[r.Run] = true
		i := slices.IndexFunc(out, func(line []*GainRow) bool {
			return line[0].Model == r.Model && line[0].Synthetic == r.Synthetic &&
				!slices.ContainsFunc(line, func(o *GainRow) bool { return o.Dataset == r.Dataset })
		})
		if i < 0 {
			out = append(out, []*GainRow{r})
		} else {
			out[i] = append(out[i], r)
		}
	}
	return out
}

// Columns names the columns of the lines that Lines gives.
func (m *GainMean) Columns() []table.Column { return (*GainRow)(nil).Columns() }

// Lines lays the row out as lines of its table.
func (m *GainMean) Lines() [][]table.Cell {
	head := []table.Cell{table.Blank(), table.Text(string(m.Dataset)), table.Text(m.Split), table.Text(m.Model), table.Blank()}
	external := ""
	if m.gain.marked || m.leakage.marked {
		external = PartlyExternal
	}
	return [][]table.Cell{slices.Concat(head, make([]table.Cell, len(cardColumns)), []table.Cell{
		table.Blank(), table.Blank(), table.Text("by " + m.By), table.Blank(), table.Blank(), table.Blank(), table.Blank(), table.Blank(), table.Blank(),
		m.gain.cell(), m.leakage.cell(), m.leakage.cellOf(m.leakage.signed), table.Text(external), table.Count(m.Of),
	})}
}

// Keys yields nothing: what is behind a mean is behind its rows.
func (m *GainMean) Keys(context.Context, report.Facts, report.Selection) iter.Seq2[eval.Key, error] {
	return func(func(eval.Key, error) bool) {}
}

// plainMetric is a metric's name without case and signs: S_wv is swv.
func plainMetric(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

// addExternal adds the rows of benchmarks that nobody ran here: those whose
// visual score was measured elsewhere.
func (g *gaining) addExternal() {
	if len(g.o.Runs) > 0 {
		return
	}
	for i := range g.measures {
		m := &g.measures[i]
		d := eval.DatasetName(m.Benchmark)
		if name := plainMetric(m.Metric); name != "sv" && name != "visual" || g.o.Dataset != "" && g.o.Dataset != d || g.o.Model != "" && g.o.Model != m.Model ||
			slices.ContainsFunc(g.rows, func(r *GainRow) bool { return r.Dataset == d && r.Model == m.Model }) {
			continue
		}
		row := &GainRow{
			Head: report.Head{Dataset: d, Split: report.AllSplits, Model: m.Model, Modality: eval.WithImage.String()}, Card: cardOf(g.o, m.Model),
			Visual: GainSide{Model: m.Model, External: m},
			Text:   *g.outside(d, m.Model, "S_wv of "+m.Model+" on "+m.Benchmark, "swv", "text"),
			Base:   *g.outside(d, m.Model, "S_t of "+m.Model+" on "+m.Benchmark, "st", "base"),
		}
		if !row.Base.there() && row.Card != nil && row.Card.LanguageBase != "" {
			row.Base = *g.outside(d, row.Card.LanguageBase, row.Base.Rate.Undefined, "st", "base", "text", "accuracy")
		}
		g.rows = append(g.rows, row)
	}
}
