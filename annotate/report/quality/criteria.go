package quality

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"concord/annotate/criteria"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// CriteriaFacts is what the report on criteria is made of.
type CriteriaFacts interface {
	Datasets() ([]eval.Dataset, error)
	Samples(context.Context, eval.DatasetName) iter.Seq2[eval.Sample, error]
	// CriteriaSets yields the sets of samples on which anybody has acted.
	CriteriaSets(context.Context, eval.DatasetName) iter.Seq2[criteria.Set, error]
	Picture(eval.PictureHash) ([]byte, error)
}

// CriteriaOptions say what the report on criteria is about.
type CriteriaOptions struct {
	Dataset  eval.DatasetName // empty: every dataset on whose samples anybody has acted
	Quotas   []criteria.Quota
	Progress func(done, total int) // of samples; may be nil
}

// CriteriaRow is how far the criteria of a dataset are. Samples and states leave the discarded out.
type CriteriaRow struct {
	report.ForEveryone
	Dataset   eval.DatasetName `json:"dataset"`
	Synthetic bool             `json:"synthetic,omitempty"`
	CriteriaGroup
	Levels   []CriteriaGroup `json:"levels"`
	Rounds   []CriteriaRound `json:"rounds"`
	People   []criteria.Work `json:"people"`
	Warnings map[string]int  `json:"warnings"` // samples by warning
	Points   []CriteriaPoint `json:"checklist"`

	report.Tags `json:"-"`
}

// CriteriaGroup is where the samples of one group of the taxonomy stand.
type CriteriaGroup struct {
	Path             []string  `json:"path"`
	Samples          int       `json:"samples" opens:"samples"`
	Quota            *int      `json:"quota"` // null: none
	Missing          *int      `json:"missing"`
	Discarded        int       `json:"discarded" opens:"discarded"`
	Replaced         int       `json:"replaced" opens:"replaced"`
	Unwritten        int       `json:"unwritten" opens:"unwritten"`
	Draft            int       `json:"draft" opens:"draft"`
	InReview         int       `json:"in_review" opens:"in_review"`
	ChangesRequested int       `json:"changes_requested" opens:"changes_requested"`
	Accepted         int       `json:"accepted" opens:"accepted"`
	Verified         int       `json:"verified" opens:"verified"`
	Coverage         stat.Rate `json:"coverage" opens:"covered"` // accepted or verified, of the quota or else of the samples
}

// CriteriaRound is one round of review (MLLM-Bench, Fig. 1).
type CriteriaRound struct {
	Round     int       `json:"round"`
	Samples   int       `json:"samples" opens:"reviewed_in_round:"`
	Requested int       `json:"changes_requested" opens:"changes_requested_in_round:"`
	Accepted  int       `json:"accepted" opens:"accepted_in_round:"`
	Revised   stat.Rate `json:"revised" opens:"revised_in_round:"` // of the samples
}

// CriteriaPoint is how reviewers last answered a point of the checklist.
type CriteriaPoint struct {
	Item   string `json:"item" column:"point"`
	Passed int    `json:"passed" opens:"passed:"`
	Failed int    `json:"failed" opens:"failed:"`
}

// ReportCriteria reports coverage against the quota, states, rounds and people. The
// size of every picture is read, so that those that are too small are known.
func ReportCriteria(ctx context.Context, facts CriteriaFacts, o CriteriaOptions) (report.Report, error) {
	all, err := facts.Datasets()
	if err != nil {
		return report.Report{}, fmt.Errorf("report criteria: %w", err)
	}
	out := report.Report{Name: "criteria", Layout: criteriaLayout, Confidence: stat.Confidence}
	var rows []*CriteriaRow
	for _, d := range all {
		if o.Dataset != "" && o.Dataset != d.Name || !d.Complete {
			continue
		}
		row, err := newCriteriaRow(ctx, facts, d, &o)
		if err != nil {
			return report.Report{}, fmt.Errorf("report criteria of dataset %s: %w", d.Name, err)
		}
		if row != nil {
			rows = append(rows, row)
		}
	}
	out.Rows = report.ToRows(rows)
	out.Sheets = eval.FlatMap(rows, (*CriteriaRow).makeTables)
	if len(rows) > 0 {
		out.Notes = []string{"Coverage is what was accepted or verified, of the quota where there is one, else of the samples; discarded samples are in neither."}
	}
	return out, nil
}

