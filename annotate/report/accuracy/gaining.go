package accuracy

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// gainBuilder puts the rows of a gain report together.
type gainBuilder struct {
	facts    report.Facts
	o        *report.Options
	runs     []eval.Run
	measures []eval.ExternalScore
	rows     []*GainRow
	meter    *report.Progress
	*decidedSides
}

// decidedKey is a run decided under a strategy.
type decidedKey struct {
	run      eval.RunID
	strategy eval.Strategy
}

// decidedSides are the runs decided so far, and the splits of their datasets, which
// reports made one after the other go on with.
type decidedSides struct {
	looked map[decidedKey]*GainSide
	splits map[eval.DatasetName][]string // by sample
	shared map[eval.DatasetName]*sampleClusters
}

// sampleClusters numbers what samples of a dataset share, by ordinal; -1 is nothing. Of
// each it has the options to guess from (metric.CountGuessOptions), -1 for none.
type sampleClusters struct {
	numbers  map[string]int32
	clusters []int32
	guesses  []int8
}

// clusterOf is that of the cluster of a sample; 0: it stands alone.
func (s *sampleClusters) clusterOf(sample int) uint64 { return uint64(s.clusters[sample] + 1) } //nolint:gosec // from -1 on

func (s *sampleClusters) addSample(sample *eval.Sample) {
	for int(sample.Ordinal) >= len(s.clusters) {
		s.clusters, s.guesses = append(s.clusters, -1), append(s.guesses, -1)
	}
	if n, ok := metric.CountGuessOptions(sample); ok {
		s.guesses[sample.Ordinal] = int8(n) //nolint:gosec // below 27
	}
	name := metric.ClusterName(sample)
	if name == "" {
		return
	}
	s.clusters[sample.Ordinal] = eval.GetOrAdd(s.numbers, name, func() int32 { return int32(len(s.numbers)) }) //nolint:gosec // images of a dataset
}

func newGainBuilder(ctx context.Context, facts report.Facts, o *report.Options) (*gainBuilder, error) {
	g := &gainBuilder{facts: facts, o: o, decidedSides: report.SharedValueOrNew(o.Shared, func() *decidedSides {
		return &decidedSides{make(map[decidedKey]*GainSide), make(map[eval.DatasetName][]string), make(map[eval.DatasetName]*sampleClusters)}
	})}
	var err error
	if g.runs, err = facts.Runs(); err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	// At most those of the dataset are read: which, the report finds out.
	of := report.Options{Dataset: o.Dataset}
	if g.meter, err = report.NewProgress(facts, slices.DeleteFunc(slices.Clone(g.runs), func(r eval.Run) bool { return !of.IncludesRun(r) }), o.Progress); err != nil {
		return nil, err
	}
	g.measures, err = eval.Collect(facts.ExternalScores(ctx))
	return g, eval.WrapError(err, "read scores measured elsewhere")
}

// chosenRuns are the runs of a kind that the options ask for. Runs that they name of
// other kinds choose what those are set against.
func (g *gainBuilder) chosenRuns(ours func(*eval.Run) bool) []eval.Run {
	wanted := report.Options{Dataset: g.o.Dataset, Model: g.o.Model}
	wanted.Runs = eval.FilterMap(g.runs, func(r eval.Run) (eval.RunID, bool) { return r.ID, ours(&r) && slices.Contains(g.o.Runs, r.ID) })
	return slices.DeleteFunc(slices.Clone(g.runs), func(r eval.Run) bool { return !ours(&r) || !wanted.IncludesRun(r) })
}

