package column

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
	"concord/eval/dataset/format"
	"concord/eval/dataset/internal/fastio"
)

// rowMapping gives the rows of one header the names that the rest knows.
//
//	raw:    pid question choices answer image metadata.task
//	names:  index question options answer category image image_path metric ...
type rowMapping struct {
	raw    []string
	as     []string // by raw column: its role; "note": known and not needed; "": nobody reads it
	names  []string
	cells  []func(cells [][]byte) []byte // by name
	named  func(cells [][]byte) []byte   // the names of images in columns of images
	answer int                           // the cell of the ground truth; -1: none
	same   bool

	numbered bool // rows have no id of their own
}

// unnamed stands before the name of a column that would mean something, and does not.
const unnamed = "file:"

// Columns of the rows that files do not have, but for this program's exports.
const (
	Metric     = "metric"
	Groups     = "groups"
	References = "references"
	Also       = "also"
	Bare       = "\x00bare"
	Repeat     = "\x00repeat"
	Form       = "\x00form"
	Scores     = "\x00scores" // what a log's own scorers say
)

// QuestionType is the column of a question's type, as exports write it.
const QuestionType = "question_type"

var (
	optionColumn = regexp.MustCompile(`(?i)^(?:(?:choice|option|opt|answer|ans)s?[ _-]?(?:[a-z]|\d{1,2})|[a-i])$`)
	// meaning are names that mean something to who reads the rows; those of
	// literal mean it in whatever file, and those of exports in these alone.
	meaning = regexp.MustCompile(`^(?:index|g_index|question|hint|options|answer|image|image_path|category|l2-category|l2_category|taxonomy|split|source|bench|prediction|gen_model_id|id|doc_id|question_id|index2ans|response|[A-Z])$`)
	exports = regexp.MustCompile(`^(?:` + Metric + `|` + Groups + `|` + References + `|` + Also + `)$`)
)

// makeRowMapping finds out what the columns are.
func (p *Plan) makeRowMapping(raw []string) *rowMapping {
	s := &rowMapping{raw: slices.Clone(raw), as: make([]string, len(raw))}
	for i, n := range raw {
		if matchesAnyPattern(p.ignore, n) || matchesAnyPattern(p.layout.Notes, n) {
			s.as[i] = note
		}
	}
	found := make(map[string]bool)
	for _, role := range roles {
		if want, said := p.roles[role]; said {
			found[role] = s.assignRole(role, want, want.findColumns(s.raw, func(int) bool { return false })) || len(want.parts) == 0
		}
	}
	for _, role := range roles {
		if !found[role] {
			s.assignRole(role, roleSpec{}, s.findUsualColumns(role, p.table.Roles[role]))
		}
	}
	own := slices.Contains(raw, "taxonomy") && slices.Contains(raw, "kind") // an export of this program
	for i, n := range raw {
		if s.as[i] == "" && matchesAnyPattern(p.table.Roles[note], n) {
			s.as[i] = note
		}
		if s.as[i] != "" && s.as[i] != note {
			continue
		}
		if (meaning.MatchString(n) || exports.MatchString(n) && !own) && !slices.Contains(raw[:i], n) {
			n = unnamed + n
		}
		s.addCell(n, makeCellAt(i))
	}
	s.addComputedCells(p)
	if s.same = len(p.roles) == 0 && slices.Equal(slices.Sorted(slices.Values(s.names)), slices.Sorted(slices.Values(raw))); s.same {
		s.names = s.raw
	}
	s.answer = slices.Index(s.names, "answer")
	return s
}

func (s *rowMapping) addCell(name string, cell func([][]byte) []byte) {
	s.names, s.cells = append(s.names, name), append(s.cells, cell)
}

func makeConstantCell(text string) func([][]byte) []byte {
	return func([][]byte) []byte { return []byte(text) }
}

func makeCellAt(i int) func([][]byte) []byte {
	return func(cells [][]byte) []byte {
		if i < 0 || i >= len(cells) {
			return nil
		}
		return cells[i]
	}
}

