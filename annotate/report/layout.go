package report

import (
	"cmp"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"concord/annotate/agree"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// A measure is a figure or a name of a row, declared as a field of it, or of a part of it:
//
//	json, column   its name; column where the table calls it otherwise
//	its type       its kind: stat.Rate, stat.Estimate, agree.Coefficient, a number, a text
//	as             an estimate is a score; or a mean, points (a difference) or a share that was
//	               computed. A count of none is a place that nobody has. A text is known or not,
//	               or is what ModelName (named) or JudgeName (judge) of its struct says; a yes or no is one, or with and without
//	opens          the figures that it counts, each a part of the whole (Over)
//	and            other cuts of the same (And)
//	like           the measure that opens the same (Like)
//	under          the level of the taxonomy that it is of
//	line           the line of Measures that it is in; -: none
type measure struct {
	table.Column
	at         []int // the field
	as, like   string
	opens, and []Which
	under      []string
	line       string
}

// Layout is the columns of a table: measures by their names.
type Layout struct {
	Columns []table.Column
	names   func(*Selection) string
}

// WithFigureNames has the layout say what figures are called whose own name says too little.
func (l *Layout) WithFigureNames(names func(*Selection) string) *Layout {
	l.names = names
	return l
}

// MakeRowLine makes the line of a row: of what comes first, of its measures, and of those
// of its Parts, which open what they count by who read the row, its extractor.
func (l *Layout) MakeRowLine(row Row, first ...any) []table.Cell {
	o := Opener{Row: row, Names: l.names}
	if c, _, ok := makeCell(row, "extractor", o); ok {
		o.Extractor = c.String()
	}
	if by, ok := row.(interface{ ReadBy() string }); ok {
		o.Extractor = by.ReadBy()
	}
	if by, ok := row.(interface{ NewOpener() Opener }); ok {
		o = by.NewOpener()
	}
	parts := append(first, row)
	if p, ok := row.(interface{ LayoutParts() []any }); ok {
		parts = append(parts, p.LayoutParts()...)
	}
	return l.MakeTableLine(o, parts...)
}

// MakeRowTable makes a table of rows, a line each.
func MakeRowTable[R Row](l *Layout, name, title string, rows []R) table.Table {
	t := l.NewTable(name, title)
	t.Rows = append(t.Rows, eval.Map(rows, func(r R) []table.Cell { return l.MakeRowLine(r) })...)
	return t
}

// NewLayout gives the layout of the named measures, which are looked for in the types of
// the parts. A name that no part has is the text of Cells, or of the kind that
// stands behind a colon, as in "hits:count" (table.ParseColumn).
func NewLayout(names string, parts ...any) *Layout {
	l := &Layout{}
	for name := range strings.FieldsSeq(names) {
		c := table.ParseColumn(name)
		for i := len(parts) - 1; i >= 0 && c.Name == name; i-- { // no kind is given
			if m := findMeasures(reflect.TypeOf(parts[i]))[name]; m != nil {
				c = m.Column
			}
		}
		l.Columns = append(l.Columns, c)
	}
	return l
}

// Cells are cells that are no measures, by the names of their columns.
type Cells map[string]table.Cell

// MakeTableLine makes a line of the table: each cell is that of the first part that has it, Cells, what it has
// Measured itself, or a measure, and is blank where none does. Measures open what they count by the opener.
func (l *Layout) MakeTableLine(o Opener, parts ...any) []table.Cell {
	var all []any
	for _, p := range parts {
		if m, ok := p.(interface{ ExtraCells() Cells }); ok {
			all = append(all, m.ExtraCells())
		}
		all = append(all, p)
	}
	find := func(name string) (table.Cell, string) {
		for _, p := range all {
			if c, like, ok := makeCell(p, name, o); ok {
				return c, like
			}
		}
		return table.Cell{}, ""
	}
	out := make([]table.Cell, len(l.Columns))
	for i := range l.Columns {
		c, like := find(l.Columns[i].Name)
		if like != "" {
			same, _ := find(like)
			c = CopyPicks(c, same)
		}
		out[i] = c
	}
	return out
}

// NewTable gives a table in this layout, without rows.
func (l *Layout) NewTable(name, title string) table.Table {
	return table.Table{Name: name, Title: title, Columns: l.Columns}
}

// MakePartTable makes a table of parts of a row, a line each, which by opens; nil: nothing does.
func MakePartTable[P any](l *Layout, name, title string, parts []P, by func(*P) Opener) table.Table {
	t := l.NewTable(name, title)
	for i := range parts {
		var o Opener
		if by != nil {
			o = by(&parts[i])
		}
		t.Rows = append(t.Rows, l.MakeTableLine(o, &parts[i]))
	}
	return t
}

// makeCell makes a part's cell of a name, and the name of the measure that opens the same.
func makeCell(part any, name string, o Opener) (cell table.Cell, like string, ok bool) {
	if cells, ok := part.(Cells); ok {
		c, ok := cells[name]
		return c, "", ok
	}
	v := reflect.ValueOf(part)
	m := findMeasures(v.Type())[name]
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return table.Cell{}, "", false
		}
		v = v.Elem()
	}
	if m == nil {
		return table.Cell{}, "", false
	}
	for n, i := range m.at {
		if n == len(m.at)-1 && m.as == "named" {
			return table.NewText(v.Addr().Interface().(interface{ ModelName() string }).ModelName()), "", true
		}
		if n == len(m.at)-1 && m.as == "judge" {
			return table.NewText(v.Addr().Interface().(interface{ JudgeName() string }).JudgeName()), "", true
		}
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return table.Cell{}, "", false
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	if len(m.opens) == 0 {
		return m.makeCell(v), m.like, true
	}
	if len(m.under) > 0 {
		o = o.UnderLevel(m.under...)
	}
	return AttachFurtherPicks(AttachPicks(m.makeCell(v), o, m.opens...), o, m.and...), "", true
}

