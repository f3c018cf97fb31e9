package pairwise

import (
	"fmt"
	"slices"

	"concord/annotate"
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

// Names of measures that tables have in common.
const (
	methodNames    = "people:text judge criteria:text input repeat "
	agreementNames = "agreement same_order baseline cohen_kappa gwet_ac1 with_undecided "
	leftOutNames   = "filtered not_voted excluded after_the_reveal people_undecided judge_not_asked judge_failed judge_unparsed judge_undecided "
	staleNames     = "one_order stale_judge stale_people too_few "
	effectNames    = "with without difference right_with:count right_without:count "
	besideEffect   = "compared_with_only compared_without_only compared_neither "
)

var (
	agreementLayout = layAgreement("dataset queue " + methodNames + agreementNames + "pairs " + leftOutNames + staleNames + effectNames +
		"mcnemar_exact_p:number mcnemar_mid_p:number " + besideEffect + "policy undecided")
	agreementFigures = layAgreement(methodNames + agreementNames)
	agreementLeft    = layAgreement(methodNames + "pairs compared:count " + leftOutNames + staleNames)
	agreementEffect  = layAgreement(methodNames + effectNames + "mcnemar:number " + besideEffect)
)

func layAgreement(names string) *report.Layout {
	return report.Lay(names, AgreementRow{}, LeftOut{}, CriteriaEffect{})
}

var reasonsLeftOut = []report.Which{
	Filtered, NotVoted, ExcludedVotes, InformedVotes, PeopleUndecided, JudgeNotAsked, JudgeFailed, JudgeUnparsed, JudgeUndecided,
}

// Opener opens the row's figures.
func (r *AgreementRow) Opener() report.Opener {
	return report.Opener{Row: r, Pairs: true, People: true, Whole: true, Ballot: ballot(r.Judge, r.Input, r.Criteria, r.Repeat), Names: pairNames}
}

func (p *VoteQueue) place() string {
	return report.Titled(string(p.Dataset)+", queue "+string(p.Queue), p.Synthetic)
}

// Parts are what is left out, and what the criteria do.
func (r *AgreementRow) Parts() []any { return []any{&r.LeftOut, r.Effect} }

// Measured has the figures of agreement, which open what they have in common, and
// those of the criteria.
func (r *AgreementRow) Measured() report.Cells {
	by := r.Opener()
	rate := report.Over(table.Rate(r.Agreement), by, report.Agree, report.Disagree)
	for _, why := range reasonsLeftOut {
		rate = report.AndSome(rate, by, report.CutOf(why, *r.LeftOut.count(why)))
	}
	out := report.Cells{
		"people": table.Text(r.people()), "compared": report.Over(table.Count(r.Agreement.N), by, report.Agree, report.Disagree),
		"agreement": rate,
	}
	if r.Effect != nil {
		r.Effect.measured(out, by)
	}
	return out
}

func (x *CriteriaEffect) measured(out report.Cells, by report.Opener) {
	for name, c := range (report.Cells{"with": table.Rate(x.With), "without": table.Rate(x.Without), "difference": table.Points(x.Difference)}) {
		out[name] = report.Over(c, by, WithRight, WithoutRight, BothRight, NeitherRight)
	}
	out["right_with"], out["right_without"] = report.Over(table.Count(x.McNemar.First), by, WithRight), report.Over(table.Count(x.McNemar.Second), by, WithoutRight)
	if out["mcnemar"] = table.Text(tested(&x.McNemar)); x.McNemar.Undefined == "" {
		out["mcnemar_exact_p"], out["mcnemar_mid_p"] = table.Number(&x.McNemar.Exact), table.Number(&x.McNemar.MidP)
	}
}

// agreementSheets lay the rows of every queue out as people read them.
func agreementSheets(r *report.Report) []table.Table {
	return table.PerGroup(report.RowsOf[*AgreementRow](r.Rows), func(r *AgreementRow) string { return string(r.Queue) }, agreementSheet)
}

// agreementSheet is one queue: the figures, what they leave out, and what the
// criteria do.
func agreementSheet(rows []*AgreementRow) []table.Table {
	title := fmt.Sprintf("%s, people by %s", rows[0].place(), annotate.PolicyInWords(rows[0].Policy, rows[0].Undecided))
	withEffect := slices.DeleteFunc(slices.Clone(rows), func(r *AgreementRow) bool { return r.Effect == nil })
	effect := report.RowTable(agreementEffect, "with and without criteria", title, withEffect)
	effect.Notes = []string{
		"Right with and right without are the pairs on which the judge votes as people only with criteria and only without; McNemar's exact test compares the two. They are over the pairs that both of its ways are compared on.",
	}
	out := []table.Table{report.RowTable(agreementFigures, "agreement", title, rows), report.RowTable(agreementLeft, "compared and left out", title, rows)}
	if len(withEffect) > 0 {
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
