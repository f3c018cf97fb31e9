package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
	"concord/eval/stat/ranking"
)

// LeaderRow is where a model stands by its accuracy on the samples that all of the board have decided.
type LeaderRow struct {
	report.ForEveryone
	Dataset   eval.DatasetName `json:"dataset"`
	Split     string           `json:"split"`
	Strategy  string           `json:"strategy"`
	Synthetic bool             `json:"synthetic,omitempty"`
	report.Named
	Run       eval.RunID   `json:"run"`
	Repeats   []eval.RunID `json:"repeats,omitempty"`
	Modality  string       `json:"modality"`
	Extractor string       `json:"extractor"`
	Score     stat.Rate    `json:"score" opens:"right wrong"`
	Rank      Rank         `json:"rank"`
	Best      bool         `json:"best"` // cannot be told from the best model
	Left      int          `json:"left_out"`

	party   *decidedSide
	members *memberSamples
}

// Rank is 1 plus the number of better models, with bounds that hold for all models of a board at once.
type Rank struct {
	Value int  `json:"value" column:"rank"`
	Low   *int `json:"low" column:"rank_low"`
	High  *int `json:"high" column:"rank_high"`
}

// ReportLeaderboard reports the runs of each dataset and setting in the order of their accuracy.
func ReportLeaderboard(ctx context.Context, facts report.Facts, o Options) (report.Report, error) {
	runs, err := o.chosenRuns(facts)
	if err != nil {
		return report.Report{}, err
	}
	r, err := newRunDecider(facts, &o, runs)
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "leaderboard", Layout: leaderLayout, Confidence: stat.Confidence}
	for _, group := range o.groupComparableSides(runs) {
		rows, err := r.rankSides(ctx, group)
		if errors.Is(err, errNothing) {
			out.Notes = append(out.Notes, fmt.Sprintf("Not ranked: %s.", err))
			continue
		}
		if err != nil {
			return report.Report{}, err
		}
		if len(rows) == 0 {
			continue
		}
		out.Sheets = append(out.Sheets, makeBoardTable(rows))
		out.Rows = append(out.Rows, report.ToRows(rows)...)
	}
	r.meter.FinishProgress()
	if len(out.Rows) == 0 {
		return report.Report{}, fmt.Errorf("find two runs of the same settings on the same samples%s: %w", joinReasons(out.Notes), eval.ErrNotFound)
	}
	out.Notes = append(out.Notes,
		"Scores are over the samples that all models of a table have decided. A rank is 1 plus the number of models with a higher score; its interval goes from 1 plus the models that are separably better to the number of models less those that are separably worse, and the intervals of a table hold all at once.",
		"Best: the model is not separable from the best one.")
	return out, nil
}

// rankSides ranks the rows of a group of sides, the best first; none of one alone.
func (r *runDecider) rankSides(ctx context.Context, group []*modelRuns) ([]*LeaderRow, error) {
	if len(group) < 2 {
		return nil, nil
	}
	var parties []*decidedSide
	for _, s := range group {
		p, err := r.newDecidedSide(ctx, s)
		if err != nil {
			return nil, err
		}
		parties = append(parties, p)
	}
	set := r.sets[group[0].runs[0].Config.Dataset]
	members := r.membersOfSplit(set, nil)
	scores, some := addCommonScores(parties, members)
	if scores.CountClusters() == 0 {
		return nil, fmt.Errorf("the runs on %s (--run names those to rank): %w", group[0].runs[0].Config.Dataset, errNothing)
	}
	rates := scores.Rates("no sample that all models have decided")
	places := ranking.RankModels(scores.Shares(), scores.ComputeSpread(r.o.seedOrDefault()))
	var rows []*LeaderRow
	for i, p := range parties {
		row := p.newLeaderRow(set, r.o)
		row.Score = rates[i]
		row.Rank, row.Best = Rank{places[i].Rank, &places[i].Low, &places[i].High}, places[i].Best
		row.Left, row.members = some[i], members
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b *LeaderRow) int {
		return cmp.Or(cmp.Compare(b.Score.Value, a.Score.Value), cmp.Compare(a.Run, b.Run))
	})
	return rows, nil
}

// addCommonScores adds up the samples that all have decided, and counts for each those
// that it has decided and another has not.
func addCommonScores(parties []*decidedSide, members *memberSamples) (*ranking.Scores, []int) {
	scores, left := ranking.NewModelScores(len(parties)), make([]int, len(parties))
	shares, decided := make([]float64, len(parties)), make([]bool, len(parties))
	add := func(o eval.Ordinal, last bool) {
		all := true
		for i, p := range parties {
			s := p.scoreOn(o)
			decided[i], shares[i] = s.isDecided(), s.share()
			all = all && decided[i]
		}
		if all {
			scores.AddUnit(shares, 1)
		} else {
			for i, ok := range decided {
				left[i] += report.OneIf(ok)
			}
		}
		if last {
			scores.CloseCluster()
		}
	}
	for _, o := range members.alone {
		add(o, true)
	}
	members.eachInClusters(add)
	return scores, left
}

// newLeaderRow gives a side's row, without its figures.
func (p *decidedSide) newLeaderRow(set *datasetSamples, o *Options) *LeaderRow {
	run := &p.runs[0]
	out := &LeaderRow{
		Dataset: run.Config.Dataset, Split: cmp.Or(o.Runs.Split, set.wholeSplitName()), Strategy: p.answers[0].strategy.String(),
		Synthetic: run.Config.Synthetic, Named: report.NewNamed(p.runs...), Run: run.ID, Modality: run.Config.Modality.String(),
		Extractor: p.answers[0].decided.Extractor(), party: p,
	}
	if len(p.runs) > 1 {
		out.Repeats = p.runNumbers()
	}
	return out
}

// KeysBehind yields the samples that the side decided right, or wrong, among those that it decided.
func (r *LeaderRow) KeysBehind(_ context.Context, _ report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	return report.SelectKeys(report.EachOrdinal(r.party.countOrdinals()), func(o eval.Ordinal) (eval.Key, bool) {
		said := r.party.scoreOn(o)
		ok := said.isDecided() && r.members.has(o) && (s.Which != report.Right || said.right >= said.of) && (s.Which != report.Wrong || said.right != said.of)
		return r.party.keyToShow(o), ok
	})
}

var (
	leaderLayout = report.NewLayout("dataset split strategy rank rank_low rank_high model run modality score best", LeaderRow{}, Rank{})
	boardLayout  = report.NewLayout("rank:text model run modality score best", LeaderRow{})
)

// LayoutParts are the row's rank.
func (r *LeaderRow) LayoutParts() []any { return []any{&r.Rank} }

// makeBoardTable makes a group as people read it.
func makeBoardTable(rows []*LeaderRow) table.Table {
	first := rows[0]
	t := boardLayout.NewTable("leaderboard", string(first.Dataset)+", split "+first.Split+", "+first.Strategy)
	for _, r := range rows {
		line := boardLayout.MakeRowLine(r, report.Cells{"rank": table.NewText(r.Rank.String())})
		line[4] = line[4].MarkAsBest(r.Best) // the score
		t.Rows = append(t.Rows, line)
	}
	return t
}

// String is the rank as people read it: "2 [1, 4]".
func (r Rank) String() string {
	if r.Low == nil || r.High == nil {
		return fmt.Sprint(r.Value)
	}
	return fmt.Sprintf("%d [%d, %d]", r.Value, *r.Low, *r.High)
}