// EachMeasure are those of a part that are no texts, in the order of its fields, those
// of what it embeds last: the name of each, or the line that its tag names, with
// the figures that follow each other in one line. Pointers to nothing are none.
func EachMeasure(part any) iter.Seq2[string, []table.Cell] {
	return func(yield func(string, []table.Cell) bool) {
		t := reflect.TypeOf(part)
		of := findMeasures(t)
		in := func(a *measure) string { return cmp.Or(a.line, a.Name) }
		all := slices.SortedFunc(maps.Values(of), func(a, b *measure) int { return cmp.Or(cmp.Compare(len(a.at), len(b.at)), slices.Compare(a.at, b.at)) })
		layout, line := &Layout{}, ""
		flush := func() bool {
			cells := slices.DeleteFunc(layout.MakeTableLine(Opener{}, part), func(c table.Cell) bool { return !c.IsFigure() })
			layout.Columns = nil
			return len(cells) == 0 || yield(line, cells)
		}
		for _, m := range all {
			if m.line == "-" || m.Kind == table.KindText {
				continue
			}
			if in(m) != line && !flush() {
				return
			}
			line, layout.Columns = in(m), append(layout.Columns, m.Column)
		}
		flush()
	}
}

// measures by the type of a row or part.
var measures sync.Map // of map[string]*measure

func findMeasures(t reflect.Type) map[string]*measure {
	if known, ok := measures.Load(t); ok {
		return known.(map[string]*measure)
	}
	of := t
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	out := make(map[string]*measure)
	if of.Kind() == reflect.Struct {
		addMeasures(out, of, nil)
	}
	measures.Store(t, out)
	return out
}

// addMeasures adds the fields of a struct; those of an outer one prevail.
func addMeasures(out map[string]*measure, t reflect.Type, at []int) {
	var embedded []reflect.StructField
	for f := range t.Fields() {
		if f.Anonymous {
			embedded = append(embedded, f)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if column := f.Tag.Get("column"); column != "" {
			name = column
		}
		m := &measure{
			at: append(at[:len(at):len(at)], f.Index...), as: f.Tag.Get("as"), like: f.Tag.Get("like"),
			opens: parseWhich(f.Tag.Get("opens")), and: parseWhich(f.Tag.Get("and")), under: strings.Fields(f.Tag.Get("under")), line: f.Tag.Get("line"),
		}
		m.Name = name
		if known := out[name]; known != nil || name == "" || name == "-" || !f.IsExported() || !m.setKind(f.Type) {
			continue
		}
		out[name] = m
	}
	for _, f := range embedded {
		of := f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if of.Kind() == reflect.Struct && f.IsExported() {
			addMeasures(out, of, append(at[:len(at):len(at)], f.Index...))
		}
	}
}

func parseWhich(tag string) []Which {
	return eval.Map(strings.Fields(tag), func(w string) Which { return Which(w) })
}

// setKind finds the kind of a measure by its type; false for what is none.
func (m *measure) setKind(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[stat.Rate]():
		m.Kind = table.KindRate
		return true
	case reflect.TypeFor[stat.Estimate]():
		m.Kind = map[string]table.ColumnKind{"": table.KindScore, "mean": table.KindScore, "points": table.KindPoints, "share": table.KindScore}[m.as]
		return true
	case reflect.TypeFor[agree.Coefficient]():
		m.Kind = table.KindCoefficient
		return true
	case reflect.TypeFor[[]string]():
		return true
	}
	switch k := t.Kind(); {
	case k == reflect.String || k == reflect.Bool:
		return true
	case k >= reflect.Int && k <= reflect.Uintptr:
		m.Kind = table.KindCount
		return true
	case k == reflect.Float64:
		m.Kind = table.KindNumber
		return true
	}
	return false
}

func (m *measure) makeCell(v reflect.Value) table.Cell {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return table.NewBlank()
		}
		v = v.Elem()
	}
	switch x := v.Interface().(type) {
	case stat.Rate:
		return table.NewRate(x)
	case stat.Estimate:
		return m.makeEstimateCell(x)
	case agree.Coefficient:
		return table.NewCoefficient(x)
	case []string:
		return table.NewText(eval.JoinPath(x))
	}
	switch {
	case m.Kind == table.KindNumber:
		f := v.Float()
		return table.NewNumber(&f)
	case v.Kind() == reflect.Bool:
		if m.as == "with" {
			return table.NewText(eval.Either(v.Bool(), "with", "without"))
		}
		return table.NewText(eval.Either(v.Bool(), "yes", "no"))
	case m.Kind == table.KindText && m.as == "known":
		return NameOrUnknown(v.String())
	case m.Kind == table.KindText:
		return table.NewText(v.String())
	case m.as == "place" && v.IsZero():
		return table.NewBlank()
	case v.CanUint():
		return table.NewCount(int(v.Uint())) //nolint:gosec // a run's number
	}
	return table.NewCount(int(v.Int()))
}

func (m *measure) makeEstimateCell(e stat.Estimate) table.Cell {
	switch m.as {
	case "mean":
		return table.NewMean(e)
	case "points":
		return table.NewPoints(e)
	case "share":
		return table.NewComputed(e)
	}
	return table.NewScore(e)
}
