package quality

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// InspectionFacts is what the report on inspectors is made of.
type InspectionFacts interface {
	CurationFacts
	Inspections() ([]curation.Inspection, error)
}

// InspectorOptions say what the report on inspectors is about.
type InspectorOptions struct {
	Inspection string           // "": all
	Dataset    eval.DatasetName // "": all

	// Panel is by whose words a dataset's samples are accepted; nil is one expert each.
	Panel func(eval.DatasetName) (curation.Panel, error)

	// Change sets other thresholds than those that an inspection was made with. Nothing is asked for
	// that: the counts stay, and what follows from them is derived anew. nil: they stand.
	Change func(*curation.Settings)
}

// InspectionRow is what models make of a dataset without its pictures, and with
// them of what is left (MMStar, Sec. 4.1, Fig. 2 and 4).
type InspectionRow struct {
	report.ForEveryone
	Inspection string               `json:"inspection"`
	Dataset    eval.DatasetName     `json:"dataset"`
	Synthetic  bool                 `json:"synthetic,omitempty"`
	Settings   Thresholds           `json:"settings"`
	Stored     *Thresholds          `json:"stored_settings,omitempty"` // those it was made with, where others are looked at
	Inspectors []curation.Inspector `json:"inspectors"`
	Graders    []curation.Inspector `json:"graders"`
	InspectedPart
	Sources []InspectedPart `json:"sources"`

	findings []curation.Finding
	accepted map[eval.Ordinal]bool
	source   map[eval.Ordinal]string
}

// Thresholds are the settings of an inspection as its flags take them.
type Thresholds struct {
	Keep     string `json:"keep"`
	Abnormal string `json:"abnormal"`
	Easy     string `json:"easy"`
	Moderate string `json:"moderate"`
	Hard     string `json:"hard"`
	Doubtful string `json:"doubtful,omitempty"` // "": nothing is dropped so
}

func newThresholds(s curation.Settings) Thresholds {
	out := Thresholds{Keep: s.Keep.String(), Abnormal: s.Abnormal.String(), Easy: s.Easy.String(), Moderate: s.Moderate.String(), Hard: s.Hard.String()}
	if !s.Doubtful.IsZero() {
		out.Doubtful = s.Doubtful.String()
	}
	return out
}

// InspectedPart is the figures of the pool, or of what it has of one source. Rates without the
// picture are over the samples that every inspector has decided; those with it over the samples
// that the coarse filter keeps and every grader has decided.
type InspectedPart struct {
	Source     string            `json:"source,omitempty"`
	Pool       int               `json:"pool"`
	Incomplete int               `json:"incomplete"` // an inspector has not decided them
	Hits       []report.HitShare `json:"hits"`
	Abnormal   stat.Rate         `json:"abnormal"`
	Majority   stat.Rate         `json:"majority"` // more than half of the inspectors answer right
	Filtered   stat.Rate         `json:"filtered"` // the coarse filter keeps them
	Levels     []LevelGroup      `json:"difficulty"`
	Sighted    []report.HitShare `json:"sighted_hits"`
	Ungraded   int               `json:"ungraded"`   // a grader has not decided them
	Doubtful   stat.Rate         `json:"doubtful"`   // dropped, since too few graders answer right
	Candidates stat.Rate         `json:"candidates"` // of the pool
	Accepted   *stat.Rate        `json:"accepted"`   // by experts, of the pool; null: none has reviewed any
}

// LevelGroup is the samples of one level of difficulty.
type LevelGroup struct {
	Level   string    `json:"level"`
	Samples stat.Rate `json:"samples"`
}

// ReportInspectors reports inspections: hits without the picture, what the filters
// drop, the difficulty of what is left, and the funnel per source.
func ReportInspectors(ctx context.Context, facts InspectionFacts, o InspectorOptions) (report.Report, error) {
	all, err := facts.Inspections()
	if err != nil {
		return report.Report{}, fmt.Errorf("list inspections: %w", err)
	}
	out := report.Report{Name: "inspectors", Layout: inspectionLayout, Confidence: stat.Confidence}
	for i := range all {
		in := &all[i]
		if o.Inspection != "" && in.Name != o.Inspection || o.Dataset != "" && in.Dataset != o.Dataset {
			continue
		}
		row, err := newInspectorsRow(ctx, facts, in, &o)
		if err != nil {
			return report.Report{}, fmt.Errorf("report inspection %s: %w", in.Name, err)
		}
		out.Rows = append(out.Rows, row)
		out.Sheets = append(out.Sheets, row.makeTables()...)
		out.Notes = append(out.Notes, row.listNotes()...)
	}
	if len(out.Rows) == 0 && o.Inspection != "" {
		return report.Report{}, fmt.Errorf("find inspection %s: %w", o.Inspection, eval.ErrNotFound)
	}
	if len(out.Rows) == 0 {
		return report.Report{}, fmt.Errorf("find inspections (make one with concord inspect): %w", eval.ErrNotFound)
	}
	return out, nil
}

