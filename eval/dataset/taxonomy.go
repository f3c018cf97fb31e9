package dataset

import (
	"encoding/json"
	"slices"
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
	if also := r.Cell(r.Head.Also); len(also) > 0 && also[0] == '[' && json.Unmarshal(also, &rec.sample.Also) != nil {
		rec.sample.Also = nil // of another program
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
	category := rec.clean(r.Cell(r.Head.Category), "category")
	var further []string
	if r.Name(r.Head.Also) == string(eval.Yes) {
		several := strings.Split(category, ",")
		category, further = several[0], several[1:]
	}
	for _, one := range further {
		rec.sample.Also = append(rec.sample.Also, append(slices.Clone(path), strings.TrimSpace(one)))
	}
	add(category)
	add(rec.clean(r.Cell(r.Head.Fine), "l2_category"))
	if rec.sample.Kind == eval.KindYesNo && len(path) == 1 {
		if ability := eval.MMEAbility(path[0]); ability != "" {
			path = []string{ability, path[0]}
		}
	}
	return path
}
