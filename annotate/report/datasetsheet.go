package report

import (
	"strings"
	"unicode"

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

func (r *DatasetRow) columns() []Column {
	return []Column{{Name: "dataset"}, {Name: "group"}, {Name: "class"}, {Name: "samples", Kind: KindCount}, {Name: "share", Kind: KindRate}}
}

// lines give the whole, and a line for each class of each group.
func (r *DatasetRow) lines() [][]Cell {
	name := text(string(r.Dataset))
	out := [][]Cell{
		{name, text("samples"), text("all"), integer(r.Samples), blank()},
		{name, text("samples"), text("discarded"), integer(r.Discarded), blank()},
		{name, text("pictures"), text("pictured"), integer(r.Pictured.K), rate(r.Pictured)},
		{name, text("pictures"), text("held"), integer(r.Held.K), rate(r.Held)},
		{name, text("answers"), text("given"), integer(r.Truth.K), rate(r.Truth)},
	}
	add := func(group string, parts []DatasetPart) {
		for _, p := range parts {
			class := p.Name
			if p.Path != nil {
				class = eval.Path(p.Path)
			}
			out = append(out, []Cell{name, text(group), text(class), integer(p.Share.K), rate(p.Share)})
		}
	}
	add("level", r.Levels)
	add("type", r.Types)
	add("kind", r.Kinds)
	add("instruction", r.Instructions)
	return append(out, []Cell{name, text("instruction"), text("(others)"), integer(r.Others), blank()})
}

// sheets are the tables that people read, one a group.
func (r *DatasetRow) sheets() []Table {
	title := string(r.Dataset)
	if r.Synthetic {
		title += " (synthetic)"
	}
	o := r.opener()
	whole := Table{
		Name: "dataset", Title: title,
		Columns: columns(countColumns("samples", "discarded"), []Column{
			{Name: "pictured", Kind: KindRate}, {Name: "pictures_held", Kind: KindRate}, {Name: "answer_given", Kind: KindRate},
		}),
		Rows: [][]Cell{{
			integer(r.Samples).over(o, AllSamples), integer(r.Discarded).over(o, Discarded),
			rate(r.Pictured).over(o, Pictured), rate(r.Held).over(o, Held, NotHeld), rate(r.Truth).over(o, Answered),
		}},
	}
	out := []Table{whole}
	if len(r.Levels) > 0 {
		t := Table{Name: "levels", Title: title, Columns: []Column{{Name: "level"}, {Name: "capability"}, {Name: "samples", Kind: KindCount}, {Name: "share", Kind: KindRate}, {Kind: KindBar}}}
		drawn := bars(shares(r.Levels))
		for i, p := range r.Levels {
			t.Rows = append(t.Rows, []Cell{text(p.Path[0]), text(eval.Path(p.Path[1:])), integer(p.Share.K).over(o.under(p.Path...), AllSamples), rate(p.Share).over(o.under(p.Path...), AllSamples), drawn[i]})
		}
		out = append(out, t)
	}
	for _, g := range []struct {
		name, column string
		parts        []DatasetPart
		tag          Which
	}{{"types of questions", "type", r.Types, ""}, {"kinds", "kind", r.Kinds, ""}, {"instructions", "instruction", r.Instructions, Opening}} {
		t := Table{Name: g.name, Title: title, Columns: []Column{{Name: g.column}, {Name: "samples", Kind: KindCount}, {Name: "share", Kind: KindRate}, {Kind: KindBar}}}
		drawn := bars(shares(g.parts))
		for i, p := range g.parts {
			tag := g.tag + Which(p.Name)
			t.Rows = append(t.Rows, []Cell{text(p.Name), integer(p.Share.K).over(o, tag), rate(p.Share).over(o, tag), drawn[i]})
		}
		out = append(out, t)
	}
	if last := &out[len(out)-1]; r.Others > 0 {
		last.Rows = append(last.Rows, []Cell{text("(others)"), integer(r.Others).over(o, Openings), blank(), blank()})
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
