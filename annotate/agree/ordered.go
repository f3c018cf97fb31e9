package agree

// ordered is what the weighted coefficients of many raters take of each
// profile. Two ratings agree by 1 less the square of their distance as a share
// of the largest one, as in the quadratic kappa: of ranks on the ordinal scale,
// of numbers above it.
type ordered struct {
	mean, squares []float64 // of the places of the profile's ratings
	apart         []float64 // mean squared distance of two of them
	reach         float64   // the largest squared distance
	guess         float64   // by which AC2 takes chance: sum of all weights over q (q-1)
}

// order prepares the weighted coefficients; nil where classes have no distance.
func (p *profiles) order() *ordered {
	q := float64(len(p.classes))
	if p.foul != "" || q < 2 {
		return nil
	}
	at := func(class int32) float64 { return p.places[class] - p.places[0] } // so that large numbers cancel nothing
	last := at(int32(len(p.classes) - 1))
	out := &ordered{reach: square(last)}
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

// weighted are Fleiss' kappa and Gwet's coefficient with weights, AC2 (Gwet,
// "Handbook of Inter-Rater Reliability", 4th ed. 2014, ch. 3), over weights of
// the profiles for which the estimator was weighed.
func (e *estimator) weighted(o *ordered, weight []int32) (fleiss, gwet chance) {
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
	return chance{observed, alike}, chance{observed, o.guess * (1 - e.fleiss().expected)}
}

// weightedPair are the weighted coefficients of the table, AC2 with the interval
// of its standard error; nil on the nominal scale.
func (p *profiles) weightedPair(s Scale, confidence float64) (fleiss, gwet *Coefficient) {
	if s.nominal() {
		return nil, nil
	}
	order := p.order()
	kappa := p.coefficient(s, p.items, func(e *estimator, weight []int32) chance {
		c, _ := e.weighted(order, weight)
		return c
	})
	ac2 := p.gwet(order, confidence)
	return &kappa, &ac2
}