// addRowsOfRun makes the rows of a run with pictures.
func (g *gainBuilder) addRowsOfRun(ctx context.Context, run eval.Run) error {
	strategy := cmp.Or(g.o.Strategy, run.Config.Strategy)
	if !servesStrategy(&run, strategy) {
		return nil
	}
	visual, err := g.decideRunOnce(ctx, run, strategy)
	if err != nil {
		return err
	}
	text, why, err := g.findComparisonRun(ctx, g.runsWithoutImages(&run), &run, strategy)
	if err != nil {
		return err
	}
	if text == nil {
		text = g.findExternalScore(run.Config.Dataset, run.Config.Model, why, "swv", "text")
	}
	base, err := g.findBaseRun(ctx, &run, strategy)
	if err != nil {
		return err
	}
	for _, split := range g.splitNames(run.Config.Dataset) {
		g.rows = append(g.rows, &GainRow{
			Head: report.NewHead(run, split), Source: visual.source, Strategy: strategy.String(), Card: newCardInfo(g.o, run.Config.Model),
			Visual: g.sideOfSplit(visual, &run, split), Text: g.sideOfSplit(text, &run, split), Base: g.sideOfSplit(base, &run, split), asking: run.Config.AskingKey(),
		})
	}
	return nil
}

func (g *gainBuilder) findBaseRun(ctx context.Context, run *eval.Run, strategy eval.Strategy) (*GainSide, error) {
	name, model := "", run.Config.Model
	if card := newCardInfo(g.o, model); card != nil {
		name = card.LanguageBase
	}
	why := fmt.Sprintf("the language base of %s, named in the configuration ([models.%q] language_base = ...)", model, model)
	if name != "" {
		side, reason, err := g.findComparisonRun(ctx, g.runsOfBase(run, name), run, strategy)
		if err != nil || side != nil {
			return side, err
		}
		why = reason
		if s := g.findExternalScore(run.Config.Dataset, name, why, "st", "base", "text", "accuracy"); s.hasFigure() {
			return s, nil
		}
	}
	return g.findExternalScore(run.Config.Dataset, model, why, "st", "base"), nil
}

// runChoice is the runs that may stand on a side, and what to ask for when there are none.
type runChoice struct {
	runs []eval.Run
	need string
}

// runsWithoutImages are the runs of the same model without pictures.
func (g *gainBuilder) runsWithoutImages(run *eval.Run) runChoice {
	c := runChoice{need: fmt.Sprintf("a text-only run of %s on %s (--modality text)", run.Config.Model, run.Config.Dataset)}
	for _, r := range g.runs {
		grey := r.Config.Modality == eval.GreyImage && g.o.Grey
		if r.Config.Dataset == run.Config.Dataset && r.Config.Model == run.Config.Model && (r.Config.Modality == eval.TextOnly || grey) {
			c.runs = append(c.runs, r)
		}
	}
	return c
}

// runsOfBase are the runs of a model's language base.
func (g *gainBuilder) runsOfBase(run *eval.Run, base string) runChoice {
	shots := ""
	if g.o.Shots != nil {
		shots = fmt.Sprintf(" --shots %d", *g.o.Shots)
	}
	c := runChoice{need: fmt.Sprintf("a run of the language base %s on %s (--modality base%s)", base, run.Config.Dataset, shots)}
	for _, r := range g.runs {
		blind := r.Config.Modality == eval.BaseText || r.Config.Modality == eval.TextOnly
		if r.Config.Dataset == run.Config.Dataset && r.Config.Model == base && blind && (g.o.Shots == nil || *g.o.Shots == r.Config.Settings.Shots) {
			c.runs = append(c.runs, r)
		}
	}
	return c
}

// servesStrategy reports whether a run's questions are decided under a strategy: a circular run has pass 0, too.
func servesStrategy(r *eval.Run, s eval.Strategy) bool {
	return r.Config.Strategy == s || s == eval.Vanilla
}

// findComparisonRun finds the one run of the choice, or why there is none.
func (g *gainBuilder) findComparisonRun(ctx context.Context, c runChoice, run *eval.Run, strategy eval.Strategy) (*GainSide, string, error) {
	var fit, named []eval.Run
	for _, r := range c.runs {
		if servesStrategy(&r, strategy) {
			fit = append(fit, r)
			if slices.Contains(g.o.Runs, r.ID) {
				named = append(named, r)
			}
		}
	}
	if len(named) > 0 {
		fit = named
	}
	switch {
	case len(fit) == 0 && strategy == eval.Circular:
		return nil, c.need + " under CircularEval, as run " + fmt.Sprint(run.ID) + " is", nil
	case len(fit) == 0:
		return nil, c.need, nil
	case len(fit) > 1:
		return nil, "the name of one run, by --run: " + report.DescribeRuns(fit), nil
	}
	side, err := g.decideRunOnce(ctx, fit[0], strategy)
	return side, "", err
}

