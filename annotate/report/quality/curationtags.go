package quality

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
)

// The figures of a CurationRow that can be opened, beside AllSamples, Passed and
// Accepted: with a verdict, an expert or a thing that they agree on behind them.
const (
	Decided  report.Which = "reviewed"
	Verdicts report.Which = "verdict:" // of all together; of an expert with the name and a blank before it
	Moved    report.Which = "moved_by:"
	Informed report.Which = "informed:"
	Alike    report.Which = "alike_on:"
	Apart    report.Which = "differ_on:"
)

type curatedSample struct {
	source string
	report.Tagged
}

func (r *CurationRow) addTag(o eval.Ordinal, w report.Which) {
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
		r.addTag(c.Sample, Decided)
	}
	if d.Outcome == curation.Accepted {
		r.addTag(c.Sample, Accepted)
	}
	r.addTag(c.Sample, figureOfVerdict("", d.Verdict))
	for i := range c.Words {
		w := &c.Words[i]
		r.addTag(c.Sample, figureOfVerdict(string(w.Expert), w.Verdict))
		if w.Axis != nil && !slices.Equal(w.Axis, c.Axis) {
			r.addTag(c.Sample, Moved+report.Which(w.Expert))
		}
		if w.Informed {
			r.addTag(c.Sample, Informed+report.Which(w.Expert))
		}
	}
}

// figureOfVerdict is what somebody says of samples, or "" what all do together.
func figureOfVerdict(who string, v curation.Verdict) report.Which {
	return eval.Either(who == "", Verdicts+report.Which(v.String()), report.Which(who+" ")+Verdicts+report.Which(v.String()))
}

func agreementSubjects() []string { return []string{"accepted", "verdict", "axis"} }

// collectBlindWords collects what each expert says of a candidate, by thing; "" for those who
// say nothing, or saw the others' words first.
func collectBlindWords(c *curation.Case, experts []annotate.Annotator) map[string][]string {
	rows := eval.IndexBy(agreementSubjects(), func(on string) (string, []string) { return on, make([]string, len(experts)) })
	for _, w := range c.Words {
		if w.Informed {
			continue
		}
		at := slices.Index(experts, w.Expert)
		rows["verdict"][at], rows["accepted"][at] = w.Verdict.String(), fmt.Sprint(w.Verdict.Accepts())
		rows["axis"][at] = eval.JoinPath(eval.Either(w.Axis == nil, c.Axis, w.Axis))
	}
	return rows
}

// tagAgreement says of every candidate with two blind words or more whether they
// are alike, and of every two experts.
func (r *CurationRow) tagAgreement(cases []curation.Case) {
	experts := eval.Map(r.Experts, func(e CurationExpert) annotate.Annotator { return annotate.Annotator(e.Annotator) })
	for i := range cases {
		c := &cases[i]
		rows := collectBlindWords(c, experts)
		for _, on := range agreementSubjects() {
			said := slices.DeleteFunc(slices.Clone(rows[on]), func(s string) bool { return s == "" })
			if len(said) > 1 {
				r.addTag(c.Sample, figureOfAgreement(on, slices.Max(said) == slices.Min(said)))
			}
		}
		for a := range experts {
			for b := a + 1; b < len(experts); b++ {
				if x, y := rows["accepted"][a], rows["accepted"][b]; x != "" && y != "" {
					r.addTag(c.Sample, figureOfAgreement(joinExperts(string(experts[a]), string(experts[b])), x == y))
				}
			}
		}
	}
}

func figureOfAgreement(what string, alike bool) report.Which {
	return eval.Either(alike, Alike+report.Which(what), Apart+report.Which(what))
}

func joinExperts(a, b string) string { return a + " and " + b }

// newOpener is of the pool's samples of a source, which "all" is every one; told
// reports a figure that experts have no say in.
func (r *CurationRow) newOpener(source string, told bool) report.Opener {
	return report.Opener{Row: r, Dataset: r.Dataset, Open: told, Experts: !told, Names: nameFigure}.WithPart(newSourcePart(source))
}

// KeysBehind yields the samples behind a figure; Selection.Level names a group, where
// experts place the candidates, and Source where samples are from.
func (r *CurationRow) KeysBehind(_ context.Context, _ report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	source := partOfSelection(&s).Source
	return report.SelectKeys(slices.Values(r.order), func(o eval.Ordinal) (eval.Key, bool) {
		x := r.behind[o]
		return eval.Key{Sample: o}, (source == "" || source == sourceName(x.source)) && x.IsBehind(s.Which) && report.PathHasPrefix(x.Path, s.Level)
	})
}

var (
	funnelColumns  = table.ParseColumns("source pool:count filtered:count reviewed:count accepted:count accepted_share:rate")
	verdictColumns = table.ParseColumns("needs_image:count answerable:count in_question:count wrong:count duplicate:count basic:count accepts:rate")
)

