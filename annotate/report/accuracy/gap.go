package accuracy

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

func seedOf(o *report.Options) uint64 { return cmp.Or(o.Seed, 1) }

// gap is a difference of two sides, with what resamples gave of it, of which
// averages have their intervals.
type gap struct {
	stat.Estimate
	missing []string
	spread  []float64 // nil: none was drawn
	marked  bool      // one of the sides was measured elsewhere
}

func (g *gap) cell() table.Cell {
	if g.marked {
		return table.Points(g.Estimate).Daggered()
	}
	return table.Points(g.Estimate)
}

// draw resamples each dataset once for all of its rows, so that differences
// between runs and averages over models are paired, and fills in the rows.
func (g *gaining) draw() {
	byDataset := make(map[eval.DatasetName][]*GainSide)
	for _, r := range g.rows {
		for _, s := range []*GainSide{&r.Visual, &r.Text, &r.Base} {
			if s.Run != 0 {
				byDataset[r.Dataset] = append(byDataset[r.Dataset], s)
			}
		}
	}
	for d, sides := range byDataset {
		marks := make([]metric.Marks, len(sides))
		for i, s := range sides {
			marks[i] = s.marks
		}
		name := fnv.New64a()
		_, _ = name.Write([]byte(d)) // a hash never refuses
		for i, shares := range metric.Shares(marks, stat.Resampling{Times: report.Resamples, Seed: seedOf(g.o), Stream: name.Sum64()}) {
			sides[i].shares = shares
		}
	}
	for _, r := range g.rows {
		r.fill(func(o eval.Ordinal) string { return g.sample(r.Dataset, o) })
	}
}

// sample is what a sample is called.
func (g *gaining) sample(d eval.DatasetName, o eval.Ordinal) string {
	if s, err := g.facts.Sample(d, o); err == nil {
		return string(s.ID)
	}
	return fmt.Sprintf("sample %d", o)
}

// fill derives the row's differences from its sides; name names samples.
func (r *GainRow) fill(name func(eval.Ordinal) string) {
	r.gain = between(&r.Visual, &r.Text, name)
	r.leakage = floored(between(&r.Text, &r.Base, name))
	for _, g := range []*gap{&r.gain, &r.leakage} {
		for _, m := range g.missing {
			if !slices.Contains(r.Missing, m) {
				r.Missing = append(r.Missing, m)
			}
		}
	}
	if r.gain.Reason() == "" {
		r.Gain = &r.gain.Estimate
	}
	if r.leakage.Reason() == "" {
		r.Leakage = &r.leakage.Estimate
	}
	outside, there := 0, 0
	for _, s := range []*GainSide{&r.Visual, &r.Text, &r.Base} {
		there += report.OneIf(s.there())
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

// between is what one side has over another.
func between(a, b *GainSide, name func(eval.Ordinal) string) gap {
	var missing []string
	for _, s := range []*GainSide{a, b} {
		if !s.there() {
			missing = append(missing, s.Rate.Undefined)
		}
	}
	switch {
	case len(missing) > 0:
		return lacking(missing...)
	case a.Run == 0 || b.Run == 0:
		return outsideGap(a, b)
	}
	p, first, second := a.marks.Beside(b.marks)
	if first+second > 0 {
		return lacking(fmt.Sprintf("the same samples: %s decided by run %d alone%s, %s by run %d alone%s",
			table.Grouped(first), a.Run, alone(a.marks, b.marks, name), table.Grouped(second), b.Run, alone(b.marks, a.marks, name)))
	}
	if p.N() == 0 {
		return lacking(fmt.Sprintf("questions that runs %d and %d have decided", a.Run, b.Run))
	}
	return gap{Estimate: metric.Gap(p, a.shares, b.shares), spread: lead(a.shares, b.shares)}
}

// alone names some of the samples that only the first has decided.
func alone(first, second metric.Marks, name func(eval.Ordinal) string) string {
	const most = 5
	var names []string
	for i := range eval.Ordinal(len(first)) { //nolint:gosec // a number of samples
		if first.At(i) == metric.MarkUnset || second.At(i) != metric.MarkUnset {
			continue
		}
		if len(names) == most {
			names = append(names, "...")
			break
		}
		names = append(names, name(i))
	}
	if len(names) == 0 {
		return ""
	}
	return " (" + strings.Join(names, ", ") + ")"
}

func lacking(what ...string) gap {
	reason := "needs " + what[0]
	for _, w := range what[1:] {
		reason += ", and " + w
	}
	return gap{Estimate: stat.NoEstimate(reason), missing: what}
}

// outsideGap is a difference of which a side or both were measured elsewhere.
func outsideGap(a, b *GainSide) gap {
	out := gap{marked: true, spread: lead(a.resampled(), b.resampled())}
	out.Estimate = stat.Estimate{Value: a.value() - b.value(), Exact: true}
	for _, s := range []*GainSide{a, b} {
		if s.Run == 0 {
			continue
		}
		if s.Rate.N == 0 {
			return lacking(fmt.Sprintf("questions that run %d has decided", s.Run))
		}
		out.N, out.Exact = s.Rate.N, false
		out.Estimate = out.Percentiles(out.spread)
	}
	return out
}

func (s *GainSide) value() float64 {
	if s.External != nil {
		return table.Ratio(s.External.Value)
	}
	return s.Rate.Value
}

// resampled is the side in every resample: a score measured elsewhere stays
// what it is.
func (s *GainSide) resampled() []float64 {
	if s.External == nil {
		return s.shares
	}
	return slices.Repeat([]float64{s.value()}, report.Resamples)
}

func lead(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}

func floored(g gap) gap {
	g.Estimate = metric.Floored(g.Estimate)
	for i := range g.spread {
		g.spread[i] = max(0, g.spread[i])
	}
	return g
}

// outside is a score measured elsewhere of a model on a benchmark, under one of
// the metric's names; without one the side says what it needs.
func (g *gaining) outside(d eval.DatasetName, model, need string, metrics ...string) *GainSide {
	for i := range g.measures {
		m := &g.measures[i]
		if m.Benchmark == string(d) && m.Model == model && slices.Contains(metrics, plainMetric(m.Metric)) {
			return &GainSide{Model: model, External: m}
		}
	}
	return &GainSide{Rate: stat.Undefined(need)}
}