// decideRunOnce decides every question of a run, once.
func (g *gainBuilder) decideRunOnce(ctx context.Context, run eval.Run, strategy eval.Strategy) (*GainSide, error) {
	if s := g.looked[decidedKey{run.ID, strategy}]; s != nil {
		return s, nil
	}
	splits := g.splits[run.Config.Dataset]
	known, shared := splits != nil, g.shared[run.Config.Dataset]
	if shared == nil {
		shared = &sampleClusters{numbers: make(map[string]int32)}
		g.shared[run.Config.Dataset] = shared
	}
	d, err := report.DecideRun(ctx, g.facts, run, g.o, strategy, g.meter, func(sample *eval.Sample, _ metric.QuestionState) {
		if known {
			return
		}
		for int(sample.Ordinal) >= len(splits) {
			splits = append(splits, "")
		}
		splits[sample.Ordinal] = sample.Split
		shared.addSample(sample)
	})
	if err != nil {
		return nil, err
	}
	s := &GainSide{
		Run: run.ID, Model: run.Config.Model, Modality: run.Config.Modality.String(), Shots: run.Config.Settings.Shots,
		Extractor: d.Source.Extractor, source: d.Source, marks: d.Marks, passes: d.Passes,
	}
	g.splits[run.Config.Dataset] = splits
	g.looked[decidedKey{run.ID, strategy}] = s
	return s, nil
}

// wholeSplitName is how rows over all samples of a dataset name their split, as those of other reports do.
func (g *gainBuilder) wholeSplitName(d eval.DatasetName) (string, []string) {
	names := slices.Clone(g.splits[d])
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) == 1 && names[0] != "" {
		return names[0], names
	}
	return report.AllSplits, names
}

func (g *gainBuilder) splitNames(d eval.DatasetName) []string {
	whole, names := g.wholeSplitName(d)
	out := []string{whole}
	if (g.o.BySplit || g.o.Split != "") && len(names) > 1 {
		for _, n := range names {
			n = cmp.Or(n, report.NoSplit)
			out = append(out, n)
		}
	}
	return slices.DeleteFunc(out, func(n string) bool { return g.o.Split != "" && g.o.Split != n })
}

// sideOfSplit is a side on the samples of a split of the run's dataset. What was measured elsewhere is of the whole.
func (g *gainBuilder) sideOfSplit(s *GainSide, run *eval.Run, split string) GainSide {
	out := *s
	if s.Run == 0 {
		if whole, _ := g.wholeSplitName(run.Config.Dataset); s.External != nil && split != whole {
			return GainSide{Rate: stat.UndefinedRate("a run: the score measured elsewhere is of the whole benchmark")}
		}
		return out
	}
	out.marks = g.marksOfSplit(s, run.Config.Dataset, split)
	out.clusters = g.shared[run.Config.Dataset].clusters
	out.Rate = out.marks.Rate(out.clusters, "no question decided")
	return out
}

// marksOfSplit is what a run makes of the samples of a split.
func (g *gainBuilder) marksOfSplit(s *GainSide, d eval.DatasetName, split string) metric.Marks {
	return s.marks.KeepMarksOf(g.makeSplitFilter(d, split))
}

func (g *gainBuilder) makeSplitFilter(d eval.DatasetName, split string) func(eval.Ordinal) bool {
	h, splits := report.Head{Split: split}, g.splits[d]
	return func(o eval.Ordinal) bool {
		return int(o) < len(splits) && h.CoversSample(&eval.Sample{Split: splits[o]})
	}
}