var curationLayout = &report.Layout{Columns: slices.Concat(table.ParseColumns("dataset"), funnelColumns, table.ParseColumns("contested:count disputed:count settled:count"), verdictColumns)}

// TableLines are the whole and then every source.
func (r *CurationRow) TableLines() [][]table.Cell {
	whole := append([]table.Cell{table.NewText(string(r.Dataset))}, r.makeFunnelLine(r, allSources)...)
	whole = append(whole, table.NewCount(r.Contested), table.NewCount(r.Disputed), table.NewCount(r.Adjudicated))
	out := [][]table.Cell{append(whole, r.Together.makeCells(r, "")...)}
	width := len(out[0])
	for i := range r.Sources {
		line := append([]table.Cell{table.NewText(string(r.Dataset))}, r.Sources[i].makeFunnelLine(r, sourceName(r.Sources[i].Source))...)
		for len(line) < width {
			line = append(line, table.NewBlank())
		}
		out = append(out, line)
	}
	return out
}

func (f *CurationFunnel) makeFunnelLine(r *CurationRow, name string) []table.Cell {
	models, experts := r.newOpener(name, true), r.newOpener(name, false)
	return []table.Cell{
		table.NewText(name), report.AttachPicks(table.NewCount(f.Pool), models, AllSamples), report.AttachPicks(table.NewCount(f.Filtered), models, Passed),
		report.AttachPicks(table.NewCount(f.Reviewed), experts, Decided), report.AttachPicks(table.NewCount(f.Accepted), experts, Accepted), report.AttachPicks(table.NewRate(f.Share), experts, Accepted),
	}
}

// makeCells makes what an expert says, or with "" what all do together.
func (v *CurationVerdicts) makeCells(r *CurationRow, who string) []table.Cell {
	o := r.newOpener(allSources, false)
	var all []report.Which
	var out []table.Cell
	for i, n := range v.verdictCounters() {
		all = append(all, figureOfVerdict(who, curation.AllVerdicts()[i]))
		out = append(out, report.AttachPicks(table.NewCount(*n), o, all[i]))
	}
	return append(out, report.AttachPicks(table.NewRate(v.Accepts), o, all...))
}

// makeTables makes those that people read: the funnel, what experts say, how they agree, and the balance.
func (r *CurationRow) makeTables() []table.Table {
	title := string(r.Dataset)
	if r.Inspection != "" {
		title += ", candidates of " + r.Inspection
	}
	title = report.MarkSynthetic(title, r.Synthetic)
	o := r.newOpener(allSources, false)
	funnel := table.Table{Name: "curation", Title: title, Columns: funnelColumns, Rows: [][]table.Cell{r.makeFunnelLine(r, allSources)}}
	for i := range r.Sources {
		funnel.Rows = append(funnel.Rows, r.Sources[i].makeFunnelLine(r, sourceName(r.Sources[i].Source)))
	}
	experts := table.Table{
		Name: "experts", Title: title, Columns: slices.Concat(table.ParseColumns("annotator"), verdictColumns, table.ParseColumns("moved:count informed:count")),
	}
	for i := range r.Experts {
		e := &r.Experts[i]
		line := append([]table.Cell{table.NewText(e.Annotator)}, e.makeCells(r, e.Annotator)...)
		experts.Rows = append(experts.Rows, append(line, report.AttachPicks(table.NewCount(e.Moved), o, Moved+report.Which(e.Annotator)), report.AttachPicks(table.NewCount(e.Informed), o, Informed+report.Which(e.Annotator))))
	}
	experts.Rows = append(experts.Rows, append(append([]table.Cell{table.NewText("together")}, r.Together.makeCells(r, "")...), table.NewBlank(), table.NewBlank()))
	agreement := report.MakePartTable(agreedLayout, "agreement", title, r.Agreement, func(a *CurationAgreement) report.Opener { return o.AboutSubject(a.On) })
	pairs := report.MakePartTable(expertPairs, "pairs", title, r.Pairs, func(p *CurationPair) report.Opener { return o.AboutSubject(joinExperts(p.A, p.B)) })
	balance := report.MakePartTable(balanceLayout, "balance", title, r.Groups, func(g *CurationGroup) report.Opener { return o.UnderLevel(g.Path...) })
	return append([]table.Table{funnel}, table.SelectWithRows(experts, agreement, pairs, balance)...)
}

// ExtraCells has the coarse end of the path and the rest of it: MMStar's capability and axis.
func (g *CurationGroup) ExtraCells() report.Cells { return makePathCells(g.Path, "capability", "axis") }

var (
	agreedLayout  = report.NewLayout("on items percent_agreement fleiss_kappa krippendorff_alpha gwet_ac1", CurationAgreement{})
	expertPairs   = report.NewLayout("a b agreement cohen_kappa", CurationPair{})
	balanceLayout = report.NewLayout("capability axis candidates accepted target missing", CurationGroup{})
)
