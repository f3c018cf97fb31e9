// Package problem says what in a file could not be taken as it stands: where it is, and why. It decides
// nothing about it: whether a row is skipped, or the import ends, is for who reads the file. Every
// reader of rows names such things as a [Problem].
package problem

import (
	"fmt"
	"path/filepath"
)

// Problem is something in a file that could not be taken as it stands. It is
// an error, so that readers yield it in place of a row and go on.
type Problem struct {
	File    string `json:"file"`              // base name
	Line    int    `json:"line"`              // of the row's start, from 1; 0: the file as a whole
	Reason  string `json:"reason"`            //
	Warning bool   `json:"warning,omitempty"` // the row was kept all the same
}

// String writes the problem as file:line: reason.
func (p Problem) String() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.File, p.Reason)
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Reason)
}

// Error makes a Problem an error.
func (p *Problem) Error() string { return p.String() }

// NewAt gives the problem of a row that cannot be taken. Of the path it keeps the base name.
func NewAt(path string, line int, format string, args ...any) *Problem {
	return &Problem{File: filepath.Base(path), Line: line, Reason: fmt.Sprintf(format, args...)}
}

// NewWarningAt gives what there is to say of a row that is kept all the same.
func NewWarningAt(path string, line int, format string, args ...any) *Problem {
	p := NewAt(path, line, format, args...)
	p.Warning = true
	return p
}
