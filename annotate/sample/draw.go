package sample

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"

	"concord/annotate"
	"concord/eval"
)

// Candidate is a prediction or a pair that passed a queue's filter.
type Candidate struct {
	Key      eval.Key
	Against  eval.RunID // the other run of a pair; 0: no pair
	Sample   eval.SampleID
	Taxonomy []string
	Differ   float64 // how much extractors, or judges and the metric, differ on it, for an order that IsTargeted

	Uncertain bool // extractors leave it uncertain, for ByUncertainty
}

// DrawItems chooses a queue's items from the population that its filter found, and returns how large
// that was. The choice depends on the rule and the keys alone, not on the order of the population:
//
//   - Rate: each candidate whose hash falls under the rate, as DrawsByRate has it;
//   - Number: the candidates with the smallest hashes, so that a larger number
//     contains the smaller; inclusion is Number of the population;
//   - PerLevel: the same within each group of the taxonomy;
//   - none of them: everyone, with inclusion 1.
//
// IDs narrow the population first. Items come in the order of their hashes, so that any beginning of
// the queue is a random sample too; items asked for by IDs alone stay in the order of the population.
//
// ByDisagreement, Number and PerLevel take those that extractors differ on most, and what was taken
// comes in that order. Inclusion is then 1 of what is taken for how much extractors differ on it, and
// the share that is taken of those among which the hash had to decide.
//
// Of pairs, and by a rule that is Whole, it is samples that are drawn, by the hash of the sample alone,
// and all that the population has of a drawn sample is enrolled, with the sample's inclusion: Number
// and PerLevel count samples, and the same samples are drawn whichever models are compared. Pairs
// (MLLM-Bench, App. F.1: 2 samples of each capability, every model against the anchor) come in the
// order of their own hashes, and apart: one of the same sample follows another only where no other
// sample is left. Predictions come sample by sample, the passes of a question one after the other:
// whoever stops somewhere has labelled whole questions, and those are a random sample too.
func DrawItems(rule annotate.Rule, population iter.Seq2[Candidate, error]) ([]annotate.QueueItem, int, error) {
	if err := checkDrawRule(&rule); err != nil {
		return nil, 0, err
	}
	d := itemDraw{rule: &rule, groups: make(map[string]*groupDraw), of: make(map[eval.Ordinal][]annotate.ItemKey)}
	for c, err := range selectWantedSamples(&rule, population) {
		if err != nil {
			return nil, 0, fmt.Errorf("draw items: %w", err)
		}
		d.addCandidate(&c)
	}
	if err := d.checkLevel(); err != nil {
		return nil, 0, err
	}
	return d.chooseItems(), d.population, nil
}

// selectWantedSamples narrows a population to the samples that a rule asks for.
func selectWantedSamples(rule *annotate.Rule, population iter.Seq2[Candidate, error]) iter.Seq2[Candidate, error] {
	ids := eval.IndexBy(rule.IDs, func(id eval.SampleID) (eval.SampleID, bool) { return id, true })
	return eval.Filter(population, func(c *Candidate) bool { return len(ids) == 0 || ids[c.Sample] })
}

// checkLevel refuses a level that no candidate has: its groups would be those of another one.
func (d *itemDraw) checkLevel() error {
	switch level := d.rule.Level; {
	case d.rule.PerLevel == 0 || d.population == 0:
	case d.depth == 0:
		return errors.New("draw per level: what is drawn from has no taxonomy")
	case level > d.depth && level != annotate.FinestLevel:
		return fmt.Errorf("draw per level: what is drawn from has %d taxonomy levels, not %d", d.depth, level)
	}
	return nil
}

func checkDrawRule(r *annotate.Rule) error {
	ways := eval.Count([]bool{r.Rate != 0, r.Number != 0, r.PerLevel != 0}, func(set bool) bool { return set })
	switch {
	case ways > 1:
		return errors.New("check rule: only one of rate, number and number per level can decide")
	case r.Rate < 0 || r.Rate > 1:
		return fmt.Errorf("check rule: rate %v is not in (0, 1]", r.Rate)
	case r.Number < 0 || r.PerLevel < 0:
		return errors.New("check rule: a number of items cannot be negative")
	case r.PerLevel > 0 && r.Level < 1:
		return errors.New("check rule: a number per level needs the level")
	case r.Order.IsTargeted() && r.DrawsSamples():
		return errors.New("check rule: extractors differ on predictions, and samples are drawn")
	case r.Order == annotate.ByUncertainty && (r.PerLevel > 0 || r.From == annotate.FromPairs):
		return errors.New("check rule: by uncertainty predictions are drawn, from all groups together")
	}
	return nil
}

