package annotate

import (
	"cmp"
	"slices"
	"strings"

	"concord/annotate/agree"
	"concord/eval"
	"concord/eval/stat"
)

// AlignItem is one item of a queue as alignment looks at it: what people say of it, and where it belongs.
type AlignItem struct {
	Key      ItemKey // about one prediction
	Model    string
	Cluster  uint64 // that its sample is in, with others; 0: it is one of its own
	Taxonomy []string
	Failed   bool    // the call gave no text: there is nothing to read
	Gold     bool    // it was not drawn, but added since its answer is known
	Open     bool    // it may still get a label
	Audited  bool    // it is adjudicated whether anybody differs on it or not (Queue.IsAudited)
	Excluded bool    // a curator decided that it counts in no figure
	Labels   []Label // that stand, one of each annotator, by their names
	Ruling   *Ruling // that settles the item; nil without one
}

// ClusterNumber is the number of what its labels depend on.
func (it *AlignItem) ClusterNumber() uint64 { return cmp.Or(it.Cluster, uint64(it.Key.Sample)) }

// OnlyByAnnotator is the item as if one person alone had labelled it, and no adjudicator ruled; false where
// their label says nothing about a reading: there is none, or the item was excluded.
func (it *AlignItem) OnlyByAnnotator(who Annotator) (AlignItem, bool) {
	i := slices.IndexFunc(it.Labels, func(l Label) bool { return l.Annotator == who })
	if i < 0 || it.Excluded {
		return AlignItem{}, false
	}
	own := *it
	own.Labels, own.Ruling = it.Labels[i:i+1], nil
	return own, true
}

// Extractor is a reader of predictions to be compared with people.
type Extractor struct {
	Name    string // rules:NAME, or the judge's name
	LeftOut string // why it cannot be compared on this queue; "" when it can
	// Read is its reading of an item, and false when it has none. Several goroutines call it at once.
	Read func(eval.Key) (eval.Extraction, bool)
}

// Basis is how people's labels become the side that extractors are compared with. It is part of every figure.
type Basis struct {
	Policy    Policy
	Undecided Undecided
	Growing   bool // items are still enrolled

	crowd *labelerModel // of DawidSkene, once it is Fitted
}

// SavedPolicyName is the policies as saved reports name them.
func (b Basis) SavedPolicyName() string {
	return b.Policy.String() + undecidedMark + b.Undecided.String()
}

const undecidedMark = ", undecided "

// DescribeSavedPolicies describes such a name as people read it.
func DescribeSavedPolicies(name string) string {
	policy, rest, _ := strings.Cut(name, undecidedMark)
	undecided, queues, several := strings.Cut(rest, ", ")
	out := DescribePolicies(policy, undecided)
	if several {
		out += ", " + queues
	}
	return out
}

// DescribePolicies describes two policies, by their names, as people read them.
func DescribePolicies(policy, undecided string) string {
	if policy == Majority.String() {
		policy += " vote"
	}
	return policy + ", no consensus: " + DescribeUndecided(undecided)
}

// DescribeUndecided describes what items without consensus become, by its name, as people read it.
func DescribeUndecided(undecided string) string {
	words := map[string]string{Dropped.String(): "excluded", CountedAsNone.String(): "counted as none", OwnClass.String(): "own class"}
	return cmp.Or(words[undecided], undecided)
}

// isOngoing reports whether labels of the items are still to come: whoever looks
// meanwhile is shown figures that hold at every look.
func (b Basis) isOngoing(items []AlignItem) bool {
	return b.Growing || slices.ContainsFunc(items, func(it AlignItem) bool { return it.Open && !it.Gold && !it.Failed })
}

// Alignment of one item: which of the paper's cases it is (MMBench App. D.1).
type Alignment uint8

// The alignments. The zero value is an item that is left out.
const (
	AlignmentUnset Alignment = iota
	Aligned                  // the same option, or neither side says one option
	CaseOne                  // exactly one side says one option
	CaseTwo                  // two different options
	CaseOpen                 // people came to nothing, which is a class of its own under OwnClass
)

var alignmentNames = []string{"", "aligned", "case_one", "case_two", "no_consensus"}

// String returns the name that reports use.
func (a Alignment) String() string { return eval.EnumName(alignmentNames, a) }

