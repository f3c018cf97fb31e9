package alignment

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"concord/annotate"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/stat"
)

// queueWork holds what the annotators of a queue did in it.
type queueWork struct {
	queue    annotate.Queue
	basis    annotate.Basis
	people   []personWork // by name
	items    []itemLabels
	scored   bool // every label is a score
	ongoing  bool // labels are still to come
	excluded []report.ExcludedItem
	added    int // items that were not drawn, but added since their answer is known
}

// personWork is what stands of one person's acts in the queue.
type personWork struct {
	who   annotate.Annotator
	state annotate.State
	spent map[annotate.ItemKey]time.Duration // the longest of their blind labels
	since map[annotate.ItemKey]time.Time     // of their first label
	known stat.Count                         // items with a known answer, labelled as is known
}

type itemLabels struct {
	index     int
	key       annotate.ItemKey
	cluster   uint64        // that its sample is in
	criterion string        // of a response that is graded: the one that is meant
	said      []personLabel // by person
	rulings   []annotate.Ruling
}

// personLabel is one person's label on an item.
type personLabel struct {
	who   int // of the queueWork's people
	class string
	why   string // it takes no part in agreement; "" when it does
	asked bool   // only since others differed
	spent time.Duration
	late  string // why there is no time
}

// Reasons for which a label takes no part in a figure, beside those of alignment.
const (
	leftAlone    = "labelled by nobody else"
	leftAsked    = "asked since others differed"
	leftUntimed  = "no time known"
	leftImported = "imported without a time"
	leftCounted  = "timed with the first criterion of its response"
)

func readQueueWork(ctx context.Context, facts report.Facts, o *AnnotatorOptions) (*queueWork, error) {
	q, err := facts.Queue(o.Queue)
	if err != nil {
		return nil, err
	}
	c := &queueWork{queue: q, basis: report.BasisOrDefault(o.Policy, o.Undecided)}
	golds, err := report.ReadKnownAnswers(facts, &q)
	if err != nil {
		return nil, err
	}
	if err := c.readActs(ctx, facts, golds); err != nil {
		return nil, err
	}
	if c.ongoing, err = report.IsOngoing(ctx, facts, &q); err != nil {
		return nil, err
	}
	for it, err := range facts.QueueItems(ctx, q.Name) {
		if err != nil {
			return nil, fmt.Errorf("read items of queue %s: %w", q.Name, err)
		}
		cluster := uint64(it.Key.Sample)
		if o.Clustered {
			s, err := facts.Sample(q.Rule.Dataset, it.Key.Sample)
			if err != nil {
				return nil, fmt.Errorf("read sample of item %s: %w", it.Key, err)
			}
			cluster = report.ClusterOf(&s)
		}
		_, known := golds[it.Key]
		for _, t := range c.makeItemLabels(&it) {
			t.cluster = cluster
			switch {
			case report.IsAddedGold(golds, &it):
				t.leaveOutLabels(annotate.LeftGold)
				c.added++
			case !known && q.Extra > 0:
				c.markExtraLabels(&t)
			}
			c.items = append(c.items, t)
		}
	}
	c.scored = c.isAllScores()
	return c, nil
}

// readActs derives what stands of everybody's acts.
func (c *queueWork) readActs(ctx context.Context, facts report.Facts, golds map[annotate.ItemKey]annotate.Reading) error {
	acts, err := report.ReadActs(ctx, facts, c.queue.Name)
	if err != nil {
		return err
	}
	states := annotate.FoldStates(acts)
	if c.excluded, err = report.ListExcludedItems(facts, &c.queue, states); err != nil {
		return err
	}
	for _, who := range slices.Sorted(maps.Keys(acts)) {
		h := personWork{
			who: who, state: states[who], known: annotate.CountGoldHits(acts[who], golds),
			spent: make(map[annotate.ItemKey]time.Duration), since: make(map[annotate.ItemKey]time.Time),
		}
		h.recordLabelTimes(acts[who])
		c.people = append(c.people, h)
	}
	return nil
}

// recordLabelTimes notes when somebody's labels were given, and how long they took.
func (h *personWork) recordLabelTimes(acts []annotate.Act) {
	for i := range acts {
		a := &acts[i]
		if a.Kind != annotate.Labelled {
			continue
		}
		if t, ok := h.since[a.Item]; !ok || a.At.Before(t) {
			h.since[a.Item] = a.At
		}
		if !a.Informed {
			h.spent[a.Item] = max(h.spent[a.Item], a.Spent)
		}
	}
}

// makeItemLabels makes those of an item: one or, where criteria are graded, one for each of
// them as it was worded. The time counts once.
func (c *queueWork) makeItemLabels(it *annotate.QueueItem) []itemLabels {
	whole := c.newItemLabels(it)
	if c.queue.Rule.From != annotate.FromCriteria {
		return []itemLabels{whole}
	}
	at, out := make(map[[2]string]int), []itemLabels(nil)
	of := func(g annotate.Grade) *itemLabels {
		k := [2]string{g.Criterion, g.Hash}
		if _, known := at[k]; !known {
			at[k] = len(out)
			out = append(out, itemLabels{index: it.Index, key: it.Key, criterion: g.Criterion})
		}
		return &out[at[k]]
	}
	for _, m := range whole.said {
		for i, g := range c.people[m.who].state.Labels[it.Key].Reading.Grades {
			if m.class = g.Verdict.String(); i > 0 {
				m.late = leftCounted
			}
			t := of(g)
			t.said = append(t.said, m)
		}
	}
	for _, r := range whole.rulings {
		for _, g := range r.Reading.Grades {
			t, one := of(g), r
			one.Reading.Grades = []annotate.Grade{g}
			t.rulings = append(t.rulings, one)
		}
	}
	return out
}

