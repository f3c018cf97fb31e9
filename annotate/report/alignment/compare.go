package alignment

import (
	"context"
	"fmt"
	"slices"

	"concord/annotate"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/stat"
)

// Between says whose readings of an item differ. The zero value is unset.
type Between uint8

// The disagreements.
const (
	BetweenUnset   Between = iota
	PersonMachine          // people's consensus and an extractor
	PersonPerson           // two people
	MachineMachine         // two extractors of one sort: judges, or rule sets
)

// QueueComparison is a queue as one person may see it who looks into what people
// and machines read differently: every item beside everybody's word on it.
type QueueComparison struct {
	Queue      annotate.Queue
	Basis      annotate.Basis // how labels become people's side; rulings apart
	Extractors []ComparedExtractor
	Items      []ComparedItem
	Blind      int // items that are not shown before the person's own answer
	Waiting    int // of those, items that still take the person's label
	Elsewhere  int // of those, items that the person has answered: another queue has them open
}

// ComparedExtractor is an extractor with its figures over the whole queue.
type ComparedExtractor struct {
	Name    string
	Judge   bool
	LeftOut string // why it has no figures
	Before  stat.Rate
	After   stat.Rate // with rulings; undefined when there are none
	Rulings int
	CaseTwo annotate.CaseTwoCauses // who was right; nothing while After is undefined
}

// ComparedItem is an item of a queue. Where it is not Shown it holds no more than that somebody
// differs, and from whom: the person is to say first what they read themselves.
type ComparedItem struct {
	Index       int
	Key         annotate.ItemKey
	Sample      eval.SampleID
	Taxonomy    []string
	Shown       bool
	Adjudicated bool // there is a ruling
	Mine        bool // and it is the person's own
	Answered    bool // the person has labelled or settled it
	people      bool // two people differ
	accepted    bool // two people or more say the same
	audited     bool // nobody differs, and it is adjudicated all the same
	differs     []bool
	machines    []bool // by extractor: another one of its sort differs

	Model    string
	Labels   []annotate.Label
	Rulings  []annotate.Ruling
	Compared []annotate.ComparedReading // by extractor, before rulings
	After    []annotate.ComparedReading // and with them
}

// IsDisagreement reports whether the item is one of those on which they differ; x is
// the extractor that is looked at.
func (it *ComparedItem) IsDisagreement(b Between, x int) bool {
	switch b {
	case PersonMachine:
		return x < len(it.differs) && it.differs[x]
	case PersonPerson:
		return it.people
	case MachineMachine:
		return x < len(it.machines) && it.machines[x]
	case BetweenUnset:
	}
	return it.people || x < len(it.differs) && (it.differs[x] || it.machines[x])
}

// Legible says of a prediction whether its queue apart nothing keeps it, and
// what was made of it, from a person.
type Legible func(eval.Key) (bool, error)

// CompareQueue sets a queue's labels beside what each extractor reads, for a person
// to look into. An item is shown to who has labelled or settled it; others see
// only those that nobody disputes, and that take no label of theirs any more.
func CompareQueue(ctx context.Context, facts report.Facts, who annotate.Annotator, legible Legible, o Options) (*QueueComparison, error) {
	rv, err := newReviewedQueue(ctx, facts, &o)
	if err != nil {
		return nil, err
	}
	out := &QueueComparison{Queue: rv.queue, Basis: rv.basis.WithoutRulings()}
	after := out.Basis
	after.Policy = annotate.Adjudicated
	all := rv.listExtractors(&o)
	for i := range all {
		rows, err := annotate.AlignExtractors(ctx, rv.items, []annotate.Extractor{all[i].Extractor}, out.Basis)
		if err != nil {
			return nil, err
		}
		row := &rows[0]
		x := ComparedExtractor{Name: all[i].Name, Judge: all[i].source.Rules == "", LeftOut: row.LeftOut, Before: row.Alignment}
		x.After = stat.UndefinedRate("no item is adjudicated")
		if s := row.Adjudicated; s != nil {
			x.After, x.Rulings, x.CaseTwo = s.Alignment, s.Items, s.CaseTwo
		}
		out.Extractors = append(out.Extractors, x)
	}
	for i := range rv.items {
		it := &rv.items[i]
		if it.Gold {
			continue
		}
		one := out.newComparedItem(i, it, all, after)
		s, err := facts.Sample(rv.queue.Rule.Dataset, it.Key.Sample)
		if err != nil {
			return nil, fmt.Errorf("read sample of item %s: %w", it.Key, err)
		}
		one.Sample, one.Rulings = s.ID, rv.people.Rulings[it.Key]
		one.Adjudicated = it.Ruling != nil
		one.Mine = slices.ContainsFunc(one.Rulings, func(r annotate.Ruling) bool { return r.Annotator == who })
		one.accepted = len(it.Labels) > 1 && !one.people
		one.audited = len(it.Labels) > 0 && !it.Excluded && !it.Failed && !one.isContested() && rv.queue.IsAudited(it.Key)
		ok, err := one.maySee(who, rv.queue.WantedLabelsIfAgreed(), legible)
		if err != nil {
			return nil, err
		}
		if !ok {
			one = one.withoutReadings()
			out.Blind++
			switch {
			case one.Answered:
				out.Elsewhere++
			case len(it.Labels) < rv.queue.WantedLabelsIfAgreed():
				out.Waiting++
			}
		}
		out.Items = append(out.Items, one)
	}
	out.withholdRulings()
	return out, nil
}

