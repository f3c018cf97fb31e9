package dataset

import (
	"strings"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
)

// The first level of MMBench's taxonomy by the second (MMBench, Sec. 3.1,
// Fig. 2), which its files do not write. Names are compared without case,
// underscores and hyphens, as the releases differ in those.
var firstLevels = map[string]string{
	"coarse perception":                        "perception",
	"finegrained perception (single instance)": "perception",
	"finegrained perception (instance level)":  "perception",
	"finegrained perception (cross instance)":  "perception",
	"attribute reasoning":                      "reasoning",
	"relation reasoning":                       "reasoning",
	"logic reasoning":                          "reasoning",
}

// taxonomy returns the row's path from coarse to fine. The two spellings
// mean opposite things: l2-category (MMBench) is coarser than category,
// l2_category (MMStar) finer. MME writes its subtasks alone: the ability goes
// before them. Empty levels are left out. Exports of this package write the
// path as a list.
func (r *row) taxonomy(rec *record) []string {
	var path []string
	add := func(level string) {
		if level = strings.TrimSpace(level); level != "" {
			path = append(path, level)
		}
	}
	if list, ok := fastio.ParseList(r.cell(r.head.taxonomy)); ok {
		for _, level := range list {
			add(rec.clean(level, "taxonomy"))
		}
		return path
	}
	coarse := rec.clean(r.cell(r.head.coarse), "l2-category")
	add(firstLevels[plainLevel(coarse)])
	add(coarse)
	add(rec.clean(r.cell(r.head.category), "category"))
	add(rec.clean(r.cell(r.head.fine), "l2_category"))
	if rec.sample.Kind == eval.KindYesNo && len(path) == 1 {
		if ability := eval.MMEAbility(path[0]); ability != "" {
			path = []string{ability, path[0]}
		}
	}
	return path
}

func plainLevel(level string) string {
	level = strings.NewReplacer("_", " ", "-", " ").Replace(strings.ToLower(level))
	return squeeze(strings.ReplaceAll(level, "fine grained", "finegrained"))
}
