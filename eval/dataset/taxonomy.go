package dataset

import (
	"strings"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/profile"
)

// taxonomyOf returns the row's path from coarse to fine. The two spellings
// mean opposite things: l2-category (MMBench) is coarser than category,
// l2_category (MMStar) finer. MME writes its subtasks alone: the ability goes
// before them. Empty levels are left out. Exports of this package write the
// path as a list.
func taxonomyOf(r *profile.Row, rec *record) []string {
	var path []string
	add := func(level string) {
		if level = strings.TrimSpace(level); level != "" {
			path = append(path, level)
		}
	}
	if list, ok := fastio.ParseList(r.Cell(r.Head.Taxonomy)); ok {
		for _, level := range list {
			add(rec.clean(level, "taxonomy"))
		}
		return path
	}
	coarse := rec.clean(r.Cell(r.Head.Coarse), "l2-category")
	add(profile.FirstLevel(coarse))
	add(coarse)
	add(rec.clean(r.Cell(r.Head.Category), "category"))
	add(rec.clean(r.Cell(r.Head.Fine), "l2_category"))
	if rec.sample.Kind == eval.KindYesNo && len(path) == 1 {
		if ability := eval.MMEAbility(path[0]); ability != "" {
			path = []string{ability, path[0]}
		}
	}
	return path
}
