package correct

import (
	"cmp"
	"fmt"
	"math"

	"concord/eval/stat"
)

// Options say how a score is corrected.
type Options struct {
	Low, High  float64 // the ends of the scale that values are on
	Confidence float64
	Sequence   bool // labels come in still, in random order: the intervals hold at every look (stat.SequenceConfidence)
	Resamples  int  // that Item.Again knows, each with the model of people's errors fitted anew
}

// Fewest is how many labels a score needs: with fewer, no interval was found that holds and says anything.
const Fewest = 10

// FewDiffer is how many labels should differ from what the machine says: with
// fewer, the interval rests on the pseudo-labels more than on people.
const FewDiffer = 10

// Score is a machine's score, people's and the corrected one, over the same
// items. Judge is over all items, People and Corrected over the labels.
type Score struct {
	Judge     stat.Estimate
	People    stat.Estimate // the labels alone, each stratum by its size
	Corrected stat.Estimate // prediction-powered
	Strata    []Part
	Labels    int
	Differ    int // labels that differ from the machine
	Missing   int // drawn items that stay without a label
	// Asked is the part of Corrected that is of strata with labels, on the scale from 0 to 1, and
	// AskedShare how much of all items they are: what is taken as read does not depend on people.
	Asked, AskedShare float64
	// Bounds hold the score whatever people would have said of missing items: they go from the low end
	// of the interval that the lowest value of all of them gives to the high end of the one that the
	// highest gives. Nil where nothing is missing.
	Bounds *Bounds
	// Gain is how many labels the machine's word was worth: how many more of
	// them people alone would need for the corrected interval.
	Gain Gain

	// Clusters is how many clusters the labelled items are in, where some item shares one; else 0.
	// DesignEffect is how many times the variance that is which items on their own would have.
	Clusters     int
	DesignEffect float64

	// Of labels with weights, Effective is how many without weights would be as good for a mean of anything
	// (Kish 1965), and Alike how many that are drawn alike would give as short an interval; else 0.
	Effective float64
	Alike     int

	options       Options
	strata        []*Stratum
	moments       []moments
	lambda        []float64
	spread        meanSpread // of Corrected
	asRead, known []bool
	times         float64 // the variance of labels by a model is that of exact ones; 0: they are exact
}

// Bounds are where a score is whatever the missing labels would say.
type Bounds struct {
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Interval string  `json:"interval"` // stat.IntervalBounds
}

// Part is what became of one stratum.
type Part struct {
	Name   string   `json:"name"`
	Items  int      `json:"items"`
	Labels int      `json:"labels"`
	Lambda *float64 `json:"lambda"` // how much of the machine's word was taken; nil of a stratum taken as read, and without a score
	AsRead bool     `json:"as_read,omitempty"`
}

// Gain is a number of labels; nil is undefined, with the reason.
type Gain struct {
	Labels    *float64 `json:"labels"`
	Undefined string   `json:"undefined,omitempty"`
}

// ComputeScore computes the stratified prediction-powered score: each stratum's mean by its size, with
// one lambda over all strata (PPI++, Angelopoulos et al. 2023; by strata, Fisch et al. 2024). The
// intervals are of the population that the items are drawn from, as those of a machine's score are, so
// the spread between strata counts too. They are Wilson's at the effective sample size, so that they
// hold near the ends of the scale.
//
// With several strata the variance of the labels is taken by n-1: by n, two
// labels would seem twice as certain as they are.
func ComputeScore(strata []Stratum, o Options) Score {
	out := Score{options: o}
	reason := ""
	for i := range strata {
		s := &strata[i]
		if s.Size() == 0 {
			continue
		}
		out.moments, out.strata = append(out.moments, computeMoments(s)), append(out.strata, s)
		out.asRead, out.known = append(out.asRead, s.AsRead), append(out.known, s.Known)
		out.Strata = append(out.Strata, Part{Name: s.Name, Items: s.Size(), Labels: len(s.Labelled), AsRead: s.AsRead})
		out.Labels += len(s.Labelled)
		out.Missing += len(s.Missing)
		for _, it := range s.Labelled {
			if people := it.People; people != it.Machine && (it.Again == nil || math.Round(people) != it.Machine) {
				out.Differ++
			}
		}
		if len(s.Labelled) < 2 && !s.AsRead && reason == "" {
			reason = whyTooFewLabels(s)
		}
	}
	switch {
	case len(out.moments) == 0:
		return out.undefinedScore("no items")
	case out.Labels == 0:
		reason = "nobody has labelled any of the items"
	}
	out.Judge = out.machineScore()
	if reason != "" {
		return out.undefinedScore(reason)
	}
	weights := out.stratumWeights()
	for i := range out.Strata {
		if !out.asRead[i] {
			out.Strata[i].Lambda = &weights[i]
		}
	}
	corrected := out.modelledMean(weights)
	out.Clusters, out.DesignEffect = out.addClusterVariance(&corrected, weights)
	out.lambda, out.spread = weights, corrected
	out.Corrected = out.toEstimate(corrected)
	out.Asked, out.AskedShare = min(1, max(0, corrected.asked)), corrected.weight
	out.addPeopleScore(corrected)
	out.compareWithUniformDesign()
	if out.Missing > 0 {
		out.Bounds = computeBounds(strata, o)
	}
	return out
}

