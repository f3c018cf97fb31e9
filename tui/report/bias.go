package report

import (
	"fmt"
	"slices"

	figures "concord/annotate/report"
	"concord/annotate/report/pairwise"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/widget"
)

// biasLines are what sways votes beside the answers: for every judge the
// positions of each model's pairs, then the preference for the longer answer
// with people's own beside it.
func (m *Model) biasLines(f *pollFigures) []line {
	var judges, people []*pairwise.BiasRow
	for _, r := range of[*pairwise.BiasRow](f.report.Rows) {
		if r.Queue == "" {
			judges = append(judges, r)
		} else {
			people = append(people, r)
		}
	}
	sums := of[*pairwise.BiasRow](f.report.Overall)
	var out []line
	var voices []voice
	for _, group := range groups(judges, func(r *pairwise.BiasRow) string { return judged(&r.Duel) }) {
		name := judged(&group[0].Duel)
		all := group[0]
		for _, s := range sums {
			if judged(&s.Duel) == name {
				all = s
				group = append([]*pairwise.BiasRow{s}, group...)
			}
		}
		voices = append(voices, voice{all, speaker(all, judges), false})
		head := m.head0("b\x00"+name, name, f)
		out = append(out, head)
		if !head.open {
			continue
		}
		for _, r := range group {
			out = append(out, m.positionLines(head.id, r, f)...)
		}
	}
	for _, group := range groups(people, func(r *pairwise.BiasRow) string { return string(r.Queue) }) {
		voices = append(voices, voice{group[0], "people of " + widget.Line(string(group[0].Queue)), f.veiled != ""})
	}
	out = append(out, m.lengthLines(voices, f)...)
	for _, group := range groups(people, func(r *pairwise.BiasRow) string { return string(r.Queue) }) {
		out = append(out, m.shownLines(group, f)...)
	}
	return out
}

// speaker is a judge's name, with how it was asked where that was done in
// several ways.
func speaker(r *pairwise.BiasRow, all []*pairwise.BiasRow) string {
	name := widget.Line(r.Judge)
	if !slices.ContainsFunc(all, func(x *pairwise.BiasRow) bool { return x.Judge == r.Judge && judged(&x.Duel) != judged(&r.Duel) }) {
		return name
	}
	if r.Criteria {
		name += ", with"
	} else {
		name += ", without"
	}
	if r.Input != eval.SeesImage.String() {
		name += ", " + r.Input
	}
	if r.Repeat > 0 {
		name += fmt.Sprint(" #", r.Repeat)
	}
	return name
}

// voice is whose preference for length is shown.
type voice struct {
	row    *pairwise.BiasRow
	name   string
	veiled bool // the pairs are not
}

// positionLines are the four positions of a row as one bar, and each apart when
// it is open.
func (m *Model) positionLines(group string, r *pairwise.BiasRow, f *pollFigures) []line {
	t := m.theme
	name := modelOf(&r.Head)
	if r.Run == 0 {
		name = "all models"
	}
	title := name + " against " + widget.Line(r.Anchor)
	p := &r.Position
	lists := pairLists(r, nil,
		pick{"same vote", pairwise.SameVotes, -1}, pick{"first twice", pairwise.FirstVotes, -1},
		pick{"second twice", pairwise.SecondVotes, -1}, pick{"other", pairwise.OtherVotes, -1},
		pick{"incomplete", pairwise.Incompletes, r.Incomplete})
	l := line{
		id: fmt.Sprintf("%s\x00%d", group, r.Run), run: r.Run, depth: 1, name: name, label: "same vote", rate: p.Same, parent: true,
		stack: []widget.Part{
			{N: p.Same.K, Glyph: "█", Style: t.Good},
			{N: p.First.K, Glyph: "▓", Style: t.Warn},
			{N: p.Second.K, Glyph: "▒", Style: t.Bad},
			{N: p.Other.K, Glyph: "░", Style: t.Faint},
		},
		behind: OpenSamples{Title: title},
		beside: func() [][2]string { return biasBeside(r, f) },
		pairs:  OpenPairs{Title: title, Ballot: ballotOf(&r.Duel), Lists: lists},
	}
	l.open = m.open[l.id]
	out := []line{l}
	if !l.open {
		return out
	}
	for _, x := range []struct {
		name string
		rate stat.Rate
	}{{"same vote", p.Same}, {"first twice", p.First}, {"second twice", p.Second}, {"other", p.Other}} {
		part := l
		part.id, part.depth, part.name, part.label, part.rate = l.id+"\x00"+x.name, 2, x.name, "", x.rate
		part.stack, part.parent, part.open = nil, false, false
		part.pairs.Lists = only(lists, x.name)
		out = append(out, part)
	}
	return out
}

