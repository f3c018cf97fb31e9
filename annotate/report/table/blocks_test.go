package table

import (
	"strings"
	"testing"
)

// A table of names alone that is wider than the terminal is dealt out to blocks
// like others, and shows every cell.
func TestWideTexts(t *testing.T) {
	long := strings.Repeat("x", 50)
	names := Table{Name: "names", Columns: ParseColumns("first second third"), Rows: [][]Cell{
		{NewText("a" + long), NewText("b" + long), NewText("c" + long)},
		{NewText("d" + long), NewText("e" + long), NewText("f" + long)},
	}}
	out := string(names.RenderText(80))
	for _, name := range strings.Split("abcdef", "") {
		if !strings.Contains(out, name+long) {
			t.Errorf("%s is not printed:\n%s", name, out)
		}
	}
}
