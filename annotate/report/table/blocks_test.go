package table

import (
	"strings"
	"testing"
)

// A table of names alone that is wider than the terminal is dealt out to blocks
// like others, and shows every cell.
func TestWideTexts(t *testing.T) {
	long := strings.Repeat("x", 50)
	names := Table{Name: "names", Columns: List("first second third"), Rows: [][]Cell{
		{Text("a" + long), Text("b" + long), Text("c" + long)},
		{Text("d" + long), Text("e" + long), Text("f" + long)},
	}}
	out := string(names.Text(80))
	for _, name := range strings.Split("abcdef", "") {
		if !strings.Contains(out, name+long) {
			t.Errorf("%s is not printed:\n%s", name, out)
		}
	}
}