// withholdRulings takes away what rulings make of the figures, where one of them is
// kept from the person: of few it would tell which way it went.
func (c *QueueComparison) withholdRulings() {
	if !slices.ContainsFunc(c.Items, func(it ComparedItem) bool { return it.Adjudicated && !it.Shown }) {
		return
	}
	for i := range c.Extractors {
		x := &c.Extractors[i]
		x.After, x.CaseTwo = stat.UndefinedRate("shown once you have answered what is adjudicated"), annotate.CaseTwoCauses{}
	}
}

func (c *QueueComparison) newComparedItem(i int, it *annotate.AlignItem, all []extractor, after annotate.Basis) ComparedItem {
	out := ComparedItem{
		Index: i, Key: it.Key, Taxonomy: it.Taxonomy, Shown: true, Model: it.Model, Labels: it.Labels,
		differs: make([]bool, len(all)), machines: make([]bool, len(all)),
	}
	out.people = slices.ContainsFunc(it.Labels, func(l annotate.Label) bool { return !annotate.IsSameClass(it.Labels[0].Reading, l.Reading) })
	said := make([]string, len(all))
	for x := range all {
		one := c.Basis.CompareItem(it, &all[x].Extractor)
		out.Compared = append(out.Compared, one)
		out.After = append(out.After, after.CompareItem(it, &all[x].Extractor))
		if all[x].LeftOut != "" {
			continue
		}
		out.differs[x] = one.LeftOut == "" && one.Alignment != annotate.Aligned
		if e, ok := all[x].Read(it.Key.Key); ok && !it.Failed {
			said[x] = eval.Either(e.IsFound(), "option "+string(e.Choice), "none") // no option's name, which X may be
		}
	}
	for x := range all {
		for y := range all {
			same := c.Extractors[x].Judge == c.Extractors[y].Judge
			out.machines[x] = out.machines[x] || same && said[x] != "" && said[y] != "" && said[x] != said[y]
		}
	}
	return out
}

// maySee reports whether the person may see what everybody made of the item.
func (it *ComparedItem) maySee(who annotate.Annotator, wanted int, legible Legible) (bool, error) {
	mine := who != "" && (it.Mine || slices.ContainsFunc(it.Labels, func(l annotate.Label) bool { return l.Annotator == who }))
	it.Answered = mine
	if !mine && (it.isContested() || it.audited || len(it.Labels) < wanted) {
		return false, nil
	}
	return legible(it.Key.Key)
}

// isContested reports whether anybody differs on the item.
func (it *ComparedItem) isContested() bool {
	return it.people || slices.Contains(it.differs, true) || slices.Contains(it.machines, true)
}

// withoutReadings gives the item without anybody's word on it.
func (it *ComparedItem) withoutReadings() ComparedItem {
	return ComparedItem{
		Index: it.Index, Key: it.Key, Sample: it.Sample, Taxonomy: it.Taxonomy, Adjudicated: it.Adjudicated, Mine: it.Mine, Answered: it.Answered,
		people: it.people, accepted: it.accepted, audited: it.audited, differs: it.differs, machines: it.machines,
	}
}

// ItemFilter are the items that are asked for; the zero value of a field asks for
// nothing. All but Between, Level, Unadjudicated and Open tell how an item was read.
type ItemFilter struct {
	Extractor     int // its place in Comparison.Extractors
	After         bool
	Between       Between // unset: whoever differs, and with Any those on which nobody does
	Any           bool
	Unadjudicated bool // without a ruling
	Adjudicating  bool // those that are adjudicated: where people differ, or one person and a machine, and some on which nobody does
	Open          bool // that the person has neither labelled nor settled
	Level         []string

	Case            annotate.Alignment
	Cause           annotate.Cause // of a ruling, as far as the extractor goes
	Model           string
	Annotator       annotate.Annotator // who labelled it
	Unsure          float64            // somebody was less sure than this
	People, Machine string             // of the confusion matrix
}

