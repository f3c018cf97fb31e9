package quality

import (
	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
)

var (
	funnelColumns  = table.List("source pool:count filtered:count reviewed:count accepted:count accepted_share:rate")
	verdictColumns = table.List("needs_image:count answerable:count in_question:count wrong:count duplicate:count accepts:rate")
)

// Columns names the columns of the lines that Lines gives.
func (r *CurationRow) Columns() []table.Column {
	return table.Columns(table.List("dataset"), funnelColumns, table.List("contested:count disputed:count settled:count"), verdictColumns)
}

// Lines are the whole and then every source.
func (r *CurationRow) Lines() [][]table.Cell {
	whole := append([]table.Cell{table.Text(string(r.Dataset))}, r.funnel(r, allSources)...)
	whole = append(whole, table.Count(r.Contested), table.Count(r.Disputed), table.Count(r.Adjudicated))
	out := [][]table.Cell{append(whole, r.Together.cells(r, "")...)}
	width := len(out[0])
	for i := range r.Sources {
		line := append([]table.Cell{table.Text(string(r.Dataset))}, r.Sources[i].funnel(r, sourceName(r.Sources[i].Source))...)
		for len(line) < width {
			line = append(line, table.Blank())
		}
		out = append(out, line)
	}
	return out
}

func (f *CurationFunnel) funnel(r *CurationRow, name string) []table.Cell {
	models, experts := r.opener(name, true), r.opener(name, false)
	return []table.Cell{
		table.Text(name), report.Over(table.Count(f.Pool), models, AllSamples), report.Over(table.Count(f.Filtered), models, Passed),
		report.Over(table.Count(f.Reviewed), experts, Decided), report.Over(table.Count(f.Accepted), experts, Accepted), report.Over(table.Rate(f.Share), experts, Accepted),
	}
}

// cells are what an expert says, or with "" what all do together.
func (v *CurationVerdicts) cells(r *CurationRow, who string) []table.Cell {
	o := r.opener(allSources, false)
	of := func(n int, says curation.Verdict) table.Cell {
		return report.Over(table.Count(n), o, verdictOfExpert(who, says))
	}
	var all []report.Which
	for _, says := range []curation.Verdict{curation.NeedsImage, curation.NeedsNone, curation.InQuestion, curation.Wrong, curation.Duplicate} {
		all = append(all, verdictOfExpert(who, says))
	}
	return []table.Cell{
		of(v.NeedsImage, curation.NeedsImage), of(v.Answerable, curation.NeedsNone), of(v.InQuestion, curation.InQuestion),
		of(v.Wrong, curation.Wrong), of(v.Duplicate, curation.Duplicate), report.Over(table.Rate(v.Accepts), o, all...),
	}
}

// sheets are the tables that people read: the funnel, what experts say, how
// far they agree, and the balance.
func (r *CurationRow) sheets() []table.Table {
	title := string(r.Dataset)
	if r.Inspection != "" {
		title += ", candidates of " + r.Inspection
	}
	if r.Synthetic {
		title += " (synthetic)"
	}
	o := r.opener(allSources, false)
	funnel := table.Table{Name: "curation", Title: title, Columns: funnelColumns, Rows: [][]table.Cell{r.funnel(r, allSources)}}
	for i := range r.Sources {
		funnel.Rows = append(funnel.Rows, r.Sources[i].funnel(r, sourceName(r.Sources[i].Source)))
	}
	experts := table.Table{
		Name: "experts", Title: title, Columns: table.Columns(table.List("annotator"), verdictColumns, table.List("moved:count informed:count")),
	}
	for i := range r.Experts {
		e := &r.Experts[i]
		line := append([]table.Cell{table.Text(e.Annotator)}, e.cells(r, e.Annotator)...)
		experts.Rows = append(experts.Rows, append(line, report.Over(table.Count(e.Moved), o, Moved+report.Which(e.Annotator)), report.Over(table.Count(e.Informed), o, Informed+report.Which(e.Annotator))))
	}
	experts.Rows = append(experts.Rows, append(append([]table.Cell{table.Text("together")}, r.Together.cells(r, "")...), table.Blank(), table.Blank()))
	agreement := table.Table{Name: "agreement", Title: title, Columns: table.List("on items:count percent_agreement:rate fleiss_kappa:coefficient krippendorff_alpha:coefficient gwet_ac1:coefficient")}
	for _, a := range r.Agreement {
		agreement.Rows = append(agreement.Rows, r.agreed(&a))
	}
	pairs := table.Table{Name: "pairs", Title: title, Columns: table.List("a b agreement:rate cohen_kappa:coefficient")}
	for _, p := range r.Pairs {
		both := []report.Which{alikeOn(twoExperts(p.A, p.B), true), alikeOn(twoExperts(p.A, p.B), false)}
		pairs.Rows = append(pairs.Rows, []table.Cell{table.Text(p.A), table.Text(p.B), report.Over(table.Rate(p.Agreement), o, both...), report.Over(table.Coefficient(p.Kappa), o, both...)})
	}
	out := []table.Table{funnel}
	for _, t := range []table.Table{experts, agreement, pairs, r.balance(title)} {
		if len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// agreed is how far experts agree on one thing, over the candidates on which
// two of them have a blind word.
func (r *CurationRow) agreed(a *CurationAgreement) []table.Cell {
	of := func(c table.Cell) table.Cell {
		return report.Over(c, r.opener(allSources, false), alikeOn(a.On, true), alikeOn(a.On, false))
	}
	return []table.Cell{table.Text(a.On), of(table.Count(a.Items)), of(table.Rate(a.Percent)), of(table.Coefficient(a.Fleiss)), of(table.Coefficient(a.Alpha)), of(table.Coefficient(a.AC1))}
}

// balance is what is accepted against the targets, by capability and axis.
func (r *CurationRow) balance(title string) table.Table {
	t := table.Table{Name: "balance", Title: title, Columns: table.List("capability axis candidates:count accepted:count target:count missing:count")}
	for _, g := range r.Groups {
		capability, axis := table.Text("all"), table.Blank()
		if len(g.Path) > 0 {
			capability, axis = table.Text(g.Path[0]), table.Text(eval.Path(g.Path[1:]))
		}
		t.Rows = append(t.Rows, []table.Cell{capability, axis, report.Over(table.Count(g.Candidates), r.opener(allSources, false).Under(g.Path...), Passed), report.Over(table.Count(g.Accepted), r.opener(allSources, false).Under(g.Path...), Accepted), optional(g.Target), optional(g.Missing)})
	}
	return t
}
