package column

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"concord/eval/dataset/format"
	"concord/eval/dataset/internal/fastio"
)

// Wish is what somebody says of a file's columns.
type Wish struct {
	Map    map[string]string // roles and their columns, as ParseMap reads them
	Ignore []string          // columns, or patterns of them, that may be left out
	Table  *Table            // layouts; nil: those that are shipped
	Name   string            // of the dataset: some layouts are known by it
	Models bool              // rows are what a model answered
}

// Plan is what the columns of one file are, and what became of them in the last
// reading.
type Plan struct {
	layout   *Layout
	roles    map[string]spec
	names    map[string][]string
	ignore   []string
	defaults []string // notes of any layout
	loose    bool     // rows need no column of ids
	row      int      // that is read, from 0

	shape    *shape
	scratch  [][]byte
	account  account
	numbered bool // rows have no id of their own
}

// Begin begins a reading.
func (p *Plan) Begin() { p.row, p.account = 0, account{} }

// Row is a row of the file under its names here. Its cells are valid until the
// next one.
func (p *Plan) Row(r format.Row) format.Row {
	if r.Names == nil {
		return r
	}
	if p.shape == nil || !slices.Equal(p.shape.raw, r.Names) {
		p.shape = p.shapeOf(r.Names)
		p.numbered = p.numbered || p.number(p.shape)
	}
	out, scratch := p.shape.row(r, p.scratch)
	p.scratch = scratch
	p.row++
	p.account.note(p.shape, r.Cells, out)
	return out
}

// Score is how the layout of the file makes the dataset's score of those of its
// samples; "": it does not say.
func (p *Plan) Score() string {
	if p.layout == nil {
		return ""
	}
	return p.layout.Score
}

// note is what a column is that is known and not needed.
const note = "note"

func (p *Plan) isNote(name string) bool {
	return matchesAny(p.ignore, name) || p.layout != nil && matchesAny(p.layout.Notes, name)
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return sameName(pattern, name) })
}

// number reports that rows are numbered.
func (p *Plan) number(s *shape) bool {
	if p.layout != nil && p.layout.Number {
		return true
	}
	return p.loose && !slices.Contains(s.names, "index") && (p.layout == nil || p.layout.ID == "")
}

// Bounds of what is looked at before a file is read.
const (
	lookRows  = 256
	lookBytes = 8 << 20
)

// looked are the first rows of a file.
type looked struct {
	first map[string]string // values by column, "" where all were empty
	names [][]string
	rows  [][][]byte
}

// look reads the first rows. What cannot be read is told by who reads all.
func look(file *format.File, layout format.Layout) *looked {
	l := &looked{first: make(map[string]string)}
	size := 0
	_ = file.Look(layout, func(r format.Row, err error) bool {
		if err != nil {
			return len(l.rows) < lookRows
		}
		row := make([][]byte, len(r.Cells))
		for i, c := range r.Cells {
			row[i] = slices.Clone(c)
			size += len(c)
		}
		for i, n := range r.Names {
			if l.first[n] == "" && i < len(row) && len(row[i]) < 4096 {
				l.first[n] = strings.TrimSpace(string(row[i]))
			}
		}
		l.names, l.rows = append(l.names, r.Names), append(l.rows, row)
		return len(l.rows) < lookRows && size < lookBytes
	})
	return l
}

// NewPlan finds out what the columns of a file are by its first rows. One that
// is named by its own layout already is only accounted for.
func NewPlan(file *format.File, layout format.Layout, w *Wish, named bool) (*Plan, error) {
	t := w.Table
	if t == nil {
		var err error
		if t, err = table(); err != nil {
			return nil, err
		}
	}
	p := &Plan{names: t.Roles, defaults: t.Defaults.Notes, ignore: w.Ignore, roles: make(map[string]spec)}
	var l *looked
	if !named {
		l = look(file, layout)
		p.layout = t.choose(l.first, w.Name, file.Path)
	}
	if err := p.assign(w, l); err != nil || l == nil {
		return p, err
	}
	p.loose = !file.IsTable() && !l.named(p.names["index"], p.roles["index"])
	return p, p.indexed(l)
}

