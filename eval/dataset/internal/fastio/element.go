package fastio

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"concord/eval/bound"
	"concord/eval/dataset/problem"
)

// Elements cuts JSON text into objects: the elements of an array, or one a
// line. It finds their ends by brackets and strings alone, so that a
// malformed one is known by its line and the next is still found.
type Elements struct {
	in    *bufio.Reader
	file  string
	Lines bool // one object a line
	limit int
	Line  int // that is read next, from 1
	buf   []byte
	begun bool
}

// NewElements cuts what in holds, whose name stands in problems.
func NewElements(in io.Reader, file string, lines bool) *Elements {
	return &Elements{in: bufio.NewReaderSize(in, Chunk), file: file, Lines: lines, limit: bound.RowBytes, Line: 1}
}

// Next returns the next object's text, valid until the next call, and the
// line that it starts on. A [problem.Problem] stands for one object; io.EOF ends.
func (e *Elements) Next() ([]byte, int, error) {
	if e.Lines {
		return e.nextLine()
	}
	at, c, err := e.begin()
	if err != nil {
		return nil, at, err
	}
	e.buf = append(e.buf[:0], c)
	if c != '{' {
		err := e.upToComma()
		if err != nil {
			return nil, at, err
		}
		return nil, at, problem.At(e.file, at, "want an object, found %.40q", e.buf)
	}
	depth, text, escaped := 1, false, false
	for depth > 0 {
		c, err := e.read()
		switch {
		case errors.Is(err, io.EOF):
			return nil, at, e.Retreat(at, "the object does not end before the file does")
		case err != nil:
			return nil, at, err
		case len(e.buf) >= e.limit:
			return nil, at, e.Retreat(at, "the object does not end")
		}
		e.buf = append(e.buf, c)
		switch {
		case escaped:
			escaped = false
		case text:
			escaped, text = c == '\\', c != '"'
		case c == '"':
			text = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return e.buf, at, nil
}

// begin finds the first byte of the next element.
func (e *Elements) begin() (line int, c byte, err error) {
	for blank := 0; ; blank++ {
		c, err := e.read()
		switch {
		case err != nil:
			return e.Line, 0, err
		case blank > bound.Blank:
			return e.Line, 0, tooBlank(e.Line)
		case c == '[' && !e.begun:
			e.begun = true
		case c == ']':
			return e.Line, 0, io.EOF
		case c == ',' || isSpace(c) || c == 0xef || c == 0xbb || c == 0xbf:
		default:
			return e.Line, c, nil
		}
	}
}

func (e *Elements) upToComma() error {
	for len(e.buf) < e.limit {
		c, err := e.read()
		if errors.Is(err, io.EOF) || err == nil && (c == ',' || c == '\n') {
			return nil
		}
		if err != nil {
			return err
		}
		e.buf = append(e.buf, c)
	}
	return nil
}

// Retreat gives up an element and goes back to where the next one seems to
// start within it: an object behind a closing bracket and a comma.
func (e *Elements) Retreat(line int, reason string) *problem.Problem {
	p := problem.At(e.file, line, "%s", reason)
	for i := 1; i < len(e.buf); i++ {
		if e.buf[i] != '{' {
			continue
		}
		before := bytes.TrimRight(e.buf[:i], " \t\r\n")
		if len(before) == 0 || before[len(before)-1] != ',' {
			continue
		}
		before = bytes.TrimRight(before[:len(before)-1], " \t\r\n")
		if len(before) == 0 || before[len(before)-1] != '}' {
			continue
		}
		e.Line -= bytes.Count(e.buf[i:], []byte("\n"))
		e.in = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(bytes.Clone(e.buf[i:])), e.in), Chunk)
		break
	}
	return p
}

func (e *Elements) read() (byte, error) {
	c, err := e.in.ReadByte()
	if c == '\n' && err == nil {
		e.Line++
	}
	return c, err
}

