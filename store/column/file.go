package column

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// format is raised when columns of before would be read as something else.
const format = 2

// Folder keeps columns of one project, each in a file of its own. The zero value
// keeps none.
type Folder struct{ path string }

// FolderOf is the folder, within one of the user's, for the project at path.
func FolderOf(within, path string) Folder {
	if within == "" {
		return Folder{}
	}
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	return Folder{filepath.Join(within, "columns", fileName(path))}
}

func fileName(of string) string {
	sum := sha256.Sum256([]byte(of))
	return hex.EncodeToString(sum[:8])
}

// columnHeader says of which records columns are.
type columnHeader struct {
	Format int
	Of     string // what they are, and of which records
}

// Load reads columns into a pointer. It gives false where there are none that are
// of just these records.
func (f Folder) Load(what, of string, into any) bool {
	if f.path == "" {
		return false
	}
	raw, err := os.ReadFile(filepath.Join(f.path, fileName(what)))
	if err != nil || len(raw) < sha256.Size || sha256.Sum256(raw[sha256.Size:]) != [sha256.Size]byte(raw) {
		return false
	}
	d := gob.NewDecoder(bytes.NewReader(raw[sha256.Size:]))
	var h columnHeader
	return d.Decode(&h) == nil && h == columnHeader{format, what + "\n" + of} && d.Decode(into) == nil
}

// Save keeps columns in the place of those of before.
func (f Folder) Save(what, of string, columns any) error {
	if f.path == "" {
		return nil
	}
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return err
	}
	out, err := os.CreateTemp(f.path, "part")
	if err != nil {
		return err
	}
	sum := sha256.New()
	e := gob.NewEncoder(io.MultiWriter(out, sum))
	_, err = out.Write(make([]byte, sha256.Size)) // the place of the sum
	err = errors.Join(err, e.Encode(columnHeader{format, what + "\n" + of}), e.Encode(columns))
	if err == nil {
		_, err = out.WriteAt(sum.Sum(nil), 0)
	}
	if err = errors.Join(err, out.Close()); err == nil {
		err = os.Rename(out.Name(), filepath.Join(f.path, fileName(what)))
	}
	if err != nil {
		return fmt.Errorf("write columns: %w", errors.Join(err, os.Remove(out.Name())))
	}
	return nil
}
