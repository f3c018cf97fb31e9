package quality

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// Columns names the columns of the lines that Lines gives.
func (r *InspectorsRow) Columns() []table.Column {
	return table.List("inspection dataset source group class samples:count share:rate")
}

// Lines give every figure of the pool, and then those of each source.
func (r *InspectorsRow) Lines() [][]table.Cell {
	out := r.partLines(&r.InspectedPart, "all")
	for i := range r.Sources {
		out = append(out, r.partLines(&r.Sources[i], sourceName(r.Sources[i].Source))...)
	}
	return out
}

func (r *InspectorsRow) partLines(p *InspectedPart, source string) [][]table.Cell {
	var out [][]table.Cell
	add := func(group, class string, n, share table.Cell) {
		out = append(out, []table.Cell{table.Text(r.Inspection), table.Text(string(r.Dataset)), table.Text(source), table.Text(group), table.Text(class), n, share})
	}
	of := func(group, class string, share stat.Rate) { add(group, class, table.Count(share.K), table.Rate(share)) }
	add("samples", "pool", table.Count(p.Pool), table.Blank())
	add("samples", "incomplete", table.Count(p.Incomplete), table.Blank())
	for _, h := range p.Hits {
		of("hits", table.Grouped(h.Hits), h.Samples)
	}
	of("filter", "abnormal", p.Abnormal)
	of("filter", "majority", p.Majority)
	of("filter", "filtered", p.Filtered)
	for _, h := range p.Sighted {
		of("sighted_hits", table.Grouped(h.Hits), h.Samples)
	}
	for _, l := range p.Levels {
		of("difficulty", l.Level, l.Samples)
	}
	add("difficulty", "ungraded", table.Count(p.Ungraded), table.Blank())
	of("filter", "doubtful", p.Doubtful)
	of("funnel", "candidates", p.Candidates)
	if p.Accepted != nil {
		of("funnel", "accepted", *p.Accepted)
	}
	return out
}

// Names of sources that are none's own: of samples that do not tell where they
// are from, and of the whole.
const (
	noSource   = "(none)"
	allSources = "all"
)

func sourceName(s string) string { return cmp.Or(s, noSource) }

// sheets are the tables that people read: who had a say, hits, the funnel per
// source, and the difficulty.
func (r *InspectorsRow) sheets() []table.Table {
	title := report.Titled(r.Inspection+", "+string(r.Dataset), r.Synthetic)
	out := []table.Table{r.runSheet(title), report.HitSheet("correct without image", title, r.Hits, r.hitting(Hits)), r.funnelSheet(title)}
	if len(r.Graders) > 0 {
		out = append(out, report.HitSheet("correct with image", title, r.Sighted, r.hitting(SightedHits)), r.difficultySheet(title))
	}
	return out
}

func (r *InspectorsRow) runSheet(title string) table.Table {
	t := table.Table{Name: "inspectors", Title: title, Columns: table.List("picture:text run:count model rules judge")}
	for n, i := range slices.Concat(r.Inspectors, r.Graders) {
		picture := map[bool]string{true: "without", false: "with"}[n < len(r.Inspectors)]
		t.Rows = append(t.Rows, []table.Cell{table.Text(picture), table.Count(int(i.Run)), table.Text(i.Model), table.Text(i.Rules), table.Text(i.Judge)})
	}
	return t
}

// hitting opens the samples with a number of hits.
func (r *InspectorsRow) hitting(w report.Which) func(table.Cell, int) table.Cell {
	return func(c table.Cell, hits int) table.Cell {
		return report.Over(c, report.Opener{Row: r, Extractor: r.reader(w), Names: figureNames}.With(Part{Hits: hits}), w)
	}
}

// opener is of the samples of a source, which "all" is every one.
func (r *InspectorsRow) opener(source string, w report.Which) report.Opener {
	return report.Opener{Row: r, Extractor: r.reader(w), Experts: w == Accepted, Names: figureNames}.With(ofSource(source))
}

// reader is who reads the answers that stand for a figure.
func (r *InspectorsRow) reader(w report.Which) string {
	for _, i := range slices.Concat(r.Inspectors, r.Graders) {
		if i.Run == r.shown(w) {
			rules, _, _ := strings.Cut(i.Rules, "@")
			return cmp.Or(i.Judge, report.RulesPrefix+rules)
		}
	}
	return ""
}

// funnelSheet is what each step leaves of every source (MMStar, Fig. 2 and 4).
func (r *InspectorsRow) funnelSheet(title string) table.Table {
	t := table.Table{Name: "funnel", Title: title, Columns: table.List("source pool:count incomplete:count abnormal:rate majority:rate filtered:rate doubtful:rate candidates:rate accepted:rate")}
	for _, p := range r.parts() {
		accepted := stat.Undefined("not reviewed")
		if p.Accepted != nil {
			accepted = *p.Accepted
		}
		of := func(c table.Cell, which ...report.Which) table.Cell {
			return report.Over(c, r.opener(p.Source, which[0]), which...)
		}
		t.Rows = append(t.Rows, []table.Cell{
			table.Text(p.Source), of(table.Count(p.Pool), report.Every), of(table.Count(p.Incomplete), report.Incomplete), of(table.Rate(p.Abnormal), Abnormal),
			of(table.Rate(p.Majority), ByMajority), of(table.Rate(p.Filtered), Passed, Answerable), of(table.Rate(p.Doubtful), Doubtful),
			of(table.Rate(p.Candidates), Candidates), of(table.Rate(accepted), Accepted),
		})
	}
	return t
}

