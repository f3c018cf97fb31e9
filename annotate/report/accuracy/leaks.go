package accuracy

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// LeaksRow is how many pairs of a model without the picture and its language base turn each sample of a dataset from
// wrong to right: what more than half of them do is suspected to have leaked into training (MMStar, Fig. 3).
type LeaksRow struct {
	report.ForEveryone
	Dataset    eval.DatasetName  `json:"dataset"`
	Split      string            `json:"split"`
	Synthetic  bool              `json:"synthetic,omitempty"`
	Strategy   string            `json:"strategy"`
	Pairs      []LeakPair        `json:"pairs"`
	Incomplete int               `json:"incomplete"` // some pair has not decided them: in no figure but its own
	Turned     []report.HitShare `json:"turned"`     // by how many pairs
	Suspected  stat.Rate         `json:"suspected"`  // by more than half of them
	Chance     stat.Estimate     `json:"chance"`     // the share that would be suspected if all sides guessed, over samples with options
	Samples    []eval.SampleID   `json:"suspected_samples,omitempty"`
	Missing    []string          `json:"missing,omitempty"` // what further pairs need

	looks  []leakPairMarks
	shares *sampleClusters
	covers func(eval.Ordinal) bool
	turns  []int // by sample: how many, or one of the two below
}

// What a sample has in place of a number of turns.
const (
	someUndecided = -1
	otherSplit    = -2
)

// LeakPair is a model without the picture beside its language base.
type LeakPair struct {
	Model     string     `json:"model"`
	Run       eval.RunID `json:"run"`
	Modality  string     `json:"modality"`
	Base      string     `json:"base"`
	BaseRun   eval.RunID `json:"base_run"`
	Shots     int        `json:"shots"`
	Extractor string     `json:"extractor"`
	Turned    stat.Rate  `json:"turned"` // over the samples that both have decided

	readBy string
}

type leakPairMarks struct{ text, base *GainSide }

// isTurnedRight reports a sample that the base answers wrong and the model right, and whether both have decided it.
func (l *leakPairMarks) isTurnedRight(o eval.Ordinal) (turned, decided bool) {
	a, b := l.text.marks.At(o), l.base.marks.At(o)
	return a == metric.MarkRight && b == metric.MarkWrong, a != metric.MarkUnset && b != metric.MarkUnset
}

// ReportLeaks reports the samples that training turns from wrong to right although the picture is not there.
func ReportLeaks(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	g, err := newGainBuilder(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "leaks", Layout: leaksLayout, Confidence: stat.Confidence}
	rows, err := g.findLeaks(ctx)
	if err != nil {
		return report.Report{}, err
	}
	g.meter.FinishProgress()
	out.Rows = report.ToRows(rows)
	for _, r := range rows {
		if err := r.countTurns(facts); err != nil {
			return report.Report{}, err
		}
		out.Sheets = append(out.Sheets, r.makeTables()...)
		for _, m := range r.Missing {
			out.Notes = eval.AppendUnique(out.Notes, fmt.Sprintf("A further pair on %s needs %s.", r.Dataset, m)) // the rows of its splits need the same
		}
	}
	if len(rows) == 0 && o.Split != "" {
		return report.Report{}, fmt.Errorf("find questions of split %q in text-only runs of models whose language base the configuration names: %w", o.Split, eval.ErrNotFound)
	}
	if len(rows) == 0 {
		return report.Report{}, fmt.Errorf("find text-only runs of models whose language base the configuration names ([models.NAME] language_base = ...): %w", eval.ErrNotFound)
	}
	return out, nil
}

// findLeaks finds the pairs: of every model that has a language base, its run without the picture and the base's.
func (g *gainBuilder) findLeaks(ctx context.Context) ([]*LeaksRow, error) {
	type place struct {
		dataset  eval.DatasetName
		strategy eval.Strategy
		model    string
	}
	var rows []*LeaksRow
	seen := make(map[place]bool)
	for _, run := range g.chosenRuns(g.isTextOnlyWithBase) {
		strategy := cmp.Or(g.o.Strategy, run.Config.Strategy)
		p := place{run.Config.Dataset, strategy, run.Config.Model}
		if seen[p] || !servesStrategy(&run, strategy) {
			continue
		}
		seen[p] = true
		row := eval.FindOrAdd(&rows, func(r **LeaksRow) bool { return (*r).Dataset == p.dataset && (*r).Strategy == strategy.String() }, func() *LeaksRow {
			return &LeaksRow{Dataset: p.dataset, Strategy: strategy.String(), Synthetic: run.Config.Synthetic}
		})
		if err := g.addLeakPair(ctx, *row, &run, newCardInfo(g.o, p.model).LanguageBase, strategy); err != nil {
			return nil, err
		}
	}
	var out []*LeaksRow
	for _, r := range rows {
		splits := g.splitNames(r.Dataset)
		if g.splits[r.Dataset] == nil && g.o.Split != "" { // nothing of it could be read: that is told
			splits = []string{g.o.Split}
		}
		out = append(out, eval.Map(splits, func(split string) *LeaksRow { return g.rowOfSplit(r, split) })...)
	}
	return out, nil
}

