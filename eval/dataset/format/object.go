package format

import (
	"errors"
	"io"
	"maps"
	"slices"
	"unicode/utf8"

	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/problem"
)

// objects reads JSON arrays of objects and JSON lines. An object becomes a
// row whose columns are its names; null is an empty cell, and a list or an
// object within stays JSON.
func (f *File) objects(in io.Reader, l Layout, yield func(Row, error) bool) error {
	return f.eachObject(fastio.NewElements(in, f.Path, f.Kind != JSON), l, yield)
}

// eachObject makes rows of the objects that are cut out.
func (f *File) eachObject(els *fastio.Elements, l Layout, yield func(Row, error) bool) error {
	var names []string
	for {
		text, line, err := els.Next()
		var p *problem.Problem
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.As(err, &p):
			return err
		}
		r := Row{Line: line, Names: names}
		if err == nil {
			if r, err = l.object(names, text, line); err != nil {
				var next *problem.Problem
				if next = problem.At(f.Path, line, "%s", err); !els.Lines && errors.Is(err, fastio.ErrNoObject) {
					next = els.Retreat(line, err.Error())
				}
				err = next
			} else {
				names = r.Names
			}
		}
		if !yield(r, err) {
			return nil
		}
	}
}

// object makes a row of one object. The last names serve again when they are
// the same.
func (l *Layout) object(last []string, text []byte, line int) (Row, error) {
	parse := l.Object
	if parse == nil {
		parse = fastio.ParseObject
	}
	values, err := parse(text)
	if err != nil {
		return Row{}, err
	}
	names := slices.Sorted(maps.Keys(values))
	if slices.Equal(last, names) {
		names = last
	}
	r := Row{Line: line, Names: names, Cells: make([][]byte, len(names)), Broken: !utf8.Valid(text)}
	for i, n := range names {
		r.Cells[i] = fastio.Text(values[n])
	}
	return r, nil
}
