package agree

import (
	"encoding/binary"
	"maps"
	"slices"

	"concord/eval/stat"
)

// ratingProfiles is a table as the coefficients of many raters see it: how many gave each class to an
// item, whoever they were. Items of the same profile are one, with a weight, so that a table of few
// classes is small however long it is. Items without a rating are left out.
type ratingProfiles struct {
	classes []string
	places  []float64
	foul    string // why the classes do not fit the scale

	all    []profile // in an order that follows from what they hold
	weight []int32   // items of each
	items  int

	clusters [][]int32 // the profiles of each cluster's items; nil: each item stands alone
}

// warnFewDiffering is the warning where few items have ratings that differ, or few would be
// of another class than the most frequent.
func (p *ratingProfiles) warnFewDiffering() string {
	differ, ratings, counts := 0, 0, p.countByClass()
	for i, n := range p.weight {
		if len(p.all[i].tally) > 1 {
			differ += int(n)
		}
	}
	for _, n := range counts {
		ratings += n
	}
	others := (ratings - slices.Max(counts)) * p.items / max(1, ratings)
	return stat.WarnFewUnits(stat.FewClusters, min(differ, others))
}

// countUnits counts how many units resamples draw: clusters, or items.
func (p *ratingProfiles) countUnits() int {
	if p.clusters != nil {
		return len(p.clusters)
	}
	return p.items
}

// walkUnits adds up the profiles by cluster; alike puts so many items that stand alone.
func (p *ratingProfiles) walkUnits(add func(*profile), closed func(), alike func(items int)) {
	for _, of := range p.clusters {
		for _, i := range of {
			add(&p.all[i])
		}
		closed()
	}
	for i := range p.all {
		if p.clusters == nil {
			add(&p.all[i])
			alike(int(p.weight[i]))
		}
	}
}

type profile struct {
	tally     []tally // classes in their order
	sum       int     // ratings
	same      int     // ordered pairs of ratings that agree
	agreement float64 // their share of all, of two ratings or more
	share     float64 // of one rating
}

type tally struct{ class, n int32 }

// countOrderedPairs is how many ordered pairs of ratings there are.
func (f *profile) countOrderedPairs() int { return f.sum * (f.sum - 1) }

func (p *Panel) newProfiles() *ratingProfiles {
	weight, shared := make(map[string]int32), make(map[uint64][]string) // by cluster
	var codes []int32
	var key []byte
	for i, item := range p.items {
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
			if p.Clusters != nil {
				shared[p.Clusters[i]] = append(shared[p.Clusters[i]], string(key))
			}
		}
	}
	out := &ratingProfiles{classes: p.classes, places: p.places, foul: p.foul}
	at := make(map[string]int32)
	for _, k := range slices.Sorted(maps.Keys(weight)) {
		at[k] = int32(len(out.all))
		out.all = append(out.all, newProfile(k))
		out.weight = append(out.weight, weight[k])
		out.items += int(weight[k])
	}
	for _, c := range slices.Sorted(maps.Keys(shared)) {
		var of []int32
		for _, k := range shared[c] {
			of = append(of, at[k])
		}
		if len(shared) < out.items {
			out.clusters = append(out.clusters, of)
		}
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
		out.agreement = float64(out.same) / float64(out.countOrderedPairs())
	}
	return out
}

// countPairedItems counts how many items have two ratings or more.
func (p *ratingProfiles) countPairedItems() int {
	n := 0
	for i := range p.all {
		if p.all[i].sum >= 2 {
			n += int(p.weight[i])
		}
	}
	return n
}

func (p *ratingProfiles) countByClass() []int {
	out := make([]int, len(p.classes))
	for i := range p.all {
		for _, t := range p.all[i].tally {
			out[t.class] += int(t.n) * int(p.weight[i])
		}
	}
	return out
}

// percentAgreement counts pairs of ratings; those of one item depend on each other, so the item is the cluster.
func (p *ratingProfiles) percentAgreement(sequence bool) stat.Rate {
	c := stat.Clusters{Sequence: sequence}
	p.walkUnits(func(f *profile) {
		c.AddUnits(float64(f.same)/2, float64(f.countOrderedPairs())/2, f.countOrderedPairs()/2)
	}, c.CloseCluster, c.CloseAsMany)
	return c.Rate(lonely)
}

// majorityRate is the share of the most frequent class.
func (p *ratingProfiles) majorityRate(sequence bool) stat.Rate {
	classes := stat.Classes[int32]{Sequence: sequence}
	p.walkUnits(func(f *profile) {
		for _, t := range f.tally {
			for range t.n {
				classes.AddUnit(t.class)
			}
		}
	}, classes.CloseCluster, classes.CloseAsMany)
	return stat.MostFrequentRate("no ratings", &classes)
}

// Reasons for which there is no coefficient.
const (
	nothing   = "no items"
	lonely    = "no item has two ratings"
	oneClass  = "only one class is used"
	apart     = "the raters share no class"
	foreigner = "a rater shares no class with the others"
)

// whyUndetermined is why no chance-corrected coefficient exists, or "".
func (p *ratingProfiles) whyUndetermined() string {
	switch {
	case p.foul != "":
		return p.foul
	case p.items == 0:
		return nothing
	case p.countPairedItems() == 0:
		return lonely
	case len(p.classes) < 2:
		return oneClass
	}
	return ""
}

