package table

import (
	"fmt"
	"strings"

	"concord/eval/text"
)

// LaTeX prints the table as a tabular of booktabs, with a rule between groups of
// models by size.
func (t Table) LaTeX() []byte {
	var b strings.Builder
	spec, head := "", make([]string, len(t.Columns))
	for i, c := range t.Columns {
		head[i] = inLaTeX(c.Head())
		if c.Kind == KindText {
			spec += "l"
		} else {
			spec += "r"
		}
	}
	if t.Title != "" {
		fmt.Fprintf(&b, "%% %s\n", inLaTeX(t.heading()))
	}
	for _, n := range t.Notes {
		fmt.Fprintf(&b, "%% %s\n", inLaTeX(n))
	}
	fmt.Fprintf(&b, "\\begin{tabular}{%s}\n\\toprule\n%s \\\\\n\\midrule\n", spec, strings.Join(head, " & "))
	for n, row := range t.Rows {
		if n > 0 && t.size(n) != t.size(n-1) {
			b.WriteString("\\midrule\n")
		}
		cells := make([]string, len(row))
		for i, c := range row {
			// A leading bracket would be read as the argument of the \\ before.
			if cells[i] = strings.ReplaceAll(inLaTeX(c.String()), "[", "{[}"); c.best {
				cells[i] = `\textbf{` + cells[i] + `}`
			}
		}
		fmt.Fprintf(&b, "%s \\\\\n", strings.Join(cells, " & "))
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	return []byte(b.String())
}

// SizeColumn names the column of the group of models that a row is in.
const SizeColumn = "size"

// size is the group of models that a row is in; "" in tables without.
func (t Table) size(row int) string {
	for i, c := range t.Columns {
		if c.Name == SizeColumn {
			return t.Rows[row][i].String()
		}
	}
	return ""
}

func inLaTeX(s string) string {
	return strings.ReplaceAll(text.Outside(s).LaTeX(), Dagger, `\textdagger{}`)
}
