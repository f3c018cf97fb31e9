package agree

// Fleiss is Fleiss' kappa of any number of raters (Fleiss 1971), generalised
// to missing ratings as Gwet does (Gwet 2014, ch. 2). It has no interval of
// its own: Resample gives one.
func Fleiss(t Table) Coefficient {
	c := t.counts()
	if why := c.undetermined(); why != "" {
		return undefined(len(c.items), why)
	}
	pe := 0.0
	for _, p := range c.shares() {
		pe += p * p
	}
	return Coefficient{Value: (c.observed() - pe) / (1 - pe), N: len(c.items)}
}

// Krippendorff is Krippendorff's alpha for nominal classes, of any number of
// raters with ratings missing (Krippendorff 2011). Items with one rating say
// nothing and are left out; N is how many are left. It has no interval of its
// own: Resample gives one.
func Krippendorff(t Table) Coefficient {
	c := t.counts()
	if why := c.undetermined(); why != "" {
		return undefined(c.paired(), why)
	}
	values, observed := 0, 0.0
	totals := make([]int, len(c.classes))
	for i, item := range c.items {
		m := c.sums[i]
		if m < 2 {
			continue
		}
		apart := m * m
		for k, n := range item {
			totals[k] += n
			apart -= n * n
		}
		values += m
		observed += float64(apart) / float64(m-1)
	}
	expected := values * values
	for _, n := range totals {
		expected -= n * n
	}
	if expected == 0 {
		return undefined(c.paired(), "only one class is used")
	}
	return Coefficient{Value: 1 - observed*float64(values-1)/float64(expected), N: c.paired()}
}
