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

var inspectionLayout = report.NewLayout("inspection dataset source group class samples:count share:rate")

// TableLines give every figure of the pool, and then those of each source.
func (r *InspectionRow) TableLines() [][]table.Cell {
	out := r.makePartLines(&r.InspectedPart, "all")
	for i := range r.Sources {
		out = append(out, r.makePartLines(&r.Sources[i], sourceName(r.Sources[i].Source))...)
	}
	return out
}

func (r *InspectionRow) makePartLines(p *InspectedPart, source string) [][]table.Cell {
	var out [][]table.Cell
	add := func(group, class string, n, share table.Cell) {
		out = append(out, []table.Cell{table.NewText(r.Inspection), table.NewText(string(r.Dataset)), table.NewText(source), table.NewText(group), table.NewText(class), n, share})
	}
	of := func(group, class string, share stat.Rate) {
		add(group, class, table.NewCount(share.K), table.NewRate(share))
	}
	add("samples", "pool", table.NewCount(p.Pool), table.NewBlank())
	add("samples", "incomplete", table.NewCount(p.Incomplete), table.NewBlank())
	for _, h := range p.Hits {
		of("hits", table.FormatGrouped(h.Hits), h.Samples)
	}
	of("filter", "abnormal", p.Abnormal)
	of("filter", "majority", p.Majority)
	of("filter", "filtered", p.Filtered)
	for _, h := range p.Sighted {
		of("sighted_hits", table.FormatGrouped(h.Hits), h.Samples)
	}
	for _, l := range p.Levels {
		of("difficulty", l.Level, l.Samples)
	}
	add("difficulty", "ungraded", table.NewCount(p.Ungraded), table.NewBlank())
	of("filter", "doubtful", p.Doubtful)
	of("funnel", "candidates", p.Candidates)
	if p.Accepted != nil {
		of("funnel", "accepted", *p.Accepted)
	}
	return out
}

// Names of sources that are none's own: of samples that do not tell where they are from, and of the whole.
const (
	noSource   = "(none)"
	allSources = "all"
)

func sourceName(s string) string { return cmp.Or(s, noSource) }

// makeTables makes those that people read: who had a say, hits, the funnel per source, and the difficulty.
func (r *InspectionRow) makeTables() []table.Table {
	title := report.MarkSynthetic(r.Inspection+", "+string(r.Dataset), r.Synthetic)
	out := []table.Table{r.makeRunTable(title), report.MakeHitCountTable("correct without image", title, r.Hits, r.newHitsOpener(Hits)), r.makeFunnelTable(title)}
	if len(r.Graders) > 0 {
		out = append(out, report.MakeHitCountTable("correct with image", title, r.Sighted, r.newHitsOpener(SightedHits)), r.makeDifficultyTable(title))
	}
	return out
}

func (r *InspectionRow) makeRunTable(title string) table.Table {
	t := table.Table{Name: "inspectors", Title: title, Columns: table.ParseColumns("picture:text run:count model rules judge")}
	for n, i := range slices.Concat(r.Inspectors, r.Graders) {
		picture := map[bool]string{true: "without", false: "with"}[n < len(r.Inspectors)]
		t.Rows = append(t.Rows, []table.Cell{table.NewText(picture), table.NewCount(int(i.Run)), table.NewText(i.Model), table.NewText(i.Rules), table.NewText(i.Judge)})
	}
	return t
}

func (r *InspectionRow) newHitsOpener(w report.Which) func(table.Cell, int) table.Cell {
	return func(c table.Cell, hits int) table.Cell {
		return report.AttachPicks(c, report.Opener{Row: r, Extractor: r.extractorShown(w), Names: nameFigure}.WithPart(FigurePart{Hits: hits}), w)
	}
}

// newOpener is of the samples of a source, which "all" is every one.
func (r *InspectionRow) newOpener(source string, w report.Which) report.Opener {
	return report.Opener{Row: r, Extractor: r.extractorShown(w), Experts: w == Accepted, Names: nameFigure}.WithPart(newSourcePart(source))
}

// extractorShown is who reads the answers that stand for a figure.
func (r *InspectionRow) extractorShown(w report.Which) string {
	for _, i := range slices.Concat(r.Inspectors, r.Graders) {
		if i.Run == r.runShown(w) {
			rules, _, _ := strings.Cut(i.Rules, "@")
			by := report.Source{Extractor: cmp.Or(i.Judge, report.RulesPrefix+rules), Rules: rules}
			return by.ReadBy()
		}
	}
	return ""
}

