package file

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"unsafe"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"concord/store/record"
)

// A path is not a file: while a process has one open, another program may cut it off, remove it, or put
// another file at its path. What is committed then goes nowhere that anybody looks. So each commit is
// looked at from both sides: before it, and once more before it is called done.

// fileIdentity is the file that was opened, as it was after the last commit.
type fileIdentity struct {
	path  string
	file  *os.File // bbolt's own; read here, never written
	was   os.FileInfo
	named bool // the path leads to it, as far as this file system can tell
	size  int64
	page  int // in bytes; bbolt, asked for it, touches a page that may not be there
	metas [2][]byte
}

// Where the bytes of a meta page stand that say which commit was the last.
const (
	metaLength = 80 // its header, the meta itself and its checksum
	metaCommit = 64 // of the number of the commit, little-endian
)

// newIdentity notes what was opened.
func newIdentity(path string, file *os.File, pageSize int) (*fileIdentity, error) {
	was, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("look at project file: %w", err)
	}
	i := &fileIdentity{path: path, file: file, was: was, size: was.Size(), page: pageSize}
	at, err := os.Stat(path)
	i.named = err == nil && os.SameFile(at, was) // some network file systems number files anew each time
	i.metas, err = i.readMetas()
	return i, err
}

// readMetas gives the two meta pages as they stand in the file.
func (i *fileIdentity) readMetas() (metas [2][]byte, err error) {
	for n := range metas {
		metas[n] = make([]byte, metaLength)
		if _, err := i.file.ReadAt(metas[n], int64(n*i.page)); err != nil {
			return metas, fmt.Errorf("%w: %s cannot be read where it begins: %w", ErrGone, i.path, err)
		}
	}
	return metas, nil
}

// checkUnchanged says why what is committed now would not be found at the path, or what was
// committed is no longer there. commit is the number of the one that was just made, 0 for none.
func (i *fileIdentity) checkUnchanged(commit uint64) error {
	at, err := os.Stat(i.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: %s has been removed or renamed", ErrGone, i.path)
	case err != nil:
		return fmt.Errorf("%w: %w", ErrGone, err)
	case i.named && !os.SameFile(at, i.was):
		return fmt.Errorf("%w: another program has put another file at %s", ErrGone, i.path)
	case at.Size() < i.size:
		return fmt.Errorf("%w: %s has been cut off, to %d bytes of %d", ErrGone, i.path, at.Size(), i.size)
	}
	metas, err := i.readMetas()
	if err != nil {
		return err
	}
	own := int(commit % 2) // commits take turns on the two pages
	for n := range metas {
		if commit != 0 && n == own {
			if binary.LittleEndian.Uint64(metas[n][metaCommit:]) == commit {
				continue
			}
		} else if bytes.Equal(metas[n], i.metas[n]) {
			continue
		}
		return fmt.Errorf("%w: another program has written into %s", ErrGone, i.path)
	}
	i.size, i.metas = at.Size(), metas
	return nil
}

// checkWritable says why nothing may be written.
func (f *File) checkWritable() error {
	switch {
	case f.broken.Load():
		return fmt.Errorf("%w: %s was cut off or damaged while something was written; end this process and look with concord doctor", ErrGone, f.path)
	case f.identity == nil:
		return nil
	}
	return f.identity.checkUnchanged(0)
}

// Errors of OpenFile.
var (
	// ErrLocked says that another process, or another File of this one, holds the file.
	ErrLocked = errors.New("project is open elsewhere")
	// ErrNotProject says that the file is something else.
	ErrNotProject = errors.New("not a concord project")
	// ErrNewerSchema says that a newer concord wrote the project.
	ErrNewerSchema = errors.New("project was written by a newer concord")
	// ErrOlderSchema says that the project must be migrated, which a file that is only read cannot be.
	ErrOlderSchema = errors.New("project is of an older concord: open it for writing once")
)

// Errors of a file that is open.
var (
	ErrClosed   = errors.New("project is closed")
	ErrReadOnly = errors.New("project is open read-only")
	// ErrFull says that the disk, a quota or a limit leaves no room. What was committed before is safe.
	ErrFull = errors.New("no room to write the project")
	// ErrGone says that the path does not lead to the file any more that was opened, or that
	// somebody else has written into it: what would be committed now, nobody would find.
	ErrGone = errors.New("the project's file is no longer the one that was opened")
)