func (s *rowMapping) findUsualColumns(role string, names []string) []int {
	taken := func(i int) bool { return s.as[i] != "" }
	some := func(is func(string) bool) (out []int) {
		for i, n := range s.raw {
			if !taken(i) && is(n) {
				out = append(out, i)
			}
		}
		slices.SortStableFunc(out, func(a, b int) int { return compareByTrailingNumber(s.raw[a], s.raw[b]) })
		return out
	}
	if role == "options" {
		if letters := some(IsOptionLetter); len(letters) > 0 {
			return letters
		}
	}
	by := roleSpec{parts: [][]string{names}}
	out := by.findColumns(s.raw, taken)
	if out == nil && role == "options" {
		if out = some(optionColumn.MatchString); len(out) < 2 {
			return nil
		}
	}
	return out
}

// assignRole makes columns what they are. One that has a role already is read twice.
func (s *rowMapping) assignRole(role string, want roleSpec, from []int) bool {
	if want.fixed {
		s.addCell(kitColumnName(role), makeConstantCell(want.constant))
	}
	if len(from) == 0 {
		return want.fixed
	}
	for _, i := range from {
		if s.as[i] == "" || s.as[i] == note {
			s.as[i] = role
		}
	}
	cell := makeCellAt(from[0])
	change := encodings[want.encoding]
	switch {
	case role == "image":
		cell = s.makeImageCell(from)
	case role == "options" && (len(from) > 1 || IsOptionLetter(s.raw[from[0]])):
		for n, i := range from[:min(len(from), 26)] {
			s.addCell(eval.Either(IsOptionLetter(s.raw[i]), s.raw[i], string(rune('A'+n))), makeCellAt(i))
		}
		return true
	case len(from) > 1:
		cell = func(cells [][]byte) []byte { return joinCells(role, cells, from) }
	case change != nil:
		cell = func(cells [][]byte) []byte {
			own := makeCellAt(from[0])(cells)
			if at := slices.Index(s.as, "options"); role == "answer" && want.encoding != "bool" && at >= 0 && len(makeCellAt(at)(cells)) == 0 {
				return own // nothing that an index could be of
			}
			return change(own)
		}
	}
	s.addCell(kitColumnName(role), cell)
	if role == "answer" && (want.encoding == "text" || want.encoding == "list") {
		s.addCell(Form, makeConstantCell(want.encoding))
	}
	return true
}

// joinCells gives one cell of several: a list of levels, or parts of an id.
func joinCells(role string, cells [][]byte, from []int) []byte {
	var parts []string
	for _, i := range from {
		if cell := makeCellAt(i)(cells); len(cell) > 0 {
			parts = append(parts, string(cell))
		}
	}
	if role != "taxonomy" {
		return []byte(strings.Join(parts, "_"))
	}
	out, _ := json.Marshal(parts) // texts always marshal
	return out
}

// makeImageCell makes the cell of the images that columns hold. Those that they name are told apart.
func (s *rowMapping) makeImageCell(from []int) func([][]byte) []byte {
	of := func(cells [][]byte) (held, named []byte) {
		first := makeCellAt(from[0])(cells)
		if len(from) == 1 && !isImageName(first) && (len(first) == 0 || first[0] != '[') {
			return first, nil // bytes, or a reference to another row
		}
		all := eval.Map(from, func(i int) []byte { return makeCellAt(i)(cells) })
		return splitImageCells(all)
	}
	s.named = func(cells [][]byte) []byte { _, named := of(cells); return named }
	return func(cells [][]byte) []byte { held, _ := of(cells); return held }
}

