package fastio

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"
)

// errNotPlain says that a workbook has something in it that only its library
// reads.
var errNotPlain = errors.New("not a plain workbook")

// markup cuts the XML of a workbook's part into tags, each with the text
// before it. It takes plain elements and text alone, and gives errNotPlain for
// everything else: comments, CDATA, document types, entities of their own.
type markup struct {
	in   *bufio.Scanner
	text []byte // before the tag, as written; valid until the next
	name []byte // of the tag's element; "/" stands before it at its end
	attr []byte // of the tag, as written
	void bool   // the element ends with its tag
}

// tagLimit bounds a tag with the text before it: six bytes for every
// character of a cell, and room.
const tagLimit = 1 << 20

func newMarkup(in io.Reader) *markup {
	m := &markup{in: bufio.NewScanner(in)}
	m.in.Buffer(make([]byte, Chunk), tagLimit)
	m.in.Split(func(data []byte, _ bool) (int, []byte, error) {
		open := bytes.IndexByte(data, '<')
		if open < 0 {
			return 0, nil, nil
		}
		if n := bytes.IndexByte(data[open:], '>'); n >= 0 {
			return open + n + 1, data[:open+n+1], nil
		}
		return 0, nil, nil
	})
	return m
}

// next goes to the next tag.
func (m *markup) next() error {
	for m.in.Scan() {
		token := m.in.Bytes()
		open := bytes.IndexByte(token, '<')
		m.text = token[:open]
		tag := token[open+1 : len(token)-1]
		if bytes.HasPrefix(tag, []byte("?xml ")) && len(m.text) == 0 {
			if !plainDeclaration(tag) {
				return errNotPlain
			}
			continue
		}
		if m.void = bytes.HasSuffix(tag, []byte("/")); m.void {
			tag = tag[:len(tag)-1]
		}
		m.name, m.attr = tag, nil
		if n := bytes.IndexAny(tag, " \t\r\n"); n >= 0 {
			m.name, m.attr = tag[:n], tag[n:]
		}
		if len(m.name) == 0 || m.name[0] == '!' || m.name[0] == '?' || m.name[0] == '/' && (m.void || len(m.attr) > 0) {
			return errNotPlain
		}
		return nil
	}
	if err := m.in.Err(); err != nil {
		return err
	}
	return errNotPlain // the part ends too early
}

func plainDeclaration(tag []byte) bool {
	_, encoding, named := bytes.Cut(bytes.ToLower(tag), []byte("encoding"))
	return !named || bytes.Contains(encoding, []byte("utf-8"))
}

func (m *markup) is(name string) bool { return string(m.name) == name }

func (m *markup) blank() bool { return len(bytes.TrimLeft(m.text, " \t\r\n")) == 0 }

// attributes gives those without a prefix to each.
func (m *markup) attributes(each func(name, value []byte) bool) bool {
	rest := m.attr
	for {
		if rest = bytes.TrimLeft(rest, " \t\r\n"); len(rest) == 0 {
			return true
		}
		name, after, ok := bytes.Cut(rest, []byte(`="`))
		value, after, closed := bytes.Cut(after, []byte{'"'})
		if !ok || !closed || !isName(name) || !asIs(value) || bytes.IndexByte(value, '<') >= 0 {
			return false
		}
		if !each(name, value) {
			return false
		}
		rest = after
	}
}

// wellFormed reports whether the tag's attributes are.
func (m *markup) wellFormed() bool {
	return m.attributes(func(_, _ []byte) bool { return true })
}

// isName reports whether a name of XML is one of plain letters.
func isName(name []byte) bool {
	for i, c := range name {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != ':' && c != '-' && c != '.') {
			return false
		}
	}
	return len(name) > 0
}

// content reads the text of an element that has begun, up to its end, and
// appends it.
func (m *markup) content(to []byte) ([]byte, error) {
	if !m.wellFormed() {
		return to, errNotPlain
	}
	if m.void {
		return to, nil
	}
	end := string(m.name)
	if err := m.next(); err != nil {
		return to, err
	}
	if len(m.name) != len(end)+1 || m.name[0] != '/' || string(m.name[1:]) != end {
		return to, errNotPlain
	}
	out, ok := appendText(to, m.text)
	if !ok {
		return to, errNotPlain
	}
	return out, nil
}

// appendText appends a text as encoding/xml reads it, which is asked where it
// is more than characters as they are.
func appendText(to, text []byte) ([]byte, bool) {
	if asIs(text) {
		return append(to, text...), true
	}
	var read string
	if xml.Unmarshal(slices.Concat([]byte("<t>"), text, []byte("</t>")), &read) != nil {
		return to, false
	}
	return append(to, read...), true
}

// asIs reports whether a text is characters as they are.
func asIs(text []byte) bool {
	for _, c := range text {
		if c < 0x20 && c != '\t' && c != '\n' || c == '&' || c == '>' {
			return false
		}
	}
	return utf8.Valid(text) && !bytes.Contains(text, []byte("\xef\xbf")) // the last ones are no characters
}

// escaped is how a workbook writes a character that XML cannot hold.
var escaped = regexp.MustCompile(`_x[a-fA-F\d]{4}_`)

// characters reads those. Half of a surrogate pair is nothing.
func characters(text []byte) []byte {
	if !bytes.Contains(text, []byte("_x")) {
		return text
	}
	return escaped.ReplaceAllFunc(text, func(s []byte) []byte {
		c, _ := strconv.Unquote(`"\u` + string(s[2:6]) + `"`)
		return []byte(c)
	})
}
