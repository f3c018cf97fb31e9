package fastio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"slices"
	"unicode/utf8"

	"concord/eval/bound"
	"concord/eval/dataset/problem"
)

// Object is the members of a JSON object. Their values stay JSON.
type Object []Member

// Member is a member of an object.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Get gives the value of a member; nil where there is none.
func (o Object) Get(name string) json.RawMessage {
	for i := range o {
		if o[i].Name == name {
			return o[i].Value
		}
	}
	return nil
}

// Set gives a member another value, or adds it.
func (o *Object) Set(name string, value json.RawMessage) {
	for i := range *o {
		if (*o)[i].Name == name {
			(*o)[i].Value = value
			return
		}
	}
	*o = append(*o, Member{name, value})
}

// Delete takes a member out.
func (o *Object) Delete(name string) {
	*o = slices.DeleteFunc(*o, func(m Member) bool { return m.Name == name })
}

// cutIntoMembers cuts a JSON object into its members. Their values point into the text: an import reads its file up to
// three times, and half of that was what encoding/json takes for the same by reflection. Two members of one name are
// an error: which of them is meant nobody can know. Names are those of the object before, like, where they are the
// same. It gives errInvalid where the text is no valid object, and encoding/json has to say why.
func cutIntoMembers(text []byte, like []string) (Object, error) {
	text = bytes.Trim(text, " \t\r\n") // JSON knows no other white space
	if !bytes.HasPrefix(text, []byte("{")) || !json.Valid(text) {
		return nil, errInvalid
	}
	out, same := make(Object, 0, max(len(like), 8)), true
	for i := skipPunctuation(text, 1); text[i] != '}'; i = skipPunctuation(text, i) {
		end := findValueEnd(text, i)
		written := TextOfJSON(text[i:end])
		i = skipPunctuation(text, end)
		end = findValueEnd(text, i)
		if len(out) == bound.Columns {
			return nil, fmt.Errorf("the object has more than %d members", bound.Columns)
		}
		var name string
		if n := len(out); n < len(like) && like[n] == string(written) {
			name = like[n]
		} else {
			name, same = string(written), false
		}
		out = append(out, Member{name, text[i:end:end]})
		i = end
	}
	if !same || len(out) != len(like) {
		return out, out.checkDuplicateNames()
	}
	return out, nil
}

// checkDuplicateNames is the error of an object with two members of one name.
func (o Object) checkDuplicateNames() error {
	seen := make(map[string]bool, len(o))
	for _, m := range o {
		if seen[m.Name] {
			return fmt.Errorf("%w %.60q", ErrTwice, m.Name)
		}
		seen[m.Name] = true
	}
	return nil
}

var errInvalid = errors.New("not a valid JSON object")

// ErrTwice says that an object has two members of one name.
var ErrTwice = errors.New("the object has two members")

// skipPunctuation skips what stands between names and values of valid JSON.
func skipPunctuation(text []byte, i int) int {
	for isSpace(text[i]) || text[i] == ',' || text[i] == ':' {
		i++
	}
	return i
}

// findValueEnd finds where the value ends that begins at i, in valid JSON.
func findValueEnd(text []byte, i int) int {
	depth := 0
	for ; ; i++ {
		switch c := text[i]; {
		case c == '"':
			i = findStringEnd(text, i)
		case c == '{' || c == '[':
			depth++
			continue
		case c == '}' || c == ']':
			depth--
		case depth == 0:
			return i + bytes.IndexAny(text[i:], ",}] \t\r\n") // a number, true, false or null
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
}

// findStringEnd finds where the closing quote stands of a string that begins at i.
func findStringEnd(text []byte, i int) int {
	for i++; ; i++ {
		i += bytes.IndexByte(text[i:], '"')
		slashes := 0
		for text[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
}

// unquoteShortEscapes reads a string's short escapes, which answers of models are full of.
// It gives up where encoding/json has more to do.
func unquoteShortEscapes(text []byte) ([]byte, bool) {
	if !utf8.Valid(text) {
		return nil, false
	}
	out := make([]byte, 0, len(text))
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(out, text...), true
		}
		if i+1 == len(text) {
			return nil, false
		}
		out = append(out, text[:i]...)
		switch c := text[i+1]; c {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case '"', '\\', '/':
			out = append(out, c)
		default:
			return nil, false
		}
		text = text[i+2:]
	}
}

// ErrNoObject says that a text is no JSON object.
var ErrNoObject = errors.New("not a JSON object")

// ParseLenientObject reads an object; Python writes NaN for an empty cell, which
// JSON does not know, and other numbers that are none (replaceNaN).
//
// Like are the names of the object before, whose memory serves again.
func ParseLenientObject(text []byte, like []string) (Object, error) {
	out, err := cutIntoMembers(text, like)
	if errors.Is(err, errInvalid) && (bytes.Contains(text, []byte("NaN")) || bytes.Contains(text, []byte("Infinity"))) {
		out, err = cutIntoMembers(replaceNaN(text), like)
	}
	if !errors.Is(err, errInvalid) {
		return out, err
	}
	var none map[string]json.RawMessage
	if err := json.Unmarshal(text, &none); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoObject, err)
	}
	return nil, nil // null, as encoding/json takes it
}

