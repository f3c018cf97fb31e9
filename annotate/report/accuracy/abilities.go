package accuracy

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// AbilitiesRow is a run's accuracy per ability at one level of the taxonomy (MMBench, Tables 3, 8 and 9
// to 14; MMStar, Table 5). The counts are of questions that are in no rate, or irregular.
type AbilitiesRow struct {
	report.ForEveryone
	report.Head
	report.Source
	Strategy  string         `json:"strategy"`
	Card      *CardInfo      `json:"card,omitempty"`
	Level     int            `json:"level"` // 0: the questions have no taxonomy
	Accuracy  stat.Rate      `json:"accuracy"`
	Frequent  stat.Rate      `json:"frequent_choice"`
	Random    stat.Estimate  `json:"random_choice" as:"share"`
	Abilities []AbilityScore `json:"abilities"`
	Unplaced  int            `json:"unplaced"` // of the accuracy's n, questions whose taxonomy ends before the level

	Pending    int `json:"pending"`
	Irregular  int `json:"irregular"`
	NoTruth    int `json:"no_truth"`
	Unanswered int `json:"unanswered"`
	NoRules    int `json:"no_rules"`

	strategy eval.Strategy
	above    []AbilityScore // of the level before, for the tables per parent
}

// AbilityScore is the accuracy under one node of the taxonomy, with the
// baselines of a model that never looks, over all of the node's questions.
type AbilityScore struct {
	Path     []string      `json:"path" column:"ability"`
	Accuracy stat.Rate     `json:"accuracy"`
	Frequent stat.Rate     `json:"frequent_choice"`
	Random   stat.Estimate `json:"random_choice" as:"share"`
	Pending  int           `json:"pending,omitempty"`
}

// ReportAbilities reports accuracy per ability, models as rows: under the strategy
// and at the level that the options ask for.
func ReportAbilities(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	need := eval.Either(o.Strategy == eval.Circular, "a run under CircularEval (ask one with --strategy circular, or import a file in the circular layout)", "runs to report")
	f, err := report.ScanRunsThatServe(ctx, facts, &o, need, func(r *eval.Run) bool {
		return o.Strategy != eval.Circular || r.Config.Strategy == eval.Circular
	})
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "abilities", Layout: abilitiesLayout, Confidence: stat.Confidence, Draw: drawAbilities, Notes: f.DescribeNotRead()}
	depths := taxonomyDepths(f)
	var rows []*AbilitiesRow
	flat := make(map[eval.DatasetName]bool)
	for i := range f.Runs {
		r := &f.Runs[i]
		of := r.Run.Config.Dataset
		level := cmp.Or(o.Level, min(2, depths[of]))
		if level > depths[of] || level == 0 {
			flat[of] = true
			continue
		}
		rows = append(rows, eval.Map(f.SplitsOfRun(r), func(s report.ScannedSplit) *AbilitiesRow { return newAbilitiesRow(r, s, &o, level) })...)
	}
	out.Notes = append(out.Notes, eval.Map(slices.Sorted(maps.Keys(flat)), func(of eval.DatasetName) string { return explainMissingLevel(of, depths[of], o.Level) })...)
	if len(rows) == 0 {
		return report.Report{}, eval.NewNotFoundError("%s", out.Notes[len(out.Notes)-1])
	}
	slices.SortStableFunc(rows, func(a, b *AbilitiesRow) int { return compareBySize(a.Card, b.Card) })
	out.Rows = report.ToRows(rows)
	if out.Sheets = makeAbilityTables(rows); o.Chart {
		out.Sheets = makeAbilityCharts(rows)
	} else if slices.ContainsFunc(rows, func(r *AbilitiesRow) bool { return r.Frequent.N > 0 }) {
		out.Notes = append(out.Notes, "Frequent choice gives each column's questions the answer that is the most frequent among them; overall it gives those of each first level their own.")
	}
	return out, nil
}

func taxonomyDepths(f *report.Scanned) map[eval.DatasetName]int {
	out := make(map[eval.DatasetName]int)
	for i := range f.Runs {
		r := &f.Runs[i]
		for _, l := range r.Tally.TotalCounts().Root.Descendants() {
			out[r.Run.Config.Dataset] = max(out[r.Run.Config.Dataset], len(l.Path))
		}
	}
	return out
}

func explainMissingLevel(of eval.DatasetName, depth, level int) string {
	if depth == 0 {
		return fmt.Sprintf("The questions of %s have no taxonomy (import the benchmark's own file, with its category columns).", of)
	}
	return fmt.Sprintf("The taxonomy of %s ends at level %d; level %d was asked for.", of, depth, level)
}