// newCriteriaRow is nil for a dataset that is not asked for and that nobody has acted on.
func newCriteriaRow(ctx context.Context, facts CriteriaFacts, d eval.Dataset, o *CriteriaOptions) (*CriteriaRow, error) {
	sets, err := criteria.SetsBySample(facts.CriteriaSets(ctx, d.Name))
	if err != nil {
		return nil, err
	}
	if len(sets) == 0 && o.Dataset == "" {
		return nil, nil
	}
	v, done := new(criteria.Coverage), 0
	var behind []report.Tagged
	eye := pictureChecker{facts: facts, seen: make(map[eval.PictureHash]criteria.Warning)}
	for s, err := range facts.Samples(ctx, d.Name) {
		if err != nil {
			return nil, err
		}
		set, acted := sets[s.Ordinal]
		if !acted {
			set = criteria.NewSet(d.Name, s.Ordinal)
		}
		warnings, err := eye.checkPictures(&s)
		if err != nil {
			return nil, err
		}
		v.AddSample(&s, &set, warnings...)
		behind = append(behind, newCriteriaTags(&s, &set, warnings))
		if done++; o.Progress != nil {
			o.Progress(done, d.Samples)
		}
	}
	row := newCoverageRow(d, v, o.Quotas)
	row.Tags = behind
	return row, nil
}

// pictureChecker looks at each picture once.
type pictureChecker struct {
	facts CriteriaFacts
	seen  map[eval.PictureHash]criteria.Warning
}

func (e *pictureChecker) checkPictures(s *eval.Sample) ([]criteria.Warning, error) {
	found := false
	var out []criteria.Warning
	for _, p := range s.Pictures {
		if p.Hash == "" {
			continue
		}
		found = true
		w, known := e.seen[p.Hash]
		if !known {
			data, err := e.facts.Picture(p.Hash)
			if err != nil && !errors.Is(err, eval.ErrNotFound) {
				return nil, err
			}
			size, err := criteria.ReadPictureSize(data)
			switch {
			case err != nil:
				w = criteria.BrokenPicture
			case !size.IsClear():
				w = criteria.SmallPicture
			}
			e.seen[p.Hash] = w
		}
		if w != criteria.WarningUnset && len(out) == 0 {
			out = append(out, w)
		}
	}
	if !found {
		out = append(out, criteria.NoPicture)
	}
	return out, nil
}

func newCoverageRow(d eval.Dataset, v *criteria.Coverage, quotas []criteria.Quota) *CriteriaRow {
	r := &CriteriaRow{
		Dataset: d.Name, Synthetic: d.Synthetic, Rounds: []CriteriaRound{},
		People: append([]criteria.Work{}, v.People()...), Warnings: make(map[string]int), Points: []CriteriaPoint{},
	}
	groups := eval.Map(v.ListGroups(quotas), func(g criteria.Group) CriteriaGroup { return newCriteriaGroup(&g) })
	r.CriteriaGroup, r.Levels = groups[0], groups[1:] // the first is the whole
	for _, x := range v.Rounds() {
		r.Rounds = append(r.Rounds, CriteriaRound{
			Round: x.Number, Samples: x.Samples, Requested: x.Requested, Accepted: x.Accepted, Revised: stat.NewRate(x.Revised, x.Samples),
		})
	}
	for _, w := range criteria.AllWarnings() {
		if n := v.Warnings[w]; n > 0 {
			r.Warnings[w.String()] = n
		}
	}
	for _, p := range criteria.ChecklistPoints() {
		if a, ok := v.Points[p.Item]; ok {
			r.Points = append(r.Points, CriteriaPoint{Item: string(p.Item), Passed: a.Passed, Failed: a.Failed})
		}
	}
	return r
}

func newCriteriaGroup(g *criteria.Group) CriteriaGroup {
	out := CriteriaGroup{
		Path: append([]string{}, g.Path...), Samples: g.Samples, Discarded: g.Discarded, Replaced: g.Replaced,
		Unwritten: g.States[criteria.Unwritten], Draft: g.States[criteria.Draft], InReview: g.States[criteria.InReview],
		ChangesRequested: g.States[criteria.ChangesRequested], Accepted: g.States[criteria.Approved],
		Verified: g.States[criteria.Checked], Coverage: g.CoverageRate(),
	}
	if g.Wanted > 0 {
		wanted, missing := g.Wanted, g.CountMissing()
		out.Quota, out.Missing = &wanted, &missing
	}
	return out
}

const groupNames = "level capability samples quota missing unwritten draft in_review changes_requested accepted verified discarded replaced coverage"

var (
	criteriaLayout = report.NewLayout("dataset "+groupNames, CriteriaRow{})
	roundLayout    = report.NewLayout("round samples changes_requested revised accepted", CriteriaRound{})
	personLayout   = report.NewLayout("annotator written revisions reviewed verified assigned discarded", criteria.Work{})
	pointLayout    = report.NewLayout("point passed failed", CriteriaPoint{})
)

// TableLines are the whole and then every group of the taxonomy.
func (r *CriteriaRow) TableLines() [][]table.Cell {
	out := [][]table.Cell{criteriaLayout.MakeTableLine(r.newOpener(), r)}
	for i := range r.Levels {
		g := &r.Levels[i]
		out = append(out, criteriaLayout.MakeTableLine(r.newOpener().UnderLevel(g.Path...), g, report.Cells{"dataset": table.NewText(string(r.Dataset))}))
	}
	return out
}

