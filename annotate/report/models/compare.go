package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// ReportComparison reports two sides, or every two runs of the same settings, on samples that both decided.
func ReportComparison(ctx context.Context, facts report.Facts, o Options) (report.Report, error) {
	runs, err := o.chosenRuns(facts)
	if err != nil {
		return report.Report{}, err
	}
	r, err := newRunDecider(facts, &o, runs)
	if err != nil {
		return report.Report{}, err
	}
	rows, notes, err := r.compareRuns(ctx, runs)
	if err != nil {
		return report.Report{}, err
	}
	r.meter.FinishProgress()
	if o.Runs.Corrected != nil {
		framing, err := report.NewFrameReader(facts, &o.Runs)
		if err != nil {
			return report.Report{}, err
		}
		c := &labelCorrector{framing, make(map[eval.RunID]*labelledRun)}
		for _, row := range rows {
			if err := c.correctRow(ctx, row); err != nil {
				return report.Report{}, err
			}
		}
		notes = append(notes, CorrectedNote)
		if o.Runs.Corrected.IsModelled() {
			notes = append(notes, report.ModelNote)
		}
	}
	adjustForMultiplicity(rows)
	out := report.Report{
		Name: eval.Either(o.languages, "languages", "compare"), Layout: rows[0].newLayout(false), Confidence: stat.Confidence, Notes: append(notes, explainRows(rows)...), Rows: report.ToRows(rows), Sheets: makeTables(rows),
	}
	if o.Runs.Corrected != nil {
		err = out.PrepareSaving(ctx, facts, o.Runs.Corrected, nil)
	}
	return out, err
}

func (o *Options) chosenRuns(facts report.Facts) ([]eval.Run, error) {
	runs, err := facts.Runs()
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	runs = slices.DeleteFunc(slices.Clone(runs), func(r eval.Run) bool { return !o.Runs.IncludesRun(r) })
	if len(runs) == 0 {
		return nil, fmt.Errorf("find runs to compare: %w", eval.ErrNotFound)
	}
	return runs, nil
}

func newUnknownModelError(name string, runs []eval.Run) error {
	return eval.NewUnknownError("model", name, eval.Map(runs, func(r eval.Run) string { return r.Config.Model }))
}

// compareRuns compares what the options name. Where they name nothing, two runs
// without samples in common come in a note.
func (r *runDecider) compareRuns(ctx context.Context, runs []eval.Run) (rows []*Row, notes []string, err error) {
	if r.o.Second != "" {
		a, err := r.o.findSide(runs, r.o.First)
		if err != nil {
			return nil, nil, err
		}
		b, err := r.o.findSide(runs, r.o.Second)
		if err != nil {
			return nil, nil, err
		}
		if a.runs[0].ID == b.runs[0].ID {
			return nil, nil, fmt.Errorf("compare %s: %w", a.distinctName(), ErrSame)
		}
		rows, err = r.compareSides(ctx, a, b)
		return rows, nil, err
	}
	if r.o.First != "" && !slices.ContainsFunc(runs, func(run eval.Run) bool { return r.o.mayBeFirst(&modelRuns{[]eval.Run{run}}) }) {
		return nil, nil, newUnknownModelError(r.o.First, runs)
	}
	for _, group := range r.o.groupComparableSides(runs) {
		for i, a := range group {
			for _, b := range group[i+1:] {
				if !r.o.mayBeFirst(a) && !r.o.mayBeFirst(b) || r.o.languages && !r.mayBeTranslations(a, b) {
					continue
				}
				first, second := a, b
				if !r.o.mayBeFirst(a) {
					first, second = b, a
				}
				some, err := r.compareSides(ctx, first, second)
				switch {
				case errors.Is(err, errNothing) && r.o.languages:
				case errors.Is(err, errNothing):
					notes = append(notes, "Not compared: "+err.Error()+".")
				case err != nil:
					return nil, nil, err
				}
				rows = append(rows, some...)
			}
		}
	}
	if len(rows) == 0 && r.o.languages {
		return nil, nil, errNoTranslation
	}
	if len(rows) == 0 {
		return nil, nil, fmt.Errorf("find two runs of the same settings on the same samples (--model and --against name two that differ): %w", eval.ErrNotFound)
	}
	return rows, notes, nil
}

