package dataset

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
func (s *source) where(line int) (path string, own int) {
	if line == 0 || len(s.parts) == 0 {
		return s.path, line
	}
	i, _ := slices.BinarySearchFunc(s.parts, line, func(p part, line int) int { return cmp.Compare(p.start, line) })
	p := s.parts[max(i-1, 0)]
	return p.name, line - p.start
}

// problem is one about a line of the source.
func (s *source) problem(line int, format string, args ...any) *Problem {
	path, own := s.where(line)
	p := problem.At(path, own, format, args...)
	if len(s.parts) > 0 && line != 0 {
		p.File = filepath.ToSlash(path) // the base names of parts are not unique
	}
	return p
}

func (s *source) warning(line int, format string, args ...any) *Problem {
	p := s.problem(line, format, args...)
	p.Warning = true
	return p
}
