package agree

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"concord/eval/stat"
)

// Summary holds what a table says of its raters as a whole. Percent, Observed and
// Majority stand beside the coefficients because any of these misleads alone:
// where one class prevails kappa is low, and AC1 high, at the same agreement.
type Summary struct {
	Items   int // with a rating
	Paired  int // with two or more: the others say nothing about agreement
	Ratings int
	Classes []Class // of all ratings, in the order of the scale

	Percent  stat.Rate   // of all pairs of ratings of one item
	Majority stat.Rate   // the constant-answer baseline
	Observed Coefficient // mean over items of the share of pairs that agree: what the others correct for chance
	Fleiss   Coefficient
	Alpha    Coefficient // Krippendorff's, on the scale
	AC1      Coefficient
	Weighted *Coefficient // Fleiss' kappa with quadratic weights; nil on the nominal scale
	AC2      *Coefficient // AC1 with these weights
	OneRest  Coefficient  // how often one rater says what most of the item's others say

	Foreign []int // raters whose classes nobody else uses
}

// Class is how many ratings are of a class.
type Class struct {
	Name string `json:"class"`
	N    int    `json:"n"`
}

// Summarize gives what the panel says as a whole. AC1 has the interval of its standard error, the others that of the
// bootstrap over items; with Times 0 they have none. A rater of several classes that nobody else uses has another
// alphabet: then there is no coefficient over all. The context ends the bootstrap early.
func (p *Panel) Summarize(ctx context.Context, b Bootstrap) (Summary, error) {
	s, f := p.scale, p.newProfiles()
	out := Summary{
		Items: f.items, Paired: f.countPairedItems(), Percent: f.percentAgreement(b.Sequence), Majority: f.majorityRate(b.Sequence), Foreign: p.findForeignRaters(),
		AC1: f.gwetCoefficient(nil, b.Confidence), OneRest: f.agreementWithRest(),
	}
	for i, n := range f.countByClass() {
		out.Ratings += n
		out.Classes = append(out.Classes, Class{p.classes[i], n})
	}
	out.Observed = undefinedResult(out.Paired, lonely)
	if out.Paired > 0 {
		e := f.newEstimator(s)
		e.countByWeights(f.weight)
		out.Observed = Coefficient{Value: e.agreement, N: out.Paired}
	}
	out.Fleiss = f.estimateCoefficient(Scale{}, f.items, (*estimator).fleissAtWeights)
	out.Alpha = f.estimateCoefficient(s, out.Paired, (*estimator).krippendorffAlpha)
	out.Weighted, out.AC2 = f.weightedCoefficients(s, b.Confidence)
	if b.Sequence {
		b.Times = 0
	}
	if err := f.addSurveyIntervals(ctx, s, b, &out); err != nil {
		return Summary{}, fmt.Errorf("draw resamples: %w", err)
	}
	if b.Sequence {
		for _, c := range []*Coefficient{&out.Observed, &out.Fleiss, &out.Alpha, &out.AC1, &out.OneRest, out.Weighted, out.AC2} {
			if c != nil {
				*c = c.WithoutInterval()
			}
		}
	}
	if len(out.Foreign) > 0 {
		out.Fleiss, out.AC1 = undefinedResult(f.items, foreigner), undefinedResult(f.items, foreigner)
		if s.Level == Ordinal {
			*out.Weighted, *out.AC2 = out.Fleiss, out.AC1
		}
		if s.isNominal() || s.Level == Ordinal {
			out.Alpha = undefinedResult(out.Paired, foreigner)
		}
	}
	return out, nil
}

// findForeignRaters lists the raters who, on items that others rated too, use two classes or more, none
// of which anybody else uses there. One class alone may be chance.
func (p *Panel) findForeignRaters() []int {
	users := make([]map[int]bool, len(p.classes)) // of each class
	used := make(map[int]map[int32]bool)          // by each rater
	for _, item := range p.items {
		if len(item) < 2 {
			continue
		}
		for _, g := range item {
			rater, class := int(g.rater), g.class
			if users[class] == nil {
				users[class] = make(map[int]bool)
			}
			if used[rater] == nil {
				used[rater] = make(map[int32]bool)
			}
			users[class][rater], used[rater][class] = true, true
		}
	}
	var out []int
	for rater, classes := range used {
		alone := len(classes) > 1
		for class := range classes {
			alone = alone && len(users[class]) == 1
		}
		if alone {
			out = append(out, rater)
		}
	}
	slices.Sort(out)
	return out
}

func (e *estimator) fleissAtWeights([]int32) chanceCorrected { return e.fleissKappa() }

// estimateCoefficient estimates one estimate over the whole table.
func (p *ratingProfiles) estimateCoefficient(s Scale, n int, of func(*estimator, []int32) chanceCorrected) Coefficient {
	if why := p.whyUndetermined(); why != "" {
		return undefinedResult(n, why)
	}
	e := p.newEstimator(s)
	e.countByWeights(p.weight)
	v, ok := of(e, p.weight).computeCoefficient()
	if !ok {
		return undefinedResult(n, oneClass)
	}
	return Coefficient{Value: v, N: n}
}

