package alignment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate/report"
)

// guidelines says under which versions of the guideline the labels were made,
// where that is not one version: people who read by different rules differ for
// a reason that no coefficient knows of.
func (rv *reviewed) guidelines() []string {
	made := make(map[int]int)
	for i := range rv.items {
		for j := range rv.items[i].Labels {
			l := &rv.items[i].Labels[j]
			if version := rv.queue.Guideline.Of(l); version > 0 || !l.Imported { // a file seldom says
				made[version]++
			}
		}
	}
	if len(made) < 2 {
		return nil
	}
	var parts []string
	for _, version := range slices.Sorted(maps.Keys(made)) {
		under := fmt.Sprintf("version %d", version)
		if version == 0 {
			under = "none, or an unknown one"
		}
		parts = append(parts, fmt.Sprintf("%s: %s", under, report.Plural(made[version], "label")))
	}
	return []string{"The labels were made under different versions of the guideline (" + strings.Join(parts, ", ") + "): concord queue guideline " + string(rv.queue.Name) + " --history shows them."}
}
