package pairwise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// correctRows sets beside each win rate what people's votes make of it. The unit is the
// question with two votes of the judge: the machine says 1 where these come to a win, people
// where their majority prefers the model's answer. A queue of pairs draws samples, so that one
// number per group decides how likely a question was to be voted on.
func (d *comparisonReader) correctRows(ctx context.Context, rows []*VotesRow) error {
	o := d.o.Corrected
	for _, name := range o.Queues {
		q, err := d.facts.Queue(name)
		if err == nil {
			err = report.CheckDrawnAtRandom(&q)
		}
		if err == nil && q.Rule.From != annotate.FromPairs {
			err = errors.New("it holds no pairs: nobody votes in it")
		}
		if err != nil {
			return fmt.Errorf("correct by queue %s: %w", name, err)
		}
	}
	all, err := readPairQueues(ctx, d.facts, &AgreementOptions{})
	if err != nil && !errors.Is(err, eval.ErrNotFound) {
		return err
	}
	var polls []*polledQueue
	for _, p := range all {
		if len(o.Queues) > 0 && !slices.Contains(o.Queues, p.queue.Name) {
			continue
		}
		one := &polledQueue{pairQueue: p}
		if report.CheckDrawnAtRandom(&p.queue) == nil {
			if err := cmp.Or(d.findFrame(ctx, one), one.findOpenPairs(ctx, d.facts)); err != nil {
				return fmt.Errorf("read queue %s: %w", p.queue.Name, err)
			}
		}
		polls = append(polls, one)
	}
	for _, r := range rows {
		r.Correction = d.correctRow(r, polls)
	}
	return nil
}

// polledQueue is a queue of pairs as a frame of win rates.
type polledQueue struct {
	*pairQueue
	outside map[eval.Ordinal]bool // samples that the queue was not drawn from
	items   []report.DrawnItem
	refused string
}

// findOpenPairs finds which pairs may still get a vote. Pairs of one sample are drawn
// together and voted on in an order of their own, so that the pairs of a model
// before its first open one are a random sample of its drawn ones.
func (p *polledQueue) findOpenPairs(ctx context.Context, facts report.Facts) error {
	states, err := report.ReadStates(ctx, facts, p.queue.Name)
	if err != nil {
		return err
	}
	at := make(map[eval.Pair]*queuePair, len(p.entries))
	for _, e := range p.entries {
		at[e.pair], at[e.pair.Swapped()] = e, e
	}
	t := annotate.NewLabelTurnout(&p.queue, states)
	err = eval.ForEachRead(facts.QueueItems(ctx, p.queue.Name), func(it annotate.QueueItem) {
		e := at[eval.Pair{Sample: it.Key.Sample, First: it.Key.Run, Second: it.Key.Against}]
		if e == nil {
			return
		}
		item := report.DrawnItem{
			Key: it.Key, Group: it.Group, Hash: p.queue.Rule.DrawHash(it.Key), Part: it.Inclusion < 1,
			Said: p.majorityOpinion(e).why == "", Open: !p.queue.Design.IsDeclared() && t.IsOpen(it.Key),
		}
		if p.queue.Design.IsUneven() {
			item.Weight = 1 / it.Inclusion
		}
		p.items = append(p.items, item)
	})
	return eval.WrapError(err, "read items")
}

// findFrame finds what the queue was drawn from: the pairs of answers that both
// are there, of the samples that curators had not discarded.
func (d *comparisonReader) findFrame(ctx context.Context, p *polledQueue) error {
	removed, err := report.ReadDiscardedSamples(ctx, d.facts, p.queue.Rule.Dataset)
	if err != nil {
		return err
	}
	rule := &p.queue.Rule
	models, anchor := rule.Runs, rule.Anchor
	if anchor == 0 && len(models) == 2 { // set against each other
		models, anchor = models[:1], models[1]
	}
	other, err := d.readResponses(ctx, d.runs[anchor])
	if err != nil {
		return err
	}
	all, discarded := 0, 0
	for _, id := range models {
		own, err := d.readResponses(ctx, d.runs[id])
		if err != nil {
			return err
		}
		for sample := range own {
			if _, both := other[sample]; both {
				all++
				discarded += report.OneIf(removed[sample])
			}
		}
	}
	switch found := p.queue.Population; {
	case found == all:
	case found == all-discarded:
		p.outside = removed
	case len(rule.IDs)+rule.Listed > 0:
		p.refused = fmt.Sprintf("queue %s is of listed samples: how the list was chosen is not known", p.queue.Name)
	default:
		p.refused = fmt.Sprintf("queue %s was drawn from %d pairs, and there are %d by now: with which probability the others would have been drawn is not known", p.queue.Name, found, all)
	}
	return nil
}

