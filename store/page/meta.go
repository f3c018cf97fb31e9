package page

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// What bbolt begins a meta page with.
const (
	magic   = 0xED0CDAED
	version = 2
)

// Sizes in bytes.
const (
	headerSize  = 16
	elementSize = 16
	metaSize    = 64
	leastPage   = 1 << 10
	mostPage    = 16 << 20
)

// NoFreelist stands for the page of a freelist that was not written.
const NoFreelist = ^uint64(0)

// Meta is a meta page: the root of everything, as of one commit.
type Meta struct {
	PageSize int
	Root     uint64 // page of the table of tables
	Freelist uint64 // page, or NoFreelist
	Pages    uint64 // how many pages the file has; those behind them are not used
	Commit   uint64 // number of the commit
}

// ErrNoMeta says that neither meta page can be read.
var ErrNoMeta = errors.New("neither meta page can be read")

// ReadMetas gives the newer meta page that is whole, and what is wrong with the
// other one, if anything is: it may have been the newer one.
func ReadMetas(src io.ReaderAt) (newest Meta, other error, err error) {
	first, err0 := readMeta(src, 0, 0)
	if err0 == nil || errors.Is(err0, errHeader) {
		second, err1 := readMeta(src, 1, int64(first.PageSize))
		switch {
		case err1 != nil && !errors.Is(err1, errHeader):
			return first, errors.Join(err0, err1), nil
		case second.Commit > first.Commit:
			return second, errors.Join(err0, err1), nil
		}
		return first, errors.Join(err0, err1), nil
	}
	for size := int64(leastPage); size <= mostPage; size *= 2 {
		second, err1 := readMeta(src, 1, size)
		if (err1 == nil || errors.Is(err1, errHeader)) && int64(second.PageSize) == size {
			return second, errors.Join(err0, err1), nil
		}
	}
	return Meta{}, err0, ErrNoMeta
}

// errHeader is of a meta page whose content is whole.
var errHeader = errors.New("its header is that of another page")

func readMeta(src io.ReaderAt, slot int, at int64) (Meta, error) {
	var b [headerSize + metaSize]byte
	wrong := func(why error) error { return fmt.Errorf("meta page %d: %w", slot, why) }
	if _, err := src.ReadAt(b[:], at); err != nil {
		return Meta{}, wrong(errors.New("the file is cut off"))
	}
	m := b[headerSize:]
	size := binary.NativeEndian.Uint32(m[8:])
	switch {
	case binary.NativeEndian.Uint32(m) != magic, binary.NativeEndian.Uint32(m[4:]) != version:
		return Meta{}, wrong(errors.New("it does not begin as one"))
	case binary.NativeEndian.Uint64(m[56:]) != computeMetaSum(m):
		return Meta{}, wrong(errors.New("its checksum is that of other bytes"))
	case size < leastPage || size > mostPage || size&(size-1) != 0:
		return Meta{}, wrong(fmt.Errorf("pages of %d bytes", size))
	}
	out := Meta{
		PageSize: int(size), Root: binary.NativeEndian.Uint64(m[16:]), Freelist: binary.NativeEndian.Uint64(m[32:]),
		Pages: binary.NativeEndian.Uint64(m[40:]), Commit: binary.NativeEndian.Uint64(m[48:]),
	}
	if h := readHeader(b[:]); h.id != uint64(slot) || h.flags != flagMeta {
		return out, wrong(errHeader)
	}
	return out, nil
}

func computeMetaSum(m []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(m[:56])
	return h.Sum64()
}

// ReadMendedMeta gives the newer meta page even if one bit of it is damaged, which its checksum tells;
// false where another one may have been newer, or none can be read.
func ReadMendedMeta(src io.ReaderAt) (Meta, bool) {
	newest, other, err := ReadMetas(src)
	if err == nil && other == nil {
		return newest, true
	}
	size := int64(newest.PageSize)
	if err != nil {
		size = int64(os.Getpagesize())
	}
	told := newest
	whole := 0
	for slot := range 2 {
		var b [headerSize + metaSize]byte
		if _, err := src.ReadAt(b[:], int64(slot)*size); err != nil {
			continue
		}
		if m, ok := mendFlippedBit(b[:], slot); ok {
			if whole++; told.PageSize == 0 || m.Commit > told.Commit {
				told = m
			}
		}
	}
	return told, whole == 2
}

