package bound

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// ErrNotRegular says that a path is no regular file: reading a pipe or a
// device may wait for ever.
var ErrNotRegular = errors.New("not a regular file")

// ErrOutside says that a name leads out of its folder.
var ErrOutside = errors.New("it leads out of the folder")

// OpenFile opens a regular file to read. It never waits: a pipe, a device or a
// socket gives [ErrNotRegular], and so does a folder.
func OpenFile(path string) (*os.File, error) {
	return regular(path, os.Stat, func(path string) (*os.File, error) {
		return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	})
}

// regular looks before it opens, since opening a device can do something, and
// once more behind, since the file may be another one by then.
func regular(path string, stat func(string) (fs.FileInfo, error), open func(string) (*os.File, error)) (*os.File, error) {
	info, err := stat(path)
	var p *fs.PathError
	if errors.As(err, &p) {
		p.Op = "open" // as who opens it expects
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, notRegular(path, info.Mode())
	}
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if !info.Mode().IsRegular() {
		return nil, errors.Join(notRegular(path, info.Mode()), f.Close())
	}
	return f, nil
}

func notRegular(path string, m fs.FileMode) error {
	kind := "it is no file"
	switch {
	case m.IsDir():
		kind = "it is a folder"
	case m&fs.ModeNamedPipe != 0:
		kind = "it is a pipe: save what it gives in a file first"
	case m&fs.ModeSocket != 0:
		kind = "it is a socket"
	case m&fs.ModeDevice != 0:
		kind = "it is a device"
	}
	return &fs.PathError{Op: "open", Path: path, Err: &kindError{kind}}
}

// kindError is ErrNotRegular in more words.
type kindError struct{ kind string }

func (e *kindError) Error() string { return e.kind }

func (e *kindError) Is(target error) bool { return target == ErrNotRegular }

// Directory is a folder whose files are opened by names within it. Names and
// links that lead out of it are refused.
type Directory struct {
	path string
	root *os.Root
}

// OpenFolder opens a folder. The path itself may be a link.
func OpenFolder(path string) (*Directory, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Directory{path: path, root: root}, nil
}

// Close closes the folder. Files that were opened in it stay open.
func (d *Directory) Close() error { return d.root.Close() }

// Open opens a regular file by its name within the folder, with slashes.
func (d *Directory) Open(name string) (*os.File, error) {
	f, err := regular(local(name), d.root.Stat, func(name string) (*os.File, error) {
		return d.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	})
	return f, outside(err)
}

// Has reports whether there is a regular file of that name. What leads out of
// the folder is there, and Open refuses it.
func (d *Directory) Has(name string) bool {
	info, err := d.root.Stat(local(name))
	return err == nil && info.Mode().IsRegular() || errors.Is(outside(err), ErrOutside)
}

// List is the folder's entries within name, sorted; "." is the folder itself.
func (d *Directory) List(name string) (entries []fs.DirEntry, err error) {
	f, err := d.root.Open(local(name))
	if err != nil {
		return nil, outside(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if entries, err = f.ReadDir(Folder + 1); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(entries) > Folder {
		return nil, fmt.Errorf("list %s: %w", filepath.Join(d.path, name), &Error{What: "the folder", Most: Folder, Unit: "entries"})
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

func local(name string) string { return filepath.FromSlash(name) }

// outside tells the refusal of os.Root from other errors. It has no exported
// error for it.
func outside(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) && p.Err.Error() == "path escapes from parent" {
		return fmt.Errorf("open %s: %w", p.Path, ErrOutside)
	}
	return err
}
