package quality

import (
	"strings"
	"unicode"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// openingRunes is how much of a question without spaces is its instruction.
const openingRunes = 4

// firstWords is how a question opens: its first words in lower case, without
// punctuation and "please".
func firstWords(question string, words int) string {
	var out []string
	for w := range strings.FieldsSeq(strings.ToLower(question)) {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if w == "" || w == "please" {
			continue
		}
		if r := []rune(w); unicode.In(r[0], unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			return string(r[:min(len(r), openingRunes)])
		}
		if out = append(out, w); len(out) == words {
			break
		}
	}
	return strings.Join(out, " ")
}

var datasetLayout = report.NewLayout("dataset group class samples:count share:rate")

// TableLines give the whole, and a line for each class of each group.
func (r *DatasetRow) TableLines() [][]table.Cell {
	name := table.NewText(string(r.Dataset))
	out := [][]table.Cell{
		{name, table.NewText("samples"), table.NewText("all"), table.NewCount(r.Samples), table.NewBlank()},
		{name, table.NewText("samples"), table.NewText("discarded"), table.NewCount(r.Discarded), table.NewBlank()},
		{name, table.NewText("pictures"), table.NewText("pictured"), table.NewCount(r.Pictured.K), table.NewRate(r.Pictured)},
		{name, table.NewText("pictures"), table.NewText("held"), table.NewCount(r.Held.K), table.NewRate(r.Held)},
		{name, table.NewText("answers"), table.NewText("given"), table.NewCount(r.Truth.K), table.NewRate(r.Truth)},
	}
	add := func(group string, parts []DatasetPart) {
		for _, p := range parts {
			class := p.Name
			if p.Path != nil {
				class = eval.Path(p.Path)
			}
			out = append(out, []table.Cell{name, table.NewText(group), table.NewText(class), table.NewCount(p.Share.K), table.NewRate(p.Share)})
		}
	}
	add("level", r.Levels)
	add("type", r.Types)
	add("kind", r.Kinds)
	add("instruction", r.Instructions)
	return append(out, []table.Cell{name, table.NewText("instruction"), table.NewText("(others)"), table.NewCount(r.Others), table.NewBlank()})
}

// makeTables makes the tables that people read, one a group.
func (r *DatasetRow) makeTables() []table.Table {
	title := report.MarkSynthetic(string(r.Dataset), r.Synthetic)
	o := report.Opener{Row: r, Dataset: r.Dataset, Open: true}
	whole := table.Table{
		Name: "dataset", Title: title,
		Columns: table.ParseColumns("samples:count discarded:count pictured:rate pictures_held:rate answer_given:rate"),
		Rows: [][]table.Cell{{
			report.OpenCell(table.NewCount(r.Samples), o, AllSamples), report.OpenCell(table.NewCount(r.Discarded), o, Discarded),
			report.OpenCell(table.NewRate(r.Pictured), o, Pictured), report.OpenCell(table.NewRate(r.Held), o, Held, NotHeld), report.OpenCell(table.NewRate(r.Truth), o, Answered),
		}},
	}
	out := []table.Table{whole}
	if len(r.Levels) > 0 {
		t := table.Table{Name: "levels", Title: title, Columns: table.ParseColumns("level capability samples:count share:rate :bar")}
		drawn := table.MakeBars(eval.Map(r.Levels, DatasetPart.share))
		for i, p := range r.Levels {
			t.Rows = append(t.Rows, []table.Cell{table.NewText(p.Path[0]), table.NewText(eval.Path(p.Path[1:])), report.OpenCell(table.NewCount(p.Share.K), o.Under(p.Path...), AllSamples), report.OpenCell(table.NewRate(p.Share), o.Under(p.Path...), AllSamples), drawn[i]})
		}
		out = append(out, t)
	}
	for _, g := range []struct {
		name, column string
		parts        []DatasetPart
		tag          report.Which
	}{{"types of questions", "type", r.Types, ""}, {"kinds", "kind", r.Kinds, ""}, {"instructions", "instruction", r.Instructions, Opening}} {
		t := table.Table{Name: g.name, Title: title, Columns: table.ParseColumns(g.column + " samples:count share:rate :bar")}
		drawn := table.MakeBars(eval.Map(g.parts, DatasetPart.share))
		for i, p := range g.parts {
			tag := g.tag + report.Which(p.Name)
			t.Rows = append(t.Rows, []table.Cell{table.NewText(p.Name), report.OpenCell(table.NewCount(p.Share.K), o, tag), report.OpenCell(table.NewRate(p.Share), o, tag), drawn[i]})
		}
		out = append(out, t)
	}
	if last := &out[len(out)-1]; r.Others > 0 {
		last.Rows = append(last.Rows, []table.Cell{table.NewText("(others)"), report.OpenCell(table.NewCount(r.Others), o, Openings), table.NewBlank(), table.NewBlank()})
	}
	return out
}

func (p DatasetPart) share() stat.Rate { return p.Share }
