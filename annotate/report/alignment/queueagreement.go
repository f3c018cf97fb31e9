package alignment

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

func (c *queueWork) computeAllAnnotators(ctx context.Context, progress func(done, total int)) (AllAnnotators, error) {
	scale := agree.Scale{Level: agree.Nominal}
	if c.scored {
		scale.Level = agree.Ordinal
	}
	out := AllAnnotators{Level: scale.Level.String(), LeftOut: make(map[string]int), Resamples: report.Resamples, Seed: 1}
	for i := range c.items {
		for _, m := range c.items[i].said {
			if why := m.whyExcluded(); why != "" {
				out.LeftOut[why]++
			}
		}
	}
	s, err := c.summarizeAgreement(ctx, scale, progress, func(_ *itemLabels, m *personLabel) string { return m.class })
	if err != nil {
		return AllAnnotators{}, err
	}
	out.Items, out.Paired, out.Ratings = s.Items, s.Paired, s.Ratings
	out.Percent, out.Baseline, out.Fleiss, out.Alpha, out.AC1 = s.Percent, s.Majority, s.Fleiss, s.Alpha, s.AC1
	out.Ordered = Ordered{s.Weighted, s.AC2}
	return out, nil
}

func (c *queueWork) summarizeAgreement(ctx context.Context, scale agree.Scale, progress func(done, total int), class func(*itemLabels, *personLabel) string) (agree.Summary, error) {
	var table agree.Table
	var clusters []uint64
	for i := range c.items {
		t := &c.items[i]
		clusters = append(clusters, t.cluster)
		row := make([]string, len(c.people))
		for j := range t.said {
			if m := &t.said[j]; m.whyExcluded() == "" {
				row[m.who] = class(t, m)
			}
		}
		table = append(table, row)
	}
	panel := table.NewPanel(scale)
	panel.Clusters = clusters
	return panel.Summarize(ctx, agree.Bootstrap{Times: report.Resamples, Seed: 1, Confidence: stat.Confidence, Sequence: c.ongoing, Progress: progress})
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
				c.countSharedItem(met, c.items[i].cluster, &said[k], &said[j])
			}
		}
	}
	var keys [][2]int
	for i, a := range at {
		for _, b := range at[i+1:] {
			keys = append(keys, [2]int{a, b})
			eval.GetOrAdd(met, [2]int{a, b}, func() *sharedItems { return new(sharedItems) })
		}
	}
	if unlisted = max(0, len(keys)-mostPairs); unlisted > 0 {
		slices.SortStableFunc(keys, func(a, b [2]int) int { return cmp.Compare(met[b].countItems(), met[a].countItems()) })
		keys = keys[:mostPairs]
		slices.SortFunc(keys, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	}
	out = []AnnotatorPair{}
	out = append(out, eval.Map(keys, func(k [2]int) AnnotatorPair { return c.newAnnotatorPair(k, met[k]) })...)
	return out, unlisted
}

func (c *queueWork) countSharedItem(met map[[2]int]*sharedItems, cluster uint64, a, b *personLabel) {
	m := eval.GetOrAdd(met, [2]int{a.who, b.who}, func() *sharedItems {
		return &sharedItems{labels: agree.Classified{Sequence: c.ongoing}, left: make(map[string]int)}
	})
	if why := cmp.Or(a.whyExcluded(), b.whyExcluded()); why != "" {
		m.left[why]++
		return
	}
	m.labels.AddItem(cluster, a.class, b.class, a.class == b.class)
}

func (c *queueWork) newAnnotatorPair(k [2]int, b *sharedItems) AnnotatorPair {
	out := AnnotatorPair{A: c.people[k[0]].who, B: c.people[k[1]].who, Agreement: b.labels.Agreement("no item that both labelled is compared"), LeftOut: b.left}
	eval.EnsureMap(&out.LeftOut)
	out.Kappa, out.AC1 = b.labels.Coefficients(stat.Confidence)
	return out
}

