package report

import (
	"fmt"
	"slices"
	"strings"

	"concord/annotate/report/pairwise"
	"concord/eval/stat"
	"concord/tui/widget"
)

const noRepeats = "No votes yet. On the runs ({h}) {V@runs} has a judge vote several times on the same pairs (repeats):\n" +
	"  concord judge votes --dataset N --model M --anchor A --judge J --repeats 3"

// repeatsLines are how much each way of asking a judge varies when the same is
// asked again: under it its models, and under each what changed.
func (m *Model) repeatsLines(f *pollFigures) []line {
	var out []line
	rows := of[*pairwise.RepeatsRow](f.report.Rows)
	for _, group := range groups(rows, func(r *pairwise.RepeatsRow) string { return judged(&r.Duel) }) {
		name := judged(&group[0].Duel)
		head := m.head0("r\x00"+name, name, f)
		head.note = widget.Plural(len(group), "model")
		if !slices.ContainsFunc(group, func(r *pairwise.RepeatsRow) bool { return r.Repeats > 1 }) {
			head.note = m.Keyed("asked once: on the runs ({h}) {V@runs} asks again (repeats)")
		}
		out = append(out, head)
		if !head.open {
			continue
		}
		for _, r := range group {
			out = append(out, m.repeatedLines(head.id, r, f)...)
		}
	}
	return out
}

// repeatedLines are a model's mean over the repeats and, when it is open, what
// it is made of.
func (m *Model) repeatedLines(group string, r *pairwise.RepeatsRow, f *pollFigures) []line {
	title := modelOf(&r.Head) + " against " + widget.Line(r.Anchor) + ", repeats"
	lists := pairLists(r, nil,
		pick{"changed", pairwise.Changed, -1}, pick{"flipped", pairwise.Flipped, r.Flipped},
		pick{"unchanged", pairwise.Unchanged, -1}, pick{"a single result", pairwise.OneResult, r.Single})[1:]
	l := line{
		id: fmt.Sprintf("%s\x00%d", group, r.Run), run: r.Run, depth: 1, name: modelOf(&r.Head), label: "mean",
		rate: shareOf(r.Mean), labels: true, parent: true,
		behind: OpenSamples{Title: title},
		beside: func() [][2]string { return repeatsBeside(r, f) },
		pairs:  OpenPairs{Title: title, Ballot: ballotOf(&r.Duel), Lists: lists},
	}
	l.open = m.open[l.id]
	out := []line{l}
	if !l.open {
		return out
	}
	part := func(name string, rate stat.Rate, note string, pairs OpenPairs) {
		p := l
		p.id, p.depth, p.name, p.label, p.rate, p.note, p.pairs = l.id+"\x00"+name, 2, name, "", rate, note, pairs
		p.labels, p.parent, p.open = false, false, false
		out = append(out, p)
	}
	first := func(name string) OpenPairs {
		p := l.pairs
		p.Lists = only(lists, name)
		return p
	}
	for _, x := range r.WinRates {
		part(fmt.Sprint("repeat ", x.Repeat), x.WinRate, "", repeatPairs(r, x.Repeat, f))
	}
	part("deviation", stat.Rate{}, deviation(r.Deviation), l.pairs)
	part("changed", r.Changed, "", first("changed"))
	if r.Changed.N > 0 {
		part("flipped", stat.Rate{}, widget.Plural(r.Flipped, "pair"), first("flipped"))
	}
	if r.Single > 0 {
		part("a single result", stat.Rate{}, widget.Plural(r.Single, "pair"), first("a single result"))
	}
	return out
}

// repeatPairs are the pairs of one repeat by what they came to.
func repeatPairs(r *pairwise.RepeatsRow, repeat int, f *pollFigures) OpenPairs {
	for _, v := range of[*pairwise.VotesRow](f.votes.Rows) {
		asked := v.Duel
		asked.Repeat = r.Repeat
		if v.Run != r.Run || v.AnchorRun != r.AnchorRun || v.Repeat != repeat || judged(&asked) != judged(&r.Duel) {
			continue
		}
		title := modelOf(&r.Head) + " against " + widget.Line(r.Anchor) + fmt.Sprint(", repeat ", repeat)
		return OpenPairs{Title: title, Ballot: ballotOf(&v.Duel), Lists: pairLists(v, nil, outcomePicks(v, &v.Outcomes, nil)...)}
	}
	return OpenPairs{}
}

// shareOf is an estimate of a share in the place of a rate: n is of what it is
// the mean of.
func shareOf(e stat.Estimate) stat.Rate {
	if reason := e.Reason(); reason != "" {
		return stat.Undefined(reason)
	}
	return stat.Rate{N: e.N, Value: e.Value, Low: e.Low, High: e.High}
}

// deviation is a standard deviation of shares, in points.
func deviation(e stat.Estimate) string {
	if reason := e.Reason(); reason != "" {
		return "– " + widget.Line(reason)
	}
	return fmt.Sprintf("%.1f points [%.1f, %.1f], n %d", 100*e.Value, 100*e.Low, 100*e.High, e.N)
}

func repeatsBeside(r *pairwise.RepeatsRow, f *pollFigures) [][2]string {
	rates := make([]string, 0, len(r.WinRates))
	left := make([]any, 0, 2*len(r.WinRates))
	for _, x := range r.WinRates {
		rates = append(rates, fmt.Sprintf("%d: %s", x.Repeat, whole(x.WinRate)))
		left = append(left, fmt.Sprint("incomplete in repeat ", x.Repeat), x.Incomplete)
	}
	changed := whole(r.Changed)
	if r.Changed.N > 0 {
		changed += "; of them " + widget.Count(r.Flipped) + " won in one repeat and lost in another"
	}
	out := [][2]string{{"mean", estimate(r.Mean)}}
	if r.Repeats < 2 {
		out = append(out, [2]string{"asked once", "concord judge votes --dataset " + widget.Line(string(r.Dataset)) + " --model " +
			widget.Line(r.Model) + " --anchor " + widget.Line(r.Anchor) + " --judge " + widget.Line(r.Judge) + " --repeats 3"})
	} else {
		out[0][1] += " repeats"
		out = append(out, [2]string{"deviation", deviation(r.Deviation) + "  standard deviation by n-1"})
	}
	out = append(out, [][2]string{
		{"changed", changed},
		{"win rates", strings.Join(rates, " · ")},
		{"left out", or(counts(append([]any{"with a result in fewer than two repeats", r.Single}, left...)...), "nothing")},
	}...)
	return append(out, f.remarks()...)
}
