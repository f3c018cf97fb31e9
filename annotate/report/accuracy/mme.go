package accuracy

import (
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
	return mmeOf(f, &o)
}

// mmeOf is the report of what was scanned.
func mmeOf(f *report.Scanned, o *report.Options) (report.Report, error) {
	out := report.Report{Name: "mme", Confidence: stat.Confidence, Draw: drawMME}
	var rows []*MMERow
	for i := range f.Runs {
		r := &f.Runs[i]
		for _, s := range f.Splits(r) {
			if all := s.Counted.MME.Subtasks(); len(all) > 0 {
				row := mmeRow(all)
				row.Head, row.Source, row.Card = report.HeadOf(r.Run, s.Name), r.Source(), cardOf(o, r.Run.Config.Model)
				rows = append(rows, row)
			}
		}
	}
	if len(rows) == 0 {
		return report.Report{}, fmt.Errorf("find runs on MME (import its folder or a file of the kit): %w", eval.ErrNotFound)
	}
	placed(rows)
	for _, r := range rows {
		out.Rows = append(out.Rows, r)
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
	return MMEShares{
		Follows:   s.FollowsRate(),
		Yes:       s.YesRate(),
		AlwaysYes: s.AlwaysYesRate(),
	}
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