func biasBeside(r *pairwise.BiasRow, f *pollFigures) [][2]string {
	out := [][2]string{
		{"positions", positions(&r.Position)},
		{"shown first", whole(r.FirstShown) + "  of the votes for an answer went to the one shown first"},
		{"longer", whole(r.Longer) + "  of the decided pairs went to the longer answer"},
		{"left out", fmt.Sprintf("%s incomplete · of lengths %s undecided, %s of equal length",
			widget.Count(r.Incomplete), widget.Count(r.Undecided), widget.Count(r.EqualLength))},
	}
	return append(out, f.remarks()...)
}

// lengthLines are how often the longer answer is preferred, by how much longer
// it is: every voice on one scale.
func (m *Model) lengthLines(voices []voice, f *pollFigures) []line {
	if len(voices) == 0 {
		return nil
	}
	head := m.head0("b\x00length", "the longer answer is preferred", f)
	out := []line{head}
	if !head.open {
		return out
	}
	add := func(bin string, at int, rate func(*pairwise.BiasRow) stat.Rate, which func(*pairwise.BiasRow, figures.Which) figures.Which) {
		for i, v := range voices {
			title := "longer answer, " + bin + ", " + v.name
			l := line{
				id: fmt.Sprintf("%s\x00%d\x00%d", head.id, at, i), depth: 1, label: widget.Cut(v.name, m.labelMost()), rate: rate(v.row),
				behind: OpenSamples{Title: title}, beside: func() [][2]string { return biasBeside(v.row, f) },
			}
			if i == 0 {
				l.name = bin
			}
			if !v.veiled {
				l.pairs = OpenPairs{Title: title, Ballot: m.ballotOf(v.row), Lists: pairLists(v.row, nil,
					pick{"longer won", which(v.row, pairwise.LongerWon), -1},
					pick{"shorter won", which(v.row, pairwise.ShorterWon), -1},
					pick{"undecided", which(v.row, pairwise.NeitherWon), -1})[1:]}
			}
			out = append(out, l)
		}
	}
	add("by any length", -1, func(r *pairwise.BiasRow) stat.Rate { return r.Longer },
		func(_ *pairwise.BiasRow, w figures.Which) figures.Which { return w })
	for i := range voices[0].row.Lengths {
		add(binName(&voices[0].row.Lengths[i]), i, func(r *pairwise.BiasRow) stat.Rate { return r.Lengths[i].Longer },
			func(r *pairwise.BiasRow, w figures.Which) figures.Which { return r.Lengths[i].Figure(w) })
	}
	return out
}

// labelMost is how long a label may be beside names and figures.
func (m *Model) labelMost() int { return max(8, m.width/5) }

func binName(l *pairwise.LengthRow) string {
	if l.To == 0 {
		return fmt.Sprintf("by %d characters or more", l.From)
	}
	return fmt.Sprintf("by %d to %d characters", l.From, l.To-1)
}

// ballotOf is the ballot of a row; nil of people's.
func (m *Model) ballotOf(r *pairwise.BiasRow) *eval.Ballot {
	if r.Queue != "" {
		return nil
	}
	return ballotOf(&r.Duel)
}

// shownLines are how often people preferred the answer that they saw first.
func (m *Model) shownLines(group []*pairwise.BiasRow, f *pollFigures) []line {
	first := group[0]
	name := "people of " + widget.Line(string(first.Queue)) + " prefer the answer shown first"
	head := m.head0("b\x00q\x00"+string(first.Queue), name, f)
	out := []line{head}
	if !head.open {
		return out
	}
	for _, r := range group {
		who := widget.Line(string(r.Person))
		if r.Person == "" {
			who = "all together"
		} else if f.veiled != "" {
			continue
		}
		l := line{
			id: head.id + "\x00" + string(r.Person), depth: 1, name: who, rate: r.FirstShown,
			behind: OpenSamples{Title: who}, beside: func() [][2]string { return shownBeside(r, f) },
		}
		if f.veiled == "" {
			l.pairs = OpenPairs{Title: who + " on " + widget.Line(string(r.Queue)), Lists: pairLists(r, nil,
				pick{"first run preferred", pairwise.Wins, -1}, pick{"other preferred", pairwise.Losses, -1},
				pick{"longer won", pairwise.LongerWon, -1}, pick{"shorter won", pairwise.ShorterWon, -1})}
		}
		out = append(out, l)
	}
	return out
}

func shownBeside(r *pairwise.BiasRow, f *pollFigures) [][2]string {
	out := [][2]string{
		{"shown first", whole(r.FirstShown) + "  of the votes for an answer went to the one shown first"},
		{"longer", whole(r.Longer) + "  of the decided pairs went to the longer answer"},
		{"left out", fmt.Sprintf("%s pairs without a vote that counts · of lengths %s undecided, %s of equal length",
			widget.Count(r.Incomplete), widget.Count(r.Undecided), widget.Count(r.EqualLength))},
	}
	return append(out, f.remarks()...)
}
