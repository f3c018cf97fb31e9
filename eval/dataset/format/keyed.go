package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"concord/eval/bound"
)

// Columns that rows of one object get beside their own.
const (
	ColumnKey     = "key"     // the member's name
	ColumnValue   = "value"   // what it is, where that is no object
	ColumnSection = "section" // the name of the list that the row is in
	AboutPrefix   = "about."  // of what the object says of all rows, in the first one
)

// keyed reads one object that is a whole table:
//
//	{"1": {"question": ...}, "2": ...}       a row a member, its name in the column key
//	{"1": "A", "2": "B"}                     the same, with the column value
//	{"acc": 75.2, "results": {"1": 0, ...}}  columns by key
//	{"val": [{...}, ...], "test": [...]}     rows, each with its section
func (f *File) keyed(in io.Reader, l Layout, yield func(Row, error) bool) error {
	lines := &counted{in: in}
	k := &keyed{file: f, l: &l, yield: yield, budget: &allowance{in: lines}, lines: lines, plain: map[string]json.RawMessage{}, columns: map[string]map[string]json.RawMessage{}}
	k.dec = json.NewDecoder(k.budget)
	err := k.read()
	if errors.Is(err, errStopped) {
		return nil
	}
	return err
}

var errStopped = errors.New("no more rows are wanted")

type keyed struct {
	file    *File
	l       *Layout
	yield   func(Row, error) bool
	dec     *json.Decoder
	budget  *allowance
	lines   *counted
	names   []string
	rows    int
	order   []string // of plain members
	plain   map[string]json.RawMessage
	ids     []string // of the columns' members
	columns map[string]map[string]json.RawMessage
}

// allowance bounds what one value may take of memory.
type allowance struct {
	in   io.Reader
	used int64
}

func (a *allowance) Read(b []byte) (int, error) {
	n, err := a.in.Read(b)
	if a.used += int64(n); a.used > bound.RowBytes {
		return n, &bound.Error{What: "a member of the object", Most: bound.RowBytes}
	}
	return n, err
}

func (k *keyed) read() error {
	if t, err := k.dec.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(errors.New("want one object"), err)
	}
	for k.dec.More() {
		key, err := k.text()
		if err != nil {
			return err
		}
		if err := k.member(key); err != nil {
			return err
		}
	}
	if _, err := k.dec.Token(); err != nil {
		return k.at(err)
	}
	if len(k.columns) > 0 {
		return k.joined()
	}
	if k.rows > 0 {
		return nil
	}
	for _, key := range k.order {
		if err := k.row(map[string]json.RawMessage{ColumnKey: quoted(key), ColumnValue: k.plain[key]}); err != nil {
			return err
		}
	}
	return nil
}

func (k *keyed) at(err error) error { return fmt.Errorf("line %d: %w", k.line(), err) }

func (k *keyed) line() int { return k.lines.lines + 1 - newlines(k.dec.Buffered()) }

// text is a member's name.
func (k *keyed) text() (string, error) {
	t, err := k.dec.Token()
	if err != nil {
		return "", k.at(err)
	}
	k.budget.used = 0
	name, _ := t.(string)
	return name, nil
}

// member takes one member of the object, as what its value is.
func (k *keyed) member(key string) error {
	t, err := k.dec.Token()
	if err != nil {
		return k.at(err)
	}
	switch t {
	case json.Delim('['):
		return k.list(key)
	case json.Delim('{'):
		return k.object(key)
	}
	value, err := json.Marshal(t)
	if err != nil {
		return err
	}
	k.order = append(k.order, key)
	k.plain[key] = value
	return nil
}

// list takes a list: of rows, or a value.
func (k *keyed) list(key string) error {
	var values []json.RawMessage
	for k.dec.More() {
		var one json.RawMessage
		k.budget.used = 0
		if err := k.dec.Decode(&one); err != nil {
			return k.at(err)
		}
		var members map[string]json.RawMessage
		if !bytes.HasPrefix(one, []byte("{")) || json.Unmarshal(one, &members) != nil {
			values = append(values, one)
			continue
		}
		members[ColumnSection] = quoted(key)
		if err := k.row(members); err != nil {
			return err
		}
	}
	_, err := k.dec.Token()
	if len(values) > 0 {
		k.order = append(k.order, key)
		k.plain[key], _ = json.Marshal(values) // was JSON
	}
	return err
}

