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
			text(r.Extractor), r.scored(r.Perception, eval.Perception), r.scored(r.Cognition, eval.Cognition), r.scored(r.Total),
			rate(r.Shares.Follows).over(r.opener(), Follows, NotFollows), rate(r.Shares.Yes).over(r.opener(), SaidYes, SaidNo),
			rate(r.Shares.AlwaysYes).over(r.opener(), AlwaysYes), integer(r.Missing),
		}))
	}
	return t.without(cardColumns)
}

func (r *MMERow) opener() opener { return opener{row: r, extractor: r.Extractor} }

// scored is a score with the questions that it is made of: all, or those of an
// ability, or of a subtask of it.
func (r *MMERow) scored(e stat.Estimate, level ...string) Cell {
	o := r.opener().under(level...)
	return score(e).over(o, Right, Wrong).and(o, PlusRight, PlusWrong)
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
				line = append(line, r.scored(s.Score, s.Ability, s.Name))
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
				o := r.opener().under(s.Ability, s.Name)
				t.Rows = append(t.Rows, append(r.sheetCells(), text(r.Extractor), text(name), rate(s.Accuracy).over(o, Right, Wrong),
					rate(s.Plus).over(o, PlusRight, PlusWrong), rate(s.Follows).over(o, Follows, NotFollows), rate(s.AlwaysYes).over(o, AlwaysYes),
					integer(s.Undecided).over(o, Undecided), integer(s.Unpaired).over(o, Unpaired)))
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
			t.Rows = append(t.Rows, []Cell{text(b.name), integer(s.place), head[0], head[1], head[2], text(s.row.Extractor), s.row.scored(s.score, b.level...)})
		}
	}
	return t
}