func (c *queueWork) newAnnotatorLines() []AnnotatorLine {
	out := make([]AnnotatorLine, len(c.people))
	beside := make([]agree.Classified, len(c.people))
	var among stat.Clusters // pairs of labels on one sample
	without := make([]stat.Clusters, len(c.people))
	for i := range c.people {
		out[i] = c.people[i].newAnnotatorLine(c.queue.GoldItems, c.ongoing)
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
			beside[m.who].AddItem(sample, class, m.class, class == m.class)
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

// othersWord is the others' word on what somebody labelled, or why the two are not compared.
func (c *queueWork) othersWord(t *itemLabels, m *personLabel) (class, why string) {
	if m.why != "" {
		return "", m.why
	}
	return c.wordOfRest(t, func(i int) bool { return i == m.who })
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
			class, _ = c.wordOfRest(t, func(who int) bool { return who == m.who || less != nil && who == less.who })
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

// newAnnotatorLine counts what somebody did, and how they did on known answers, where the queue has any.
func (h *personWork) newAnnotatorLine(golds int, ongoing bool) AnnotatorLine {
	l := AnnotatorLine{Annotator: h.who, Skipped: len(h.state.Skipped), Flagged: len(h.state.Flagged), Rulings: len(h.state.Rulings), LeftOut: make(map[string]int)}
	for label := range maps.Values(h.state.Labels) {
		l.Informed += report.OneIf(label.Informed)
		l.Imported += report.OneIf(label.Imported)
	}
	if golds > 0 {
		right, level := stat.Clusters{Sequence: ongoing}, stat.Confidence
		right.AddClusters(1, 1, 1, h.known.K)
		right.AddClusters(0, 1, 1, h.known.N-h.known.K)
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

// WordLine is how people use one word of a label set or of tags. Agreement is on
// whether the word fits: each item is said to have it, or not.
type WordLine struct {
	Set  string `json:"set"` // name@hash
	Word string `json:"word"`
	Said int    `json:"said"` // labels that stand and say so, or have the tag

	// Share is of the labels of all people, which are alike on an item: it needs no
	// agreement, and those of a set add up to 1.
	Share   stat.Rate         `json:"share" line:"word_share"`
	Percent stat.Rate         `json:"percent_agreement" line:"word_agreement" column:"agreement"`
	Alpha   agree.Coefficient `json:"krippendorff_alpha" line:"word_krippendorff_alpha"`
	AC1     agree.Coefficient `json:"gwet_ac1" line:"word_gwet_ac1"`
}

var wordLayout = report.NewLayout("set word said share agreement krippendorff_alpha gwet_ac1", WordLine{})

func (c *queueWork) newWordLines(ctx context.Context, progress func(done, total int)) (out []WordLine, err error) {
	for _, set := range []*annotate.LabelSet{&c.queue.Labels, &c.queue.Tags} {
		for _, o := range set.Options {
			says := func(_ *itemLabels, m *personLabel) bool { return m.class == string(o.Letter) }
			if set == &c.queue.Tags {
				says = func(t *itemLabels, m *personLabel) bool {
					return slices.Contains(c.people[m.who].state.Labels[t.key].Tags, o.Text)
				}
			}
			l := WordLine{Set: set.ID(), Word: o.Text, Share: c.labelShare(says)}
			for i := range c.items {
				for j := range c.items[i].said {
					l.Said += report.OneIf(says(&c.items[i], &c.items[i].said[j]))
				}
			}
			s, err := c.summarizeAgreement(ctx, agree.Scale{Level: agree.Nominal}, progress, func(t *itemLabels, m *personLabel) string {
				return eval.Either(says(t, m), "yes", "no")
			})
			if err != nil {
				return nil, err
			}
			l.Percent, l.Alpha, l.AC1 = s.Percent, s.Alpha, s.AC1
			out = append(out, l)
		}
	}
	return out, nil
}

// labelShare is the share of labels that say something; the items are their clusters.
func (c *queueWork) labelShare(says func(*itemLabels, *personLabel) bool) stat.Rate {
	switch {
	case c.queue.Stratum != annotate.Random:
		return stat.UndefinedRate("of targeted sampling: it says nothing of other items")
	case c.queue.IsUneven():
		return stat.UndefinedRate("items were drawn with probabilities of their own")
	}
	of := stat.Clusters{Sequence: c.ongoing}
	for i := range c.items {
		t := &c.items[i]
		for j := range t.said {
			if m := &t.said[j]; m.why == "" {
				of.AddToCluster(t.cluster, float64(report.OneIf(says(t, m))), 1)
			}
		}
	}
	return of.Rate("no label")
}

// prepareSavingWords has the report be saved with the shares of words.
func (r *AnnotatorsRow) prepareSavingWords(ctx context.Context, facts report.Facts, out *report.Report) error {
	var now []report.SavedFigure
	draft := annotate.SavedReport{Name: out.Name, Policy: r.work.basis.SavedPolicyName() + ", queue " + string(r.Queue)}
	for i := range r.Words {
		l := &r.Words[i]
		draft.Rules = eval.AppendUnique(draft.Rules, l.Set)
		if s := &l.Share; s.Undefined == "" {
			now = append(now, report.SavedFigure{
				Of:        string(r.Queue) + ", " + l.Set + ": " + l.Word,
				Corrected: stat.Estimate{N: s.N, Value: s.Value, Low: s.Low, High: s.High, Sequence: s.Sequence, Few: s.Few},
			})
		}
	}
	if len(now) == 0 {
		return nil
	}
	return out.PrepareSavingShares(ctx, facts, now, []annotate.QueueName{r.Queue}, nil, &draft)
}

func (r *AnnotatorsRow) makeWordTable() table.Table {
	t := report.MakePartTable(wordLayout, "labels and tags", r.title(), r.Words, nil)
	if len(t.Rows) > 0 {
		t.Notes = []string{"Said: labels that say so, or have the tag. Share: of all labels, with items as clusters. Agreement, alpha and AC1: on whether the word fits an item or not."}
	}
	return t
}
