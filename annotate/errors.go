package annotate

import (
	"errors"
	"fmt"
)

// Errors of queues and acts.
var (
	ErrQueueExists = errors.New("queue exists")
	ErrConflict    = errors.New("acts out of order: somebody else works under this name")
	ErrBlind       = errors.New("not shown before your own answer")
	ErrPairs       = errors.New("it is for votes, and holds no labels")
	ErrTaken       = errors.New("others have given all the labels that the item takes")
)

// TakenError is ErrTaken with the act that it is about.
type TakenError struct {
	N    uint32
	Item ItemKey
}

func (e *TakenError) Error() string { return fmt.Sprintf("item %s: %v", e.Item, ErrTaken) }

// Unwrap gives ErrTaken.
func (e *TakenError) Unwrap() error { return ErrTaken }
