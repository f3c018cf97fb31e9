package pairwise

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// VotesRow is a model against the anchor as one judge's votes have it (MLLM-Bench, Tables 5 and
// 14). Win to Unable sum to N; the questions with fewer than two votes are Incomplete, which
// NotAsked, OneOrder, Unparsed and Errors sum to.
type VotesRow struct {
	report.ForEveryone
	RunComparison
	Outcomes
	NotAsked int           `json:"not_asked"`
	OneOrder int           `json:"one_order"`
	Unparsed int           `json:"unparsed"`
	Errors   int           `json:"errors"`
	NoAnswer int           `json:"no_answer"` // of NotAsked: there are no two answers to compare
	Levels   []VotesLevel  `json:"levels"`
	Position PositionRates `json:"position"`

	*report.Correction // of the win rate, where it was asked for
}

// Outcomes are the results of a set of questions.
type Outcomes struct {
	Win          int       `json:"win" opens:"win"`
	Lose         int       `json:"lose" opens:"lose"`
	Tie          int       `json:"tie" opens:"tie"`
	SituationOne int       `json:"situation_one" opens:"situation_one"`
	SituationTwo int       `json:"situation_two" opens:"situation_two"`
	Unable       int       `json:"unable" opens:"unable"`
	N            int       `json:"n"`
	Folded       int       `json:"folded_ties"` // every outcome in which neither won
	Incomplete   int       `json:"incomplete" opens:"incomplete"`
	WinRate      stat.Rate `json:"win_rate"`
}

// VotesLevel is the outcomes under one prefix of the taxonomy.
type VotesLevel struct {
	Path []string `json:"path"`
	Outcomes
}

// PositionRates are the shares of the positions; they sum to 1.
type PositionRates struct {
	Same   stat.Rate `json:"same"`
	First  stat.Rate `json:"first"`
	Second stat.Rate `json:"second"`
	Other  stat.Rate `json:"other"`
}

func newOutcomes(b *metric.PairwiseCounts) Outcomes {
	r := &b.Results
	return Outcomes{
		Win: r[metric.Win], Lose: r[metric.Lose], Tie: r[metric.Tie],
		SituationOne: r[metric.SituationOne], SituationTwo: r[metric.SituationTwo], Unable: r[metric.Unable],
		N: b.N(), Folded: b.CountNeitherWon(), Incomplete: r[metric.Incomplete], WinRate: b.WinRate(),
	}
}

// ReportVotes reports the outcomes of every comparison that the options ask for, the
// models of one judge sorted by win rate.
func ReportVotes(ctx context.Context, facts report.VoteFacts, o VoteOptions) (report.Report, error) {
	d, found, err := findComparisons(ctx, facts, o)
	if err != nil {
		return report.Report{}, err
	}
	var rows []*VotesRow
	for i := range found {
		row, err := d.newVotesRow(ctx, &found[i])
		if err != nil {
			return report.Report{}, fmt.Errorf("report run %d against run %d: %w", found[i].model.ID, found[i].anchor.ID, err)
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b *VotesRow) int {
		return cmp.Or(strings.Compare(a.placeTitle(), b.placeTitle()), cmp.Compare(b.WinRate.Value, a.WinRate.Value))
	})
	out := report.Report{Name: "votes", Layout: votesLayout, Confidence: stat.Confidence, Draw: drawVotes, Notes: append(d.notes, mergeNote)}
	if o.Merge == metric.MergeAsked {
		out.Notes = append(out.Notes, askedNote)
	}
	if o.Corrected != nil {
		if err := d.correctRows(ctx, rows); err != nil {
			return report.Report{}, err
		}
		out.Notes = append(out.Notes, report.DescribeCorrections(rows)...)
	}
	if slices.ContainsFunc(rows, func(r *VotesRow) bool { return r.NoAnswer > 0 }) {
		out.Notes = append(out.Notes, noAnswerNote)
	}
	out.Rows = report.ToRows(rows)
	for _, group := range table.GroupBy(rows, func(r *VotesRow) string { return r.placeTitle() }) {
		out.Sheets = append(out.Sheets, makeWinRateTables(group)...)
		if o.Corrected != nil {
			out.Sheets = append(out.Sheets, makeCorrectedTable(group))
		}
	}
	if o.Corrected != nil {
		err = out.PrepareSaving(ctx, facts, o.Corrected, nil)
	}
	return out, err
}

