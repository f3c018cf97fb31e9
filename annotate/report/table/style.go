package table

import "strings"

// Style is what figures are printed without, in tables for people. Papers
// often print the value alone; CSV and JSON keep everything.
type Style struct {
	NoIntervals bool
	NoCounts    bool
}

// cut leaves out of a figure what the style does without: counts stand behind
// two blanks, an interval in the first brackets.
func (s Style) cut(figure string) string {
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

// styled gives the style to the figures of a table, whose names stay whole.
func (t Table) styled(s Style) Table {
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
