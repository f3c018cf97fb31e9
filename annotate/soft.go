package annotate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"concord/annotate/agree"
	"concord/eval/stat"
)

// What Dawid and Skene's model takes: with fewer items that several people
// labelled, their errors are hardly told from the items'.
const (
	skenePeople = 3
	skeneItems  = 50
)

// SkeneResamples is how often items are drawn again, each time with the model
// fitted anew.
const SkeneResamples = 300

// SkeneNote says what the policy does, and what breaks it.
const SkeneNote = SkeneModel +
	"Cases, confusions, tests and items in common go by each item's most probable class."

// SkeneModel says what the model is, wherever it is used.
const SkeneModel = "Consensus by Dawid and Skene's model of people's errors: each item counts by how probable its classes are, and intervals are from resamples of items (300), with the model fitted anew in each. " +
	"Items that are hard for everybody break it: there people err alike, which passes for what is right, and the result seems surer than it is. "

// crowd is the model of the people who labelled the items of a queue.
type crowd struct {
	reason    string // why there is none; "" when there is
	at        map[ItemKey]int
	sides     []side
	who       []Annotator
	samples   [][]int // items by their sample
	fit       *agree.Fit
	resamples []resample
}

// resample is one draw of the items, and the model of it.
type resample struct {
	weight []int32
	fit    *agree.Fit
}

// Fitted is the basis with the model that the policy asks for, of the labels of
// all items of a queue; itself under policies that settle each item alone.
func (b Basis) Fitted(items []AlignItem) Basis {
	if b.Policy != DawidSkene {
		return b
	}
	c := &crowd{at: make(map[ItemKey]int)}
	b.crowd = c
	var words [][]agree.Word
	bySample := make(map[uint64]int)
	several := 0
	for i := range items {
		it := &items[i]
		readings, why := it.readings()
		if why != "" || it.Gold || it.Failed || it.Excluded {
			continue
		}
		c.at[it.Key] = len(words)
		at, seen := bySample[it.cluster()]
		if !seen {
			at = len(c.samples)
			bySample[it.cluster()], c.samples = at, append(c.samples, nil)
		}
		c.samples[at] = append(c.samples[at], len(words))
		words = append(words, c.words(it))
		if len(readings) >= skenePeople {
			several++
		}
	}
	if several < skeneItems {
		c.reason = fmt.Sprintf("dawid-skene takes %d items that %d people or more have labelled, and there are %d", skeneItems, skenePeople, several)
		return b
	}
	c.fit = agree.NewCrowd(words, len(c.who), len(c.sides)).Fit()
	for drawn := range (stat.Resampling{Times: SkeneResamples, Seed: 1}).Draws(len(c.samples)) {
		r := resample{weight: make([]int32, len(words))}
		for s, times := range drawn {
			for _, i := range c.samples[s] {
				r.weight[i] = times
			}
		}
		r.fit = c.fit.Refit(r.weight)
		c.resamples = append(c.resamples, r)
	}
	return b
}

// words are the labels of an item by the numbers of people and sides.
func (c *crowd) words(it *AlignItem) []agree.Word {
	var out []agree.Word
	for _, l := range it.Labels {
		if l.Informed {
			continue
		}
		var w agree.Word
		c.who, w.Rater = place(c.who, l.Annotator)
		c.sides, w.Class = place(c.sides, sideOf(l.Reading))
		out = append(out, w)
	}
	return out
}

func place[T comparable](all []T, v T) ([]T, int) {
	if i := slices.Index(all, v); i >= 0 {
		return all, i
	}
	return append(all, v), len(all)
}

// settle is the most probable side of an item.
func (c *crowd) settle(it *AlignItem, readings []Reading) (Reading, string) {
	if c == nil || c.reason != "" {
		return Reading{}, LeftNoConsensus
	}
	i, ok := c.at[it.Key]
	if !ok {
		return Reading{}, LeftNoConsensus
	}
	best, p := 0, c.fit.Of(i)
	for k := range p {
		if p[k] > p[best] {
			best = k
		}
	}
	return finest(readings, c.sides[best]), ""
}

