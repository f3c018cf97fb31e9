package report

import (
	"slices"

	"concord/eval"
	"concord/eval/stat"
)

// mmeSheets are, for each dataset and split, the sums with the shares, the
// scores of each ability's subtasks, accuracy and accuracy+ (Tables 1 to 3),
// and the leaderboards where there are rows to place.
func mmeSheets(rows []*MMERow) []Table {
	var out []Table
	for _, group := range byPlace(rows) {
		at := group[0].place()
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

func mmeSums(rows []*MMERow, title string) Table {
	t := Table{Name: "mme", Title: title, Columns: columns(sheetColumns, cardColumns, []Column{
		{Name: "extractor"},
		{Name: "perception", Kind: KindScore},
		{Name: "cognition", Kind: KindScore},
		{Name: "total", Kind: KindScore},
		{Name: "follows", Kind: KindRate},
		{Name: "yes", Kind: KindRate},
		{Name: "always_yes", Kind: KindRate},
	}, countColumns("missing"))}
	for _, r := range rows {
		t.Rows = append(t.Rows, slices.Concat(r.sheetCells(), r.Card.cells(), []Cell{
			text(r.Extractor), score(r.Perception), score(r.Cognition), score(r.Total),
			rate(r.Shares.Follows), rate(r.Shares.Yes), rate(r.Shares.AlwaysYes), integer(r.Missing),
		}))
	}
	return t.without(cardColumns)
}

func mmeScores(rows []*MMERow, title string, names []string) Table {
	t := Table{Name: "mme", Title: title, Columns: columns(sheetColumns, []Column{{Name: "extractor"}})}
	for _, name := range names {
		t.Columns = append(t.Columns, Column{Name: name, Kind: KindScore})
	}
	for _, r := range rows {
		line := append(r.sheetCells(), text(r.Extractor))
		for _, name := range names {
			if s := r.find(name); s != nil {
				line = append(line, score(s.Score))
			} else {
				line = append(line, score(stat.NoEstimate("no questions")))
			}
		}
		t.Rows = append(t.Rows, line)
	}
	t.mark(len(sheetColumns) + 1)
	return t
}

func mmeAccuracies(rows []*MMERow, title string, names []string) Table {
	t := Table{Name: "mme", Title: title, Columns: columns(sheetColumns, []Column{
		{Name: "extractor"},
		{Name: "subtask"},
		{Name: "accuracy", Kind: KindRate},
		{Name: "accuracy_plus", Kind: KindRate},
		{Name: "follows", Kind: KindRate},
		{Name: "always_yes", Kind: KindRate},
	}, countColumns("undecided", "unpaired"))}
	for _, name := range names {
		for _, r := range rows {
			if s := r.find(name); s != nil {
				t.Rows = append(t.Rows, append(r.sheetCells(), text(r.Extractor), text(name), rate(s.Accuracy), rate(s.Plus),
					rate(s.Follows), rate(s.AlwaysYes), integer(s.Undecided), integer(s.Unpaired)))
			}
		}
	}
	return t
}

func mmeBoards(rows []*MMERow, title string) Table {
	t := Table{Name: "mme", Title: title, Columns: []Column{
		{Name: "board"},
		{Name: "place", Kind: KindCount},
		{Name: "run", Kind: KindCount},
		{Name: "model"},
		{Name: "modality"},
		{Name: "extractor"},
		{Name: "score", Kind: KindScore},
	}}
	for _, b := range leaderboards(rows) {
		for _, s := range b.placings(rows) {
			head := s.row.sheetCells()
			t.Rows = append(t.Rows, []Cell{text(b.name), integer(s.place), head[0], head[1], head[2], text(s.row.Extractor), score(s.score)})
		}
	}
	return t
}
