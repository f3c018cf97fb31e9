package report

import (
	"fmt"

	figures "concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/widget"
)

const noScores = "No open answers with a reference yet. On the runs ({h}) {n@runs} asks a model, and {i@runs} imports answers; {v}, then {l@queues} has people score them from 1 to 5. A judge does so in a shell:\n" +
	"  concord import predictions FILE --dataset N --model M\n" +
	"  concord judge scores --dataset N --judge J"

// scoresLines are the runs on open samples, dataset by dataset: exact match,
// and under it what judges and people give the same answers.
func (m *Model) scoresLines(f *pollFigures) []line {
	var out []line
	rows := of[*accuracy.ScoresRow](f.report.Rows)
	for _, group := range groups(rows, func(r *accuracy.ScoresRow) string { return string(r.Dataset) }) {
		name := widget.Line(string(group[0].Dataset))
		head := m.head0("s\x00"+string(group[0].Dataset), name, f)
		head.note = widget.Plural(len(group), "run")
		out = append(out, head)
		if !head.open {
			continue
		}
		for _, r := range group {
			out = append(out, m.scoredLines(r, f)...)
		}
	}
	return out
}

// scoredLines are one run: exact match, each judge and people.
func (m *Model) scoredLines(r *accuracy.ScoresRow, f *pollFigures) []line {
	name := modelOf(&r.Head)
	if r.Modality != eval.WithImage.String() {
		name += " (" + r.Modality + ")"
	}
	title := runName(&r.Head)
	l := line{
		id: fmt.Sprintf("s\x00%d", r.Run), run: r.Run, depth: 1, name: name, label: "exact match", rate: r.ExactMatch, parent: true,
		behind: OpenSamples{Title: title + ", exact match", Lists: m.scoreLists(r, true, []pick{
			{"matched", accuracy.Matched, -1},
			{"not matched", accuracy.NotMatched, -1},
			{"no reference", accuracy.NoReference, r.NoReference},
			{"no answer", accuracy.NoAnswer, r.NoAnswer},
		})},
		beside: func() [][2]string { return scoresBeside(r, nil, f) },
	}
	l.open = !m.open[l.id]
	out := []line{l}
	if !l.open {
		return out
	}
	for i := range r.Judges {
		out = append(out, m.judgeLines(r, &r.Judges[i], f)...)
	}
	part := line{run: r.Run, depth: 2, beside: l.beside}
	if len(r.Judges) == 0 {
		part.id, part.name, part.behind.Title = l.id+"\x00judges", "judges", title
		part.note = "– none asked: concord judge scores asks one"
		out = append(out, part)
	}
	part.id, part.name, part.label, part.note = l.id+"\x00people", "people", "mean", marks(r.People.Mean)
	part.behind = OpenSamples{Title: title + ", scored by people", People: true}
	if r.People.Mean.N > 0 {
		part.behind.Lists = m.scoreLists(r, false, []pick{{"scored by people", accuracy.PeopleScored, -1}})
	} else {
		part.note = "– no answer drawn at random has their score"
	}
	return append(out, part)
}

// judgeLines are a judge's mean and, when it is open, how its scores fell.
func (m *Model) judgeLines(r *accuracy.ScoresRow, j *accuracy.JudgeScore, f *pollFigures) []line {
	var picks []pick
	for i := range j.Given {
		score := eval.TopScore - i
		picks = append(picks, pick{fmt.Sprint("score ", score), accuracy.GivenScore + figures.Which(fmt.Sprintf("%d:%s", score, j.Judge)), j.Given[score-1]})
	}
	picks = append(picks,
		pick{"unparsed", accuracy.NoScore + figures.Which(j.Judge), j.Unparsed},
		pick{"failed", accuracy.ScoreFailed + figures.Which(j.Judge), j.Failed},
		pick{"not asked", accuracy.NotScored + figures.Which(j.Judge), j.NotAsked})
	title := runName(&r.Head) + ", scored by " + widget.Line(j.Judge)
	l := line{
		id: fmt.Sprintf("s\x00%d\x00j\x00%s", r.Run, j.Judge), run: r.Run, depth: 2, name: widget.Line(j.Judge), label: "mean", note: marks(j.Mean),
		parent: true,
		behind: OpenSamples{Title: title, Lists: m.scoreLists(r, false, picks)},
		beside: func() [][2]string { return scoresBeside(r, j, f) },
	}
	l.open = m.open[l.id]
	out := []line{l}
	if !l.open {
		return out
	}
	for i, p := range picks {
		if i >= eval.TopScore && p.n == 0 {
			continue
		}
		part := l
		part.id, part.depth, part.name, part.label, part.note = l.id+"\x00"+p.name, 3, p.name, "", widget.Plural(p.n, "answer")
		part.parent, part.open = false, false
		part.behind = OpenSamples{Title: title + ", " + p.name, Lists: m.scoreLists(r, false, []pick{p})}
		out = append(out, part)
	}
	less := l
	less.id, less.depth, less.name, less.label, less.note = l.id+"\x00less", 3, "less people's", "", marks(j.Beyond)
	less.parent, less.open = false, false
	less.behind = OpenSamples{Title: title + " and by people", People: true}
	if j.Beyond.N > 0 {
		less.behind.Lists = m.scoreLists(r, false, []pick{{"scored by people", accuracy.PeopleScored, -1}})
	}
	return append(out, less)
}

// scoreLists are the lists of a run's figures that hold something, all answers
// first where they are asked for.
func (m *Model) scoreLists(r *accuracy.ScoresRow, every bool, picks []pick) []List {
	var out []List
	if every {
		all := behind(m.source, r, "all", figures.Selection{Which: figures.Every})
		all.Tells = false
		out = append(out, all)
	}
	for _, p := range picks {
		if p.n != 0 {
			out = append(out, behind(m.source, r, p.name, figures.Selection{Which: p.which}))
		}
	}
	return out
}

// marks is a mean of scores from 1 to 5 with its interval.
func marks(e stat.Estimate) string {
	if reason := e.Reason(); reason != "" {
		return "– " + widget.Line(reason)
	}
	return fmt.Sprintf("%.2f [%s%.2f, %.2f], n %s", e.Value, sequenceMark(e.Sequence), e.Low, e.High, widget.Count(e.N))
}

// scoresBeside is what a run's figures are made of, and those of a judge when
// there is one.
func scoresBeside(r *accuracy.ScoresRow, j *accuracy.JudgeScore, f *pollFigures) [][2]string {
	out := [][2]string{{"exact match", whole(r.ExactMatch)}}
	if j != nil {
		g := j.Given
		out = append(out,
			[2]string{"judge", widget.Line(j.Judge) + " " + marks(j.Mean)},
			[2]string{"given", or(counts("ones", g[0], "twos", g[1], "threes", g[2], "fours", g[3], "fives", g[4]), "none")},
			[2]string{"no score", or(counts("unparsed", j.Unparsed, "failed", j.Failed, "not asked", j.NotAsked), "none")},
			[2]string{"to people", marks(j.Beyond)})
	}
	p := &r.People
	given := "– no answer drawn at random has their score"
	if p.Scores > 0 {
		given = marks(p.Mean) + fmt.Sprintf("; %s by %s", widget.Plural(p.Scores, "score"), people(p.People))
	}
	out = append(out,
		[2]string{"people", given},
		[2]string{"left out", or(counts("open questions without reference", r.NoReference, "without answer", r.NoAnswer,
			"flagged", p.Flagged, "scored after the reveal", p.Informed, "scored in queues drawn by interest", p.Priority), "nothing")})
	return append(out, f.remarks()...)
}