// groupComparableSides are the sides that are compared with each other, those of the first run
// first. Runs that are named are compared whatever their settings.
func (o *Options) groupComparableSides(runs []eval.Run) [][]*modelRuns {
	groups := make(map[sharedSettings][]*modelRuns)
	for s, some := range o.groupSides(runs) {
		if len(o.Runs.Runs) > 1 {
			s = sharedSettings{dataset: s.dataset}
		}
		if o.languages {
			s.dataset, s.language, s.prompts = "", "", ""
		}
		groups[s] = append(groups[s], some...)
	}
	out := slices.Collect(maps.Values(groups))
	for _, g := range out {
		slices.SortFunc(g, func(a, b *modelRuns) int { return cmp.Compare(a.runs[0].ID, b.runs[0].ID) })
	}
	slices.SortFunc(out, func(a, b []*modelRuns) int {
		return cmp.Or(cmp.Compare(a[0].runs[0].Config.Dataset, b[0].runs[0].Config.Dataset), cmp.Compare(a[0].runs[0].ID, b[0].runs[0].ID))
	})
	return out
}

var errNothing = errors.New("no sample that all of them have decided")

// compareSides gives the rows of two sides: the whole, and each category that is asked for.
func (r *runDecider) compareSides(ctx context.Context, first, second *modelRuns) ([]*Row, error) {
	if d, other := first.dataset(), second.dataset(); d != other && !r.o.languages {
		return nil, fmt.Errorf("%s is on %s and %s on %s: two runs are compared on the same samples (report languages: on those of a translation)", first.distinctName(), d, second.distinctName(), other)
	}
	a, err := r.newDecidedSide(ctx, first)
	if err != nil {
		return nil, err
	}
	b, err := r.newDecidedSide(ctx, second)
	if err != nil {
		return nil, err
	}
	if first.dataset() != second.dataset() {
		if b.at, err = r.pairSamples(a, b); err != nil {
			return nil, err
		}
	}
	set := r.sets[a.dataset()]
	whole, err := r.newPairRow(a, b, set, nil, r.membersOfSplit(set, nil))
	if err != nil {
		return nil, err
	}
	return append([]*Row{whole}, eval.FilterMap(set.categoriesAt(r.o.Depth), func(path []string) (*Row, bool) {
		row, err := r.newPairRow(a, b, set, path, r.membersOfSplit(set, path))
		return row, err == nil
	})...), nil
}

// membersOfSplit are the samples of the split that is asked for, below a prefix of the taxonomy.
func (r *runDecider) membersOfSplit(set *datasetSamples, path []string) *memberSamples {
	split := r.o.Runs.Split
	return set.membersOf(&report.Head{Split: eval.Either(split == "" || split == set.wholeSplitName(), report.AllSplits, split)}, path)
}

// newPairRow compares two sides over the samples that belong to it.
func (r *runDecider) newPairRow(a, b *decidedSide, set *datasetSamples, path []string, members *memberSamples) (*Row, error) {
	row := &Row{
		Dataset: a.runs[0].Config.Dataset, Split: cmp.Or(r.o.Runs.Split, set.wholeSplitName()), Path: path,
		Strategy: a.answers[0].strategy.String(), Target: TargetRuns,
		Synthetic: a.runs[0].Config.Synthetic || b.runs[0].Config.Synthetic,
		a:         a, b: b, members: members,
	}
	if a.answers[0].strategy != b.answers[0].strategy {
		return nil, fmt.Errorf("%s is scored %s and %s %s: say which, by --strategy", a.distinctName(), a.answers[0].strategy, b.distinctName(), b.answers[0].strategy)
	}
	if len(a.runs) > 1 || len(b.runs) > 1 {
		row.Target = TargetModels
	}
	c := row.countUnits()
	if row.N == 0 {
		return nil, fmt.Errorf("compare %s and %s: %w", a.distinctName(), b.distinctName(), errNothing)
	}
	row.A, row.B = a.summarizeSide(&c.first), b.summarizeSide(&c.second)
	row.fillDifference(c, r.o)
	return row, nil
}

type countedUnits struct {
	paired        stat.Paired
	first, second stat.Clusters
}

// countUnits goes through the samples of the row. Of those that stand alone most come to the same:
// they are counted by the marks of both sides first.
func (r *Row) countUnits() *countedUnits {
	c := &countedUnits{}
	add := func(a, b sideScore, n int) {
		switch {
		case a.isDecided() && b.isDecided():
			r.N += n
			c.paired.AddUnit(a.right, a.of, b.right, b.of)
			c.first.AddUnit(a.right, a.of)
			c.second.AddUnit(b.right, b.of)
			r.OnlyA += n * report.OneIf(a.share() > b.share())
			r.OnlyB += n * report.OneIf(a.share() < b.share())
		case a.isDecided():
			r.Left[0] += n
		case b.isDecided():
			r.Left[1] += n
		}
	}
	end := func(n int) {
		c.paired.CloseAsMany(n)
		c.first.CloseAsMany(n)
		c.second.CloseAsMany(n)
	}
	var kinds [3][3]int
	first, one := r.a.ownMarks()
	second, other := r.b.ownMarks()
	for _, o := range r.members.alone {
		if one && other {
			kinds[first.At(o)][second.At(o)]++
			continue
		}
		add(r.a.scoreOn(o), r.b.scoreOn(o), 1)
		end(1)
	}
	for a, some := range kinds {
		for b, n := range some {
			add(scoreOfMark(metric.Mark(a)), scoreOfMark(metric.Mark(b)), n) //nolint:gosec // one of three
			end(n)
		}
	}
	r.members.eachInClusters(func(o eval.Ordinal, last bool) {
		add(r.a.scoreOn(o), r.b.scoreOn(o), 1)
		if last {
			end(1)
		}
	})
	if len(r.members.together) > 0 {
		r.Clusters = c.paired.CountClusters()
	}
	return c
}

