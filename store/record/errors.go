package record

import "errors"

// Errors of bytes that cannot be trusted, and of values that have none.
var (
	// ErrCorrupt says that a page or a record is damaged.
	ErrCorrupt = errors.New("corrupt store")
	// ErrNewerRecord says that a record is of a version that this concord
	// does not know.
	ErrNewerRecord = errors.New("record was written by a newer concord")
	// ErrInvalid says that a name or a number cannot be stored.
	ErrInvalid = errors.New("invalid")
)