// NoModel is why there is no model of people's errors; "" where there is one, or
// none is asked for.
func (b Basis) NoModel() string {
	if b.crowd == nil {
		return ""
	}
	return b.crowd.reason
}

// Erring tells how often each person errs by the model, in words.
func (b Basis) Erring() string {
	if b.crowd == nil || b.crowd.fit == nil {
		return ""
	}
	var out []string
	for r, who := range b.crowd.who {
		wrong := 0.0
		for k, p := range b.crowd.fit.Prior {
			wrong += p * (1 - b.crowd.fit.Confusion[r][k][k])
		}
		out = append(out, fmt.Sprintf("%s %.1f %%", who, 100*wrong))
	}
	slices.Sort(out)
	return "Labels that are wrong by the model: " + strings.Join(out, ", ") + "."
}

// softLot are compared items of which people's side is known by chances.
type softLot struct {
	items, machine []int // by their numbers in the crowd, and the machine's class
	samples        map[uint64]bool
}

func (l *softLot) add(c *crowd, it *AlignItem, machine side) {
	at, ok := c.at[it.Key]
	if !ok {
		return
	}
	class := slices.Index(c.sides, machine)
	if class < 0 {
		class = len(c.sides) // that nobody said
	}
	l.items, l.machine = append(l.items, at), append(l.machine, class)
	if l.samples == nil {
		l.samples = make(map[uint64]bool)
	}
	l.samples[it.cluster()] = true
}

// The figures of a lot.
const (
	softAligned = iota
	softKappa
	softAC1
	softBaseline
	softFigures
)

// figures are those under a model; NaN where one is undefined. How probable an
// item's classes are after what people say is not yet what the machine is to be
// held to: where people differ, a machine that is right would count as wrong in
// part. So the machine's own confusion is found, too, by the same kind of steps
// with the people's model as it is, and each item's chances take up its word.
func (l *softLot) figures(f *agree.Fit, weight []int32) (out [softFigures]float64) {
	classes := len(f.Prior)
	chances := make([]float64, classes*len(l.items))
	n := 0.0
	for k, i := range l.items {
		copy(chances[k*classes:], f.Of(i))
		n += weighed(weight, i)
	}
	confusion := make([]float64, classes*(classes+1))
	for range 100 {
		before := out[softAligned]
		out[softAligned] = l.step(f, weight, chances, confusion) / n
		if math.Abs(before-out[softAligned]) < 1e-6 {
			break
		}
	}
	people, machine := make([]float64, classes+1), make([]float64, classes+1)
	for k, i := range l.items {
		w := weighed(weight, i) / n
		for class, p := range chances[k*classes : (k+1)*classes] {
			people[class] += w * p
		}
		machine[l.machine[k]] += w
	}
	product, guess, used := 0.0, 0.0, 0.0
	for k, a := range people {
		b := machine[k]
		product += a * b
		guess += (a + b) / 2 * (1 - (a+b)/2)
		out[softBaseline] = max(out[softBaseline], a)
		if a+b > 0 {
			used++
		}
	}
	guess /= used - 1
	same := out[softAligned]
	out[softKappa], out[softAC1] = (same-product)/(1-product), (same-guess)/(1-guess)
	return out
}

func weighed(weight []int32, i int) float64 {
	if weight == nil {
		return 1
	}
	return float64(weight[i])
}

// step finds the machine's confusion from the chances of the items' classes, and
// these from it, and gives how many items the machine reads as they are.
func (l *softLot) step(f *agree.Fit, weight []int32, chances, confusion []float64) (same float64) {
	classes := len(f.Prior)
	clear(confusion)
	of := make([]float64, classes)
	for k, i := range l.items {
		w := weighed(weight, i)
		for class, p := range chances[k*classes : (k+1)*classes] {
			confusion[l.machine[k]*classes+class] += w * p
			of[class] += w * p
		}
	}
	for k, i := range l.items {
		sum, p := 0.0, chances[k*classes:(k+1)*classes]
		said := confusion[l.machine[k]*classes:]
		for class, before := range f.Of(i) {
			p[class] = 0
			if of[class] > 0 {
				p[class] = before * said[class] / of[class]
			}
			sum += p[class]
		}
		for class := range p {
			if sum > 0 {
				p[class] /= sum
			}
		}
		if l.machine[k] < classes {
			same += weighed(weight, i) * p[l.machine[k]]
		}
	}
	return same
}

