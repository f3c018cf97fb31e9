package column

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
	"concord/eval/dataset/format"
	"concord/eval/dataset/internal/fastio"
)

// Wish is what somebody says of a file's columns.
type Wish struct {
	Map    map[string]string // roles and their columns, as ParseRoleMap reads them
	Ignore []string          // columns, or patterns of them, that may be left out
	Table  *Table            // layouts; nil: those that are shipped
	Name   string            // of the dataset: some layouts are known by it
	Models bool              // rows are what a model answered
}

// Plan is what the columns of one file are, and what became of them in the last reading.
type Plan struct {
	table  *Table
	layout *Layout
	roles  map[string]roleSpec // what the layout says, or the wish
	ignore []string
	loose  bool // rows need no column of ids
	row    int  // that is read, from 0

	shapes  []*rowMapping // the last ones: rows of JSON may lack members
	scratch [][]byte
	account columnUsage
}

// note is what a column is that is known and not needed.
const note = "note"

// Bounds of what is looked at before a file is read, and of what is kept of it.
const (
	lookRows   = 256
	lookBytes  = 8 << 20
	lookValue  = 4 << 10
	keptShapes = 16
)

// NewPlan finds out what the columns of a file are by its first rows. One that
// is named by its own layout already is only accounted for.
func NewPlan(file *format.File, layout format.Layout, w *Wish, named bool) (_ *Plan, err error) {
	p := &Plan{table: w.Table, layout: &Layout{}, ignore: w.Ignore, roles: map[string]roleSpec{}}
	if p.table == nil {
		if p.table, err = table(); err != nil {
			return nil, err
		}
	}
	if named {
		return p, nil
	}
	rows, first := readFirstRows(file, layout)
	p.layout = p.table.chooseLayout(first, w.Name, file.Path)
	if p.roles, err = parseRoleSpecs(p.layout.Columns); err != nil {
		return nil, err
	}
	if a, b := p.roles["answer"], p.roles["prediction"]; len(a.parts) > 0 && slices.EqualFunc(a.parts, b.parts, slices.Equal) {
		p.roles[map[bool]string{true: "answer", false: "prediction"}[w.Models]] = roleSpec{} // the file of answers looks like that of predictions
	}
	wanted, err := parseRoleSpecs(w.Map)
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(first))
	for role, want := range wanted {
		if p.roles[role] = want; len(rows) > 0 && len(want.parts) > 0 && want.findColumns(names, func(int) bool { return false }) == nil {
			return nil, &Error{w.Map[role], "is not there to be the " + role + ": the file has " + strings.Join(names, ", ")}
		}
	}
	ids := slices.Concat(append(p.roles["index"].parts, p.table.Roles["index"])...)
	p.loose = !file.IsTable() && !slices.ContainsFunc(names, func(n string) bool { return matchesAnyPattern(ids, n) })
	return p, p.detectAnswerIndexes(rows)
}

// readFirstRows reads the first rows, and the first value of each column. What cannot be
// read is told by who reads all.
func readFirstRows(file *format.File, layout format.Layout) (rows []format.Row, first map[string]string) {
	first = make(map[string]string)
	size, broken := 0, 0
	_ = file.EachRowUncounted(layout, func(r format.Row, err error) bool {
		if err != nil {
			broken++
			return broken < lookRows
		}
		cells := make([][]byte, len(r.Names))
		for i, n := range r.Names {
			cells[i] = slices.Clone(makeCellAt(i)(r.Cells))
			size += len(cells[i])
			if first[n] == "" && len(cells[i]) < lookValue {
				first[n] = strings.TrimSpace(string(cells[i]))
			}
		}
		r.Cells = cells
		rows = append(rows, r)
		return len(rows) < lookRows && size < lookBytes
	})
	return rows, first
}

// ResetCounts begins a reading.
func (p *Plan) ResetCounts() { p.row, p.account = 0, columnUsage{} }

// TranslateRow gives a row of the file under its names here. Its cells are valid until the next one.
func (p *Plan) TranslateRow(r format.Row) format.Row {
	if r.Names == nil {
		return r
	}
	at := slices.IndexFunc(p.shapes, func(s *rowMapping) bool { return slices.Equal(s.raw, r.Names) })
	if at < 0 {
		if len(p.shapes) == keptShapes {
			p.shapes = p.shapes[:0]
		}
		at, p.shapes = len(p.shapes), append(p.shapes, p.makeRowMapping(r.Names))
	}
	s := p.shapes[at]
	out, scratch := s.renameColumns(r, p.scratch)
	p.scratch = scratch
	p.row++
	p.account.countRow(s, r.Cells, out)
	p.account.numbered = p.account.numbered || s.numbered
	return out
}