// ExtraCells has the coarse end of the path and the rest of it: MLLM-Bench's level and capability.
func (g *CriteriaGroup) ExtraCells() report.Cells {
	return makePathCells(g.Path, "level", "capability")
}

func makePathCells(path []string, coarse, rest string) report.Cells {
	if len(path) == 0 {
		return report.Cells{coarse: table.NewText("all")}
	}
	return report.Cells{coarse: table.NewText(path[0]), rest: table.NewText(eval.JoinPath(path[1:]))}
}

// makeTables makes the tables that people read: coverage, and below it rounds,
// people and warnings, where there are any.
func (r *CriteriaRow) makeTables() []table.Table {
	title := report.MarkSynthetic(string(r.Dataset), r.Synthetic)
	coverage := table.Table{Name: "criteria", Title: title, Columns: criteriaLayout.Columns[1:]}
	coverage.Rows = append(coverage.Rows, eval.Map(r.TableLines(), func(l []table.Cell) []table.Cell { return l[1:] })...)
	out := []table.Table{coverage}
	o := r.newOpener()
	warnings := table.Table{Name: "warnings", Title: title, Columns: table.ParseColumns("warning samples:count")}
	for _, w := range criteria.AllWarnings() {
		if n := r.Warnings[w.String()]; n > 0 {
			warnings.Rows = append(warnings.Rows, []table.Cell{table.NewText(w.String()), report.AttachPicks(table.NewCount(n), o, Warned+report.Which(w.String()))})
		}
	}
	return append(out, table.SelectWithRows(
		report.MakePartTable(roundLayout, "rounds of review", title, r.Rounds, func(x *CriteriaRound) report.Opener { return o.AboutSubject(table.FormatGrouped(x.Round)) }),
		report.MakePartTable(personLayout, "people", title, r.People, func(p *criteria.Work) report.Opener { return o.AboutSubject(string(p.Who)) }),
		report.MakePartTable(pointLayout, "checklist", title, r.Points, func(p *CriteriaPoint) report.Opener { return o.AboutSubject(p.Item) }),
		warnings,
	)...)
}

// The figures of a CriteriaRow that can be opened: its states by their names,
// and with what they are about behind them the others.
const (
	Discarded report.Which = "discarded"
	Replaced  report.Which = "replaced"
	Covered   report.Which = "covered" // accepted or verified
	Written   report.Which = "written:"
	Reviewed  report.Which = "reviewed:"
	Checked   report.Which = "verified:"
	Assigned  report.Which = "assigned:"
	Removed   report.Which = "discarded:"
	Ticked    report.Which = "passed:"
	Unticked  report.Which = "failed:"
	Warned    report.Which = "warning:"
)

func figureOfRound(what string, n int) report.Which {
	return report.Which(what + "_in_round:" + table.FormatGrouped(n))
}

// newCriteriaTags gives the figures that a sample is behind: what a survey of it alone counts.
func newCriteriaTags(s *eval.Sample, set *criteria.Set, warnings []criteria.Warning) report.Tagged {
	var v criteria.Coverage
	v.AddSample(s, set, warnings...)
	t := report.Tagged{Pair: eval.Pair{Sample: s.Ordinal}, Path: s.Taxonomy}
	add := func(w report.Which, n int) {
		if n > 0 {
			t.Tags = append(t.Tags, w)
		}
	}
	g := v.ListGroups(nil)[0]
	add(AllSamples, g.Samples)
	add(Discarded, g.Discarded)
	add(Replaced, g.Replaced)
	add(Covered, g.CountReviewed())
	for state, n := range g.States {
		add(report.Which(criteria.State(state).String()), n) //nolint:gosec // an index of states
	}
	for _, r := range v.Rounds() {
		add(figureOfRound("reviewed", r.Number), r.Samples)
		add(figureOfRound("changes_requested", r.Number), r.Requested)
		add(figureOfRound("accepted", r.Number), r.Accepted)
		add(figureOfRound("revised", r.Number), r.Revised)
	}
	for _, w := range v.People() {
		who := report.Which(w.Who)
		add(Written+who, w.Samples)
		add(Reviewed+who, w.Reviewed)
		add(Checked+who, w.Verified)
		add(Assigned+who, w.Assigned)
		add(Removed+who, w.Discarded)
	}
	for _, p := range criteria.ChecklistPoints() {
		add(Ticked+report.Which(p.Item), v.Points[p.Item].Passed)
		add(Unticked+report.Which(p.Item), v.Points[p.Item].Failed)
	}
	for _, w := range criteria.AllWarnings() {
		add(Warned+report.Which(w.String()), v.Warnings[w])
	}
	return t
}

func (r *CriteriaRow) newOpener() report.Opener {
	return report.Opener{Row: r, Dataset: r.Dataset, Open: true}
}
