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

// gap is a difference of two sides.
type gap struct {
	stat.Contrast
	missing []string
	marked  bool // one of the sides was measured elsewhere

	floored bool          // leakage, which is at least 0
	signed  stat.Estimate // of leakage: before it was cut off
}

func (g *gap) cell() table.Cell { return g.cellOf(g.Estimate) }

// cellOf is a figure of the gap.
func (g *gap) cellOf(e stat.Estimate) table.Cell {
	if g.marked {
		return table.Points(e).Daggered()
	}
	return table.Points(e)
}

// fill fills in the rows.
func (g *gaining) fill() {
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
		r.Leakage, r.Signed = &r.leakage.Estimate, &r.leakage.signed
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
	return gap{Contrast: a.marks.Contrast(b.marks, a.clusters)}
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
	none := stat.NoEstimate(reason)
	return gap{Contrast: stat.Contrast{Estimate: none}, missing: what, signed: none}
}

// outsideGap is a difference of which a side or both were measured elsewhere.
func outsideGap(a, b *GainSide) gap {
	for _, s := range []*GainSide{a, b} {
		if s.Run != 0 && s.Rate.N == 0 {
			return lacking(fmt.Sprintf("questions that run %d has decided", s.Run))
		}
	}
	out := gap{marked: true}
	switch {
	case a.Run != 0:
		out.Contrast = a.marks.Beyond(b.value(), a.clusters)
	case b.Run != 0:
		out.Contrast = metric.Turned(b.marks.Beyond(a.value(), b.clusters))
	default:
		out.Estimate = stat.Estimate{Value: a.value() - b.value(), Exact: true}
	}
	return out
}

func (s *GainSide) value() float64 {
	if s.External != nil {
		return table.Ratio(s.External.Value)
	}
	return s.Rate.Value
}

func floored(g gap) gap {
	g.floored, g.signed = true, g.Estimate
	g.Estimate = metric.Floored(g.Estimate)
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
