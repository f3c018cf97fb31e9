package pairwise

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// AgreementRow is how far one way of asking a judge votes as people do (MLLM-Bench, Tables 6
// and 13): as one person, or as their majority. Only pairs on which both sides prefer an answer
// are compared; LeftOut and the n of Agreement sum to Pairs, which are all of the queue.
type AgreementRow struct {
	VoteQueue
	Person   annotate.Annotator `json:"person,omitempty"`
	Majority bool               `json:"majority"`
	Judge    string             `json:"judge"`
	Criteria bool               `json:"criteria" as:"with"`
	Input    string             `json:"input"`
	Repeat   int                `json:"repeat,omitempty"`
	Merge    string             `json:"merge"`

	Policy    string `json:"policy"`    // of the majority
	Undecided string `json:"undecided"` // what becomes of pairs on which people or the judge prefer neither

	Agreement stat.Rate         `json:"agreement"`
	SameOrder stat.Rate         `json:"same_order" like:"agreement"` // by the judge's vote on the answers in the order that people saw
	Baseline  stat.Rate         `json:"baseline" like:"agreement"`   // of a judge that always prefers the side that people prefer more often
	Kappa     agree.Coefficient `json:"cohen_kappa" like:"agreement"`
	AC1       agree.Coefficient `json:"gwet_ac1" like:"agreement"`
	// WithUndecided is over the pairs on which both have voted, where unable to
	// decide, tied or not, is one class more.
	WithUndecided stat.Rate `json:"with_undecided" like:"agreement"`
	LeftOut       LeftOut   `json:"left_out"`
	OneOrder      int       `json:"one_order"`    // of Agreement: the judge was asked in one order; the others are merged
	StaleJudge    int       `json:"stale_judge"`  // of Agreement: by criteria that were revised since
	StalePeople   int       `json:"stale_people"` // likewise
	TooFew        int       `json:"too_few"`      // of Agreement: fewer people voted than the queue wants

	// Effect is what the criteria do, in the row of the judge that saw them.
	Effect *CriteriaEffect `json:"criteria_effect,omitempty"`

	report.Tags `json:"-"`
}

// VoteQueue is the queue of pairs that a row is about.
type VoteQueue struct {
	Dataset   eval.DatasetName   `json:"dataset"`
	Queue     annotate.QueueName `json:"queue"`
	Synthetic bool               `json:"synthetic,omitempty"`
	Pairs     int                `json:"pairs" opens:"every"`
}

// LeftOut are the pairs that are not compared, each counted under the first reason that holds.
type LeftOut struct {
	PeopleLeftOut
	PeopleUndecided int `json:"people_undecided" opens:"people_undecided"`
	NotAsked        int `json:"judge_not_asked" opens:"judge_not_asked"`
	Failed          int `json:"judge_failed" opens:"judge_failed"`
	Unparsed        int `json:"judge_unparsed" opens:"judge_unparsed"`
	JudgeUndecided  int `json:"judge_undecided" opens:"judge_undecided"`
}

// PeopleLeftOut are the pairs on which two people are not compared, each
// counted under the first reason that holds for either.
type PeopleLeftOut struct {
	Filtered int `json:"filtered" opens:"filtered"` // other pairs were asked for
	NotVoted int `json:"not_voted" opens:"not_voted"`
	Excluded int `json:"excluded" opens:"excluded"`
	Informed int `json:"after_the_reveal" opens:"after_the_reveal"`
}

// CriteriaEffect is the agreement of one judge with and without criteria, over
// the pairs on which people and both of its ways decided.
type CriteriaEffect struct {
	With       stat.Rate         `json:"with"`
	Without    stat.Rate         `json:"without"`
	Difference stat.Estimate     `json:"difference" as:"points"`
	McNemar    agree.McNemarTest `json:"mcnemar"`
	// Pairs that only one way is compared on, and those that neither is: with
	// the n of With they sum to all pairs of the queue.
	OnlyWith    int `json:"compared_with_only"`
	OnlyWithout int `json:"compared_without_only"`
	Neither     int `json:"compared_neither"`

	Turned []TurnedVote `json:"turned,omitempty"` // in the row of the majority
}

