package report

import (
	"fmt"
	"slices"
	"strings"

	figures "concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/widget"
)

// accuracyLines are the accuracies: a node for each run and each open level of
// its taxonomy, with vanilla and circular one under the other on one scale.
func accuracyLines(facts figures.Facts, r figures.Report, open map[string]bool) []line {
	var out []line
	rows := make([]*accuracy.Row, 0, len(r.Rows))
	for _, row := range r.Rows {
		if a, ok := row.(*accuracy.Row); ok {
			rows = append(rows, a)
		}
	}
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].Run == rows[0].Run && rows[n].Split == rows[0].Split {
			n++
		}
		out = append(out, node{facts, rows[:n]}.lines(nil, open)...)
		rows = rows[n:]
	}
	return out
}

// node is one run and split, under all its strategies.
type node struct {
	facts figures.Facts
	rows  []*accuracy.Row
}

// lines are the lines of a level and of the open ones below it.
func (n node) lines(path []string, open map[string]bool) []line {
	id := fmt.Sprintf("a%d\x00%s\x00%s", n.rows[0].Run, n.rows[0].Split, strings.Join(path, "\x00"))
	below := n.below(path)
	var out []line
	for i, row := range n.rows {
		l := line{
			id: id + "\x00" + row.Strategy, run: row.Run, depth: len(path), label: row.Strategy,
			rate: n.rate(row, path), behind: n.behind(row, path),
			beside: func() [][2]string { return n.beside(row, path) },
		}
		if i == 0 {
			l.name = n.name(path)
			l.parent, l.open = len(below) > 0, open[l.id]
		}
		out = append(out, l)
		if len(path) == 0 {
			out = append(out, correctedLines(row, l.id, l.behind)...)
		}
	}
	if out[0].open {
		for _, b := range below {
			out = append(out, n.lines(b, open)...)
		}
	}
	return out
}

func (n node) name(path []string) string {
	if len(path) > 0 {
		return widget.Line(path[len(path)-1])
	}
	return runName(&n.rows[0].Head)
}

// runName is the run of a row in one line.
func runName(h *figures.Head) string {
	name := widget.Line(h.Model) + " on " + widget.Line(string(h.Dataset))
	if h.Split != figures.AllSplits && h.Split != string(h.Dataset) {
		name += ", split " + widget.Line(h.Split)
	}
	if h.Modality != eval.WithImage.String() {
		name += " (" + h.Modality + ")"
	}
	if h.Synthetic && !strings.Contains(name, "synthetic") {
		name += " (synthetic)"
	}
	return name
}

// below are the levels one step down.
func (n node) below(path []string) [][]string {
	var out [][]string
	for _, l := range n.rows[0].Levels {
		if len(l.Path) == len(path)+1 && slices.Equal(l.Path[:len(path)], path) {
			out = append(out, l.Path)
		}
	}
	return out
}

func (n node) level(row *accuracy.Row, path []string) (accuracy.LevelRow, bool) {
	for _, l := range row.Levels {
		if slices.Equal(l.Path, path) {
			return l, true
		}
	}
	return accuracy.LevelRow{}, false
}

func (n node) rate(row *accuracy.Row, path []string) stat.Rate {
	if len(path) == 0 {
		return row.Accuracy
	}
	l, ok := n.level(row, path)
	if !ok {
		return stat.Undefined("no questions")
	}
	return l.Accuracy
}

func (n node) behind(row *accuracy.Row, path []string) OpenSamples {
	pick := func(name string, w figures.Which) List {
		return behind(n.facts, row, name, figures.Selection{Which: w, Level: path})
	}
	right, wrong := pick("right", figures.Right), pick("wrong", figures.Wrong)
	all := together(right, wrong)
	// Of questions that are still asked, those that are decided were wrong.
	all.Tells = row.Pending > 0 && row.Strategy == eval.Circular.String()
	open := OpenSamples{
		Title:     runName(&row.Head) + ", " + row.Strategy,
		Extractor: row.Extractor,
		Lists:     []List{all, right, wrong},
	}
	if len(path) > 0 {
		open.Title += ", " + widget.Line(eval.Path(path))
	}
	for _, x := range []struct {
		name  string
		which figures.Which
		n     int
	}{
		{"pending", accuracy.Pending, row.Pending},
		{"irregular", accuracy.Irregular, row.Irregular},
		{"no truth", accuracy.NoTruth, row.NoTruth},
		{"refused", accuracy.Refused, row.Refused},
		{"ambiguous", accuracy.Ambiguous, row.Ambiguous},
		{"missing", accuracy.Missing, row.Missing},
		{"failed", accuracy.Errors, row.Errors},
	} {
		if x.n > 0 {
			open.Lists = append(open.Lists, pick(x.name, x.which))
		}
	}
	return open
}

// beside is what stands beside the accuracy: what it is made of, what was
// left out of it, and what a model that never looks would get.
func (n node) beside(row *accuracy.Row, path []string) [][2]string {
	rate, frequent, random := row.Accuracy, row.Frequent, row.Random
	if l, ok := n.level(row, path); ok && len(path) > 0 {
		rate, frequent, random = l.Accuracy, l.Frequent, l.Random
	}
	out := [][2]string{{row.Strategy, whole(rate)}}
	if d, ok := n.difference(path); ok && row.Strategy == eval.Circular.String() {
		out[0][1] += fmt.Sprintf("   %+.1f points to vanilla", d)
	}
	base := "frequent choice " + whole(frequent)
	if random != nil {
		base += fmt.Sprintf("  ·  random %.1f %%", 100**random)
	}
	out = append(out, [2]string{"baselines", base})
	if len(path) > 0 {
		return out
	}
	out = append(out, [2]string{"predictions", counts(
		"found", row.Found, "none", row.None, "refused", row.Refused,
		"ambiguous", row.Ambiguous, "missing", row.Missing, "failed", row.Errors)})
	left := counts("pending", row.Pending, "no truth", row.NoTruth, "unanswered", row.Unanswered)
	if left == "" {
		left = "nothing"
	}
	out = append(out, [2]string{"left out", left})
	if row.Irregular > 0 {
		out = append(out, [2]string{"irregular", widget.Plural(row.Irregular, "question") + " scored on the passes that are there"})
	}
	out = append(out, [2]string{"read by", readBy(&row.Source)})
	if c := row.Correction; c != nil && c.Corrected.Reason() != figures.NoLabels {
		out = append(out, [2]string{"corrected", estimate(c.Corrected.Estimate)}, counting(c))
	}
	return out
}

// readBy is the rule set with its version, and the judge that completes it.
func readBy(s *figures.Source) string {
	rules := "rules:" + s.Rules
	out := widget.Line(rules) + version(s.RulesVersion)
	if s.Extractor != rules {
		out += ", then " + widget.Line(s.Extractor)
	}
	return out
}

func version(v string) string {
	if v == "" {
		return ""
	}
	return "@" + widget.Line(v)
}

// difference is circular less vanilla in points.
func (n node) difference(path []string) (float64, bool) {
	if len(n.rows) != 2 {
		return 0, false
	}
	a, b := n.rate(n.rows[0], path), n.rate(n.rows[1], path)
	return 100 * (b.Value - a.Value), a.N > 0 && b.N > 0
}

// counts joins names and counts that are not zero.
func counts(pairs ...any) string {
	var out []string
	for i := 0; i+1 < len(pairs); i += 2 {
		if n, _ := pairs[i+1].(int); n > 0 {
			out = append(out, fmt.Sprintf("%s %s", widget.Count(n), pairs[i]))
		}
	}
	return strings.Join(out, " · ")
}
