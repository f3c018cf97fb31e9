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

// MMERow is a run's scores on MME (Tables 1 to 3, Fig. 2). Perception and Cognition are sums
// over the subtasks that a question is decided of; Missing of the 14 have none, and then the
// row is Partial and has no place on the boards of the sums.
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

// MMEShares are what MME's Sec. 4 looks at beside the scores: answers that begin with yes or
// no, as the questions ask, of all answers; those that say yes, of the answers read; pictures
// about which both questions are answered yes, of those with two answers read.
type MMEShares struct {
	Follows   stat.Rate `json:"follows" opens:"follows not_follows"`
	Yes       stat.Rate `json:"yes" opens:"said_yes said_no"`
	AlwaysYes stat.Rate `json:"always_yes" opens:"always_yes"`
}

// MMESubtask is a run's figures on one subtask. Undecided questions are in no rate; those that
// are Unpaired are in Accuracy alone, since no other question about their picture is there.
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

// ReportMME reports the runs on datasets with MME's subtasks.
func ReportMME(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	f, err := report.ScanRuns(ctx, facts, o)
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "mme", Layout: mmeLayout, Confidence: stat.Confidence, Draw: drawMME}
	var rows []*MMERow
	for r, s := range f.EachSplit() {
		if all := s.Counted.MME.Subtasks(); len(all) > 0 {
			row := newMMERow(all)
			row.Head, row.Source, row.Card = report.NewHead(r.Run, s.Name), r.ReadingSource(), newCardInfo(&o, r.Run.Config.Model)
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return report.Report{}, fmt.Errorf("find runs on MME (import its folder or a file of the kit): %w", eval.ErrNotFound)
	}
	assignRankPlaces(rows)
	out.Rows = report.ToRows(rows)
	out.Notes = eval.FlatMap(rows, (*MMERow).listNotes)
	out.Sheets = makeMMETables(rows)
	return out, nil
}

func newMMERow(all []metric.Subtask) *MMERow {
	total := newMMETotal(all, (*metric.Subtask).Score)
	row := &MMERow{
		Perception: total.Perception, Cognition: total.Cognition, Total: total.Total,
		Missing: total.Missing, Partial: total.Missing > 0, List: []MMESubtask{},
	}
	var sum metric.Subtask
	for i := range all {
		s := &all[i]
		sum.Merge(s)
		rates := s.Rates()
		row.List = append(row.List, MMESubtask{
			Name: s.Name, Ability: s.Ability,
			Accuracy: rates.Accuracy, Plus: rates.Plus, Score: s.Score(),
			MMEShares: newMMEShares(rates), Questions: s.Questions, Undecided: s.Undecided, Unpaired: s.Unpaired,
		})
	}
	row.Shares = newMMEShares(sum.Rates())
	return row
}

func newMMEShares(r metric.SubtaskRates) MMEShares { return MMEShares{r.Follows, r.Yes, r.AlwaysYes} }

// listNotes say what the row's totals lack.
func (r *MMERow) listNotes() []string {
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
		out = append(out, fmt.Sprintf("Run %d, split %s: questions without another one about their image are in accuracy and not in accuracy+ (%s).", r.Run, r.Split, table.FormatGrouped(unpaired)))
	}
	if undecided > 0 {
		out = append(out, fmt.Sprintf("Run %d, split %s: questions that are not decided are in no figure (%s).", r.Run, r.Split, table.FormatGrouped(undecided)))
	}
	return out
}

// findSubtask finds the row's figures on a subtask, or nil.
func (r *MMERow) findSubtask(name string) *MMESubtask {
	return eval.Find(r.List, func(s *MMESubtask) bool { return s.Name == name })
}

var mmeLayout = report.NewLayout(report.HeadNames+cardNames+
	"extractor ability subtask score place accuracy accuracy_plus follows yes always_yes missing questions undecided unpaired", MMERow{}, MMESubtask{})

