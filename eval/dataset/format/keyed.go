package format

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"concord/eval/bound"
	"concord/eval/dataset/internal/fastio"
)

// Columns that rows of one object get beside their own.
const (
	ColumnKey     = "key"     // the member's name
	ColumnValue   = "value"   // what it is, where that is no object
	ColumnSection = "section" // the name of the list that the row is in
	AboutPrefix   = "about."  // of what the object says of all rows, in the first one
)

// keyedReader reads one object that is a whole table:
//
//	{"1": {"question": ...}, "2": ...}       a row a member, its name in the column key
//	{"1": "A", "2": "B"}                     the same, with the column value
//	{"acc": 75.2, "results": {"1": 0, ...}}  columns by key
//	{"val": [{...}, ...], "test": [...]}     rows, each with its section
type keyedReader struct {
	give    func(members map[string]json.RawMessage) error
	about   map[string]json.RawMessage // what is no row
	plain   []string                   // its names, in their order
	columns map[string]json.RawMessage
	ids     []string // of the columns' members
	rows    int
}

var errStopped = errors.New("no more rows are wanted")

func (f *File) readKeyed(in io.Reader, l Layout, yield func(Row, error) bool) error {
	in = skipBOM(in)
	lines := &lineCounter{in: bound.FailAboveLimit(in, "one object", bound.RowBytes)}
	dec := json.NewDecoder(lines)
	rows := objectRows{read: l.Object}
	k := &keyedReader{about: map[string]json.RawMessage{}, columns: map[string]json.RawMessage{}}
	k.give = func(members map[string]json.RawMessage) error {
		k.rows++
		text, err := json.Marshal(members)
		line := lines.lineAt(dec.InputOffset())
		r := Row{Line: line}
		if err == nil {
			r, err = rows.makeRow(text, line)
		}
		if err != nil {
			err = f.NewProblem(line, "%s", err)
		}
		if !yield(r, err) {
			return errStopped
		}
		return nil
	}
	err := eachMember(dec, k.readMember)
	if err == nil {
		err = k.emitObjectRows()
	}
	switch {
	case errors.Is(err, errStopped):
		return nil
	case err != nil:
		return fmt.Errorf("line %d: %w", lines.lineAt(dec.InputOffset()), err)
	}
	return nil
}

// eachMember goes through an object in the order of its members.
func eachMember(dec *json.Decoder, do func(name string, value json.RawMessage) error) error {
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(errors.New("want an object"), err)
	}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		name, _ := t.(string)
		if err := do(name, value); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}

// readMember takes a member of the object: a row, a list of rows, a column by key, or what is said of all.
func (k *keyedReader) readMember(name string, value json.RawMessage) error {
	var list []map[string]json.RawMessage
	switch {
	case value[0] == '{':
		var members map[string]json.RawMessage
		var names []string
		err := eachMember(json.NewDecoder(bytes.NewReader(value)), func(n string, _ json.RawMessage) error {
			names = append(names, n)
			return nil
		})
		switch {
		case err != nil:
			return err
		case !hasDigit(name) && len(names) > 1 && !slices.ContainsFunc(names, func(n string) bool { return !hasDigit(n) }):
			if k.columns[name] = value; k.ids == nil {
				k.ids = names
			}
			return nil
		case hasDigit(name) || len(k.plain) == 0:
			if err := json.Unmarshal(value, &members); err != nil {
				return err
			}
			members[ColumnKey] = quoteJSON(name)
			return k.give(members)
		}
	case value[0] == '[' && json.Unmarshal(value, &list) == nil && len(list) > 0:
		for _, members := range list {
			if members == nil {
				continue
			}
			members[ColumnSection] = quoteJSON(name)
			if err := k.give(members); err != nil {
				return err
			}
		}
		return nil
	}
	k.plain, k.about[name] = append(k.plain, name), value
	return nil
}

