package accuracy

import (
	"cmp"
	"slices"

	"concord/eval"
	"concord/eval/stat"
)

// leaderboard is one leaderboard of MME: a figure by which rows are placed.
type leaderboard struct {
	name   string
	level  []string                            // of the questions: none, an ability, or an ability and a subtask
	figure func(*MMERow) (stat.Estimate, *int) // and where the place goes; nil: it has none
}

// leaderboards are MME's 16 leaderboards (Fig. 2) and the one of both abilities.
// Partial sums are not comparable, and have no place.
func leaderboards(rows []*MMERow) []leaderboard {
	sum := func(partial func(*MMERow) bool, figure func(*MMERow) (stat.Estimate, *int)) func(*MMERow) (stat.Estimate, *int) {
		return func(r *MMERow) (stat.Estimate, *int) {
			if partial(r) {
				return stat.Estimate{}, nil
			}
			return figure(r)
		}
	}
	lacks := func(ability string) func(*MMERow) bool {
		return func(r *MMERow) bool {
			n := 0
			for i := range r.List {
				if s := &r.List[i]; s.Ability == ability && s.Accuracy.N > 0 {
					n++
				}
			}
			return n < eval.MMESubtasks(ability)
		}
	}
	out := []leaderboard{
		{"total", nil, sum(func(r *MMERow) bool { return r.Partial }, func(r *MMERow) (stat.Estimate, *int) { return r.Total, &r.TotalPlace })},
		{eval.Perception, []string{eval.Perception}, sum(lacks(eval.Perception), func(r *MMERow) (stat.Estimate, *int) { return r.Perception, &r.PerceptionPlace })},
		{eval.Cognition, []string{eval.Cognition}, sum(lacks(eval.Cognition), func(r *MMERow) (stat.Estimate, *int) { return r.Cognition, &r.CognitionPlace })},
	}
	for _, name := range subtaskNames(rows, "") {
		out = append(out, leaderboard{name, []string{eval.MMEAbility(name), name}, func(r *MMERow) (stat.Estimate, *int) {
			if s := r.find(name); s != nil {
				return s.Score, &s.Place
			}
			return stat.Estimate{}, nil
		}})
	}
	return out
}

// subtaskNames are the subtasks of an ability that any of the rows has, in
// their order; "" is both abilities.
func subtaskNames(rows []*MMERow, ability string) []string {
	var out []string
	for _, of := range []string{eval.Perception, eval.Cognition} {
		var some []string
		for _, r := range rows {
			for i := range r.List {
				if r.List[i].Ability == of && (ability == "" || ability == of) {
					some = append(some, r.List[i].Name)
				}
			}
		}
		slices.Sort(some)
		out = append(out, slices.Compact(some)...)
	}
	return out
}

// placed gives the rows of each dataset and split their places; of equal
// scores each has the best one.
func placed(rows []*MMERow) {
	for _, group := range byPlace(rows) {
		for _, b := range leaderboards(group) {
			for _, s := range b.placings(group) {
				_, at := b.figure(s.row)
				*at = s.place
			}
		}
	}
}

// placing is a row's place on a board.
type placing struct {
	row   *MMERow
	score stat.Estimate
	place int
}

func (b *leaderboard) placings(rows []*MMERow) []placing {
	var out []placing
	for _, r := range rows {
		if e, at := b.figure(r); at != nil && e.Reason() == "" {
			out = append(out, placing{row: r, score: e})
		}
	}
	slices.SortStableFunc(out, func(x, y placing) int { return cmp.Compare(y.score.Value, x.score.Value) })
	for i := range out {
		out[i].place = i + 1
		if i > 0 && out[i].score.Value == out[i-1].score.Value {
			out[i].place = out[i-1].place
		}
	}
	return out
}

// byPlace are the rows by dataset and split, in the order of the first of each.
func byPlace(rows []*MMERow) [][]*MMERow {
	var out [][]*MMERow
	for _, r := range rows {
		i := slices.IndexFunc(out, func(g []*MMERow) bool { return g[0].Dataset == r.Dataset && g[0].Split == r.Split })
		if i < 0 {
			out = append(out, []*MMERow{r})
		} else {
			out[i] = append(out[i], r)
		}
	}
	return out
}
