package report

import (
	"fmt"

	figures "concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/tui/widget"
)

// stepsLines are how far each step of the reading got: a node for each run
// and judge.
func stepsLines(facts figures.Facts, r figures.Report) []line {
	var out []line
	var last *accuracy.StepsRow
	for _, row := range r.Rows {
		s, ok := row.(*accuracy.StepsRow)
		if !ok {
			continue
		}
		if last == nil || last.Run != s.Run || last.Split != s.Split {
			l := stepLine(facts, s, "step 1")
			l.name = runName(&s.Head)
			out = append(out, l)
		}
		if s.Judge != nil {
			out = append(out, stepLine(facts, s, "step 2"))
		}
		last = s
	}
	return out
}

func stepLine(facts figures.Facts, s *accuracy.StepsRow, step string) line {
	pick := func(name string, w figures.Which) List {
		return behind(facts, s, name, figures.Selection{Which: w})
	}
	l := line{
		id:    fmt.Sprintf("s%d\x00%s\x00%s\x00%s", s.Run, s.Split, step, s.Extractor),
		label: step, rate: s.Step1,
		beside: func() [][2]string { return stepBeside(s) },
	}
	l.behind = OpenSamples{Title: runName(&s.Head) + ", " + step, Extractor: "rules:" + s.Rules}
	if step == "step 1" {
		read, left := pick("read", accuracy.Step1), pick("not read", accuracy.Step1Not)
		l.behind.Lists = []List{left, read, together(read, left)}
		return l
	}
	l.depth, l.name, l.rate = 1, "judge "+widget.Line(*s.Judge), s.Step2
	l.behind.Extractor = *s.Judge
	read, left := pick("read", accuracy.Step2), pick("not read", accuracy.Neither)
	l.behind.Lists = []List{read, left, together(read, left)}
	if s.Fallback > 0 {
		l.behind.Lists = append(l.behind.Lists, pick("drawn at random", accuracy.Fallback))
	}
	return l
}

func stepBeside(s *accuracy.StepsRow) [][2]string {
	out := [][2]string{{"step 1", whole(s.Step1) + "  by rules:" + widget.Line(s.Rules) + version(s.RulesVersion)}}
	if s.Judge != nil {
		out = append(out,
			[2]string{"step 2", whole(s.Step2) + "  of what step 1 left, by " + widget.Line(*s.Judge)},
			[2]string{"asked", widget.Count(s.Asked) + " of them"})
	} else {
		out = append(out, [2]string{"step 2", "no judge has read this run: on the runs (h) J has one read it"})
	}
	rest := counts("read by nobody", s.Neither, "drawn at random", s.Fallback, "failed", s.Errors)
	if rest == "" {
		rest = "nothing"
	}
	return append(out, [2]string{"left over", rest})
}
