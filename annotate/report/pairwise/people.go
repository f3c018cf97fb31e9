package pairwise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// PeopleRow is how far two people vote alike (MLLM-Bench, Table 15). Agreement is over the pairs on
// which both prefer an answer, as the paper has it; AllClasses over all pairs on which both have voted,
// the two situations being classes of their own. LeftOut and the n of AllClasses sum to Pairs.
type PeopleRow struct {
	VoteQueue
	A          annotate.Annotator `json:"a"`
	B          annotate.Annotator `json:"b"`
	Agreement  stat.Rate          `json:"agreement"`
	Kappa      agree.Coefficient  `json:"cohen_kappa" like:"agreement"`
	AC1        agree.Coefficient  `json:"gwet_ac1" like:"agreement"`
	AllClasses stat.Rate          `json:"all_classes" like:"agreement"`
	AllKappa   agree.Coefficient  `json:"all_cohen_kappa" like:"agreement"`
	AllAC1     agree.Coefficient  `json:"all_gwet_ac1" like:"agreement"`
	Undecided  int                `json:"undecided" opens:"people_undecided"` // of AllClasses: one or both prefer neither answer
	LeftOut    PeopleLeftOut      `json:"left_out"`

	report.Tags `json:"-"`
}

// ReportPeople reports how far every two people of a queue vote alike.
func ReportPeople(ctx context.Context, facts report.VoteFacts, o AgreementOptions) (report.Report, error) {
	all, err := readPairQueues(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "people", Layout: peopleLayout, Confidence: stat.Confidence, Lay: makePeopleTables}
	for _, p := range all {
		out.Notes = append(out.Notes, p.listNotes()...)
		out.NoteExcludedItems(p.excluded)
		var rows []*PeopleRow
		for i, a := range p.people {
			rows = append(rows, eval.Map(p.people[i+1:], func(b annotate.Annotator) *PeopleRow { return p.newPeopleRow(a, b) })...)
		}
		if len(rows) == 0 {
			out.Notes = append(out.Notes, fmt.Sprintf("Queue %s: fewer than two people have voted (%d).", p.queue.Name, len(p.people)))
			continue
		}
		out.Rows = append(out.Rows, report.ToRows(rows)...)
	}
	if len(out.Rows) > 0 {
		out.Notes = append(out.Notes, "Agreement is over the pairs on which both prefer an answer; all classes is over all pairs on which both have voted, each situation being a class of its own.")
	}
	return out, nil
}

func (p *pairQueue) newPeopleRow(a, b annotate.Annotator) *PeopleRow {
	row := &PeopleRow{VoteQueue: p.newVoteQueue(), A: a, B: b}
	// The pairs of one sample are a cluster.
	decided, all := agree.Classified{Sequence: p.ongoing}, agree.Classified{Sequence: p.ongoing}
	for _, e := range p.entries {
		x, y := p.personOpinion(e, a), p.personOpinion(e, b)
		var tag report.Which
		switch {
		case x.why != "" || y.why != "":
			tag = firstOfReasons(x.why, y.why)
			*row.LeftOut.counterOf(tag)++
		default:
			sample, equal := e.cluster, x.result == y.result
			all.AddItem(sample, x.result.String(), y.result.String(), equal)
			tag = PeopleUndecided
			if x.result.IsDecided() && y.result.IsDecided() {
				decided.AddItem(sample, x.result.String(), y.result.String(), equal)
				tag = agreeOrDisagree(x.result, y.result)
			} else {
				row.Undecided++
			}
		}
		row.Tags = append(row.Tags, report.Tagged{Pair: e.pair, Path: e.path, Tags: []report.Which{tag}})
	}
	row.Agreement, row.AllClasses = decided.Agreement(nobodyDecided), all.Agreement("no pair that both voted on")
	row.Kappa, row.AC1 = decided.Coefficients(stat.Confidence)
	row.AllKappa, row.AllAC1 = all.Coefficients(stat.Confidence)
	return row
}

