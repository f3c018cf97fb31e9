package eval

import "errors"

// Errors of facts and lookups.
var (
	ErrNotFound = errors.New("not found")
	ErrRecorded = errors.New("already recorded")
)
