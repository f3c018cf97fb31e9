package bound

import (
	"archive/zip"
	"fmt"
	"io"
	"sync/atomic"
)

// Archive is a zip that unpacks to no more than its budget: whatever it says
// of the sizes of its entries, what comes out of them is counted.
type Archive struct {
	*zip.Reader
	most int64
	out  atomic.Int64
}

// OpenArchive reads the directory of a zip of so many bytes. One over its
// budget is an [*Error]: entries are held in memory, and many may share their
// bytes.
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

// Again forgets what was unpacked, for another reading.
func (a *Archive) Again() { a.out.Store(0) }

// Open opens an entry. Reading it gives an [*Error] where all that was unpacked
// so far is over the budget.
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
