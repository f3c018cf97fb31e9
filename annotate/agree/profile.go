package agree

import (
	"encoding/binary"
	"maps"
	"slices"

	"concord/eval/stat"
)

// profiles is a table as the coefficients of many raters see it: how many gave
// each class to an item, whoever they were. Items of the same profile are one,
// with a weight, so that a table of few classes is small however long it is.
// Items without a rating are left out.
type profiles struct {
	classes []string
	places  []float64
	foul    string // why the classes do not fit the scale

	all    []profile // in an order that follows from what they hold
	weight []int32   // items of each
	items  int
}

type profile struct {
	tally     []tally // classes in their order
	sum       int     // ratings
	same      int     // ordered pairs of ratings that agree
	agreement float64 // their share of all, of two ratings or more
	share     float64 // of one rating
}

type tally struct{ class, n int32 }

// ordered is how many ordered pairs of ratings there are.
func (f *profile) ordered() int { return f.sum * (f.sum - 1) }

func (p *Panel) profiles() *profiles {
	weight := make(map[string]int32)
	var codes []int32
	var key []byte
	for _, item := range p.items {
		codes, key = codes[:0], key[:0]
		for _, g := range item {
			codes = append(codes, g.class)
		}
		slices.Sort(codes)
		for _, class := range codes {
			key = binary.BigEndian.AppendUint32(key, uint32(class))
		}
		if len(key) > 0 {
			weight[string(key)]++
		}
	}
	out := &profiles{classes: p.classes, places: p.places, foul: p.foul}
	for _, k := range slices.Sorted(maps.Keys(weight)) {
		out.all = append(out.all, newProfile(k))
		out.weight = append(out.weight, weight[k])
		out.items += int(weight[k])
	}
	return out
}

func newProfile(key string) profile {
	out := profile{sum: len(key) / 4}
	for b := []byte(key); len(b) > 0; b = b[4:] {
		class := int32(binary.BigEndian.Uint32(b))
		if last := len(out.tally) - 1; last >= 0 && out.tally[last].class == class {
			out.tally[last].n++
		} else {
			out.tally = append(out.tally, tally{class, 1})
		}
	}
	for _, t := range out.tally {
		out.same += int(t.n) * int(t.n-1)
	}
	out.share = 1 / float64(out.sum)
	if out.sum > 1 {
		out.agreement = float64(out.same) / float64(out.ordered())
	}
	return out
}

// paired is how many items have two ratings or more.
func (p *profiles) paired() int {
	n := 0
	for i := range p.all {
		if p.all[i].sum >= 2 {
			n += int(p.weight[i])
		}
	}
	return n
}

// totals is how many ratings are of each class.
func (p *profiles) totals() []int {
	out := make([]int, len(p.classes))
	for i := range p.all {
		for _, t := range p.all[i].tally {
			out[t.class] += int(t.n) * int(p.weight[i])
		}
	}
	return out
}

// percent counts pairs of ratings; those of one item depend on each other, so
// the item is the cluster.
func (p *profiles) percent(sequence bool) stat.Rate {
	c := stat.Clusters{Sequence: sequence}
	for i := range p.all {
		f := &p.all[i]
		c.PutMany(float64(f.same)/2, float64(f.ordered())/2, f.ordered()/2, int(p.weight[i]))
	}
	return c.Rate(lonely)
}

func (p *profiles) majority(sequence bool) stat.Rate {
	classes := make([]stat.Clusters, len(p.classes))
	for class := range classes {
		classes[class].Sequence = sequence
	}
	for i := range p.all {
		f := &p.all[i]
		given := make([]int32, len(classes))
		for _, t := range f.tally {
			given[t.class] = t.n
		}
		for class, n := range given {
			classes[class].PutMany(float64(n), float64(f.sum), f.sum, int(p.weight[i]))
		}
	}
	return stat.Largest(classes, "no ratings")
}

// Reasons for which there is no coefficient.
const (
	nothing   = "no items"
	lonely    = "no item has two ratings"
	oneClass  = "only one class is used"
	apart     = "the raters share no class"
	foreigner = "a rater shares no class with the others"
)

// undetermined is why no chance-corrected coefficient exists, or "".
func (p *profiles) undetermined() string {
	switch {
	case p.foul != "":
		return p.foul
	case p.items == 0:
		return nothing
	case p.paired() == 0:
		return lonely
	case len(p.classes) < 2:
		return oneClass
	}
	return ""
}