// ListItems gives the places of the items that are wanted, and how many that may be
// among them are kept back until the person has answered them.
func (c *QueueComparison) ListItems(w ItemFilter) (places []int, kept int) {
	tells := w.Case != 0 || w.Cause != 0 || w.Model != "" || w.Annotator != "" || w.Unsure > 0 || w.People != "" || w.Machine != "" // of the reading
	for i := range c.Items {
		it := &c.Items[i]
		if !w.Any && !w.matchesDisagreement(it) || w.Unadjudicated && it.Adjudicated || w.Open && it.Answered || !report.PathHasPrefix(it.Taxonomy, w.Level) {
			continue
		}
		switch {
		case !it.Shown && (tells || w.Any && !w.Open):
			kept++
		case !it.Shown || w.matchesReadingFilter(it):
			places = append(places, i)
		}
	}
	return places, kept
}

// matchesDisagreement reports whether an item is among the disagreements that are asked for.
func (w *ItemFilter) matchesDisagreement(it *ComparedItem) bool {
	if !w.Adjudicating {
		return it.IsDisagreement(w.Between, w.Extractor)
	}
	if w.Between != BetweenUnset {
		return it.IsDisagreement(w.Between, w.Extractor) || it.audited
	}
	return it.people || it.audited || !it.accepted && it.IsDisagreement(PersonMachine, w.Extractor)
}

func (w *ItemFilter) matchesReadingFilter(it *ComparedItem) bool {
	c := it.toCompared(w)
	cell := w.People != "" || w.Machine != ""
	switch {
	case w.Case != 0 && c.Alignment != w.Case,
		w.Model != "" && it.Model != w.Model,
		cell && (c.LeftOut != "" || c.PeopleClassName() != w.People || c.MachineClassName() != w.Machine),
		w.Cause != 0 && it.causeFor(w.Extractor) != w.Cause,
		w.Annotator != "" && !slices.ContainsFunc(it.Labels, func(l annotate.Label) bool { return l.Annotator == w.Annotator }),
		w.Unsure > 0 && !slices.ContainsFunc(it.Labels, func(l annotate.Label) bool { return l.Confidence > 0 && l.Confidence < w.Unsure }):
		return false
	}
	return true
}

func (it *ComparedItem) toCompared(w *ItemFilter) annotate.ComparedReading {
	of := eval.Either(w.After, it.After, it.Compared)
	if w.Extractor >= len(of) {
		return annotate.ComparedReading{LeftOut: LeftNothing}
	}
	return of[w.Extractor]
}

// LeftNothing is why there is no comparison where there is no extractor.
const LeftNothing = "no extractor"

// causeFor is why people and an extractor differ, by the ruling that stands.
func (it *ComparedItem) causeFor(x int) annotate.Cause {
	r, ok := annotate.StandingRuling(it.Rulings)
	if !ok || x >= len(it.Compared) || it.Compared[x].LeftOut != "" {
		return annotate.CauseUnset
	}
	return r.CauseFor(it.Compared[x].People, it.Compared[x].Machine)
}

// Matrix is how often people read one way and an extractor another, over the
// items that the person is shown.
type Matrix struct {
	People, Machine []string // the names of the rows and columns
	N               [][]int
	Compared        int            // items
	LeftOut         map[string]int // shown and not compared, by the reason
	Blind           int            // not shown
}

// ConfusionMatrix is the confusion matrix of an extractor; after tells that rulings count.
func (c *QueueComparison) ConfusionMatrix(x int, after bool) Matrix {
	w := ItemFilter{Extractor: x, After: after}
	m := Matrix{LeftOut: make(map[string]int), Blind: c.Blind}
	count := make(map[[2]string]int)
	for i := range c.Items {
		it := &c.Items[i]
		if !it.Shown {
			continue
		}
		one := it.toCompared(&w)
		if one.LeftOut != "" {
			m.LeftOut[one.LeftOut]++
			continue
		}
		p, q := one.PeopleClassName(), one.MachineClassName()
		count[[2]string{p, q}]++
		m.People, m.Machine = eval.AppendUnique(m.People, p), eval.AppendUnique(m.Machine, q)
		m.Compared++
	}
	slices.SortFunc(m.People, compareClasses)
	slices.SortFunc(m.Machine, compareClasses)
	m.N = append(m.N, eval.Map(m.People, func(p string) []int { return eval.Map(m.Machine, func(q string) int { return count[[2]string{p, q}] }) })...)
	return m
}