// itemDraw is a draw under way. Groups hold no more than may be chosen.
type itemDraw struct {
	rule       *annotate.Rule
	population int
	depth      int // of the deepest taxonomy path in it
	groups     map[string]*groupDraw
	of         map[eval.Ordinal][]annotate.ItemKey // where samples are drawn: all that there is of each
}

type groupDraw struct {
	name string
	size map[float64]int // of the population, by how much extractors differ; all under 0 where that is not asked
	kept []drawTicket
}

func (g *groupDraw) keepFirstTickets(n int) {
	slices.SortFunc(g.kept, drawTicket.compare)
	g.kept = g.kept[:min(n, len(g.kept))]
}

type drawTicket struct {
	differ float64 // 0 unless the order is targeted
	hash   uint64
	key    annotate.ItemKey
}

func (d *itemDraw) addCandidate(c *Candidate) {
	d.population++
	d.depth = max(d.depth, len(c.Taxonomy))
	key := annotate.ItemKey{Key: c.Key, Against: c.Against}
	if d.rule.DrawsSamples() {
		known := d.of[key.Sample]
		d.of[key.Sample] = append(known, key)
		if len(known) > 0 {
			return
		}
	}
	key = d.rule.DrawnUnit(key)
	name := d.rule.TaxonomyGroupOf(c.Taxonomy)
	g := eval.GetOrAdd(d.groups, name, func() *groupDraw { return &groupDraw{name: name, size: make(map[float64]int)} })
	t := drawTicket{hash: key.DrawHash(d.rule.Seed), key: key}
	if d.rule.Order.IsTargeted() {
		t.differ = c.Differ
	}
	g.size[t.differ]++
	if d.rule.Rate > 0 && !d.rule.IsUnderRate(t.hash) {
		return
	}
	g.kept = append(g.kept, t)
	if n := d.groupLimit(); n > 0 && len(g.kept) == 2*n {
		g.keepFirstTickets(n)
	}
}

// groupLimit is how many items are drawn of a group at most; 0: all, or by their rate.
func (d *itemDraw) groupLimit() int {
	return eval.Either(d.rule.Rate > 0, 0, max(d.rule.Number, d.rule.PerLevel))
}

type drawnTicket struct {
	drawTicket
	group     string
	inclusion float64
}

func (d *itemDraw) chooseItems() []annotate.QueueItem {
	var all []drawnTicket
	for _, g := range d.groups {
		if n := d.groupLimit(); n > 0 {
			g.keepFirstTickets(n)
		}
		kept := make(map[float64]int)
		for _, t := range g.kept {
			kept[t.differ]++
		}
		for _, t := range g.kept {
			all = append(all, drawnTicket{t, g.name, cmp.Or(d.rule.Rate, float64(kept[t.differ])/float64(g.size[t.differ]))})
		}
	}
	if d.rule.From == annotate.FromPairs {
		return toQueueItems(d.expandPairs(all))
	}
	asGiven := !d.rule.Order.IsTargeted() && len(d.rule.IDs) > 0 && d.rule.Rate == 0 && d.rule.Number == 0 && d.rule.PerLevel == 0
	if !asGiven {
		slices.SortFunc(all, func(a, b drawnTicket) int { return a.compare(b.drawTicket) })
	}
	if d.rule.Whole {
		all = d.expandSamples(all)
	}
	return toQueueItems(all)
}

func toQueueItems(all []drawnTicket) []annotate.QueueItem {
	return eval.MapIndexed(all, func(i int, t drawnTicket) annotate.QueueItem {
		return annotate.QueueItem{Index: i, Key: t.key, Inclusion: t.inclusion, Group: t.group}
	})
}

