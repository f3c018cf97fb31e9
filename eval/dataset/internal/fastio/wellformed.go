package fastio

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"concord/eval/bound"
)

// wellFormed cuts XML into tags as markup does, but takes all of XML that a
// workbook may hold, and says what is wrong where it is not well formed: the
// library of workbooks takes broken XML for the end of a sheet.
type wellFormed struct {
	in    *bufio.Scanner
	open  [][]byte // names of the elements that have begun
	text  []byte   // before the tag, as written; valid until the next
	name  []byte   // of the element that begins or ends
	attr  []byte   // of the tag, as written
	begin bool
	end   bool // an element that ends with its tag both begins and ends
}

func newWellFormed(in io.Reader) *wellFormed {
	w := &wellFormed{in: bufio.NewScanner(full{in})}
	w.in.Buffer(make([]byte, Chunk), bound.SheetCell+bound.Tag)
	w.in.Split(cutTag)
	return w
}

// full fills what it is given: the scanner looks at all that it has after each
// reading, and readers of zips give little at a time.
type full struct{ in io.Reader }

func (f full) Read(b []byte) (int, error) {
	n, err := io.ReadFull(f.in, b)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// Beginnings and ends of what is no element.
var asides = []struct{ begin, end []byte }{
	{[]byte("<!--"), []byte("-->")}, {[]byte("<![CDATA["), []byte("]]>")}, {[]byte("<?"), []byte("?>")},
}

// cutTag is the scanner's: a text with the tag behind it.
func cutTag(data []byte, last bool) (int, []byte, error) {
	open := bytes.IndexByte(data, '<')
	if open < 0 {
		if last && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	}
	end := -1
	tag := data[open:]
	if len(tag) < len("<![CDATA[") && !last {
		return 0, nil, nil
	}
	if i := slices.IndexFunc(asides, func(a struct{ begin, end []byte }) bool { return bytes.HasPrefix(tag, a.begin) }); i >= 0 {
		if n := bytes.Index(tag, asides[i].end); n >= 0 {
			end = n + len(asides[i].end)
		}
	} else {
		end = endOfTag(tag)
	}
	switch {
	case end >= 0:
		return open + end, data[:open+end], nil
	case last:
		return 0, nil, io.ErrUnexpectedEOF
	case len(tag) > bound.SheetCell:
		return 0, nil, bufio.ErrTooLong
	}
	return 0, nil, nil
}

// endOfTag is where a tag ends: a value may hold its bracket.
func endOfTag(tag []byte) int {
	for i := 1; i < len(tag); i++ {
		switch c := tag[i]; c {
		case '>':
			return i + 1
		case '"', '\'':
			n := bytes.IndexByte(tag[i+1:], c)
			if n < 0 {
				return -1
			}
			i += n + 1
		}
	}
	return -1
}

// next goes to the next tag of an element; io.EOF ends the text once all
// elements have.
func (w *wellFormed) next() error {
	for w.in.Scan() {
		token := w.in.Bytes()
		open := bytes.IndexByte(token, '<')
		if open < 0 {
			if len(bytes.TrimSpace(token)) > 0 {
				return errors.New("text behind the last element")
			}
			continue
		}
		w.text = token[:open]
		if !asIs(w.text) && !reads("<t>", w.text, "</t>") {
			return errors.New("a text that XML cannot hold")
		}
		tag := token[open:]
		if len(tag) > 1 && (tag[1] == '!' || tag[1] == '?') {
			if !bytes.HasPrefix(tag, []byte("<?")) && !bytes.HasPrefix(tag, []byte("<!--")) && !bytes.HasPrefix(tag, []byte("<![CDATA[")) {
				return errors.New("a document type, which no workbook has")
			}
			continue
		}
		return w.element(tag)
	}
	switch err := w.in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return &bound.Error{What: "the text of a cell, or between cells,", Most: bound.SheetCell}
	case err != nil:
		return err
	case len(w.open) > 0:
		return fmt.Errorf("element %.40q does not end", w.open[len(w.open)-1])
	}
	return io.EOF
}

// element takes the tag of an element.
func (w *wellFormed) element(tag []byte) error {
	if len(tag) > bound.Tag {
		return &bound.Error{What: "a tag", Most: bound.Tag}
	}
	inner := tag[1 : len(tag)-1]
	w.begin, w.end = true, bytes.HasSuffix(inner, []byte("/"))
	switch {
	case bytes.HasPrefix(inner, []byte("/")):
		w.begin, w.end, inner = false, true, bytes.TrimRight(inner[1:], " \t\r\n")
	case w.end:
		inner = inner[:len(inner)-1]
	}
	w.name, w.attr = inner, nil
	if n := bytes.IndexAny(inner, " \t\r\n"); n >= 0 {
		w.name, w.attr = inner[:n], inner[n:]
	}
	if !w.begin {
		if n := len(w.open) - 1; n < 0 || !bytes.Equal(w.open[n], w.name) || w.attr != nil {
			return fmt.Errorf("the tag %.60q ends no element that is open", tag)
		}
		w.open = w.open[:len(w.open)-1]
		return nil
	}
	m := markup{attr: w.attr}
	if (!isName(w.name) || !m.wellFormed()) && !isTag(tag) {
		return fmt.Errorf("the tag %.60q is broken", tag)
	}
	if !w.end {
		if len(w.open) == bound.Depth {
			return &bound.Error{What: "the nesting of elements", Most: bound.Depth, Unit: "levels"}
		}
		w.push()
	}
	return nil
}

// push keeps the name of an element that has begun; the memory of one that has
// ended serves again.
func (w *wellFormed) push() {
	n := len(w.open)
	w.open = slices.Grow(w.open, 1)[:n+1]
	w.open[n] = append(w.open[n][:0], w.name...)
}

// is tells the element by its name without a prefix.
func (w *wellFormed) is(name string) bool {
	own := w.name
	if i := bytes.IndexByte(own, ':'); i >= 0 {
		own = own[i+1:]
	}
	return string(own) == name
}

// isTag asks encoding/xml, whose word counts.
func isTag(tag []byte) bool {
	_, err := xml.NewDecoder(bytes.NewReader(tag)).RawToken()
	return err == nil
}

// reads asks it of a text.
func reads(before string, text []byte, behind string) bool {
	var out string
	return xml.Unmarshal(slices.Concat([]byte(before), text, []byte(behind)), &out) == nil
}

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
