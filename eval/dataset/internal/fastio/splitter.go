package fastio

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"concord/eval/bound"
	"concord/eval/dataset/problem"
)

// Chunk is how many bytes of a file are read at once.
const Chunk = 256 << 10

const lineLimit = 1 << 16 // lines of one row, by quoted newlines

// Splitter cuts delimited text (TSV, CSV) into rows of a fixed width. It reads what pandas writes: a cell that starts
// with a quote ends with one, doubles those within, and may hold newlines; a quote elsewhere is a character.
//
// A quote that is opened and never meant makes encoding/csv swallow the rest of the file. Here a row
// fails when its quoted cell runs over a line that is a row by itself, when text follows a closing
// quote, when the number of cells is wrong, or at a bound; the line after its first one is tried next.
type Splitter struct {
	in    io.Reader
	file  string
	delim byte
	limit int // bytes of one cell

	Buffer []byte // read and not yet given; one may be handed on from splitter to splitter
	from   int    // start of the current row in Buffer
	end    int    // end of what Buffer holds
	eof    bool

	line   int // physical line of Buffer[from], from 1
	width  int // cells of a row; 0 before the header
	Key    int // column that names a row; -1: none
	rows   int // good rows so far
	number bool
	lost   bool // looking for the next row after a failed one

	spans []span
	cells [][]byte
}

// span is a cell within the current row, relative to its start.
type span struct {
	from, to int
	doubled  bool
}

// NewSplitter cuts what in holds, whose name stands in problems.
func NewSplitter(in io.Reader, file string, delim byte) *Splitter {
	return &Splitter{in: in, file: file, delim: delim, limit: bound.Cell, line: 1, Key: -1, number: true}
}

// ReadHeader reads the first row, which sets the width of all others.
func (s *Splitter) ReadHeader() ([]string, error) {
	if err := s.fillBuffer(3); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	head := s.Buffer[s.from:s.end]
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		s.from += 3
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return nil, problem.NewAt(s.file, 1, "the text is UTF-16: save it as UTF-8")
	}
	cells, _, err := s.Next()
	if errors.Is(err, io.EOF) {
		return nil, problem.NewAt(s.file, 1, "the file is empty")
	}
	if err != nil {
		return nil, err
	}
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = string(bytes.TrimSpace(c))
	}
	s.width = len(names)
	return names, nil
}

// Next returns the next row and the line that it starts on. The cells are
// valid until the next call. A [problem.Problem] stands for one row; io.EOF ends.
func (s *Splitter) Next() (cells [][]byte, line int, err error) {
	for blank := 0; ; {
		first, used, lines, reason, err := s.measureRow()
		if err != nil {
			return nil, s.line, err
		}
		at, lost := s.line, lines > 1
		if reason == "" {
			s.lost = false
			if len(s.spans) == 0 {
				s.from, s.line = s.from+used, s.line+lines
				if blank += used; blank > bound.Blank {
					return nil, at, newTooBlankError(at)
				}
				continue // an empty line
			}
			cells, reason = s.cellsOfSpans()
			if reason == "" {
				s.from, s.line = s.from+used, s.line+lines
				return cells, at, nil
			}
			first, lost = used, false // the row was whole, only not good
			s.line += lines - 1
		}
		quiet := s.lost && !s.looksLikeRowStart(s.Buffer[s.from:s.from+first])
		s.from, s.line = s.from+first, s.line+1
		if !quiet {
			s.lost = lost
			return nil, at, problem.NewAt(s.file, at, "%s", reason)
		}
	}
}

// measureRow reads one row at s.from into s.spans: how long its first line is, how many bytes and lines
// it takes in all, or the reason why it is none. An empty line has no spans.
func (s *Splitter) measureRow() (first, used, lines int, reason string, err error) {
	s.spans = s.spans[:0]
	c := cursor{}
	for {
		to, err := s.findLineEnd(used)
		switch {
		case errors.Is(err, errTooLong):
			if lines > 0 {
				return first, used, lines, "a quoted cell does not end", nil
			}
			return 0, 0, 0, "", s.skipOverlongLine()
		case errors.Is(err, io.EOF) && lines == 0:
			return 0, 0, 0, "", io.EOF
		case errors.Is(err, io.EOF):
			return first, used, lines, "a quoted cell does not end before the file does", nil
		case err != nil:
			return 0, 0, 0, "", err
		}
		text := s.Buffer[s.from : s.from+to]
		if lines == 0 {
			first = to
			if len(trimNewline(text)) == 0 {
				return first, to, 1, "", nil
			}
		} else if s.looksLikeRow(text[used:]) {
			return first, used, lines, "a quoted cell runs over the next row: a stray quote", nil
		}
		lines++
		open, reason := c.parseLine(s, text, used)
		used = to
		switch {
		case reason != "":
			return first, used, lines, reason, nil
		case len(s.spans) > bound.Columns:
			return first, used, lines, fmt.Sprintf("the row has more than %d cells", bound.Columns), nil
		case !open:
			if s.width > 0 && len(s.spans) != s.width {
				return first, used, lines, fmt.Sprintf("the row has %d cells, the header %d", len(s.spans), s.width), nil
			}
			return first, used, lines, "", nil
		case lines >= lineLimit:
			return first, used, lines, "a quoted cell does not end", nil
		}
	}
}

// newTooBlankError ends a file that goes on with nothing.
func newTooBlankError(line int) error {
	return fmt.Errorf("line %d: %w", line, &bound.Error{What: "the white space before the next row", Most: bound.Blank})
}

