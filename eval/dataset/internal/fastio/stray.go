package fastio

import "bytes"

// fewColumns: with fewer, a line of prose looks like a row too easily.
const fewColumns = 4

// likeRow reports whether a line inside a quoted cell is a row by itself, so
// that the quote was a stray one.
func (s *Splitter) likeRow(text []byte) bool {
	text = trimNewline(text)
	if s.width < 2 {
		return false
	}
	if n, key := s.rough(text); n == s.width && s.Key >= 0 && s.number && IsInteger(key) {
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

// keyed reports whether a line that is no good row starts one all the same,
// and is not the rest of the broken row before it.
func (s *Splitter) keyed(text []byte) bool {
	n, key := s.rough(trimNewline(text))
	if s.Key < 0 || !s.number || s.rows == 0 && n == s.width {
		return n == s.width
	}
	return IsInteger(key) && (n == s.width || n > 1 && s.Key == 0)
}

// rough counts the cells of a line as if quotes meant nothing.
func (s *Splitter) rough(text []byte) (n int, key []byte) {
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
			from, to = at+1, endOfQuoted(text, at+1)
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

// endOfQuoted finds the closing quote of a cell that starts at text[at].
func endOfQuoted(text []byte, at int) int {
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
