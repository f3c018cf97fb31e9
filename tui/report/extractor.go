package report

import (
	"fmt"
	"maps"
	"slices"

	"concord/annotate"
	figures "concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/widget"
)

// extractorLine is an extractor's rate with its baseline.
func (m *Model) extractorLine(group string, r *alignment.Row) line {
	l := line{
		id: group + "\x00" + r.Extractor, depth: 1, name: widget.Line(r.Extractor), rate: r.Alignment, other: r.Baseline,
		beside: func() [][2]string { return append(alignedBeside(r, r.Alignment), m.hidden()...) },
		behind: m.alignedBehind(r, r.Extractor, figures.Selection{}),
	}
	if r.LeftOut != "" {
		l.note, l.behind.Lists = "left out: "+widget.Line(r.LeftOut), nil
	}
	return l
}

// extractorLines are an extractor's rate and, when open, what it is made of, its
// parts, and the other extractors.
func (m *Model) extractorLines(group string, r *alignment.Row) []line {
	l := m.extractorLine(group, r)
	if r.LeftOut != "" {
		return []line{l}
	}
	l.parent, l.open = len(r.Levels)+len(r.People)+len(r.Models) > 0, m.open[l.id]
	out := []line{l}
	if !l.open {
		return out
	}
	out = append(out, m.countLines(l.id, r)...)
	out = append(out, m.partLines(l.id, r)...)
	return append(out, m.testLines(l.id, r)...)
}

// sub is a line below an extractor's.
func (m *Model) sub(id, label, name string, r *alignment.Row) line {
	return line{
		id: id + "\x00" + label + name, depth: 2, name: widget.Line(name), label: label,
		behind: OpenSamples{Title: r.Extractor + ", " + name},
		beside: func() [][2]string { return append(alignedBeside(r, r.Alignment), m.hidden()...) },
	}
}

