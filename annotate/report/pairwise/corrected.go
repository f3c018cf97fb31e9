package pairwise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// correct sets beside each win rate what people's votes make of it. The unit
// is the question with two votes of the judge: the machine says 1 where these
// come to a win, people where their majority prefers the model's answer. A
// queue of pairs draws samples, so that one number per group decides how likely
// a question was to be voted on.
func (d *comparisons) correct(ctx context.Context, rows []*VotesRow) error {
	o := d.o.Corrected
	for _, name := range o.Queues {
		q, err := d.facts.Queue(name)
		if err == nil {
			err = report.AtRandom(&q)
		}
		if err == nil && q.Rule.From != annotate.FromPairs {
			err = errors.New("it holds no pairs: nobody votes in it")
		}
		if err != nil {
			return fmt.Errorf("correct by queue %s: %w", name, err)
		}
	}
	all, err := pools(ctx, d.facts, &AgreementOptions{})
	if err != nil && !errors.Is(err, eval.ErrNotFound) {
		return err
	}
	var polls []*polled
	for _, p := range all {
		if len(o.Queues) > 0 && !slices.Contains(o.Queues, p.queue.Name) {
			continue
		}
		one := &polled{pool: p}
		if report.AtRandom(&p.queue) == nil {
			if err := cmp.Or(d.frame(ctx, one), one.turnout(ctx, d.facts)); err != nil {
				return fmt.Errorf("read queue %s: %w", p.queue.Name, err)
			}
		}
		polls = append(polls, one)
	}
	for _, r := range rows {
		r.Correction = d.corrected(r, polls)
	}
	return nil
}

// polled is a queue of pairs as a frame of win rates.
type polled struct {
	*pool
	outside map[eval.Ordinal]bool // samples that the queue was not drawn from
	items   []report.DrawnItem
	refused string
}

// turnout finds which pairs may still get a vote. Pairs of one sample are drawn
// together and voted on in an order of their own, so that the pairs of a model
// before its first open one are a random sample of its drawn ones.
func (p *polled) turnout(ctx context.Context, facts report.Facts) error {
	states, err := report.StatesOf(ctx, facts, p.queue.Name)
	if err != nil {
		return err
	}
	at := make(map[eval.Pair]*entry, len(p.entries))
	for _, e := range p.entries {
		at[e.pair], at[e.pair.Swapped()] = e, e
	}
	t := annotate.NewTurnout(&p.queue, states)
	for it, err := range facts.QueueItems(ctx, p.queue.Name) {
		if err != nil {
			return fmt.Errorf("read items: %w", err)
		}
		e := at[eval.Pair{Sample: it.Key.Sample, First: it.Key.Run, Second: it.Key.Against}]
		if e == nil {
			continue
		}
		item := report.DrawnItem{
			Key: it.Key, Group: it.Group, Hash: p.queue.Rule.DrawHash(it.Key), Part: it.Inclusion < 1,
			Said: p.majority(e).why == "", Open: !p.queue.Design.Declared() && t.Open(it.Key),
		}
		if p.queue.Design.Uneven() {
			item.Weight = 1 / it.Inclusion
		}
		p.items = append(p.items, item)
	}
	return nil
}

