package column

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"

	"concord/eval"
	"concord/eval/dataset/format"
)

// shape gives the rows of one header the names that the rest knows.
//
//	raw:    pid question choices answer image metadata.task
//	names:  index question options answer - category, and behind them image, metric, ...
type shape struct {
	raw    []string
	as     []string // by raw column: its role; "note": known and not needed; "": nobody reads it
	names  []string
	change []func(cell []byte) []byte // by raw column; nil: as it is
	extra  []func(cells [][]byte) []byte
	image  []int // columns of images
	paths  int   // the cell of their names
	answer int   // the cell of the ground truth; -1: none
	same   bool
}

// unnamed stands before the name of a column that would mean something, and
// does not.
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

var optionColumn = regexp.MustCompile(`(?i)^(?:(?:choice|option|opt|answer|ans)s?[ _-]?(?:[a-z]|\d{1,2})|[a-i])$`)

// shapeOf finds out what the columns are.
func (p *Plan) shapeOf(raw []string) *shape {
	s := &shape{raw: slices.Clone(raw), as: make([]string, len(raw)), names: slices.Clone(raw), paths: -1}
	s.change = make([]func([]byte) []byte, len(raw))
	for i, n := range raw {
		if p.isNote(n) {
			s.as[i] = note
		}
	}
	own := slices.Contains(raw, "taxonomy") && slices.Contains(raw, "kind") // an export of this program
	for _, explicit := range []bool{true, false} {
		for _, role := range roles {
			s.find(p, role, explicit)
		}
	}
	for i, n := range raw {
		if s.as[i] == "" && matchesAny(p.defaults, n) {
			s.as[i] = note
		}
		if slices.Contains(ownColumns, n) && !own {
			s.names[i] = unnamed + n
		}
		if meansSomething(s.names[i]) && (s.as[i] == "" || s.as[i] == note) && !slices.Contains(literal, n) && !slices.Contains(raw[:i], n) {
			s.names[i] = unnamed + n
		}
	}
	s.computed(p)
	s.answer = slices.Index(s.names, "answer")
	s.same = len(s.extra) == 0 && slices.Equal(s.names, raw) && !slices.ContainsFunc(s.change, func(f func([]byte) []byte) bool { return f != nil })
	return s
}

// QuestionType is the column of a question's type, as exports write it.
const QuestionType = "question_type"

// literal are names that mean something of themselves, in whatever file.
var literal = []string{Scores, QuestionType, "question type", "kind", "hit", "log", "extracted", "score"}

// ownColumns are those of this program's exports alone.
var ownColumns = []string{Metric, Groups, References, Also}

func meansSomething(name string) bool {
	return slices.ContainsFunc(roles, func(r string) bool { return kitName(r) == name }) || name == "id" || name == "doc_id" || name == "question_id" ||
		name == "index2ans" || name == "response" || IsLetter(name)
}

// find gives a role its columns: what is asked for or the layout says, or else
// the names that such a column has.
func (s *shape) find(p *Plan, role string, explicit bool) {
	taken := func(i int) bool { return s.as[i] != "" && (s.as[i] != note || !explicit) }
	want, said := p.roles[role]
	if explicit != said {
		if !said || len(want.parts) == 0 || slices.Contains(s.as, role) || want.fixed {
			return
		}
		want, said = spec{}, false // the layout's column is not there
	}
	switch {
	case said && want.fixed:
		s.constant(kitName(role), want.constant)
		return
	case said:
	case role == "options":
		if s.letters(taken) {
			return
		}
		fallthrough
	default:
		want = spec{parts: [][]string{p.names[role]}}
	}
	if said {
		taken = func(int) bool { return false }
	}
	at := want.places(s.raw, taken)
	if len(at) == 0 && role == "options" && !said {
		want.parts = nil
		for i, n := range s.raw {
			if !taken(i) && optionColumn.MatchString(n) {
				at = append(at, i)
			}
		}
		if len(at) < 2 {
			return
		}
		slices.SortStableFunc(at, func(a, b int) int { return naturally(s.raw[a], s.raw[b]) })
	}
	if len(at) == 0 {
		return
	}
	s.give(role, encodings[want.encoding], at)
	switch {
	case role == "answer" && (want.encoding == "text" || want.encoding == "list"):
		s.constant(Form, want.encoding)
	case role == "index" && s.raw[at[0]] != "index" && (p.layout == nil || !p.layout.Repeat):
		s.constant(Repeat, "other")
	}
}

// letters takes the columns A, B, ... for options.
func (s *shape) letters(taken func(int) bool) bool {
	some := false
	for i, n := range s.raw {
		if IsLetter(n) && !taken(i) {
			s.as[i], some = "options", true
		}
	}
	return some
}