func newInspectorsRow(ctx context.Context, facts InspectionFacts, in *curation.Inspection, o *InspectorOptions) (*InspectionRow, error) {
	r := &InspectionRow{
		Inspection: in.Name, Dataset: in.Dataset, Inspectors: append([]curation.Inspector{}, in.Probes...), Graders: append([]curation.Inspector{}, in.Graders...),
		source: make(map[eval.Ordinal]string),
	}
	stored := newThresholds(in.Settings)
	if o.Change != nil {
		o.Change(&in.Settings)
		if err := in.Settings.Validate(); err != nil {
			return nil, err
		}
	}
	if r.Settings = newThresholds(in.Settings); r.Settings != stored {
		r.Stored = &stored
	}
	d, err := facts.Dataset(in.Dataset)
	if err != nil {
		return nil, err
	}
	r.Synthetic = d.Synthetic
	r.findings = slices.Collect(in.EachFinding())
	candidates := eval.IndexBy(r.findings, func(f curation.Finding) (eval.Ordinal, bool) { return f.Sample, f.IsCandidate() })
	var items []curation.Item
	for s, err := range facts.Samples(ctx, in.Dataset) {
		if err != nil {
			return nil, err
		}
		r.source[s.Ordinal] = s.Source
		if candidates[s.Ordinal] {
			items = append(items, curation.Item{Sample: s.Ordinal, Axis: s.Taxonomy})
		}
	}
	if r.accepted, err = readAccepted(ctx, facts, in.Dataset, items, o.Panel); err != nil {
		return nil, err
	}
	r.countFigures()
	return r, nil
}

// readAccepted reads the candidates that experts accept; nil when none has said anything of the dataset.
func readAccepted(ctx context.Context, facts CurationFacts, d eval.DatasetName, items []curation.Item, panel func(eval.DatasetName) (curation.Panel, error)) (map[eval.Ordinal]bool, error) {
	acts, err := eval.Collect(facts.CurationActs(ctx, d))
	if err != nil {
		return nil, err
	}
	if len(acts) == 0 {
		return nil, nil
	}
	p := curation.Panel{Experts: 1}
	if panel != nil {
		var err error
		if p, err = panel(d); err != nil {
			return nil, err
		}
	}
	cases, _, err := curation.BuildCases(items, acts, p)
	return eval.IndexBy(cases, func(c curation.Case) (eval.Ordinal, bool) {
		return c.Sample, c.Decision.Outcome == curation.Accepted
	}), err
}

func (r *InspectionRow) countFigures() {
	r.InspectedPart, r.Sources = r.countPart("", r.findings), []InspectedPart{}
	sourceOf := func(f curation.Finding) string { return r.source[f.Sample] }
	parts := table.GroupBy(r.findings, sourceOf)
	if len(parts) == 1 && sourceOf(parts[0][0]) == "" {
		return // nothing tells where samples are from
	}
	r.Sources = eval.Map(parts, func(some []curation.Finding) InspectedPart { return r.countPart(sourceOf(some[0]), some) })
}

func (r *InspectionRow) listNotes() []string {
	s := r.Settings
	out := []string{fmt.Sprintf(
		"%s: of %s without the image a sample is kept when at most %s answer right, and its hit is abnormal from %s on; the majority is more than half. "+
			"Rates are over the samples that all of them have decided.", r.Inspection, report.FormatCount(len(r.Inspectors), "run"), s.Keep, s.Abnormal)}
	if n := len(r.Graders); n > 0 {
		out = append(out, fmt.Sprintf("%s: of %s with the image, over the kept samples that all have decided: easy from %s on, moderate from %s, hard from %s, tough below.",
			r.Inspection, report.FormatCount(n, "run"), s.Easy, s.Moderate, s.Hard))
	}
	if s.Doubtful != "" {
		out = append(out, fmt.Sprintf("%s: what at most %s of the runs with the image answer is dropped as doubtful.", r.Inspection, s.Doubtful))
	}
	if r.Stored != nil {
		out = append(out, fmt.Sprintf("%s: looked at with other thresholds than it was made with: %s.", r.Inspection, r.describeChanges()))
	}
	return out
}