// replaceNaN writes null for NaN outside strings, which is an empty cell. An infinity is none, nor is a
// NaN in the objects of a list: they become texts, which no reader takes for a number.
func replaceNaN(text []byte) []byte {
	out := make([]byte, 0, len(text)+16)
	var open []byte // the brackets around
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\' && i+1 < len(text):
			out = append(out, c)
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			open = append(open, c)
		case (c == '}' || c == ']') && len(open) > 0:
			open = open[:len(open)-1]
		default:
			word := notANumber.Find(text[i:])
			if word == nil {
				break
			}
			within := bytes.HasSuffix(open, []byte("{")) && bytes.ContainsRune(open, '[')
			if string(word) == "NaN" && !within {
				out = append(out, "null"...)
			} else {
				out = append(append(append(out, '"'), word...), '"')
			}
			i += len(word) - 1
			continue
		}
		out = append(out, text[i])
	}
	return out
}

var notANumber = regexp.MustCompile(`^(NaN|-?Infinity)`)

// TextOfJSON is a JSON value as a cell: a string's text, nothing for null, and
// the JSON itself for the rest. It may point into the value.
func TextOfJSON(value json.RawMessage) []byte {
	value = bytes.TrimSpace(value)
	switch {
	case len(value) == 0 || bytes.Equal(value, []byte("null")):
		return nil
	case value[0] == '"':
		if inner := value[1 : len(value)-1 : len(value)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
			return inner
		}
		if text, ok := unquoteShortEscapes(value[1 : len(value)-1]); ok {
			return text
		}
		var text string
		if json.Unmarshal(value, &text) == nil {
			return []byte(text)
		}
	}
	return value
}

var errTooLong = errors.New("a line over the limit")

// findLineEnd returns where the physical line that holds offset at of the
// current row ends, newline included, relative to the row's start.
func (s *Splitter) findLineEnd(at int) (int, error) {
	for searched := at; ; {
		if j := bytes.IndexByte(s.Buffer[s.from+searched:s.end], '\n'); j >= 0 {
			return searched + j + 1, nil
		}
		searched = s.end - s.from
		if searched > s.rowLimit() {
			return 0, errTooLong
		}
		err := s.fillBuffer(searched + 1)
		switch {
		case errors.Is(err, io.EOF) && searched > at:
			return searched, nil // the last line has no newline
		case err != nil:
			return 0, err
		}
	}
}

// collectOver is the size from which an outgrown buffer is collected at once.
const collectOver = 16 << 20

// rowLimit is how many bytes a row may have in all.
func (s *Splitter) rowLimit() int { return s.limit + s.limit/2 }

// fillBuffer reads until the buffer holds n bytes of the current row.
func (s *Splitter) fillBuffer(n int) error {
	for s.end-s.from < n {
		if s.eof {
			return io.EOF
		}
		s.growBuffer()
		got, err := s.in.Read(s.Buffer[s.end:])
		s.end += got
		switch {
		case errors.Is(err, io.EOF):
			s.eof = true
		case err != nil:
			return err
		}
	}
	return nil
}

// growBuffer makes space at the end of the buffer: by moving the current row to the front, or by growing.
func (s *Splitter) growBuffer() {
	if len(s.Buffer)-s.end >= Chunk {
		return
	}
	held := s.end - s.from
	to := s.Buffer
	if held > len(s.Buffer)/2 || len(s.Buffer) < 2*Chunk {
		to = make([]byte, max(4*Chunk, len(s.Buffer)+len(s.Buffer)/2))
	}
	copy(to, s.Buffer[s.from:s.end])
	s.Buffer, s.from, s.end = to, 0, held
	if held > collectOver {
		runtime.GC() // the buffer before this one must not wait for the heap to double
	}
}

// skipOverlongLine drops a line that is over the limit, without holding it.
func (s *Splitter) skipOverlongLine() error {
	at := s.line
	for {
		if j := bytes.IndexByte(s.Buffer[s.from:s.end], '\n'); j >= 0 {
			s.from += j + 1
			break
		}
		s.from, s.end = 0, 0
		err := s.fillBuffer(1)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	s.line++
	return problem.NewAt(s.file, at, "the row is over the limit of %d MB", s.rowLimit()>>20)
}