// cursor is where the parse of a row stands at the end of a line.
type cursor struct {
	quoted, doubled bool
	start           int
}

// parseLine parses one physical line, text[at:]; open says that the row goes on.
func (c *cursor) parseLine(s *Splitter, text []byte, at int) (open bool, reason string) {
	stop := len(trimNewline(text[at:])) + at
	for i := at; ; {
		if !c.quoted {
			if i < stop && text[i] == '"' {
				c.quoted, c.doubled, c.start = true, false, i+1
				i++
				continue
			}
			j := bytes.IndexByte(text[i:stop], s.delim)
			if j < 0 || len(s.spans) > bound.Columns {
				s.spans = append(s.spans, span{from: i, to: stop})
				return false, ""
			}
			s.spans = append(s.spans, span{from: i, to: i + j})
			i += j + 1
			continue
		}
		j := bytes.IndexByte(text[i:], '"')
		if j < 0 {
			return true, ""
		}
		k := i + j
		if k+1 < stop && text[k+1] == '"' {
			c.doubled = true
			i = k + 2
			continue
		}
		s.spans = append(s.spans, span{from: c.start, to: k, doubled: c.doubled})
		c.quoted = false
		switch {
		case k+1 >= stop:
			return false, ""
		case text[k+1] != s.delim:
			return false, "text follows a closing quote"
		}
		i = k + 2
	}
}

// cellsOfSpans makes cells of the spans of a parsed row.
func (s *Splitter) cellsOfSpans() ([][]byte, string) {
	s.cells = s.cells[:0]
	for _, p := range s.spans {
		cell := s.Buffer[s.from+p.from : s.from+p.to]
		if len(cell) > s.limit {
			return nil, fmt.Sprintf("a cell of %d MB is over the limit of %d MB", len(cell)>>20, s.limit>>20)
		}
		if p.doubled {
			cell = collapseQuotes(cell)
		}
		s.cells = append(s.cells, cell)
	}
	if s.width > 0 {
		s.rows++
		if s.Key >= 0 && s.Key < len(s.cells) && !IsInteger(s.cells[s.Key]) {
			s.number = false
		}
	}
	return s.cells, ""
}

func trimNewline(b []byte) []byte {
	b = bytes.TrimSuffix(b, []byte("\n"))
	return bytes.TrimSuffix(b, []byte("\r"))
}

// collapseQuotes makes one quote of two, in place.
func collapseQuotes(b []byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); i++ {
		out = append(out, b[i])
		if b[i] == '"' && i+1 < len(b) && b[i+1] == '"' {
			i++
		}
	}
	return out
}

// IsInteger reports whether a cell is a whole number, as it is written.
func IsInteger(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0 && len(b) <= 18
}

// fewColumns: with fewer, a line of prose looks like a row too easily.
const fewColumns = 4

// looksLikeRow reports whether a line inside a quoted cell is a row by itself, so that the quote was a stray one.
func (s *Splitter) looksLikeRow(text []byte) bool {
	text = trimNewline(text)
	if s.width < 2 {
		return false
	}
	if n, key := s.countCellsRoughly(text); n == s.width && s.Key >= 0 && s.number && IsInteger(key) {
		return true
	}
	n, key := countCells(text, s.delim, s.Key)
	switch {
	case n != s.width:
		return false
	case s.Key >= 0 && s.number && s.rows > 0:
		return IsInteger(key)
	default:
		return s.delim == '\t' && s.width >= fewColumns
	}
}

// looksLikeRowStart reports whether a line that is no good row starts one all the same,
// and is not the rest of the broken row before it.
func (s *Splitter) looksLikeRowStart(text []byte) bool {
	n, key := s.countCellsRoughly(trimNewline(text))
	if s.Key < 0 || !s.number || s.rows == 0 && n == s.width {
		return n == s.width
	}
	return IsInteger(key) && (n == s.width || n > 1 && s.Key == 0)
}

// countCellsRoughly counts the cells of a line as if quotes meant nothing.
func (s *Splitter) countCellsRoughly(text []byte) (n int, key []byte) {
	for rest, more := text, true; more; n++ {
		var cell []byte
		cell, rest, more = bytes.Cut(rest, []byte{s.delim})
		if n == s.Key {
			key = bytes.Trim(cell, `"`)
		}
	}
	return n, key
}

// countCells counts the cells of one line and returns the key column's. A
// line on which a quoted cell does not end counts as none.
func countCells(text []byte, delim byte, key int) (n int, cell []byte) {
	for at := 0; ; n++ {
		var from, to int
		if at < len(text) && text[at] == '"' {
			from, to = at+1, findClosingQuote(text, at+1)
			if to < 0 {
				return 0, nil
			}
			at = to + 1
		} else if j := bytes.IndexByte(text[at:], delim); j >= 0 {
			from, to, at = at, at+j, at+j
		} else {
			from, to, at = at, len(text), len(text)
		}
		if n == key {
			cell = text[from:to]
		}
		switch {
		case at >= len(text):
			return n + 1, cell
		case text[at] != delim:
			return 0, nil
		}
		at++
	}
}

// findClosingQuote finds the closing quote of a cell that starts at text[at].
func findClosingQuote(text []byte, at int) int {
	for {
		j := bytes.IndexByte(text[at:], '"')
		if j < 0 {
			return -1
		}
		at += j
		if at+1 >= len(text) || text[at+1] != '"' {
			return at
		}
		at += 2
	}
}