// object takes an object: a row, a column by key, or what is said of all rows.
func (k *keyed) object(key string) error {
	members := make(map[string]json.RawMessage)
	var names []string
	for k.dec.More() {
		name, err := k.text()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := k.dec.Decode(&value); err != nil {
			return k.at(err)
		}
		if _, ok := members[name]; !ok {
			names = append(names, name)
		}
		members[name] = value
	}
	if _, err := k.dec.Token(); err != nil {
		return k.at(err)
	}
	switch {
	case !hasDigit(key) && len(names) > 1 && !slices.ContainsFunc(names, func(n string) bool { return !hasDigit(n) }):
		if len(k.columns) == 0 {
			k.ids = names
		}
		k.columns[key] = members
		return nil
	case !hasDigit(key) && len(k.plain) > 0:
		k.order = append(k.order, key)
		k.plain[key], _ = json.Marshal(members) // was JSON
		return nil
	}
	members[ColumnKey] = quoted(key)
	return k.row(members)
}

// joined are the rows of columns by key.
func (k *keyed) joined() error {
	for _, id := range k.ids {
		members := map[string]json.RawMessage{ColumnKey: quoted(id)}
		for name, column := range k.columns {
			if v, ok := column[id]; ok {
				members[name] = v
			}
		}
		if err := k.row(members); err != nil {
			return err
		}
	}
	return nil
}

// row hands on a row. The first has what the object said of all before it.
func (k *keyed) row(members map[string]json.RawMessage) error {
	if k.rows++; k.rows == 1 && (len(k.columns) > 0 || members[ColumnValue] == nil) {
		for _, name := range k.order {
			members[AboutPrefix+name] = k.plain[name]
		}
	}
	text, err := json.Marshal(members)
	if err != nil {
		return err
	}
	r, err := k.l.object(k.names, text, k.line())
	if err != nil {
		err = k.file.Problem(k.line(), "%s", err)
	} else {
		k.names = r.Names
	}
	if !k.yield(r, err) {
		return errStopped
	}
	return nil
}

func quoted(text string) json.RawMessage {
	out, _ := json.Marshal(text) // texts always marshal
	return out
}

func hasDigit(name string) bool { return strings.ContainsAny(name, "0123456789") }

// rowNames are members that a row of JSON lines has, and an object that is a
// whole table does not.
var rowNames = []string{"question", "id", "index", "question_id", "doc_id", "unique_idx", "prediction", "response", "conversations", "messages", "options", "image", "meta", "riddle", "answer"}

// IsObject tells a table that is one object by the file's beginning.
func IsObject(head []byte) bool {
	head = Text(head)
	dec := json.NewDecoder(bytes.NewReader(head))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	var names []string
	objects, children, nested, ended := 0, map[string]bool{}, false, false
	for !ended {
		t, err := dec.Token()
		if err != nil {
			break
		}
		if t == json.Delim('}') {
			ended = true
			break
		}
		name, _ := t.(string)
		names = append(names, name)
		var value json.RawMessage
		at := dec.InputOffset()
		cut := dec.Decode(&value) != nil
		if cut {
			value = bytes.TrimLeft(head[min(at, int64(len(head))):], ": \t\r\n")
		}
		first, digits := firstMember(value)
		switch {
		case bytes.HasPrefix(value, []byte("{")) && first != "":
			objects++
			children[first] = true
			nested = nested || digits && !hasDigit(name)
		case bytes.HasPrefix(value, []byte("[")):
			nested = nested || bytes.HasPrefix(bytes.TrimLeft(value[1:], " \t\r\n"), []byte("{"))
		}
		if cut {
			break
		}
	}
	if rest := bytes.TrimLeft(head[min(dec.InputOffset(), int64(len(head))):], ", \t\r\n"); ended && len(rest) > 0 || len(names) == 0 {
		return false
	}
	if slices.ContainsFunc(names, func(n string) bool { return slices.Contains(rowNames, n) }) {
		return false
	}
	all := !slices.ContainsFunc(names, func(n string) bool { return !hasDigit(n) })
	return all && len(names) > 1 || nested || objects == len(names) && (objects > 1 || !ended) && len(children) == 1
}

// firstMember is the name of an object's first member, and whether it has a
// digit.
func firstMember(value []byte) (name string, digits bool) {
	dec := json.NewDecoder(bytes.NewReader(value))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return "", false
	}
	t, _ := dec.Token()
	name, _ = t.(string)
	return name, hasDigit(name)
}