// TurnedVote is a pair on which criteria turn a judge's vote (MLLM-Bench, Table 11). The votes are of
// the model against the other one; People is "" where they came to nothing.
type TurnedVote struct {
	Sample  eval.SampleID `json:"sample"`
	Model   string        `json:"model"`
	Against string        `json:"against"`
	Without string        `json:"without"`
	With    string        `json:"with"`
	People  string        `json:"people,omitempty"`
}

func (l *LeftOut) counterOf(why report.Which) *int {
	return cmp.Or(map[report.Which]*int{
		PeopleUndecided: &l.PeopleUndecided, JudgeNotAsked: &l.NotAsked, JudgeFailed: &l.Failed, JudgeUnparsed: &l.Unparsed, JudgeUndecided: &l.JudgeUndecided,
	}[why], l.PeopleLeftOut.counterOf(why))
}

func (l *PeopleLeftOut) counterOf(why report.Which) *int {
	return cmp.Or(map[report.Which]*int{Filtered: &l.Filtered, NotVoted: &l.NotVoted, ExcludedVotes: &l.Excluded}[why], &l.Informed)
}

// ReportAgreement reports every way of asking every judge against each person and the people's majority.
func ReportAgreement(ctx context.Context, facts report.VoteFacts, o AgreementOptions) (report.Report, error) {
	all, err := readPairQueues(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "agreement", Layout: agreementLayout, Confidence: stat.Confidence, Lay: makeAgreementTables}
	for _, p := range all {
		methods, err := p.findJudgeMethods(ctx, facts, &o)
		if err != nil {
			return report.Report{}, err
		}
		out.Notes = append(out.Notes, p.listNotes()...)
		out.NoteExcludedItems(p.excluded)
		var rows []*AgreementRow
		for i, m := range methods {
			var without *judgeMethod
			if i > 0 && m.Criteria && methods[i-1].isSameWithoutCriteria(m) {
				without = methods[i-1]
			}
			rows = append(rows, p.compareMethodWithPeople(m, without, &o)...)
		}
		out.Rows = append(out.Rows, report.ToRows(rows)...)
		if len(rows) == 0 {
			out.Notes = append(out.Notes, "Queue "+string(p.queue.Name)+": no judge has voted on its pairs.")
		}
	}
	if len(out.Rows) > 0 {
		out.Notes = append(out.Notes, o.listNotes()...)
	}
	return out, nil
}

// listNotes say what the figures are over, and how people's votes become one.
func (o *AgreementOptions) listNotes() []string {
	over := "Only pairs on which both sides prefer an answer are compared"
	switch o.Undecided {
	case annotate.CountedAsNone:
		over = "Pairs on which a side prefers neither answer are compared too, as ties"
	case annotate.OwnClass:
		over = "Pairs on which a side prefers neither answer are compared too: people's is a class of its own, which no judge gives"
	case annotate.Dropped, annotate.UndecidedUnset:
	}
	people := "The majority of people is unable to decide when both answers have as many votes, or when more were unable than prefer either"
	if o.Policy != annotate.PolicyUnset {
		people = "People's word is what they come to by " + o.policyName() + " (first, second or neither), and undecided where they come to nothing"
	}
	return []string{
		over + "; the others are counted once, under the first reason that holds, and sum with n to all pairs.",
		people + "; a pair that is excluded is left out, votes given after the reveal do not count.",
		"A judge that was asked in both orders counts by its merged vote, where a tie is undecided; one that was asked in one order by that vote (merge " + metric.MergeAsked.String() + "). Same order is the agreement with its vote on the answers in the order that the person saw.",
	}
}

// isSameWithoutCriteria reports whether m is the same judge asked likewise without criteria.
func (m *judgeMethod) isSameWithoutCriteria(with *judgeMethod) bool {
	b := m.Ballot
	b.Criteria = true
	return !m.Criteria && b == with.Ballot
}

