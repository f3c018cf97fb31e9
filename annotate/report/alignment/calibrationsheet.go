package alignment

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/table"
)

var calibrationFigures = table.List("alignment:rate change:points because cohen_kappa:coefficient gwet_ac1:coefficient majority_baseline:rate items:count annotators:count stale why")

var savedColumns = table.List("report:count saved_at saved_by")

// Columns names the columns of the lines that Lines gives.
func (r *CalibrationRow) Columns() []table.Column {
	return table.Columns(table.List("queue"), report.HeadColumns, table.List("extractor policy undecided"),
		savedColumns, calibrationFigures)
}

// Lines lays the row out as lines of its table.
func (r *CalibrationRow) Lines() [][]table.Cell {
	start := append([]table.Cell{table.Text(string(r.Queue))}, r.Cells()...)
	if r.Run == 0 {
		start[1] = table.Blank()
	}
	start = append(start, table.Text(r.Extractor), table.Text(r.Policy), table.Text(r.Undecided))
	return [][]table.Cell{slices.Concat(start, r.saved(), r.figures())}
}

func (r *CalibrationRow) saved() []table.Cell {
	if r.Saved == 0 {
		return []table.Cell{table.Blank(), table.Text("today"), table.Blank()}
	}
	return []table.Cell{table.Count(int(r.Saved)), table.Text(r.SavedAt.UTC().Format("2006-01-02 15:04")), table.Text(r.SavedBy)}
}

func (r *CalibrationRow) figures() []table.Cell {
	change, because := table.Blank(), table.Blank()
	if s := r.Shift; s != nil {
		change, because = table.Points(s.Difference), table.Text("the same facts")
		if len(s.Because) > 0 {
			because = table.Text(strings.Join(s.Because, "; "))
		}
	}
	stale := "no"
	if r.Stale {
		stale = "yes"
	}
	rate := table.Rate(r.Alignment)
	if r.of != nil { // a saved one opens nothing
		rate = r.of.rate(r.Alignment, r.of.opener(), false)
	}
	return []table.Cell{
		rate, change, because, table.Coefficient(r.Kappa), table.Coefficient(r.AC1), table.Rate(r.Baseline),
		table.Count(r.Items), table.Count(r.Annotators), table.Text(stale), table.Text(strings.Join(r.Reasons, "; ")),
	}
}

// calibrationSheets are a table for each line over time, with its extractor,
// queue and consensus in the title; and a note on each that has no figure.
func calibrationSheets(rows []*CalibrationRow) (out []table.Table, notes []string) {
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && inLine(rows[0], rows[n]) == 0 {
			n++
		}
		line, r := rows[:n], rows[0]
		rows = rows[n:]
		if !slices.ContainsFunc(line, func(r *CalibrationRow) bool { return r.LeftOut == "" }) {
			notes = append(notes, r.Extractor+" on queue "+string(r.Queue)+" is left out: "+r.LeftOut+".")
			continue
		}
		t := table.Table{
			Name: "calibrations", Title: r.Extractor + " on queue " + string(r.Queue) + ", consensus " + r.Policy + ", undecided " + r.Undecided,
			Columns: table.Columns(savedColumns, calibrationFigures),
		}
		for _, r := range line {
			t.Rows = append(t.Rows, append(r.saved(), r.figures()...))
		}
		out = append(out, t)
	}
	return out, slices.Compact(notes)
}

// OverTime are an alignment report's figures over time, today's last: a table
// for each extractor of which any were saved.
func OverTime(r *report.Report) []table.Table {
	lines := Line(r)
	saved := make(map[string]bool)
	for _, l := range lines {
		saved[l.line()] = saved[l.line()] || l.Saved != 0
	}
	out, _ := calibrationSheets(slices.DeleteFunc(slices.Clone(lines), func(l *CalibrationRow) bool { return !saved[l.line()] }))
	if len(out) > 0 {
		out[len(out)-1].Notes = []string{shiftNote}
	}
	return out
}

func (r *CalibrationRow) line() string {
	return strings.Join([]string{string(r.Queue), r.Extractor, r.Policy, r.Undecided}, "\x00")
}

// SavedSheets are the saved reports of an alignment report's queue as they were,
// with their parts: a table for each, the oldest first.
func SavedSheets(r *report.Report) []table.Table {
	var out []table.Table
	rows := slices.DeleteFunc(alignmentRows(slices.Concat(r.Overall, r.Rows)), func(a *Row) bool { return a.Saved == 0 })
	slices.SortStableFunc(rows, func(a, b *Row) int { return cmp.Compare(a.Saved, b.Saved) })
	for _, group := range table.GroupBy(rows, func(a *Row) string { return strconv.FormatUint(a.Saved, 10) }) {
		first := group[0]
		t := table.Table{Name: fmt.Sprintf("saved report %d", first.Saved), Columns: alignmentColumns}
		if first.SavedAt != nil {
			t.Title = first.SavedAt.UTC().Format("2006-01-02 15:04 UTC") + " by " + first.SavedBy
		}
		if first.Stale != nil && *first.Stale {
			t.Title += ", stale: " + strings.Join(first.Reasons, "; ")
		} else {
			t.Title += ", as it would come out today"
		}
		for _, a := range group {
			t.Rows = append(t.Rows, a.partLines(false)...)
		}
		out = append(out, t)
	}
	return out
}
