package bound

import (
	"archive/zip"
	"bytes"
	"errors"
	"strings"
	"testing"
)

// An archive of a great many entries is refused before they are held, and one
// that is only long is not.
func TestArchiveOfManyEntries(t *testing.T) {
	archive := func(name string, entries int) *bytes.Reader {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for range entries {
			if _, err := z.CreateRaw(&zip.FileHeader{Name: name}); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return bytes.NewReader(b.Bytes())
	}
	many := archive(strings.Repeat("n", 60_000), 300)
	var over *Error
	if _, err := OpenArchive(many, many.Size()); !errors.As(err, &over) || over.Most != Directories {
		t.Errorf("%v", err)
	}
	few := archive("n", 2000)
	a, err := OpenArchive(few, few.Size())
	if err != nil || len(a.File) != 2000 {
		t.Fatal(err)
	}
	in := &directory{ReaderAt: few, open: true}
	if n, err := in.ReadAt(make([]byte, 10), 0); n != 10 || err != nil {
		t.Errorf("an open archive: %d, %v", n, err)
	}
}
