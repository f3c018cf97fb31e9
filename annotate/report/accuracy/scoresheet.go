package accuracy

import (
	"fmt"
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/table"
)

// Columns names the columns of the lines that Lines gives.
func (r *ScoresRow) Columns() []table.Column {
	return table.Columns(report.HeadColumns, []table.Column{
		{Name: "measure"},
		{Name: "scorer"},
		{Name: "exact_match", Kind: table.KindRate},
		{Name: "mean", Kind: table.KindScore},
		{Name: "difference", Kind: table.KindScore},
	}, table.CountColumns("score_1", "score_2", "score_3", "score_4", "score_5", "unparsed", "errors", "not_asked", "no_reference", "no_answer"))
}

// Lines give exact match, and then a line for each judge and for people.
func (r *ScoresRow) Lines() [][]table.Cell {
	line := func(measure, scorer string, figures ...table.Cell) []table.Cell {
		all := make([]table.Cell, len(r.Columns())-len(report.HeadColumns)-2)
		copy(all, figures)
		return slices.Concat(r.Cells(), []table.Cell{table.Text(measure), table.Text(scorer)}, all)
	}
	whole := line("exact_match", "", table.Rate(r.ExactMatch))
	n := len(whole)
	whole[n-2], whole[n-1] = table.Count(r.NoReference), table.Count(r.NoAnswer)
	out := [][]table.Cell{whole}
	for i := range r.Judges {
		j := &r.Judges[i]
		figures := []table.Cell{table.Blank(), table.Mean(j.Mean), table.Mean(j.Beyond)}
		for _, k := range j.Given {
			figures = append(figures, table.Count(k))
		}
		out = append(out, line("judge", j.Judge, append(figures, table.Count(j.Unparsed), table.Count(j.Failed), table.Count(j.NotAsked))...))
	}
	if r.People.any() {
		out = append(out, line("people", "", table.Blank(), table.Mean(r.People.Mean)))
	}
	return out
}

func (p *PeopleScore) any() bool { return p.Scores+p.Flagged+p.Informed+p.Priority > 0 }

// scoreSheets lay the rows of a dataset out as people read them: a line for
// each run, with a column for each judge; and how the scores fell.
func scoreSheets(rows []*ScoresRow) []table.Table {
	var out []table.Table
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

func scoreSheet(rows []*ScoresRow) table.Table {
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
	t := table.Table{Name: "scores", Title: string(rows[0].Dataset), Columns: table.Columns(report.SheetColumns, []table.Column{{Name: "exact_match", Kind: table.KindRate}})}
	for _, j := range judges {
		t.Columns = append(t.Columns, table.Column{Name: j, Kind: table.KindScore})
	}
	if people {
		t.Columns = append(t.Columns, table.Column{Name: "people", Kind: table.KindScore})
	}
	t.Columns = append(t.Columns, table.CountColumns("no_reference", "no_answer")...)
	for _, r := range rows {
		line := append(r.SheetCells(), table.Rate(r.ExactMatch))
		for _, name := range judges {
			i := slices.IndexFunc(r.Judges, func(j JudgeScore) bool { return j.Judge == name })
			if i < 0 {
				line = append(line, table.Text("- (not asked)"))
			} else {
				line = append(line, table.Mean(r.Judges[i].Mean))
			}
		}
		if people {
			line = append(line, table.Mean(r.People.Mean))
		}
		t.Rows = append(t.Rows, append(line, table.Count(r.NoReference), table.Count(r.NoAnswer)))
		if p := &r.People; p.any() {
			t.Notes = append(t.Notes, fmt.Sprintf(
				"People scored answers of run %d: %d scores by %d; answers left out: flagged %d, after the reveal %d, of queues drawn by interest alone %d.",
				r.Run, p.Scores, p.People, p.Flagged, p.Informed, p.Priority))
		}
	}
	return t
}

// givenSheet is how each judge's scores fell, and what it gave none for.
func givenSheet(rows []*ScoresRow) table.Table {
	t := table.Table{
		Name: "scores given", Title: string(rows[0].Dataset),
		Columns: table.Columns([]table.Column{{Name: "run", Kind: table.KindCount}, {Name: "model"}, {Name: "scorer"}},
			table.CountColumns("1", "2", "3", "4", "5", "unparsed", "errors", "not_asked"), []table.Column{{Name: "less people's", Kind: table.KindScore}}),
	}
	for _, r := range rows {
		cells := r.Cells()
		for i := range r.Judges {
			j := &r.Judges[i]
			line := []table.Cell{cells[0], cells[3], table.Text(j.Judge)}
			for _, k := range j.Given {
				line = append(line, table.Count(k))
			}
			t.Rows = append(t.Rows, append(line, table.Count(j.Unparsed), table.Count(j.Failed), table.Count(j.NotAsked), table.Mean(j.Beyond)))
		}
	}
	return t
}
