package report

import (
	"concord/annotate/curation"
	"concord/eval"
)

var (
	funnelColumns = columns(
		[]Column{{Name: "source"}}, countColumns("pool", "filtered", "reviewed", "accepted"), []Column{{Name: "accepted_share", Kind: KindRate}},
	)
	verdictColumns = columns(
		countColumns("needs_image", "answerable", "in_question", "wrong", "duplicate"), []Column{{Name: "accepts", Kind: KindRate}},
	)
)

func (r *CurationRow) columns() []Column {
	return columns([]Column{{Name: "dataset"}}, funnelColumns, countColumns("contested", "disputed", "settled"), verdictColumns)
}

// lines are the whole and then every source.
func (r *CurationRow) lines() [][]Cell {
	whole := append([]Cell{text(string(r.Dataset))}, r.funnel(r, allSources)...)
	whole = append(whole, integer(r.Contested), integer(r.Disputed), integer(r.Settled))
	out := [][]Cell{append(whole, r.Together.cells(r, "")...)}
	width := len(out[0])
	for i := range r.Sources {
		line := append([]Cell{text(string(r.Dataset))}, r.Sources[i].funnel(r, sourceName(r.Sources[i].Source))...)
		for len(line) < width {
			line = append(line, blank())
		}
		out = append(out, line)
	}
	return out
}

func (f *CurationFunnel) funnel(r *CurationRow, name string) []Cell {
	models, experts := r.opener(name, true), r.opener(name, false)
	return []Cell{
		text(name), integer(f.Pool).over(models, AllSamples), integer(f.Filtered).over(models, Passed),
		integer(f.Reviewed).over(experts, Decided), integer(f.Accepted).over(experts, Accepted), rate(f.Share).over(experts, Accepted),
	}
}

// cells are what an expert says, or with "" what all do together.
func (v *CurationVerdicts) cells(r *CurationRow, who string) []Cell {
	o := r.opener(allSources, false)
	of := func(n int, says curation.Verdict) Cell { return integer(n).over(o, verdictOfExpert(who, says)) }
	var all []Which
	for _, says := range []curation.Verdict{curation.NeedsImage, curation.NeedsNone, curation.InQuestion, curation.Wrong, curation.Duplicate} {
		all = append(all, verdictOfExpert(who, says))
	}
	return []Cell{
		of(v.NeedsImage, curation.NeedsImage), of(v.Answerable, curation.NeedsNone), of(v.InQuestion, curation.InQuestion),
		of(v.Wrong, curation.Wrong), of(v.Duplicate, curation.Duplicate), rate(v.Accepts).over(o, all...),
	}
}

// sheets are the tables that people read: the funnel, what experts say, how
// far they agree, and the balance.
func (r *CurationRow) sheets() []Table {
	title := string(r.Dataset)
	if r.Inspection != "" {
		title += ", candidates of " + r.Inspection
	}
	if r.Synthetic {
		title += " (synthetic)"
	}
	o := r.opener(allSources, false)
	funnel := Table{Name: "curation", Title: title, Columns: funnelColumns, Rows: [][]Cell{r.funnel(r, allSources)}}
	for i := range r.Sources {
		funnel.Rows = append(funnel.Rows, r.Sources[i].funnel(r, sourceName(r.Sources[i].Source)))
	}
	experts := Table{
		Name: "experts", Title: title, Columns: columns([]Column{{Name: "annotator"}}, verdictColumns, countColumns("moved", "informed")),
	}
	for i := range r.Experts {
		e := &r.Experts[i]
		line := append([]Cell{text(e.Annotator)}, e.cells(r, e.Annotator)...)
		experts.Rows = append(experts.Rows, append(line, integer(e.Moved).over(o, Moved+Which(e.Annotator)), integer(e.Informed).over(o, Informed+Which(e.Annotator))))
	}
	experts.Rows = append(experts.Rows, append(append([]Cell{text("together")}, r.Together.cells(r, "")...), blank(), blank()))
	agreement := Table{Name: "agreement", Title: title, Columns: columns([]Column{{Name: "on"}}, countColumns("items"), []Column{
		{Name: "percent_agreement", Kind: KindRate},
		{Name: "fleiss_kappa", Kind: KindCoefficient},
		{Name: "krippendorff_alpha", Kind: KindCoefficient},
		{Name: "gwet_ac1", Kind: KindCoefficient},
	})}
	for _, a := range r.Agreement {
		agreement.Rows = append(agreement.Rows, r.agreed(&a))
	}
	pairs := Table{Name: "pairs", Title: title, Columns: []Column{
		{Name: "a"}, {Name: "b"}, {Name: "agreement", Kind: KindRate}, {Name: "cohen_kappa", Kind: KindCoefficient},
	}}
	for _, p := range r.Pairs {
		both := []Which{alikeOn(twoExperts(p.A, p.B), true), alikeOn(twoExperts(p.A, p.B), false)}
		pairs.Rows = append(pairs.Rows, []Cell{text(p.A), text(p.B), rate(p.Agreement).over(o, both...), coefficient(p.Kappa).over(o, both...)})
	}
	out := []Table{funnel}
	for _, t := range []Table{experts, agreement, pairs, r.balance(title)} {
		if len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// agreed is how far experts agree on one thing, over the candidates on which
// two of them have a blind word.
func (r *CurationRow) agreed(a *CurationAgreement) []Cell {
	of := func(c Cell) Cell {
		return c.over(r.opener(allSources, false), alikeOn(a.On, true), alikeOn(a.On, false))
	}
	return []Cell{text(a.On), of(integer(a.Items)), of(rate(a.Percent)), of(coefficient(a.Fleiss)), of(coefficient(a.Alpha)), of(coefficient(a.AC1))}
}

// balance is what is accepted against the targets, by capability and axis.
func (r *CurationRow) balance(title string) Table {
	t := Table{Name: "balance", Title: title, Columns: columns(
		[]Column{{Name: "capability"}, {Name: "axis"}}, countColumns("candidates", "accepted", "target", "missing"),
	)}
	for _, g := range r.Groups {
		capability, axis := text("all"), blank()
		if len(g.Path) > 0 {
			capability, axis = text(g.Path[0]), text(eval.Path(g.Path[1:]))
		}
		t.Rows = append(t.Rows, []Cell{capability, axis, integer(g.Candidates).over(r.opener(allSources, false).under(g.Path...), Passed), integer(g.Accepted).over(r.opener(allSources, false).under(g.Path...), Accepted), optional(g.Target), optional(g.Missing)})
	}
	return t
}
