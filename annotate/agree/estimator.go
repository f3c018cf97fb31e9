package agree

// estimator computes what the many-rater coefficients are made of, for any weights of the profiles:
// those of the table, or those of a resample. It keeps its buffers, and serves one goroutine.
type estimator struct {
	*ratingProfiles
	scale Scale

	items, paired int
	values        float64    // ratings of paired items
	agreement     float64    // mean over paired items
	shares        []float64  // mean share of each class that is not single, over items
	numbers       []float64  // ratings of each class that is not single, of paired items
	placed        bool       // numbers are of every class, since the scale takes its place
	single        [2]float64 // sums of squares of shares and numbers of the single ones
	at            []float64  // places of classes
	inner         []float64  // of each profile: within over its ratings but one; nil when it hangs on the weights

	// Of classes that stand in one profile alone chance needs nothing but the sum of their squares: a
	// table of many different numbers is summed up by items and not by classes. The others have places
	// of their own in shares and numbers.
	parts []profilePart // of each profile

	// Of numbers, so that a table of many different ones is summed up by items and not by classes: what
	// each profile's ratings are from the middle, added up and as squares, and the sums of these.
	first, second       []float64
	firstSum, secondSum float64
}

func (p *ratingProfiles) newEstimator(s Scale) *estimator {
	e := &estimator{ratingProfiles: p, scale: s, at: p.places}
	e.splitClasses(true)
	if s.Level == Ordinal || s.Level == Ratio {
		e.numbers, e.placed = make([]float64, len(p.classes)), true
	}
	if s.Level == Ordinal {
		e.at = make([]float64, len(p.classes))
		return e
	}
	e.inner = make([]float64, len(p.all))
	for i := range p.all {
		e.inner[i] = e.disagreementWithin(&p.all[i])
	}
	if s.Level == Interval {
		e.centreNumbers()
	}
	return e
}

// profilePart is what a profile adds to the shares and numbers of classes.
type profilePart struct {
	shared []tally    // classes that other profiles have too
	single [2]float64 // of the rest: sums of squares of shares and of numbers
}

// splitClasses tells classes of one profile alone from the others, if it is to.
func (e *estimator) splitClasses(alone bool) {
	of := make([]int32, len(e.classes)) // how many profiles have the class, then its place
	for i := range e.all {
		for _, t := range e.all[i].tally {
			of[t.class]++
		}
	}
	places := int32(0)
	for k, n := range of {
		of[k] = -1
		if n > 1 || !alone {
			of[k] = places
			places++
		}
	}
	e.parts = make([]profilePart, len(e.all))
	for i := range e.all {
		f, p := &e.all[i], &e.parts[i]
		for _, t := range f.tally {
			if at := of[t.class]; at >= 0 {
				p.shared = append(p.shared, tally{at, t.n})
				continue
			}
			p.single[0] += square(float64(t.n) * f.share)
			p.single[1] += square(float64(t.n))
		}
	}
	e.shares, e.numbers = make([]float64, places), make([]float64, places)
}

// centreNumbers prepares the sums of numbers, from the middle of the classes, so that large ones cancel nothing.
func (e *estimator) centreNumbers() {
	e.first, e.second = make([]float64, len(e.all)), make([]float64, len(e.all))
	middle := 0.0
	for _, x := range e.at {
		middle += x / float64(len(e.at))
	}
	for i := range e.all {
		for _, t := range e.all[i].tally {
			x := e.at[t.class] - middle
			e.first[i] += float64(t.n) * x
			e.second[i] += float64(t.n) * x * x
		}
	}
}

// countByWeights counts the profiles under new weights.
func (e *estimator) countByWeights(weight []int32) {
	clear(e.shares)
	clear(e.numbers)
	e.items, e.paired, e.values, e.agreement, e.firstSum, e.secondSum, e.single = 0, 0, 0, 0, 0, 0, [2]float64{}
	for i, n := range weight {
		if n == 0 {
			continue
		}
		f, p, w := &e.all[i], &e.parts[i], float64(n)
		e.items += int(n)
		for _, t := range p.shared {
			e.shares[t.class] += w * float64(t.n) * f.share
		}
		e.single[0] += w * w * p.single[0]
		if f.sum < 2 {
			continue
		}
		e.paired += int(n)
		e.values += w * float64(f.sum)
		e.agreement += w * f.agreement
		if e.first != nil {
			e.firstSum += w * e.first[i]
			e.secondSum += w * e.second[i]
			continue
		}
		tallies := p.shared
		if e.placed {
			tallies = f.tally
		}
		for _, t := range tallies {
			e.numbers[t.class] += w * float64(t.n)
		}
		e.single[1] += w * w * p.single[1]
	}
	for k := range e.shares {
		e.shares[k] /= float64(e.items)
	}
	e.single[0] /= square(float64(e.items))
	e.agreement /= float64(e.paired)
}

