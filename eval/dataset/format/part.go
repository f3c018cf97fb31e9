package format

import (
	"cmp"
	"path/filepath"
	"slices"

	"concord/eval/dataset/problem"
)

// part is one file of several that are read as one. Lines are counted over
// all parts; start is how many come before this one's first.
type part struct {
	name  string
	start int
}

// where finds the file that holds a line, and the line within it.
func (f *File) where(line int) (path string, own int) {
	if line == 0 || len(f.parts) == 0 {
		return f.Path, line
	}
	i, _ := slices.BinarySearchFunc(f.parts, line, func(p part, line int) int { return cmp.Compare(p.start, line) })
	p := f.parts[max(i-1, 0)]
	return p.name, line - p.start
}

// Problem is one about a line of the file; 0 is the file as a whole.
func (f *File) Problem(line int, format string, args ...any) *problem.Problem {
	path, own := f.where(line)
	p := problem.At(path, own, format, args...)
	if len(f.parts) > 0 && line != 0 {
		p.File = filepath.ToSlash(path) // the base names of parts are not unique
	}
	return p
}

// Warning is the same of a row that is kept.
func (f *File) Warning(line int, format string, args ...any) *problem.Problem {
	p := f.Problem(line, format, args...)
	p.Warning = true
	return p
}
