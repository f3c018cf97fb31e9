package bound

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
)

// FailAboveLimit reads what is no longer than so many bytes. Unlike io.LimitReader it
// does not pass the rest off as the end: the byte too many is an [*Error].
func FailAboveLimit(in io.Reader, what string, most int64) io.Reader {
	return &reader{in: in, what: what, most: most, left: most}
}

type reader struct {
	in         io.Reader
	what       string
	most, left int64
}

func (r *reader) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	if r.left < 0 {
		return 0, &Error{What: r.what, Most: r.most}
	}
	n, err := r.in.Read(b[:min(int64(len(b)), r.left+1)])
	if r.left -= int64(n); r.left < 0 {
		return n - 1, &Error{What: r.what, Most: r.most}
	}
	return n, err
}

// ReadAll reads the whole of what is no longer than so many bytes.
func ReadAll(in io.Reader, what string, most int64) ([]byte, error) {
	return io.ReadAll(FailAboveLimit(in, what, most)) // with an error, what came before it
}

// ReadFile reads a regular file that is no longer than so many bytes.
func ReadFile(path string, most int64) (text []byte, err error) {
	f, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if text, err = ReadAll(f, "the file", most); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return text, nil
}

// Error says that something is over its budget.
type Error struct {
	What  string // "a cell", "the reply"
	Most  int64
	Unit  string // what Most counts; "": bytes
	Found int64  // how much there is; 0: only that it is more
}

// Error is the message, with the budget and what was found.
func (e *Error) Error() string {
	if e.Found > 0 {
		return fmt.Sprintf("%s: %s, over the limit of %s", e.What, formatBytes(e.Found, e.Unit), formatBytes(e.Most, e.Unit))
	}
	return fmt.Sprintf("%s is over the limit of %s", e.What, formatBytes(e.Most, e.Unit))
}

// formatBytes writes bytes in the largest unit that leaves a whole number.
func formatBytes(n int64, unit string) string {
	if unit != "" {
		return fmt.Sprintf("%d %s", n, unit)
	}
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GB"}, {1 << 20, "MB"}, {1 << 10, "KB"}} {
		if n >= u.size {
			return fmt.Sprintf("%d %s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// CheckSize refuses what is over a budget in bytes.
func CheckSize(what string, found, most int64) error {
	if found > most {
		return &Error{What: what, Most: most, Found: found}
	}
	return nil
}

// Archive is a zip that unpacks to no more than its budget: whatever it says
// of the sizes of its entries, what comes out of them is counted.
type Archive struct {
	*zip.Reader
	most int64
	out  atomic.Int64
}

// OpenArchive reads the directory of a zip of so many bytes. One over its budget is an
// [*Error]: entries are held in memory, and many may share their bytes.
func OpenArchive(at io.ReaderAt, size int64) (*Archive, error) {
	in := &directory{ReaderAt: at, left: Directories}
	z, err := zip.NewReader(in, size)
	if in.left < 0 {
		return nil, &Error{What: "the list of the archive's entries", Most: Directories}
	}
	if err != nil {
		return nil, err
	}
	in.open = true
	return &Archive{Reader: z, most: min(Unpacked, UnpackedFree+Ratio*size)}, nil
}

// Open opens an entry. Reading it gives an [*Error] where all that was unpacked so far is over the budget.
func (a *Archive) Open(f *zip.File) (io.ReadCloser, error) {
	in, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", f.Name, err)
	}
	return &entry{ReadCloser: in, of: a}, nil
}

// directory is an archive of which so many bytes may be read until it is open.
type directory struct {
	io.ReaderAt
	left int64
	open bool
}

func (d *directory) ReadAt(b []byte, at int64) (int, error) {
	if !d.open {
		if d.left -= int64(len(b)); d.left < 0 {
			return 0, io.ErrUnexpectedEOF
		}
	}
	return d.ReaderAt.ReadAt(b, at)
}

type entry struct {
	io.ReadCloser
	of *Archive
}

func (e *entry) Read(b []byte) (int, error) {
	n, err := e.ReadCloser.Read(b)
	if e.of.out.Add(int64(n)) > e.of.most {
		return 0, &Error{What: "what the file unpacks to", Most: e.of.most}
	}
	return n, err
}

// ErrNotRegular says that a path is no regular file: reading a pipe or a device may wait for ever.
var ErrNotRegular = errors.New("not a regular file")

// ErrOutside says that a name leads out of its folder.
var ErrOutside = errors.New("it leads out of the folder")

// OpenRegular opens a regular file to read. It never waits: a pipe, a device or a
// socket gives [ErrNotRegular], and so does a folder.
func OpenRegular(path string) (*os.File, error) {
	return openRegularFile(path, os.Stat, func(path string) (*os.File, error) {
		return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	})
}

// openRegularFile looks before it opens, since opening a device can do something, and
// once more behind, since the file may be another one by then.
func openRegularFile(path string, stat func(string) (fs.FileInfo, error), open func(string) (*os.File, error)) (*os.File, error) {
	info, err := stat(path)
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		p.Op = "open" // as who opens it expects
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, newNotRegularError(path, info.Mode())
	}
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if !info.Mode().IsRegular() {
		return nil, errors.Join(newNotRegularError(path, info.Mode()), f.Close())
	}
	return f, nil
}

func newNotRegularError(path string, m fs.FileMode) error {
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

// Directory is a folder whose files are opened by names within it. What leads out of it is refused.
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
	f, err := openRegularFile(toLocalPath(name), d.root.Stat, func(name string) (*os.File, error) {
		return d.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	})
	return f, wrapOutsidePathError(err)
}

// HasFile reports whether there is a regular file of that name. What leads out of
// the folder is there, and Open refuses it.
func (d *Directory) HasFile(name string) bool {
	info, err := d.root.Stat(toLocalPath(name))
	return err == nil && info.Mode().IsRegular() || errors.Is(wrapOutsidePathError(err), ErrOutside)
}

// ReadDir reads the folder's entries within name, sorted; "." is the folder itself.
func (d *Directory) ReadDir(name string) (entries []fs.DirEntry, err error) {
	f, err := d.root.Open(toLocalPath(name))
	if err != nil {
		return nil, wrapOutsidePathError(err)
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

func toLocalPath(name string) string { return filepath.FromSlash(name) }

// wrapOutsidePathError tells the refusal of os.Root from other errors. It has no exported error for it.
func wrapOutsidePathError(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok && p.Err.Error() == "path escapes from parent" {
		return fmt.Errorf("open %s: %w", p.Path, ErrOutside)
	}
	return err
}
