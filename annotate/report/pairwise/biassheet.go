package pairwise

import (
	"cmp"
	"fmt"
	"slices"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

var biasLayout = report.NewLayout(report.HeadNames+duelNames+"queue person measure class share:rate undecided:count equal_length:count incomplete:count", RunComparison{})

// TableLines gives one line for each position, and for each bin of lengths behind the whole.
func (r *BiasRow) TableLines() [][]table.Cell {
	start, by := append(duelLayout.MakeTableLine(report.Opener{}, &r.RunComparison), table.NewText(string(r.Queue)), table.NewText(string(r.Person))), r.newOpener()
	var out [][]table.Cell
	line := func(measure, class string, figures ...table.Cell) {
		all := make([]table.Cell, 4)
		copy(all, figures)
		out = append(out, slices.Concat(start, []table.Cell{table.NewText(measure), table.NewText(class)}, all))
	}
	if r.Queue == "" { // a person sees one order
		for i, share := range r.Position.makePositionCells(by, r.Incomplete) {
			line("position", positionColumns[i].Name, share)
		}
	}
	line("first_shown", "all", r.firstShownCell())
	out[0][len(out[0])-1] = report.AttachPicks(table.NewCount(r.Incomplete), by, Incompletes)
	line("longer", "all", r.longerCells()...)
	for i := range r.Lengths {
		line("longer", r.Lengths[i].name(), r.Lengths[i].makeCells(by)...)
	}
	return out
}

// newOpener opens the row's figures: people's to who has voted on all that they were over.
func (r *BiasRow) newOpener() report.Opener {
	by := r.RunComparison.newOpener(r)
	if r.Queue == "" {
		return by
	}
	by.Ballot, by.People = nil, true
	by.Names = func(s *report.Selection) string {
		return cmp.Or(map[report.Which]string{Wins: "first run preferred", Losses: "other preferred"}[s.Which], namePairFigure(s))
	}
	return by
}

// firstShownCell is the share of votes for the answer shown first. People's pairs are
// by the answer that won; a judge's are behind the positions.
func (r *BiasRow) firstShownCell() table.Cell {
	if r.Queue == "" {
		return table.NewRate(r.FirstShown)
	}
	by := r.newOpener()
	return report.AttachFurtherPicks(report.AttachPicks(table.NewRate(r.FirstShown), by, Wins, Losses), by, LongerWon, ShorterWon)
}

// longerCells is the share of the longer answer, with what is in no share.
func (r *BiasRow) longerCells() []table.Cell {
	by := r.newOpener()
	return []table.Cell{
		report.AttachFurtherPicks(report.AttachPicks(table.NewRate(r.Longer), by, LongerWon, ShorterWon), by, NeitherWon),
		report.AttachPicks(table.NewCount(r.Undecided), by, NeitherWon), report.AttachPicks(table.NewCount(r.EqualLength), by, EqualLength),
	}
}

func (l *LengthRow) makeCells(by report.Opener) []table.Cell {
	longer, shorter, neither := l.FigureOfBin(LongerWon), l.FigureOfBin(ShorterWon), l.FigureOfBin(NeitherWon)
	return []table.Cell{report.AttachFurtherPicks(report.AttachPicks(table.NewRate(l.Longer), by, longer, shorter), by, neither), report.AttachPicks(table.NewCount(l.Undecided), by, neither)}
}

// makeBiasTables lay the rows out as people read them: a judge's, or a queue's people's, side by side.
func makeBiasTables(r *report.Report) []table.Table {
	var out []table.Table
	all := report.SelectRows[*BiasRow](r.Overall)
	for _, group := range table.GroupBy(report.SelectRows[*BiasRow](r.Rows), (*BiasRow).placeTitle) {
		if sum, ok := eval.FirstWanted(all, func(sum *BiasRow) bool { return sum.placeTitle() == group[0].placeTitle() }); ok {
			group = append([]*BiasRow{sum}, group...)
		}
		first := eval.Either(group[0].Queue != "", makeShownTable, makePositionTable)
		out = append(out, first(group), makeLengthTable(group))
	}
	return out
}

// placeTitle names people by their queue, where a judge has a name.
func (r *BiasRow) placeTitle() string {
	if r.Queue == "" {
		return r.RunComparison.placeTitle()
	}
	return fmt.Sprintf("%s, people, queue %s, %s criteria, against %s", r.Dataset, r.Queue, r.describeCriteria(), r.Anchor)
}

func makePositionTable(group []*BiasRow) table.Table {
	t := table.Table{
		Name: "positions", Title: group[0].placeTitle(),
		Columns: slices.Concat(table.ParseColumns("model"), positionColumns[:1], table.ParseColumns(":bar"), positionColumns[1:], table.ParseColumns("incomplete:count first_shown:rate")),
	}
	drawn := table.MakeBars(eval.Map(group, func(r *BiasRow) stat.Rate { return r.Position.Same }))
	for i, r := range group {
		by := r.newOpener()
		p := r.Position.makePositionCells(by, r.Incomplete)
		t.Rows = append(t.Rows, []table.Cell{r.voterCell(), p[0], drawn[i], p[1], p[2], p[3], report.AttachPicks(table.NewCount(r.Incomplete), by, Incompletes), r.firstShownCell()})
	}
	return t
}

func makeLengthTable(group []*BiasRow) table.Table {
	t := table.Table{
		Name: "lengths", Title: group[0].placeTitle(),
		Columns: table.ParseColumns(eval.Either(group[0].Queue != "", "person", "model") + " longer_by longer_preferred:rate :bar undecided:count equal_length:count"),
	}
	for _, r := range group {
		model := r.voterCell()
		rates := append([]stat.Rate{r.Longer}, eval.Map(r.Lengths, func(l LengthRow) stat.Rate { return l.Longer })...)
		drawn, all := table.MakeBars(rates), r.longerCells()
		t.Rows = append(t.Rows, []table.Cell{model, table.NewText("any"), all[0], drawn[0], all[1], all[2]})
		for i := range r.Lengths {
			c := r.Lengths[i].makeCells(r.newOpener())
			t.Rows = append(t.Rows, []table.Cell{model, table.NewText(r.Lengths[i].name()), c[0], drawn[i+1], c[1], table.NewBlank()})
		}
	}
	return t
}

// makeShownTable makes the positional balance of people's votes.
func makeShownTable(group []*BiasRow) table.Table {
	t := table.Table{Name: "first shown", Title: group[0].placeTitle(), Columns: table.ParseColumns("person first_shown:rate :bar incomplete:count")}
	drawn := table.MakeBars(eval.Map(group, func(r *BiasRow) stat.Rate { return r.FirstShown }))
	for i, r := range group {
		t.Rows = append(t.Rows, []table.Cell{r.voterCell(), r.firstShownCell(), drawn[i], report.AttachPicks(table.NewCount(r.Incomplete), r.newOpener(), Incompletes)})
	}
	return t
}

func (r *BiasRow) voterCell() table.Cell {
	switch {
	case r.Queue == "":
		return r.Cells()[3]
	case r.Person == "":
		return table.NewText(majorityName)
	}
	return table.NewText(string(r.Person))
}

const majorityName = "(majority)"

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

var reasonsLeftOut = []report.Which{Filtered, NotVoted, ExcludedVotes, InformedVotes, PeopleUndecided, JudgeNotAsked, JudgeFailed, JudgeUnparsed, JudgeUndecided}

// NewOpener opens the row's figures.
func (r *AgreementRow) NewOpener() report.Opener {
	return report.Opener{Row: r, Pairs: true, People: true, Whole: true, Ballot: newBallot(r.Judge, r.Input, r.Criteria, r.Repeat), Names: namePairFigure}
}

func (p *VoteQueue) placeTitle() string {
	return report.MarkSynthetic(string(p.Dataset)+", queue "+string(p.Queue), p.Synthetic)
}

// LayoutParts are what is left out, and what the criteria do.
func (r *AgreementRow) LayoutParts() []any { return []any{&r.LeftOut, r.Effect} }

// ExtraCells has the figures of agreement, which open what they have in common, and those of the criteria.
func (r *AgreementRow) ExtraCells() report.Cells {
	by := r.NewOpener()
	rate := report.AttachPicks(table.NewRate(r.Agreement), by, report.Agree, report.Disagree)
	for _, why := range reasonsLeftOut {
		rate = report.AddNonEmptyCuts(rate, by, report.NewOpenedCount(why, *r.LeftOut.counterOf(why)))
	}
	out := report.Cells{
		"people": table.NewText(eval.Either(r.Majority, majorityName, string(r.Person))), "compared": report.AttachPicks(table.NewCount(r.Agreement.N), by, report.Agree, report.Disagree),
		"agreement": rate,
	}
	if r.Effect != nil {
		r.Effect.addCells(out, by)
	}
	return out
}

func (x *CriteriaEffect) addCells(out report.Cells, by report.Opener) {
	for name, c := range (report.Cells{"with": table.NewRate(x.With), "without": table.NewRate(x.Without), "difference": table.NewPoints(x.Difference)}) {
		out[name] = report.AttachPicks(c, by, WithRight, WithoutRight, BothRight, NeitherRight)
	}
	out["right_with"], out["right_without"] = report.AttachPicks(table.NewCount(x.McNemar.First), by, WithRight), report.AttachPicks(table.NewCount(x.McNemar.Second), by, WithoutRight)
	p := &x.McNemar
	if out["mcnemar"] = table.NewText(eval.Either(p.Undefined != "", "- ("+p.Undefined+")", "p "+report.FormatPValue(p.Exact))); p.Undefined == "" {
		out["mcnemar_exact_p"], out["mcnemar_mid_p"] = table.NewNumber(&x.McNemar.Exact), table.NewNumber(&x.McNemar.MidP)
	}
}

// makeAgreementTables lay the rows of every queue out as people read them.
func makeAgreementTables(r *report.Report) []table.Table {
	return eval.FlatMap(table.GroupBy(report.SelectRows[*AgreementRow](r.Rows), func(r *AgreementRow) string { return string(r.Queue) }), makeQueueTables)
}

// makeQueueTables makes one queue: the figures, what they leave out, and what the criteria do.
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
		out = append(out, eval.FlatMap(withEffect, func(r *AgreementRow) []table.Table { return r.makeTurnedVoteTables(title) })...)
	}
	return out
}

// makeTurnedVoteTables lists the votes that criteria turn.
func (r *AgreementRow) makeTurnedVoteTables(title string) []table.Table {
	t := table.Table{
		Name: "votes that criteria turn", Title: title + ", judge " + r.Judge,
		Columns: table.ParseColumns("sample model against without with people"),
		Notes:   []string{"What the judge says of the model without and with criteria, where they differ, and what people come to."},
	}
	for _, v := range r.Effect.Turned {
		t.Rows = append(t.Rows, eval.Map([]string{string(v.Sample), v.Model, v.Against, v.Without, v.With, v.People}, table.NewText))
	}
	return table.SelectWithRows(t)
}
