package store

import (
	"errors"

	"concord/store/file"
	"concord/store/record"
)

// Errors of Open.
var (
	// ErrLocked says that another process, or another Store of this one,
	// holds the file.
	ErrLocked = file.ErrLocked
	// ErrNotProject says that the file is something else.
	ErrNotProject = file.ErrNotProject
	// ErrNewerSchema says that a newer concord wrote the project.
	ErrNewerSchema = file.ErrNewerSchema
	// ErrOlderSchema says that the project must be migrated, which a store
	// that only reads cannot do.
	ErrOlderSchema = file.ErrOlderSchema
)

// Errors of writing. The sentinels of eval, eval/dataset and annotate are
// given where their interfaces say so.
var (
	ErrReadOnly = file.ErrReadOnly
	// ErrGone says that the path does not lead to the file any more that was
	// opened, or that somebody else has written into it.
	ErrGone = file.ErrGone
	// ErrChanged says that facts arrived since something was counted.
	ErrChanged = errors.New("changed meanwhile")
	// ErrFinished says that a queue takes no further items, or a dataset no
	// further samples.
	ErrFinished = errors.New("finished")
)

// Errors of a file that cannot be trusted, and of values that have no record.
var (
	// ErrCorrupt says that a page or a record is damaged.
	ErrCorrupt = record.ErrCorrupt
	// ErrInvalid says that a name or a number cannot be stored.
	ErrInvalid = record.ErrInvalid
)

// DamageError is ErrCorrupt, with what is damaged and what it concerns.
type DamageError = record.DamageError
