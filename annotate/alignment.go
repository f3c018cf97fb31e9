package annotate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate/agree"
	"concord/eval"
	"concord/eval/stat"
)

// AlignmentRow is how far one extractor reads as people do (MMBench Fig. 5). N of the rate and the
// counts of Excluded sum to the items of the queue, unless the extractor is LeftOut as a whole.
type AlignmentRow struct {
	Extractor        string
	LeftOut          string // why there are no figures
	Alignment        stat.Rate
	CaseOne, CaseTwo int
	CaseOpen         int               // misaligned because people came to nothing
	Kappa, AC1       agree.Coefficient // over options and "not one option"
	Baseline         stat.Rate         // of a reader that always gives people's most frequent class
	Excluded         map[string]int    // reason -> items
	Models           []AlignmentShare
	Categories       []AlignmentShare // every prefix of the taxonomy
	People           []AlignmentShare // against each person's own labels, not the consensus
	Confusion        []Confusion
	Adjudicated      *Adjudication         // nil when nobody has adjudicated any of the items
	Besides          []ExtractorComparison // every other extractor that is compared on any item
	Common           *Common               // nil where no other one is
}

// Confusion is how many items people read one way and the machine another:
// an option's letter, or the finer kind or status.
type Confusion struct {
	People  string `json:"people"`
	Machine string `json:"machine"`
	N       int    `json:"n"`
}

// AlignExtractors compares each extractor with people's consensus on the items, and with every other
// one. Under DawidSkene the basis is one that is Fitted. The context ends it early.
func AlignExtractors(ctx context.Context, items []AlignItem, extractors []Extractor, b Basis) ([]AlignmentRow, error) {
	out := make([]AlignmentRow, len(extractors))
	all := make([]alignmentsByItem, len(extractors))
	b.Growing = b.isOngoing(items)
	extractors = b.leaveOutWithoutModel(extractors)
	people := b.resolveItems(items)
	eval.InParallel(len(extractors), func(i int) {
		all[i] = make(alignmentsByItem, len(items))
		if ctx.Err() == nil {
			out[i] = b.newAlignmentRow(items, people, &extractors[i], all[i])
		}
	})
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	for i := range extractors {
		if err := b.replaceBySoftFigures(ctx, items, &extractors[i], all[i], &out[i]); err != nil {
			return nil, fmt.Errorf("compare %s with people: %w", extractors[i].Name, err)
		}
	}
	b.compareExtractors(items, people, extractors, out, all)
	return out, context.Cause(ctx)
}

func (b Basis) newAlignmentRow(items []AlignItem, people []resolved, x *Extractor, came alignmentsByItem) AlignmentRow {
	row := AlignmentRow{Extractor: x.Name, LeftOut: x.LeftOut, Excluded: make(map[string]int)}
	if x.LeftOut != "" {
		row.Alignment = stat.UndefinedRate(x.LeftOut)
		row.Baseline = row.Alignment
		row.Kappa = agree.Coefficient{Undefined: x.LeftOut}
		row.AC1 = row.Kappa
		return row
	}
	t := alignmentTally{
		all: newClassTally(nil, b.Growing), models: make(tallyByPart), people: make(tallyByPart), categories: make(tallyByPart),
		confusion: make(map[[2]string]int),
	}
	for i := range items {
		t.addPerson(&items[i], x)
		c := people[i].compareWith(&items[i], x)
		came[i] = c.Alignment
		if c.LeftOut != "" {
			row.Excluded[c.LeftOut]++
			continue
		}
		t.addItem(&items[i], &c)
	}
	t.fillRow(&row, b.crowd != nil)
	row.Adjudicated = b.computeAdjudication(items, x)
	return row
}

// alignmentTally count the compared items of one extractor.
type alignmentTally struct {
	all                        *classTally
	cases                      [CaseOpen + 1]int
	models, people, categories tallyByPart
	confusion                  map[[2]string]int
}

func (t *alignmentTally) addItem(it *AlignItem, c *ComparedReading) {
	aligned, people, machine := c.Alignment == Aligned, newPersonSide(c.People), newMachineSide(c.Machine)
	t.cases[c.Alignment]++
	t.all.addItem(it, aligned, people, machine)
	t.models.tallyOf(it.Model, nil, t.all).addItem(it, aligned, people, machine)
	for i := range it.Taxonomy {
		path := it.Taxonomy[:i+1]
		t.categories.tallyOf(strings.Join(path, "\x00"), path, t.all).addItem(it, aligned, people, machine)
	}
	t.confusion[[2]string{c.PeopleClassName(), c.MachineClassName()}]++
}