// countLines are what the rate does not count as aligned, each with its items:
// the cases, who turned out to be right, and what is left out.
func (m *Model) countLines(id string, r *alignment.Row) []line {
	var out []line
	count := func(label, name string, n int, s figures.Selection) {
		if n == 0 {
			return
		}
		l := m.sub(id, label, name, r)
		l.note = widget.Plural(n, "item")
		if m.opens(r) && alignment.PartOf(&s).Reason != annotate.LeftGold { // who looks at those may be labelling them
			l.behind.Extractor, l.behind.People = r.Extractor, true
			l.behind.Lists = []List{behind(m.source, r, name, s)}
		}
		out = append(out, l)
	}
	count("", "Case I", r.CaseOne, figures.Selection{Which: alignment.CaseOne})
	count("", "Case II", r.CaseTwo, figures.Selection{Which: alignment.CaseTwo})
	if a := r.Adjudicated; a != nil {
		name := "with rulings"
		if a.Optimistic {
			name += ", optimistic"
		}
		settled := m.sub(id, "", name, r)
		settled.rate = a.Alignment
		if m.opens(r) {
			settled.behind.Extractor, settled.behind.People = r.Extractor, true
			settled.behind.Lists = []List{behind(m.source, r, "settled", figures.Selection{Which: alignment.Settled})}
		}
		out = append(out, settled)
		c := &a.CaseTwo
		for _, x := range []struct {
			name  string
			n     int
			cause annotate.Cause
		}{
			{"person right", c.PersonRight, annotate.PersonRight},
			{"judge right", c.JudgeRight, annotate.JudgeRight},
			{"ambiguous", c.Ambiguous, annotate.AmbiguousCause},
			{"both wrong", c.BothWrong, annotate.BothWrong},
			{"not settled", c.Open, annotate.CauseUnset},
		} {
			count("Case II", x.name, x.n, figures.Selection{Which: alignment.CausedBy, Part: alignment.Part{Cause: x.cause}})
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(r.Excluded)) {
		count("left out", reason, r.Excluded[reason], figures.Selection{Which: alignment.Excluded, Part: alignment.Part{Reason: reason}})
	}
	return out
}

// partLines are the rates on parts of the items.
func (m *Model) partLines(id string, r *alignment.Row) []line {
	var out []line
	part := func(kind, name string, f *alignment.Agreement, s figures.Selection) {
		p := m.sub(id, kind, name, r)
		p.rate = f.Alignment
		p.beside = func() [][2]string { return append(partBeside(r, f), m.hidden()...) }
		p.behind = m.alignedBehind(r, p.behind.Title, s)
		out = append(out, p)
	}
	for i := range r.Models {
		x := &r.Models[i]
		part("model", x.Model, &x.Agreement, figures.Selection{Part: alignment.Part{Model: x.Model}})
	}
	for i := range r.People {
		x := &r.People[i]
		part("person", x.Annotator, &x.Agreement, figures.Selection{Part: alignment.Part{Person: annotate.Annotator(x.Annotator)}})
	}
	for i := range r.Levels {
		x := &r.Levels[i]
		part("level", eval.Path(x.Path), &x.Agreement, figures.Selection{Level: x.Path})
	}
	return out
}

// partBeside is what stands beside the rate on a part of the items.
func partBeside(r *alignment.Row, f *alignment.Agreement) [][2]string {
	return [][2]string{
		{"alignment", whole(f.Alignment)},
		{"agreement", "Cohen's kappa " + coefficient(f.Kappa) + "  ·  Gwet's AC1 " + coefficient(f.AC1)},
		{"of all", whole(r.Alignment)},
	}
}

// testLines are the other extractors on the items on which both are compared,
// with McNemar's test; behind them are the items that tell the two apart.
func (m *Model) testLines(id string, r *alignment.Row) []line {
	var out []line
	for i := range r.McNemar {
		x := &r.McNemar[i]
		l := m.sub(id, "beside", x.With, r)
		l.note = difference(x.Difference) + "; " + mcnemarP(x)
		l.beside = func() [][2]string { return append(testBeside(r, x), m.hidden()...) }
		if m.opens(r) {
			only := func(name string, w figures.Which) List {
				return behind(m.source, r, name, figures.Selection{Which: w, Part: alignment.Part{With: x.With}})
			}
			l.behind.Extractor, l.behind.People = r.Extractor, true
			l.behind.Lists = []List{
				only("only "+widget.Line(r.Extractor)+" as people", alignment.OnlyFirst),
				only("only "+widget.Line(x.With)+" as people", alignment.OnlySecond),
			}
		}
		out = append(out, l)
	}
	return out
}

// difference is one of rates, in points.
func difference(e stat.Estimate) string {
	switch reason := e.Reason(); {
	case reason != "":
		return "– " + widget.Line(reason)
	case e.Exact:
		return fmt.Sprintf("%+.1f points, n %s", 100*e.Value, widget.Count(e.N))
	}
	return fmt.Sprintf("%+.1f points [%+.1f, %+.1f], n %s", 100*e.Value, 100*e.Low, 100*e.High, widget.Count(e.N))
}

func mcnemarP(x *alignment.Test) string {
	switch {
	case x.Test.Undefined != "":
		return "McNemar – " + x.Test.Undefined
	case x.Test.Exact < 0.001:
		return "McNemar p < 0.001"
	}
	return fmt.Sprintf("McNemar p %.3f", x.Test.Exact)
}

func testBeside(r *alignment.Row, x *alignment.Test) [][2]string {
	out := [][2]string{
		{"this one", widget.Line(r.Extractor) + " " + whole(x.Alignment)},
		{"beside", widget.Line(x.With) + " " + whole(x.Other) + ", on the items on which both are compared"},
		{"difference", difference(x.Difference)},
	}
	if t := &x.Test; t.Undefined == "" {
		out = append(out, [2]string{"McNemar", fmt.Sprintf(
			"%d only this one as people, %d only the other · exact p %.3g, mid-p %.3g, corrected %.3g, uncorrected %.3g",
			t.First, t.Second, t.Exact, t.MidP, t.PCorrected, t.P)})
	}
	return out
}
