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

var methodColumns = []table.Column{{Name: "people"}, {Name: "judge"}, {Name: "criteria"}, {Name: "input"}, {Name: "repeat", Kind: table.KindCount}}

func (r *AgreementRow) method() []table.Cell {
	return []table.Cell{table.Text(r.people()), table.Text(r.Judge), table.Text(r.seen()), table.Text(r.Input), table.Count(r.Repeat)}
}

var leftOutNames = []string{
	"filtered", "not_voted", "flagged", "after_the_reveal", "people_undecided",
	"judge_not_asked", "judge_failed", "judge_unparsed", "judge_undecided",
}

func (l *LeftOut) cells() []table.Cell {
	var out []table.Cell
	for _, n := range []int{
		l.Filtered, l.NotVoted, l.Flagged, l.Informed, l.PeopleUndecided, l.NotAsked, l.Failed, l.Unparsed, l.JudgeUndecided,
	} {
		out = append(out, table.Count(n))
	}
	return out
}

var pollColumns = []table.Column{{Name: "dataset"}, {Name: "queue"}}

func (p *Poll) cells() []table.Cell {
	return []table.Cell{table.Text(string(p.Dataset)), table.Text(string(p.Queue))}
}

func (p *Poll) place() string {
	out := string(p.Dataset) + ", queue " + string(p.Queue)
	if p.Synthetic {
		out += " (synthetic)"
	}
	return out
}

var (
	agreementFigures = []table.Column{
		{Name: "agreement", Kind: table.KindRate},
		{Name: "baseline", Kind: table.KindRate},
		{Name: "cohen_kappa", Kind: table.KindCoefficient},
		{Name: "gwet_ac1", Kind: table.KindCoefficient},
		{Name: "with_undecided", Kind: table.KindRate},
	}
	staleNames    = []string{"one_order", "stale_judge", "stale_people", "too_few"}
	effectFigures = table.Columns([]table.Column{
		{Name: "with", Kind: table.KindRate}, {Name: "without", Kind: table.KindRate}, {Name: "difference", Kind: table.KindPoints},
	}, table.CountColumns("right_with", "right_without"))
	outOfEffect = []string{"compared_with_only", "compared_without_only", "compared_neither"}
)

func (r *AgreementRow) figures() []table.Cell {
	return []table.Cell{table.Rate(r.Agreement), table.Rate(r.Baseline), table.Coefficient(r.Kappa), table.Coefficient(r.AC1), table.Rate(r.WithUndecided)}
}

func (r *AgreementRow) counts() []table.Cell {
	return []table.Cell{table.Count(r.OneOrder), table.Count(r.StaleJudge), table.Count(r.StalePeople), table.Count(r.TooFew)}
}

func (x *CriteriaEffect) cells() []table.Cell {
	return []table.Cell{table.Rate(x.With), table.Rate(x.Without), table.Points(x.Difference), table.Count(x.McNemar.First), table.Count(x.McNemar.Second)}
}

func (x *CriteriaEffect) left() []table.Cell {
	return []table.Cell{table.Count(x.OnlyWith), table.Count(x.OnlyWithout), table.Count(x.Neither)}
}

// Columns names the columns of the lines that Lines gives.
func (r *AgreementRow) Columns() []table.Column {
	return table.Columns(pollColumns, methodColumns, agreementFigures, table.CountColumns("pairs"), table.CountColumns(leftOutNames...),
		table.CountColumns(staleNames...), effectFigures,
		[]table.Column{{Name: "mcnemar_exact_p", Kind: table.KindNumber}, {Name: "mcnemar_mid_p", Kind: table.KindNumber}}, table.CountColumns(outOfEffect...), []table.Column{{Name: "policy"}, {Name: "undecided"}})
}

// Lines lays the row out as lines of its table.
func (r *AgreementRow) Lines() [][]table.Cell {
	line := slices.Concat(r.cells(), r.method(), r.figures(), []table.Cell{table.Count(r.Pairs)}, r.LeftOut.cells(), r.counts())
	if x := r.Effect; x != nil {
		line = append(line, x.cells()...)
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

// agreementSheets lays the rows of one queue out as people read them: the
// figures, what they leave out, and what the criteria do.
func agreementSheets(rows []*AgreementRow) []table.Table {
	title := fmt.Sprintf("%s, people by %s, undecided %s", rows[0].place(), rows[0].Policy, rows[0].Undecided)
	figures := table.Table{Name: "agreement", Title: title, Columns: table.Columns(methodColumns, agreementFigures)}
	left := table.Table{
		Name: "compared and left out", Title: title,
		Columns: table.Columns(methodColumns, table.CountColumns("pairs", "compared"), table.CountColumns(leftOutNames...), table.CountColumns(staleNames...)),
	}
	effect := table.Table{
		Name: "with and without criteria", Title: title,
		Columns: table.Columns(methodColumns, effectFigures, []table.Column{{Name: "mcnemar", Kind: table.KindNumber}}, table.CountColumns(outOfEffect...)),
		Notes: []string{
			"Right with and right without are the pairs on which the judge votes as people only with criteria and only without; McNemar's exact test compares the two. They are over the pairs that both of its ways are compared on.",
		},
	}
	for _, r := range rows {
		figures.Rows = append(figures.Rows, append(r.method(), r.figures()...))
		left.Rows = append(left.Rows, slices.Concat(r.method(), []table.Cell{table.Count(r.Pairs), table.Count(r.Agreement.N)}, r.LeftOut.cells(), r.counts()))
		if x := r.Effect; x != nil {
			effect.Rows = append(effect.Rows, slices.Concat(r.method(), x.cells(), []table.Cell{table.Text(tested(&x.McNemar))}, x.left()))
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