// StatedScoreMetric gives how the file's layout makes the dataset's score of its samples'; "": it does not say.
func (p *Plan) StatedScoreMetric() string { return p.layout.Score }

// detectAnswerIndexes finds out whether answers are indexes of options, and from which
// number they count. Where every number is the text of an option it is that.
func (p *Plan) detectAnswerIndexes(rows []format.Row) error {
	want, said := p.roles["answer"]
	if said && (want.encoding != "" || len(want.parts) == 0) {
		return nil
	}
	column, foreign, lowest, last := "", false, 26, false
	for _, raw := range rows {
		s := p.makeRowMapping(raw.Names)
		r, _ := s.renameColumns(raw, nil)
		options := collectOptionTexts(&r)
		answer := strings.TrimSuffix(string(bytes.TrimSpace(makeCellAt(s.answer)(r.Cells))), ".0")
		i, err := strconv.Atoi(answer)
		if len(options) == 0 || err != nil || i < 0 {
			continue
		}
		if at := slices.Index(s.as, "answer"); at >= 0 {
			column = raw.Names[at]
		}
		foreign = foreign || !slices.Contains(options, answer)
		lowest, last = min(lowest, i), last || i >= len(options)
	}
	switch {
	case !foreign:
		return nil
	case (lowest == 0) == last:
		return &Error{column, "holds numbers, and not whether they count options from 0 or from 1: say --map answer=index0:" + column + ", index1 or text"}
	}
	want.encoding = eval.Either(lowest == 0, "index0", "index1")
	want.parts = [][]string{{column}}
	p.roles["answer"] = want
	return nil
}

// collectOptionTexts collects the texts of a row's options, as far as they are in cells of their own or in a list.
func collectOptionTexts(r *format.Row) (out []string) {
	for i, n := range r.Names {
		if text := string(bytes.TrimSpace(makeCellAt(i)(r.Cells))); text != "" && IsOptionLetter(n) {
			out = append(out, text)
		}
	}
	if list, ok := fastio.ParseTextList(makeCellAt(slices.Index(r.Names, "options"))(r.Cells)); ok && len(out) == 0 {
		out = append(out, eval.Map(list, func(t []byte) string { return strings.TrimSpace(string(t)) })...)
	}
	return out
}

// Error is a column that cannot be taken as it is, and why.
type Error struct{ Column, Reason string }

func (e *Error) Error() string { return fmt.Sprintf("the column %.80q %s", e.Column, e.Reason) }

// Read is a column of a file and what it is read as.
type Read struct {
	Name string `json:"name"`
	As   string `json:"as"`
}

// Unread is a column that nobody reads, with one value of it.
type Unread struct {
	Name    string `json:"name"`
	Example string `json:"example"`

	holds string // what must not be dropped; "": nothing of that kind
	alike int    // values that could be a ground truth; -1: one could not
}

// columnUsage is what became of a file's columns in one reading.
type columnUsage struct {
	read     []Read
	unread   []*Unread
	seen     *rowMapping
	watched  []watchedColumn
	answered bool // some row has a ground truth
	numbered bool // rows have no id of their own
}

// watchedColumn is a column of the shape that nobody reads.
type watchedColumn struct {
	at int
	of *Unread
}

// countRow takes a row as the file has it, under its shape.
func (a *columnUsage) countRow(s *rowMapping, cells [][]byte, shaped format.Row) {
	if a.seen != s {
		a.chooseWatchedColumns(s)
	}
	a.answered = a.answered || s.answer >= 0 && s.answer < len(shaped.Cells) && len(bytes.TrimSpace(shaped.Cells[s.answer])) > 0
	for _, w := range a.watched {
		if w.of.holds != "" || w.at >= len(cells) || len(cells[w.at]) == 0 {
			continue
		}
		cell := bytes.TrimSpace(cells[w.at])
		if len(cell) == 0 {
			continue
		}
		if w.of.Example == "" {
			w.of.Example = string(bytes.ToValidUTF8(cell[:min(len(cell), exampleBytes)], nil))
		}
		w.of.holds = describeUnreadValue(w.of.Name, cell)
		if w.of.alike >= 0 && !a.answered {
			if w.of.alike++; !looksLikeGroundTruth(cell, &shaped) {
				w.of.alike = -1
			}
		}
	}
}