// firstOfReasons is the one of the two that is looked for first.
func firstOfReasons(a, b report.Which) report.Which {
	for _, why := range []report.Which{Filtered, NotVoted, ExcludedVotes} {
		if a == why || b == why {
			return why
		}
	}
	return InformedVotes
}

const peopleFigures = "a b agreement cohen_kappa gwet_ac1 all_classes all_cohen_kappa all_gwet_ac1 undecided filtered not_voted excluded after_the_reveal pairs"

var (
	peopleLayout = report.NewLayout("dataset queue "+peopleFigures, PeopleRow{}, PeopleLeftOut{})
	everyTwo     = report.NewLayout(peopleFigures, PeopleRow{}, PeopleLeftOut{})
)

// NewOpener opens the row's figures.
func (r *PeopleRow) NewOpener() report.Opener {
	return report.Opener{Row: r, Pairs: true, People: true, Whole: true, Names: namePeopleFigure}
}

// LayoutParts are what is left out.
func (r *PeopleRow) LayoutParts() []any { return []any{&r.LeftOut} }

// ExtraCells has the agreement, with the pairs that it leaves out.
func (r *PeopleRow) ExtraCells() report.Cells {
	return report.Cells{"agreement": r.agreementCell(r.Agreement)}
}

func (r *PeopleRow) agreementCell(of stat.Rate) table.Cell {
	by := r.NewOpener()
	left := []report.OpenedCount{report.NewOpenedCount(PeopleUndecided, r.Undecided), report.NewOpenedCount(Filtered, r.LeftOut.Filtered), report.NewOpenedCount(NotVoted, r.LeftOut.NotVoted), report.NewOpenedCount(ExcludedVotes, r.LeftOut.Excluded), report.NewOpenedCount(InformedVotes, r.LeftOut.Informed)}
	return report.AddNonEmptyCuts(report.AttachPicks(table.NewRate(of), by, report.Agree, report.Disagree), by, left...)
}

func namePeopleFigure(s *report.Selection) string {
	return cmp.Or(map[report.Which]string{PeopleUndecided: "undecided", NotVoted: "not voted on by both"}[s.Which], namePairFigure(s))
}

// makePeopleTables lay out every queue.
func makePeopleTables(r *report.Report) []table.Table {
	return eval.FlatMap(table.GroupBy(report.SelectRows[*PeopleRow](r.Rows), func(r *PeopleRow) string { return string(r.Queue) }), makePeopleTable)
}

// makePeopleTable makes the matrix of Table 15, with n by both rules, and the figures of two people each.
func makePeopleTable(rows []*PeopleRow) []table.Table {
	title := rows[0].placeTitle()
	var people []string
	for _, r := range rows {
		people = eval.AppendUnique(people, string(r.A), string(r.B))
	}
	matrix := table.MakeSquareTable("people among themselves", title, "person", people, func(i, j int) table.Cell {
		return makeMatrixCell(rows, annotate.Annotator(people[i]), annotate.Annotator(people[j]))
	})
	matrix.Notes = []string{"Above the diagonal both prefer an answer; below it all classes count."}
	return []table.Table{matrix, report.MakeRowTable(everyTwo, "every two people", title, rows)}
}

func makeMatrixCell(rows []*PeopleRow, a, b annotate.Annotator) table.Cell {
	i := slices.IndexFunc(rows, func(r *PeopleRow) bool { return r.A == a && r.B == b || r.A == b && r.B == a })
	if i < 0 {
		return table.NewText("·")
	}
	share := eval.Either(rows[i].A == b, rows[i].AllClasses, rows[i].Agreement)
	if share.N == 0 {
		return table.NewText("- (n 0)")
	}
	return report.CopyPicks(table.NewText(table.FormatPercent(share.Value)+"% (n "+strconv.Itoa(share.N)+")"), rows[i].agreementCell(rows[i].Agreement))
}

// Audience is Insiders: the row is of two people's votes.
func (r *PeopleRow) Audience() report.Audience { return report.Insiders }

const (
	peopleJudge    = "people"
	peopleBiasNote = "First shown is the share of votes for an answer that went to the one shown first. People's lengths are counted over what the majority, or the person, says of a pair; votes on excluded pairs and those after the reveal do not count."
)

