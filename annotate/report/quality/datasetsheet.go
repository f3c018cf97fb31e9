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

// instruction is how a question opens: its first words in lower case, without
// punctuation and "please".
func instruction(question string, words int) string {
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

// Columns names the columns of the lines that Lines gives.
func (r *DatasetRow) Columns() []table.Column {
	return table.List("dataset group class samples:count share:rate")
}

// Lines give the whole, and a line for each class of each group.
func (r *DatasetRow) Lines() [][]table.Cell {
	name := table.Text(string(r.Dataset))
	out := [][]table.Cell{
		{name, table.Text("samples"), table.Text("all"), table.Count(r.Samples), table.Blank()},
		{name, table.Text("samples"), table.Text("discarded"), table.Count(r.Discarded), table.Blank()},
		{name, table.Text("pictures"), table.Text("pictured"), table.Count(r.Pictured.K), table.Rate(r.Pictured)},
		{name, table.Text("pictures"), table.Text("held"), table.Count(r.Held.K), table.Rate(r.Held)},
		{name, table.Text("answers"), table.Text("given"), table.Count(r.Truth.K), table.Rate(r.Truth)},
	}
	add := func(group string, parts []DatasetPart) {
		for _, p := range parts {
			class := p.Name
			if p.Path != nil {
				class = eval.Path(p.Path)
			}
			out = append(out, []table.Cell{name, table.Text(group), table.Text(class), table.Count(p.Share.K), table.Rate(p.Share)})
		}
	}
	add("level", r.Levels)
	add("type", r.Types)
	add("kind", r.Kinds)
	add("instruction", r.Instructions)
	return append(out, []table.Cell{name, table.Text("instruction"), table.Text("(others)"), table.Count(r.Others), table.Blank()})
}

// sheets are the tables that people read, one a group.
func (r *DatasetRow) sheets() []table.Table {
	title := report.Titled(string(r.Dataset), r.Synthetic)
	o := r.opener()
	whole := table.Table{
		Name: "dataset", Title: title,
		Columns: table.List("samples:count discarded:count pictured:rate pictures_held:rate answer_given:rate"),
		Rows: [][]table.Cell{{
			report.Over(table.Count(r.Samples), o, AllSamples), report.Over(table.Count(r.Discarded), o, Discarded),
			report.Over(table.Rate(r.Pictured), o, Pictured), report.Over(table.Rate(r.Held), o, Held, NotHeld), report.Over(table.Rate(r.Truth), o, Answered),
		}},
	}
	out := []table.Table{whole}
	if len(r.Levels) > 0 {
		t := table.Table{Name: "levels", Title: title, Columns: table.List("level capability samples:count share:rate :bar")}
		drawn := table.Bars(shares(r.Levels))
		for i, p := range r.Levels {
			t.Rows = append(t.Rows, []table.Cell{table.Text(p.Path[0]), table.Text(eval.Path(p.Path[1:])), report.Over(table.Count(p.Share.K), o.Under(p.Path...), AllSamples), report.Over(table.Rate(p.Share), o.Under(p.Path...), AllSamples), drawn[i]})
		}
		out = append(out, t)
	}
	for _, g := range []struct {
		name, column string
		parts        []DatasetPart
		tag          report.Which
	}{{"types of questions", "type", r.Types, ""}, {"kinds", "kind", r.Kinds, ""}, {"instructions", "instruction", r.Instructions, Opening}} {
		t := table.Table{Name: g.name, Title: title, Columns: table.List(g.column + " samples:count share:rate :bar")}
		drawn := table.Bars(shares(g.parts))
		for i, p := range g.parts {
			tag := g.tag + report.Which(p.Name)
			t.Rows = append(t.Rows, []table.Cell{table.Text(p.Name), report.Over(table.Count(p.Share.K), o, tag), report.Over(table.Rate(p.Share), o, tag), drawn[i]})
		}
		out = append(out, t)
	}
	if last := &out[len(out)-1]; r.Others > 0 {
		last.Rows = append(last.Rows, []table.Cell{table.Text("(others)"), report.Over(table.Count(r.Others), o, Openings), table.Blank(), table.Blank()})
	}
	return out
}

func shares(parts []DatasetPart) []stat.Rate {
	out := make([]stat.Rate, len(parts))
	for i, p := range parts {
		out[i] = p.Share
	}
	return out
}