// exampleBytes is how much is shown of a value.
const exampleBytes = 80

func (a *columnUsage) chooseWatchedColumns(s *rowMapping) {
	a.seen, a.watched = s, a.watched[:0]
	for i, name := range s.raw {
		switch {
		case name == "" || name == Scores || slices.Contains(s.raw[:i], name):
		case s.as[i] != "":
			if !slices.ContainsFunc(a.read, func(c Read) bool { return c.Name == name }) {
				a.read = append(a.read, Read{name, s.as[i]})
			}
		default:
			at := slices.IndexFunc(a.unread, func(u *Unread) bool { return u.Name == name })
			if at < 0 {
				at, a.unread = len(a.unread), append(a.unread, &Unread{Name: name})
			}
			a.watched = append(a.watched, watchedColumn{i, a.unread[at]})
		}
	}
}

// ListUsedColumns are what the last reading of a file read, and what it did not. The
// error names what must not be left out without being told.
func (p *Plan) ListUsedColumns() (read []Read, unread []Unread, err error) {
	read, unread = slices.Clone(p.account.read), []Unread{}
	if p.account.numbered {
		read = append(read, Read{"(row number)", "index"})
	}
	for _, u := range p.account.unread {
		if u.Example == "" {
			continue // nothing in it
		}
		unread = append(unread, *u)
		what := cmp.Or(u.holds, eval.Either(u.alike > 0 && !p.account.answered, truthLike, ""))
		if what != "" && err == nil {
			err = &Error{u.Name, fmt.Sprintf("holds %s (%.60q), and nobody reads it: say what it is (--map ROLE=%s) or leave it out (--ignore %s)", what, u.Example, u.Name, u.Name)}
		}
	}
	return read, unread, err
}

const truthLike = "something like a ground truth"

var (
	truthName = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:gt|gold|truth|answers?|labels?|correct|target|solution|reference|references|groundtruth|expected)(?:[^a-z]|$)`)
	aboutName = regexp.MustCompile(`(?i)(?:type|id|ids|format|source|length|len|count|time|url|model|tokens|language|lang|details?|prompt|hash|option_?count)$`)
	camel     = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	pictures  = [][]byte{
		[]byte("iVBORw0KGgo"), []byte("/9j/"), []byte("R0lGOD"), []byte("UklGR"), []byte("data:image/"),
		[]byte("\x89PNG"), []byte("\xff\xd8\xff"), []byte("GIF8"), []byte("RIFF"),
		[]byte(`b'\x89PNG`), []byte(`b"\x89PNG`), []byte(`b'\xff\xd8\xff`), []byte(`b"\xff\xd8\xff`), // as Python prints them
	}
)

// describeUnreadValue says what a value of an unread column holds: "" for nothing that would be missed.
func describeUnreadValue(name string, cell []byte) string {
	if slices.ContainsFunc(pictures, func(p []byte) bool { return bytes.HasPrefix(cell, p) }) {
		return "images"
	}
	if isImageName(cell) {
		return "names of images"
	}
	switch cell[0] {
	case '[':
		if list, ok := fastio.ParseTextList(cell); ok {
			for _, one := range list {
				if h := describeUnreadValue("", append(bytes.TrimSpace(one), ' ')); strings.Contains(h, "images") {
					return h
				}
			}
			if len(list) > 0 {
				return "a list"
			}
		}
	case '{':
		var object map[string]json.RawMessage
		if json.Unmarshal(cell, &object) == nil && len(object) > 0 {
			return "an object"
		}
	}
	if plain := camel.ReplaceAllString(name, "${1}_$2"); truthName.MatchString(plain) && !aboutName.MatchString(plain) {
		return truthLike
	}
	return ""
}

// looksLikeGroundTruth tells what could be the ground truth of a row that has none: the
// letter or text of an option, or yes or no.
func looksLikeGroundTruth(cell []byte, r *format.Row) bool {
	text := strings.Trim(string(cell), "(). ")
	options := collectOptionTexts(r)
	if len(options) > 0 {
		return IsOptionLetter(text) && int(text[0]-'A') < len(options) || slices.Contains(options, string(cell))
	}
	return strings.EqualFold(text, string(eval.Yes)) || strings.EqualFold(text, string(eval.No))
}
