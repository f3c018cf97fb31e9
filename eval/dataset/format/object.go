package format

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/problem"
)

// readObjects reads JSON arrays of objects and JSON lines. An object becomes a
// row whose columns are its names; null is an empty cell, and a list or an
// object within stays JSON.
func (f *File) readObjects(in io.Reader, l Layout, yield func(Row, error) bool) error {
	return f.eachObject(fastio.NewElements(in, f.Path, f.Kind != JSON), l, yield)
}

// eachObject makes rows of the objects that are cut out.
func (f *File) eachObject(els *fastio.Elements, l Layout, yield func(Row, error) bool) error {
	rows := objectRows{read: l.Object}
	for {
		text, line, err := els.Next()
		var p *problem.Problem
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.As(err, &p):
			return err
		}
		r := Row{Line: line}
		if err == nil {
			if r, err = rows.makeRow(text, line); err != nil {
				var next *problem.Problem
				if next = problem.NewAt(f.Path, line, "%s", err); !els.Lines && errors.Is(err, fastio.ErrNoObject) {
					next = els.Resync(line, err.Error())
				}
				err = next
			}
		}
		if !yield(r, err) {
			return nil
		}
	}
}

// objectRows makes rows of objects, whose columns are in the order of their
// names.
type objectRows struct {
	read  func(text []byte, like []string) (fastio.Object, error) // nil: ParseObject
	like  []string                                                // names of the last object, as they stand in it
	names []string                                                // in their order
	order []int                                                   // where each stands
	cells [][]byte
}

// makeRow makes a row of one object. Its cells are valid until the next.
func (o *objectRows) makeRow(text []byte, line int) (Row, error) {
	read := o.read
	if read == nil {
		read = fastio.ParseObject
	}
	members, err := read(text, o.like)
	switch {
	case errors.Is(err, fastio.ErrNoObject):
		return Row{}, fmt.Errorf("%w: write the row as {\"column\": value, ...}, or leave it out", err)
	case err != nil:
		return Row{}, err
	}
	if !slices.EqualFunc(members, o.like, func(m fastio.Member, name string) bool { return m.Name == name }) {
		o.sortColumns(members)
	}
	o.cells = o.cells[:0]
	for _, at := range o.order {
		o.cells = append(o.cells, fastio.CellText(members[at].Value))
	}
	return Row{Line: line, Names: o.names, Cells: o.cells, Broken: !utf8.Valid(text)}, nil
}

// sortColumns finds the order of the columns of an object with other names than the
// last.
func (o *objectRows) sortColumns(members fastio.Object) {
	o.like, o.names, o.order = make([]string, len(members)), make([]string, len(members)), make([]int, len(members))
	for i, m := range members {
		o.like[i], o.order[i] = m.Name, i
	}
	slices.SortFunc(o.order, func(a, b int) int { return strings.Compare(o.like[a], o.like[b]) })
	for i, at := range o.order {
		o.names[i] = o.like[at]
	}
}
