package table

import (
	"math"
	"slices"
	"strings"
)

// ForPeople is the table with the best of each column marked, in a style.
func (t Table) ForPeople(s Style) Table { return t.markBest().applyStyle(s) }

// markBest marks the best figure of each column in which more is better, among the
// rows that can be compared: those that say the same in every column but the
// ones that name who is compared. Of one alone nothing is the best. The cells of
// t stay as they are.
func (t Table) markBest() Table {
	rows := t.Rows
	t.Rows = make([][]Cell, len(rows))
	for i, r := range rows {
		t.Rows[i] = slices.Clone(r)
	}
	for i, c := range t.Columns {
		if !c.isMoreBetter() || t.marked(i) {
			continue
		}
		for _, rows := range GroupBy(t.Rows, t.comparisonKey) {
			markBest(rows, i)
		}
	}
	return t
}

// markBest finds the best cells of a column.
func markBest(rows [][]Cell, column int) {
	most, n := math.Inf(-1), 0
	for _, r := range rows {
		if v, ok := r[column].comparableValue(); ok {
			most, n = max(most, v), n+1
		}
	}
	for _, r := range rows {
		v, ok := r[column].comparableValue()
		r[column].best = ok && n > 1 && v == most
	}
}

// isMoreBetter reports whether more of the column is better. Shares that only
// describe (of a label, of yes, of an undecided vote) are not in it.
func (c Column) isMoreBetter() bool {
	return (c.Kind == KindRate || c.Kind == KindScore) && slices.Contains([]string{
		"accuracy", "accuracy_plus", "accuracy_after", "vanilla", "circular", "win_rate", "rate", "score",
		"perception", "cognition", "total", "alignment", "with_alignment", "agreement", "exact_match", "mean", "corrected", "step1", "step2",
	}, c.Name)
}

func (t *Table) marked(column int) bool {
	return slices.ContainsFunc(t.Rows, func(r []Cell) bool { return r[column].best })
}

// GroupBy deals rows out by a key, in the order in which keys come.
func GroupBy[T any](rows []T, key func(T) string) [][]T {
	var order []string
	groups := make(map[string][]T)
	for _, r := range rows {
		k := key(r)
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], r)
	}
	out := make([][]T, len(order))
	for i, k := range order {
		out[i] = groups[k]
	}
	return out
}

// MakePerGroup gathers what is made of each group of rows.
func MakePerGroup[R, T any](rows []R, key func(R) string, of func([]R) []T) (out []T) {
	for _, group := range GroupBy(rows, key) {
		out = append(out, of(group)...)
	}
	return out
}

// comparison is what rows have in common that can be compared.
func (t *Table) comparisonKey(row []Cell) string {
	var out []string
	for i, c := range t.Columns {
		switch c.Name {
		case "model", "extractor", "rules", "judge", "runs", "source", "size", "parameters", "language_base", "vision", "open", "method", "undefined":
			continue
		}
		if c.Kind == KindText {
			out = append(out, row[i].String())
		}
	}
	return strings.Join(out, "\x00")
}

// Style is what figures are printed without, in tables for people. Papers
// often print the value alone; CSV and JSON keep everything.
type Style struct {
	NoIntervals bool
	NoCounts    bool
}

// cutFigure leaves out of a figure what the style does without: counts stand behind
// two blanks, an interval in the first brackets.
func (s Style) cutFigure(figure string) string {
	mark := ""
	if whole, marked := strings.CutSuffix(figure, fewMark); marked {
		if figure = whole; !s.NoIntervals { // of which it warns
			mark = fewMark
		}
	}
	value, counts, counted := strings.Cut(figure, "  ")
	if s.NoIntervals {
		if before, rest, ok := strings.Cut(value, " ["); ok {
			if _, after, ok := strings.Cut(rest, "]"); ok {
				value = before + after
			}
		}
	}
	if !counted || s.NoCounts {
		return value + mark
	}
	return value + "  " + counts + mark
}

// applyStyle gives the style to the figures of a table, whose names stay whole.
func (t Table) applyStyle(s Style) Table {
	if s == (Style{}) {
		return t
	}
	rows := t.Rows
	t.Rows = make([][]Cell, len(rows))
	for i, r := range rows {
		for _, c := range r {
			if c.kind != cellText {
				c.style = s
			}
			t.Rows[i] = append(t.Rows[i], c)
		}
	}
	return t
}

// WithRows are those of the tables that have any.
func WithRows(all ...Table) []Table {
	return slices.DeleteFunc(all, func(t Table) bool { return len(t.Rows) == 0 })
}