func newAbilitiesRow(r *report.ScannedRun, s report.ScannedSplit, o *report.Options, level int) *AbilitiesRow {
	strategy := cmp.Or(o.Strategy, r.Run.Config.Strategy)
	root := s.Counted.Root
	score := root.Score(strategy)
	row := &AbilitiesRow{
		Head: report.NewHead(r.Run, s.Name), Source: r.ReadingSource(), Strategy: strategy.String(), strategy: strategy, Card: newCardInfo(o, r.Run.Config.Model),
		Level: level, Accuracy: score.Rate(), Abilities: []AbilityScore{},
		Frequent: frequentBaseline(root, strategy), Random: root.RandomBaselineEstimate(strategy),
		Pending: score.Pending, Irregular: score.Irregular, NoTruth: score.NoTruth,
		Unanswered: score.Unanswered, NoRules: score.NoRules,
	}
	row.Unplaced = row.Accuracy.N
	for _, l := range root.Descendants() {
		switch len(l.Path) {
		case level:
			row.Unplaced -= l.Score(strategy).Accuracy.N
			row.Abilities = append(row.Abilities, newAbilityScore(l, strategy))
		case level - 1:
			row.above = append(row.above, newAbilityScore(l, strategy))
		}
	}
	return row
}

func newAbilityScore(l *metric.Level, strategy eval.Strategy) AbilityScore {
	score := l.Score(strategy)
	return AbilityScore{Path: l.Path, Accuracy: score.Rate(), Frequent: frequentBaseline(l, strategy), Random: l.RandomBaselineEstimate(strategy), Pending: score.Pending}
}

var abilitiesLayout = report.NewLayout(report.HeadNames+cardNames+
	"extractor strategy ability accuracy frequent_choice random_choice unplaced pending irregular no_truth unanswered no_rules", AbilitiesRow{})

// TableLines gives the whole and then one line for each ability, which say how many of their questions are pending.
func (r *AbilitiesRow) TableLines() [][]table.Cell {
	whole := abilitiesLayout.MakeTableLine(r.newOpener(nil), report.Cells{"ability": table.NewText("all")}, r, r.Card)
	return append([][]table.Cell{whole}, eval.Map(r.Abilities, func(a AbilityScore) []table.Cell {
		return abilitiesLayout.MakeTableLine(r.newOpener(nil), &a, &r.Head, r.Card, &r.Source, report.Cells{"strategy": table.NewText(r.Strategy)})
	})...)
}

func (r *AbilitiesRow) newOpener(level []string) report.Opener {
	return newOpener(r, r.ReadBy()).UnderLevel(level...)
}

// Unplaced are the questions of an accuracy whose taxonomy ends before the abilities.
const Unplaced report.Which = "unplaced"

// KeysBehind yields what is behind the accuracy; Selection.Level names an ability.
func (r *AbilitiesRow) KeysBehind(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	if s.Which == Unplaced {
		return r.EachKeyBehind(ctx, facts, r.ReadAs, s, func(q *report.DrilledQuestion) []eval.Key {
			if !q.Outcome.StateUnder(r.strategy).IsDecided() || len(q.Sample.Taxonomy) >= r.Level {
				return nil
			}
			return q.KeyToShow(r.Run)
		})
	}
	return eachAccuracyKey(ctx, facts, &r.Head, &r.Source, r.Strategy, s)
}

// makeAbilityCharts makes models by ability as bars (MMBench, Fig. 1; MME, Fig. 3): one table for each
// dataset, split and strategy, the models of an ability one below the other, on one scale from 0 to 1.
func makeAbilityCharts(rows []*AbilitiesRow) []table.Table {
	var out []table.Table
	for _, group := range table.GroupBy(rows, func(r *AbilitiesRow) string { return r.PlaceTitle() + ", " + r.Strategy }) {
		t := table.Table{
			Name: "models by ability", Title: group[0].PlaceTitle() + ", " + group[0].Strategy,
			Columns: table.ParseColumns("ability model accuracy:rate :bar"),
		}
		for _, path := range collectAbilityPaths(group) {
			name := table.NewText(eval.JoinPath(path))
			for _, r := range group {
				a := scoreOfAbility(r.Abilities, path).Accuracy
				drawn := eval.Either(a.N > 0, table.NewBar(a.Value), table.NewBlank())
				t.Rows = append(t.Rows, []table.Cell{name, table.NewText(r.RunLabel()), report.AttachPicks(table.NewRate(a), r.newOpener(path), report.Right, report.Wrong), drawn})
			}
		}
		out = append(out, t)
	}
	return out
}

// mostColumns is how many abilities stand in one table. More are split up by
// the ability above them, as MMBench's Tables 9 to 14 are.
const mostColumns = 8

// makeAbilityTables lays rows out as tables with a column for each ability: one
// for each dataset and split, or for each ability above.
func makeAbilityTables(rows []*AbilitiesRow) []table.Table {
	var out []table.Table
	for _, group := range table.GroupBy(rows, (*AbilitiesRow).PlaceTitle) {
		paths := collectAbilityPaths(group)
		if len(paths) <= mostColumns || group[0].Level < 2 {
			out = append(out, makeAbilityTable(group, nil, paths))
			continue
		}
		for len(paths) > 0 {
			parent := paths[0][:len(paths[0])-1]
			n := 0
			for n < len(paths) && report.PathHasPrefix(paths[n], parent) {
				n++
			}
			out = append(out, makeAbilityTable(group, parent, paths[:n]))
			paths = paths[n:]
		}
	}
	return out
}

