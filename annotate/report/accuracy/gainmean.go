package accuracy

import (
	"fmt"
	"slices"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// GainMean is the mean of gain and of leakage over the benchmarks of a model, or over the
// models on a benchmark (MMStar, Table 6): each over those of the rows that have it, Gains and
// Leakages many, of Of. What is behind a mean is behind its rows.
type GainMean struct {
	report.ForEveryone
	report.NoKeys
	By       string           `json:"by"` // model or benchmark
	Model    string           `json:"model,omitempty" as:"named"`
	Setting  string           `json:"setting,omitempty"`
	Dataset  eval.DatasetName `json:"dataset,omitempty"`
	Split    string           `json:"split,omitempty"`
	Gain     stat.Estimate    `json:"gain"`
	Gains    int              `json:"gains"`
	Leakage  stat.Estimate    `json:"leakage"`        // mean of leakages, each of which is at least 0, as the paper has it
	Signed   stat.Estimate    `json:"leakage_signed"` // mean of the differences, some of which may be below 0
	Leakages int              `json:"leakages"`
	Of       int              `json:"of"`

	gain, leakage sideDifference
}

// What a mean is by.
const (
	byModel     = "model"
	byBenchmark = "benchmark"
)

// computeGainMeans computes the means of several rows, by benchmark and by model. Splits of a dataset
// are parts of one benchmark, and only its first rows, which are the whole, go into a model's.
func computeGainMeans(rows []*GainRow) []*GainMean {
	var out []*GainMean
	addMean := func(m GainMean, some []*GainRow) {
		if len(some) > 1 {
			out = append(out, fillGainMean(&m, some))
		}
	}
	for _, group := range table.GroupBy(rows, (*GainRow).PlaceTitle) {
		addMean(GainMean{By: byBenchmark, Dataset: group[0].Dataset, Split: group[0].Split}, group)
	}
	for _, line := range groupGainLines(rows) {
		addMean(GainMean{By: byModel, Model: line[0].Model, Setting: line[0].Setting}, line)
	}
	return out
}

func fillGainMean(m *GainMean, rows []*GainRow) *GainMean {
	m.Of = len(rows)
	var gains, leakages []*sideDifference
	for _, r := range rows {
		if r.Gain != nil {
			gains = append(gains, &r.gain)
		}
		if r.Leakage != nil {
			leakages = append(leakages, &r.leakage)
		}
	}
	m.gain, m.leakage = averageDifferences(gains, m.By == byBenchmark), averageDifferences(leakages, m.By == byBenchmark)
	m.Gain, m.Gains = m.gain.Estimate, len(gains)
	m.Leakage, m.Signed, m.Leakages = m.leakage.Estimate, m.leakage.signed, len(leakages)
	return m
}

// averageDifferences averages differences: those of one dataset are of the same samples, which are counted once.
func averageDifferences(all []*sideDifference, same bool) sideDifference {
	var out sideDifference
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
	mean, floored := stat.MeanOfContrasts(contrasts, "no row has it")
	if same {
		mean.N, floored.N = n, n
	}
	out.Estimate, out.signed = mean, mean
	if out.floored {
		out.Estimate = floored
	}
	return out
}

// groupGainLines deals the whole of each run out to lines of one model, one row of a dataset in each.
func groupGainLines(rows []*GainRow) [][]*GainRow {
	var out [][]*GainRow
	seen := make(map[eval.RunID]bool)
	for _, r := range rows {
		if r.Run != 0 && seen[r.Run] {
			continue // a split of what is there
		}
		seen[r.Run] = true
		line := eval.FindOrAdd(&out, func(line *[]*GainRow) bool {
			first := (*line)[0]
			return first.Model == r.Model && first.Synthetic == r.Synthetic && (first.asking == r.asking || first.Run == 0 || r.Run == 0) &&
				!slices.ContainsFunc(*line, func(o *GainRow) bool { return o.Dataset == r.Dataset })
		}, func() []*GainRow { return nil })
		*line = append(*line, r)
	}
	return out
}

// ModelName is the model's name, with the settings in which its runs differ.
func (m *GainMean) ModelName() string {
	named := report.Named{Model: m.Model, Setting: m.Setting}
	return named.ModelName()
}

// ExtraCells has what the mean is of and its figures.
func (m *GainMean) ExtraCells() report.Cells {
	external := eval.Either(m.gain.marked || m.leakage.marked, PartlyExternal, "")
	return report.Cells{
		"average": table.NewText("by " + m.By), "gain": m.gain.newCell(), "leakage": m.leakage.newCell(), "leakage_signed": m.leakage.newCellOf(m.leakage.signed),
		"external": table.NewText(external), "over": table.NewCount(m.Of),
	}
}

// normalizeMetricName gives a metric's name without case and signs: S_wv is swv.
func normalizeMetricName(name string) string {
	return strings.Map(func(r rune) rune {
		return eval.Either(r >= 'a' && r <= 'z' || r >= '0' && r <= '9', r, -1)
	}, strings.ToLower(name))
}

// addExternalRows adds the rows of benchmarks that nobody ran here: those whose visual score was measured elsewhere.
func (g *gainBuilder) addExternalRows() {
	if len(g.o.Runs) > 0 {
		return
	}
	for i := range g.measures {
		m := &g.measures[i]
		d := eval.DatasetName(m.Benchmark)
		if name := normalizeMetricName(m.Metric); name != "sv" && name != "visual" || g.o.Dataset != "" && g.o.Dataset != d || g.o.Model != "" && g.o.Model != m.Model ||
			slices.ContainsFunc(g.rows, func(r *GainRow) bool { return r.Dataset == d && r.Model == m.Model }) {
			continue
		}
		row := &GainRow{
			Head: report.Head{Dataset: d, Split: report.AllSplits, Model: m.Model, Modality: eval.WithImage.String()}, Card: newCardInfo(g.o, m.Model),
			Visual: GainSide{Model: m.Model, External: m},
			Text:   *g.findExternalScore(d, m.Model, "S_wv of "+m.Model+" on "+m.Benchmark, "swv", "text"),
			Base:   *g.findExternalScore(d, m.Model, "S_t of "+m.Model+" on "+m.Benchmark, "st", "base"),
		}
		if !row.Base.hasFigure() && row.Card != nil && row.Card.LanguageBase != "" {
			row.Base = *g.findExternalScore(d, row.Card.LanguageBase, row.Base.Rate.Undefined, "st", "base", "text", "accuracy")
		}
		g.rows = append(g.rows, row)
	}
}

type sideDifference struct {
	stat.Contrast
	missing []string
	marked  bool // one of the sides was measured elsewhere

	floored bool          // leakage, which is at least 0
	signed  stat.Estimate // of leakage: before it was cut off
}

func (g *sideDifference) newCell() table.Cell { return g.newCellOf(g.Estimate) }

func (g *sideDifference) newCellOf(e stat.Estimate) table.Cell {
	return eval.Either(g.marked, table.NewPoints(e).WithDagger(), table.NewPoints(e))
}

func (g *gainBuilder) sampleName(d eval.DatasetName, o eval.Ordinal) string {
	if s, err := g.facts.Sample(d, o); err == nil {
		return string(s.ID)
	}
	return fmt.Sprintf("sample %d", o)
}

// fillDifferences derives the row's differences from its sides; name names samples.
func (r *GainRow) fillDifferences(name func(eval.Ordinal) string) {
	r.gain = subtractSides(&r.Visual, &r.Text, name)
	r.leakage = subtractSides(&r.Text, &r.Base, name)
	r.leakage.floored, r.leakage.signed = true, r.leakage.Estimate
	r.leakage.Estimate = metric.ClampAtZero(r.leakage.signed)
	for _, g := range []*sideDifference{&r.gain, &r.leakage} {
		r.Missing = eval.AppendUnique(r.Missing, g.missing...)
	}
	if r.gain.WhyUndefined() == "" {
		r.Gain = &r.gain.Estimate
	}
	if r.leakage.WhyUndefined() == "" {
		r.Leakage, r.Signed = &r.leakage.Estimate, &r.leakage.signed
	}
	outside, there := 0, 0
	for _, s := range []*GainSide{&r.Visual, &r.Text, &r.Base} {
		there += report.OneIf(s.hasFigure())
		outside += report.OneIf(s.External != nil)
	}
	switch outside {
	case 0:
	case there:
		r.External = WhollyExternal
	default:
		r.External = PartlyExternal
	}
}

// subtractSides is what one side has over another.
func subtractSides(a, b *GainSide, name func(eval.Ordinal) string) sideDifference {
	missing := eval.FilterMap([]*GainSide{a, b}, func(s *GainSide) (string, bool) { return s.Rate.Undefined, !s.hasFigure() })
	switch {
	case len(missing) > 0:
		return newLackingDifference(missing...)
	case a.Run == 0 || b.Run == 0:
		return subtractExternal(a, b)
	}
	p, first, second := a.marks.CompareWith(b.marks)
	if first+second > 0 {
		return newLackingDifference(fmt.Sprintf("the same samples: %s decided by run %d alone%s, %s by run %d alone%s",
			table.FormatGrouped(first), a.Run, nameUnpaired(a.marks, b.marks, name), table.FormatGrouped(second), b.Run, nameUnpaired(b.marks, a.marks, name)))
	}
	if p.N() == 0 {
		return newLackingDifference(fmt.Sprintf("questions that runs %d and %d have decided", a.Run, b.Run))
	}
	return sideDifference{Contrast: a.marks.ContrastWith(b.marks, a.clusters)}
}

// nameUnpaired names some of the samples that only the first has decided.
func nameUnpaired(first, second metric.Marks, name func(eval.Ordinal) string) string {
	var names []string
	for i := range report.EachOrdinal(len(first)) {
		if first.At(i) != metric.MarkUnset && second.At(i) == metric.MarkUnset && len(names) < mostSamples {
			names = append(names, name(i))
		}
	}
	return eval.Either(len(names) == 0, "", " ("+report.JoinFirstFive(names)+")")
}

func newLackingDifference(what ...string) sideDifference {
	reason := "needs " + what[0]
	for _, w := range what[1:] {
		reason += ", and " + w
	}
	none := stat.NewUndefinedEstimate(reason)
	return sideDifference{Contrast: stat.Contrast{Estimate: none}, missing: what, signed: none}
}

// subtractExternal is a difference of which a side or both were measured elsewhere.
func subtractExternal(a, b *GainSide) sideDifference {
	for _, s := range []*GainSide{a, b} {
		if s.Run != 0 && s.Rate.N == 0 {
			return newLackingDifference(fmt.Sprintf("questions that run %d has decided", s.Run))
		}
	}
	out := sideDifference{marked: true}
	switch {
	case a.Run != 0:
		out.Contrast = a.marks.ContrastWithValue(b.accuracyValue(), a.clusters)
	case b.Run != 0:
		out.Contrast = metric.ReverseContrast(b.marks.ContrastWithValue(a.accuracyValue(), b.clusters))
	default:
		out.Estimate = stat.Estimate{Value: a.accuracyValue() - b.accuracyValue(), Exact: true}
	}
	return out
}

func (s *GainSide) accuracyValue() float64 {
	if s.External != nil {
		return table.PercentToShare(s.External.Value)
	}
	return s.Rate.Value
}

// findExternalScore finds a score measured elsewhere of a model on a benchmark, under one of
// the metric's names; without one the side says what it needs.
func (g *gainBuilder) findExternalScore(d eval.DatasetName, model, need string, metrics ...string) *GainSide {
	for i := range g.measures {
		m := &g.measures[i]
		if m.Benchmark == string(d) && m.Model == model && slices.Contains(metrics, normalizeMetricName(m.Metric)) {
			return &GainSide{Model: model, External: m}
		}
	}
	return &GainSide{Rate: stat.UndefinedRate(need)}
}
