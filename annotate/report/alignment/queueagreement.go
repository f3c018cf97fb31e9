package alignment

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/stat"
)

func (c *queueWork) computeTogether(ctx context.Context, progress func(done, total int)) (AllAnnotators, error) {
	scale := agree.Scale{Level: agree.Nominal}
	if c.scored {
		scale.Level = agree.Ordinal
	}
	out := AllAnnotators{Level: scale.Level.String(), LeftOut: make(map[string]int), Resamples: report.Resamples, Seed: 1}
	var table agree.Table
	var clusters []uint64
	for i := range c.items {
		clusters = append(clusters, c.items[i].cluster)
		row := make([]string, len(c.people))
		for _, m := range c.items[i].said {
			if why := m.whyExcluded(); why != "" {
				out.LeftOut[why]++
			} else {
				row[m.who] = m.class
			}
		}
		table = append(table, row)
	}
	panel := table.NewPanel(scale)
	panel.Clusters = clusters
	s, err := panel.Summarize(ctx, agree.Bootstrap{Times: report.Resamples, Seed: out.Seed, Confidence: stat.Confidence, Sequence: c.ongoing, Progress: progress})
	if err != nil {
		return AllAnnotators{}, err
	}
	out.Items, out.Paired, out.Ratings = s.Items, s.Paired, s.Ratings
	out.Percent, out.Baseline, out.Fleiss, out.Alpha, out.AC1 = s.Percent, s.Majority, s.Fleiss, s.Alpha, s.AC1
	out.Ordered = Ordered{s.Weighted, s.AC2}
	return out, nil
}

// sharedItems is what two people gave to the items that both labelled.
type sharedItems struct {
	labels agree.Classified // the items of one sample are a cluster
	left   map[string]int
}

func (b *sharedItems) countItems() int {
	n := b.labels.N()
	for _, k := range b.left {
		n += k
	}
	return n
}

