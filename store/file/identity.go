package file

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// A path is not a file: while a process has one open, another program may cut it
// off, remove it, or put another file at its path. What is committed then goes
// nowhere that anybody looks. So each commit is looked at from both sides: before
// it, and once more before it is called done.

// identity is the file that was opened, as it was after the last commit.
type identity struct {
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
func newIdentity(path string, file *os.File, pageSize int) (*identity, error) {
	was, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("look at project file: %w", err)
	}
	i := &identity{path: path, file: file, was: was, size: was.Size(), page: pageSize}
	at, err := os.Stat(path)
	i.named = err == nil && os.SameFile(at, was) // some network file systems number files anew each time
	i.metas, err = i.read()
	return i, err
}

// read gives the two meta pages as they stand in the file.
func (i *identity) read() (metas [2][]byte, err error) {
	for n := range metas {
		metas[n] = make([]byte, metaLength)
		if _, err := i.file.ReadAt(metas[n], int64(n*i.page)); err != nil {
			return metas, fmt.Errorf("%w: %s cannot be read where it begins: %w", ErrGone, i.path, err)
		}
	}
	return metas, nil
}

// check says why what is committed now would not be found at the path, or what
// was committed is no longer there. commit is the number of the one that was just
// made, 0 for none.
func (i *identity) check(commit uint64) error {
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
	metas, err := i.read()
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

// present says why nothing may be written.
func (f *File) present() error {
	switch {
	case f.broken.Load():
		return fmt.Errorf("%w: %s was cut off or damaged while something was written; end this process and look with concord doctor", ErrGone, f.path)
	case f.identity == nil:
		return nil
	}
	return f.identity.check(0)
}

// kept says why a commit that was just made is not at the path.
func (f *File) kept(commit int) error {
	if f.identity == nil {
		return nil
	}
	return f.identity.check(uint64(commit)) //nolint:gosec // it counts from 1
}