const mergeNote = "Votes of both orders are merged as MLLM-Bench does: equal votes count, a model and an unable give the model, one vote each is a tie. Ties in the first table hold every outcome that neither won; the win rate is over all questions with two votes."

const askedNote = "Questions that were asked in one order alone count by that vote."

const noAnswerNote = "Questions that lack the model's or the anchor's answer are among those not asked."

func (d *comparisonReader) newVotesRow(ctx context.Context, c *orientedComparison) (*VotesRow, error) {
	row := &VotesRow{RunComparison: d.newComparison(c)}
	counts := metric.NewPairwise(d.o.Merge)
	err := d.eachQuestion(ctx, c, func(b *votedQuestion) { row.countQuestion(counts, b) })
	if err != nil {
		return nil, err
	}
	w := counts.TotalCounts()
	row.Outcomes, row.Position = newOutcomes(w), PositionRates{
		Same: w.PositionRate(metric.Same), First: w.PositionRate(metric.FirstBoth),
		Second: w.PositionRate(metric.SecondBoth), Other: w.PositionRate(metric.OtherPosition),
	}
	row.NotAsked, row.OneOrder, row.Unparsed, row.Errors, row.NoAnswer = w.NotAsked, w.OneOrder, w.Unparsed, w.Failed, w.NoAnswer
	row.Levels = newLevels(counts)
	return row, nil
}

func newLevels(counts *metric.Pairwise) []VotesLevel {
	return append([]VotesLevel{}, eval.Map(counts.LevelCounts(), func(l *metric.PairwiseCounts) VotesLevel {
		return VotesLevel{Path: l.Path, Outcomes: newOutcomes(l)}
	})...)
}

// countQuestion counts one question, and keeps it for drills.
func (d *RunComparison) countQuestion(counts *metric.Pairwise, b *votedQuestion) metric.Result {
	r := counts.AddQuestion(&b.VotedQuestion)
	pair := eval.Pair{Sample: b.sample.Ordinal, First: d.Run, Second: d.AnchorRun}
	d.keepQuestion(pair, b.Path, keptQuestion{b.Cluster, r}, ofResult[r], ofPosition[b.ClassifyPosition()])
	return r
}

// Names of measures that tables have in common.
const (
	outcomeNames  = "win lose tie situation_one situation_two unable n incomplete "
	reasonNames   = "not_asked one_order unparsed errors no_answer "
	positionNames = "same first second other "
)

var (
	votesLayout    = report.NewLayout(report.HeadNames+duelNames+"level win_rate "+outcomeNames+reasonNames+positionNames, VotesRow{}, PositionRates{})
	foldedLayout   = report.NewLayout("model win_rate win ties:count lose n incomplete", VotesRow{})
	outcomesLayout = report.NewLayout("model "+outcomeNames+reasonNames+"same_vote:rate", VotesRow{})
)

func (o *Outcomes) presentOutcomes(which ...report.Which) []report.Which {
	n := map[report.Which]int{Wins: o.Win, Losses: o.Lose, Ties: o.Tie, SituationOnes: o.SituationOne, SituationTwos: o.SituationTwo, Unables: o.Unable}
	return slices.DeleteFunc(which, func(w report.Which) bool { return n[w] == 0 && w != Wins })
}

func (o *Outcomes) rateCell(by report.Opener) table.Cell {
	c := report.AttachPicks(table.NewRate(o.WinRate), by, o.presentOutcomes(Wins, Losses, Ties, SituationOnes, SituationTwos, Unables)...)
	return report.AddNonEmptyCuts(c, by, report.NewOpenedCount(Incompletes, o.Incomplete))
}

// makeOutcomeCells makes the figures over several outcomes, which open each.
func (o *Outcomes) makeOutcomeCells(by report.Opener) report.Cells {
	rate := o.rateCell(by)
	return report.Cells{
		"win_rate": rate, "n": report.CopyPicks(table.NewCount(o.N), rate), "ties": report.AttachPicks(table.NewCount(o.Folded), by, o.presentOutcomes(Ties, SituationOnes, SituationTwos, Unables)...),
	}
}

var positionColumns = table.ParseColumns("same:rate first:rate second:rate other:rate")

// makePositionCells makes the shares, each with its own pairs first.
func (p *PositionRates) makePositionCells(by report.Opener, incomplete int) []table.Cell {
	all := []report.Which{SameVotes, FirstVotes, SecondVotes, OtherVotes}
	return eval.MapIndexed([]stat.Rate{p.Same, p.First, p.Second, p.Other}, func(i int, share stat.Rate) table.Cell {
		return report.AddNonEmptyCuts(report.AttachPicks(table.NewRate(share), by, slices.Concat(all[i:], all[:i])...), by, report.NewOpenedCount(Incompletes, incomplete))
	})
}

