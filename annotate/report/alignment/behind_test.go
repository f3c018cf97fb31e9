package alignment

import (
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
)

// openings checks that cells open the items that they count, and gives how many
// open something.
func openings(t *testing.T, m *reporttest.Memory, tables []table.Table) (opens int) {
	t.Helper()
	for _, tb := range tables {
		for _, line := range tb.Rows {
			for i := range line {
				c := &line[i]
				b := report.BehindOf(c)
				if b == nil {
					continue
				}
				opens++
				if !b.People {
					t.Errorf("%s %s: opened by those who have yet to answer", tb.Name, tb.Columns[i].Name)
				}
				n, all := make([]int, len(b.Picks)), 0
				for j := range b.Picks {
					n[j] = reporttest.CountKeys(t, b.Picks[j].KeysBehind(t.Context(), m))
					if j < b.Parts {
						all += n[j]
					}
				}
				column := tb.Columns[i].Name
				if k, ok := c.Count(); ok && k != all && column != "items" && column != "n" {
					t.Errorf("%s: %s %d opens %v", tb.Name, column, k, n)
				}
				exact := column == "alignment" && tb.Name == "alignment" && !strings.HasPrefix(line[len(line)-8].String(), "adjudicated") || column == "agreement" || column == "with_others"
				if rate, ok := c.Rate(); ok && exact && rate.N > 0 && len(b.Picks) > 1 && (rate.K != n[0] || rate.N != all) {
					t.Errorf("%s: %s %d/%d opens %v", tb.Name, column, rate.K, rate.N, n)
				}
			}
		}
	}
	return opens
}

func TestEveryCellOpensItsItems(t *testing.T) {
	m := unread()
	r := align(t, m, Options{Queue: "unread"})
	if n := openings(t, m, r.Tables()); n != 114 {
		t.Errorf("%d cells of alignment open something", n)
	}
	keep(m, t, Options{Queue: "unread"}, 1)
	r = align(t, m, Options{Queue: "unread"})
	over, saved := MakeOverTimeTables(&r), MakeSavedTables(&r)
	if len(over) == 0 || len(saved) != 1 || len(saved[0].Rows) == 0 || openings(t, m, saved) != 0 || openings(t, m, over) != len(over) {
		t.Errorf("saved numbers: %d over time, %d saved, or not today's alone open items as they stand now", len(over), len(saved))
	}
	if last := over[0].Rows[len(over[0].Rows)-1][1].String(); last != "today" {
		t.Errorf("the last figure is of %q", last)
	}
	s := staff()
	people, _ := annotators(t, s, AnnotatorOptions{Queue: "q"})
	if n := openings(t, s, people.Tables()); n != 58 {
		t.Errorf("%d cells of annotators open something", n)
	}
	for _, tb := range people.PublicReport().Tables() {
		for _, line := range tb.Rows {
			for i := range line {
				if report.BehindOf(&line[i]) != nil {
					t.Errorf("%s %s opens items for who has yet to answer", tb.Name, tb.Columns[i].Name)
				}
			}
		}
	}
}

// Parts that may hold few items are in no table for those who have yet to answer.
func TestWholeTablesLeavePartsOut(t *testing.T) {
	m := unread()
	r := align(t, m, Options{Queue: "unread"})
	parts := func(r report.Report) (n int) {
		for _, tb := range r.Tables() {
			for _, line := range tb.Rows {
				for i := range line {
					if strings.HasPrefix(line[i].String(), "person ") {
						n++
					}
				}
			}
		}
		return n
	}
	if parts(r) == 0 || parts(r.PublicReport()) != 0 {
		t.Errorf("%d people, and %d for those who have yet to answer", parts(r), parts(r.PublicReport()))
	}
}