type chanceCorrected struct{ observed, expected float64 }

// computeCoefficient is (observed - expected) / (1 - expected); false where chance alone would always agree.
func (c chanceCorrected) computeCoefficient() (float64, bool) {
	if 1-c.expected < flat {
		return 0, false
	}
	return (c.observed - c.expected) / (1 - c.expected), true
}

// fleissKappa expects two raters to draw from the mean shares of the classes.
func (e *estimator) fleissKappa() chanceCorrected {
	pe := e.single[0]
	for _, p := range e.shares {
		pe += p * p
	}
	return chanceCorrected{e.agreement, pe}
}

// gwetAC expects agreement by chance where a rating was a guess among all
// classes. It takes a table that is not split.
func (e *estimator) gwetAC() chanceCorrected {
	pe := 0.0
	for _, p := range e.shares {
		pe += p * (1 - p) / float64(len(e.shares)-1)
	}
	return chanceCorrected{e.agreement, pe}
}

// krippendorffAlpha is alpha as an agreement: one less the disagreement seen, and
// one less that of any two ratings, in shares of the same whole.
func (e *estimator) krippendorffAlpha(weight []int32) chanceCorrected {
	if e.scale.Level == Ordinal {
		below := 0.0
		for k, n := range e.numbers { // mid-ranks: their differences are the ordinal metric
			e.at[k] = below + n/2
			below += n
		}
	}
	seen := 0.0
	for i, n := range weight {
		switch {
		case n == 0:
		case e.inner != nil:
			seen += float64(n) * e.inner[i]
		default:
			seen += float64(n) * e.disagreementWithin(&e.all[i])
		}
	}
	any := e.disagreementAmong() / (e.values - 1)
	if any <= 0 {
		return chanceCorrected{1, 1}
	}
	return chanceCorrected{observed: 1 - seen/any, expected: 0}
}

// disagreementWithin is the disagreement of the ordered pairs of ratings of one item, over its ratings but one.
func (e *estimator) disagreementWithin(f *profile) float64 {
	if len(f.tally) < 2 {
		return 0
	}
	others := float64(f.sum - 1)
	switch {
	case e.scale.isNominal():
		return float64(f.countOrderedPairs()-f.same) / others
	case e.scale.Level == Ratio:
		sum := 0.0
		for i, a := range f.tally {
			for _, b := range f.tally[:i] {
				sum += 2 * float64(a.n) * float64(b.n) * ratioDistance(e.at[a.class], e.at[b.class])
			}
		}
		return sum / others
	}
	first, sum, squares := e.at[f.tally[0].class], 0.0, 0.0
	for _, t := range f.tally[1:] { // from the first, so that large numbers cancel nothing
		x := e.at[t.class] - first
		sum += float64(t.n) * x
		squares += float64(t.n) * x * x
	}
	return 2 * (float64(f.sum)*squares - sum*sum) / others
}

// disagreementAmong is the disagreement of the ordered pairs of all ratings of paired items.
func (e *estimator) disagreementAmong() float64 {
	switch {
	case e.scale.isNominal():
		out := e.values*e.values - e.single[1]
		for _, n := range e.numbers {
			out -= n * n
		}
		return out
	case e.scale.Level == Ratio:
		out := 0.0
		for i, n := range e.numbers {
			if n == 0 {
				continue
			}
			for j, m := range e.numbers[:i] {
				out += 2 * n * m * ratioDistance(e.at[i], e.at[j])
			}
		}
		return out
	case e.first != nil:
		return 2 * (e.values*e.secondSum - e.firstSum*e.firstSum)
	}
	mean := 0.0
	for k, n := range e.numbers {
		mean += n * e.at[k] / e.values
	}
	out := 0.0
	for k, n := range e.numbers {
		out += n * square(e.at[k]-mean)
	}
	return 2 * e.values * out
}
