package report

import (
	"context"
	"iter"

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
	whole := append([]Cell{text(string(r.Dataset))}, r.funnel("all")...)
	whole = append(whole, integer(r.Contested), integer(r.Disputed), integer(r.Settled))
	out := [][]Cell{append(whole, r.Together.cells()...)}
	width := len(out[0])
	for i := range r.Sources {
		line := append([]Cell{text(string(r.Dataset))}, r.Sources[i].funnel(r.Sources[i].Source)...)
		for len(line) < width {
			line = append(line, blank())
		}
		out = append(out, line)
	}
	return out
}

func (f *CurationFunnel) funnel(name string) []Cell {
	if name == "" {
		name = "(none)"
	}
	return []Cell{text(name), integer(f.Pool), integer(f.Filtered), integer(f.Reviewed), integer(f.Accepted), rate(f.Share)}
}

func (v *CurationVerdicts) cells() []Cell {
	return []Cell{integer(v.NeedsImage), integer(v.Answerable), integer(v.InQuestion), integer(v.Wrong), integer(v.Duplicate), rate(v.Accepts)}
}

// keys yields nothing: curation is of samples, and no run's.
func (r *CurationRow) keys(context.Context, Facts, Selection) iter.Seq2[eval.Key, error] {
	return func(func(eval.Key, error) bool) {}
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
	funnel := Table{Name: "curation", Title: title, Columns: funnelColumns, Rows: [][]Cell{r.funnel("all")}}
	for i := range r.Sources {
		funnel.Rows = append(funnel.Rows, r.Sources[i].funnel(r.Sources[i].Source))
	}
	experts := Table{
		Name: "experts", Title: title, Columns: columns([]Column{{Name: "annotator"}}, verdictColumns, countColumns("moved", "informed")),
	}
	for i := range r.Experts {
		e := &r.Experts[i]
		line := append([]Cell{text(e.Annotator)}, e.cells()...)
		experts.Rows = append(experts.Rows, append(line, integer(e.Moved), integer(e.Informed)))
	}
	experts.Rows = append(experts.Rows, append(append([]Cell{text("together")}, r.Together.cells()...), blank(), blank()))
	agreement := Table{Name: "agreement", Title: title, Columns: columns([]Column{{Name: "on"}}, countColumns("items"), []Column{
		{Name: "percent_agreement", Kind: KindRate},
		{Name: "fleiss_kappa", Kind: KindCoefficient},
		{Name: "krippendorff_alpha", Kind: KindCoefficient},
		{Name: "gwet_ac1", Kind: KindCoefficient},
	})}
	for _, a := range r.Agreement {
		agreement.Rows = append(agreement.Rows, []Cell{text(a.On), integer(a.Items), rate(a.Percent), coefficient(a.Fleiss), coefficient(a.Alpha), coefficient(a.AC1)})
	}
	pairs := Table{Name: "pairs", Title: title, Columns: []Column{
		{Name: "a"}, {Name: "b"}, {Name: "agreement", Kind: KindRate}, {Name: "cohen_kappa", Kind: KindCoefficient},
	}}
	for _, p := range r.Pairs {
		pairs.Rows = append(pairs.Rows, []Cell{text(p.A), text(p.B), rate(p.Agreement), coefficient(p.Kappa)})
	}
	out := []Table{funnel}
	for _, t := range []Table{experts, agreement, pairs, r.balance(title)} {
		if len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
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
		t.Rows = append(t.Rows, []Cell{capability, axis, integer(g.Candidates), integer(g.Accepted), optional(g.Target), optional(g.Missing)})
	}
	return t
}