func (k *keyedReader) emitObjectRows() error {
	columns := make(map[string]map[string]json.RawMessage)
	for name, value := range k.columns {
		var column map[string]json.RawMessage
		if err := json.Unmarshal(value, &column); err != nil {
			return err
		}
		columns[name] = column
	}
	for i, id := range k.ids {
		members := map[string]json.RawMessage{ColumnKey: quoteJSON(id)}
		for _, name := range k.plain {
			if i == 0 {
				members[AboutPrefix+name] = k.about[name]
			}
		}
		for name, column := range columns {
			members[name] = column[id]
		}
		if err := k.give(members); err != nil {
			return err
		}
	}
	if k.rows > 0 {
		return nil
	}
	for _, name := range k.plain {
		if err := k.give(map[string]json.RawMessage{ColumnKey: quoteJSON(name), ColumnValue: k.about[name]}); err != nil {
			return err
		}
	}
	return nil
}

func quoteJSON(text string) json.RawMessage {
	out, _ := json.Marshal(text) // texts always marshal
	return out
}

func hasDigit(name string) bool { return strings.ContainsAny(name, "0123456789") }

// rowName is a member that a row of JSON lines has, and an object that is a whole table does not.
var rowName = regexp.MustCompile(`^(?:question|id|index|question_id|doc_id|unique_idx|prediction|response|conversations|messages|options|image|meta|answer|text)$`)

// IsObjectTable tells a table that is one object by the file's beginning: its members
// have numbered names, are rows, or hold some.
func IsObjectTable(head []byte) bool {
	head = TrimBOMAndSpace(head)
	dec := json.NewDecoder(bytes.NewReader(head))
	all, objects, numbered, nested := 0, 0, 0, false
	err := errors.New("it holds rows")
	one := func(name string, value []byte) error {
		if rowName.MatchString(name) {
			return err
		}
		if all++; hasDigit(name) {
			numbered++
		}
		if m := firstMember.FindSubmatch(value); m != nil {
			objects++
			nested = nested || hasDigit(string(m[1])) && !hasDigit(name)
		}
		nested = nested || firstOfList.Match(value)
		return nil
	}
	got := eachMember(dec, func(name string, value json.RawMessage) error { return one(name, value) })
	rest := bytes.TrimLeft(head[min(dec.InputOffset(), int64(len(head))):], ", \t\r\n")
	switch {
	case errors.Is(got, err) || got == nil && len(rest) > 0:
		return false
	case got != nil:
		at := min(dec.InputOffset(), int64(len(head)))
		if m := lastName.FindSubmatch(head[:at]); m != nil && one(string(m[1]), bytes.TrimLeft(head[at:], ": \t\r\n")) != nil {
			return false
		}
	}
	return all > 0 && (nested || all > 1 && (numbered == all || objects == all))
}

var (
	firstMember = regexp.MustCompile(`^\s*\{\s*"([^"]*)"\s*:`)
	firstOfList = regexp.MustCompile(`^\s*\[\s*\{`)
	lastName    = regexp.MustCompile(`"([^"]*)"[\s:]*$`) // of a member that the beginning cuts off
)

// toReaderAt gives a file that is read by place. One that cannot be is held in memory.
func toReaderAt(in io.Reader, size int64) (io.ReaderAt, int64, error) {
	if at, ok := in.(io.ReaderAt); ok {
		return at, size, nil
	}
	text, err := bound.ReadAll(in, "a file that cannot be read by place", bound.RowBytes)
	return bytes.NewReader(text), int64(len(text)), err
}

// readEvalLog reads a log in either of its forms.
func (f *File) readEvalLog(in io.Reader, size int64, l Layout, yield func(Row, error) bool) error {
	at, size, err := toReaderAt(in, size)
	if err != nil {
		return err
	}
	magic := make([]byte, len(zipMagic))
	if n, err := at.ReadAt(magic, 0); n == len(magic) && string(magic) == zipMagic {
		return f.readZippedObjects(at, size, l, yield)
	} else if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return f.readNestedLog(&countingReader{in: io.NewSectionReader(at, 0, size), file: f}, l, yield)
}