// frame finds what the queue was drawn from: the pairs of answers that both
// are there, of the samples that curators had not discarded.
func (d *comparisons) frame(ctx context.Context, p *polled) error {
	removed, err := report.DiscardedSamples(ctx, d.facts, p.queue.Rule.Dataset)
	if err != nil {
		return err
	}
	rule := &p.queue.Rule
	models, anchor := rule.Runs, rule.Anchor
	if anchor == 0 && len(models) == 2 { // set against each other
		models, anchor = models[:1], models[1]
	}
	other, err := d.texts(ctx, d.runs[anchor])
	if err != nil {
		return err
	}
	all, discarded := 0, 0
	for _, id := range models {
		own, err := d.texts(ctx, d.runs[id])
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

// corrected is a row's win rate by the queue with most votes on its pairs.
func (d *comparisons) corrected(r *VotesRow, polls []*polled) *report.Correction {
	judge := report.EstimateOf(r.WinRate)
	best, heard, reason := loudest(r, polls)
	if r.N == 0 {
		reason = r.WinRate.Undefined
	}
	if reason != "" {
		return majority(report.Refuse(d.o.Corrected, reason, judge, report.CountedLabels{}))
	}
	own := make(map[eval.Ordinal]*report.DrawnItem)
	c := report.CountOf(best.items, func(it *report.DrawnItem) bool {
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
		sample, group := r.Tags[i].Pair.Sample, best.queue.Rule.Group(r.Tags[i].Path)
		s.Cluster = q.cluster
		machine, name := float64(report.OneIf(q.result == metric.Win)), c.Stratum(fmt.Sprintf("pairs (queue %s)", best.queue.Name), group)
		v, drawn := heard[sample]
		if drawn && v.why != "" {
			left[string(v.why)]++
		}
		counts := drawn && c.Counts(group, own[sample].Hash)
		if s.Weight = 0; counts {
			s.Weight = own[sample].Weight
		}
		switch {
		case counts && v.why == "":
			s.Labelled(name, machine, float64(report.OneIf(v.result == metric.Win)))
		case counts:
			s.Missing(name, machine)
		case best.outside[sample]:
			s.Unlabelled(report.AsRead, machine)
		default:
			s.Unlabelled(name, machine)
		}
	}
	var labels report.CountedLabels
	labels.Add(c)
	out := majority(report.Correct(d.o.Corrected, s.List(), correct.Options{High: 1, Confidence: stat.Confidence}, judge, labels))
	out.Queues, out.LeftOut = []annotate.QueueName{best.queue.Name}, left
	return out
}

// loudest is the queue with most votes on a row's pairs and what they say, or
// why there is none.
func loudest(r *VotesRow, polls []*polled) (best *polled, heard map[eval.Ordinal]said, reason string) {
	var priority []string
	for _, p := range polls {
		all := p.of(r.Run, r.AnchorRun)
		n := voices(all)
		switch {
		case n == 0:
		case report.AtRandom(&p.queue) != nil:
			priority = append(priority, string(p.queue.Name))
		case p.refused != "":
			reason = p.refused
		case best == nil || n > voices(heard):
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

// majority names how people's votes on one pair become one.
func majority(c *report.Correction) *report.Correction {
	c.Policy, c.Undecided = "mllm-bench majority", "no win"
	return c
}

// of is what the majority says of a model's pairs with the anchor, for the
// model.
func (p *polled) of(model, anchor eval.RunID) map[eval.Ordinal]said {
	out := make(map[eval.Ordinal]said)
	for _, e := range p.entries {
		switch v := p.majority(e); e.pair {
		case eval.Pair{Sample: e.pair.Sample, First: model, Second: anchor}:
			out[e.pair.Sample] = v
		case eval.Pair{Sample: e.pair.Sample, First: anchor, Second: model}:
			v.result = turned(v.result)
			out[e.pair.Sample] = v
		}
	}
	return out
}

func turned(r metric.Result) metric.Result {
	switch r {
	case metric.Win:
		return metric.Lose
	case metric.Lose:
		return metric.Win
	default:
		return r
	}
}

func voices(all map[eval.Ordinal]said) int {
	n := 0
	for _, v := range all {
		n += report.OneIf(v.why == "")
	}
	return n
}

var correctedLayout = report.Lay(report.SheetNames+report.CorrectionNames, VotesRow{})

// correctedVotes lays the win rates of one place out side by side.
func correctedVotes(rows []*VotesRow) table.Table {
	t := correctedLayout.Table("corrected win rate", rows[0].place()+": win rate corrected by people's votes")
	for _, r := range rows {
		rate := r.rate(r.opener(r))
		t.Rows = append(t.Rows, correctedLayout.RowLine(r, r.Line(table.Computed, func(c table.Cell) table.Cell { return report.Like(c, rate) })))
		t.Notes = append(t.Notes, r.Remarks("Run "+fmt.Sprint(r.Run), table.Computed)...)
	}
	return t
}

// Corrections are the row's corrected score, nil where none was asked for.
func (r *VotesRow) Corrections() []report.NamedCorrection {
	return []report.NamedCorrection{{Of: fmt.Sprintf("run %d (%s), %s", r.Run, r.Named(), r.place()), Correction: r.Correction}}
}
