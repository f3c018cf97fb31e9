package column

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/dataset/format"
	"concord/eval/dataset/internal/fastio"
)

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

// account is what became of a file's columns in one reading.
type account struct {
	read     []Read
	unread   []*Unread
	seen     *shape
	watched  []watched
	answered bool // some row has a ground truth
	numbered bool // rows have no id of their own
}

// watched is a column of the shape that nobody reads.
type watched struct {
	at int
	of *Unread
}

// note takes a row as the file has it, under its shape.
func (a *account) note(s *shape, cells [][]byte, shaped format.Row) {
	if a.seen != s {
		a.begin(s)
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
		w.of.holds = holding(w.of.Name, cell)
		if w.of.alike >= 0 && !a.answered {
			if w.of.alike++; !likeTruth(cell, &shaped) {
				w.of.alike = -1
			}
		}
	}
}

// exampleBytes is how much is shown of a value.
const exampleBytes = 80

func (a *account) begin(s *shape) {
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
			a.watched = append(a.watched, watched{i, a.unread[at]})
		}
	}
}

// Columns are what the last reading of a file read, and what it did not. The
// error names what must not be left out without being told.
func (p *Plan) Columns() (read []Read, unread []Unread, err error) {
	read, unread = slices.Clone(p.account.read), []Unread{}
	if p.account.numbered {
		read = append(read, Read{"(row number)", "index"})
	}
	for _, u := range p.account.unread {
		if u.Example == "" {
			continue // nothing in it
		}
		unread = append(unread, *u)
		what := u.holds
		if what == "" && u.alike > 0 && !p.account.answered {
			what = truthLike
		}
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
	}
)

// holding is what a value of a column that nobody reads holds: "" for nothing
// that would be missed.
func holding(name string, cell []byte) string {
	for _, p := range pictures {
		if bytes.HasPrefix(cell, p) {
			return "images"
		}
	}
	if isImageName(cell) {
		return "names of images"
	}
	switch cell[0] {
	case '[':
		if list, ok := fastio.ParseList(cell); ok {
			for _, one := range list {
				if h := holding("", append(bytes.TrimSpace(one), ' ')); strings.Contains(h, "images") {
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

// likeTruth tells what could be the ground truth of a row that has none: the
// letter or text of an option, or yes or no.
func likeTruth(cell []byte, r *format.Row) bool {
	text := strings.Trim(string(cell), "(). ")
	options := optionTexts(r)
	if len(options) > 0 {
		return IsLetter(text) && int(text[0]-'A') < len(options) || slices.Contains(options, string(cell))
	}
	return strings.EqualFold(text, string(eval.Yes)) || strings.EqualFold(text, string(eval.No))
}