// Coefficient is a chance-corrected coefficient over N items, with its interval at the confidence that the function
// states. Value means nothing when it is Undefined; Low and High mean nothing without Interval.
type Coefficient struct {
	Value, Low, High float64
	Interval         bool
	N                int
	Undefined        string // the reason; "" when there is a value
	Without          string // why there is no Interval; "" where nothing is to be said of it
	Few              string // a warning where few items differ, or few clusters decide; "" is none
}

// StillLabelling is why a coefficient has no interval.
const StillLabelling = "people are still labelling: no interval of a coefficient is known that holds at every look"

// WithoutInterval gives the coefficient without its interval, over items that come in still.
func (c Coefficient) WithoutInterval() Coefficient {
	if c.Undefined != "" {
		return c
	}
	return Coefficient{Value: c.Value, N: c.N, Without: StillLabelling}
}

func undefinedResult(n int, reason string) Coefficient { return Coefficient{N: n, Undefined: reason} }

// withInterval sets an interval, cut to where the coefficient can be.
func (c Coefficient) withInterval(low, high float64) Coefficient {
	c.Low, c.High, c.Interval = max(-1, low), min(1, high), true
	return c
}

type coefficientJSON struct {
	Value     *float64 `json:"value"`
	Low       *float64 `json:"low"`
	High      *float64 `json:"high"`
	N         int      `json:"n"`
	Undefined string   `json:"undefined,omitempty"`
	Without   string   `json:"no_interval,omitempty"`
	Warning   string   `json:"warning,omitempty"`
}

// Warning is what to know of the coefficient's interval: stat.WarnFewUnits.
func (c Coefficient) Warning() string {
	if !c.Interval || c.Undefined != "" {
		return ""
	}
	return cmp.Or(stat.WarnFewUnits(c.N, -1), c.Few)
}