// readNestedLog reads one object up to the list of its objects, and those one by one.
func (f *File) readNestedLog(in io.Reader, l Layout, yield func(Row, error) bool) error {
	in = skipBOM(in)
	head := &lineCounter{in: bound.FailAboveLimit(in, "what is before the list", bound.RowBytes)}
	dec := json.NewDecoder(head)
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("want the object of a log: %w", cmp.Or(err, errors.New("it is none")))
	}
	none := fmt.Errorf("the log has no %s", l.Log.List)
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return fmt.Errorf("line %d: %w", head.lineAt(dec.InputOffset()), err)
		}
		if key == l.Log.List {
			rest := io.MultiReader(dec.Buffered(), in)
			els := fastio.NewElements(rest, f.Path, false)
			els.Line = head.lineAt(dec.InputOffset())
			if err := els.SkipToList(none); err != nil {
				return err
			}
			return f.eachObjectRow(els, l, yield)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return fmt.Errorf("line %d: %w", head.lineAt(dec.InputOffset()), err)
		}
		if key == l.Log.About {
			if err := l.Log.Says(value); err != nil {
				return err
			}
		}
	}
	return none
}

// skipBOM is a text without the byte order mark before it.
func skipBOM(in io.Reader) io.Reader {
	text := bufio.NewReader(in)
	if head, err := text.Peek(len(byteOrderMark)); err == nil && string(head) == byteOrderMark {
		_, _ = text.Discard(len(head)) // was just peeked
	}
	return text
}

const byteOrderMark = "\xef\xbb\xbf"

// lineCounter knows on which line of what is read an offset is.
type lineCounter struct {
	in     io.Reader
	offset int64
	passed int     // newlines before the offset that was asked for last
	ahead  []int64 // the offsets of those behind it
}

func (c *lineCounter) Read(b []byte) (int, error) {
	n, err := c.in.Read(b)
	for i, char := range b[:n] {
		if char == '\n' {
			c.ahead = append(c.ahead, c.offset+int64(i))
		}
	}
	c.offset += int64(n)
	return n, err
}

// lineAt gives the line of an offset, from 1. Offsets are asked for in their order.
func (c *lineCounter) lineAt(offset int64) int {
	n, _ := slices.BinarySearch(c.ahead, offset)
	c.passed, c.ahead = c.passed+n, c.ahead[n:]
	return c.passed + 1
}

// readZippedObjects reads the objects in the entries of a zip.
func (f *File) readZippedObjects(at io.ReaderAt, size int64, l Layout, yield func(Row, error) bool) error {
	archive, err := bound.OpenArchive(at, size)
	if err != nil {
		return fmt.Errorf("open zip: %w", err)
	}
	entries, err := l.Log.Entries(archive)
	if err != nil {
		return err
	}
	f.parts = f.parts[:0]
	rows := objectRows{read: l.Object}
	var packed int64
	for i, e := range entries {
		f.parts = append(f.parts, filePart{filepath.Base(f.Path) + "/" + e.Name, i})
		text, err := ReadZipEntry(archive, e)
		r := Row{Line: i + 1}
		if err == nil {
			r, err = rows.makeRow(text, i+1)
		}
		if err != nil {
			err = f.NewProblem(i+1, "%s", err)
		}
		if !yield(r, err) {
			return nil
		}
		packed += int64(e.CompressedSize64) //nolint:gosec // of a file that is there
		f.reportProgress(min(packed, f.size))
	}
	return nil
}

// ReadZipEntry reads an entry, and no more of it than an object may have, whatever the zip says of its size.
func ReadZipEntry(a *bound.Archive, e *zip.File) (text []byte, err error) {
	if err := bound.CheckSize("what it unpacks to", int64(min(e.UncompressedSize64, 1<<62)), bound.RowBytes); err != nil { //nolint:gosec // bounded
		return nil, err
	}
	in, err := a.Open(e)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return bound.ReadAll(in, "what it unpacks to", bound.RowBytes)
}
