package widget

import (
	"strings"
	"testing"
)

// No name is cut while there is a cell on its lines that nothing needs.
func TestNamesAreNotCutWhileThereIsRoom(t *testing.T) {
	rows := [][]string{
		{"running", "llava-v1.5-13b-of-the-second-server", "mmbench_dev_20230712", "7", "some prose that continues"},
		{"done", "otter", "demo", "12,345", "more"},
	}
	table := Table{
		Columns: []Column{
			{Title: "state", Width: 9},
			{Title: "model", Width: 12, Grow: 3, Name: true},
			{Title: "dataset", Width: 8, Grow: 2, Name: true},
			{Title: "left", Width: 10, Right: true},
			{Title: "answer", Width: 10, Grow: 1, Least: 110},
		},
		Rows: len(rows), Row: func(i int) []string { return rows[i] },
	}
	check := func(width int, whole bool) {
		t.Helper()
		lines := plainTheme().DrawTable(table, width, 3)
		for i, l := range lines {
			if TextWidth(l) != width {
				t.Errorf("width %d, line %d: %d cells in %q", width, i, TextWidth(l), l)
			}
		}
		names := strings.Contains(lines[1], rows[0][1]) && strings.Contains(lines[1], rows[0][2])
		if names != whole {
			t.Errorf("width %d: names whole is %t in\n%s", width, names, strings.Join(lines, "\n"))
		}
		if !names && strings.Contains(lines[1], "7  ") {
			t.Errorf("width %d: a name is cut beside empty cells:\n%s", width, strings.Join(lines, "\n"))
		}
	}
	check(60, false)
	check(75, false)
	check(76, true) // the mark, running, both names, 12,345, and what is between them
	check(80, true)
	check(120, true)
	check(200, true)
}

// While nothing is cut every column stays in its place.
func TestColumnsStayWhileNothingIsCut(t *testing.T) {
	name := "short"
	table := Table{
		Columns: []Column{{Title: "name", Width: 10, Grow: 1, Name: true}, {Title: "n", Width: 8, Right: true}},
		Rows:    1, Row: func(int) []string { return []string{name, "1"} },
	}
	before := plainTheme().DrawTable(table, 30, 2)
	name = "sixteen letters."
	if after := plainTheme().DrawTable(table, 30, 2); before[0] != after[0] {
		t.Errorf("titles went from %q to %q", before[0], after[0])
	}
}
