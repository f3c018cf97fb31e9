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

// OpenArchive reads the directory of a zip of so many bytes.
func OpenArchive(at io.ReaderAt, size int64) (*Archive, error) {
	z, err := zip.NewReader(at, size)
	if err != nil {
		return nil, err
	}
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