// addComputedCells adds the cells that a layout makes of several columns. Templates take the file's own cells.
func (s *rowMapping) addComputedCells(p *Plan) {
	instead := func(name string, cell func([][]byte) []byte) {
		if i := slices.Index(s.names, name); i >= 0 {
			s.names[i] = unnamed + name
		}
		s.addCell(name, cell)
	}
	template := func(text string) func([][]byte) []byte {
		return func(cells [][]byte) []byte { return []byte(fillRowTemplate(text, s.raw, cells)) }
	}
	c := p.layout
	if path := slices.Index(s.names, "image_path"); s.named != nil && path < 0 {
		s.addCell("image_path", s.named)
	} else if s.named != nil {
		own := s.cells[path]
		s.cells[path] = func(cells [][]byte) []byte {
			if cell := own(cells); len(cell) > 0 {
				return cell
			}
			return s.named(cells)
		}
	}
	switch at := slices.Index(s.as, "index"); {
	case p.layout.Number || p.loose && !slices.Contains(s.names, "index") && p.layout.ID == "":
		s.numbered = true
		instead("index", func([][]byte) []byte { return strconv.AppendInt(nil, int64(p.row), 10) })
	case c.ID != "":
		instead("index", template(c.ID))
	case c.Repeat:
		s.addCell(Repeat, makeConstantCell(string(eval.Yes)))
	case at >= 0 && s.raw[at] != "index":
		s.addCell(Repeat, makeConstantCell("other"))
	}
	if c.Metric != "" {
		instead(Metric, template(c.Metric))
	}
	if len(c.Groups) > 0 {
		instead(Groups, func(cells [][]byte) []byte {
			groups := make(map[string]string, len(c.Groups))
			for name, text := range c.Groups {
				groups[name] = fillRowTemplate(text, s.raw, cells)
			}
			out, _ := json.Marshal(groups) // texts always marshal
			return out
		})
	}
	if c.Bare {
		s.addCell(Bare, makeConstantCell(string(eval.Yes)))
	}
	if c.Several {
		s.addCell(Also, makeConstantCell(string(eval.Yes)))
	}
}

// renameColumns is a row under the names of the shape. Its cells are valid until the next one.
func (s *rowMapping) renameColumns(r format.Row, scratch [][]byte) (format.Row, [][]byte) {
	if s.same {
		return r, scratch
	}
	out := scratch[:0]
	for _, cell := range s.cells {
		out = append(out, cell(r.Cells))
	}
	r.Names, r.Cells = s.names, out
	return r, out
}

// SplitImageCell cuts an image cell into its pictures: base64 texts, references to other rows, or a list of either; what
// datasets writes as JSON lines counts as well ({"bytes": ..., "path": ...}, bytes also as a list of numbers).
func SplitImageCell(cell []byte) [][]byte {
	cell = bytes.TrimSpace(cell)
	switch {
	case len(cell) == 0:
		return nil
	case cell[0] == '[':
		var objects []json.RawMessage
		if bytes.HasPrefix(bytes.TrimSpace(cell[1:]), []byte("{")) && json.Unmarshal(cell, &objects) == nil {
			return eval.Map(objects, func(o json.RawMessage) []byte { return unwrapImageObject(o) })
		}
		if list, ok := fastio.ParseTextList(cell); ok {
			if image := encodeByteList(list); image != nil {
				return [][]byte{image}
			}
			return list
		}
	}
	return [][]byte{unwrapImageObject(cell)}
}

// unwrapImageObject gives what an object of bytes and a path holds: base64 text, else the path.
func unwrapImageObject(one []byte) []byte {
	var object struct {
		Bytes json.RawMessage
		Path  string
	}
	if one = bytes.TrimSpace(one); len(one) == 0 || one[0] != '{' || json.Unmarshal(one, &object) != nil {
		return one
	}
	var encoded string
	if list, ok := fastio.ParseTextList(object.Bytes); ok {
		encoded = string(encodeByteList(list))
	} else if json.Unmarshal(object.Bytes, &encoded) != nil {
		return one
	}
	return []byte(cmp.Or(encoded, object.Path))
}

// encodeByteList gives the base64 text of an image that stands as a list of its bytes' numbers, or nil.
func encodeByteList(list [][]byte) []byte {
	const header = 8 // bytes: shorter lists are references
	data := make([]byte, 0, len(list))
	for _, one := range list {
		n, err := strconv.ParseUint(string(bytes.TrimSpace(one)), 10, 8)
		if err != nil {
			return nil
		}
		data = append(data, byte(n))
	}
	if len(data) < header || !slices.ContainsFunc(pictures, func(p []byte) bool { return bytes.HasPrefix(data, p) }) {
		return nil
	}
	return base64.StdEncoding.AppendEncode(nil, data)
}

// EncodeOneOrList is texts as a cell: one as itself, several as a list; nil for none.
func EncodeOneOrList(texts []string) any {
	switch len(texts) {
	case 0:
		return nil
	case 1:
		return texts[0]
	}
	return texts
}

// IsOptionLetter tells an answer that needs options to be understood.
func IsOptionLetter(answer string) bool {
	return len(answer) == 1 && answer[0] >= 'A' && answer[0] <= 'Z'
}