// TableLines gives the sums and then one line for each subtask.
func (r *MMERow) TableLines() (out [][]table.Cell) {
	line := func(o report.Opener, parts ...any) {
		out = append(out, mmeLayout.MakeTableLine(o, append(parts, &r.Head, &r.Source, r.Card)...))
	}
	line(r.newOpener(), &mmeSum{"both", "total", r.Total, r.TotalPlace}, &r.Shares, report.Cells{"missing": table.NewCount(r.Missing)})
	line(r.newOpener(), &mmeSum{eval.Perception, "total", r.Perception, r.PerceptionPlace})
	line(r.newOpener(), &mmeSum{eval.Cognition, "total", r.Cognition, r.CognitionPlace})
	for i := range r.List {
		line(r.subtaskOpener(&r.List[i]), &r.List[i])
	}
	return out
}

func (r *MMERow) newOpener() report.Opener { return newOpener(r, r.ReadBy()) }

func (r *MMERow) subtaskOpener(s *MMESubtask) report.Opener {
	return r.newOpener().UnderLevel(s.Ability, s.Name)
}

// LayoutParts are the row's card, and what it says beside its scores.
func (r *MMERow) LayoutParts() []any { return []any{r.Card, &r.Shares} }

// makeMMETables are, for each dataset and split, the sums with the shares, the scores of each ability's
// subtasks, accuracy and accuracy+ (Tables 1 to 3), and the leaderboards where there are rows to place.
func makeMMETables(rows []*MMERow) []table.Table {
	var out []table.Table
	for _, group := range table.GroupBy(rows, (*MMERow).PlaceTitle) {
		at := group[0].PlaceTitle()
		out = append(out, report.MakeRowTable(mmeSums, "mme", at, group).WithoutEmpty(cardColumns))
		for _, ability := range []string{eval.Perception, eval.Cognition} {
			if names := collectSubtaskNames(group, ability); len(names) > 0 {
				out = append(out, makeMMEScoreTable(group, at+": "+ability, names), makeMMEAccuracyTable(group, at+": "+ability+", accuracy and accuracy+", names))
			}
		}
		if len(group) > 1 {
			out = append(out, makeMMEBoardTable(group, at+": leaderboards"))
		}
	}
	return out
}

var mmeSums = report.NewLayout(report.SheetNames+cardNames+"extractor perception cognition total follows yes always_yes missing", MMERow{}, MMEShares{}).WithFigureNames(nameFigure)

// scoreCell gives a score with the questions that make it: all, or those of an ability, or a subtask of it.
func (r *MMERow) scoreCell(e stat.Estimate, level ...string) table.Cell {
	o := r.newOpener().UnderLevel(level...)
	return report.AttachFurtherPicks(report.AttachPicks(table.NewScore(e), o, report.Right, report.Wrong), o, PlusRight, PlusWrong)
}

func makeMMEScoreTable(rows []*MMERow, title string, names []string) table.Table {
	t := table.Table{Name: "mme", Title: title, Columns: slices.Concat(report.SheetColumns, table.ParseColumns("extractor"))}
	t.Columns = append(t.Columns, table.NewColumnsOfKind(table.KindScore, names)...)
	for _, r := range rows {
		line := append(r.SheetCells(), table.NewText(r.Extractor))
		for _, name := range names {
			if s := r.findSubtask(name); s != nil {
				line = append(line, r.scoreCell(s.Score, s.Ability, s.Name))
			} else {
				line = append(line, table.NewScore(stat.NewUndefinedEstimate("no questions")))
			}
		}
		t.Rows = append(t.Rows, line)
	}
	t.CompareFromColumn(len(report.SheetColumns) + 1)
	return t
}

var mmeAccuracyLayout = report.NewLayout(report.SheetNames+"extractor subtask accuracy accuracy_plus follows always_yes undecided unpaired", MMERow{}, MMESubtask{})