// compareMethodWithPeople compares a method with every person, and with all of them first.
func (p *pairQueue) compareMethodWithPeople(m, without *judgeMethod, o *AgreementOptions) []*AgreementRow {
	rows := []*AgreementRow{p.newAgreementRow(m, without, o, p.majorityOpinion)}
	rows[0].Majority = true
	for _, who := range p.people {
		row := p.newAgreementRow(m, without, o, func(e *queuePair) pairOpinion { return p.personOpinion(e, who) })
		row.Person = who
		if row.Effect != nil {
			row.Effect.Turned = nil // they are the judge's, whoever is compared with it
		}
		rows = append(rows, row)
	}
	return rows
}

// ReportReplacing tests of every way of asking every judge whether its votes may take the place
// of a person's: on pairs that count, what they come to, each kind of a tie by itself.
func ReportReplacing(ctx context.Context, facts report.VoteFacts, o AgreementOptions, epsilon float64) (report.Report, error) {
	all, err := readPairQueues(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	var rows []*report.ReplacingRow
	for _, p := range all {
		methods, err := p.findJudgeMethods(ctx, facts, &o)
		if err != nil {
			return report.Report{}, err
		}
		for _, m := range methods {
			row := &report.ReplacingRow{Dataset: p.queue.Rule.Dataset, Queue: p.queue.Name, Judge: m.Judge, Criteria: m.Criteria, Input: m.Input.String(), Repeat: m.Repeat}
			for _, e := range p.entries {
				one := agree.RatedItem{People: make(map[string]agree.Saying)}
				if judged := p.methodVote(e, m, 0); judged.why == "" {
					one.Judge.Class = judged.result.String()
				}
				counts := p.majorityOpinion(e).why == ""
				for _, who := range p.people {
					if said := p.personOpinion(e, who); counts && said.why == "" {
						one.People[string(who)] = agree.Saying{Class: said.result.String()}
					}
				}
				row.Items = append(row.Items, one)
			}
			rows = append(rows, row)
		}
	}
	return report.NewReplacingReport(rows, epsilon, "a judge's votes on the pairs of a queue (concord judge votes)")
}

func (p *pairQueue) newVoteQueue() VoteQueue {
	return VoteQueue{Dataset: p.queue.Rule.Dataset, Queue: p.queue.Name, Synthetic: p.queue.Synthetic, Pairs: len(p.entries)}
}

func (p *pairQueue) newAgreementRow(m, without *judgeMethod, o *AgreementOptions, people func(*queuePair) pairOpinion) *AgreementRow {
	row := &AgreementRow{
		VoteQueue: p.newVoteQueue(), Judge: m.Judge, Criteria: m.Criteria, Input: m.Input.String(), Repeat: m.Repeat,
		Merge: metric.MergeAsked.String(), Policy: o.policyName(), Undecided: o.undecidedName(),
	}
	c, effect, ordered := newVoteComparison(o.Undecided, p.ongoing), newVoteComparison(o.Undecided, p.ongoing), newVoteComparison(o.Undecided, p.ongoing)
	looks := stat.PairedLooks{Sequence: p.ongoing}
	if without != nil {
		row.Effect = &CriteriaEffect{}
	}
	for _, e := range p.entries {
		said, judged := people(e), p.methodVote(e, m, 0)
		if said.order > 0 {
			matched := p.methodVote(e, m, said.order)
			ordered.addPair(e.cluster, &said, &matched)
		}
		tag := c.addPair(e.cluster, &said, &judged)
		if tag == report.Agree || tag == report.Disagree {
			row.OneOrder += report.OneIf(judged.single)
			row.StaleJudge += report.OneIf(judged.stale)
			row.StalePeople += report.OneIf(said.stale)
			row.TooFew += report.OneIf(said.short)
		} else {
			*row.LeftOut.counterOf(tag)++
		}
		tags := []report.Which{tag}
		if without != nil {
			other := p.methodVote(e, without, 0)
			if !e.filtered && judged.why == "" && other.why == "" && judged.result != other.result {
				people := eval.Either(said.why == "", said.result.String(), "")
				row.Effect.Turned = append(row.Effect.Turned, TurnedVote{e.id, e.models[0], e.models[1], other.result.String(), judged.result.String(), people})
			}
			tags = append(tags, row.Effect.addPair(&looks, e.cluster, tag, effect.addPair(e.cluster, &said, &other)))
		}
		row.Tags = append(row.Tags, report.Tagged{Pair: e.pair, Path: e.path, Tags: tags})
	}
	c.fillRow(row)
	row.SameOrder = ordered.items.Agreement("no pair that both decided in one order")
	if x := row.Effect; x != nil {
		const reason = "no pair that all three decided"
		x.With, x.Without = looks.Rates(reason)
		x.Difference, x.McNemar = looks.Difference(reason), agree.RunClusteredMcNemarTest(&looks)
	}
	return row
}

// Audience is Everyone where the row is of the majority.
func (r *AgreementRow) Audience() report.Audience {
	return eval.Either(!r.Majority, report.Insiders, report.Everyone)
}

// judgeMethod is one way in which a judge was asked, and the votes that stand, with
// the pair's first run shown first and second.
type judgeMethod struct {
	eval.Ballot
	votes map[eval.Pair]*[2]*eval.Preference
}

func (p *pairQueue) findJudgeMethods(ctx context.Context, facts report.VoteFacts, o *AgreementOptions) ([]*judgeMethod, error) {
	type runs struct{ first, second eval.RunID }
	sides := eval.IndexBy(p.entries, func(e *queuePair) (runs, bool) { return runs{e.pair.First, e.pair.Second}, true })
	contests, err := facts.Comparisons(ctx)
	if err != nil {
		return nil, fmt.Errorf("list comparisons: %w", err)
	}
	byBallot := make(map[eval.Ballot]*judgeMethod)
	d := &comparisonReader{facts: facts}
	for _, c := range contests {
		if o.Judge != "" && o.Judge != c.Judge {
			continue
		}
		for _, side := range []runs{{c.A, c.B}, {c.B, c.A}} {
			if !sides[side] {
				continue
			}
			t := orientedComparison{Comparison: c.Comparison, model: eval.Run{ID: side.first}, anchor: eval.Run{ID: side.second}}
			votes, err := d.readVotes(ctx, &t)
			if err != nil {
				return nil, err
			}
			m := eval.GetOrAdd(byBallot, c.Ballot, func() *judgeMethod {
				return &judgeMethod{Ballot: c.Ballot, votes: make(map[eval.Pair]*[2]*eval.Preference)}
			})
			for sample, v := range votes {
				m.votes[eval.Pair{Sample: sample, First: side.first, Second: side.second}] = v
			}
		}
	}
	return slices.SortedFunc(maps.Values(byBallot), func(a, b *judgeMethod) int {
		return cmp.Or(cmp.Compare(a.Judge, b.Judge), cmp.Compare(a.Input, b.Input), cmp.Compare(a.Repeat, b.Repeat), report.CompareBools(a.Criteria, b.Criteria))
	}), nil
}

// methodVote is what the method says of the pair: the merged votes of both orders, or the vote
// of the one that was asked, or that is given (shownFirst and shownSecond).
func (p *pairQueue) methodVote(e *queuePair, m *judgeMethod, order int) pairOpinion {
	var v [2]*eval.Preference
	if both := m.votes[e.pair]; both != nil && order > 0 {
		v[order-1] = both[order-1]
	} else if both != nil {
		v = *both
	}
	if v[0] == nil && v[1] == nil {
		return pairOpinion{why: JudgeNotAsked}
	}
	var out pairOpinion
	for _, one := range v {
		switch {
		case one == nil:
			out.single = true
			continue
		case !one.HasReply():
			out.why = JudgeFailed
		case one.Vote == eval.VoteUnset:
			out.why = cmp.Or(out.why, JudgeUnparsed)
		}
		out.stale = out.stale || m.Criteria && p.hasStaleCriteria(e, one.Text)
	}
	if out.why != "" {
		return out
	}
	b := metric.VotePair{First: standingVote(v[0]), Second: standingVote(v[1])}
	out.result = eval.Either(out.single, b.SingleResult(), b.MergeBothOrders())
	return out
}
