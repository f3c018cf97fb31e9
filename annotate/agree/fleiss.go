package agree

// Fleiss is Fleiss' kappa of any number of raters (Fleiss 1971), generalised
// to missing ratings as Gwet does (Gwet 2014, ch. 2). It has no interval of
// its own: Summary gives one.
func Fleiss(t Table) Coefficient {
	p := t.Panel(Scale{}).profiles()
	return p.coefficient(Scale{}, p.items, (*estimator).fleissOf)
}

// Krippendorff is Krippendorff's alpha of any number of raters with ratings
// missing, on any scale (Krippendorff 2011). Items with one rating say nothing
// and are left out; N is how many are left. It has no interval of its own:
// Summary gives one.
//
// Alone of the coefficients here it changes when every item stands in the
// table twice. It corrects for small samples: chance disagreement is of two
// different ones of the n pairable ratings, so that with all ratings k times
// over 1 - alpha grows by (1 - 1/kn) / (1 - 1/n). It stays the same exactly
// where alpha is 1, and in the limit of many ratings.
func Krippendorff(t Table, s Scale) Coefficient {
	p := t.Panel(s).profiles()
	return p.coefficient(s, p.paired(), (*estimator).krippendorff)
}

func (e *estimator) fleissOf([]int32) chance { return e.fleiss() }

// coefficient is one estimate over the whole table.
func (p *profiles) coefficient(s Scale, n int, of func(*estimator, []int32) chance) Coefficient {
	if why := p.undetermined(); why != "" {
		return undefined(n, why)
	}
	e := p.estimator(s)
	e.weigh(p.weight)
	v, ok := of(e, p.weight).value()
	if !ok {
		return undefined(n, oneClass)
	}
	return Coefficient{Value: v, N: n}
}
