package fastio

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"concord/eval/bound"
	"concord/eval/dataset/problem"
)

// Elements cuts JSON text into objects: the elements of an array, or one a line. It finds their ends by
// brackets and strings alone, so that a malformed one is known by its line and the next is still found.
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
		return e.nextNonEmptyLine()
	}
	at, c, err := e.findNextElement()
	if err != nil {
		return nil, at, err
	}
	e.buf = append(e.buf[:0], c)
	if c != '{' {
		err := e.skipToComma()
		if err != nil {
			return nil, at, err
		}
		return nil, at, problem.NewAt(e.file, at, "want an object, found %.40q", e.buf)
	}
	depth, text, escaped := 1, false, false
	for depth > 0 {
		c, err := e.readByte()
		switch {
		case errors.Is(err, io.EOF):
			return nil, at, e.Resync(at, "the object does not end before the file does")
		case err != nil:
			return nil, at, err
		case len(e.buf) >= e.limit:
			return nil, at, e.Resync(at, "the object does not end")
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

// findNextElement finds the first byte of the next element.
func (e *Elements) findNextElement() (line int, c byte, err error) {
	for blank := 0; ; blank++ {
		c, err := e.readByte()
		switch {
		case err != nil:
			return e.Line, 0, err
		case blank > bound.Blank:
			return e.Line, 0, newTooBlankError(e.Line)
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

func (e *Elements) skipToComma() error {
	for len(e.buf) < e.limit {
		c, err := e.readByte()
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

// Resync gives up an element and goes back to where the next one seems to
// start within it: an object behind a closing bracket and a comma.
func (e *Elements) Resync(line int, reason string) *problem.Problem {
	p := problem.NewAt(e.file, line, "%s", reason)
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

func (e *Elements) readByte() (byte, error) {
	c, err := e.in.ReadByte()
	if c == '\n' && err == nil {
		e.Line++
	}
	return c, err
}

func (e *Elements) nextNonEmptyLine() ([]byte, int, error) {
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
			return nil, at, problem.NewAt(e.file, at, "the line is over the limit of %d MB", e.limit>>20)
		case len(text) > 0:
			if bytes.HasSuffix(text, []byte("},")) { // lines that were cut out of a list
				text = text[:len(text)-1]
			}
			return text, at, nil
		}
		if blank += len(e.buf); blank > bound.Blank {
			return nil, at, newTooBlankError(at)
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// SkipToList reads up to the list's bracket; none is the error where something else comes before it.
func (e *Elements) SkipToList(none error) error {
	for {
		switch c, err := e.readByte(); {
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

// ParseTextList reads a list of texts as JSON or Python writes it. Without
// escapes, the texts share the list's memory: a list of pictures is long.
func ParseTextList(list []byte) ([][]byte, bool) {
	list = bytes.TrimSpace(list)
	if len(list) < 2 || list[0] != '[' || list[len(list)-1] != ']' {
		return nil, false
	}
	var out [][]byte
	rest := bytes.TrimSpace(list[1 : len(list)-1])
	for len(rest) > 0 {
		text, after, ok := cutListElement(rest)
		if !ok {
			return nil, false
		}
		out = append(out, text)
		rest = bytes.TrimSpace(after)
		if len(rest) == 0 {
			break
		}
		if rest[0] != ',' {
			return nil, false
		}
		rest = bytes.TrimSpace(rest[1:])
	}
	return out, true
}

// cutListElement cuts one element off: a quoted string, or a bare word.
func cutListElement(rest []byte) (text, after []byte, ok bool) {
	quote := rest[0]
	if quote != '"' && quote != '\'' {
		end := bytes.IndexByte(rest, ',')
		if end < 0 {
			end = len(rest)
		}
		return bytes.TrimSpace(rest[:end]), rest[end:], true
	}
	escaped := false
	for i := 1; i < len(rest); {
		j := bytes.IndexAny(rest[i:], `\`+string(rune(quote)))
		if j < 0 {
			return nil, nil, false
		}
		i += j
		if rest[i] == '\\' {
			escaped = true
			i += 2
			continue
		}
		text = rest[1:i]
		if escaped {
			text = unescapeLiteral(text, quote)
		}
		return text, rest[i+1:], true
	}
	return nil, nil, false
}

// unescapeLiteral undoes a literal's backslashes: JSON's way, or the few that Python's repr writes beside those.
func unescapeLiteral(text []byte, quote byte) []byte {
	if quote == '\'' {
		text = bytes.ReplaceAll(text, []byte(`\'`), []byte(`'`))
		text = bytes.ReplaceAll(text, []byte(`"`), []byte(`\"`))
	}
	var s string
	if json.Unmarshal([]byte(`"`+string(text)+`"`), &s) == nil {
		return []byte(s)
	}
	return text
}
