// Package store keeps a project in one bbolt file: datasets with their
// pictures, runs with their predictions, what judges and people said.
//
//	Record, PutSamples, Append ... --record--> file.Do   (one writer)
//	Item, Questions, Samples   ... <--record-- file.Scan (in chunks)
//
// It hands out one handle per concern, and each implements what eval, eval/dataset and annotate
// declare. It draws no sample and computes no rate. The counts that it keeps are those that a
// first frame needs, changed in the transaction of the fact that changes them. What rules read
// of a run is kept in columns outside the project, which may be dropped at any time.
//
// Keys are big-endian (run 8 bytes, sample ordinal 4, pass 1), so that what a
// screen shows is one range. What bytes they and the records have is package
// record's business; locking, writing and migrating is package file's.
//
// Its one invariant: a call that returned nil is on the disk.
package store

import (
	"cmp"
	"errors"
	"log/slog"
	"sync"
	"time"

	"concord/eval"
	"concord/store/column"
	"concord/store/file"
	"concord/store/record"
)

// Options say how a project is opened. The zero value opens it for writing.
type Options = file.Options

// Exists reports whether there is a file at path.
func Exists(path string) bool { return file.Exists(path) }

// Store is an open project. Its methods, and those of its handles, may be called from several goroutines.
type Store struct {
	file  *file.File
	codec record.Codec
	now   func() time.Time
	log   *slog.Logger

	columns column.Folder // of what is derived from the project
	samples sampleColumns

	creating sync.Mutex // queues are created in several transactions
}

func openWith(path string, o Options, steps []file.Migration) (*Store, error) {
	codec, err := record.NewCodec()
	if err != nil {
		return nil, err
	}
	f, err := file.Open(path, o, steps)
	if err != nil {
		return nil, err
	}
	return &Store{
		file: f, codec: codec, now: eval.Either(o.Now != nil, o.Now, time.Now), log: cmp.Or(o.Logger, slog.New(slog.DiscardHandler)),
		columns: column.ColumnsFolder(o.Cache, path),
	}, nil
}

// Path is the file, as Open was given it.
func (s *Store) Path() string { return s.file.Path() }

// Close takes no further writes, commits those that wait, and closes the
// file. Reads under way finish first; scans end with ErrClosed.
func (s *Store) Close() error { return s.file.Close() }

// Errors of Open.
var (
	// ErrLocked says that another process, or another Store of this one, holds the file.
	ErrLocked = file.ErrLocked
	// ErrNotProject says that the file is something else.
	ErrNotProject = file.ErrNotProject
	// ErrNewerSchema says that a newer concord wrote the project.
	ErrNewerSchema = file.ErrNewerSchema
	// ErrOlderSchema says that the project must be migrated, which a store that only reads cannot do.
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
	// ErrFinished says that a queue takes no further items, or a dataset no further samples.
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
