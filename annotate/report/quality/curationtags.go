package quality

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/eval"
)

// The figures of a CurationRow that can be opened, beside AllSamples, Passed and
// Accepted: with a verdict, an expert or a thing that they agree on behind them.
const (
	Decided  report.Which = "reviewed"
	Verdicts report.Which = "verdict:" // of all together; of an expert with the name and a blank before it
	Moved    report.Which = "moved by:"
	Informed report.Which = "informed:"
	Alike    report.Which = "alike on:"
	Apart    report.Which = "differ on:"
)

// curatedSample is what a sample of the pool counts for.
type curatedSample struct {
	source string
	report.Tagged
}

// know takes a sample of the pool in.
func (r *CurationRow) know(s *eval.Sample) {
	r.behind[s.Ordinal] = &curatedSample{s.Source, report.Tagged{Pair: eval.Pair{Sample: s.Ordinal}, Path: s.Taxonomy, Tags: []report.Which{AllSamples}}}
	r.order = append(r.order, s.Ordinal)
}

func (r *CurationRow) tag(o eval.Ordinal, w report.Which) {
	if s := r.behind[o]; s != nil {
		s.Tags = append(s.Tags, w)
	}
}

// tagCase says what a candidate counts for, where experts place it.
func (r *CurationRow) tagCase(c *curation.Case) {
	d := &c.Decision
	if s := r.behind[c.Sample]; s != nil {
		s.Path = d.Axis
	}
	if d.Outcome != curation.Open {
		r.tag(c.Sample, Decided)
	}
	if d.Outcome == curation.Accepted {
		r.tag(c.Sample, Accepted)
	}
	r.tag(c.Sample, verdictOfExpert("", d.Verdict))
	for i := range c.Words {
		w := &c.Words[i]
		r.tag(c.Sample, verdictOfExpert(string(w.Expert), w.Verdict))
		if w.Axis != nil && !slices.Equal(w.Axis, c.Axis) {
			r.tag(c.Sample, Moved+report.Which(w.Expert))
		}
		if w.Informed {
			r.tag(c.Sample, Informed+report.Which(w.Expert))
		}
	}
}

// verdictOfExpert is what somebody says of samples, or "" what all do together.
func verdictOfExpert(who string, v curation.Verdict) report.Which {
	if who == "" {
		return Verdicts + report.Which(v.String())
	}
	return report.Which(who+" ") + Verdicts + report.Which(v.String())
}

// curatedThings are what experts can agree on.
func curatedThings() []string { return []string{"accepted", "verdict", "axis"} }

// blindWords are what each expert says of a candidate, by thing; "" for those who
// say nothing, or saw the others' words first.
func blindWords(c *curation.Case, experts []annotate.Annotator) map[string][]string {
	rows := make(map[string][]string)
	for _, on := range curatedThings() {
		rows[on] = make([]string, len(experts))
	}
	for _, w := range c.Words {
		if w.Informed {
			continue
		}
		at := slices.Index(experts, w.Expert)
		rows["verdict"][at], rows["accepted"][at] = w.Verdict.String(), fmt.Sprint(w.Verdict.Accepts())
		axis := w.Axis
		if axis == nil {
			axis = c.Axis
		}
		rows["axis"][at] = eval.Path(axis)
	}
	return rows
}

// tagAgreement says of every candidate with two blind words or more whether they
// are alike, and of every two experts.
func (r *CurationRow) tagAgreement(cases []curation.Case) {
	var experts []annotate.Annotator
	for i := range r.Experts {
		experts = append(experts, annotate.Annotator(r.Experts[i].Annotator))
	}
	for i := range cases {
		c := &cases[i]
		rows := blindWords(c, experts)
		for _, on := range curatedThings() {
			said := slices.DeleteFunc(slices.Clone(rows[on]), func(s string) bool { return s == "" })
			if len(said) > 1 {
				r.tag(c.Sample, alikeOn(on, slices.Max(said) == slices.Min(said)))
			}
		}
		for a := range experts {
			for b := a + 1; b < len(experts); b++ {
				if x, y := rows["accepted"][a], rows["accepted"][b]; x != "" && y != "" {
					r.tag(c.Sample, alikeOn(twoExperts(string(experts[a]), string(experts[b])), x == y))
				}
			}
		}
	}
}

func alikeOn(what string, alike bool) report.Which {
	if alike {
		return Alike + report.Which(what)
	}
	return Apart + report.Which(what)
}

func twoExperts(a, b string) string { return a + " and " + b }

// opener is of the pool's samples of a source, which "all" is every one; told
// reports a figure that experts have no say in.
func (r *CurationRow) opener(source string, told bool) report.Opener {
	return report.Opener{Row: r, Dataset: r.Dataset, Open: told, Experts: !told, Names: figureNames}.With(ofSource(source))
}

// Keys yields the samples behind a figure; Selection.Level names a group, where
// experts place the candidates, and Source where samples are from.
func (r *CurationRow) Keys(_ context.Context, _ report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	return func(yield func(eval.Key, error) bool) {
		for _, o := range r.order {
			x := r.behind[o]
			if of := partOf(&s).Source; of != "" && of != sourceName(x.source) || !x.Is(s.Which) || !report.Under(x.Path, s.Level) {
				continue
			}
			if !yield(eval.Key{Sample: o}, nil) {
				return
			}
		}
	}
}
