package accuracy

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// MMERow is a run's scores on MME (Tables 1 to 3, Fig. 2). Perception and
// Cognition are sums over the subtasks that a question is decided of; Missing of
// the 14 have none, and then the row is Partial and has no place on the boards
// of the sums.
type MMERow struct {
	report.ForEveryone
	report.Head
	report.Source
	Card       *CardInfo     `json:"card,omitempty"`
	Perception stat.Estimate `json:"perception" opens:"right wrong" and:"plus_right plus_wrong" under:"perception"`
	Cognition  stat.Estimate `json:"cognition" opens:"right wrong" and:"plus_right plus_wrong" under:"cognition"`
	Total      stat.Estimate `json:"total" opens:"right wrong" and:"plus_right plus_wrong"`
	Partial    bool          `json:"partial"`
	Missing    int           `json:"missing"`

	// Places on the leaderboards of the row's dataset and split; 0: none.
	PerceptionPlace int `json:"perception_place,omitempty"`
	CognitionPlace  int `json:"cognition_place,omitempty"`
	TotalPlace      int `json:"total_place,omitempty"`

	Shares MMEShares    `json:"shares"` // over all subtasks
	List   []MMESubtask `json:"subtasks"`
}

// MMEShares are what MME's Sec. 4 looks at beside the scores: answers that
// begin with yes or no, as the questions ask, of all answers; those that say
// yes, of the answers read; pictures about which both questions are answered
// yes, of those with two answers read.
type MMEShares struct {
	Follows   stat.Rate `json:"follows" opens:"follows not_follows"`
	Yes       stat.Rate `json:"yes" opens:"said_yes said_no"`
	AlwaysYes stat.Rate `json:"always_yes" opens:"always_yes"`
}

// MMESubtask is a run's figures on one subtask. Undecided questions are in no
// rate; those that are Unpaired are in Accuracy alone, since no other question
// about their picture is there.
type MMESubtask struct {
	Name     string        `json:"name" column:"subtask"`
	Ability  string        `json:"ability"`
	Accuracy stat.Rate     `json:"accuracy" opens:"right wrong"`
	Plus     stat.Rate     `json:"accuracy_plus" opens:"plus_right plus_wrong"`
	Score    stat.Estimate `json:"score" opens:"right wrong" and:"plus_right plus_wrong"`
	Place    int           `json:"place,omitempty" as:"place"` // on the subtask's leaderboard; 0: none
	MMEShares
	Questions int `json:"questions"`
	Undecided int `json:"undecided" opens:"undecided"`
	Unpaired  int `json:"unpaired" opens:"unpaired"`
}

// mmeSum is a score over several subtasks, and its place on a leaderboard.
type mmeSum struct {
	Ability string        `json:"ability"`
	Subtask string        `json:"subtask"`
	Score   stat.Estimate `json:"score"`
	Place   int           `json:"place" as:"place"`
}

// MME reports the runs on datasets with MME's subtasks.
func MME(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	f, err := report.Scan(ctx, facts, o)
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "mme", Confidence: stat.Confidence, Draw: drawMME}
	var rows []*MMERow
	for r, s := range f.Parts() {
		if all := s.Counted.MME.Subtasks(); len(all) > 0 {
			row := mmeRow(all)
			row.Head, row.Source, row.Card = report.HeadOf(r.Run, s.Name), r.Source(), cardOf(&o, r.Run.Config.Model)
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return report.Report{}, fmt.Errorf("find runs on MME (import its folder or a file of the kit): %w", eval.ErrNotFound)
	}
	placed(rows)
	out.Rows = report.Rows(rows)
	for _, r := range rows {
		out.Notes = append(out.Notes, r.notes()...)
	}
	out.Sheets = mmeSheets(rows)
	return out, nil
}

func mmeRow(all []metric.Subtask) *MMERow {
	total := mmeTotal(all, (*metric.Subtask).Score)
	row := &MMERow{
		Perception: total.Perception, Cognition: total.Cognition, Total: total.Total,
		Missing: total.Missing, Partial: total.Missing > 0, List: []MMESubtask{},
	}
	var sum metric.Subtask
	for i := range all {
		s := &all[i]
		sum.Merge(s)
		row.List = append(row.List, MMESubtask{
			Name: s.Name, Ability: s.Ability,
			Accuracy: s.AccuracyRate(), Plus: s.PlusRate(), Score: s.Score(),
			MMEShares: mmeShares(s), Questions: s.Questions, Undecided: s.Undecided, Unpaired: s.Unpaired,
		})
	}
	row.Shares = mmeShares(&sum)
	return row
}

func mmeShares(s *metric.Subtask) MMEShares {
	return MMEShares{s.FollowsRate(), s.YesRate(), s.AlwaysYesRate()}
}

// notes say what the row's totals lack.
func (r *MMERow) notes() []string {
	var out []string
	if r.Partial {
		out = append(out, fmt.Sprintf("Run %d, split %s: the totals are partial, %d of MME's 14 subtasks are not there.", r.Run, r.Split, r.Missing))
	}
	undecided, unpaired := 0, 0
	for i := range r.List {
		undecided += r.List[i].Undecided
		unpaired += r.List[i].Unpaired
	}
	if unpaired > 0 {
		out = append(out, fmt.Sprintf("Run %d, split %s: questions without another one about their image are in accuracy and not in accuracy+ (%s).", r.Run, r.Split, table.Grouped(unpaired)))
	}
	if undecided > 0 {
		out = append(out, fmt.Sprintf("Run %d, split %s: questions that are not decided are in no figure (%s).", r.Run, r.Split, table.Grouped(undecided)))
	}
	return out
}

// find is the row's figures on a subtask, or nil.
func (r *MMERow) find(name string) *MMESubtask {
	if i := slices.IndexFunc(r.List, func(s MMESubtask) bool { return s.Name == name }); i >= 0 {
		return &r.List[i]
	}
	return nil
}

var mmeLayout = report.Lay(report.HeadNames+cardNames+
	"extractor ability subtask score place accuracy accuracy_plus follows yes always_yes missing questions undecided unpaired", MMERow{}, MMESubtask{})

// Columns names the columns of the lines that Lines gives.
func (r *MMERow) Columns() []table.Column { return mmeLayout.Columns }

// Lines gives the sums and then one line for each subtask.
func (r *MMERow) Lines() (out [][]table.Cell) {
	line := func(o report.Opener, parts ...any) {
		out = append(out, mmeLayout.Line(o, append(parts, &r.Head, &r.Source, r.Card)...))
	}
	line(r.opener(), &mmeSum{"both", "total", r.Total, r.TotalPlace}, &r.Shares, report.Cells{"missing": table.Count(r.Missing)})
	line(r.opener(), &mmeSum{eval.Perception, "total", r.Perception, r.PerceptionPlace})
	line(r.opener(), &mmeSum{eval.Cognition, "total", r.Cognition, r.CognitionPlace})
	for i := range r.List {
		line(r.subtask(&r.List[i]), &r.List[i])
	}
	return out
}

func (r *MMERow) opener() report.Opener { return opens(r, r.Extractor) }

func (r *MMERow) subtask(s *MMESubtask) report.Opener { return r.opener().Under(s.Ability, s.Name) }

// Parts are the row's card, and what it says beside its scores.
func (r *MMERow) Parts() []any { return []any{r.Card, &r.Shares} }

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
	return table.GroupBy(rows, func(r *MMERow) string { return r.Place() })
}
