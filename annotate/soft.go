package annotate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"concord/annotate/agree"
	"concord/eval"
	"concord/eval/stat"
)

// What Dawid and Skene's model takes: with fewer items that several people
// labelled, their errors are hardly told from the items'.
const (
	skenePeople = 3
	skeneItems  = 50
)

// SkeneResamples is how often items are drawn again, each time with the model fitted anew.
const SkeneResamples = 300

const skeneSeed = 1 // of the resamples

// SkeneNote says what the policy does, and what breaks it.
const SkeneNote = SkeneModel +
	"Cases, confusions, tests and items in common go by each item's most probable class."

// SkeneModel says what the model is, wherever it is used.
const SkeneModel = "Consensus by Dawid and Skene's model of people's errors: each item counts by how probable its classes are, and intervals are from resamples of items (300), with the model fitted anew in each. " +
	"Items that are hard for everybody break it: there people err alike, which passes for what is right, and the result seems surer than it is. "

// labelerModel is the model of the people who labelled the items of a queue.
type labelerModel struct {
	reason    string // why there is none; "" when there is
	at        map[ItemKey]int
	sides     []comparedSide
	who       []Annotator
	samples   []uint64 // of each item, which are drawn together
	people    *agree.SkeneItems
	fit       *agree.SkeneFit
	resamples []*agree.SkeneFit
}

// FitModel gives the basis with the model that the policy asks for, of the labels of
// all items of a queue; itself under policies that settle each item alone.
// Progress is told how many resamples are fitted; nil: nobody asks.
func (b Basis) FitModel(ctx context.Context, items []AlignItem, progress func(done, total int)) (Basis, error) {
	if b.Policy != DawidSkene {
		return b, nil
	}
	c := &labelerModel{at: make(map[ItemKey]int)}
	b.crowd = c
	var words [][]agree.RaterWord
	several := 0
	for i := range items {
		it := &items[i]
		readings, why := it.blindReadings()
		if why != "" || it.Gold || it.Failed || it.Excluded {
			continue
		}
		c.at[it.Key] = len(words)
		c.samples = append(c.samples, it.ClusterNumber())
		words = append(words, c.itemWords(it))
		if len(readings) >= skenePeople {
			several++
		}
	}
	if several < skeneItems {
		c.reason = fmt.Sprintf("dawid-skene takes %d items that %d people or more have labelled, and there are %d", skeneItems, skenePeople, several)
		return b, nil
	}
	c.people = agree.NewSkeneItems(words, len(c.who), len(c.sides))
	c.fit = c.people.FitModel()
	var err error
	c.resamples, err = c.fit.RefitResamples(ctx, agree.Bootstrap{Seed: skeneSeed, Times: SkeneResamples, Progress: progress}, c.samples)
	return b, eval.WrapError(err, "fit the model of people's errors")
}

// itemWords are the labels of an item by the numbers of people and sides.
func (c *labelerModel) itemWords(it *AlignItem) []agree.RaterWord {
	var out []agree.RaterWord
	for _, l := range it.Labels {
		if l.Informed {
			continue
		}
		var w agree.RaterWord
		c.who, w.Rater = indexOrAppend(c.who, l.Annotator)
		c.sides, w.Class = indexOrAppend(c.sides, newPersonSide(l.Reading))
		out = append(out, w)
	}
	return out
}

func indexOrAppend[T comparable](all []T, v T) ([]T, int) {
	if i := slices.Index(all, v); i >= 0 {
		return all, i
	}
	return append(all, v), len(all)
}

func (c *labelerModel) mostProbableReading(it *AlignItem, readings []Reading) (Reading, string) {
	if c == nil || c.reason != "" {
		return Reading{}, LeftNoConsensus
	}
	i, ok := c.at[it.Key]
	if !ok {
		return Reading{}, LeftNoConsensus
	}
	best, p := 0, c.fit.ClassChances(c.people.PatternNumber(i))
	for k := range p {
		if p[k] > p[best] {
			best = k
		}
	}
	return representativeReading(readings, c.sides[best]), ""
}

// WhyNoModel is why there is no model of people's errors; "" where there is one, or none is asked for.
func (b Basis) WhyNoModel() string {
	if b.crowd == nil {
		return ""
	}
	return b.crowd.reason
}

