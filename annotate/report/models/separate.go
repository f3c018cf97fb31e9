package models

import (
	"context"
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat/ranking"
)

// NewSeparator tells which accuracies are not separable from the best of them, as a leaderboard does:
// over the samples that all have decided, all at once. It reads the runs when it is asked. Of other
// figures, and of accuracies over different samples of a dataset, it tells nothing.
func NewSeparator(ctx context.Context, facts report.Facts, o report.Options) table.Separator {
	o.Progress, o.Split = nil, ""
	var r *runDecider
	return func(cells []table.Cell) []bool {
		places := eval.Map(cells, newScoredPlace)
		first := places[0]
		if slices.ContainsFunc(places, func(p *scoredPlace) bool {
			return p == nil || p.PlaceTitle() != first.PlaceTitle() || !slices.Equal(p.level, first.level)
		}) {
			return nil
		}
		runs, err := report.RunsByID(facts)
		if r == nil && err == nil {
			r, err = newRunDecider(facts, &Options{Runs: o}, nil)
		}
		if err != nil {
			return nil
		}
		var parties []*decidedSide
		var members *memberSamples
		for i, p := range places {
			r.o.Runs.Strategy = p.strategy
			side, err := r.newDecidedSide(ctx, &modelRuns{[]eval.Run{runs[p.Run]}})
			if err != nil {
				return nil
			}
			members = r.sets[p.Dataset].membersOf(&p.Head, p.level)
			n := side.answers[0].decided.Marks.KeepMarksOf(members.has).CountRight()
			if of, _ := cells[i].Rate(); n.K != of.K || n.N != of.N { // it counts otherwise
				return nil
			}
			parties = append(parties, side)
		}
		scores, _ := addCommonScores(parties, members)
		if scores.CountClusters() == 0 {
			return nil
		}
		return eval.Map(ranking.RankModels(scores.Shares(), scores.ComputeSpread(r.o.seedOrDefault())), func(p ranking.Rank) bool { return p.Best })
	}
}

// scoredPlace is which answers an accuracy is over.
type scoredPlace struct {
	report.Head
	level    []string
	strategy eval.Strategy
}

var scoredNames = report.NewLayout("run:count dataset split strategy")

// newScoredPlace finds it by what the cell opens; nil of a cell that is no accuracy of a run.
func newScoredPlace(c table.Cell) *scoredPlace {
	b := report.BehindOf(&c)
	if _, ok := c.Rate(); b == nil || !ok {
		return nil
	}
	of := &b.Picks[0]
	line := scoredNames.MakeRowLine(of.Row)
	run, _ := line[0].Count()
	strategy, err := eval.ParseStrategy(eval.Either(of.Which == report.VanillaRight, eval.Vanilla.String(), line[3].String()))
	if err != nil || of.Which != report.Right && of.Which != report.VanillaRight {
		return nil
	}
	head := report.Head{Run: eval.RunID(run), Dataset: eval.DatasetName(line[1].String()), Split: line[2].String()} //nolint:gosec // a run's number
	return &scoredPlace{head, of.Level, strategy}
}
