package pairwise

import (
	"fmt"
	"slices"

	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
)

const majorityName = "(majority)"

func (r *AgreementRow) people() string {
	if r.Majority {
		return majorityName
	}
	return string(r.Person)
}

func (r *AgreementRow) seen() string {
	if r.Criteria {
		return "with"
	}
	return "without"
}

var methodColumns = table.List("people judge criteria input repeat:count")

func (r *AgreementRow) method() []table.Cell {
	return []table.Cell{table.Text(r.people()), table.Text(r.Judge), table.Text(r.seen()), table.Text(r.Input), table.Count(r.Repeat)}
}

var leftOutNames = []string{
	"filtered", "not_voted", "flagged", "after_the_reveal", "people_undecided",
	"judge_not_asked", "judge_failed", "judge_unparsed", "judge_undecided",
}

var reasonsLeftOut = []report.Which{
	Filtered, NotVoted, FlaggedVotes, InformedVotes, PeopleUndecided, JudgeNotAsked, JudgeFailed, JudgeUnparsed, JudgeUndecided,
}

// cells are the pairs that are left out, by reason.
func (l *LeftOut) cells(by report.Opener) []table.Cell {
	out := make([]table.Cell, len(reasonsLeftOut))
	for i, why := range reasonsLeftOut {
		out[i] = report.Over(table.Count(*l.count(why)), by, why)
	}
	return out
}

// opener opens the row's figures.
func (r *AgreementRow) opener() report.Opener {
	return report.Opener{Row: r, Pairs: true, People: true, Whole: true, Ballot: ballot(r.Judge, r.Input, r.Criteria, r.Repeat), Names: pairNames}
}

var pollColumns = table.List("dataset queue")

func (p *VoteQueue) cells() []table.Cell {
	return []table.Cell{table.Text(string(p.Dataset)), table.Text(string(p.Queue))}
}

func (p *VoteQueue) place() string {
	out := string(p.Dataset) + ", queue " + string(p.Queue)
	if p.Synthetic {
		out += " (synthetic)"
	}
	return out
}

var (
	agreementFigures = table.List("agreement:rate baseline:rate cohen_kappa:coefficient gwet_ac1:coefficient with_undecided:rate")
	staleNames       = []string{"one_order", "stale_judge", "stale_people", "too_few"}
	effectFigures    = table.List("with:rate without:rate difference:points right_with:count right_without:count")
	outOfEffect      = []string{"compared_with_only", "compared_without_only", "compared_neither"}
)

func (r *AgreementRow) figures() []table.Cell {
	by := r.opener()
	rate := report.Over(table.Rate(r.Agreement), by, report.Agree, report.Disagree)
	for _, why := range reasonsLeftOut {
		if *r.LeftOut.count(why) > 0 {
			rate = report.And(rate, by, why)
		}
	}
	out := []table.Cell{table.Rate(r.Agreement), table.Rate(r.Baseline), table.Coefficient(r.Kappa), table.Coefficient(r.AC1), table.Rate(r.WithUndecided)}
	for i := range out {
		out[i] = report.Like(out[i], rate)
	}
	return out
}

func (r *AgreementRow) counts() []table.Cell {
	return []table.Cell{table.Count(r.OneOrder), table.Count(r.StaleJudge), table.Count(r.StalePeople), table.Count(r.TooFew)}
}

func (x *CriteriaEffect) cells(by report.Opener) []table.Cell {
	out := []table.Cell{table.Rate(x.With), table.Rate(x.Without), table.Points(x.Difference)}
	for i := range out {
		out[i] = report.Over(out[i], by, WithRight, WithoutRight, BothRight, NeitherRight)
	}
	return append(out, report.Over(table.Count(x.McNemar.First), by, WithRight), report.Over(table.Count(x.McNemar.Second), by, WithoutRight))
}

