package correct

import (
	"fmt"
	"math"

	"concord/eval/stat"
)

// Options say how a score is corrected.
type Options struct {
	Low, High  float64 // the ends of the scale that values are on
	Confidence float64
}

// Few is how many labels an interval needs to be trusted: below, it covers the
// truth less often than it says (0.91 to 0.95 at 30 labels).
const Few = 50

// Score is a machine's score, people's and the corrected one, over the same
// items. Judge is over all items, People and Corrected over the labels.
type Score struct {
	Judge     stat.Estimate
	People    stat.Estimate // the labels alone, each stratum by its size
	Corrected stat.Estimate // prediction-powered
	Strata    []Part
	Labels    int
	// Gain is how many labels the machine's word was worth: how many more of
	// them people alone would need for the corrected interval.
	Gain Gain

	options Options
	moments []moments
	asRead  []bool
	known   []bool
}

// Part is what became of one stratum.
type Part struct {
	Name   string
	Items  int
	Labels int
	Lambda float64 // how much of the machine's word was taken; 1 of a stratum taken as read
	AsRead bool
}

// Gain is a number of labels; it is undefined with the reason.
type Gain struct {
	Labels    float64
	Undefined string
}

// Correct is the stratified prediction-powered score: each stratum's mean by
// its size, with a lambda of its own where it has 20 labels or more and one for
// the others together (PPI++, Angelopoulos et al. 2023; by strata, Fisch et al.
// 2024). The intervals are of the population that the items are drawn from, as
// those of a machine's score are, so the spread between strata counts too.
//
// With several strata the variance of the labels is taken by n-1: by n, two
// labels would seem twice as certain as they are. Where all of a stratum's
// labels say the same, Wilson's interval stands for a variance of nought.
func Correct(strata []Stratum, o Options) Score {
	out := Score{options: o}
	reason := ""
	for i := range strata {
		s := &strata[i]
		if s.Size() == 0 {
			continue
		}
		out.moments = append(out.moments, momentsOf(s))
		out.asRead, out.known = append(out.asRead, s.AsRead), append(out.known, s.Known)
		out.Strata = append(out.Strata, Part{Name: s.Name, Items: s.Size(), Labels: len(s.Labelled), AsRead: s.AsRead})
		out.Labels += len(s.Labelled)
		if len(s.Labelled) < 2 && !s.AsRead && reason == "" {
			reason = lacking(s)
		}
	}
	switch {
	case len(out.moments) == 0:
		return out.undefined("no items")
	case out.Labels == 0:
		reason = "nobody has labelled any of the items"
	}
	out.Judge = out.judged()
	if reason != "" {
		return out.undefined(reason)
	}
	weights := out.weights()
	for i := range out.Strata {
		out.Strata[i].Lambda = weights[i]
	}
	corrected := out.mean(weights)
	out.Corrected = out.estimate(corrected, out.Labels)
	out.alone(corrected)
	return out
}

func lacking(s *Stratum) string {
	name := s.Name
	if name != "" {
		name = " of " + name
	}
	if len(s.Labelled) == 0 {
		return fmt.Sprintf("none of the %d items%s has a label", s.Size(), name)
	}
	return fmt.Sprintf("one label of the %d items%s: it takes two", s.Size(), name)
}

func (s Score) undefined(reason string) Score {
	s.People, s.Corrected = stat.NoEstimate(reason), stat.NoEstimate(reason)
	s.Gain.Undefined = reason
	if s.Judge.N == 0 {
		s.Judge = stat.NoEstimate(reason)
	}
	return s
}

// alone is people's score without the machine, and what the machine adds.
func (s *Score) alone(corrected Measure) {
	for i := range s.Strata {
		if s.asRead[i] && !s.known[i] {
			reason := "nobody has labelled " + s.Strata[i].Name
			s.People, s.Gain.Undefined = stat.NoEstimate(reason), reason
			return
		}
	}
	people := s.mean(make([]float64, len(s.moments)))
	s.People = s.estimate(people, s.Labels)
	if corrected.SE < flat {
		s.Gain.Undefined = "the corrected score has no error to compare"
		return
	}
	ratio := people.SE / corrected.SE
	s.Gain.Labels = float64(s.Labels) * (ratio*ratio - 1)
}

// flat is a standard error that is nought but for rounding.
const flat = 1e-9

func (s *Score) weights() []float64 {
	out := lambdas(s.moments)
	for i, asRead := range s.asRead {
		if asRead {
			out[i] = 1
		}
	}
	return out
}

func (s *Score) size() float64 {
	n := 0.0
	for i := range s.moments {
		n += s.moments[i].size()
	}
	return n
}

// mean is the mean over all strata with the given lambdas.
func (s *Score) mean(lambda []float64) Measure {
	all := s.size()
	values := make([]float64, len(s.moments))
	var value, variance float64
	for i := range s.moments {
		m, weight := &s.moments[i], s.moments[i].size()/all
		if s.asRead[i] {
			values[i] = m.rest
			variance += weight * weight * m.restVar / m.unlabelled
		} else {
			values[i] = m.value(lambda[i])
			variance += weight * weight * (m.machine(lambda[i]) + s.labelled(m, lambda[i])/m.labelled)
		}
		value += weight * values[i]
	}
	for i := range s.moments {
		variance += s.moments[i].size() / all * (values[i] - value) * (values[i] - value) / all
	}
	return Measure{value, math.Sqrt(variance)}
}

// labelled is the variance of one label of a stratum.
func (s *Score) labelled(m *moments, lambda float64) float64 {
	v := m.residual(lambda)
	if s.several() {
		v *= m.few
	}
	if v > flat*flat {
		return v
	}
	// Of labels that all say the same: the width of Wilson's interval for them.
	n := int(m.labelled)
	width := s.options.High - s.options.Low
	place := math.Round((m.said - s.options.Low) / width * m.labelled)
	low, high := stat.Wilson(int(place), n, s.options.Confidence)
	se := (high - low) * width / (2 * stat.Normal(s.options.Confidence))
	return se * se * m.labelled
}

// several reports that the labels are of more than one stratum.
func (s *Score) several() bool {
	n := 0
	for i := range s.moments {
		if s.moments[i].labelled > 0 && !s.asRead[i] {
			n++
		}
	}
	return n > 1
}

func (s *Score) estimate(m Measure, n int) stat.Estimate {
	low, high := m.Interval(s.options.Confidence)
	within := func(v float64) float64 { return min(s.options.High, max(s.options.Low, v)) }
	return stat.Estimate{N: n, Value: within(m.Value), Low: within(low), High: within(high)}
}

// judged is the machine's own score over all items.
func (s *Score) judged() stat.Estimate {
	all, value, variance := s.size(), 0.0, 0.0
	for i := range s.moments {
		value += s.moments[i].judged() * s.moments[i].size() / all
	}
	for i := range s.moments {
		m := &s.moments[i]
		off := m.judged() - value
		variance += (m.all*max(0, m.size()-1)/m.size() + off*off) * m.size() / all
	}
	return s.estimate(Measure{value, math.Sqrt(variance / all)}, int(all))
}
