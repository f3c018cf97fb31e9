package report

import (
	"fmt"
	"slices"
	"strings"

	figures "concord/annotate/report"
	"concord/annotate/report/pairwise"
	"concord/eval"
	"concord/tui/widget"
)

// groups cuts rows into those that follow each other in one place.
func groups[R any](rows []R, place func(R) string) [][]R {
	var out [][]R
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && place(rows[n]) == place(rows[0]) {
			n++
		}
		out = append(out, rows[:n])
		rows = rows[n:]
	}
	return out
}

// of are the rows of a report that are of one type.
func of[R figures.Row](rows []figures.Row) []R {
	var out []R
	for _, row := range rows {
		if r, ok := row.(R); ok {
			out = append(out, r)
		}
	}
	return out
}

// judged says how votes were asked for, in one line.
func judged(d *pairwise.Duel) string {
	parts := []string{"judge " + widget.Line(d.Judge), "without criteria"}
	if d.Criteria {
		parts[1] = "with criteria"
	}
	if d.Input != eval.SeesImage.String() {
		parts = append(parts, "sees "+d.Input)
	}
	if d.Repeat > 0 {
		parts = append(parts, fmt.Sprint("repeat ", d.Repeat))
	}
	return strings.Join(append(parts, "against "+widget.Line(d.Anchor)), ", ")
}

// modelOf is the model of a row.
func modelOf(h *figures.Head) string {
	name := widget.Line(h.Model)
	if h.Synthetic && !strings.Contains(name, "synthetic") {
		name += " (synthetic)"
	}
	return name
}

// votesLines are the contests: under each way of asking a judge its models by
// win rate, and under each model the levels.
func (m *Model) votesLines(f *pollFigures) []line {
	var out []line
	rows := of[*pairwise.VotesRow](f.report.Rows)
	for _, group := range groups(rows, func(r *pairwise.VotesRow) string { return judged(&r.Duel) }) {
		head := m.head0("v\x00"+judged(&group[0].Duel), judged(&group[0].Duel), f)
		head.note = widget.Plural(len(group), "model")
		out = append(out, head)
		if !head.open {
			continue
		}
		anchor := anchorLine(head.id, &group[0].Duel)
		for _, r := range group {
			if anchor != nil && r.WinRate.Value < 0.5 {
				out, anchor = append(out, *anchor), nil
			}
			out = append(out, m.contestLines(head.id, r, nil, f)...)
		}
		if anchor != nil {
			out = append(out, *anchor)
		}
	}
	return out
}

// head0 is a line over others, which are shown before anybody asks.
func (m *Model) head0(id, name string, f *pollFigures) line {
	return line{
		id: id, name: name, parent: true, open: !m.open[id], long: true, behind: OpenSamples{Title: name},
		beside: func() [][2]string { return f.remarks() },
	}
}

func anchorLine(group string, d *pairwise.Duel) *line {
	const why = "50.0 by definition: the model that all are set against"
	return &line{
		id: group + "\x00anchor", depth: 1, name: widget.Line(d.Anchor) + " (anchor)", note: why,
		behind: OpenSamples{Title: widget.Line(d.Anchor)},
		beside: func() [][2]string { return [][2]string{{"win rate", why}} },
	}
}

// contestLines are a contest's line at a level, and the open ones below it.
func (m *Model) contestLines(group string, r *pairwise.VotesRow, path []string, f *pollFigures) []line {
	o := &r.Outcomes
	name := modelOf(&r.Head)
	if len(path) > 0 {
		i := slices.IndexFunc(r.Levels, func(l pairwise.VotesLevel) bool { return slices.Equal(l.Path, path) })
		o, name = &r.Levels[i].Outcomes, widget.Line(path[len(path)-1])
	}
	var below [][]string
	for _, l := range r.Levels {
		if len(l.Path) == len(path)+1 && slices.Equal(l.Path[:len(path)], path) {
			below = append(below, l.Path)
		}
	}
	title := modelOf(&r.Head) + " against " + widget.Line(r.Anchor)
	if len(path) > 0 {
		title += ", " + widget.Line(eval.Path(path))
	}
	l := line{
		id: fmt.Sprintf("%s\x00%d\x00%s", group, r.Run, strings.Join(path, "\x00")), run: r.Run,
		depth: 1 + len(path), name: name, rate: o.WinRate, stack: outcomeParts(m.theme, o, m.detailed),
		parent: len(below) > 0,
		behind: OpenSamples{Title: title},
		beside: func() [][2]string { return contestBeside(r, o, path, f) },
		pairs:  OpenPairs{Title: title, Ballot: ballotOf(&r.Duel), Lists: pairLists(r, path, outcomePicks(r, o, path)...)},
	}
	l.open = l.parent && m.open[l.id]
	out := []line{l}
	if l.open {
		for _, b := range below {
			out = append(out, m.contestLines(group, r, b, f)...)
		}
	}
	return out
}

