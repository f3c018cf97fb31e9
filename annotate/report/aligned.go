package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate"
)

var alignmentColumns = columns([]Column{{Name: "queue"}}, headColumns, []Column{
	{Name: "policy"},
	{Name: "undecided"},
	{Name: "extractor"},
	{Name: "part"},
	{Name: "alignment", Kind: KindRate},
	{Name: "case_one", Kind: KindCount},
	{Name: "case_two", Kind: KindCount},
	{Name: "cohen_kappa", Kind: KindCoefficient},
	{Name: "gwet_ac1", Kind: KindCoefficient},
	{Name: "majority_baseline", Kind: KindRate},
	{Name: "excluded"},
})

func (r *AlignmentRow) columns() []Column { return columns(alignmentColumns, testColumns) }

// lines gives the row and then its parts: models, people, levels, the items
// that all extractors are compared on, and every other extractor. A saved row
// has no lines: a note says how it stands.
func (r *AlignmentRow) lines() [][]Cell {
	out := r.partLines(true)
	for i := range out {
		out[i] = append(out[i], make([]Cell, len(testColumns))...)
	}
	for i := range r.McNemar {
		t := &r.McNemar[i]
		line := append(r.start(), text("beside "+t.With), rate(t.Alignment))
		line = append(line, make([]Cell, len(alignmentColumns)-len(line))...)
		out = append(out, append(line, t.cells()...))
	}
	return out
}

// start is what all lines of the row begin with.
func (r *AlignmentRow) start() []Cell {
	start := append([]Cell{text(string(r.Queue))}, r.cells()...)
	if r.Run == 0 {
		start[1] = blank()
	}
	return append(start, text(r.Policy), text(r.Undecided), text(r.Extractor))
}

// partLines are the row and its parts. That of the items that all extractors
// are compared on is left out where it says nothing new, unless all is asked
// for.
func (r *AlignmentRow) partLines(all bool) [][]Cell {
	if r.Saved != 0 {
		return nil
	}
	if r.LeftOut != "" {
		return [][]Cell{append(r.start(), text("all"), rate(r.Alignment),
			blank(), blank(), blank(), blank(), blank(), blank())}
	}
	out := [][]Cell{append(r.start(), text("all"), rate(r.Alignment), integer(r.CaseOne), integer(r.CaseTwo),
		coefficient(r.Kappa), coefficient(r.AC1), rate(r.Baseline), text(r.excluded()))}
	part := func(name string, f *AlignmentFigures) {
		out = append(out, append(r.start(), text(name), rate(f.Alignment),
			blank(), blank(), coefficient(f.Kappa), coefficient(f.AC1), blank(), blank()))
	}
	if r.CaseOpen > 0 {
		out = append(out, append(r.start(), text(fmt.Sprintf("misaligned, no consensus: %s", grouped(r.CaseOpen))),
			blank(), blank(), blank(), blank(), blank(), blank(), blank()))
	}
	if c := r.Common; c != nil && (all || c.Alignment.N != r.Alignment.N) {
		part("items in common", &c.AlignmentFigures)
	}
	if a := r.Adjudicated; a != nil {
		out = append(out, append(r.start(), text(fmt.Sprintf("adjudicated, rulings: %s", grouped(a.Items))), rate(a.Alignment),
			blank(), blank(), blank(), blank(), blank(), blank()))
		for _, c := range causes(a.CaseTwo) {
			out = append(out, append(r.start(), text("Case II, "+c.name),
				blank(), blank(), integer(c.n), blank(), blank(), blank(), blank()))
		}
	}
	for i := range r.Models {
		part("model "+r.Models[i].Model, &r.Models[i].AlignmentFigures)
	}
	for i := range r.People {
		part("person "+r.People[i].Annotator, &r.People[i].AlignmentFigures)
	}
	for i := range r.Levels {
		part(strings.Join(r.Levels[i].Path, " / "), &r.Levels[i].AlignmentFigures)
	}
	return out
}

// tallied is a count with its name.
type tallied struct {
	name string
	n    int
}

// causes are who turned out to be right on the Case II items, with those that
// nobody has settled.
func causes(c annotate.CaseTwoCauses) []tallied {
	return []tallied{
		{"person right", c.PersonRight},
		{"judge right", c.JudgeRight},
		{"ambiguous", c.Ambiguous},
		{"both wrong", c.BothWrong},
		{"not settled", c.Open},
	}
}

func (r *AlignmentRow) excluded() string {
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(r.Excluded)) {
		parts = append(parts, fmt.Sprintf("%s %s", reason, grouped(r.Excluded[reason])))
	}
	return strings.Join(parts, ", ")
}
