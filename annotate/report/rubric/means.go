package rubric

import (
	"fmt"

	"concord/annotate/agree"
	"concord/annotate/correct"
	"concord/annotate/report"
	"concord/annotate/rubric"
	"concord/eval"
	"concord/eval/stat"
)

// scoreMeans adds up the scores of responses.
type scoreMeans struct {
	rubric.Counts
	scores    []float64
	least     float64
	numbers   bool
	low, high []float64
	of        correct.Stratum // what people say of some of them
}

// addResponse adds a response, with what people together say of it; nil where nobody
// asks.
func (m *scoreMeans) addResponse(s, people *rubric.ScoreSheet) (float64, bool) {
	m.AddCounts(&s.Counts)
	if low, high, bounded := s.Bounds(); bounded {
		m.low, m.high = append(m.low, low), append(m.high, high)
	}
	v, ok := s.Score()
	if !ok {
		return v, false
	}
	m.scores = append(m.scores, v)
	m.least = min(m.least, s.LowestScore())
	m.numbers = m.numbers || s.Scored > 0
	if people == nil {
		return v, true
	}
	switch said, graded := people.Score(); {
	case graded:
		m.of.Labelled = append(m.of.Labelled, correct.Item{Machine: v, People: said})
	case people.Tied+people.Unable > 0: // people were asked, and come to nothing
		m.of.Missing = append(m.of.Missing, correct.Item{Machine: v})
	default:
		m.of.Unlabelled = append(m.of.Unlabelled, v)
	}
	return v, true
}

// computeFigures computes the bounds of the mean, and the mean that people's verdicts correct.
func (m *scoreMeans) computeFigures() figures {
	var out figures
	if len(m.low) > 0 && m.Scored == 0 {
		out.Bounds = &Bounds{averageOf(m.low), averageOf(m.high)}
	}
	if len(m.of.Labelled) == 0 || m.numbers {
		return out
	}
	s := correct.ComputeScore([]correct.Stratum{m.of}, correct.Options{Low: m.least, High: 1, Confidence: stat.Confidence})
	if s.Labels < correct.Fewest {
		s = s.WithoutCorrection(fmt.Sprintf("people graded only %d responses, and a corrected score takes %d", s.Labels, correct.Fewest))
	}
	corrected := report.NewCorrected(&s, "ppi++")
	out.Corrected = &corrected
	return out
}

// meanEstimate is the mean over responses: on the scale that their weights leave, or, of
// numbers, on none that is known.
func (m *scoreMeans) meanEstimate(clamp bool) stat.Estimate {
	values, least := m.scores, m.least
	if clamp {
		values, least = nil, 0
		values = append(values, eval.Map(m.scores, func(v float64) float64 { return min(max(v, 0), 1) })...)
	}
	switch {
	case len(values) == 0:
		return stat.NewUndefinedEstimate(noGrades)
	case m.numbers && clamp:
		return stat.NewUndefinedEstimate("numbers are not clamped")
	case m.numbers:
		return agree.StudentMean(values, stat.Confidence)
	}
	var c stat.Clusters
	for _, v := range values {
		c.AddSingle((v-least)/(1-least), 1)
	}
	out := c.Mean(least, 1, noGrades)
	out.Value = averageOf(values) // without what the scale rounds
	return out
}

func averageOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