// countPeopleBiases counts the biases of the people of every queue of pairs: of their majority first.
func countPeopleBiases(ctx context.Context, facts report.VoteFacts, o *VoteOptions) ([][]*biasCounts, error) {
	ao := AgreementOptions{VoteOptions: *o}
	all, err := readPairQueues(ctx, facts, &ao)
	if err != nil {
		if errors.Is(err, eval.ErrNotFound) {
			return nil, nil // no queue of pairs
		}
		return nil, err
	}
	d, err := newComparisonReader(facts, *o)
	if err != nil {
		return nil, err
	}
	var out [][]*biasCounts
	for _, p := range all {
		if len(p.people) == 0 {
			continue
		}
		group := []*biasCounts{p.newBiases(d, "")}
		group = append(group, eval.Map(p.people, func(who annotate.Annotator) *biasCounts { return p.newBiases(d, who) })...)
		if err := p.countBiases(ctx, d, group); err != nil {
			return nil, err
		}
		out = append(out, group)
	}
	return out, nil
}

func (p *pairQueue) newBiases(d *comparisonReader, who annotate.Annotator) *biasCounts {
	row := &BiasRow{Queue: p.queue.Name, Person: who}
	row.Dataset, row.Split, row.Model, row.Anchor = p.queue.Rule.Dataset, report.AllSplits, allModels, allModels
	row.Modality, row.Input, row.Synthetic = eval.WithImage.String(), eval.SeesImage.String(), p.queue.Synthetic
	row.Judge, row.Criteria, row.Merge = peopleJudge, p.queue.Criteria, "majority"
	if who != "" {
		row.Merge = "none"
	}
	if len(p.entries) > 0 {
		first := p.entries[0].pair
		row.Run, row.AnchorRun = first.First, first.Second
		for _, e := range p.entries {
			if e.pair.First != row.Run {
				row.Run = 0
			}
			if e.pair.Second != row.AnchorRun {
				row.AnchorRun = 0
			}
		}
	}
	if row.Run != 0 {
		row.Model, row.Setting = d.runs[row.Run].Config.Model, d.runs[row.Run].Setting
	}
	if row.AnchorRun != 0 {
		row.Anchor = report.NameRun(d.runs[row.AnchorRun])
	}
	return &biasCounts{row: row, ongoing: p.ongoing}
}

// countBiases counts the pairs of the pool into the group's biases.
func (p *pairQueue) countBiases(ctx context.Context, d *comparisonReader, group []*biasCounts) error {
	for _, e := range p.entries {
		if e.filtered {
			continue
		}
		model, err := d.readResponses(ctx, d.runs[e.pair.First])
		if err != nil {
			return err
		}
		anchor, err := d.readResponses(ctx, d.runs[e.pair.Second])
		if err != nil {
			return err
		}
		more := metric.CountTokens(model[e.pair.Sample]) - metric.CountTokens(anchor[e.pair.Sample])
		for _, b := range group {
			said := p.opinionOf(e, b.row.Person)
			b.row.keepQuestion(e.pair, e.path, keptQuestion{result: said.result}, ofResult[said.result])
			for who, v := range e.votes {
				if (b.row.Person == "" || b.row.Person == who) && !v.Excluded && !v.Informed {
					b.countFirstShown(e.cluster, v.shown, false) // a person sees one order
				}
			}
			b.questions.Results[said.result]++
			b.pairs = append(b.pairs, biasPair{cluster: e.cluster})
			b.countVotesByLength(more, said.result)
		}
	}
	for _, b := range group {
		b.fillRow()
		none := stat.UndefinedRate("a person sees one order")
		b.row.Position = PositionRates{Same: none, First: none, Second: none, Other: none}
	}
	return nil
}

// opinionOf is what one person says, or without a name the majority.
func (p *pairQueue) opinionOf(e *queuePair, who annotate.Annotator) pairOpinion {
	if who == "" {
		return p.majorityOpinion(e)
	}
	return p.personOpinion(e, who)
}
