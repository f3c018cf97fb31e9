package annotate

import (
	"cmp"
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
	Kappa, AC1       agree.Coefficient // over options and "not one option"
	Baseline         stat.Rate         // of a reader that always gives people's most frequent class
	Excluded         map[string]int    // reason -> items
	Models           []Share
	Categories       []Share // every prefix of the taxonomy
	People           []Share // against each person's own labels, not the consensus
	Confusion        []Confusion
	Settled          *Settlement // nil when nobody has settled any of the items
}

// Share is the alignment within a part of the items.
type Share struct {
	Name      string   // a model or a person
	Path      []string // or a taxonomy path
	Alignment stat.Rate
}

// Confusion is how many items people read one way and the machine another:
// an option's letter, or the finer verdict or status.
type Confusion struct {
	People, Machine string
	N               int
}

// Align compares each extractor with people's consensus on the items.
func Align(items []AlignItem, extractors []Extractor, b Basis) []AlignmentRow {
	out := make([]AlignmentRow, len(extractors))
	for i := range extractors {
		out[i] = b.row(items, &extractors[i])
	}
	return out
}

func (b Basis) row(items []AlignItem, x *Extractor) AlignmentRow {
	row := AlignmentRow{Extractor: x.Name, LeftOut: x.LeftOut, Excluded: make(map[string]int)}
	if x.LeftOut != "" {
		row.Alignment = stat.Undefined(x.LeftOut)
		row.Baseline = row.Alignment
		row.Kappa = agree.Coefficient{Undefined: x.LeftOut}
		row.AC1 = row.Kappa
		return row
	}
	t := newTallies()
	for i := range items {
		t.person(&items[i], x)
		c := b.Compare(&items[i], x)
		if c.LeftOut != "" {
			row.Excluded[c.LeftOut]++
			continue
		}
		t.add(&items[i], &c)
	}
	t.fill(&row)
	row.Settled = b.settlement(items, x)
	return row
}

// tallies count the compared items of one extractor.
type tallies struct {
	all        stat.Count
	cases      [CaseTwo + 1]int
	models     map[string]*stat.Count
	people     map[string]*stat.Count
	categories map[string]*category
	confusion  map[[2]string]int
	classes    map[string]int // of people
	pairs      [][2]string
}

type category struct {
	path  []string
	count stat.Count
}

func newTallies() *tallies {
	return &tallies{
		models: make(map[string]*stat.Count), people: make(map[string]*stat.Count),
		categories: make(map[string]*category), confusion: make(map[[2]string]int),
		classes: make(map[string]int),
	}
}

func (t *tallies) add(it *AlignItem, c *Compared) {
	aligned := c.Alignment == Aligned
	t.all.Add(aligned)
	t.cases[c.Alignment]++
	countOf(t.models, it.Model).Add(aligned)
	for i := range it.Taxonomy {
		path := it.Taxonomy[:i+1]
		key := strings.Join(path, "\x00")
		g, ok := t.categories[key]
		if !ok {
			g = &category{path: path}
			t.categories[key] = g
		}
		g.count.Add(aligned)
	}
	t.confusion[[2]string{c.SaidByPeople(), c.SaidByMachine()}]++
	people, machine := sideOf(c.People).class(), sideOfMachine(c.Machine).class()
	t.classes[people]++
	t.pairs = append(t.pairs, [2]string{people, machine})
}

// person counts the extractor against each person who labelled the item.
func (t *tallies) person(it *AlignItem, x *Extractor) {
	if it.Failed {
		return
	}
	machine, ok := x.Read(it.Key.Key)
	if !ok {
		return
	}
	for _, l := range it.Labels {
		if !l.Flagged && !l.Informed && l.Reading.Verdict != Scored {
			countOf(t.people, string(l.Annotator)).Add(align(sideOf(l.Reading), sideOfMachine(machine)) == Aligned)
		}
	}
}

func countOf(m map[string]*stat.Count, name string) *stat.Count {
	c, ok := m[name]
	if !ok {
		c = new(stat.Count)
		m[name] = c
	}
	return c
}

const nothingCompared = "no item has both a consensus and a reading"

func (t *tallies) fill(row *AlignmentRow) {
	row.Alignment = t.all.Rate(nothingCompared)
	row.CaseOne, row.CaseTwo = t.cases[CaseOne], t.cases[CaseTwo]
	row.Kappa = agree.Cohen(t.pairs, stat.Confidence)
	table := make(agree.Table, len(t.pairs))
	for i := range t.pairs {
		table[i] = t.pairs[i][:]
	}
	row.AC1 = agree.Gwet(table, stat.Confidence)
	most := 0
	for _, n := range t.classes {
		most = max(most, n)
	}
	row.Baseline = stat.Count{K: most, N: t.all.N}.Rate(nothingCompared)
	row.Models, row.People = shares(t.models), shares(t.people)
	for _, key := range slices.Sorted(maps.Keys(t.categories)) {
		g := t.categories[key]
		row.Categories = append(row.Categories, Share{Path: slices.Clone(g.path), Alignment: g.count.Rate(nothingCompared)})
	}
	for pair, n := range t.confusion {
		row.Confusion = append(row.Confusion, Confusion{People: pair[0], Machine: pair[1], N: n})
	}
	slices.SortFunc(row.Confusion, func(a, b Confusion) int {
		return cmp.Or(strings.Compare(a.People, b.People), strings.Compare(a.Machine, b.Machine))
	})
}

func shares(m map[string]*stat.Count) []Share {
	var out []Share
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out = append(out, Share{Name: name, Alignment: m[name].Rate(nothingCompared)})
	}
	return out
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
	if r.Verdict == PickedOption {
		return string(r.Choice)
	}
	return r.Verdict.String()
}
