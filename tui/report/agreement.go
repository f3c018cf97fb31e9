package report

import (
	"fmt"
	"strings"

	"concord/annotate/agree"
	figures "concord/annotate/report"
	"concord/annotate/report/pairwise"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/widget"
)

// agreementLines are how far each way of asking a judge votes as people do, and
// people as each other.
func (m *Model) agreementLines(f *pollFigures) []line {
	var out []line
	rows := of[*pairwise.AgreementRow](f.report.Rows)
	for _, group := range groups(rows, asked) {
		head := m.head0("g\x00"+asked(group[0]), asked(group[0]), f)
		head.note = "as people vote"
		out = append(out, head)
		if !head.open {
			continue
		}
		for _, r := range group {
			if r.Majority || f.veiled == "" {
				out = append(out, m.comparedLines(head.id, r, f)...)
			}
		}
	}
	return append(out, m.peopleLines(f)...)
}

// asked is the way in which the judge of a row was asked.
func asked(r *pairwise.AgreementRow) string {
	parts := []string{"judge " + widget.Line(r.Judge), "without criteria"}
	if r.Criteria {
		parts[1] = "with criteria"
	}
	parts = append(parts, "sees "+r.Input)
	if r.Repeat > 0 {
		parts = append(parts, fmt.Sprint("repeat ", r.Repeat))
	}
	return strings.Join(parts, ", ")
}

// reasons are those for which pairs are not compared, and how many.
func reasons(l *pairwise.LeftOut) []pick {
	return []pick{
		{"other pairs asked for", pairwise.Filtered, l.Filtered},
		{"not voted on", pairwise.NotVoted, l.NotVoted},
		{"flagged", pairwise.FlaggedVotes, l.Flagged},
		{"after the reveal", pairwise.InformedVotes, l.Informed},
		{"people undecided", pairwise.PeopleUndecided, l.PeopleUndecided},
		{"judge not asked", pairwise.JudgeNotAsked, l.NotAsked},
		{"judge failed", pairwise.JudgeFailed, l.Failed},
		{"judge unparsed", pairwise.JudgeUnparsed, l.Unparsed},
		{"judge undecided", pairwise.JudgeUndecided, l.JudgeUndecided},
	}
}

// comparedLines are a judge against a person or the majority; when it is open,
// the criteria's effect and what is left out.
func (m *Model) comparedLines(group string, r *pairwise.AgreementRow, f *pollFigures) []line {
	who := widget.Line(string(r.Person))
	if r.Majority {
		who = "people's majority"
	}
	title := widget.Line(r.Judge) + " and " + who + " on " + widget.Line(string(r.Queue))
	l := line{
		id: group + "\x00" + who, depth: 1, name: who, rate: r.Agreement, parent: true,
		behind: OpenSamples{Title: title},
		beside: func() [][2]string { return agreementBeside(r, f) },
	}
	picks := []pick{{"agree", figures.Agree, -1}, {"differ", figures.Disagree, -1}}
	picks = append(picks, reasons(&r.LeftOut)...)
	if f.veiled == "" {
		l.pairs = OpenPairs{Title: title, Ballot: ballotFor(r), Lists: pairLists(r, nil, picks...)}
	}
	l.open = m.open[l.id]
	out := []line{l}
	if !l.open {
		return out
	}
	part := func(name string, rate stat.Rate, note string, lists []PairList) {
		p := l
		p.id, p.depth, p.name, p.rate, p.note = l.id+"\x00"+name, 2, name, rate, note
		p.parent, p.open, p.pairs.Lists = false, false, nil
		if f.veiled == "" {
			p.pairs.Lists = lists
		}
		out = append(out, p)
	}
	part("unable a class more", r.WithUndecided, "", l.pairs.Lists)
	if x := r.Effect; x != nil {
		lists := pairLists(r, nil, pick{"right with only", pairwise.WithRight, -1}, pick{"right without only", pairwise.WithoutRight, -1},
			pick{"right both ways", pairwise.BothRight, -1}, pick{"right neither way", pairwise.NeitherRight, -1})[1:]
		part("with criteria", x.With, "", lists)
		part("without them", x.Without, "", lists)
		part("difference", stat.Rate{}, effect(x), lists)
	}
	for _, x := range reasons(&r.LeftOut) {
		if x.n > 0 {
			part("left out: "+x.name, stat.Rate{}, widget.Plural(x.n, "pair"), only(l.pairs.Lists, x.name))
		}
	}
	return out
}

// ballotFor is how the judge of a row was asked.
func ballotFor(r *pairwise.AgreementRow) *eval.Ballot {
	return ballotOf(&pairwise.Duel{Judge: r.Judge, Criteria: r.Criteria, Input: r.Input, Repeat: r.Repeat})
}

// effect is the difference that criteria make, with McNemar's test.
func effect(x *pairwise.CriteriaEffect) string {
	d := x.Difference
	if reason := d.Reason(); reason != "" {
		return "– " + widget.Line(reason)
	}
	out := fmt.Sprintf("%+.1f points [%+.1f, %+.1f], n %s", 100*d.Value, 100*d.Low, 100*d.High, widget.Count(d.N))
	return out + "; " + mcnemar(&x.McNemar)
}

func mcnemar(s *agree.Sameness) string {
	if s.Undefined != "" {
		return "McNemar – " + s.Undefined
	}
	p := fmt.Sprintf("p %.3f", s.Exact)
	if s.Exact < 0.001 {
		p = "p < 0.001"
	}
	return fmt.Sprintf("McNemar exact %s (%d right only with, %d only without)", p, s.First, s.Second)
}

func agreementBeside(r *pairwise.AgreementRow, f *pollFigures) [][2]string {
	out := [][2]string{
		{"agreement", whole(r.Agreement) + " pairs on which both prefer an answer, of " + widget.Count(r.Pairs)},
		{"chance", "Cohen's kappa " + coefficient(r.Kappa) + "  ·  Gwet's AC1 " + coefficient(r.AC1)},
		{"baseline", "always the side that people prefer more often: " + whole(r.Baseline)},
	}
	var left []any
	for _, x := range reasons(&r.LeftOut) {
		left = append(left, x.name, x.n)
	}
	out = append(out, [2]string{"left out", or(counts(left...), "nothing")})
	if x := r.Effect; x != nil {
		out = append(out, [2]string{"criteria", effect(x)})
	}
	if c := counts("judged in one order", r.OneOrder, "judged by older criteria", r.StaleJudge,
		"voted by older criteria", r.StalePeople, "with fewer people than wanted", r.TooFew); c != "" {
		out = append(out, [2]string{"of them", c})
	}
	return append(out, f.remarks()...)
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