func (c *queueWork) newItemLabels(it *annotate.QueueItem) itemLabels {
	t := itemLabels{index: it.Index, key: it.Key}
	for who := range c.people {
		h := &c.people[who]
		if l, ok := h.state.Labels[it.Key]; ok {
			t.said = append(t.said, h.newPersonLabel(who, &l))
		}
		if r, ok := h.state.Rulings[it.Key]; ok {
			t.rulings = append(t.rulings, r)
		}
	}
	return t
}

// markExtraLabels finds those who were asked about an item since others differed on it: they came when as
// many others had labelled it as the queue wants in any case. Beside somebody they stand on contested
// items alone, so that their labels would make agreement between people come out too low, or in a mean
// over items too high. They count in everybody's word, which they were asked for.
func (c *queueWork) markExtraLabels(t *itemLabels) {
	if len(t.said) <= c.queue.WantedLabelsIfAgreed() {
		return
	}
	since := eval.Map(t.said, func(l personLabel) time.Time { return c.people[l.who].since[t.key] })
	last := slices.SortedFunc(slices.Values(since), time.Time.Compare)[c.queue.WantedLabelsIfAgreed()-1]
	for i := range t.said {
		t.said[i].asked = since[i].After(last)
	}
}

func (t *itemLabels) leaveOutLabels(why string) {
	for i := range t.said {
		t.said[i].why = why
	}
	t.rulings = nil
}

func (h *personWork) newPersonLabel(who int, l *annotate.Label) personLabel {
	m := personLabel{who: who, class: className(&l.Reading), spent: h.spent[l.Item]}
	switch {
	case l.Excluded:
		m.why = annotate.LeftExcluded
	case l.Informed:
		m.why = annotate.LeftInformed
	}
	switch {
	case l.Informed:
		m.late = annotate.LeftInformed
	case m.spent == 0 && l.Imported:
		m.late = leftImported
	case m.spent == 0:
		m.late = leftUntimed
	}
	return m
}

// Classes of readings that are no option and no score.
const (
	noOption      = "(none)"
	noAnswer      = "(neither)"
	undecidedWord = "(undecided)" // of an item on which the others come to nothing
	firstWord     = "first"       // of a pair: the answer of the item's own run
	secondWord    = "second"
)

func className(r *annotate.Reading) string {
	switch r.Kind {
	case annotate.PickedOption:
		return string(r.Choice)
	case annotate.Scored:
		return strconv.Itoa(r.Score)
	case annotate.Voted:
		v := eval.Either(r.Swapped, r.Vote.Swapped(), r.Vote)
		switch v {
		case eval.Answer1:
			return firstWord
		case eval.Answer2:
			return secondWord
		default:
			return noAnswer
		}
	case annotate.Graded:
		return r.Grades[0].Verdict.String()
	case annotate.SaidNone, annotate.SaidAmbiguous, annotate.SaidRefused, annotate.ReadingUnset:
	}
	return noOption
}

func (c *queueWork) isAllScores() bool {
	scores := 0
	for i := range c.people {
		for _, l := range c.people[i].state.Labels {
			if l.Reading.Kind != annotate.Scored {
				return false
			}
			scores++
		}
	}
	return scores > 0
}

// whyExcluded is why a label takes no part in agreement between people.
func (m *personLabel) whyExcluded() string {
	return eval.Either(m.why == "" && m.asked, leftAsked, m.why)
}

// wordOfRest is the word of the others on an item, those that away names left aside,
// or why there is none. A ruling by one of them does not count either.
func (c *queueWork) wordOfRest(t *itemLabels, away func(who int) bool) (class, why string) {
	if len(t.said) > 0 && t.said[0].why == annotate.LeftExcluded {
		return "", annotate.LeftExcluded
	}
	var words []string
	why = leftAlone
	for i := range t.said {
		switch m := &t.said[i]; {
		case away(m.who):
		case m.why == "":
			words = append(words, m.class)
		default:
			why = m.why
		}
	}
	ruled := c.standingRulingClass(t, away)
	if len(words) == 0 && (ruled == nil || c.basis.Policy != annotate.Adjudicated) {
		return "", why
	}
	got, ok := annotate.ResolveWords(words, ruled, c.basis.Policy)
	switch {
	case ok:
		return got.Word, ""
	case c.basis.Undecided == annotate.Dropped:
		return "", annotate.LeftNoConsensus
	case c.basis.Undecided == annotate.OwnClass:
		return undecidedWord, ""
	case c.queue.Rule.From == annotate.FromPairs:
		return noAnswer, ""
	}
	return noOption, ""
}

func (c *queueWork) standingRulingClass(t *itemLabels, away func(who int) bool) *string {
	var by []annotate.Ruling
	for _, r := range t.rulings {
		who, _ := slices.BinarySearchFunc(c.people, r.Annotator, func(h personWork, a annotate.Annotator) int { return cmp.Compare(h.who, a) })
		if !away(who) {
			by = append(by, r)
		}
	}
	if r, ok := annotate.StandingRuling(by); ok {
		class := className(&r.Reading)
		return &class
	}
	return nil
}
