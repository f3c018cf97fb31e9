package page

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// The kinds of pages, as bbolt numbers them.
const (
	flagBranch   = 0x01
	flagLeaf     = 0x02
	flagMeta     = 0x04
	flagFreelist = 0x10
)

// Error says what is wrong with a page. Low and High bound the keys that it
// held, of a tree; nil where nothing does.
type Error struct {
	Page      uint64
	Why       string
	Low, High []byte
}

func (e *Error) Error() string { return fmt.Sprintf("page %d: %s", e.Page, e.Why) }

type header struct {
	id           uint64
	flags, count uint16
	overflow     uint32
}

func readHeader(b []byte) header {
	return header{
		id: binary.NativeEndian.Uint64(b), flags: binary.NativeEndian.Uint16(b[8:]),
		count: binary.NativeEndian.Uint16(b[10:]), overflow: binary.NativeEndian.Uint32(b[12:]),
	}
}

// Page is a page of a tree whose layout was checked.
type Page struct {
	ID    uint64
	Leaf  bool
	Len   int // how many elements it has
	Pages int // how many pages it takes; 0 for one within another
	data  []byte
}

func (p *Page) elementAt(i int) []byte { return p.data[headerSize+i*elementSize:][:elementSize] }

// elementSpan is where the data of an element is, from its position on.
func (p *Page) elementSpan(i int) (from, key, end int) {
	e, at := p.elementAt(i), headerSize+i*elementSize
	if p.Leaf {
		from = at + int(binary.NativeEndian.Uint32(e[4:]))
		key = from + int(binary.NativeEndian.Uint32(e[8:]))
		return from, key, key + int(binary.NativeEndian.Uint32(e[12:]))
	}
	from = at + int(binary.NativeEndian.Uint32(e))
	key = from + int(binary.NativeEndian.Uint32(e[4:]))
	return from, key, key
}

// Key is the key of element i.
func (p *Page) Key(i int) []byte { from, key, _ := p.elementSpan(i); return p.data[from:key:key] }

// Value is the value of element i of a leaf.
func (p *Page) Value(i int) []byte { _, key, end := p.elementSpan(i); return p.data[key:end:end] }

// IsTable reports whether element i of a leaf holds a tree.
func (p *Page) IsTable(i int) bool { return binary.NativeEndian.Uint32(p.elementAt(i)) == 1 }

// Child is the page that element i of a branch leads to.
func (p *Page) Child(i int) uint64 { return binary.NativeEndian.Uint64(p.elementAt(i)[8:]) }

// isEmpty is what is wrong with a page without elements.
const isEmpty = "it is empty"

// checkLayout looks at the layout of a page; it gives what is wrong, "" for nothing.
func (p *Page) checkLayout(h header, pageSize int) string {
	end := headerSize + p.Len*elementSize
	if end > len(p.data) {
		return fmt.Sprintf("no room for %d elements", p.Len)
	}
	for i := range p.Len {
		from, key, stop := p.elementSpan(i)
		switch {
		case from != end:
			return fmt.Sprintf("element %d of %d is not where the one before it ends", i, p.Len)
		case key <= from || stop < key || stop > len(p.data):
			return fmt.Sprintf("element %d is behind the end of the page", i)
		case p.Leaf && binary.NativeEndian.Uint32(p.elementAt(i)) > 1:
			return fmt.Sprintf("element %d is of no kind", i)
		case i > 0 && bytes.Compare(p.Key(i-1), p.Key(i)) >= 0:
			return fmt.Sprintf("key %d is not behind the one before it", i)
		}
		end = stop
	}
	switch {
	case pageSize == 0 && end != len(p.data):
		return "its elements do not fill it"
	case pageSize == 0 && h.overflow != 0:
		return "it is longer than its content"
	case pageSize > 0 && p.Len == 0:
		return isEmpty
	case pageSize > 0 && int(h.overflow) != (end+pageSize-1)/pageSize-1:
		return fmt.Sprintf("it takes %d pages, and its content does not", h.overflow+1)
	}
	return ""
}

// parsePage makes a page of the bytes that stand at id; pageSize 0 is of a page within another.
func parsePage(id uint64, data []byte, pageSize int) (Page, *Error) {
	if len(data) < headerSize {
		return Page{}, &Error{Page: id, Why: "it is cut off"}
	}
	h := readHeader(data)
	p := Page{ID: id, Leaf: h.flags == flagLeaf, Len: int(h.count), data: data}
	if pageSize > 0 {
		p.Pages = int(h.overflow) + 1
	}
	switch {
	case h.id != id && pageSize > 0, h.id != 0 && pageSize == 0:
		return p, &Error{Page: id, Why: fmt.Sprintf("it says that it is page %d", h.id)}
	case h.flags != flagLeaf && (h.flags != flagBranch || pageSize == 0):
		return p, &Error{Page: id, Why: fmt.Sprintf("it is of no kind that belongs here (%#x)", h.flags)}
	}
	if why := p.checkLayout(h, pageSize); why != "" {
		return p, &Error{Page: id, Why: why}
	}
	return p, nil
}

