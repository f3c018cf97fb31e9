package accuracy

import (
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
		out = append(out, report.RowTable(mmeSums, "mme", at, group).Without(cardColumns))
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

var mmeSums = report.Lay(report.SheetNames+cardNames+"extractor perception cognition total follows yes always_yes missing", MMERow{}, MMEShares{}).Named(accuracyNames)

// scored is a score with the questions that it is made of: all, or those of an
// ability, or of a subtask of it.
func (r *MMERow) scored(e stat.Estimate, level ...string) table.Cell {
	o := r.opener().Under(level...)
	return report.And(report.Over(table.Score(e), o, report.Right, report.Wrong), o, PlusRight, PlusWrong)
}

func mmeScores(rows []*MMERow, title string, names []string) table.Table {
	t := table.Table{Name: "mme", Title: title, Columns: table.Columns(report.SheetColumns, table.List("extractor"))}
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

var mmeAccuracyLayout = report.Lay(report.SheetNames+"extractor subtask accuracy accuracy_plus follows always_yes undecided unpaired", MMERow{}, MMESubtask{})

func mmeAccuracies(rows []*MMERow, title string, names []string) table.Table {
	t := mmeAccuracyLayout.Table("mme", title)
	for _, name := range names {
		for _, r := range rows {
			if s := r.find(name); s != nil {
				t.Rows = append(t.Rows, mmeAccuracyLayout.Line(r.subtask(s), s, r))
			}
		}
	}
	return t
}

var mmeBoardLayout = report.Lay("board place:count run model modality extractor score", MMERow{}, mmeSum{})

func mmeBoards(rows []*MMERow, title string) table.Table {
	t := mmeBoardLayout.Table("mme", title)
	for _, b := range leaderboards(rows) {
		for _, s := range b.placings(rows) {
			t.Rows = append(t.Rows, mmeBoardLayout.Line(s.row.opener(), report.Cells{
				"board": table.Text(b.name), "place": table.Count(s.place), "score": s.row.scored(s.score, b.level...),
			}, s.row))
		}
	}
	return t
}