// assign gives roles what the layout says, and the wish before it.
func (p *Plan) assign(w *Wish, l *looked) error {
	if p.layout != nil {
		for role, written := range p.layout.Columns {
			p.roles[role], _ = parseSpec(written) // was read once before
		}
	}
	if a, b := p.roles["answer"], p.roles["prediction"]; len(a.parts) > 0 && slices.EqualFunc(a.parts, b.parts, slices.Equal) {
		p.roles[map[bool]string{true: "answer", false: "prediction"}[w.Models]] = spec{} // the file of answers looks like that of predictions
	}
	for role, written := range w.Map {
		want, err := parseSpec(written)
		if err != nil {
			return err
		}
		if err := want.there(l, role); err != nil {
			return err
		}
		p.roles[role] = want
	}
	return nil
}

// there says which column of a wish the file lacks.
func (s *spec) there(l *looked, role string) error {
	if l == nil || len(l.rows) == 0 {
		return nil
	}
	var names []string
	for n := range l.first {
		names = append(names, n)
	}
	slices.Sort(names)
	if len(s.parts) > 0 && s.places(names, func(int) bool { return false }) == nil {
		return &Error{Column: written(s.parts), Reason: "is not there to be the " + role + ": the file has " + strings.Join(names, ", ")}
	}
	return nil
}

func written(parts [][]string) string {
	var out []string
	for _, p := range parts {
		out = append(out, strings.Join(p, "|"))
	}
	return strings.Join(out, "+")
}

// named reports that rows have an id of their own.
func (l *looked) named(ids []string, wanted spec) bool {
	all := slices.Clone(ids)
	for _, p := range wanted.parts {
		all = append(all, p...)
	}
	for n := range l.first {
		if matchesAny(all, n) {
			return true
		}
	}
	return false
}

// indexed finds out whether answers are indexes of options, and from which
// number they count. Where every number is the text of an option it is that.
func (p *Plan) indexed(l *looked) error {
	if want, ok := p.roles["answer"]; ok && want.encoding != "" {
		return nil
	}
	var at *shape
	var scratch [][]byte
	column, numbers, foreign, lowest, last := "", 0, false, 26, false
	for n, raw := range l.rows {
		if at == nil || !slices.Equal(at.raw, l.names[n]) {
			at = p.shapeOf(l.names[n])
		}
		var r format.Row
		r, scratch = at.row(format.Row{Names: l.names[n], Cells: raw}, scratch)
		options := optionTexts(&r)
		answer := strings.TrimSuffix(string(bytes.TrimSpace(cell(&r, "answer"))), ".0")
		i, err := strconv.Atoi(answer)
		if len(options) == 0 || err != nil || i < 0 {
			continue
		}
		if at := slices.Index(at.as, "answer"); at >= 0 {
			column = l.names[n][at]
		}
		numbers++
		foreign = foreign || !slices.Contains(options, answer)
		lowest, last = min(lowest, i), last || i >= len(options)
	}
	switch {
	case !foreign:
		return nil
	case lowest == 0 && last:
		return &Error{Column: column, Reason: "holds numbers that are neither options nor their places: say what it is with --map answer=...:" + column}
	case lowest > 0 && !last:
		return &Error{Column: column, Reason: "holds the places of options, counted from 0 or from 1: say --map answer=index0:" + column + " or --map answer=index1:" + column}
	}
	want := p.roles["answer"]
	if want.encoding = "index1"; lowest == 0 {
		want.encoding = "index0"
	}
	if len(want.parts) == 0 {
		want.parts = [][]string{{column}}
	}
	p.roles["answer"] = want
	return nil
}

// cell is the cell of a name; nil where there is none.
func cell(r *format.Row, name string) []byte {
	if i := slices.Index(r.Names, name); i >= 0 && i < len(r.Cells) {
		return r.Cells[i]
	}
	return nil
}

// optionTexts are the texts of a row's options, as far as they are in cells of
// their own or in a list.
func optionTexts(r *format.Row) (out []string) {
	for i, n := range r.Names {
		if IsLetter(n) && i < len(r.Cells) && len(bytes.TrimSpace(r.Cells[i])) > 0 {
			out = append(out, string(bytes.TrimSpace(r.Cells[i])))
		}
	}
	if list, ok := fastio.ParseList(cell(r, "options")); ok && len(out) == 0 {
		for _, t := range list {
			out = append(out, strings.TrimSpace(string(t)))
		}
	}
	return out
}