// computeBounds fills in what is missing, once with each end of the scale.
func computeBounds(strata []Stratum, o Options) *Bounds {
	fill := func(value float64) stat.Estimate {
		all := make([]Stratum, len(strata))
		for i := range strata {
			all[i] = strata[i].withMissingFilled(value)
		}
		return ComputeScore(all, o).Corrected
	}
	return &Bounds{fill(o.Low).Low, fill(o.High).High, stat.IntervalBounds}
}

func whyTooFewLabels(s *Stratum) string {
	name := s.Name
	if name != "" {
		name = " of " + name
	}
	if len(s.Labelled) == 0 {
		return fmt.Sprintf("none of the %d items%s has a label", s.Size(), name)
	}
	return fmt.Sprintf("one label of the %d items%s: it takes two", s.Size(), name)
}

// WithoutCorrection gives the score without people's and the corrected one, for a reason.
func (s Score) WithoutCorrection(reason string) Score {
	s.Bounds = nil
	return s.undefinedScore(reason)
}

func (s Score) undefinedScore(reason string) Score {
	s.People, s.Corrected = stat.NewUndefinedEstimate(reason), stat.NewUndefinedEstimate(reason)
	s.Gain = Gain{Undefined: reason}
	for i := range s.Strata {
		s.Strata[i].Lambda = nil
	}
	if s.Judge.N == 0 {
		s.Judge = stat.NewUndefinedEstimate(reason)
	}
	return s
}

// addPeopleScore adds people's score without the machine, and what the machine adds.
func (s *Score) addPeopleScore(corrected meanSpread) {
	for i := range s.Strata {
		if s.asRead[i] && !s.known[i] {
			reason := "nobody has labelled " + s.Strata[i].Name
			s.People, s.Gain.Undefined = stat.NewUndefinedEstimate(reason), reason
			return
		}
	}
	alone := *s
	people := alone.modelledMean(make([]float64, len(s.moments)))
	s.addClusterVariance(&people, make([]float64, len(s.moments)))
	s.People = s.toEstimate(people)
	if corrected.standardError() < flat {
		s.Gain.Undefined = "the corrected score has no error to compare"
		return
	}
	ratio := people.standardError() / corrected.standardError()
	labels := float64(s.Labels) * (ratio*ratio - 1)
	s.Gain.Labels = &labels
}

// flat is a standard error that is nought but for rounding.
const flat = 1e-9

func (s *Score) stratumWeights() []float64 {
	out := chooseLambdas(s.moments)
	for i, asRead := range s.asRead {
		if asRead {
			out[i] = 1
		}
	}
	return out
}

func (s *Score) populationSize() float64 {
	n := 0.0
	for i := range s.moments {
		n += s.moments[i].size()
	}
	return n
}