// DescribeErrors tells how often each person errs by the model, in words.
func (b Basis) DescribeErrors() string {
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

// The figures of a lot.
const (
	softAligned = iota
	softKappa
	softAC1
	softBaseline
	softFigures
)

// computeFigures computes those under a model, of kinds that count n; NaN where one is
// undefined. How probable an item's classes are after what people say is not yet what the
// machine is to be held to: where people differ, a machine that is right would count as wrong
// in part. So the machine's own confusion is found, too, by the same kind of steps with the
// people's model as it is, and each item's chances take up its word.
func (l *softTally) computeFigures(f *agree.SkeneFit, n []float64) (out [softFigures]float64) {
	classes, all := len(f.Prior), 0.0
	before, chances := make([][]float64, len(l.kinds)), make([]float64, classes*len(l.kinds))
	for k, kind := range l.kinds {
		before[k] = f.ClassChances(kind.pattern)
		copy(chances[k*classes:], before[k])
		all += n[k]
	}
	confusion := make([]float64, classes*(classes+1))
	for range 100 {
		last := out[softAligned]
		out[softAligned] = l.stepEM(before, n, chances, confusion) / all
		if math.Abs(last-out[softAligned]) < 1e-6 {
			break
		}
	}
	people, machine := make([]float64, classes+1), make([]float64, classes+1)
	for k, kind := range l.kinds {
		for class, p := range chances[k*classes : (k+1)*classes] {
			people[class] += n[k] / all * p
		}
		machine[kind.machine] += n[k] / all
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

// stepEM finds the machine's confusion from the chances of the kinds' classes, and
// these from it, and gives how many items the machine reads as they are.
func (l *softTally) stepEM(before [][]float64, n, chances, confusion []float64) (same float64) {
	classes := len(before[0])
	clear(confusion)
	of := make([]float64, classes)
	for k, kind := range l.kinds {
		for class, p := range chances[k*classes : (k+1)*classes] {
			confusion[kind.machine*classes+class] += n[k] * p
			of[class] += n[k] * p
		}
	}
	for k, kind := range l.kinds {
		sum, p := 0.0, chances[k*classes:(k+1)*classes]
		said := confusion[kind.machine*classes:]
		for class, b := range before[k] {
			p[class] = eval.Either(of[class] > 0, b*said[class]/of[class], 0)
			sum += p[class]
		}
		for class := range p {
			if sum > 0 {
				p[class] /= sum
			}
		}
		if kind.machine < classes {
			same += n[k] * p[kind.machine]
		}
	}
	return same
}

// computeShare computes the alignment of a lot. A rate's interval is Wilson's at the size that has the
// variance of the resamples, and never that of more samples than there are; coefficients have percentiles.
func (s *softItems) computeShare(l *softTally, sequence bool) (out AlignmentShare, baseline stat.Rate) {
	if l == nil {
		return AlignmentShare{Alignment: stat.UndefinedRate(nothingCompared)}, stat.UndefinedRate(nothingCompared)
	}
	value := l.computeFigures(s.crowd.fit, l.countKinds(s.size))
	var drawn [softFigures][]float64
	for _, figures := range l.drawn {
		for k, v := range figures {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				drawn[k] = append(drawn[k], v)
			}
		}
	}
	rate := func(k int) stat.Rate {
		v, level := value[k], stat.Confidence
		if sequence {
			level = stat.SequenceConfidence(level, len(l.samples))
		}
		n := float64(len(l.samples))
		p, size := (n*v+1)/(n+2), n
		if s := agree.StandardDeviation(drawn[k], stat.Confidence).Value; s > 0 {
			size = min(n, p*(1-p)/(s*s))
		}
		low, high := stat.WilsonIntervalAt(v, size, stat.NormalQuantile(level))
		return stat.Rate{K: int(math.Round(v * float64(l.n))), N: l.n, Value: v, Low: low, High: high, Sequence: sequence}
	}
	coefficient := func(k int) agree.Coefficient {
		out := agree.Coefficient{Value: value[k], N: l.n}
		switch {
		case math.IsNaN(out.Value) || math.IsInf(out.Value, 0):
			return agree.Coefficient{N: l.n, Undefined: "only one class is used"}
		case sequence:
			return out.WithoutInterval()
		}
		return agree.Bootstrap{Times: SkeneResamples}.SetPercentileInterval(out, drawn[k], stat.PercentileTail(len(l.samples), stat.Confidence))
	}
	return AlignmentShare{Alignment: rate(softAligned), Kappa: coefficient(softKappa), AC1: coefficient(softAC1)}, rate(softBaseline)
}

// replaceBySoftFigures puts the soft figures in the place of those by the most probable class.
func (b Basis) replaceBySoftFigures(ctx context.Context, items []AlignItem, x *Extractor, came alignmentsByItem, row *AlignmentRow) error {
	if b.crowd == nil || row.Alignment.N == 0 {
		return nil
	}
	s := &softItems{crowd: b.crowd, cells: make(map[softCell]int32), lots: make(map[string]*softTally)}
	for i := range items {
		if came[i] != AlignmentUnset {
			machine, _ := x.Read(items[i].Key.Key)
			s.addItem(&items[i], newMachineSide(machine))
		}
	}
	if err := s.drawResamples(ctx); err != nil {
		return err
	}
	into := func(out *AlignmentShare, key string) stat.Rate {
		got, baseline := s.computeShare(s.lots[key], b.Growing)
		out.Alignment, out.Kappa, out.AC1 = got.Alignment, got.Kappa, got.AC1
		return baseline
	}
	var all AlignmentShare
	row.Baseline = into(&all, "")
	row.Alignment, row.Kappa, row.AC1 = all.Alignment, all.Kappa, all.AC1
	for i := range row.Models {
		into(&row.Models[i], modelKey(row.Models[i].Name))
	}
	for i := range row.Categories {
		into(&row.Categories[i], categoryKey(row.Categories[i].Path))
	}
	return nil
}

// leaveOutWithoutModel leaves all extractors out where there is no model.
func (b Basis) leaveOutWithoutModel(extractors []Extractor) []Extractor {
	if b.crowd == nil || b.crowd.reason == "" {
		return extractors
	}
	out := slices.Clone(extractors)
	for i := range out {
		out[i].LeftOut = cmp.Or(out[i].LeftOut, b.crowd.reason)
	}
	return out
}