func makeMMEAccuracyTable(rows []*MMERow, title string, names []string) table.Table {
	t := mmeAccuracyLayout.NewTable("mme", title)
	for _, name := range names {
		for _, r := range rows {
			if s := r.findSubtask(name); s != nil {
				t.Rows = append(t.Rows, mmeAccuracyLayout.MakeTableLine(r.subtaskOpener(s), s, r))
			}
		}
	}
	return t
}

var mmeBoardLayout = report.NewLayout("board place:count run model modality extractor score", MMERow{}, mmeSum{})

func makeMMEBoardTable(rows []*MMERow, title string) table.Table {
	t := mmeBoardLayout.NewTable("mme", title)
	for _, b := range listLeaderboards(rows) {
		for _, s := range b.rankRows(rows) {
			t.Rows = append(t.Rows, mmeBoardLayout.MakeTableLine(s.row.newOpener(), report.Cells{
				"board": table.NewText(b.name), "place": table.NewCount(s.place), "score": s.row.scoreCell(s.score, b.level...),
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

// listLeaderboards lists MME's 16 leaderboards (Fig. 2) and the one of both abilities.
// Partial sums are not comparable, and have no place.
func listLeaderboards(rows []*MMERow) []leaderboard {
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
			some := eval.Count(r.List, func(s MMESubtask) bool { return s.Ability == ability && s.Accuracy.N > 0 })
			return some < eval.CountMMESubtasks(ability)
		}
	}
	out := []leaderboard{
		{"total", nil, sum(func(r *MMERow) bool { return r.Partial }, func(r *MMERow) (stat.Estimate, *int) { return r.Total, &r.TotalPlace })},
		{eval.Perception, []string{eval.Perception}, sum(lacks(eval.Perception), func(r *MMERow) (stat.Estimate, *int) { return r.Perception, &r.PerceptionPlace })},
		{eval.Cognition, []string{eval.Cognition}, sum(lacks(eval.Cognition), func(r *MMERow) (stat.Estimate, *int) { return r.Cognition, &r.CognitionPlace })},
	}
	for _, name := range collectSubtaskNames(rows, "") {
		out = append(out, leaderboard{name, []string{eval.MMEAbilityOf(name), name}, func(r *MMERow) (stat.Estimate, *int) {
			if s := r.findSubtask(name); s != nil {
				return s.Score, &s.Place
			}
			return stat.Estimate{}, nil
		}})
	}
	return out
}

// collectSubtaskNames collects the subtasks of an ability that any of the rows has, in
// their order; "" is both abilities.
func collectSubtaskNames(rows []*MMERow, ability string) []string {
	var out []string
	for _, of := range []string{eval.Perception, eval.Cognition} {
		some := eval.FlatMap(rows, func(r *MMERow) []string {
			return eval.FilterMap(r.List, func(s MMESubtask) (string, bool) { return s.Name, s.Ability == of && (ability == "" || ability == of) })
		})
		slices.Sort(some)
		out = append(out, slices.Compact(some)...)
	}
	return out
}

// assignRankPlaces gives the rows of each dataset and split their places; equal scores have the best one.
func assignRankPlaces(rows []*MMERow) {
	for _, group := range table.GroupBy(rows, (*MMERow).PlaceTitle) {
		for _, b := range listLeaderboards(group) {
			for _, s := range b.rankRows(group) {
				_, at := b.figure(s.row)
				*at = s.place
			}
		}
	}
}

type boardPlace struct {
	row   *MMERow
	score stat.Estimate
	place int
}

func (b *leaderboard) rankRows(rows []*MMERow) []boardPlace {
	var out []boardPlace
	for _, r := range rows {
		if e, at := b.figure(r); at != nil && e.WhyUndefined() == "" {
			out = append(out, boardPlace{row: r, score: e})
		}
	}
	slices.SortStableFunc(out, func(x, y boardPlace) int { return cmp.Compare(y.score.Value, x.score.Value) })
	for i := range out {
		out[i].place = i + 1
		if i > 0 && out[i].score.Value == out[i-1].score.Value {
			out[i].place = out[i-1].place
		}
	}
	return out
}