func (x *CriteriaEffect) left() []table.Cell {
	return []table.Cell{table.Count(x.OnlyWith), table.Count(x.OnlyWithout), table.Count(x.Neither)}
}

// Columns names the columns of the lines that Lines gives.
func (r *AgreementRow) Columns() []table.Column {
	return table.Columns(pollColumns, methodColumns, agreementFigures, table.List("pairs:count"), table.CountColumns(leftOutNames...),
		table.CountColumns(staleNames...), effectFigures,
		table.List("mcnemar_exact_p:number mcnemar_mid_p:number"), table.CountColumns(outOfEffect...), table.List("policy undecided"))
}

// Lines lays the row out as lines of its table.
func (r *AgreementRow) Lines() [][]table.Cell {
	line := slices.Concat(r.cells(), r.method(), r.figures(), []table.Cell{report.Over(table.Count(r.Pairs), r.opener(), report.Every)}, r.LeftOut.cells(r.opener()), r.counts())
	if x := r.Effect; x != nil {
		line = append(line, x.cells(r.opener())...)
		if x.McNemar.Undefined == "" {
			line = append(line, table.Number(&x.McNemar.Exact), table.Number(&x.McNemar.MidP))
		} else {
			line = append(line, table.Blank(), table.Blank())
		}
		line = append(line, x.left()...)
	} else {
		line = append(line, make([]table.Cell, len(effectFigures)+2+len(outOfEffect))...)
	}
	return [][]table.Cell{append(line, table.Text(r.Policy), table.Text(r.Undecided))}
}

// agreementSheets lay the rows of every queue out as people read them.
func agreementSheets(r *report.Report) []table.Table {
	var out []table.Table
	for _, rows := range table.GroupBy(report.RowsOf[*AgreementRow](r.Rows), func(r *AgreementRow) string { return string(r.Queue) }) {
		out = append(out, agreementSheet(rows)...)
	}
	return out
}

// agreementSheet is one queue: the figures, what they leave out, and what the
// criteria do.
func agreementSheet(rows []*AgreementRow) []table.Table {
	title := fmt.Sprintf("%s, people by %s, undecided %s", rows[0].place(), rows[0].Policy, rows[0].Undecided)
	figures := table.Table{Name: "agreement", Title: title, Columns: table.Columns(methodColumns, agreementFigures)}
	left := table.Table{
		Name: "compared and left out", Title: title,
		Columns: table.Columns(methodColumns, table.List("pairs:count compared:count"), table.CountColumns(leftOutNames...), table.CountColumns(staleNames...)),
	}
	effect := table.Table{
		Name: "with and without criteria", Title: title,
		Columns: table.Columns(methodColumns, effectFigures, table.List("mcnemar:number"), table.CountColumns(outOfEffect...)),
		Notes: []string{
			"Right with and right without are the pairs on which the judge votes as people only with criteria and only without; McNemar's exact test compares the two. They are over the pairs that both of its ways are compared on.",
		},
	}
	for _, r := range rows {
		figures.Rows = append(figures.Rows, append(r.method(), r.figures()...))
		left.Rows = append(left.Rows, slices.Concat(r.method(), []table.Cell{
			report.Over(table.Count(r.Pairs), r.opener(), report.Every), report.Over(table.Count(r.Agreement.N), r.opener(), report.Agree, report.Disagree),
		}, r.LeftOut.cells(r.opener()), r.counts()))
		if x := r.Effect; x != nil {
			effect.Rows = append(effect.Rows, slices.Concat(r.method(), x.cells(r.opener()), []table.Cell{table.Text(tested(&x.McNemar))}, x.left()))
		}
	}
	out := []table.Table{figures, left}
	if len(effect.Rows) > 0 {
		out = append(out, effect)
	}
	return out
}

// tested is the p value of the exact test.
func tested(s *agree.Sameness) string {
	if s.Undefined != "" {
		return "- (" + s.Undefined + ")"
	}
	return "p " + report.Probability(s.Exact)
}