// correctRow gives a row's win rate by the queue with most votes on its pairs.
func (d *comparisonReader) correctRow(r *VotesRow, polls []*polledQueue) *report.Correction {
	judge := report.EstimateOfRate(r.WinRate)
	best, heard, reason := queueWithMostVotes(r, polls)
	if r.N == 0 {
		reason = r.WinRate.Undefined
	}
	if reason != "" {
		return setMajorityPolicy(report.NewRefusedCorrection(d.o.Corrected, reason, judge, report.CountedLabels{}))
	}
	own := make(map[eval.Ordinal]*report.DrawnItem)
	c := report.NewLabelCounting(best.items, func(it *report.DrawnItem) bool {
		is := it.Key.Run == r.Run && it.Key.Against == r.AnchorRun || it.Key.Run == r.AnchorRun && it.Key.Against == r.Run
		if is {
			own[it.Key.Sample] = it
		}
		return is
	})
	s, left := report.NewStrata(), make(map[string]int)
	for i, q := range r.behind {
		if q.result == metric.Incomplete {
			continue
		}
		sample, group := r.Tags[i].Pair.Sample, best.queue.Rule.TaxonomyGroupOf(r.Tags[i].Path)
		s.Cluster = q.cluster
		machine, name := float64(report.OneIf(q.result == metric.Win)), c.StratumName(fmt.Sprintf("pairs (queue %s)", best.queue.Name), group)
		v, drawn := heard[sample]
		if drawn && v.why != "" {
			left[string(v.why)]++
		}
		counts := drawn && c.DoesLabelCount(group, own[sample].Hash)
		if s.Weight = 0; counts {
			s.Weight = own[sample].Weight
		}
		switch {
		case counts && v.why == "":
			s.AddLabelled(name, machine, float64(report.OneIf(v.result == metric.Win)))
		case counts:
			s.AddMissing(name, machine)
		case best.outside[sample]:
			s.AddUnlabelled(report.AsRead, machine)
		default:
			s.AddUnlabelled(name, machine)
		}
	}
	var labels report.CountedLabels
	labels.AddQueueLabels(c)
	out := setMajorityPolicy(report.NewCorrection(d.o.Corrected, s.ListStrata(), correct.Options{High: 1, Confidence: stat.Confidence}, judge, labels))
	out.Queues, out.LeftOut = []annotate.QueueName{best.queue.Name}, left
	return out
}

// queueWithMostVotes is the queue with most votes on a row's pairs and what they say, or why there is none.
func queueWithMostVotes(r *VotesRow, polls []*polledQueue) (best *polledQueue, heard map[eval.Ordinal]pairOpinion, reason string) {
	var priority []string
	for _, p := range polls {
		all := p.majorityOnModel(r.Run, r.AnchorRun)
		n := countWithVote(all)
		switch {
		case n == 0:
		case report.CheckDrawnAtRandom(&p.queue) != nil:
			priority = append(priority, string(p.queue.Name))
		case p.refused != "":
			reason = p.refused
		case best == nil || n > countWithVote(heard):
			best, heard = p, all
		}
	}
	switch {
	case best != nil:
		return best, heard, ""
	case reason == "":
		reason = report.WhyNoLabels(priority)
	}
	return nil, nil, reason
}

// setMajorityPolicy names how people's votes on one pair become one.
func setMajorityPolicy(c *report.Correction) *report.Correction {
	c.Policy, c.Undecided = "mllm-bench majority", "no win"
	return c
}

// majorityOnModel is what the majority says of a model's pairs with the anchor, for the model.
func (p *polledQueue) majorityOnModel(model, anchor eval.RunID) map[eval.Ordinal]pairOpinion {
	out := make(map[eval.Ordinal]pairOpinion)
	for _, e := range p.entries {
		switch v := p.majorityOpinion(e); e.pair {
		case eval.Pair{Sample: e.pair.Sample, First: model, Second: anchor}:
			out[e.pair.Sample] = v
		case eval.Pair{Sample: e.pair.Sample, First: anchor, Second: model}:
			v.result = reverseResult(v.result)
			out[e.pair.Sample] = v
		}
	}
	return out
}

func reverseResult(r metric.Result) metric.Result {
	switch r {
	case metric.Win:
		return metric.Lose
	case metric.Lose:
		return metric.Win
	default:
		return r
	}
}

func countWithVote(all map[eval.Ordinal]pairOpinion) int {
	return eval.Count(slices.Collect(maps.Values(all)), func(v pairOpinion) bool { return v.why == "" })
}

var correctedLayout = report.NewLayout(report.SheetNames+report.CorrectionNames, VotesRow{})

// makeCorrectedTable lays the win rates of one place out side by side.
func makeCorrectedTable(rows []*VotesRow) table.Table {
	t := correctedLayout.NewTable("corrected win rate", rows[0].placeTitle()+": win rate corrected by people's votes")
	for _, r := range rows {
		rate := r.rateCell(r.newOpener(r))
		t.Rows = append(t.Rows, correctedLayout.MakeRowLine(r, r.MakeCells(table.NewComputed, func(c table.Cell) table.Cell { return report.CopyPicks(c, rate) })))
		t.Notes = append(t.Notes, r.ListRemarks("Run "+fmt.Sprint(r.Run), table.NewComputed)...)
	}
	return t
}

// NamedCorrections are the row's corrected score, nil where none was asked for.
func (r *VotesRow) NamedCorrections() []report.NamedCorrection {
	return []report.NamedCorrection{{Of: fmt.Sprintf("run %d (%s), %s", r.Run, r.ModelName(), r.placeTitle()), Correction: r.Correction}}
}