// Reader reads the pages of a file as of one commit. It may be used by one goroutine at a time.
type Reader struct {
	src   io.ReaderAt
	meta  Meta
	ahead int // how many pages are read at once
	from  uint64
	block []byte          // pages read ahead, from page from on
	kept  map[uint64]Page // branches, and leaves of the table of tables
	last  [4]Page         // leaves read last, of a reader without spare: records are often asked for in their order
	turn  int             // of last
	spare *[]byte         // for pages read ahead, one block after the other; nil: each has its own
	moved func(id uint64) (uint64, bool)
}

// mostKept bounds the pages that a reader keeps.
const mostKept = 64

// NewReader reads what a meta page leads to. Ahead is how many pages are read
// at once: several are quicker where leaves are read one after the other.
func NewReader(src io.ReaderAt, m Meta, ahead int) *Reader {
	return &Reader{src: src, meta: m, ahead: max(1, ahead)}
}

// ReuseBuffer has a reader that goes from leaf to leaf read into one buffer: a leaf is
// valid until the next one is read then.
func (r *Reader) ReuseBuffer(buffer *[]byte) { r.spare = buffer }

func (r *Reader) bufferFor(n int) []byte {
	if r.spare == nil || n > r.ahead*r.meta.PageSize {
		return make([]byte, n)
	}
	if cap(*r.spare) < n {
		*r.spare = make([]byte, r.ahead*r.meta.PageSize)
	}
	return (*r.spare)[:n]
}

func (r *Reader) readPages(id uint64, n int) ([]byte, *Error) {
	size := uint64(r.meta.PageSize)
	if id >= r.meta.Pages || uint64(n) > r.meta.Pages-id {
		return nil, &Error{Page: id, Why: "it is behind the end of the project"}
	}
	if at := id - r.from; id >= r.from && at+uint64(n) <= uint64(len(r.block))/size {
		return r.block[at*size : (at+uint64(n))*size : (at+uint64(n))*size], nil
	}
	want := max(n, min(r.ahead, int(min(r.meta.Pages-id, 1<<20))))
	b := r.bufferFor(want * r.meta.PageSize)
	r.block = nil // it may be the room
	got, err := r.src.ReadAt(b, int64(id*size))
	if got = got / r.meta.PageSize; got < n {
		why := "the file is cut off"
		if err != nil && err != io.EOF {
			why = err.Error()
		}
		return nil, &Error{Page: id, Why: why}
	}
	r.from, r.block = id, b[:got*r.meta.PageSize]
	return b[: n*r.meta.PageSize : n*r.meta.PageSize], nil
}

// ReadPage reads a page of a tree.
func (r *Reader) ReadPage(id uint64) (Page, *Error) {
	if p, ok := r.kept[id]; ok {
		return p, nil
	}
	for i := range r.last {
		if p := &r.last[i]; p.ID == id && p.data != nil {
			return *p, nil
		}
	}
	p, err := r.readPageAt(id, id)
	if err == nil && (!p.Leaf || p.Len > 0 && p.IsTable(0)) {
		if r.kept == nil || len(r.kept) == mostKept {
			r.kept = make(map[uint64]Page)
		}
		if r.spare != nil {
			p.data = bytes.Clone(p.data) // what stands above a leaf outlives the block
		}
		r.kept[id] = p
	} else if err == nil && r.spare == nil {
		r.last[r.turn%len(r.last)] = p
		r.turn++
	}
	if err != nil && r.moved != nil {
		if place, ok := r.moved(id); ok {
			return r.readPageAt(id, place)
		}
	}
	return p, err
}

// readPageAt reads page id, which stands at place.
func (r *Reader) readPageAt(id, place uint64) (Page, *Error) {
	b, err := r.readPages(place, 1)
	if err != nil {
		return Page{ID: id}, err
	}
	if h := readHeader(b); h.overflow > 0 && h.id == id && (h.flags == flagLeaf || h.flags == flagBranch) {
		if uint64(h.overflow) >= r.meta.Pages {
			return Page{ID: id, data: b}, &Error{Page: id, Why: "it is longer than the project"}
		}
		if b, err = r.readPages(place, int(h.overflow)+1); err != nil {
			return Page{ID: id}, err
		}
	}
	p, err := parsePage(id, b, r.meta.PageSize)
	if err != nil && err.Why == isEmpty && id == r.meta.Root && p.Leaf {
		return p, nil // of a file that holds nothing yet
	}
	return p, err
}
