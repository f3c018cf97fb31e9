package sample

import (
	"slices"

	"concord/annotate"
)

// whole puts all predictions on each drawn sample in its place: run by run,
// pass by pass.
func (d *drawing) whole(samples []drawn) []drawn {
	var out []drawn
	for _, s := range samples {
		keys := d.of[s.key.Sample]
		slices.SortFunc(keys, annotate.ItemKey.Compare)
		for _, k := range keys {
			out = append(out, drawn{ticket{hash: s.hash, key: k}, s.group, s.inclusion})
		}
	}
	return out
}