// recoverPanic runs fn and turns panics into ErrCorrupt. A damaged page makes bbolt panic in every way
// there is (assertions, slices out of bounds, addresses behind the end of the file); no such panic may
// take down a process that holds unsaved acts, and fn is short code of this package alone.
func recoverPanic(fn func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(before)
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *record.DamageError:
			err = r
		case runtime.Error: // where it got lost says nothing to anybody
			err = fmt.Errorf("%w: the file is cut off, or a page of it damaged", record.ErrCorrupt)
		default:
			err = fmt.Errorf("%w: %v", record.ErrCorrupt, r)
		}
	}()
	return fn()
}

// explainError puts the sentinel of this package before an error of bbolt or the system that has one.
func explainError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, berrors.ErrTimeout):
		return ErrLocked
	case errors.Is(err, berrors.ErrDatabaseNotOpen):
		return ErrClosed
	case errors.Is(err, berrors.ErrDatabaseReadOnly):
		return ErrReadOnly
	case errors.Is(err, berrors.ErrInvalid):
		return ErrNotProject
	case strings.HasPrefix(err.Error(), "file size too small"): // bbolt has no sentinel for it
		return fmt.Errorf("%w: %w", record.ErrCorrupt, err)
	case errors.Is(err, berrors.ErrChecksum), errors.Is(err, berrors.ErrVersionMismatch):
		return fmt.Errorf("%w: %w", record.ErrCorrupt, err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG),
		errors.Is(err, berrors.ErrMaxSizeReached),
		strings.HasPrefix(err.Error(), "file resize error"): // bbolt drops the cause of this one
		return fmt.Errorf("%w: %w", ErrFull, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("no permission to write or read the project: %w", err)
	}
	return err
}

// View runs fn in a read transaction. Bytes that fn takes out must be copies.
func (f *File) View(fn func(*Tx) error) error { return f.readView(1, fn) }

func (f *File) readView(ahead int, fn func(*Tx) error) error {
	return explainError(recoverPanic(func() error {
		var began *bbolt.Tx
		defer func() {
			if p := recover(); p != nil {
				releaseTransactionLocks(f.db, began, false)
				panic(p)
			}
		}()
		return f.db.View(func(tx *bbolt.Tx) error {
			began = tx
			return fn(f.newTx(tx, ahead))
		})
	}))
}

// Get copies the value of key in t; nil when there is none.
func (f *File) Get(t record.Table, key []byte) (raw []byte, err error) {
	err = f.View(func(tx *Tx) error {
		raw = Clone(tx.Table(t).Get(key))
		return nil
	})
	return raw, err
}

// Clone copies b and keeps apart what is empty from what is not there.
func Clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append(make([]byte, 0, len(b)), b...)
}

// bbolt takes its locks before it looks at the file's pages, and a fault there
// (the file was cut off) leaves by a panic with the locks held: whoever comes next,
// and Close, would wait for ever. bbolt v1.5.0, db.go: beginTx has metalock and
// mmaplock, beginRWTx has rwlock, and so has a transaction whose rollback fails.

// releaseTransactionLocks gives the locks back that a transaction left held which began with a
// panic or ended with one. tx is nil when it never began. It reports whether what
// bbolt knows of the file can still be relied on for writing.
func releaseTransactionLocks(db *bbolt.DB, tx *bbolt.Tx, writing bool) (sound bool) {
	switch {
	case tx != nil && tx.DB() == nil: // rolled back in good order
		return true
	case writing:
		boltLock[sync.Mutex](db, "rwlock").Unlock()
		return false
	case tx == nil:
		boltLock[sync.RWMutex](db, "mmaplock").RUnlock()
		boltLock[sync.Mutex](db, "metalock").Unlock()
	}
	return true
}

// boltLock is a lock of bbolt's own, by its name. TestLocksOfBbolt fails when an
// update of bbolt renames one.
func boltLock[L any](db *bbolt.DB, name string) *L {
	return (*L)(unsafe.Pointer(reflect.ValueOf(db).Elem().FieldByName(name).UnsafeAddr())) //nolint:gosec // there is no other way to it
}
