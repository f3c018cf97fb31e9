package correct

import (
	"fmt"
	"math"
	"slices"

	"concord/eval/stat"
)

// Item is what the machine and people say of one labelled item: 1 or 0 for right and not right, or a score.
type Item struct {
	Machine, People float64
	Weight          float64 // 1 over the probability with which it was drawn; 0: all of the stratum were as likely
	Cluster         uint64  // items of one cluster depend on each other; 0: it stands alone

	// Again is what people say of it in a resample of the labels, of People that comes of a model of
	// their errors, and how often the item is in the resample; nil: People is no model's.
	Again func(resample int) (people float64, times int32)
}

// Stratum is a part of the population in which every item was as likely to be labelled as any other, or in
// which labelled items have weights. Unlabelled is what the machine says of the others, and Missing of
// those drawn that stay without a label: the score takes them to be like the others, its bounds do not.
type Stratum struct {
	Name       string
	Labelled   []Item
	Unlabelled []float64
	Missing    []Item // without what people say

	UnlabelledIn []uint64 // the clusters of Unlabelled; nil where there are none

	AsRead bool // nobody labels it: what the machine says is taken as it is
	Known  bool // of AsRead: it is no reading but a fact, which people have nothing to add to
}

// Size is how many items the stratum has.
func (s *Stratum) Size() int { return len(s.Labelled) + len(s.Unlabelled) + len(s.Missing) }

// unlabelledValues are all values of items without a label.
func (s *Stratum) unlabelledValues() []float64 {
	out := slices.Clip(s.Unlabelled)
	for _, it := range s.Missing {
		out = append(out, it.Machine)
	}
	return out
}

// withMissingFilled gives the stratum as if people had said one value of all missing items.
func (s *Stratum) withMissingFilled(people float64) Stratum {
	out := *s
	out.Labelled, out.Missing = slices.Clip(s.Labelled), nil
	for _, it := range s.Missing {
		it.People = people
		out.Labelled = append(out.Labelled, it)
	}
	return out
}

// MeanWithError is an estimate with its standard error.
type MeanWithError struct{ Value, SE float64 }

// Interval is the normal interval of the measure at a confidence level. It is not cut to any scale.
func (m MeanWithError) Interval(confidence float64) (low, high float64) {
	half := stat.NormalQuantile(confidence) * m.SE
	return m.Value - half, m.Value + half
}

// BestLambda is how much of the machine's word to take: the weight that makes the variance of Mean
// least, between 0 (people alone) and 1 (PPI++: Angelopoulos, Duchi and Zrnic 2023, Sec. 6). It is 0
// where there is nothing to tune on, and where everything is labelled.
func (s *Stratum) BestLambda() float64 { return tuneLambda([]moments{computeMoments(s)}) }

// PredictionPoweredMean is the prediction-powered mean of what people would say of the whole
// stratum (Angelopoulos et al. 2023, Sec. 3): lambda times the machine's mean
// over the unlabelled items, and the mean of what people say less lambda times
// what the machine says over the labelled ones. There must be labels.
func (s *Stratum) PredictionPoweredMean(lambda float64) MeanWithError {
	m := computeMoments(s)
	return MeanWithError{m.meanAt(lambda), math.Sqrt(m.machineVariance(lambda) + m.residualVariance(lambda)/m.labelled)}
}

// moments are what the estimates need of a stratum. Variances and covariance are of the population (by
// n), but all, which is of a sample (by n-1), as in the authors' own code.
type moments struct {
	labelled, unlabelled      float64 // how many
	said                      float64 // people's mean
	read, rest                float64 // machine's means over the labelled and the unlabelled
	saidVar, readVar, restVar float64
	cov                       float64 // of people and machine
	all                       float64 // variance of the machine over both
	among                     float64 // the same as it is among labels: of weighted ones, of the drawing that they are of
	few                       float64 // n / (n-1): what makes saidVar and its kind a sample's
	items                     float64
	judge                     float64 // machine's mean over all items
}

func computeMoments(s *Stratum) moments {
	if s.isWeighted() {
		return computeDrawnMoments(s, false)
	}
	rest := s.unlabelledValues()
	m := moments{labelled: float64(len(s.Labelled)), unlabelled: float64(len(rest)), items: float64(s.Size())}
	for _, it := range s.Labelled {
		m.said += it.People
		m.read += it.Machine
	}
	if m.labelled > 0 {
		m.said, m.read = m.said/m.labelled, m.read/m.labelled
	}
	for _, v := range rest {
		m.rest += v
	}
	if m.unlabelled > 0 {
		m.rest /= m.unlabelled
	}
	for _, it := range s.Labelled {
		people, machine := it.People-m.said, it.Machine-m.read
		m.saidVar += people * people / m.labelled
		m.readVar += machine * machine / m.labelled
		m.cov += people * machine / m.labelled
	}
	for _, v := range rest {
		m.restVar += (v - m.rest) * (v - m.rest) / m.unlabelled
	}
	m.few = m.labelled / (m.labelled - 1) // means nothing of fewer than two
	m.judge = (m.read*m.labelled + m.rest*m.unlabelled) / m.items
	if n := m.size(); n > 1 {
		between := (m.read - m.rest) * (m.read - m.rest) * m.labelled * m.unlabelled / n
		m.all = (m.readVar*m.labelled + m.restVar*m.unlabelled + between) / (n - 1)
		m.among = m.all
	}
	return m
}