// makeFunnelTable makes what each step leaves of every source (MMStar, Fig. 2 and 4).
func (r *InspectionRow) makeFunnelTable(title string) table.Table {
	t := table.Table{Name: "funnel", Title: title, Columns: table.ParseColumns("source pool:count incomplete:count abnormal:rate majority:rate filtered:rate doubtful:rate candidates:rate accepted:rate")}
	for _, p := range r.allParts() {
		accepted := stat.UndefinedRate("not reviewed")
		if p.Accepted != nil {
			accepted = *p.Accepted
		}
		of := func(c table.Cell, which ...report.Which) table.Cell {
			return report.AttachPicks(c, r.newOpener(p.Source, which[0]), which...)
		}
		t.Rows = append(t.Rows, []table.Cell{
			table.NewText(p.Source), of(table.NewCount(p.Pool), report.Every), of(table.NewCount(p.Incomplete), report.Incomplete), of(table.NewRate(p.Abnormal), Abnormal),
			of(table.NewRate(p.Majority), ByMajority), of(table.NewRate(p.Filtered), Passed, Answerable), of(table.NewRate(p.Doubtful), Doubtful),
			of(table.NewRate(p.Candidates), Candidates), of(table.NewRate(accepted), Accepted),
		})
	}
	return t
}

func (r *InspectionRow) makeDifficultyTable(title string) table.Table {
	t := table.Table{Name: "difficulty", Title: title, Columns: table.ParseColumns("source")}
	levels := table.NewColumnsOfKind(table.KindRate, eval.Map(listLevels(), curation.Difficulty.String))
	t.Columns = slices.Concat(t.Columns, levels, table.ParseColumns("ungraded:count"))
	for _, p := range r.allParts() {
		line := []table.Cell{table.NewText(p.Source)}
		for i, d := range listLevels() {
			part := newSourcePart(p.Source)
			part.Difficulty = d
			line = append(line, report.AttachPicks(table.NewRate(p.Levels[i].Samples), r.newOpener(p.Source, OfDifficulty).WithPart(part), OfDifficulty))
		}
		t.Rows = append(t.Rows, append(line, report.AttachPicks(table.NewCount(p.Ungraded), r.newOpener(p.Source, Ungraded), Ungraded)))
	}
	return t
}

// allParts are the whole and then every source, by the names that tables use.
func (r *InspectionRow) allParts() []InspectedPart {
	whole := r.InspectedPart
	whole.Source = allSources
	out := []InspectedPart{whole}
	for _, p := range r.Sources {
		p.Source = sourceName(p.Source)
		out = append(out, p)
	}
	return out
}

// KeysBehind yields the samples behind a figure, of those of Part.Source: each as the first
// inspector answered it, and for what graders say as the first of them did.
func (r *InspectionRow) KeysBehind(_ context.Context, _ report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	source := partOfSelection(&s).Source
	return report.SelectKeys(slices.Values(r.findings), func(f curation.Finding) (eval.Key, bool) {
		is := (source == "" || source == sourceName(r.source[f.Sample])) && r.isBehind(&f, &s)
		return eval.Key{Run: r.runShown(s.Which), Sample: f.Sample}, is
	})
}

// isBehind reports whether a sample is behind a figure.
func (r *InspectionRow) isBehind(f *curation.Finding, s *report.Selection) bool {
	graded := isKept(f) && f.Difficulty != curation.Ungraded
	switch s.Which {
	case report.Every:
		return true
	case report.Incomplete:
		return f.Fate == curation.Incomplete
	case Hits:
		return f.Fate != curation.Incomplete && f.Blind.K == partOfSelection(s).Hits
	case Abnormal:
		return f.Abnormal
	case ByMajority:
		return f.Majority
	case Passed:
		return isKept(f)
	case Answerable:
		return f.Fate == curation.Answerable
	case SightedHits:
		return graded && f.Sighted.K == partOfSelection(s).Hits
	case OfDifficulty:
		return graded && f.Difficulty == partOfSelection(s).Difficulty
	case Ungraded:
		return len(r.Graders) > 0 && isKept(f) && !graded
	case Doubtful:
		return f.Fate == curation.Doubtful
	case Candidates:
		return f.IsCandidate()
	case Accepted:
		return r.accepted[f.Sample]
	default:
		return false
	}
}

// runShown gives the run whose answers stand for a figure.
func (r *InspectionRow) runShown(w report.Which) eval.RunID {
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

// FigurePart tells figures apart that have one name.
type FigurePart struct {
	Hits       int                 // for Hits and SightedHits
	Difficulty curation.Difficulty // for OfDifficulty
	Source     string              // of samples, as its tables name them; "": all
}

// partOfSelection is that of a selection; the zero value without one.
func partOfSelection(s *report.Selection) FigurePart {
	p, _ := s.Part.(FigurePart)
	return p
}

// nameFigure are how the figures are called whose own name says too little.
func nameFigure(s *report.Selection) string {
	switch s.Which {
	case Hits, SightedHits:
		return report.FormatCount(partOfSelection(s).Hits, "hit")
	case OfDifficulty:
		return partOfSelection(s).Difficulty.String()
	case ByMajority:
		return "right by majority vote"
	default:
		return ""
	}
}

// newSourcePart gives the part of a source as tables name it, which "all" is every one.
func newSourcePart(source string) FigurePart {
	return eval.Either(source == allSources, FigurePart{}, FigurePart{Source: source})
}