func (g *gainBuilder) rowOfSplit(r *LeaksRow, split string) *LeaksRow {
	out := *r
	out.Split, out.Pairs, out.looks, out.covers, out.shares = split, []LeakPair{}, nil, g.makeSplitFilter(r.Dataset, split), g.shared[r.Dataset]
	for _, l := range r.looks {
		text, base := *l.text, *l.base
		text.marks, base.marks = g.marksOfSplit(l.text, r.Dataset, split), g.marksOfSplit(l.base, r.Dataset, split)
		look := leakPairMarks{&text, &base}
		out.looks = append(out.looks, look)
		out.Pairs = append(out.Pairs, look.newPair(out.shares))
	}
	return &out
}

// isTextOnlyWithBase reports a run without pictures of a model with a language base.
func (g *gainBuilder) isTextOnlyWithBase(r *eval.Run) bool {
	card := newCardInfo(g.o, r.Config.Model)
	grey := r.Config.Modality == eval.GreyImage && g.o.Grey
	return (r.Config.Modality == eval.TextOnly || grey) && card != nil && card.LanguageBase != ""
}

// addLeakPair adds a model and its base to a row, or what they need.
func (g *gainBuilder) addLeakPair(ctx context.Context, row *LeaksRow, run *eval.Run, base string, strategy eval.Strategy) error {
	text, why, err := g.findComparisonRun(ctx, g.runsWithoutImages(run), run, strategy)
	if err != nil {
		return err
	}
	var other *GainSide
	if text != nil {
		if other, why, err = g.findComparisonRun(ctx, g.runsOfBase(run, base), run, strategy); err != nil {
			return err
		}
	}
	if other == nil {
		row.Missing = append(row.Missing, why)
		return nil
	}
	row.looks = append(row.looks, leakPairMarks{text, other})
	return nil
}

// newPair gives how many samples the two sides' model turns.
func (l *leakPairMarks) newPair(shared *sampleClusters) LeakPair {
	var c stat.Clusters
	for o := range eval.Ordinal(max(len(l.text.marks), len(l.base.marks))) { //nolint:gosec // a number of samples
		if turned, decided := l.isTurnedRight(o); decided {
			c.AddHit(turned)
			c.CloseInCluster(shared.clusterOf(int(o)))
		}
	}
	return LeakPair{
		Model: l.text.Model, Run: l.text.Run, Modality: l.text.Modality, Base: l.base.Model, BaseRun: l.base.Run, Shots: l.base.Shots,
		Extractor: l.text.Extractor, readBy: l.text.source.ReadBy(), Turned: c.Rate("no question decided by both"),
	}
}

// countTurns fills in by how many pairs each sample is turned.
func (r *LeaksRow) countTurns(facts report.Facts) error {
	n := 0
	for _, l := range r.looks {
		n = max(n, len(l.text.marks), len(l.base.marks))
	}
	suspected, guessed, byChance := 0, 0, 0.0
	for i := range n {
		o, turns, complete := eval.Ordinal(i), 0, true //nolint:gosec // an index of samples
		if !r.covers(o) {
			r.turns = append(r.turns, otherSplit)
			continue
		}
		for j := range r.looks {
			turned, decided := r.looks[j].isTurnedRight(o)
			complete = complete && decided
			if turned {
				turns++
			}
		}
		if !complete {
			r.turns = append(r.turns, someUndecided)
			r.Incomplete++
			continue
		}
		r.turns = append(r.turns, turns)
		if options := r.shares.guesses[i]; options >= 0 {
			guessed++
			right := metric.GuessChance(int(options), eval.Either(r.Strategy == eval.Circular.String(), eval.Circular, eval.Vanilla))
			byChance += stat.MajorityChance(len(r.looks), right*(1-right)) // that more than half of the pairs turn it, all sides guessing
		}
		if !r.isSuspected(turns) {
			continue
		}
		if suspected++; suspected > mostSamples {
			continue
		}
		s, err := facts.Sample(r.Dataset, o)
		if err != nil {
			return fmt.Errorf("find sample %d of %s: %w", o, r.Dataset, err)
		}
		r.Samples = append(r.Samples, s.ID)
	}
	r.Turned = []report.HitShare{}
	for k := range len(r.looks) + min(1, len(r.looks)) {
		r.Turned = append(r.Turned, report.HitShare{Hits: k, Samples: r.turnRate(func(turns int) bool { return turns == k })})
	}
	r.Suspected, r.Chance = r.turnRate(r.isSuspected), stat.NewUndefinedEstimate("no sample has options to guess from")
	if guessed > 0 {
		r.Chance = stat.NewExactEstimate(byChance/float64(guessed), guessed)
	}
	return nil
}

// turnRate is the share of samples that are turned by some numbers of pairs.
func (r *LeaksRow) turnRate(hit func(turns int) bool) stat.Rate {
	var c stat.Clusters
	for i, turns := range r.turns {
		if turns >= 0 {
			c.AddHit(hit(turns))
			c.CloseInCluster(r.shares.clusterOf(i))
		}
	}
	return c.Rate("no sample decided by all pairs")
}