// share is the alignment of the lot. A rate's interval is Wilson's at the size
// that has the variance of the resamples, and never that of more samples than
// there are; coefficients have percentiles.
func (l *softLot) share(c *crowd, sequence bool) (out Share, baseline stat.Rate) {
	value := l.figures(c.fit, nil)
	var drawn [softFigures][]float64
	for _, r := range c.resamples {
		for k, v := range l.figures(r.fit, r.weight) {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				drawn[k] = append(drawn[k], v)
			}
		}
	}
	rate := func(k int) stat.Rate {
		v, level := value[k], stat.Confidence
		if sequence {
			level = stat.Throughout(level, len(l.samples))
		}
		n := float64(len(l.samples))
		p, size := (n*v+1)/(n+2), n
		if s := deviation(drawn[k]); s > 0 {
			size = min(n, p*(1-p)/(s*s))
		}
		low, high := stat.WilsonAt(v, size, stat.Normal(level))
		return stat.Rate{K: int(math.Round(v * float64(len(l.items)))), N: len(l.items), Value: v, Low: low, High: high, Sequence: sequence}
	}
	coefficient := func(k int) agree.Coefficient {
		out := agree.Coefficient{Value: value[k], N: len(l.items)}
		switch {
		case math.IsNaN(out.Value) || math.IsInf(out.Value, 0):
			return agree.Coefficient{N: len(l.items), Undefined: "only one class is used"}
		case sequence:
			return out.Ongoing()
		case len(drawn[k])*100 < 98*SkeneResamples:
			return out
		}
		e := stat.Estimate{N: 1, Value: out.Value}.Percentiles(drawn[k])
		out.Low, out.High, out.Interval = e.Low, e.High, true
		return out
	}
	return Share{Alignment: rate(softAligned), Kappa: coefficient(softKappa), AC1: coefficient(softAC1)}, rate(softBaseline)
}

func deviation(v []float64) float64 {
	if len(v) < 2 {
		return 0
	}
	mean, squares := 0.0, 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		squares += (x - mean) * (x - mean)
	}
	return math.Sqrt(squares / float64(len(v)-1))
}

// soften puts the soft figures in the place of those by the most probable class.
func (b Basis) soften(items []AlignItem, x *Extractor, row *AlignmentRow) {
	if b.crowd == nil || row.Alignment.N == 0 {
		return
	}
	fill := func(takes func(*AlignItem) bool) (Share, stat.Rate) {
		var l softLot
		for i := range items {
			if c := b.Compare(&items[i], x); c.LeftOut == "" && takes(&items[i]) {
				l.add(b.crowd, &items[i], sideOfMachine(c.Machine))
			}
		}
		return l.share(b.crowd, b.Growing)
	}
	into := func(s *Share, takes func(*AlignItem) bool) {
		got, _ := fill(takes)
		s.Alignment, s.Kappa, s.AC1 = got.Alignment, got.Kappa, got.AC1
	}
	all, baseline := fill(func(*AlignItem) bool { return true })
	row.Alignment, row.Kappa, row.AC1, row.Baseline = all.Alignment, all.Kappa, all.AC1, baseline
	for i := range row.Models {
		into(&row.Models[i], func(it *AlignItem) bool { return it.Model == row.Models[i].Name })
	}
	for i := range row.Categories {
		path := row.Categories[i].Path
		into(&row.Categories[i], func(it *AlignItem) bool {
			return len(it.Taxonomy) >= len(path) && slices.Equal(it.Taxonomy[:len(path)], path)
		})
	}
}

// refused leaves all extractors out where there is no model.
func (b Basis) refused(extractors []Extractor) []Extractor {
	if b.crowd == nil || b.crowd.reason == "" {
		return extractors
	}
	out := slices.Clone(extractors)
	for i := range out {
		if out[i].LeftOut == "" {
			out[i].LeftOut = b.crowd.reason
		}
	}
	return out
}