// addPerson counts the extractor against each person who labelled the item.
func (t *alignmentTally) addPerson(it *AlignItem, x *Extractor) {
	if it.Failed || it.Gold || it.Excluded {
		return
	}
	read, ok := x.Read(it.Key.Key)
	if !ok {
		return
	}
	machine := newMachineSide(read)
	for _, l := range it.Labels {
		if !l.Informed && l.Reading.Kind != Scored {
			people := newPersonSide(l.Reading)
			t.people.tallyOf(string(l.Annotator), nil, t.all).addItem(it, classifyAlignment(people, machine) == Aligned, people, machine)
		}
	}
}

// fillRow enters the figures; soft ones are still to come in the place of most.
func (t *alignmentTally) fillRow(row *AlignmentRow, soft bool) {
	all := t.all.newShare("", soft)
	row.Alignment, row.Kappa, row.AC1, row.Baseline = all.Alignment, all.Kappa, all.AC1, t.all.items.Baseline(nothingCompared)
	row.CaseOne, row.CaseTwo, row.CaseOpen = t.cases[CaseOne], t.cases[CaseTwo], t.cases[CaseOpen]
	row.Models, row.People, row.Categories = t.models.sortedShares(soft), t.people.sortedShares(false), t.categories.sortedShares(soft)
	row.Confusion = eval.Map(slices.SortedFunc(maps.Keys(t.confusion), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }), func(pair [2]string) Confusion {
		return Confusion{People: pair[0], Machine: pair[1], N: t.confusion[pair]}
	})
}

// PeopleClassName is what people read, as a confusion matrix names it: an option's letter, or the finer kind.
func (c *ComparedReading) PeopleClassName() string { return confusionName(c.People) }

// MachineClassName is the same of the machine's reading.
func (c *ComparedReading) MachineClassName() string {
	return eval.Either(c.Machine.IsFound(), string(c.Machine.Choice), c.Machine.Status.String())
}

func confusionName(r Reading) string {
	switch r.Kind {
	case PickedOption:
		return string(r.Choice)
	case ReadingUnset:
		return "undecided"
	case SaidNone, SaidAmbiguous, SaidRefused, Voted, Scored, Graded:
	}
	return r.Kind.String()
}

// AlignmentShare is the alignment within a part of the items. The coefficients are over
// options and "not one option".
type AlignmentShare struct {
	Name       string   // a model or a person
	Path       []string // or a taxonomy path
	Alignment  stat.Rate
	Kappa, AC1 agree.Coefficient
}

// classTally holds compared items by the classes that people and the machine gave.
type classTally struct {
	path  []string
	items agree.Classified
}

func newClassTally(path []string, sequence bool) *classTally {
	return &classTally{path: path, items: agree.Classified{Sequence: sequence}}
}

func (l *classTally) addItem(it *AlignItem, aligned bool, people, machine comparedSide) {
	l.items.AddItem(it.ClusterNumber(), people.className(), machine.className(), aligned)
}

const nothingCompared = "no item has both a consensus and an extracted answer"

func (l *classTally) newShare(name string, soft bool) AlignmentShare {
	out := AlignmentShare{Name: name, Path: slices.Clone(l.path), Alignment: l.items.Agreement(nothingCompared)}
	if !soft {
		out.Kappa, out.AC1 = l.items.Coefficients(stat.Confidence)
	}
	return out
}

// tallyByPart are those of the parts of one kind, by name.
type tallyByPart map[string]*classTally

func (ls tallyByPart) tallyOf(name string, path []string, whole *classTally) *classTally {
	return eval.GetOrAdd(ls, name, func() *classTally { return newClassTally(path, whole.items.Sequence) })
}

// sortedShares are the parts in the order of their names. Those that have a path are called by it.
func (ls tallyByPart) sortedShares(soft bool) []AlignmentShare {
	var out []AlignmentShare
	for _, name := range slices.Sorted(maps.Keys(ls)) {
		l := ls[name]
		if l.path != nil {
			name = ""
		}
		out = append(out, l.newShare(name, soft))
	}
	return out
}
