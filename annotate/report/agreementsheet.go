package report

import (
	"fmt"
	"slices"
	"strconv"

	"concord/annotate/agree"
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

var methodColumns = []Column{{Name: "people"}, {Name: "judge"}, {Name: "criteria"}, {Name: "input"}, {Name: "repeat", Kind: KindCount}}

func (r *AgreementRow) method() []Cell {
	return []Cell{text(r.people()), text(r.Judge), text(r.seen()), text(r.Input), integer(r.Repeat)}
}

var leftOutNames = []string{
	"filtered", "not_voted", "flagged", "after_the_reveal", "people_undecided",
	"judge_not_asked", "judge_failed", "judge_unparsed", "judge_undecided",
}

func (l *LeftOut) cells() []Cell {
	var out []Cell
	for _, n := range []int{
		l.Filtered, l.NotVoted, l.Flagged, l.Informed, l.PeopleUndecided, l.NotAsked, l.Failed, l.Unparsed, l.JudgeUndecided,
	} {
		out = append(out, integer(n))
	}
	return out
}

var pollColumns = []Column{{Name: "dataset"}, {Name: "queue"}}

func (p *Poll) cells() []Cell { return []Cell{text(string(p.Dataset)), text(string(p.Queue))} }

func (p *Poll) place() string {
	out := string(p.Dataset) + ", queue " + string(p.Queue)
	if p.Synthetic {
		out += " (synthetic)"
	}
	return out
}

var (
	agreementFigures = []Column{
		{Name: "agreement", Kind: KindRate},
		{Name: "baseline", Kind: KindRate},
		{Name: "cohen_kappa", Kind: KindCoefficient},
		{Name: "gwet_ac1", Kind: KindCoefficient},
		{Name: "with_undecided", Kind: KindRate},
	}
	staleNames    = []string{"one_order", "stale_judge", "stale_people", "too_few"}
	effectFigures = columns([]Column{
		{Name: "with", Kind: KindRate}, {Name: "without", Kind: KindRate}, {Name: "difference", Kind: KindPoints},
	}, countColumns("right_with", "right_without"))
	outOfEffect = []string{"compared_with_only", "compared_without_only", "compared_neither"}
)

func (r *AgreementRow) figures() []Cell {
	return []Cell{rate(r.Agreement), rate(r.Baseline), coefficient(r.Kappa), coefficient(r.AC1), rate(r.WithUndecided)}
}

func (r *AgreementRow) counts() []Cell {
	return []Cell{integer(r.OneOrder), integer(r.StaleJudge), integer(r.StalePeople), integer(r.TooFew)}
}

func (x *CriteriaEffect) cells() []Cell {
	return []Cell{rate(x.With), rate(x.Without), points(x.Difference), integer(x.McNemar.First), integer(x.McNemar.Second)}
}

func (x *CriteriaEffect) left() []Cell {
	return []Cell{integer(x.OnlyWith), integer(x.OnlyWithout), integer(x.Neither)}
}

func (r *AgreementRow) columns() []Column {
	return columns(pollColumns, methodColumns, agreementFigures, countColumns("pairs"), countColumns(leftOutNames...),
		countColumns(staleNames...), effectFigures,
		[]Column{{Name: "mcnemar_exact_p", Kind: KindNumber}, {Name: "mcnemar_mid_p", Kind: KindNumber}}, countColumns(outOfEffect...), []Column{{Name: "policy"}, {Name: "undecided"}})
}

func (r *AgreementRow) lines() [][]Cell {
	line := slices.Concat(r.cells(), r.method(), r.figures(), []Cell{integer(r.Pairs)}, r.LeftOut.cells(), r.counts())
	if x := r.Effect; x != nil {
		line = append(line, x.cells()...)
		if x.McNemar.Undefined == "" {
			line = append(line, number(&x.McNemar.Exact), number(&x.McNemar.MidP))
		} else {
			line = append(line, blank(), blank())
		}
		line = append(line, x.left()...)
	} else {
		line = append(line, make([]Cell, len(effectFigures)+2+len(outOfEffect))...)
	}
	return [][]Cell{append(line, text(r.Policy), text(r.Undecided))}
}

// agreementSheets lays the rows of one queue out as people read them: the
// figures, what they leave out, and what the criteria do.
func agreementSheets(rows []*AgreementRow) []Table {
	title := fmt.Sprintf("%s, people by %s, undecided %s", rows[0].place(), rows[0].Policy, rows[0].Undecided)
	figures := Table{Name: "agreement", Title: title, Columns: columns(methodColumns, agreementFigures)}
	left := Table{
		Name: "compared and left out", Title: title,
		Columns: columns(methodColumns, countColumns("pairs", "compared"), countColumns(leftOutNames...), countColumns(staleNames...)),
	}
	effect := Table{
		Name: "with and without criteria", Title: title,
		Columns: columns(methodColumns, effectFigures, []Column{{Name: "mcnemar", Kind: KindNumber}}, countColumns(outOfEffect...)),
		Notes: []string{
			"Right with and right without are the pairs on which the judge votes as people only with criteria and only without; McNemar's exact test compares the two. They are over the pairs that both of its ways are compared on.",
		},
	}
	for _, r := range rows {
		figures.Rows = append(figures.Rows, append(r.method(), r.figures()...))
		left.Rows = append(left.Rows, slices.Concat(r.method(), []Cell{integer(r.Pairs), integer(r.Agreement.N)}, r.LeftOut.cells(), r.counts()))
		if x := r.Effect; x != nil {
			effect.Rows = append(effect.Rows, slices.Concat(r.method(), x.cells(), []Cell{text(tested(&x.McNemar))}, x.left()))
		}
	}
	out := []Table{figures, left}
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
	return "p " + probability(s.Exact)
}

// probability is a p value; what would round to nothing says so.
func probability(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}