// Reasons for which an item is left out, in the order in which they are
// looked for: an item is counted under the first that holds.
const (
	LeftGold        = "gold"    // not drawn, but added since its answer is known
	LeftFailed      = "failure" // the call gave no text
	LeftUnlabelled  = "no label"
	LeftExcluded    = "excluded"                  // by a curator
	LeftInformed    = "labelled after the reveal" // by everybody who labelled it
	LeftScored      = "scored"                    // people said how right it is, which no extractor reads
	LeftNoConsensus = "no consensus"
	LeftNoReading   = "extractor missing" // it has no reading of the item
)

// ComparedReading is an item beside one extractor's reading of it. People and Machine
// mean nothing when the item is LeftOut.
type ComparedReading struct {
	LeftOut   string // the reason; "" when it is compared
	Alignment Alignment
	People    Reading
	Machine   eval.Extraction
}

// CompareItem sets an item's consensus beside the extractor's reading.
func (b Basis) CompareItem(it *AlignItem, x *Extractor) ComparedReading {
	consensus, reason := b.ResolveItem(it)
	return resolved{consensus, reason}.compareWith(it, x)
}

// resolved is what people make of an item, or why it is left out.
type resolved struct {
	reading Reading
	leftOut string
}

func (b Basis) resolveItems(items []AlignItem) []resolved {
	out := make([]resolved, len(items))
	for i := range items {
		out[i].reading, out[i].leftOut = b.ResolveItem(&items[i])
	}
	return out
}

func (r resolved) compareWith(it *AlignItem, x *Extractor) ComparedReading {
	if r.leftOut != "" {
		return ComparedReading{LeftOut: r.leftOut}
	}
	machine, ok := x.Read(it.Key.Key)
	if !ok {
		return ComparedReading{LeftOut: LeftNoReading}
	}
	return ComparedReading{Alignment: classifyAlignment(newPersonSide(r.reading), newMachineSide(machine)), People: r.reading, Machine: machine}
}

// ResolveItem gives what people make of the item, or why it is left out: under OwnClass a Reading of no kind where they
// came to nothing. A label that was given after the machine's reading was shown says nothing about it.
func (b Basis) ResolveItem(it *AlignItem) (Reading, string) {
	switch {
	case it.Gold:
		return Reading{}, LeftGold
	case it.Failed:
		return Reading{}, LeftFailed
	case it.Excluded:
		return Reading{}, LeftExcluded
	case b.Policy == Adjudicated && it.Ruling != nil:
		if it.Ruling.Reading.Kind == Scored {
			return Reading{}, LeftScored
		}
		return it.Ruling.Reading, "" // also of what nobody labelled
	}
	readings, why := it.blindReadings()
	switch {
	case why != "":
		return Reading{}, why
	case b.Policy == DawidSkene:
		return b.crowd.mostProbableReading(it, readings)
	}
	c, ok := ResolveReadings(readings, b.Policy)
	switch {
	case ok:
		return c.Reading, ""
	case b.Undecided == CountedAsNone:
		return Reading{Kind: SaidAmbiguous}, ""
	case b.Undecided == OwnClass:
		return Reading{}, ""
	}
	return Reading{}, LeftNoConsensus
}

// blindReadings are what people say of the item without having been shown what it is, or why it is left out.
func (it *AlignItem) blindReadings() (out []Reading, why string) {
	if len(it.Labels) == 0 {
		return nil, LeftUnlabelled
	}
	out = eval.FilterMap(it.Labels, func(l Label) (Reading, bool) { return l.Reading, !l.Informed })
	switch {
	case len(out) == 0:
		return nil, LeftInformed
	case slices.ContainsFunc(out, func(r Reading) bool { return r.Kind == Scored }):
		return nil, LeftScored
	}
	return out, ""
}

func classifyAlignment(people, machine comparedSide) Alignment {
	switch {
	case people == machine:
		return Aligned
	case people.open:
		return CaseOpen
	case people.option && machine.option:
		return CaseTwo
	}
	return CaseOne
}

