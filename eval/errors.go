package eval

import (
	"errors"
	"fmt"
)

// Errors of facts and lookups.
var (
	ErrNotFound = errors.New("not found")
	ErrRecorded = errors.New("already recorded")
)

// NotFound is an ErrNotFound in words that say so by themselves.
func NotFound(format string, args ...any) error { return missing(fmt.Sprintf(format, args...)) }

// Unknown is an ErrNotFound of a name, with the nearest of those that there are.
func Unknown(kind, name string, known []string) error {
	return NotFound("%s %q: %v%s", kind, name, ErrNotFound, DidYouMean(name, known))
}

type missing string

func (m missing) Error() string     { return string(m) }
func (m missing) Is(err error) bool { return err == ErrNotFound }