// isSuspected reports whether so many pairs are more than half.
func (r *LeaksRow) isSuspected(turns int) bool { return 2*turns > len(r.looks) }

var leaksLayout = report.NewLayout("dataset split strategy group class samples:count share:rate")

// TableLines give every pair, by how many pairs samples are turned, and the suspected.
func (r *LeaksRow) TableLines() [][]table.Cell {
	var out [][]table.Cell
	add := func(group, class string, n int, share table.Cell) {
		out = append(out, []table.Cell{table.NewText(string(r.Dataset)), table.NewText(r.Split), table.NewText(r.Strategy), table.NewText(group), table.NewText(class), table.NewCount(n), share})
	}
	for _, p := range r.Pairs {
		add("pair", fmt.Sprintf("%s (run %d) beside %s (run %d, %d shots)", p.Model, p.Run, p.Base, p.BaseRun, p.Shots), p.Turned.K, table.NewRate(p.Turned))
	}
	add("samples", "incomplete", r.Incomplete, table.NewBlank())
	for _, h := range r.Turned {
		add("turned", table.FormatGrouped(h.Hits), h.Samples.K, table.NewRate(h.Samples))
	}
	add("suspected", "more than half", r.Suspected.K, table.NewRate(r.Suspected))
	out = append(out, slices.Clone(out[len(out)-1]))
	copy(out[len(out)-1][4:], []table.Cell{table.NewText("by chance"), table.NewBlank(), table.NewComputed(r.Chance)})
	return out
}

// makeTables makes the pairs, and by how many of them samples are turned.
func (r *LeaksRow) makeTables() []table.Table {
	title := report.MarkSynthetic(string(r.Dataset)+", split "+r.Split+", "+r.Strategy, r.Synthetic)
	pairs := table.Table{Name: "leaks", Title: title, Columns: table.ParseColumns("model run:count language_base base_run:count shots:count extractor turned:rate")}
	for _, p := range r.Pairs {
		pairs.Rows = append(pairs.Rows, []table.Cell{
			table.NewText(p.Model), table.NewCount(int(p.Run)), table.NewText(p.Base), table.NewCount(int(p.BaseRun)), table.NewCount(p.Shots), table.NewText(p.Extractor),
			report.AttachPicks(table.NewRate(p.Turned), newOpener(r, p.readBy).WithPart(FigurePart{Model: p.Model}), Leaked),
		})
	}
	turned := report.MakeHitCountTable("samples by pairs that turn them", title, r.Turned, func(c table.Cell, hits int) table.Cell {
		return report.AttachPicks(c, r.newOpener().WithPart(FigurePart{Hits: hits}), TurnedBy)
	})
	turned.Columns[0].Name = "pairs"
	whole := table.Table{Name: "suspected", Title: title, Columns: table.ParseColumns("suspected:rate chance:rate incomplete:count")}
	whole.Notes = []string{"Chance is the share that more than half of the pairs would turn from wrong to right if all sides guessed."}
	suspected := report.AttachPicks(table.NewRate(r.Suspected), r.newOpener(), Suspected)
	whole.Rows = [][]table.Cell{{suspected, report.CopyPicks(table.NewComputed(r.Chance), suspected), report.AttachPicks(table.NewCount(r.Incomplete), r.newOpener(), report.Incomplete)}}
	out := []table.Table{}
	if len(r.Pairs) > 0 {
		out = append(out, pairs, turned)
	}
	return append(out, whole)
}

// newOpener shows the samples as the first pair's model answered them.
func (r *LeaksRow) newOpener() report.Opener {
	o := newOpener(r, "")
	if len(r.Pairs) > 0 {
		o.Extractor = r.Pairs[0].readBy
	}
	return o
}

// KeysBehind yields the samples behind a figure, as the first pair's model answered
// them: the Suspected, those with Part.Hits turns by Turned, and by Leaked
// those that the pair of Part.Model turns, as that model did.
func (r *LeaksRow) KeysBehind(_ context.Context, _ report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	return report.SelectKeys(report.EachOrdinal(len(r.turns)), func(o eval.Ordinal) (eval.Key, bool) {
		side := r.sideBehind(o, r.turns[o], &s)
		if side == nil {
			return eval.Key{}, false
		}
		return eval.Key{Run: side.Run, Sample: o, Pass: side.passes[o]}, true
	})
}

// sideBehind is the side whose answer stands for a sample behind a figure; nil for another sample.
func (r *LeaksRow) sideBehind(o eval.Ordinal, turns int, s *report.Selection) *GainSide {
	switch s.Which {
	case Suspected:
		if turns >= 0 && r.isSuspected(turns) {
			return r.looks[0].text
		}
	case TurnedBy:
		if turns >= 0 && turns == partOfSelection(s).Hits {
			return r.looks[0].text
		}
	case report.Incomplete:
		if turns == someUndecided {
			return r.looks[0].text
		}
	case Leaked:
		for i := range r.looks {
			if turned, _ := r.looks[i].isTurnedRight(o); turned && r.Pairs[i].Model == partOfSelection(s).Model {
				return r.looks[i].text
			}
		}
	default:
	}
	return nil
}