// ReadingChance is how probable it is, by the model, that what people mean by an item is as told, and the same in a
// resample of the items, with how often the item is in it. It is false without a model, and of items that it has not.
func (b Basis) ReadingChance(k ItemKey, is func(Reading) bool) (p float64, again func(resample int) (float64, int32), ok bool) {
	if b.crowd == nil || b.crowd.fit == nil {
		return 0, nil, false
	}
	c := b.crowd
	i, ok := c.at[k]
	if !ok {
		return 0, nil, false
	}
	var classes []int
	for class, s := range c.sides {
		if is(representativeReading(nil, s)) {
			classes = append(classes, class)
		}
	}
	by := func(f *agree.SkeneFit) (sum float64) {
		said := f.ClassChances(c.people.PatternNumber(i))
		for _, class := range classes {
			sum += said[class]
		}
		return sum
	}
	return by(c.fit), func(r int) (float64, int32) {
		return by(c.resamples[r]), stat.NewResample(skeneSeed, r).DrawCount(c.samples[i])
	}, true
}

// RatedItems are the items that an extractor and people read, for the alternative
// annotator test: labels that were given blind, of items that count.
func RatedItems(items []AlignItem, x *Extractor) []agree.RatedItem {
	var out []agree.RatedItem
	for i := range items {
		it := &items[i]
		machine, ok := x.Read(it.Key.Key)
		if !ok || it.Gold || it.Failed || it.Excluded || x.LeftOut != "" {
			continue
		}
		one := agree.RatedItem{Judge: agree.Saying{Class: newMachineSide(machine).className()}, People: make(map[string]agree.Saying)}
		for _, l := range it.Labels {
			if l.Informed || l.Reading.Kind == Scored || l.Reading.Kind == Voted {
				continue
			}
			one.People[string(l.Annotator)] = agree.Saying{Class: newPersonSide(l.Reading).className()}
		}
		out = append(out, one)
	}
	return out
}

// ExtractorComparison is an extractor beside another on the items on which both are
// compared with people. Of Test and Looks First is the row's own extractor.
type ExtractorComparison struct {
	With  string
	Looks stat.PairedLooks // by which of the two is aligned
	Test  agree.McNemarTest
}

// Common is an extractor on the items on which all Extractors are compared: there their rates are of the same items.
type Common struct {
	Extractors []string
	AlignmentShare
}

// alignmentsByItem are what came of comparing one extractor, an Alignment an item;
// unset where it is left out.
type alignmentsByItem []Alignment

func (v alignmentsByItem) compareWith(o alignmentsByItem, items []AlignItem, name string, sequence bool) ExtractorComparison {
	out := ExtractorComparison{With: name, Looks: stat.PairedLooks{Sequence: sequence}}
	for i := range v {
		if v[i] != AlignmentUnset && o[i] != AlignmentUnset {
			out.Looks.AddItem(items[i].ClusterNumber(), v[i] == Aligned, o[i] == Aligned)
		}
	}
	out.Test = agree.RunClusteredMcNemarTest(&out.Looks)
	return out
}

// compareExtractors sets every extractor that has figures next to every other one.
func (b Basis) compareExtractors(items []AlignItem, people []resolved, extractors []Extractor, rows []AlignmentRow, all []alignmentsByItem) {
	var names []string
	var in []int // of extractors that are compared on any item
	for i := range rows {
		if rows[i].Alignment.N > 0 {
			in, names = append(in, i), append(names, rows[i].Extractor)
		}
	}
	if len(in) < 2 {
		return
	}
	var shared []int
	for at := range items {
		if !slices.ContainsFunc(in, func(i int) bool { return all[i][at] == AlignmentUnset }) {
			shared = append(shared, at)
		}
	}
	eval.InParallel(len(in), func(n int) {
		i := in[n]
		row := &rows[i]
		for _, j := range in {
			if i != j {
				row.Besides = append(row.Besides, all[i].compareWith(all[j], items, rows[j].Extractor, b.Growing))
			}
		}
		l := newClassTally(nil, b.Growing)
		for _, at := range shared {
			c := people[at].compareWith(&items[at], &extractors[i])
			l.addItem(&items[at], c.Alignment == Aligned, newPersonSide(c.People), newMachineSide(c.Machine))
		}
		row.Common = &Common{Extractors: names, AlignmentShare: l.newShare("", false)}
	})
}