func (p *decidedSide) summarizeSide(c *stat.Clusters) Side {
	run := &p.runs[0]
	out := Side{
		Run: run.ID, Named: report.NewNamed(p.runs...), Modality: run.Config.Modality.String(), Extractor: p.answers[0].decided.Extractor(), readBy: p.answers[0].decided.Source.ReadBy(),
		Accuracy: c.Rate("no sample that both have decided"),
	}
	if len(p.runs) > 1 {
		out.Repeats = p.runNumbers()
	}
	if p.at != nil {
		out.Dataset = p.dataset()
	}
	return out
}

func (r *Row) fillDifference(c *countedUnits, o *Options) {
	e, method := c.paired.Difference(stat.Confidence, errNothing.Error())
	r.Difference = newDifference(e, method)
	t := c.paired.RunEqualityTest(o.seedOrDefault())
	if t.Undefined == "" {
		r.P, r.Test = &t.P, t.Method
		if t.Mid != t.P {
			r.Mid = &t.Mid
		}
	}
	if d := c.paired.DetectableDifference(); d > 0 && d < 1 {
		r.Detectable = &d
	}
	if n := c.paired.ClustersNeeded(o.Detect); n > 0 {
		r.Needed = &n
	}
	r.paired = &c.paired
}

func newDifference(e stat.Estimate, method string) Difference {
	out := Difference{N: e.N, Method: method, Undefined: e.WhyUndefined(), estimate: e}
	if out.Undefined == "" {
		out.Value, out.Low, out.High = &e.Value, &e.Low, &e.High
	}
	return out
}

// adjustForMultiplicity makes tests and intervals hold for all rows at once.
func adjustForMultiplicity(rows []*Row) {
	var p []float64
	var tested []*Row
	for _, r := range rows {
		if r.P != nil {
			p, tested = append(p, *r.P), append(tested, r)
		}
	}
	for i, v := range stat.AdjustHolm(p) {
		tested[i].Adjusted, tested[i].Separable = &v, v < 1-stat.Confidence
	}
	for _, r := range rows {
		e, _ := r.paired.Difference(1-(1-stat.Confidence)/float64(len(rows)), "")
		if e.WhyUndefined() == "" {
			r.Simultaneous = &Bounds{e.Low, e.High}
		}
	}
}

// explainRows says what a reader has to know beside the rows.
func explainRows(rows []*Row) []string {
	var notes []string
	if rows[0].b.at != nil {
		notes = []string{"B is the model on the translation: samples are paired by their ids."}
	}
	notes = append(notes,
		"A difference is A less B over the samples that both have decided. A p-value is McNemar's exact test, or a permutation of signs over clusters; it is adjusted for all rows of the table (Holm), and two models are separable where that is below 0.05.",
		"Detectable is the smallest difference, in points, that as many samples find with a chance of 80 %.",
	)
	var most [2]int
	repeats := false
	for _, r := range rows {
		most[0], most[1] = max(most[0], r.Left[0]), max(most[1], r.Left[1])
		repeats = repeats || r.Target == TargetModels
	}
	if most != [2]int{} {
		notes = append(notes, fmt.Sprintf("Samples that only one of two has decided are left out: up to %s of A and %s of B.", table.FormatGrouped(most[0]), table.FormatGrouped(most[1])))
	}
	if repeats {
		return append(notes, "Where a model has several runs under the same settings, a row speaks of the models: the answers of all of its runs count.")
	}
	return append(notes, "Rows speak of these runs. How a model's answers vary from run to run shows where it is asked again under the same settings.")
}

func makeTables(rows []*Row) []table.Table {
	var out []table.Table
	for _, r := range rows {
		title := string(r.Dataset) + ", split " + r.Split + ", " + r.Strategy
		if len(out) == 0 || out[len(out)-1].Title != title {
			out = append(out, table.Table{Name: eval.Either(r.b.at != nil, "languages", "compare"), Title: title, Columns: r.newLayout(true).Columns})
		}
		t := &out[len(out)-1]
		t.Rows = append(t.Rows, r.readableCells())
	}
	return out
}