func outcomePicks(r *pairwise.VotesRow, o *pairwise.Outcomes, path []string) []pick {
	out := []pick{
		{"win", pairwise.Wins, -1},
		{"lose", pairwise.Losses, -1},
		{"tie", pairwise.Ties, o.Tie},
		{"situation one", pairwise.SituationOnes, o.SituationOne},
		{"situation two", pairwise.SituationTwos, o.SituationTwo},
		{"unable", pairwise.Unables, o.Unable},
		{"incomplete", pairwise.Incompletes, o.Incomplete},
	}
	if len(path) > 0 {
		return out
	}
	return append(out,
		pick{"same vote", pairwise.SameVotes, r.Position.Same.K},
		pick{"first twice", pairwise.FirstVotes, r.Position.First.K},
		pick{"second twice", pairwise.SecondVotes, r.Position.Second.K},
		pick{"other", pairwise.OtherVotes, r.Position.Other.K})
}

// outcomeParts are the outcomes as a bar: win, ties and lose, or each apart.
func outcomeParts(t *widget.Theme, o *pairwise.Outcomes, detailed bool) []widget.Part {
	win := widget.Part{N: o.Win, Glyph: "█", Style: t.Good}
	lose := widget.Part{N: o.Lose, Glyph: "░", Style: t.Bad}
	if !detailed {
		return []widget.Part{win, {N: o.Folded, Glyph: "▒", Style: t.Faint}, lose}
	}
	return []widget.Part{
		win,
		{N: o.Tie, Glyph: "▒", Style: t.Faint},
		{N: o.SituationOne, Glyph: "1", Style: t.Accent},
		{N: o.SituationTwo, Glyph: "2", Style: t.Warn},
		{N: o.Unable, Glyph: "?", Style: t.Faint},
		lose,
	}
}

// legend names the parts of the bars of the shown section.
func (m *Model) legend() string {
	switch {
	case m.section == votes && m.detailed:
		return "█win ▒tie 1 2 situations ?unable ░lose"
	case m.section == votes:
		return "█win ▒ties ░lose"
	case m.section == bias:
		return "█same ▓first twice ▒second twice ░other"
	}
	return ""
}

func contestBeside(r *pairwise.VotesRow, o *pairwise.Outcomes, path []string, f *pollFigures) [][2]string {
	out := [][2]string{
		{"win rate", whole(o.WinRate)},
		{"folded", fmt.Sprintf("%s win · %s ties · %s lose of %s", widget.Count(o.Win), widget.Count(o.Folded), widget.Count(o.Lose), widget.Count(o.N))},
		{"ties are", fmt.Sprintf("%s tie · %s situation one · %s situation two · %s unable",
			widget.Count(o.Tie), widget.Count(o.SituationOne), widget.Count(o.SituationTwo), widget.Count(o.Unable))},
	}
	left := widget.Count(o.Incomplete) + " incomplete"
	if len(path) == 0 && o.Incomplete > 0 {
		left += ": " + counts("not asked", r.NotAsked, "in one order", r.OneOrder, "unparsed", r.Unparsed, "failed", r.Errors)
		if r.NoAnswer > 0 {
			left += " (" + widget.Count(r.NoAnswer) + " without both answers)"
		}
	}
	out = append(out, [2]string{"left out", left})
	if len(path) == 0 {
		out = append(out, [2]string{"positions", positions(&r.Position)})
	}
	return append(out, f.remarks()...)
}

// positions are the four shares in one piece.
func positions(p *pairwise.PositionRates) string {
	if p.Same.N == 0 {
		return whole(p.Same)
	}
	return fmt.Sprintf("%.1f %% same vote · %.1f %% first twice · %.1f %% second twice · %.1f %% other, of %s pairs in both orders",
		100*p.Same.Value, 100*p.First.Value, 100*p.Second.Value, 100*p.Other.Value, widget.Count(p.Same.N))
}
