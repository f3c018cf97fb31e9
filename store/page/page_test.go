package page

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"
)

// small is a file with a table of several levels, one that stands within the
// table of tables, and long values, whose pages were freed and used again.
func small(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.db")
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{PageSize: 1024, NoSync: true})
	must(t, err)
	for round := range 3 {
		must(t, db.Update(func(tx *bbolt.Tx) error {
			for _, name := range []string{"deep", "little", "long"} {
				b, err := tx.CreateBucketIfNotExists([]byte(name))
				must(t, err)
				for i := range map[string]int{"deep": 120, "little": 3, "long": 4}[name] {
					size := map[string]int{"deep": 8, "little": 5, "long": 900 * (i + 1)}[name]
					must(t, b.Put(fmt.Appendf(nil, "%s %04d %d", name, i*7%120, i/40), bytes.Repeat([]byte{byte(i + round)}, size)))
				}
			}
			return nil
		}))
	}
	must(t, db.Close())
	raw, err := os.ReadFile(path)
	must(t, err)
	return raw
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// read gives all records, or what is wrong with the file.
func read(raw []byte) (records map[string]string, wrong error) {
	src := bytes.NewReader(raw)
	m, other, err := ReadMetas(src)
	if err != nil || other != nil {
		return nil, fmt.Errorf("%w, %w", err, other)
	}
	r := NewReader(src, m, 1)
	s := r.AccountPages(0)
	if len(s.Findings) > 0 {
		return nil, s.Findings[0].Error
	}
	records = make(map[string]string)
	for _, table := range s.Tables {
		table.Ascend(nil, func(l Leaf, err *Error) bool {
			if err != nil {
				wrong = err
				return false
			}
			for i := range l.Len {
				k := string(l.Key(i))
				records[string(table.Name)+"/"+k] = string(l.Value(i))
			}
			return true
		})
	}
	return records, wrong
}

// A bit of a meta page, a header or an element either matters to nothing or is
// missed when it is flipped, but for where the last value of a page ends: that is
// its record's to tell.
func TestLayoutTellsEveryFlip(t *testing.T) {
	raw := small(t)
	want, err := read(raw)
	must(t, err)
	if len(want) != 127 {
		t.Fatalf("%d records", len(want))
	}
	m, _, err := ReadMetas(bytes.NewReader(raw))
	must(t, err)
	found := 0
	for id := range m.Pages {
		at := int(id) * m.PageSize
		h := readHeader(raw[at:])
		end := headerSize + metaSize
		if id > 1 {
			end = headerSize + int(h.count)*elementSize
		}
		for i := at; i < at+min(end, m.PageSize); i += 5 + i%11 {
			for bit := range 8 {
				raw[i] ^= 1 << bit
				got, err := read(raw)
				if err != nil {
					found++
				} else if others(got, want) > 1 || len(got) != len(want) {
					t.Errorf("page %d, byte %d, bit %d: %d records, and %d before", id, i-at, bit, len(got), len(want))
				}
				raw[i] ^= 1 << bit
			}
		}
	}
	if found == 0 {
		t.Error("nothing was found")
	}
}

// others is how many records differ.
func others(got, want map[string]string) (n int) {
	for k, v := range want {
		if have, ok := got[k]; !ok || have != v {
			n++
		}
	}
	return n
}

// The freelist is told apart from what is in use.
func TestFreelistIsHeld(t *testing.T) {
	raw := small(t)
	m, _, err := ReadMetas(bytes.NewReader(raw))
	must(t, err)
	survey := func() *Error { return NewReader(bytes.NewReader(raw), m, 1).AccountPages(0).Freelist }
	if err := survey(); err != nil {
		t.Fatal(err)
	}
	at := int(m.Freelist)*m.PageSize + headerSize
	free := binary.NativeEndian.Uint64(raw[at:])
	for _, id := range []uint64{0, m.Root, m.Freelist, m.Pages, 1 << 60} {
		binary.NativeEndian.PutUint64(raw[at:], id)
		if survey() == nil {
			t.Errorf("page %d may be on the freelist", id)
		}
	}
	binary.NativeEndian.PutUint64(raw[at:], free)
	raw[int(m.Freelist)*m.PageSize+10] ^= 0xff // how many there are
	if survey() == nil {
		t.Error("the freelist may have any length")
	}
}

// A look-up that a branch leads astray does not say that there is nothing.
func TestAstray(t *testing.T) {
	raw := small(t)
	m, _, err := ReadMetas(bytes.NewReader(raw))
	must(t, err)
	r := NewReader(bytes.NewReader(raw), m, 1)
	deep, ok, perr := r.Root().Table([]byte("deep"))
	if !ok || perr != nil {
		t.Fatal(ok, perr)
	}
	root, perr := r.ReadPage(deep.root)
	if perr != nil || root.Leaf || root.Len < 2 {
		t.Fatalf("%+v, %v", root, perr)
	}
	key := bytes.Clone(root.Key(1))
	from, _, _ := root.elementSpan(1)
	raw[int(root.ID)*m.PageSize+from+len(key)-1]++ // its last byte: behind its first record now
	r = NewReader(bytes.NewReader(raw), m, 1)
	if deep, _, perr = r.Root().Table([]byte("deep")); perr != nil {
		t.Fatal(perr)
	}
	if _, _, found, perr := deep.Find(key); found || perr == nil {
		t.Errorf("%q: found %v, %v", key, found, perr)
	}
}

// One flipped bit of the newer meta page is mended.
func TestMended(t *testing.T) {
	raw := small(t)
	m, _, err := ReadMetas(bytes.NewReader(raw))
	must(t, err)
	at := int(m.Commit%2)*m.PageSize + headerSize
	for _, i := range []int{0, 17, 33, 48, 56} {
		raw[at+i] ^= 4
		if older, other, err := ReadMetas(bytes.NewReader(raw)); err != nil || other == nil || older.Commit != m.Commit-1 {
			t.Errorf("byte %d: %+v, %v, %v", i, older, other, err)
		}
		if got, ok := ReadMendedMeta(bytes.NewReader(raw)); !ok || got != m {
			t.Errorf("byte %d: %+v, %v", i, got, ok)
		}
		raw[at+i] ^= 4
	}
}