// comparePairs gives every two people who labelled something, by name; of too many those
// with the most items in common.
func (c *queueWork) comparePairs() (out []AnnotatorPair, unlisted int) {
	met := make(map[[2]int]*sharedItems)
	var at []int
	for i := range c.people {
		if len(c.people[i].state.Labels) > 0 {
			at = append(at, i)
		}
	}
	for i := range c.items {
		said := c.items[i].said
		for j := range said {
			for k := range said[:j] {
				c.addShared(met, c.items[i].cluster, &said[k], &said[j])
			}
		}
	}
	var keys [][2]int
	for i, a := range at {
		for _, b := range at[i+1:] {
			keys = append(keys, [2]int{a, b})
			if met[[2]int{a, b}] == nil {
				met[[2]int{a, b}] = new(sharedItems)
			}
		}
	}
	if unlisted = max(0, len(keys)-mostPairs); unlisted > 0 {
		slices.SortStableFunc(keys, func(a, b [2]int) int { return cmp.Compare(met[b].countItems(), met[a].countItems()) })
		keys = keys[:mostPairs]
		slices.SortFunc(keys, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	}
	out = []AnnotatorPair{}
	out = append(out, eval.Map(keys, func(k [2]int) AnnotatorPair { return c.newPair(k, met[k]) })...)
	return out, unlisted
}

func (c *queueWork) addShared(met map[[2]int]*sharedItems, cluster uint64, a, b *personLabel) {
	m := eval.GetOrAdd(met, [2]int{a.who, b.who}, func() *sharedItems {
		return &sharedItems{labels: agree.Classified{Sequence: c.ongoing}, left: make(map[string]int)}
	})
	if why := cmp.Or(a.whyExcluded(), b.whyExcluded()); why != "" {
		m.left[why]++
		return
	}
	m.labels.Add(cluster, a.class, b.class, a.class == b.class)
}

func (c *queueWork) newPair(k [2]int, b *sharedItems) AnnotatorPair {
	out := AnnotatorPair{
		A: c.people[k[0]].who, B: c.people[k[1]].who,
		Agreement: b.labels.Agreement("no item that both labelled is compared"), LeftOut: b.left,
	}
	if out.LeftOut == nil {
		out.LeftOut = make(map[string]int)
	}
	out.Kappa, out.AC1 = b.labels.Coefficients(stat.Confidence)
	return out
}

// newLines gives the people, by name.
func (c *queueWork) newLines() []AnnotatorLine {
	out := make([]AnnotatorLine, len(c.people))
	beside := make([]agree.Classified, len(c.people))
	var among stat.Clusters // pairs of labels on one sample
	without := make([]stat.Clusters, len(c.people))
	for i := range c.people {
		out[i] = c.people[i].newLine(c.queue.GoldItems, c.ongoing)
		beside[i].Sequence, without[i].Sequence = c.ongoing, c.ongoing
	}
	for i := range c.items {
		t := &c.items[i]
		known := make(knownWords)
		all, sample := c.countAgreeing(t, nil, known), t.cluster
		among.AddToCluster(sample, float64(all.K), float64(all.N))
		for j := range t.said {
			m := &t.said[j]
			l := &out[m.who]
			l.Labelled++
			less := c.countAgreeing(t, m, known)
			without[m.who].AddToCluster(sample, float64(less.K-all.K), float64(less.N-all.N))
			class, why := c.othersWord(t, m)
			if why != "" {
				l.LeftOut[why]++
				continue
			}
			beside[m.who].Add(sample, class, m.class, class == m.class)
		}
	}
	for i := range out {
		l := &out[i]
		without[i].Merge(&among)
		l.Others, l.Without = beside[i].Agreement("no label beside the others' word"), without[i].Rate("nobody else to compare among themselves")
		l.Kappa, l.AC1 = beside[i].Coefficients(stat.Confidence)
	}
	c.addSpeeds(out)
	return out
}

// othersWord is the others' word on what somebody labelled, or why the two are not
// compared.
func (c *queueWork) othersWord(t *itemLabels, m *personLabel) (class, why string) {
	if m.why != "" {
		return "", m.why
	}
	return c.restWord(t, func(i int) bool { return i == m.who })
}

// knownWords is the word of an item's people without two of them, "" where they come
// to none, by the classes of the two: the second is "" where only one is left
// aside. Without it many people on one item would take the cube of their number.
type knownWords map[[2]string]string

// countAgreeing counts how many people say what the rest of them do, as if one of them, if
// it is given, had labelled nothing.
func (c *queueWork) countAgreeing(t *itemLabels, less *personLabel, known knownWords) stat.Count {
	var out stat.Count
	for i := range t.said {
		m := &t.said[i]
		if m.why != "" || m == less {
			continue
		}
		key := [2]string{m.class, ""}
		if less != nil && less.why == "" {
			key[1] = less.class
		}
		class, ok := known[key]
		if !ok {
			class, _ = c.restWord(t, func(who int) bool { return who == m.who || less != nil && who == less.who })
			if len(t.rulings) == 0 { // whose ruling is left aside is a matter of names
				known[key] = class
			}
		}
		if class != "" {
			out.Add(class == m.class)
		}
	}
	return out
}

// newLine counts what somebody did, and how they did on known answers, where the
// queue has any.
func (h *personWork) newLine(golds int, ongoing bool) AnnotatorLine {
	l := AnnotatorLine{
		Annotator: h.who, Skipped: len(h.state.Skipped), Flagged: len(h.state.Flagged), Rulings: len(h.state.Rulings),
		LeftOut: make(map[string]int),
	}
	for label := range maps.Values(h.state.Labels) {
		l.Informed += report.OneIf(label.Informed)
		l.Imported += report.OneIf(label.Imported)
	}
	if golds > 0 {
		right, level := stat.Clusters{Sequence: ongoing}, stat.Confidence
		right.PutMany(1, 1, 1, h.known.K)
		right.PutMany(0, 1, 1, h.known.N-h.known.K)
		if ongoing {
			level = stat.SequenceConfidence(level, h.known.N)
		}
		known := right.Rate("has labelled none of the items whose answer is known")
		wrong := agree.JeffreysEstimate(h.known.N-h.known.K, h.known.N, level)
		wrong.Sequence = ongoing
		l.Known, l.ErrorRate = &known, &wrong
	}
	return l
}