// compare orders by disagreement, the largest first, and by hash; keys decide
// between equal hashes, so that the order is total.
func (t drawTicket) compare(o drawTicket) int {
	return cmp.Or(cmp.Compare(o.differ, t.differ), cmp.Compare(t.hash, o.hash), t.key.Compare(o.key))
}

// expandSamples puts all predictions on each drawn sample in its place: run by run, pass by pass.
func (d *itemDraw) expandSamples(samples []drawnTicket) []drawnTicket {
	var out []drawnTicket
	for _, s := range samples {
		keys := d.of[s.key.Sample]
		slices.SortFunc(keys, annotate.ItemKey.Compare)
		out = append(out, eval.Map(keys, func(k annotate.ItemKey) drawnTicket {
			return drawnTicket{drawTicket{hash: s.hash, key: k}, s.group, s.inclusion}
		})...)
	}
	return out
}

// expandPairs puts the pairs of each drawn sample in its place, in the order in which people see them.
func (d *itemDraw) expandPairs(samples []drawnTicket) []drawnTicket {
	var out []drawnTicket
	for _, s := range samples {
		out = append(out, eval.Map(d.of[s.key.Sample], func(k annotate.ItemKey) drawnTicket {
			return drawnTicket{drawTicket{hash: k.DrawHash(d.rule.Seed), key: k}, s.group, s.inclusion}
		})...)
	}
	slices.SortFunc(out, func(a, b drawnTicket) int { return a.compare(b.drawTicket) })
	separateSamples(out)
	return out
}

// separateSamples moves the next pair of another sample up wherever two of one sample would follow each
// other: who has just judged an answer of the anchor is not shown it again at once.
func separateSamples(list []drawnTicket) {
	for i := 1; i < len(list); i++ {
		last := list[i-1].key.Sample
		if list[i].key.Sample != last {
			continue
		}
		at := slices.IndexFunc(list[i:], func(d drawnTicket) bool { return d.key.Sample != last })
		if at < 0 {
			return
		}
		up := list[i+at]
		copy(list[i+1:], list[i:i+at])
		list[i] = up
	}
}

// InsertGold puts gold items, whose answer is known, among those that were drawn, so that they are
// about a share of the queue. Gold items that were drawn anyway count among them and keep their
// inclusion. The others are chosen by their hash, and have inclusion 0: they represent nothing but
// themselves. The queue is cut into as many equal parts as gold items are added, and each falls, by its
// hash, somewhere into one part. So every beginning of the queue holds about the share too, and no
// count tells where they are. It returns the items, numbered anew, and the gold items that are in the
// queue; there may be fewer than the share asks for.
func InsertGold(items []annotate.QueueItem, golds []annotate.Gold, share float64, seed uint64) ([]annotate.QueueItem, []annotate.Gold) {
	drawn := eval.IndexBy(items, func(it annotate.QueueItem) (annotate.ItemKey, bool) { return it.Key, true })
	var in, others []annotate.Gold
	tickets := make(map[annotate.ItemKey]drawTicket, len(golds))
	for _, g := range golds {
		if drawn[g.Key] {
			in = append(in, g)
		} else {
			others = append(others, g)
			tickets[g.Key] = drawTicket{hash: g.Key.DrawHash(seed), key: g.Key}
		}
	}
	slices.SortFunc(others, func(a, b annotate.Gold) int { return tickets[a.Key].compare(tickets[b.Key]) })
	add := min(len(others), countMissingGold(len(items), len(in), share))
	out := make([]annotate.QueueItem, 0, len(items)+add)
	at := 0
	for i, g := range others[:add] {
		// The part of the queue that begins here, and a place within it.
		from, to := i*len(items)/add, (i+1)*len(items)/add
		place := from + int(g.Key.DrawHash(^seed)%uint64(to-from+1))
		out = append(out, items[at:place]...)
		out = append(out, annotate.QueueItem{Key: g.Key})
		at = place
	}
	out = append(out, items[at:]...)
	for i := range out {
		out[i].Index = i
	}
	return out, append(in, others[:add]...)
}

// countMissingGold counts how many items have to be added to n, of which some are known, so
// that known ones come to a share of all.
func countMissingGold(n, known int, share float64) int {
	if share <= 0 || share >= 1 {
		return 0
	}
	return max(0, int((share*float64(n)-float64(known))/(1-share)+0.5))
}
