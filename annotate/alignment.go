package annotate

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate/agree"
	"concord/eval/stat"
)

// AlignmentRow is how far one extractor reads as people do (MMBench Fig. 5).
// N of the rate and the counts of Excluded sum to the items of the queue,
// unless the extractor is LeftOut as a whole.
type AlignmentRow struct {
	Extractor        string
	LeftOut          string // why there are no figures
	Alignment        stat.Rate
	CaseOne, CaseTwo int
	CaseOpen         int               // misaligned because people came to nothing
	Kappa, AC1       agree.Coefficient // over options and "not one option"
	Baseline         stat.Rate         // of a reader that always gives people's most frequent class
	Excluded         map[string]int    // reason -> items
	Models           []Share
	Categories       []Share // every prefix of the taxonomy
	People           []Share // against each person's own labels, not the consensus
	Confusion        []Confusion
	Adjudicated      *Adjudication // nil when nobody has adjudicated any of the items
	Besides          []Beside      // every other extractor that is compared on any item
	Common           *Common       // nil where no other one is
}

// Confusion is how many items people read one way and the machine another:
// an option's letter, or the finer verdict or status.
type Confusion struct {
	People, Machine string
	N               int
}

// Align compares each extractor with people's consensus on the items, and with
// every other one. Under DawidSkene the basis is one that is Fitted. The context
// ends resampling early.
func Align(ctx context.Context, items []AlignItem, extractors []Extractor, b Basis) ([]AlignmentRow, error) {
	out := make([]AlignmentRow, len(extractors))
	all := make([]verdicts, len(extractors))
	b.Growing = b.ongoing(items)
	extractors = b.refused(extractors)
	for i := range extractors {
		all[i] = make(verdicts, len(items))
		out[i] = b.row(items, &extractors[i], all[i])
		if err := b.soften(ctx, items, &extractors[i], all[i], &out[i]); err != nil {
			return nil, fmt.Errorf("compare %s with people: %w", extractors[i].Name, err)
		}
	}
	b.beside(items, extractors, out, all)
	return out, nil
}

func (b Basis) row(items []AlignItem, x *Extractor, came verdicts) AlignmentRow {
	row := AlignmentRow{Extractor: x.Name, LeftOut: x.LeftOut, Excluded: make(map[string]int)}
	if x.LeftOut != "" {
		row.Alignment = stat.Undefined(x.LeftOut)
		row.Baseline = row.Alignment
		row.Kappa = agree.Coefficient{Undefined: x.LeftOut}
		row.AC1 = row.Kappa
		return row
	}
	t := newTallies(b.Growing)
	for i := range items {
		t.person(&items[i], x)
		c := b.Compare(&items[i], x)
		came[i] = c.Alignment
		if c.LeftOut != "" {
			row.Excluded[c.LeftOut]++
			continue
		}
		t.add(&items[i], &c)
	}
	t.fill(&row, b.crowd != nil)
	row.Adjudicated = b.settlement(items, x)
	return row
}

// tallies count the compared items of one extractor.
type tallies struct {
	all                        *lot
	cases                      [CaseOpen + 1]int
	models, people, categories lots
	confusion                  map[[2]string]int
}

func newTallies(sequence bool) *tallies {
	return &tallies{
		all: newLot(nil, sequence), models: make(lots), people: make(lots), categories: make(lots),
		confusion: make(map[[2]string]int),
	}
}

func (t *tallies) add(it *AlignItem, c *Compared) {
	aligned, people, machine := c.Alignment == Aligned, sideOf(c.People), sideOfMachine(c.Machine)
	t.cases[c.Alignment]++
	t.all.add(it, aligned, people, machine)
	t.models.of(it.Model, nil, t.all).add(it, aligned, people, machine)
	for i := range it.Taxonomy {
		path := it.Taxonomy[:i+1]
		t.categories.of(strings.Join(path, "\x00"), path, t.all).add(it, aligned, people, machine)
	}
	t.confusion[[2]string{c.SaidByPeople(), c.SaidByMachine()}]++
}