// agreementWithRest is how often one rater gives the class that is the most frequent among all other raters of the
// item, where classes tie as often as a fair draw would. It is the mean over the items, each of the same weight
// (AlpacaEval's agreement of annotators: Dubois et al. 2023, Sec. 3.1, one against the majority of the other three).
func (p *ratingProfiles) agreementWithRest() Coefficient {
	var units stat.Clusters
	last := 0.0
	p.walkUnits(func(f *profile) {
		if f.sum < 2 {
			return
		}
		share, rest := 0.0, make([]int, len(f.tally))
		for j, own := range f.tally {
			rest = rest[:0]
			rest = append(rest, int(own.n)-1)
			for k, t := range f.tally {
				if k != j {
					rest = append(rest, int(t.n))
				}
			}
			share += float64(own.n) * f.share * shareOfFirstAmongModes(rest)
		}
		units.AddUnit(share, 1)
		last = share
	}, units.CloseCluster, units.CloseAsMany)
	switch p.countPairedItems() {
	case 0:
		return undefinedResult(0, lonely)
	case 1:
		return Coefficient{Value: last, N: 1}
	}
	e := units.MeanOnScale(0, 1, lonely)
	return Coefficient{Value: e.Value, Low: e.Low, High: e.High, Interval: true, N: e.N}
}

// shareOfFirstAmongModes is 1 where the first class is more frequent than any other, its
// share of the tie where it is not alone, and 0 where another is ahead.
func shareOfFirstAmongModes(count []int) float64 {
	same := 1
	for _, n := range count[1:] {
		switch {
		case n > count[0]:
			return 0
		case n == count[0]:
			same++
		}
	}
	return 1 / float64(same)
}

// weightedProfiles is what the weighted coefficients of many raters take of each profile. Two ratings
// agree by 1 less the square of their distance as a share of the largest one, as in the quadratic
// kappa: of ranks on the ordinal scale, of numbers above it.
type weightedProfiles struct {
	mean, squares []float64 // of the places of the profile's ratings
	apart         []float64 // mean squared distance of two of them
	reach         float64   // the largest squared distance
	guess         float64   // by which AC2 takes chance: sum of all weights over q (q-1)
}

// newWeightedProfiles prepares the weighted coefficients; nil where classes have no distance.
func (p *ratingProfiles) newWeightedProfiles() *weightedProfiles {
	q := float64(len(p.classes))
	if p.foul != "" || q < 2 {
		return nil
	}
	at := func(class int32) float64 { return p.places[class] - p.places[0] } // so that large numbers cancel nothing
	last := at(int32(len(p.classes) - 1))
	out := &weightedProfiles{reach: square(last)}
	if out.reach == 0 {
		return nil // the nominal scale
	}
	sum, squares := 0.0, 0.0
	for k := range p.classes {
		sum, squares = sum+at(int32(k)), squares+square(at(int32(k)))
	}
	out.guess = (q*q - 2*(q*squares-sum*sum)/out.reach) / (q * (q - 1))
	for i := range p.all {
		f := &p.all[i]
		n, sum, squares := float64(f.sum), 0.0, 0.0
		for _, t := range f.tally {
			sum += float64(t.n) * at(t.class)
			squares += float64(t.n) * square(at(t.class))
		}
		out.mean, out.squares = append(out.mean, sum/n), append(out.squares, squares/n)
		out.apart = append(out.apart, 2*(n*squares-sum*sum)/max(1, n*(n-1)))
	}
	return out
}

// weightedFleissGwet are Fleiss' kappa and Gwet's coefficient with weights, AC2 (Gwet, "Handbook of Inter-Rater
// Reliability", 4th ed. 2014, ch. 3), over weights of the profiles for which the estimator was weighed.
func (e *estimator) weightedFleissGwet(o *weightedProfiles, weight []int32) (fleiss, gwet chanceCorrected) {
	mean, squares, apart := 0.0, 0.0, 0.0
	for i, n := range weight {
		w := float64(n)
		mean, squares = mean+w*o.mean[i], squares+w*o.squares[i]
		if e.all[i].sum > 1 {
			apart += w * o.apart[i]
		}
	}
	n := float64(e.items)
	observed := 1 - apart/float64(e.paired)/o.reach
	alike := 1 - 2*(squares/n-square(mean/n))/o.reach
	return chanceCorrected{observed, alike}, chanceCorrected{observed, o.guess * (1 - e.fleissKappa().expected)}
}

// weightedCoefficients are the weighted coefficients of the table, AC2 with the interval
// of its standard error; nil on the nominal scale.
func (p *ratingProfiles) weightedCoefficients(s Scale, confidence float64) (fleiss, gwet *Coefficient) {
	if s.isNominal() {
		return nil, nil
	}
	order := p.newWeightedProfiles()
	kappa := p.estimateCoefficient(s, p.items, func(e *estimator, weight []int32) chanceCorrected {
		c, _ := e.weightedFleissGwet(order, weight)
		return c
	})
	ac2 := p.gwetCoefficient(order, confidence)
	return &kappa, &ac2
}