// mendFlippedBit reads a meta page as it was before a bit of it was damaged, if one was.
func mendFlippedBit(b []byte, slot int) (Meta, bool) {
	read := func() (Meta, bool) {
		m, err := readMeta(bytes.NewReader(b), slot, 0)
		return m, err == nil || errors.Is(err, errHeader)
	}
	if m, ok := read(); ok {
		return m, true
	}
	for bit := range metaSize * 8 {
		b[headerSize+bit/8] ^= 1 << (bit % 8)
		if m, ok := read(); ok {
			return m, true
		}
		b[headerSize+bit/8] ^= 1 << (bit % 8)
	}
	return Meta{}, false
}

// FindCommittedStates finds the states of a file that its pages still hold: one for each page
// that can be a table of tables, the last commit's among them unless that page
// is damaged itself. Without such a page there is one state, whose root is behind
// the end; without any page there is none. What a meta page would say beside the root is not known:
// Commit is 0, and there is no freelist. Size is the length of the file.
func FindCommittedStates(src io.ReaderAt, size int64) []Meta {
	m, ok := detectPageSize(src, size)
	if !ok {
		return nil
	}
	var all []Meta
	for id := uint64(2); id < m.Pages; id++ {
		m.Root = id
		if NewReader(src, m, 1).Root().startsWithTables() {
			all = append(all, m)
		}
	}
	if m.Root = m.Pages; all == nil {
		all = append(all, m)
	}
	return all
}

// detectPageSize finds the size of a file's pages: the one with which most of them begin
// as they should; the system's own of several.
func detectPageSize(src io.ReaderAt, size int64) (Meta, bool) {
	best, most := Meta{}, 0
	for n := leastPage; n <= mostPage; n *= 2 {
		m := Meta{PageSize: n, Freelist: NoFreelist, Pages: uint64(size) / uint64(n)}
		begin := 0
		for id := uint64(2); id < m.Pages; id++ {
			if h, ok := readPageHeader(src, m, id); ok && h.id == id && (h.flags == flagLeaf || h.flags == flagBranch) {
				begin++
			}
		}
		if begin > most || begin == most && n == os.Getpagesize() {
			best, most = m, begin
		}
	}
	return best, most > 0
}

func readPageHeader(src io.ReaderAt, m Meta, id uint64) (header, bool) {
	var b [headerSize]byte
	_, err := src.ReadAt(b[:], int64(id)*int64(m.PageSize))
	return readHeader(b[:]), err == nil
}

// startsWithTables reports whether the first leaf of a tree holds nothing but tables.
func (t Tree) startsWithTables() bool {
	if h, ok := readPageHeader(t.r.src, t.r.meta, t.root); !ok || h.id != t.root || h.flags != flagLeaf && h.flags != flagBranch {
		return false
	}
	tables := false
	t.Ascend(nil, func(l Leaf, err *Error) bool {
		tables = err == nil && l.Len > 0
		for i := 0; tables && i < l.Len; i++ {
			_, err := t.subTree(&l.Page, i)
			tables = err == nil
		}
		return false
	})
	return tables
}

// FindFreelist finds a freelist that fits a state: one that frees no page in use.
func FindFreelist(src io.ReaderAt, m Meta) Meta {
	r := NewReader(src, m, 1)
	s := r.AccountPages(1)
	kinds := bytes.Clone(s.kinds)
	for id := uint64(2); id < m.Pages; id++ {
		if h, ok := readPageHeader(src, m, id); !ok || h.id != id || h.flags != flagFreelist {
			continue
		}
		if _, err := s.readFreelistPage(id); err == nil {
			m.Freelist = id
			return m
		}
		copy(s.kinds, kinds)
	}
	return m
}