// person counts the extractor against each person who labelled the item.
func (t *tallies) person(it *AlignItem, x *Extractor) {
	if it.Failed || it.Gold || it.Excluded {
		return
	}
	read, ok := x.Read(it.Key.Key)
	if !ok {
		return
	}
	machine := sideOfMachine(read)
	for _, l := range it.Labels {
		if !l.Informed && l.Reading.Verdict != Scored {
			people := sideOf(l.Reading)
			t.people.of(string(l.Annotator), nil, t.all).add(it, align(people, machine) == Aligned, people, machine)
		}
	}
}

// fill enters the figures; soft ones are still to come in the place of most.
func (t *tallies) fill(row *AlignmentRow, soft bool) {
	all := t.all.share("", soft)
	row.Alignment, row.Kappa, row.AC1, row.Baseline = all.Alignment, all.Kappa, all.AC1, t.all.baseline()
	row.CaseOne, row.CaseTwo, row.CaseOpen = t.cases[CaseOne], t.cases[CaseTwo], t.cases[CaseOpen]
	row.Models, row.People, row.Categories = t.models.shares(soft), t.people.shares(false), t.categories.shares(soft)
	for _, pair := range slices.SortedFunc(maps.Keys(t.confusion), compareClasses) {
		row.Confusion = append(row.Confusion, Confusion{People: pair[0], Machine: pair[1], N: t.confusion[pair]})
	}
}

// SaidByPeople is what people read, as a confusion matrix names it: an
// option's letter, or the finer verdict.
func (c *Compared) SaidByPeople() string { return finePeople(c.People) }

// SaidByMachine is the same of the machine's reading.
func (c *Compared) SaidByMachine() string {
	if c.Machine.IsFound() {
		return string(c.Machine.Choice)
	}
	return c.Machine.Status.String()
}

func finePeople(r Reading) string {
	switch r.Verdict {
	case PickedOption:
		return string(r.Choice)
	case VerdictUnset:
		return "undecided"
	case SaidNone, SaidAmbiguous, SaidRefused, Voted, Scored, Graded:
	}
	return r.Verdict.String()
}

// Share is the alignment within a part of the items. The coefficients are over
// options and "not one option".
type Share struct {
	Name       string   // a model or a person
	Path       []string // or a taxonomy path
	Alignment  stat.Rate
	Kappa, AC1 agree.Coefficient
}

// lot holds compared items by the classes that people and the machine gave.
type lot struct {
	path  []string
	items agree.Classified
}

func newLot(path []string, sequence bool) *lot {
	return &lot{path: path, items: agree.Classified{Sequence: sequence}}
}

func (l *lot) add(it *AlignItem, aligned bool, people, machine side) {
	l.items.Add(it.cluster(), people.class(), machine.class(), aligned)
}

const nothingCompared = "no item has both a consensus and an extracted answer"

func (l *lot) share(name string, soft bool) Share {
	out := Share{Name: name, Path: slices.Clone(l.path), Alignment: l.items.Agreement(nothingCompared)}
	if !soft {
		out.Kappa, out.AC1 = l.items.Coefficients(stat.Confidence)
	}
	return out
}

func compareClasses(a, b [2]string) int {
	return cmp.Or(strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1]))
}

// baseline is the rate of a reader that always gives people's most frequent
// class.
func (l *lot) baseline() stat.Rate { return l.items.Baseline(nothingCompared) }

// lots are those of the parts of one kind, by name.
type lots map[string]*lot

func (ls lots) of(name string, path []string, whole *lot) *lot {
	l, ok := ls[name]
	if !ok {
		l = newLot(path, whole.items.Sequence)
		ls[name] = l
	}
	return l
}

// shares are the parts in the order of their names. Those that have a path
// are called by it.
func (ls lots) shares(soft bool) []Share {
	var out []Share
	for _, name := range slices.Sorted(maps.Keys(ls)) {
		l := ls[name]
		if l.path != nil {
			name = ""
		}
		out = append(out, l.share(name, soft))
	}
	return out
}
