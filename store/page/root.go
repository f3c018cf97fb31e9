package page

import (
	"bytes"
	"io"
	"os"
)

// Roots are the states of a file that its pages still hold: one for each page
// that can be a table of tables, the last commit's among them unless that page
// is damaged itself. Without such a page there is one state, whose root is behind
// the end; without any page there is none. What a meta page would say beside the root is not known:
// Commit is 0, and there is no freelist. Size is the length of the file.
func Roots(src io.ReaderAt, size int64) []Meta {
	m, ok := shape(src, size)
	if !ok {
		return nil
	}
	var all []Meta
	for id := uint64(2); id < m.Pages; id++ {
		m.Root = id
		if NewReader(src, m, 1).Root().ofTables() {
			all = append(all, m)
		}
	}
	if m.Root = m.Pages; all == nil {
		all = append(all, m)
	}
	return all
}

// shape finds the size of a file's pages: the one with which most of them begin
// as they should; the system's own of several.
func shape(src io.ReaderAt, size int64) (Meta, bool) {
	best, most := Meta{}, 0
	for n := leastPage; n <= mostPage; n *= 2 {
		m := Meta{PageSize: n, Freelist: NoFreelist, Pages: uint64(size) / uint64(n)}
		begin := 0
		for id := uint64(2); id < m.Pages; id++ {
			if h, ok := headerAt(src, m, id); ok && h.id == id && (h.flags == flagLeaf || h.flags == flagBranch) {
				begin++
			}
		}
		if begin > most || begin == most && n == os.Getpagesize() {
			best, most = m, begin
		}
	}
	return best, most > 0
}

func headerAt(src io.ReaderAt, m Meta, id uint64) (header, bool) {
	var b [headerSize]byte
	_, err := src.ReadAt(b[:], int64(id)*int64(m.PageSize))
	return readHeader(b[:]), err == nil
}

// ofTables reports whether the first leaf of a tree holds nothing but tables.
func (t Tree) ofTables() bool {
	if h, ok := headerAt(t.r.src, t.r.meta, t.root); !ok || h.id != t.root || h.flags != flagLeaf && h.flags != flagBranch {
		return false
	}
	tables := false
	t.Ascend(nil, func(l Leaf, err *Error) bool {
		tables = err == nil && l.Len > 0
		for i := 0; tables && i < l.Len; i++ {
			_, err := t.sub(&l.Page, i)
			tables = err == nil
		}
		return false
	})
	return tables
}

// Free finds a freelist that fits a state: one that frees no page in use.
func Free(src io.ReaderAt, m Meta) Meta {
	r := NewReader(src, m, 1)
	s := r.Account(1)
	kinds := bytes.Clone(s.kinds)
	for id := uint64(2); id < m.Pages; id++ {
		if h, ok := headerAt(src, m, id); !ok || h.id != id || h.flags != flagFreelist {
			continue
		}
		if _, err := s.freelist(id); err == nil {
			m.Freelist = id
			return m
		}
		copy(s.kinds, kinds)
	}
	return m
}
