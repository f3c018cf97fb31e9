package alignment

import (
	"cmp"
	"slices"
	"time"

	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/stat"
)

// addSpeeds enters everybody's speed, and beside it the others' on the same items.
func (c *queueWork) addSpeeds(lines []AnnotatorLine) {
	own, same, others := make([][]float64, len(lines)), make([][]float64, len(lines)), make([][]float64, len(lines))
	for i := range lines {
		lines[i].Time.LeftOut = make(map[string]int)
	}
	for i := range c.items {
		said := c.items[i].said
		for j := range said {
			m := &said[j]
			if m.late != "" {
				lines[m.who].Time.LeftOut[m.late]++
				continue
			}
			own[m.who] = append(own[m.who], m.spent.Seconds())
			if rest := collectTimes(said, m.who); len(rest) > 0 {
				same[m.who], others[m.who] = append(same[m.who], m.spent.Seconds()), append(others[m.who], medianOf(rest))
			}
		}
	}
	for i := range lines {
		p := &lines[i].Time
		p.fillFrom(own[i])
		if n := len(same[i]); n > 0 {
			p.Same = &SameSpeed{Items: n, Median: medianOf(same[i]), Others: medianOf(others[i])}
		}
	}
}

// collectTimes collects the seconds that people took for an item, one of them left aside.
func collectTimes(said []personLabel, away int) []float64 {
	var out []float64
	for i := range said {
		if m := &said[i]; m.late == "" && m.who != away {
			out = append(out, m.spent.Seconds())
		}
	}
	return out
}

func (p *Speed) fillFrom(seconds []float64) {
	if p.Items = len(seconds); p.Items == 0 {
		return
	}
	slices.Sort(seconds)
	for _, s := range seconds {
		p.Total += s
	}
	lower, middle, upper := stat.Quantile(seconds, 0.25), stat.Quantile(seconds, 0.5), stat.Quantile(seconds, 0.75)
	hourly := float64(p.Items) / p.Total * time.Hour.Seconds()
	p.Lower, p.Median, p.Upper, p.PerHour = &lower, &middle, &upper, &hourly
}

// medianOf sorts what it is given.
func medianOf(values []float64) float64 {
	slices.Sort(values)
	return stat.Quantile(values, 0.5)
}

// slowestItems are the items whose time is known, those that took longest first.
func (c *queueWork) slowestItems() []ItemLine {
	out := eval.Select(c.newItemLines(), func(l ItemLine) bool { return l.Median != nil })
	slices.SortStableFunc(out, func(a, b ItemLine) int { return cmp.Compare(*b.Median, *a.Median) })
	return out
}

// contestedItems are the items on which people differ: those first on which the
// fewest pairs of them agree, and of equals those that more people labelled.
func (c *queueWork) contestedItems() []ItemLine {
	out := eval.Select(c.newItemLines(), func(l ItemLine) bool { return l.Agreement.N > 0 && l.Agreement.Value < 1 })
	slices.SortStableFunc(out, func(a, b ItemLine) int {
		return cmp.Or(cmp.Compare(a.Agreement.Value, b.Agreement.Value), cmp.Compare(b.Agreement.N, a.Agreement.N))
	})
	return out
}

func (c *queueWork) newItemLines() []ItemLine {
	return eval.Map(c.items, func(t itemLabels) ItemLine { return t.newItemLine() })
}

func (t *itemLabels) newItemLine() ItemLine {
	out := ItemLine{Key: t.key, Index: t.index, Run: t.key.Run, Against: t.key.Against, Pass: t.key.Pass, Criterion: t.criterion, Said: []agree.Class{}}
	agreeing := eval.Select(t.said, func(m personLabel) bool { return m.why == "" })
	words := eval.Map(agreeing, func(m personLabel) string { return m.class })
	slices.Sort(words)
	var pairs stat.Count
	for i, w := range words {
		if last := len(out.Said) - 1; last >= 0 && out.Said[last].Name == w {
			out.Said[last].N++
		} else {
			out.Said = append(out.Said, agree.Class{Name: w, N: 1})
		}
		for _, other := range words[:i] {
			pairs.Add(w == other)
		}
	}
	slices.SortStableFunc(out.Said, func(a, b agree.Class) int { return cmp.Compare(b.N, a.N) })
	if out.Agreement = stat.NewUndefinedEstimate("fewer than two people are compared"); pairs.N > 0 {
		out.Agreement = stat.NewExpected(float64(pairs.K)/float64(pairs.N), pairs.N)
	}
	if all := collectTimes(t.said, -1); len(all) > 0 {
		m := medianOf(all)
		out.Timed, out.Median = len(all), &m
	}
	return out
}

// nameItems names the samples of the first items, and by their words what people said of
// them in labels of their own.
func (c *queueWork) nameItems(facts report.Facts, all []ItemLine, most int) ([]ItemLine, error) {
	out := append([]ItemLine{}, all[:min(most, len(all))]...)
	for i := range out {
		s, err := facts.Sample(c.queue.Rule.Dataset, out[i].Key.Sample)
		if err != nil {
			return nil, err
		}
		out[i].Sample = s.ID
		out[i].Said = eval.Map(out[i].Said, func(one agree.Class) agree.Class {
			one.Name = cmp.Or(c.queue.Labels.Word(eval.Choice(one.Name)), one.Name)
			return one
		})
	}
	return out, nil
}
