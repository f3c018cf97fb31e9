package annotate

import "errors"

// Errors of queues and acts.
var (
	ErrQueueExists = errors.New("queue exists")
	ErrConflict    = errors.New("acts out of order: somebody else works under this name")
	ErrBlind       = errors.New("not shown before your own answer")
)
