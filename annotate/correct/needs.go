package correct

import (
	"fmt"
	"math"
)

// Needs is how many labels in all an interval of Within to either side takes,
// shared out over the strata as they are now. It is undefined where no number
// of labels is enough.
type Needs struct {
	Within    float64
	Labels    int
	Undefined string
}

// Needs finds how many labels the corrected score would need, if further labels
// vary as those that are there.
func (s *Score) Needs(within float64) Needs {
	out := Needs{Within: within}
	if reason := s.Corrected.Reason(); reason != "" {
		out.Undefined = reason
		return out
	}
	half := func(labels int) float64 { return (s.options.High - s.options.Low) * s.with(labels) / 2 }
	most := 0
	for i := range s.Strata {
		if !s.asRead[i] {
			most += s.Strata[i].Items
		}
	}
	if h := half(most); h > within {
		out.Undefined = fmt.Sprintf("all %d items labelled give an interval of %.1f points to either side", most, 100*h/(s.options.High-s.options.Low))
		return out
	}
	low, high := 0, most // high is enough
	for high-low > 1 {
		if mid := (low + high) / 2; half(mid) <= within {
			high = mid
		} else {
			low = mid
		}
	}
	out.Labels = high
	return out
}

// with is how wide the score's interval would be with that many labels, as a
// share of the scale.
func (s *Score) with(labels int) float64 {
	then := *s
	then.moments = make([]moments, len(s.moments))
	share := float64(labels) / float64(s.Labels)
	for i, m := range s.moments {
		if !s.asRead[i] {
			n := min(m.size(), m.labelled*share)
			rest := m.size() - n
			if m.unlabelled == 0 {
				m.restVar = m.readVar
			}
			m.labelled, m.unlabelled = n, rest
			if rest < 1e-6 {
				m.unlabelled = 0
			}
		}
		then.moments[i] = m
	}
	low, high := then.mean(then.weights()).interval(s.options.Confidence)
	if math.IsNaN(high - low) {
		return math.Inf(1)
	}
	return high - low
}