// describeChanges names the thresholds that are not the stored ones.
func (r *InspectionRow) describeChanges() string {
	var out []string
	a, b := &r.Settings, r.Stored
	for _, one := range []struct{ name, now, then string }{
		{"keep", a.Keep, b.Keep},
		{"abnormal", a.Abnormal, b.Abnormal},
		{"easy", a.Easy, b.Easy},
		{"moderate", a.Moderate, b.Moderate},
		{"hard", a.Hard, b.Hard},
		{"doubtful", a.Doubtful, b.Doubtful},
	} {
		if one.now != one.then {
			out = append(out, fmt.Sprintf("%s %s in place of %s", one.name, cmp.Or(one.now, "none"), cmp.Or(one.then, "none")))
		}
	}
	return strings.Join(out, ", ")
}

// hitTally counts the samples of a pool, or of one source of it.
type hitTally struct {
	row    *InspectionRow
	source string

	pool, whole, abnormal, majority, filtered int // whole: every inspector has decided them
	graded, doubtful, candidates, accepted    int
	hits, sighted                             []int
	levels                                    [curation.Difficulties]int
}

func (r *InspectionRow) countPart(source string, findings []curation.Finding) InspectedPart {
	t := &hitTally{row: r, source: source, hits: make([]int, len(r.Inspectors)+1)}
	if len(r.Graders) > 0 {
		t.sighted = make([]int, len(r.Graders)+1)
	}
	for i := range findings {
		t.addFinding(&findings[i])
	}
	return t.newPart()
}

func (t *hitTally) addFinding(f *curation.Finding) {
	t.pool++
	t.accepted += report.OneIf(t.row.accepted[f.Sample])
	t.candidates += report.OneIf(f.IsCandidate())
	if f.Fate == curation.Incomplete {
		return
	}
	t.whole++
	t.hits[f.Blind.K]++
	t.abnormal += report.OneIf(f.Abnormal)
	t.majority += report.OneIf(f.Majority)
	if !isKept(f) {
		return
	}
	t.filtered++
	if f.Difficulty == curation.Ungraded {
		return
	}
	t.graded++
	t.levels[f.Difficulty]++
	t.sighted[f.Sighted.K]++
	t.doubtful += report.OneIf(f.Fate == curation.Doubtful)
}

// isKept reports a sample that the coarse filter keeps.
func isKept(f *curation.Finding) bool { return f.Fate == curation.Kept || f.Fate == curation.Doubtful }

// listLevels lists the levels of difficulty, the easiest first.
func listLevels() []curation.Difficulty {
	return []curation.Difficulty{curation.Easy, curation.Moderate, curation.Hard, curation.Tough}
}

func (t *hitTally) newPart() InspectedPart {
	const undecided, ungraded = "no sample decided by all text-only probe models", "no sample graded"
	p := InspectedPart{
		Source: t.source, Pool: t.pool, Incomplete: t.pool - t.whole, Ungraded: t.filtered - t.graded,
		Hits: []report.HitShare{}, Levels: []LevelGroup{}, Sighted: []report.HitShare{},
		Abnormal: stat.Count{K: t.abnormal, N: t.whole}.Rate(undecided), Majority: stat.Count{K: t.majority, N: t.whole}.Rate(undecided),
		Filtered: stat.Count{K: t.filtered, N: t.whole}.Rate(undecided), Doubtful: stat.Count{K: t.doubtful, N: t.graded}.Rate(ungraded),
		Candidates: stat.Count{K: t.candidates, N: t.pool}.Rate("no samples"),
	}
	for n, samples := range t.hits {
		p.Hits = append(p.Hits, report.HitShare{Hits: n, Samples: stat.Count{K: samples, N: t.whole}.Rate(undecided)})
	}
	for n, samples := range t.sighted {
		p.Sighted = append(p.Sighted, report.HitShare{Hits: n, Samples: stat.Count{K: samples, N: t.graded}.Rate(ungraded)})
	}
	if len(t.row.Graders) > 0 {
		p.Levels = eval.Map(listLevels(), func(d curation.Difficulty) LevelGroup {
			return LevelGroup{d.String(), stat.Count{K: t.levels[d], N: t.graded}.Rate(ungraded)}
		})
	} else {
		p.Doubtful, p.Ungraded = stat.UndefinedRate("no run with the image"), 0
	}
	if t.row.accepted != nil {
		accepted := stat.Count{K: t.accepted, N: t.pool}.Rate("no samples")
		p.Accepted = &accepted
	}
	return p
}