// predictionPoweredMean is the mean over all strata with the given lambdas, on the scale from 0 to 1.
func (s *Score) predictionPoweredMean(lambda []float64) meanSpread {
	all, width := s.populationSize(), s.options.High-s.options.Low
	values := make([]float64, len(s.moments))
	var out meanSpread
	for i := range s.moments {
		m, weight := &s.moments[i], s.moments[i].size()/all
		if s.asRead[i] {
			values[i] = m.rest
			out.machine += weight * weight * m.restVar / m.unlabelled
		} else {
			values[i] = m.meanAt(lambda[i])
			out.machine += weight * weight * m.machineVariance(lambda[i])
			out.people += weight * weight * s.labelVariance(m, lambda[i]) / m.labelled
			out.labels += m.labelled
			out.weight += weight
			out.asked += weight * (values[i] - s.options.Low) / width
			out.lambda += weight * lambda[i]
			out.residual += weight * ((m.said - s.options.Low) - lambda[i]*(m.read-s.options.Low)) / width
		}
		out.value += weight * values[i]
	}
	for i := range s.moments {
		out.machine += s.moments[i].size() / all * (values[i] - out.value) * (values[i] - out.value) / all
	}
	out.value = (out.value - s.options.Low) / width
	out.people *= cmp.Or(s.times, 1) / (width * width)
	out.machine /= width * width
	if out.weight > 0 {
		out.lambda /= out.weight
		out.residual /= out.weight
		out.asked /= out.weight
	}
	return out
}

func (s *Score) labelVariance(m *moments, lambda float64) float64 {
	v := m.residualVariance(lambda)
	if s.hasSeveralStrata() {
		v *= m.few
	}
	return v
}

// hasSeveralStrata reports that the labels are of more than one stratum.
func (s *Score) hasSeveralStrata() bool {
	n := 0
	for i := range s.moments {
		if s.moments[i].labelled > 0 && !s.asRead[i] {
			n++
		}
	}
	return n > 1
}

// toEstimate puts a mean on the scale, cut to its ends.
func (s *Score) toEstimate(m meanSpread) stat.Estimate {
	confidence := s.options.Confidence
	if s.options.Sequence {
		confidence = stat.SequenceConfidence(confidence, s.Labels)
	}
	low, high := m.wilsonInterval(confidence)
	scale := func(v float64) float64 { return s.options.Low + v*(s.options.High-s.options.Low) }
	return stat.Estimate{N: s.Labels, Value: scale(min(1, max(0, m.value))), Low: scale(low), High: scale(high), Sequence: s.options.Sequence}
}

// machineScore is the machine's own score over all items.
func (s *Score) machineScore() stat.Estimate {
	all, value, variance := s.populationSize(), 0.0, 0.0
	for i := range s.moments {
		value += s.moments[i].judge * s.moments[i].size() / all
	}
	for i := range s.moments {
		m := &s.moments[i]
		off := m.judge - value
		variance += (m.all*max(0, m.size()-1)/m.size() + off*off) * m.size() / all
	}
	low, high := MeanWithError{value, math.Sqrt(variance / all)}.Interval(s.options.Confidence)
	within := func(v float64) float64 { return min(s.options.High, max(s.options.Low, v)) }
	return stat.Estimate{N: int(all), Value: value, Low: within(low), High: within(high)}
}

// ErringBounds is where the corrected score is if people err in a share of their labels, which the
// score itself takes to be exact. Low is the end of the interval if all errors call right what is not,
// High the other end if all call not right what is, and Even the score if both are as likely.
type ErringBounds struct{ Low, Even, High float64 }

// BoundsIfErring takes labels of the ends of the scale to be wrong in a share of cases below one half:
// Rogan and Gladen's formula (1978) with specificity, with sensitivity and with both less by that share,
// over the strata that people label. Of scores in between, that share is one step off: up, down, or evenly.
func (s *Score) BoundsIfErring(share float64, step float64) ErringBounds {
	width := s.options.High - s.options.Low
	moved := func(v, by float64) float64 {
		return min(s.options.High, max(s.options.Low, v+by*s.AskedShare*width))
	}
	c, p := s.Corrected, s.Asked
	if step > 0 {
		by := share * step / width
		return ErringBounds{moved(c.Low, -by), c.Value, moved(c.High, by)}
	}
	return ErringBounds{
		Low:  moved(c.Low, EstimateRoganGladen(p, 1, 1-share, 0).Value-p),
		Even: moved(c.Value, EstimateRoganGladen(p, 1-share, 1-share, 0).Value-p),
		High: moved(c.High, EstimateRoganGladen(p, 1-share, 1, 0).Value-p),
	}
}