func (r *InspectorsRow) difficultySheet(title string) table.Table {
	t := table.Table{Name: "difficulty", Title: title, Columns: table.List("source")}
	for _, d := range levels() {
		t.Columns = append(t.Columns, table.Column{Name: d.String(), Kind: table.KindRate})
	}
	t.Columns = append(t.Columns, table.List("ungraded:count")...)
	for _, p := range r.parts() {
		line := []table.Cell{table.Text(p.Source)}
		for i, d := range levels() {
			part := ofSource(p.Source)
			part.Difficulty = d
			line = append(line, report.Over(table.Rate(p.Levels[i].Samples), r.opener(p.Source, OfDifficulty).With(part), OfDifficulty))
		}
		t.Rows = append(t.Rows, append(line, report.Over(table.Count(p.Ungraded), r.opener(p.Source, Ungraded), Ungraded)))
	}
	return t
}

// parts are the whole and then every source, by the names that tables use.
func (r *InspectorsRow) parts() []InspectedPart {
	whole := r.InspectedPart
	whole.Source = allSources
	out := []InspectedPart{whole}
	for _, p := range r.Sources {
		p.Source = sourceName(p.Source)
		out = append(out, p)
	}
	return out
}

// Keys yields the samples behind a figure, of those of Part.Source: each
// as the first inspector answered it, and for what graders say as the first of
// them did.
func (r *InspectorsRow) Keys(_ context.Context, _ report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	source := partOf(&s).Source
	return report.KeysOf(slices.Values(r.findings), func(f curation.Finding) (eval.Key, bool) {
		is := (source == "" || source == sourceName(r.source[f.Sample])) && r.behind(&f, &s)
		return eval.Key{Run: r.shown(s.Which), Sample: f.Sample}, is
	})
}

// behind reports whether a sample is behind a figure.
func (r *InspectorsRow) behind(f *curation.Finding, s *report.Selection) bool {
	graded := passed(f) && f.Difficulty != curation.Ungraded
	switch s.Which {
	case report.Every:
		return true
	case report.Incomplete:
		return f.Fate == curation.Incomplete
	case Hits:
		return f.Fate != curation.Incomplete && f.Blind.K == partOf(s).Hits
	case Abnormal:
		return f.Abnormal
	case ByMajority:
		return f.Majority
	case Passed:
		return passed(f)
	case Answerable:
		return f.Fate == curation.Answerable
	case SightedHits:
		return graded && f.Sighted.K == partOf(s).Hits
	case OfDifficulty:
		return graded && f.Difficulty == partOf(s).Difficulty
	case Ungraded:
		return len(r.Graders) > 0 && passed(f) && !graded
	case Doubtful:
		return f.Fate == curation.Doubtful
	case Candidates:
		return f.Candidate()
	case Accepted:
		return r.accepted[f.Sample]
	default:
		return false
	}
}

// shown is the run whose answers stand for a figure.
func (r *InspectorsRow) shown(w report.Which) eval.RunID {
	switch w {
	case SightedHits, OfDifficulty, Ungraded, Doubtful, Candidates, Accepted:
		if len(r.Graders) > 0 {
			return r.Graders[0].Run
		}
	default:
	}
	return r.Inspectors[0].Run
}

// The figures of inspections that can be opened.
const (
	Hits         report.Which = "hits" // with Part.Hits
	Abnormal     report.Which = "abnormal"
	ByMajority   report.Which = "majority"     // more than half of the inspectors answer them
	Passed       report.Which = "filtered"     // kept by the coarse filter
	Answerable   report.Which = "answerable"   // dropped by it
	SightedHits  report.Which = "sighted_hits" // with Part.Hits
	OfDifficulty report.Which = "difficulty"   // with Part.Difficulty
	Ungraded     report.Which = "ungraded"
	Doubtful     report.Which = "doubtful"
	Candidates   report.Which = "candidates"
	Accepted     report.Which = "accepted" // by experts
)

// Part tells figures apart that have one name.
type Part struct {
	Hits       int                 // for Hits and SightedHits
	Difficulty curation.Difficulty // for OfDifficulty
	Source     string              // of samples, as its tables name them; "": all
}

// partOf is that of a selection; the zero value without one.
func partOf(s *report.Selection) Part {
	p, _ := s.Part.(Part)
	return p
}

// figureNames are how the figures are called whose own name says too little.
func figureNames(s *report.Selection) string {
	switch s.Which {
	case Hits, SightedHits:
		return report.Plural(partOf(s).Hits, "hit")
	case OfDifficulty:
		return partOf(s).Difficulty.String()
	case ByMajority:
		return "right by majority vote"
	default:
		return ""
	}
}

// ofSource is the part of a source as tables name it, which "all" is every one.
func ofSource(source string) Part {
	if source == allSources {
		return Part{}
	}
	return Part{Source: source}
}
