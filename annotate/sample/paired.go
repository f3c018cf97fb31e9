package sample

import "slices"

// paired puts the pairs of each drawn sample in its place, in the order in
// which people see them.
func (d *drawing) paired(samples []drawn) []drawn {
	var out []drawn
	for _, s := range samples {
		for _, k := range d.of[s.key.Sample] {
			out = append(out, drawn{ticket{hash: k.Hash(d.rule.Seed), key: k}, s.group, s.inclusion})
		}
	}
	slices.SortFunc(out, func(a, b drawn) int { return a.compare(b.ticket) })
	apart(out)
	return out
}

// apart moves the next pair of another sample up wherever two of one sample
// would follow each other: who has just judged an answer of the anchor is not
// shown it again at once.
func apart(list []drawn) {
	for i := 1; i < len(list); i++ {
		last := list[i-1].key.Sample
		if list[i].key.Sample != last {
			continue
		}
		at := slices.IndexFunc(list[i:], func(d drawn) bool { return d.key.Sample != last })
		if at < 0 {
			return
		}
		up := list[i+at]
		copy(list[i+1:], list[i:i+at])
		list[i] = up
	}
}