// MarshalJSON writes value, low, high and n; the first three are null when
// there is none, with "undefined" beside a missing value.
func (c Coefficient) MarshalJSON() ([]byte, error) {
	out := coefficientJSON{N: c.N, Undefined: c.Undefined, Without: c.Without}
	if c.N == 0 && out.Undefined == "" {
		out.Undefined = "no items"
	}
	if out.Undefined == "" {
		out.Value = &c.Value
		if c.Interval {
			out.Low, out.High, out.Warning = &c.Low, &c.High, c.Warning()
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Coefficient) UnmarshalJSON(b []byte) error {
	var in coefficientJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*c = Coefficient{N: in.N, Undefined: in.Undefined, Without: in.Without}
	if in.Value != nil {
		c.Value = *in.Value
	}
	if in.Low != nil && in.High != nil {
		c.Low, c.High, c.Interval = *in.Low, *in.High, true
	}
	if c.Warning() == "" {
		c.Few = in.Warning
	}
	return nil
}

// GwetAC1 is Gwet's AC1 of any number of raters, with ratings missing or not, and its interval by
// Student's t over the standard error for a sample of items (Gwet 2008; Gwet 2014, ch. 5). Unlike kappa
// it stays near the observed agreement when one class prevails.
func GwetAC1(t Table, confidence float64) Coefficient {
	return t.NewPanel(Scale{}).newProfiles().gwetCoefficient(nil, confidence)
}

// gwetCoefficient is AC1, or with weights AC2.
func (p *ratingProfiles) gwetCoefficient(o *weightedProfiles, confidence float64) Coefficient {
	if why := p.whyUndetermined(); why != "" {
		return undefinedResult(p.items, why)
	}
	e := p.newEstimator(Scale{})
	e.splitClasses(false) // its error takes the share of each class
	e.countByWeights(p.weight)
	c, guess, agreement := e.gwetAC(), 1/float64(len(e.shares)-1), func(i int) float64 { return e.all[i].agreement }
	if o != nil {
		_, c = e.weightedFleissGwet(o, p.weight)
		guess, agreement = o.guess, func(i int) float64 { return 1 - o.apart[i]/o.reach }
	}
	v, ok := c.computeCoefficient()
	if !ok {
		return undefinedResult(p.items, oneClass)
	}
	out := Coefficient{Value: v, N: p.items, Few: p.warnFewDiffering()}
	se, freedom := 0.0, 0.0
	if p.countUnits() > 1 {
		se, freedom = e.gwetStandardError(v, c, guess, o != nil, agreement)
	}
	if se < flat {
		return out.withInterval(intervalWithoutError(c.observed, c.expected, min(e.paired, p.countUnits()), confidence))
	}
	q := stat.StudentQuantile(freedom, confidence)
	return out.withInterval(out.Value-q*se, out.Value+q*se)
}

// gwetStandardError is the standard error of AC1 or AC2: the items' contributions to it vary, and so do
// their contributions to the agreement expected by chance. Items with one rating have a part in the
// latter alone. Of AC1 they count as items without agreement, as Gwet has them, which makes the error
// of a table with some of them larger than it is.
func (e *estimator) gwetStandardError(ac float64, c chanceCorrected, guess float64, weighted bool, agreement func(profile int) float64) (se, freedom float64) {
	n := float64(e.items)
	scale := n / float64(e.paired)
	squares, adds := 0.0, make([]float64, len(e.all)) // what an item adds beyond the mean
	for i := range e.all {
		f, x := &e.all[i], 0.0
		switch {
		case !weighted && f.sum < 2:
			x = c.expected - c.observed
		case !weighted:
			x = scale*(agreement(i)-c.expected) - (c.observed - c.expected)
		case f.sum >= 2:
			x = scale * (agreement(i) - c.observed)
		}
		pi := 0.0
		for _, t := range f.tally {
			pi += float64(t.n) * (1 - e.shares[t.class]) * f.share
		}
		pi *= guess
		x -= 2 * (1 - ac) * (pi - c.expected)
		adds[i] = x / (1 - c.expected)
		squares += float64(e.weight[i]) * square(adds[i])
	}
	units, freedom := float64(e.countUnits()), n-1
	if e.clusters != nil {
		var sizes []float64
		squares = 0
		for _, of := range e.clusters {
			sum := 0.0
			for _, i := range of {
				sum += adds[i]
			}
			squares, sizes = squares+square(sum), append(sizes, float64(len(of)))
		}
		freedom = stat.DegreesOfFreedom(sizes)
	}
	return math.Sqrt(squares / (n * n) * units / (units - 1)), freedom
}

// JeffreysEstimate is the rate of k of n with Jeffreys' prior, Beta(1/2, 1/2): the posterior mean and
// the equal-tailed interval, whose end is 0 for none and 1 for all (Brown, Cai and DasGupta, "Interval
// estimation for a binomial proportion", Statistical Science 16, 2001). It is undefined without items.
func JeffreysEstimate(k, n int, confidence float64) stat.Estimate {
	if n <= 0 {
		return stat.NewUndefinedEstimate("no item with a known answer is labelled")
	}
	tail := (1 - confidence) / 2
	after := distuv.Beta{Alpha: float64(k) + 0.5, Beta: float64(n-k) + 0.5}
	out := stat.Estimate{N: n, Value: after.Mean(), Low: after.Quantile(tail), High: after.Quantile(1 - tail)}
	if k == 0 {
		out.Low = 0
	}
	if k == n {
		out.High = 1
	}
	return out
}

// flat is a standard error that is nought but for rounding.
const flat = 1e-9

// intervalWithoutError is the interval of a coefficient whose own standard error is nought, as when all items agree: ten
// of ten would be as certain as a thousand of a thousand. Wilson's interval of the observed agreement over n items is
// carried over to the coefficient, with the agreement by chance as it is.
func intervalWithoutError(po, pe float64, n int, confidence float64) (low, high float64) {
	low, high = stat.WilsonInterval(int(math.Round(po*float64(n))), n, confidence)
	return (low - pe) / (1 - pe), (high - pe) / (1 - pe)
}

// StudentMean is the mean of values on no scale with its interval by Student's t: of
// no width where all are the same. stat.Clusters.MeanOnScale is that of a bounded scale.
func StudentMean(values []float64, confidence float64) stat.Estimate {
	n := len(values)
	switch n {
	case 0:
		return stat.NewUndefinedEstimate("no values")
	case 1:
		return stat.NewUndefinedEstimate("one value alone has no interval")
	}
	mean, sd := meanAndDeviation(values)
	half := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile(0.5+confidence/2) * sd / math.Sqrt(float64(n))
	return stat.Estimate{N: n, Value: mean, Low: mean - half, High: mean + half}
}

// StandardDeviation is the standard deviation of values, by n-1, with its interval by the chi-squared
// distribution, which takes them to be normal. Values that are all the same have no interval.
func StandardDeviation(values []float64, confidence float64) stat.Estimate {
	n := len(values)
	if n < 2 {
		return stat.NewUndefinedEstimate("needs two values or more")
	}
	_, sd := meanAndDeviation(values)
	out := stat.Estimate{N: n, Value: sd, Exact: true}
	if sd < flat {
		out.Value = 0
		return out
	}
	c, tail := distuv.ChiSquared{K: float64(n - 1)}, (1-confidence)/2
	out.Exact = false
	out.Low = sd * math.Sqrt(float64(n-1)/c.Quantile(1-tail))
	out.High = sd * math.Sqrt(float64(n-1)/c.Quantile(tail))
	return out
}

// meanAndDeviation is the mean and the standard deviation by n-1, which is 0 of one.
func meanAndDeviation(values []float64) (mean, sd float64) {
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values)) // once: the sum of scores is exact, and equal means tie
	if len(values) < 2 {
		return mean, 0
	}
	for _, v := range values {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / float64(len(values)-1))
}
