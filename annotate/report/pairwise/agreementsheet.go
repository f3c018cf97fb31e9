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

func (r *AgreementRow) peopleName() string {
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
	agreementLayout = newAgreementLayout("dataset queue " + methodNames + agreementNames + "pairs " + leftOutNames + staleNames + effectNames +
		"mcnemar_exact_p:number mcnemar_mid_p:number " + besideEffect + "policy undecided")
	agreementFigures = newAgreementLayout(methodNames + agreementNames)
	agreementLeft    = newAgreementLayout(methodNames + "pairs compared:count " + leftOutNames + staleNames)
	agreementEffect  = newAgreementLayout(methodNames + effectNames + "mcnemar:number " + besideEffect)
)

func newAgreementLayout(names string) *report.Layout {
	return report.NewLayout(names, AgreementRow{}, LeftOut{}, CriteriaEffect{})
}

var reasonsLeftOut = []report.Which{
	Filtered, NotVoted, ExcludedVotes, InformedVotes, PeopleUndecided, JudgeNotAsked, JudgeFailed, JudgeUnparsed, JudgeUndecided,
}

// NewOpener opens the row's figures.
func (r *AgreementRow) NewOpener() report.Opener {
	return report.Opener{Row: r, Pairs: true, People: true, Whole: true, Ballot: newBallot(r.Judge, r.Input, r.Criteria, r.Repeat), Names: namePairFigure}
}

func (p *VoteQueue) placeTitle() string {
	return report.MarkSynthetic(string(p.Dataset)+", queue "+string(p.Queue), p.Synthetic)
}

// Parts are what is left out, and what the criteria do.
func (r *AgreementRow) Parts() []any { return []any{&r.LeftOut, r.Effect} }

// Extras has the figures of agreement, which open what they have in common, and
// those of the criteria.
func (r *AgreementRow) Extras() report.Cells {
	by := r.NewOpener()
	rate := report.OpenCell(table.NewRate(r.Agreement), by, report.Agree, report.Disagree)
	for _, why := range reasonsLeftOut {
		rate = report.AddCounted(rate, by, report.CutOf(why, *r.LeftOut.counterOf(why)))
	}
	out := report.Cells{
		"people": table.NewText(r.peopleName()), "compared": report.OpenCell(table.NewCount(r.Agreement.N), by, report.Agree, report.Disagree),
		"agreement": rate,
	}
	if r.Effect != nil {
		r.Effect.addCells(out, by)
	}
	return out
}

func (x *CriteriaEffect) addCells(out report.Cells, by report.Opener) {
	for name, c := range (report.Cells{"with": table.NewRate(x.With), "without": table.NewRate(x.Without), "difference": table.NewPoints(x.Difference)}) {
		out[name] = report.OpenCell(c, by, WithRight, WithoutRight, BothRight, NeitherRight)
	}
	out["right_with"], out["right_without"] = report.OpenCell(table.NewCount(x.McNemar.First), by, WithRight), report.OpenCell(table.NewCount(x.McNemar.Second), by, WithoutRight)
	if out["mcnemar"] = table.NewText(formatPValue(&x.McNemar)); x.McNemar.Undefined == "" {
		out["mcnemar_exact_p"], out["mcnemar_mid_p"] = table.NewNumber(&x.McNemar.Exact), table.NewNumber(&x.McNemar.MidP)
	}
}

// makeAgreementTables lay the rows of every queue out as people read them.
func makeAgreementTables(r *report.Report) []table.Table {
	return table.MakePerGroup(report.SelectRows[*AgreementRow](r.Rows), func(r *AgreementRow) string { return string(r.Queue) }, makeQueueTables)
}

// makeQueueTables makes one queue: the figures, what they leave out, and what the
// criteria do.
func makeQueueTables(rows []*AgreementRow) []table.Table {
	title := fmt.Sprintf("%s, people by %s", rows[0].placeTitle(), annotate.DescribePolicies(rows[0].Policy, rows[0].Undecided))
	withEffect := slices.DeleteFunc(slices.Clone(rows), func(r *AgreementRow) bool { return r.Effect == nil })
	effect := report.MakeRowTable(agreementEffect, "with and without criteria", title, withEffect)
	effect.Notes = []string{
		"Right with and right without are the pairs on which the judge votes as people only with criteria and only without; McNemar's exact test compares the two. They are over the pairs that both of its ways are compared on.",
	}
	out := []table.Table{report.MakeRowTable(agreementFigures, "agreement", title, rows), report.MakeRowTable(agreementLeft, "compared and left out", title, rows)}
	if len(withEffect) > 0 {
		out = append(out, effect)
	}
	return out
}

// formatPValue gives the p value of the exact test.
func formatPValue(s *agree.McNemarTest) string {
	if s.Undefined != "" {
		return "- (" + s.Undefined + ")"
	}
	return "p " + report.FormatPValue(s.Exact)
}