// collectAbilityPaths collects the abilities that any of the rows has, in the dataset's order.
func collectAbilityPaths(rows []*AbilitiesRow) [][]string {
	order := make(eval.LevelOrder)
	out := eval.FlatMap(rows, func(r *AbilitiesRow) [][]string {
		return eval.Map(r.Abilities, func(a AbilityScore) []string {
			order.AddPath(a.Path)
			return a.Path
		})
	})
	slices.SortFunc(out, order.Compare)
	return slices.CompactFunc(out, slices.Equal[[]string])
}

// makeAbilityTable makes the table of the abilities, after the figure of the one above them all.
func makeAbilityTable(rows []*AbilitiesRow, parent []string, paths [][]string) table.Table {
	first, title := "overall", rows[0].PlaceTitle()
	if len(parent) > 0 {
		first, title = parent[len(parent)-1], title+": "+eval.JoinPath(parent)
	}
	t := table.Table{
		Name: "abilities", Title: title,
		Columns: slices.Concat(report.SheetColumns, cardColumns, []table.Column{{Name: "extractor"}, {Name: "strategy"}, {Name: first, Kind: table.KindRate}}),
	}
	figures := len(t.Columns) - 1
	names := eval.Map(paths, func(p []string) string { return p[len(p)-1] })
	t.Columns = slices.Concat(t.Columns, table.NewColumnsOfKind(table.KindRate, names), table.ParseColumns("unplaced:count pending:count"))
	for _, r := range rows {
		above := r.parentScore(parent)
		line := slices.Concat(r.SheetCells(), r.Card.makeCells(), []table.Cell{table.NewText(r.Extractor), table.NewText(r.Strategy), report.AttachPicks(table.NewRate(above.Accuracy), r.newOpener(parent), report.Right, report.Wrong)})
		unplaced := above.Accuracy.N
		for _, p := range paths {
			a := scoreOfAbility(r.Abilities, p).Accuracy
			line = append(line, report.AttachPicks(table.NewRate(a), r.newOpener(p), report.Right, report.Wrong))
			unplaced -= a.N
		}
		t.Rows = append(t.Rows, append(line, report.AttachPicks(table.NewCount(unplaced), r.newOpener(parent), Unplaced), report.AttachPicks(table.NewCount(above.Pending), r.newOpener(parent), Pending)))
	}
	t.CompareFromColumn(figures)
	t.Rows = append(makeBaselineLines(rows, parent, paths), t.Rows...)
	return t.WithoutEmpty(cardColumns)
}

// parentScore is the figure of the ability above those of a table.
func (r *AbilitiesRow) parentScore(parent []string) AbilityScore {
	if len(parent) > 0 {
		return scoreOfAbility(r.above, parent)
	}
	return AbilityScore{Accuracy: r.Accuracy, Frequent: r.Frequent, Random: r.Random, Pending: r.Pending}
}

// makeBaselineLines makes the baselines of a model that never looks, as MMStar's Table 5 has
// them above its models: they are of the dataset, whoever answers. No constant answer is right
// in all passes, so that under CircularEval there is but the random one.
func makeBaselineLines(rows []*AbilitiesRow, parent []string, paths [][]string) [][]table.Cell {
	var random, frequent [][]table.Cell
	var seen []string
	for _, r := range rows {
		if slices.Contains(seen, r.Strategy) {
			continue
		}
		seen = append(seen, r.Strategy)
		line := func(name string, figure func(AbilityScore) table.Cell) []table.Cell {
			out := make([]table.Cell, len(report.SheetColumns)+len(cardColumns)+2)
			out[1], out[len(out)-1] = table.NewText(name), table.NewText(r.Strategy)
			out = append(out, report.AttachPicks(figure(r.parentScore(parent)), r.newOpener(parent), report.Every))
			out = append(out, eval.Map(paths, func(p []string) table.Cell {
				return report.AttachPicks(figure(scoreOfAbility(r.Abilities, p)), r.newOpener(p), report.Every)
			})...)
			return append(out, table.NewBlank(), table.NewBlank())
		}
		random = append(random, line("random choice", func(a AbilityScore) table.Cell { return table.NewComputed(a.Random) }))
		if r.Frequent.N > 0 {
			frequent = append(frequent, line("frequent choice", func(a AbilityScore) table.Cell { return table.NewRate(a.Frequent).MarkAsBest(false) }))
		}
	}
	return slices.Concat(random, frequent)
}

// scoreOfAbility gives the figure of one ability, undefined where the row has none of it.
func scoreOfAbility(all []AbilityScore, path []string) AbilityScore {
	if a, ok := eval.FirstWanted(all, func(a AbilityScore) bool { return slices.Equal(a.Path, path) }); ok {
		return a
	}
	const none = "no questions"
	return AbilityScore{Path: path, Accuracy: stat.UndefinedRate(none), Frequent: stat.UndefinedRate(none), Random: stat.NewUndefinedEstimate(none)}
}
