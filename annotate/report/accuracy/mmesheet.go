package accuracy

import (
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// mmeSheets are, for each dataset and split, the sums with the shares, the
// scores of each ability's subtasks, accuracy and accuracy+ (Tables 1 to 3),
// and the leaderboards where there are rows to place.
func mmeSheets(rows []*MMERow) []table.Table {
	var out []table.Table
	for _, group := range byPlace(rows) {
		at := group[0].Place()
		out = append(out, mmeSums(group, at))
		for _, ability := range []string{eval.Perception, eval.Cognition} {
			if names := subtaskNames(group, ability); len(names) > 0 {
				out = append(out, mmeScores(group, at+": "+ability, names), mmeAccuracies(group, at+": "+ability+", accuracy and accuracy+", names))
			}
		}
		if len(group) > 1 {
			out = append(out, mmeBoards(group, at+": leaderboards"))
		}
	}
	return out
}

func mmeSums(rows []*MMERow, title string) table.Table {
	t := table.Table{Name: "mme", Title: title, Columns: table.Columns(report.SheetColumns, cardColumns, []table.Column{
		{Name: "extractor"},
		{Name: "perception", Kind: table.KindScore},
		{Name: "cognition", Kind: table.KindScore},
		{Name: "total", Kind: table.KindScore},
		{Name: "follows", Kind: table.KindRate},
		{Name: "yes", Kind: table.KindRate},
		{Name: "always_yes", Kind: table.KindRate},
	}, table.CountColumns("missing"))}
	for _, r := range rows {
		t.Rows = append(t.Rows, slices.Concat(r.SheetCells(), r.Card.cells(), []table.Cell{
			table.Text(r.Extractor), r.scored(r.Perception, eval.Perception), r.scored(r.Cognition, eval.Cognition), r.scored(r.Total),
			report.Over(table.Rate(r.Shares.Follows), r.opener(), Follows, NotFollows), report.Over(table.Rate(r.Shares.Yes), r.opener(), SaidYes, SaidNo),
			report.Over(table.Rate(r.Shares.AlwaysYes), r.opener(), AlwaysYes), table.Count(r.Missing),
		}))
	}
	return t.Without(cardColumns)
}

func (r *MMERow) opener() report.Opener { return opens(r, r.Extractor) }

// scored is a score with the questions that it is made of: all, or those of an
// ability, or of a subtask of it.
func (r *MMERow) scored(e stat.Estimate, level ...string) table.Cell {
	o := r.opener().Under(level...)
	return report.And(report.Over(table.Score(e), o, report.Right, report.Wrong), o, PlusRight, PlusWrong)
}

func mmeScores(rows []*MMERow, title string, names []string) table.Table {
	t := table.Table{Name: "mme", Title: title, Columns: table.Columns(report.SheetColumns, []table.Column{{Name: "extractor"}})}
	for _, name := range names {
		t.Columns = append(t.Columns, table.Column{Name: name, Kind: table.KindScore})
	}
	for _, r := range rows {
		line := append(r.SheetCells(), table.Text(r.Extractor))
		for _, name := range names {
			if s := r.find(name); s != nil {
				line = append(line, r.scored(s.Score, s.Ability, s.Name))
			} else {
				line = append(line, table.Score(stat.NoEstimate("no questions")))
			}
		}
		t.Rows = append(t.Rows, line)
	}
	t.MarkBest(len(report.SheetColumns) + 1)
	return t
}

func mmeAccuracies(rows []*MMERow, title string, names []string) table.Table {
	t := table.Table{Name: "mme", Title: title, Columns: table.Columns(report.SheetColumns, []table.Column{
		{Name: "extractor"},
		{Name: "subtask"},
		{Name: "accuracy", Kind: table.KindRate},
		{Name: "accuracy_plus", Kind: table.KindRate},
		{Name: "follows", Kind: table.KindRate},
		{Name: "always_yes", Kind: table.KindRate},
	}, table.CountColumns("undecided", "unpaired"))}
	for _, name := range names {
		for _, r := range rows {
			if s := r.find(name); s != nil {
				o := r.opener().Under(s.Ability, s.Name)
				t.Rows = append(t.Rows, append(r.SheetCells(), table.Text(r.Extractor), table.Text(name), report.Over(table.Rate(s.Accuracy), o, report.Right, report.Wrong),
					report.Over(table.Rate(s.Plus), o, PlusRight, PlusWrong), report.Over(table.Rate(s.Follows), o, Follows, NotFollows), report.Over(table.Rate(s.AlwaysYes), o, AlwaysYes),
					report.Over(table.Count(s.Undecided), o, Undecided), report.Over(table.Count(s.Unpaired), o, Unpaired)))
			}
		}
	}
	return t
}

func mmeBoards(rows []*MMERow, title string) table.Table {
	t := table.Table{Name: "mme", Title: title, Columns: []table.Column{
		{Name: "board"},
		{Name: "place", Kind: table.KindCount},
		{Name: "run", Kind: table.KindCount},
		{Name: "model"},
		{Name: "modality"},
		{Name: "extractor"},
		{Name: "score", Kind: table.KindScore},
	}}
	for _, b := range leaderboards(rows) {
		for _, s := range b.placings(rows) {
			head := s.row.SheetCells()
			t.Rows = append(t.Rows, []table.Cell{table.Text(b.name), table.Count(s.place), head[0], head[1], head[2], table.Text(s.row.Extractor), s.row.scored(s.score, b.level...)})
		}
	}
	return t
}