// give gives columns a role. One that has a role already is copied.
func (s *shape) give(role string, change func([]byte) []byte, at []int) {
	first := at[0]
	again := s.as[first] != "" && s.as[first] != note
	for _, i := range at {
		if s.as[i] == "" || s.as[i] == note {
			s.as[i] = role
		}
	}
	switch {
	case again && len(at) == 1:
		s.append(kitName(role), func(cells [][]byte) []byte {
			if change == nil || first >= len(cells) {
				return cells[min(first, len(cells)-1)]
			}
			return change(cells[first])
		})
	case role == "image":
		s.image = at
		for _, i := range at {
			s.names[i] = unnamed + s.raw[i]
		}
	case len(at) == 1:
		s.names[first], s.change[first] = kitName(role), change
	case role == "options":
		for n, i := range at[:min(len(at), 26)] {
			s.names[i] = string(rune('A' + n))
		}
	default:
		s.append(kitName(role), func(cells [][]byte) []byte {
			var parts []string
			for _, i := range at {
				if i < len(cells) && len(cells[i]) > 0 {
					parts = append(parts, string(cells[i]))
				}
			}
			if role == "taxonomy" {
				out, _ := json.Marshal(parts) // texts always marshal
				return out
			}
			return joined(parts)
		})
		for _, i := range at {
			s.names[i] = unnamed + s.raw[i]
		}
	}
}

func joined(parts []string) (out []byte) {
	for i, p := range parts {
		if i > 0 {
			out = append(out, '_')
		}
		out = append(out, p...)
	}
	return out
}

// constant adds a cell that is the same in every row.
func (s *shape) constant(name, text string) {
	s.append(name, func([][]byte) []byte { return []byte(text) })
}

func (s *shape) append(name string, cell func([][]byte) []byte) {
	s.names, s.extra = append(s.names, name), append(s.extra, cell)
}

// computed adds the cells that a layout makes of several columns. Templates
// take the file's own cells.
func (s *shape) computed(p *Plan) {
	if len(s.image) == 1 && s.raw[s.image[0]] == "image" && !slices.Contains(s.names, "image") {
		s.names[s.image[0]] = "image"
	} else if len(s.image) > 0 {
		s.append("image", func(cells [][]byte) []byte { held, _ := imageCells(s.images(cells)); return held })
	}
	if len(s.image) > 0 {
		if s.paths = slices.Index(s.names, "image_path"); s.paths < 0 {
			s.paths = len(s.names)
			s.append("image_path", func([][]byte) []byte { return nil })
		}
	}
	if p.number(s) {
		if i := slices.Index(s.names, "index"); i >= 0 {
			s.names[i] = unnamed + s.names[i]
		}
		s.append("index", func([][]byte) []byte { return strconv.AppendInt(nil, int64(p.row), 10) })
	}
	c := p.layout
	if c == nil {
		return
	}
	fill := func(name, template string) {
		if template != "" {
			s.append(name, func(cells [][]byte) []byte { return []byte(filled(template, s.raw, cells)) })
		}
	}
	if c.ID != "" {
		if i := slices.Index(s.names, "index"); i >= 0 {
			s.names[i] = unnamed + s.names[i]
		}
		fill("index", c.ID)
	}
	fill(Metric, c.Metric)
	if len(c.Groups) > 0 {
		s.append(Groups, func(cells [][]byte) []byte {
			groups := make(map[string]string, len(c.Groups))
			for name, template := range c.Groups {
				groups[name] = filled(template, s.raw, cells)
			}
			out, _ := json.Marshal(groups) // texts always marshal
			return out
		})
	}
	for name, on := range map[string]bool{Bare: c.Bare, Repeat: c.Repeat, Also: c.Several} {
		if on {
			s.constant(name, string(eval.Yes))
		}
	}
}

func (s *shape) images(cells [][]byte) (out [][]byte) {
	for _, i := range s.image {
		if i < len(cells) {
			out = append(out, cells[i])
		}
	}
	return out
}

// row is a row under the names of the shape. Its cells are valid until the
// next one.
func (s *shape) row(r format.Row, scratch [][]byte) (format.Row, [][]byte) {
	if s.same {
		return r, scratch
	}
	out := append(scratch[:0], r.Cells...)
	for len(out) < len(s.raw) {
		out = append(out, nil)
	}
	out = out[:len(s.raw)]
	for i, change := range s.change {
		if change != nil && len(out[i]) > 0 {
			out[i] = change(out[i])
		}
	}
	for _, cell := range s.extra {
		out = append(out, cell(r.Cells))
	}
	if s.paths >= 0 {
		s.named(r.Cells, out)
	}
	r.Names, r.Cells = s.names, out
	return r, out
}

// named moves the names of images out of the column of images.
func (s *shape) named(cells, out [][]byte) {
	one := s.names[s.image[0]] == "image"
	if one && !isImageName(out[s.image[0]]) && (len(out[s.image[0]]) == 0 || out[s.image[0]][0] != '[') {
		return // bytes, or a reference to another row
	}
	held, named := imageCells(s.images(cells))
	if one {
		out[s.image[0]] = held
	}
	if len(out[s.paths]) == 0 {
		out[s.paths] = named
	}
}
