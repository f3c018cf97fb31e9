package annotate

import "concord/annotate/agree"

// Chance is how probable it is, by the model, that what people mean by an item is
// as told, and the same in a resample of the items, with how often the item is in
// it. It is false without a model, and of items that it has not.
func (b Basis) Chance(k ItemKey, is func(Reading) bool) (p float64, again func(resample int) (float64, int32), ok bool) {
	if b.crowd == nil || b.crowd.fit == nil {
		return 0, nil, false
	}
	c := b.crowd
	i, ok := c.at[k]
	if !ok {
		return 0, nil, false
	}
	var classes []int
	for class, s := range c.sides {
		if is(finest(nil, s)) {
			classes = append(classes, class)
		}
	}
	by := func(f *agree.Fit) (sum float64) {
		for _, class := range classes {
			sum += f.Of(i)[class]
		}
		return sum
	}
	return by(c.fit), func(r int) (float64, int32) { return by(c.resamples[r].fit), c.resamples[r].weight[i] }, true
}