// nextLine returns the next line that is not empty.
func (e *Elements) nextLine() ([]byte, int, error) {
	for blank := 0; ; {
		at, long := e.Line, false
		e.buf = e.buf[:0]
		for {
			part, err := e.in.ReadSlice('\n')
			long = long || len(e.buf)+len(part) > e.limit
			if !long {
				e.buf = append(e.buf, part...)
			}
			if err == nil {
				e.Line++
				break
			}
			if errors.Is(err, io.EOF) && (len(e.buf) > 0 || long) {
				break
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				return nil, at, err
			}
		}
		text := bytes.TrimSpace(bytes.TrimPrefix(e.buf, []byte("\xef\xbb\xbf")))
		switch {
		case long:
			return nil, at, problem.At(e.file, at, "the line is over the limit of %d MB", e.limit>>20)
		case len(text) > 0:
			if bytes.HasSuffix(text, []byte("},")) { // lines that were cut out of a list
				text = text[:len(text)-1]
			}
			return text, at, nil
		}
		if blank += len(e.buf); blank > bound.Blank {
			return nil, at, tooBlank(at)
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// OpenList reads up to the list's bracket; none is the error where something
// else comes before it.
func (e *Elements) OpenList(none error) error {
	for {
		switch c, err := e.read(); {
		case err != nil:
			return fmt.Errorf("line %d: %w", e.Line, err)
		case c == '[':
			e.begun = true
			return nil
		case c != ':' && !isSpace(c):
			return none
		}
	}
}

// cutObject cuts a JSON object into its members. Their values stay JSON and
// point into the text: an import reads its file up to three times, and half of
// that was what encoding/json takes for the same by reflection. Two members of
// one name are an error: which of them is meant nobody can know. It gives
// errInvalid where the text is no valid object, and encoding/json has to say
// why.
func cutObject(text []byte) (map[string]json.RawMessage, error) {
	text = bytes.Trim(text, " \t\r\n") // JSON knows no other white space
	if !bytes.HasPrefix(text, []byte("{")) || !json.Valid(text) {
		return nil, errInvalid
	}
	values := make(map[string]json.RawMessage, 8)
	for i := pastMarks(text, 1); text[i] != '}'; i = pastMarks(text, i) {
		end := valueEnd(text, i)
		name := string(Text(text[i:end]))
		i = pastMarks(text, end)
		end = valueEnd(text, i)
		if _, twice := values[name]; twice {
			return nil, fmt.Errorf("%w %.60q", ErrTwice, name)
		}
		if len(values) == bound.Columns {
			return nil, fmt.Errorf("the object has more than %d members", bound.Columns)
		}
		values[name] = text[i:end:end]
		i = end
	}
	return values, nil
}

var errInvalid = errors.New("not a valid JSON object")

// ErrTwice says that an object has two members of one name.
var ErrTwice = errors.New("the object has two members")

// pastMarks skips what stands between names and values of valid JSON.
func pastMarks(text []byte, i int) int {
	for isSpace(text[i]) || text[i] == ',' || text[i] == ':' {
		i++
	}
	return i
}

// valueEnd is where the value ends that begins at i, in valid JSON.
func valueEnd(text []byte, i int) int {
	depth := 0
	for ; ; i++ {
		switch c := text[i]; {
		case c == '"':
			i = stringEnd(text, i)
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

// stringEnd is where the closing quote stands of a string that begins at i.
func stringEnd(text []byte, i int) int {
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

// unquote reads a string's short escapes, which answers of models are full of.
// It gives up where encoding/json has more to do.
func unquote(text []byte) ([]byte, bool) {
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

// ParseObject reads an object; Python writes NaN for an empty cell, which
// JSON does not know.
func ParseObject(text []byte) (map[string]json.RawMessage, error) {
	values, err := cutObject(text)
	if errors.Is(err, errInvalid) && bytes.Contains(text, []byte("NaN")) {
		values, err = cutObject(nullNaN(text))
	}
	if !errors.Is(err, errInvalid) {
		return values, err
	}
	var none map[string]json.RawMessage
	if err := json.Unmarshal(text, &none); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoObject, err)
	}
	return none, nil // null, as encoding/json takes it
}

// nullNaN writes null for every NaN outside strings.
func nullNaN(text []byte) []byte {
	out := make([]byte, 0, len(text)+16)
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\' && i+1 < len(text):
			out = append(out, c)
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && bytes.HasPrefix(text[i:], []byte("NaN")):
			out = append(out, "null"...)
			i += 2
			continue
		}
		out = append(out, text[i])
	}
	return out
}

// Text is a JSON value as a cell: a string's text, nothing for null, and
// the JSON itself for the rest. It may point into the value.
func Text(value json.RawMessage) []byte {
	value = bytes.TrimSpace(value)
	switch {
	case len(value) == 0 || bytes.Equal(value, []byte("null")):
		return nil
	case value[0] == '"':
		if inner := value[1 : len(value)-1 : len(value)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
			return inner
		}
		if text, ok := unquote(value[1 : len(value)-1]); ok {
			return text
		}
		var text string
		if json.Unmarshal(value, &text) == nil {
			return []byte(text)
		}
	}
	return value
}
