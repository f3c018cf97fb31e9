package report

import (
	"slices"
	"strings"
)

var calibrationFigures = []Column{
	{Name: "alignment", Kind: KindRate},
	{Name: "change", Kind: KindPoints},
	{Name: "because"},
	{Name: "cohen_kappa", Kind: KindCoefficient},
	{Name: "gwet_ac1", Kind: KindCoefficient},
	{Name: "majority_baseline", Kind: KindRate},
	{Name: "items", Kind: KindCount},
	{Name: "annotators", Kind: KindCount},
	{Name: "stale"},
	{Name: "why"},
}

var savedColumns = []Column{{Name: "report", Kind: KindCount}, {Name: "saved_at"}, {Name: "saved_by"}}

func (r *CalibrationRow) columns() []Column {
	return columns([]Column{{Name: "queue"}}, headColumns, []Column{{Name: "extractor"}, {Name: "policy"}, {Name: "undecided"}},
		savedColumns, calibrationFigures)
}

func (r *CalibrationRow) lines() [][]Cell {
	start := append([]Cell{text(string(r.Queue))}, r.cells()...)
	if r.Run == 0 {
		start[1] = blank()
	}
	start = append(start, text(r.Extractor), text(r.Policy), text(r.Undecided))
	return [][]Cell{slices.Concat(start, r.saved(), r.figures())}
}

func (r *CalibrationRow) saved() []Cell {
	return []Cell{integer(int(r.Saved)), text(r.SavedAt.UTC().Format("2006-01-02 15:04")), text(r.SavedBy)}
}

func (r *CalibrationRow) figures() []Cell {
	change, because := blank(), blank()
	if s := r.Shift; s != nil {
		change, because = points(s.Difference), text("the same facts")
		if len(s.Because) > 0 {
			because = text(strings.Join(s.Because, "; "))
		}
	}
	stale := "no"
	if r.Stale {
		stale = "yes"
	}
	return []Cell{
		rate(r.Alignment), change, because, coefficient(r.Kappa), coefficient(r.AC1), rate(r.Baseline),
		integer(r.Items), integer(r.Annotators), text(stale), text(strings.Join(r.Reasons, "; ")),
	}
}

// calibrationSheets are a table for each line over time, with its extractor,
// queue and consensus in the title; and a note on each that has no figure.
func calibrationSheets(rows []*CalibrationRow) (out []Table, notes []string) {
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
		t := Table{
			Name: "calibrations", Title: r.Extractor + " on queue " + string(r.Queue) + ", consensus " + r.Policy + ", undecided " + r.Undecided,
			Columns: columns(savedColumns, calibrationFigures),
		}
		for _, r := range line {
			t.Rows = append(t.Rows, append(r.saved(), r.figures()...))
		}
		out = append(out, t)
	}
	return out, slices.Compact(notes)
}
