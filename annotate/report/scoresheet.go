package report

import (
	"fmt"
	"slices"
)

func (r *ScoresRow) columns() []Column {
	return columns(headColumns, []Column{
		{Name: "measure"},
		{Name: "scorer"},
		{Name: "exact_match", Kind: KindRate},
		{Name: "mean", Kind: KindScore},
		{Name: "difference", Kind: KindScore},
	}, countColumns("score_1", "score_2", "score_3", "score_4", "score_5", "unparsed", "errors", "not_asked", "no_reference", "no_answer"))
}

// lines give exact match, and then a line for each judge and for people.
func (r *ScoresRow) lines() [][]Cell {
	line := func(measure, scorer string, figures ...Cell) []Cell {
		all := make([]Cell, len(r.columns())-len(headColumns)-2)
		copy(all, figures)
		return slices.Concat(r.cells(), []Cell{text(measure), text(scorer)}, all)
	}
	whole := line("exact_match", "", rate(r.ExactMatch))
	n := len(whole)
	whole[n-2], whole[n-1] = integer(r.NoReference), integer(r.NoAnswer)
	out := [][]Cell{whole}
	for i := range r.Judges {
		j := &r.Judges[i]
		figures := []Cell{blank(), mean(j.Mean), mean(j.Beyond)}
		for _, k := range j.Given {
			figures = append(figures, integer(k))
		}
		out = append(out, line("judge", j.Judge, append(figures, integer(j.Unparsed), integer(j.Failed), integer(j.NotAsked))...))
	}
	if r.People.any() {
		out = append(out, line("people", "", blank(), mean(r.People.Mean)))
	}
	return out
}

func (p *PeopleScore) any() bool { return p.Scores+p.Flagged+p.Informed+p.Priority > 0 }

// scoreSheets lay the rows of a dataset out as people read them: a line for
// each run, with a column for each judge; and how the scores fell.
func scoreSheets(rows []*ScoresRow) []Table {
	var out []Table
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].Dataset == rows[0].Dataset {
			n++
		}
		out = append(out, scoreSheet(rows[:n]))
		if t := givenSheet(rows[:n]); len(t.Rows) > 0 {
			out = append(out, t)
		}
		rows = rows[n:]
	}
	return out
}

func scoreSheet(rows []*ScoresRow) Table {
	var judges []string
	people := false
	for _, r := range rows {
		people = people || r.People.any()
		for i := range r.Judges {
			if !slices.Contains(judges, r.Judges[i].Judge) {
				judges = append(judges, r.Judges[i].Judge)
			}
		}
	}
	t := Table{Name: "scores", Title: string(rows[0].Dataset), Columns: columns(sheetColumns, []Column{{Name: "exact_match", Kind: KindRate}})}
	for _, j := range judges {
		t.Columns = append(t.Columns, Column{Name: j, Kind: KindScore})
	}
	if people {
		t.Columns = append(t.Columns, Column{Name: "people", Kind: KindScore})
	}
	t.Columns = append(t.Columns, countColumns("no_reference", "no_answer")...)
	for _, r := range rows {
		line := append(r.sheetCells(), rate(r.ExactMatch))
		for _, name := range judges {
			i := slices.IndexFunc(r.Judges, func(j JudgeScore) bool { return j.Judge == name })
			if i < 0 {
				line = append(line, text("- (not asked)"))
			} else {
				line = append(line, mean(r.Judges[i].Mean))
			}
		}
		if people {
			line = append(line, mean(r.People.Mean))
		}
		t.Rows = append(t.Rows, append(line, integer(r.NoReference), integer(r.NoAnswer)))
		if p := &r.People; p.any() {
			t.Notes = append(t.Notes, fmt.Sprintf(
				"People scored answers of run %d: %d scores by %d; answers left out: flagged %d, after the reveal %d, of queues drawn by interest alone %d.",
				r.Run, p.Scores, p.People, p.Flagged, p.Informed, p.Priority))
		}
	}
	return t
}

// givenSheet is how each judge's scores fell, and what it gave none for.
func givenSheet(rows []*ScoresRow) Table {
	t := Table{
		Name: "scores given", Title: string(rows[0].Dataset),
		Columns: columns([]Column{{Name: "run", Kind: KindCount}, {Name: "model"}, {Name: "scorer"}},
			countColumns("1", "2", "3", "4", "5", "unparsed", "errors", "not_asked"), []Column{{Name: "less people's", Kind: KindScore}}),
	}
	for _, r := range rows {
		cells := r.cells()
		for i := range r.Judges {
			j := &r.Judges[i]
			line := []Cell{cells[0], cells[3], text(j.Judge)}
			for _, k := range j.Given {
				line = append(line, integer(k))
			}
			t.Rows = append(t.Rows, append(line, integer(j.Unparsed), integer(j.Failed), integer(j.NotAsked), mean(j.Beyond)))
		}
	}
	return t
}