// TableLines gives the whole and then one line for each level, which has outcomes alone.
func (r *VotesRow) TableLines() [][]table.Cell {
	by := r.newOpener(r)
	whole, shares := r.makeOutcomeCells(by), r.Position.makePositionCells(by, r.Incomplete)
	whole["level"] = table.NewText("all")
	for i, name := range strings.Fields(positionNames) {
		whole[name] = shares[i]
	}
	out := [][]table.Cell{votesLayout.MakeTableLine(by, whole, &r.RunComparison, r)}
	for i := range r.Levels {
		l, by := &r.Levels[i], by.UnderLevel(r.Levels[i].Path...)
		level := l.makeOutcomeCells(by)
		level["level"] = table.NewText(eval.JoinPath(l.Path))
		out = append(out, votesLayout.MakeTableLine(by, level, &l.Outcomes, &r.RunComparison))
	}
	return out
}

// Settings are how the votes of both orders were merged.
func (r *VotesRow) Settings() []string { return []string{"votes merged as " + r.Merge} }

// makeWinRateTables lays the rows of one judge out as people read them: win, ties and lose with
// the win rate, the same per level of the taxonomy, and every outcome apart.
func makeWinRateTables(rows []*VotesRow) []table.Table {
	title := rows[0].placeTitle()
	folded, detailed := foldedLayout.NewTable("votes", title), outcomesLayout.NewTable("outcomes", title)
	placed := false
	most := eval.MaxOf(rows, func(r *VotesRow) int { return r.N })
	anchor := func() {
		folded.Rows = append(folded.Rows, foldedLayout.MakeTableLine(report.Opener{}, report.Cells{
			"model": table.NewText(rows[0].Anchor + " (anchor)"), "win_rate": table.NewComputed(stat.NewExactEstimate(0.5, most)),
		}))
		placed = true
	}
	for _, r := range rows {
		if !placed && r.WinRate.Value < 0.5 {
			anchor()
		}
		by := r.newOpener(r)
		cells := r.makeOutcomeCells(by)
		cells["same_vote"] = r.Position.makePositionCells(by, r.Incomplete)[0]
		folded.Rows = append(folded.Rows, foldedLayout.MakeTableLine(by, cells, r))
		detailed.Rows = append(detailed.Rows, outcomesLayout.MakeTableLine(by, cells, r))
	}
	if !placed {
		anchor()
	}
	folded.Notes = []string{"The anchor's own win rate is 50% by definition."}
	out := []table.Table{folded}
	if levels := makeLevelTable(rows, title, "Each cell is win/ties/lose."); len(levels.Columns) > 1 {
		out = append(out, levels)
	}
	return append(out, detailed)
}

// leveled is a row with a figure for each first level of the taxonomy.
type leveled interface {
	Cells() []table.Cell
	cellsByFirstLevel() map[string]table.Cell
}

// makeLevelTable has the rows' figures under each first level.
func makeLevelTable[R leveled](rows []R, title, note string) table.Table {
	t := table.Table{Name: "levels", Title: title, Columns: table.ParseColumns("model"), Notes: []string{note}}
	figures := make([]map[string]table.Cell, len(rows))
	all := make(map[string]table.Cell)
	for i, r := range rows {
		figures[i] = r.cellsByFirstLevel()
		maps.Copy(all, figures[i])
	}
	names := slices.Sorted(maps.Keys(all))
	t.Columns = append(t.Columns, table.NewColumnsOfKind(table.KindCount, names)...)
	for i, r := range rows {
		t.Rows = append(t.Rows, append([]table.Cell{r.Cells()[3]}, eval.Map(names, func(n string) table.Cell { return figures[i][n] })...))
	}
	return t
}

func (r *VotesRow) cellsByFirstLevel() map[string]table.Cell {
	out := make(map[string]table.Cell)
	for i := range r.Levels {
		if l := &r.Levels[i]; len(l.Path) == 1 {
			out[l.Path[0]] = report.CopyPicks(table.NewText(fmt.Sprintf("%d/%d/%d", l.Win, l.Folded, l.Lose)), l.rateCell(r.newOpener(r).UnderLevel(l.Path...)))
		}
	}
	return out
}