func (m *moments) size() float64 { return m.items }

func (m *moments) meanAt(lambda float64) float64 { return lambda*m.rest + m.said - lambda*m.read }

// machineVariance is the part of the mean's variance that more items would lessen.
func (m *moments) machineVariance(lambda float64) float64 {
	if m.unlabelled == 0 {
		return 0
	}
	return lambda * lambda * m.restVar / m.unlabelled
}

// residualVariance is the variance of what people say less lambda times what the
// machine says: over the labels it is the part that more of them would lessen.
func (m *moments) residualVariance(lambda float64) float64 {
	return max(0, m.saidVar-2*lambda*m.cov+lambda*lambda*m.readVar)
}

// tuneLambda is the one lambda for all strata: it makes the variance of their weighted mean least. Of
// one stratum it is that of PPI++, the covariance over (1 + n/N) times the machine's variance over all
// items. Of labels with weights it is tuned for their drawing (active statistical inference: Zrnic and
// Candès 2024): by the squares of the weights. A lambda for each stratum, tuned on the labels that it
// then corrects, makes intervals too narrow and scores too high: of 20 strata with 20 labels each they
// cover the truth in 79 % of cases.
func tuneLambda(strata []moments) float64 {
	var up, down float64
	for i := range strata {
		m := &strata[i]
		if m.labelled == 0 || m.unlabelled == 0 {
			continue // everything or nothing is labelled: nothing to weigh
		}
		weight := m.size() * m.size()
		up += weight * m.cov / m.labelled
		down += weight * (m.among/m.labelled + m.all/m.unlabelled)
	}
	if down == 0 {
		return 0
	}
	return min(1, max(0, up/down))
}

// chooseLambdas gives each stratum its weight of the machine's word: the shared one,
// and 0 where everything is labelled.
func chooseLambdas(strata []moments) []float64 {
	out := make([]float64, len(strata))
	shared := tuneLambda(strata)
	for i := range strata {
		if strata[i].unlabelled > 0 {
			out[i] = shared
		}
	}
	return out
}

// modelledMean is the mean where people's word comes of a model of their errors: the
// variance of labels is that over resamples of the items, in each of which the
// model was fitted anew, and never less than that of exact ones.
func (s *Score) modelledMean(lambda []float64) meanSpread {
	s.times = 0
	out := s.predictionPoweredMean(lambda)
	if s.options.Resamples < 2 || out.people == 0 {
		return out
	}
	mean, squares := 0.0, 0.0
	for r := range s.options.Resamples {
		v := s.resampledMean(r, lambda)
		apart := v - mean
		mean += apart / float64(r+1)
		squares += apart * (v - mean)
	}
	width := s.options.High - s.options.Low
	s.times = max(1, squares/float64(s.options.Resamples-1)/(width*width)/out.people)
	return s.predictionPoweredMean(lambda)
}

// resampledMean is the part of the mean that people's labels make, in one resample. A
// stratum that the resample has nothing of stays as it is.
func (s *Score) resampledMean(resample int, lambda []float64) float64 {
	all, out := s.populationSize(), 0.0
	for i, st := range s.strata {
		if s.asRead[i] {
			continue
		}
		sum, n := 0.0, 0.0
		for _, it := range st.Labelled {
			people, times := it.People, int32(1)
			if it.Again != nil {
				people, times = it.Again(resample)
			}
			w := float64(times) * max(it.Weight, 1)
			sum, n = sum+w*(people-lambda[i]*it.Machine), n+w
		}
		m := &s.moments[i]
		value := m.said - lambda[i]*m.read
		if n > 0 {
			value = sum / n
		}
		out += m.size() / all * value
	}
	return out
}

// NeededLabels is how many labels in all an interval of Within to either side takes, shared out over
// the strata as they are now. It is undefined where no number of labels is enough.
type NeededLabels struct {
	Within    float64 `json:"within"`
	Labels    *int    `json:"labels"`
	Undefined string  `json:"undefined,omitempty"`
}

// LabelsNeeded finds how many labels the corrected score would need, if further labels
// vary as those that are there.
func (s *Score) LabelsNeeded(within float64) NeededLabels {
	out := NeededLabels{Within: within}
	if reason := s.Corrected.WhyUndefined(); reason != "" {
		out.Undefined = reason
		return out
	}
	half := func(labels int) float64 { return (s.options.High - s.options.Low) * s.widthWithLabels(labels) / 2 }
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
	enough := findLeastEnough(most, func(labels int) bool { return half(labels) <= within })
	out.Labels = &enough
	return out
}

// widthWithLabels is how wide the score's interval would be with that many labels, as a share of the scale.
func (s *Score) widthWithLabels(labels int) float64 {
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
	low, high := then.predictionPoweredMean(then.stratumWeights()).wilsonInterval(s.options.Confidence)
	if math.IsNaN(high - low) {
		return math.Inf(1)
	}
	return high - low
}
