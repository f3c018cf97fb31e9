package store

import (
	"fmt"
	"log/slog"
	"sync"
	"time"

	"concord/store/column"
	"concord/store/file"
	"concord/store/record"
)

// Options say how a project is opened. The zero value opens it for writing.
type Options = file.Options

// DefaultLockWait is long enough for a process that is just closing.
const DefaultLockWait = file.DefaultLockWait

// Exists reports whether there is a file at path.
func Exists(path string) bool { return file.Exists(path) }

// Store is an open project. Its methods, and those of its handles, may be
// called from several goroutines.
type Store struct {
	file  *file.File
	codec record.Codec
	now   func() time.Time
	log   *slog.Logger

	columns column.Folder // of what is derived from the project
	samples sampleColumns

	creating sync.Mutex // queues are created in several transactions
}

// Schema is the schema number of projects that this program writes.
func Schema() int { return 1 + len(migrations()) }

// Open opens the project at path, and creates it, readable for its owner
// only, when there is none and it may write. It gives ErrLocked soon when
// the file is held elsewhere, and ErrNotProject, ErrNewerSchema,
// ErrOlderSchema or ErrCorrupt for a file that it leaves as it is.
func Open(path string, o Options) (*Store, error) {
	s, err := open(path, o, migrations())
	if err != nil {
		return nil, fmt.Errorf("open project %s: %w", path, err)
	}
	return s, nil
}

func open(path string, o Options, steps []file.Migration) (*Store, error) {
	codec, err := record.NewCodec()
	if err != nil {
		return nil, err
	}
	f, err := file.Open(path, o, steps)
	if err != nil {
		return nil, err
	}
	s := &Store{file: f, codec: codec, now: o.Now, log: o.Logger, columns: column.FolderOf(o.Cache, path)}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s, nil
}

// Older reports whether the project is of an earlier schema, and read as it is.
func (s *Store) Older() bool { return s.file.Schema() < 1+len(migrations()) }

// Path is the file, as Open was given it.
func (s *Store) Path() string { return s.file.Path() }

// Close takes no further writes, commits those that wait, and closes the
// file. Reads under way finish first; scans end with ErrClosed.
func (s *Store) Close() error { return s.file.Close() }
