package report

import (
	"fmt"
	"slices"
	"strings"

	"concord/annotate/agree"
	figures "concord/annotate/report"
	"concord/annotate/report/pairwise"
	"concord/tui/widget"
)

const noRanks = "No two rankings of models yet. On the runs ({h}) {n@runs} asks several models on a dataset, which makes one, and {V@runs} has a judge vote on their answers, which makes another:\n" +
	"  concord import votes FILE --dataset N\n" +
	"  concord import predictions FILE --dataset N --model M"

// rankSeed draws the orders of the permutation test, as the command does when
// nobody says otherwise.
const rankSeed = 1

// ranking is one of the report's, and over how many models it goes.
type ranking struct {
	name   string
	kind   string
	models int
}

// rankingsOf are those that the rows set beside each other, in their order.
func rankingsOf(rows []*pairwise.RanksRow) []ranking {
	var out []ranking
	add := func(r *figures.Ranking, models int) {
		if !slices.ContainsFunc(out, func(x ranking) bool { return x.name == r.Name }) {
			out = append(out, ranking{r.Name, r.Kind, models})
		}
	}
	for _, r := range rows {
		add(&r.A, len(r.Models)+r.OnlyA)
		add(&r.B, len(r.Models)+r.OnlyB)
	}
	return out
}

// ranksLines are every ranking of models against every other: a matrix, and a
// line for each two. A cell is about models, so nothing is behind it.
func (m *Model) ranksLines(f *pollFigures) []line {
	rows := of[*pairwise.RanksRow](f.report.Rows)
	if len(rows) == 0 {
		return nil
	}
	all := rankingsOf(rows)
	head := m.head0("k", "Spearman's correlation", f)
	head.note = "of " + widget.Plural(len(all), "ranking")
	out := []line{head}
	if head.open {
		out = append(out, m.rankMatrix(all, rows, f)...)
	}
	every := m.head0("k2", "every two rankings", f)
	out = append(out, every)
	if !every.open {
		return out
	}
	for _, r := range rows {
		a, b := rankAt(all, r.A.Name), rankAt(all, r.B.Name)
		name := fmt.Sprintf("%d and %d", a+1, b+1)
		out = append(out, line{
			id: "k2\x00" + r.A.Name + "\x00" + r.B.Name, depth: 1, long: true, name: name, note: correlation(&r.Correlation),
			behind: OpenSamples{Title: "rankings " + name}, beside: func() [][2]string { return ranksBeside(r, f) },
		})
	}
	return out
}

func rankAt(all []ranking, name string) int {
	return slices.IndexFunc(all, func(r ranking) bool { return r.name == name })
}

// rankCell is how wide a cell of the matrix of rankings is.
const rankCell = 10

// rankMatrix is every ranking against every other, by number. Columns that
// there is no room for are left to the lines of every two.
func (m *Model) rankMatrix(all []ranking, rows []*pairwise.RanksRow, f *pollFigures) []line {
	room := m.width - 6
	shown := max(1, min(len(all), (room-nameLeast)/rankCell))
	wide := max(nameLeast, room-rankCell*shown)
	titles := widget.Fit("", wide)
	for i := range shown {
		titles += widget.Fit(fmt.Sprintf("%5d", i+1), rankCell)
	}
	title := "Spearman's correlation"
	out := []line{{
		id: "k\x00titles", depth: 1, text: m.theme.Faint.Render(titles), behind: OpenSamples{Title: title},
		beside: func() [][2]string { return matrixBeside(len(all)-shown, f) },
	}}
	for i, a := range all {
		text := widget.Fit(widget.Cut(fmt.Sprintf("%d %s", i+1, widget.Line(a.name)), wide-1), wide)
		said := [][2]string{{"ranking", widget.Line(a.name)}, {"by", a.kind + ", of " + widget.Plural(a.models, "model")}}
		for j, b := range all {
			at := slices.IndexFunc(rows, func(r *pairwise.RanksRow) bool {
				return r.A.Name == a.name && r.B.Name == b.name || r.A.Name == b.name && r.B.Name == a.name
			})
			cell := m.theme.Faint.Render("    ·")
			if at >= 0 {
				c := &rows[at].Correlation
				cell = m.rho(c)
				said = append(said, [2]string{fmt.Sprint("with ", j+1), correlation(c)})
			}
			if j < shown {
				text += widget.Fit(cell, rankCell)
			}
		}
		out = append(out, line{
			id: "k\x00row\x00" + a.name, depth: 1, text: text, behind: OpenSamples{Title: fmt.Sprint("ranking ", i+1, " and the others")},
			beside: func() [][2]string { return append(said, f.remarks()...) },
		})
	}
	return out
}

func matrixBeside(more int, f *pollFigures) [][2]string {
	out := [][2]string{{"cells", "the correlation, and n: the models that both rank; a cell is about models, so no pairs are behind it"}}
	if more > 0 {
		out = append(out, [2]string{"no room", widget.Plural(more, "column") + "; every two rankings stand below"})
	}
	return append(out, f.remarks()...)
}

// rho is a correlation in a cell.
func (m *Model) rho(c *agree.Correlation) string {
	n := m.theme.Faint.Render(fmt.Sprintf(" n%d", c.N))
	if c.Undefined != "" {
		return m.theme.Faint.Render("    –") + n
	}
	return fmt.Sprintf("%5.2f", c.Rho) + n
}

// correlation is one in a line: its test, or why there is none.
func correlation(c *agree.Correlation) string {
	if c.Undefined != "" {
		return fmt.Sprintf("– %s, n %d", widget.Line(c.Undefined), c.N)
	}
	how := "exact"
	if !c.Exact {
		how = "of " + widget.Count(c.Tried) + " orders"
	}
	p := fmt.Sprintf("p %.3f", c.P)
	if c.P < 0.001 {
		p = "p < 0.001"
	}
	return fmt.Sprintf("rho %.2f, n %d, %s %s", c.Rho, c.N, p, how)
}

func ranksBeside(r *pairwise.RanksRow, f *pollFigures) [][2]string {
	models := make([]string, 0, len(r.Models))
	for _, x := range r.Models {
		models = append(models, fmt.Sprintf("%s %.3g and %.3g", widget.Line(x.Model), x.A, x.B))
	}
	out := [][2]string{
		{"one", widget.Line(r.A.Name)},
		{"other", widget.Line(r.B.Name)},
		{"spearman", correlation(&r.Correlation)},
		{"models", or(strings.Join(models, " · "), "none that both rank")},
		{"left out", or(counts("only the one ranks", r.OnlyA, "only the other ranks", r.OnlyB), "nothing")},
	}
	return append(out, f.remarks()...)
}
