package report

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"

	figures "concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// counted is a row with as many samples, or pairs, behind every figure.
type counted struct {
	figures.ForEveryone
	n int
}

func (counted) TableLines() [][]table.Cell { return nil }

func (c counted) PairsBehind(figures.Selection) iter.Seq[eval.Pair] {
	return func(yield func(eval.Pair) bool) {
		for i := range c.n {
			if !yield(eval.Pair{Sample: eval.Ordinal(c.n - i), First: 1, Second: 2}) {
				return
			}
		}
	}
}

func (c counted) KeysBehind(context.Context, figures.Facts, figures.Selection) iter.Seq2[eval.Key, error] {
	return figures.SelectKeys(c.PairsBehind(figures.Selection{}), func(p eval.Pair) (eval.Key, bool) { return eval.Key{Run: p.First, Sample: p.Sample}, true })
}

// What people said is closed to whoever has yet to say something, and pairs open
// as pairs, all of them in the order of samples first.
func TestWhatACellOpens(t *testing.T) {
	of := func(o figures.Opener) *drawnTable {
		o.Row = counted{n: 3}
		s := newDrawnTable(table.Table{
			Name: "t", Columns: []table.Column{{Name: "model"}, {Name: "share", Kind: table.KindRate}},
			Rows: [][]table.Cell{
				{table.NewText("m"), figures.AttachPicks(table.NewRate(stat.NewRate(3, 6)), o, figures.Right, figures.Wrong)},
				{table.NewText("other"), table.NewRate(stat.NewRate(0, 0))},
			},
		})
		return &s
	}
	people := of(figures.Opener{People: true})
	if people.messageOfCell(nil, 0, 1, true) != nil {
		t.Error("what people said is opened by who has yet to answer")
	}
	open, ok := people.messageOfCell(nil, 0, 1, false).(OpenSamples)
	if !ok || !open.People || len(open.Lists) != 3 || !open.Lists[0].Tells || open.Title != "share · m" {
		t.Errorf("%+v", open)
	}
	whole, _ := of(figures.Opener{Whole: true}).messageOfCell(nil, 0, 1, true).(OpenSamples)
	if len(whole.Lists) != 3 || whole.Lists[0].Tells || !whole.Lists[1].Tells {
		t.Errorf("that a sample is in one of all parts tells nothing: %+v", whole)
	}
	ballot := &eval.Ballot{Judge: "j"}
	pairs, ok := of(figures.Opener{Pairs: true, Ballot: ballot}).messageOfCell(nil, 0, 1, false).(OpenPairs)
	if !ok || pairs.Ballot != ballot || len(pairs.Lists) != 3 {
		t.Fatalf("%+v", pairs)
	}
	last, n := eval.Ordinal(0), 0
	for p := range pairs.Lists[0].Pairs {
		if p.Sample < last {
			t.Errorf("sample %d after %d", p.Sample, last)
		}
		last, n = p.Sample, n+1
	}
	if n != 6 {
		t.Errorf("%d pairs, want 6", n)
	}
}

// The reader's column is whole where a third of the width is enough for it, and what
// room is left widens others that would be cut.
func TestReadersColumnIsWhole(t *testing.T) {
	why := func(n int) table.Cell { return table.NewRate(stat.UndefinedRate(strings.Repeat("w", n))) }
	s := newDrawnTable(table.Table{
		Name:    "t",
		Columns: []table.Column{{Name: "run", Kind: table.KindCount}, {Name: "first", Kind: table.KindRate}, {Name: "next", Kind: table.KindRate}},
		Rows:    [][]table.Cell{{table.NewCount(1), why(50), why(50)}, {table.NewCount(2), why(50), why(50)}},
	})
	for _, c := range []struct{ column, width, first, next int }{
		{1, 200, 54, 54}, {2, 200, 54, 54}, {1, 170, 54, 54}, {2, 104, 53, 44}, {1, 100, 49, 44}, {1, 60, 54, 0},
	} {
		wide := make([]int, 3)
		for _, p := range s.chooseVisibleColumns(c.column, c.width) {
			wide[p.column] = p.wide
		}
		if wide[1] != c.first || wide[2] != c.next {
			t.Errorf("column %d in %d cells: %v, want %d and %d", c.column, c.width, wide, c.first, c.next)
		}
	}
}

// The names that tell rows apart stay in sight, cut where they have to be; others
// are there where there is room.
func TestNamesThatTellRowsApartStay(t *testing.T) {
	rate := func(k int) table.Cell { return table.NewRate(stat.NewRate(k, 10)) }
	s := newDrawnTable(table.Table{
		Name:    "t",
		Columns: []table.Column{{Name: "run", Kind: table.KindCount}, {Name: "dataset"}, {Name: "model"}, {Name: "strategy"}, {Name: "share", Kind: table.KindRate}},
		Rows: [][]table.Cell{
			{table.NewCount(1), table.NewText("a-long-dataset"), table.NewText("a-long-model-name"), table.NewText("vanilla"), rate(1)},
			{table.NewCount(1), table.NewText("a-long-dataset"), table.NewText("a-long-model-name"), table.NewText("circular"), rate(2)},
			{table.NewCount(2), table.NewText("another-one"), table.NewText("b"), table.NewText("vanilla"), rate(3)},
		},
	})
	check := func(room int, want ...string) {
		t.Helper()
		puts, _ := s.chooseNamingColumns(room, widest, nameLeast)
		used := 0
		var got []string
		for _, p := range puts {
			got = append(got, s.head[p.column])
			used += p.wide + gap
		}
		if len(got) != len(want) || used > max(room, 2*(nameLeast+gap)) {
			t.Fatalf("room %d: %v in %d, want %v", room, got, used, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("room %d: %v, want %v", room, got, want)
			}
		}
	}
	check(100, "run", "dataset", "model", "strategy")
	check(32, "model", "strategy")
	check(24, "model", "strategy")
	check(5, "model", "strategy")
}

// A table that is wider than the page shows all of its columns, in blocks below each
// other, where these have room, and else says which of them it shows.
func TestAWideTableShowsAllColumns(t *testing.T) {
	of := table.Table{Name: "abilities", Columns: []table.Column{{Name: "model"}}, Rows: [][]table.Cell{{table.NewText("m")}, {table.NewText("other")}}}
	for i := range 9 {
		of.Columns = append(of.Columns, table.Column{Name: fmt.Sprint("level", i), Kind: table.KindRate})
		for row := range of.Rows {
			of.Rows[row] = append(of.Rows[row], table.NewRate(stat.NewRate(i+row+3, 40+i)))
		}
	}
	for width := 60; width <= 200; width += 10 {
		for height := 6; height < 50; height++ {
			c := &pageCanvas{
				Spelling: new(keymap.Spelling), theme: widget.NewTheme(lipgloss.NewRenderer(io.Discard)), width: width, height: 50,
				r: &pageReader{}, f: &pageFigures{sheets: []drawnTable{newDrawnTable(of)}},
			}
			frame := strings.Join(c.drawTables(height), "\n")
			said, all := strings.Contains(frame, "column"), true
			for i := range 9 {
				n := strings.Count(frame, fmt.Sprint("level", i))
				all = all && n == 1
			}
			if all == said || height == 49 && (!all || c.below != 0) {
				t.Fatalf("%dx%d: all columns %v, said %v, %d below:\n%s", width, height, all, said, c.below, frame)
			}
		}
	}
}
