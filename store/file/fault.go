package file

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"concord/store/record"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// caught runs fn and turns panics into ErrCorrupt. A damaged page makes bbolt
// panic in every way there is (assertions, slices out of bounds, addresses
// behind the end of the file); no such panic may take down a process that
// holds unsaved acts, and fn is short code of this package alone.
func caught(fn func() error) (err error) {
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

// explain puts the sentinel of this package before an error of bbolt or the
// system that has one.
func explain(err error) error {
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
func (f *File) View(fn func(*Tx) error) error { return f.view(1, fn) }

func (f *File) view(ahead int, fn func(*Tx) error) error {
	return explain(caught(func() error {
		var began *bbolt.Tx
		defer func() {
			if p := recover(); p != nil {
				release(f.db, began, false)
				panic(p)
			}
		}()
		return f.db.View(func(tx *bbolt.Tx) error {
			began = tx
			return fn(f.begin(tx, ahead))
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
