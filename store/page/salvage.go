package page

import (
	"bytes"
	"encoding/binary"
	"io"
)

// SalvagedRecord is a record that can still be read of a damaged file.
type SalvagedRecord struct {
	Table      string // "" when nothing leads to its page any more
	Key, Value []byte
	Sound      bool // its page is as it was written; of others, only bytes that vouch for themselves are to be believed
}

// Salvage reads what can be read of a file as of a commit: trees first, then pages that a damaged
// branch no longer leads to, and those that stand in another place. Keep says whether a record was
// kept; of a page that is not sound, records are looked for in several ways until it is. What is
// damaged goes to lost. Complete is asked where no damage was met among all that is led to: nothing
// else is looked for then, since a page to which nothing leads may as well be one of an earlier commit.
func Salvage(src io.ReaderAt, m Meta, keep func(SalvagedRecord) bool, lost func(Finding), complete func() bool) {
	r := NewReader(src, m, 1)
	s := r.AccountPages(0)
	whole := true
	v := &salvage{Reader: r, keep: keep, lost: func(f Finding) { whole = false; lost(f) }, seen: make([]bool, m.Pages), free: make([]bool, m.Pages)}
	for id, kind := range s.kinds {
		v.free[id] = kind == vacant
	}
	if s.Freelist != nil {
		lost(Finding{"", s.Freelist})
	}
	v.findMisplaced()
	r.moved = func(id uint64) (uint64, bool) { at, ok := v.places[id]; return at, ok }
	r.kept = nil
	v.salvageTables()
	if !whole || !complete() {
		v.salvageOrphans()
	}
}

type salvage struct {
	*Reader
	keep       func(SalvagedRecord) bool
	lost       func(Finding)
	seen, free []bool
	places     map[uint64]uint64 // where pages stand that are not in their place
	looked     int               // bytes that were looked through for records
}

// findMisplaced notes the pages that say that they are another one.
func (v *salvage) findMisplaced() {
	v.places = make(map[uint64]uint64)
	var b [headerSize]byte
	for at := range v.meta.Pages {
		if _, err := v.src.ReadAt(b[:], int64(at)*int64(v.meta.PageSize)); err != nil {
			return
		}
		h := readHeader(b[:])
		if h.id == at || h.id < 2 || h.id >= v.meta.Pages || h.flags != flagLeaf && h.flags != flagBranch {
			continue
		}
		if _, err := v.ReadPage(h.id); err == nil {
			continue // the content of a long page
		}
		if _, err := v.readPageAt(h.id, at); err == nil {
			v.places[h.id] = at
		}
	}
}

func (v *salvage) salvageTables() {
	root := v.Root()
	root.Ascend(nil, func(l Leaf, err *Error) bool {
		if err != nil {
			v.lost(Finding{"", err})
			v.salvageRecords("", err.Page, v.salvageTable)
			return true
		}
		v.markSeen(&l.Page)
		for i := range l.Len {
			v.salvageTable(SalvagedRecord{Key: l.Key(i), Value: l.Value(i), Sound: true})
		}
		return true
	})
	if p, err := v.ReadPage(root.root); err == nil && !p.Leaf {
		v.markSeen(&p)
	}
}

func (v *salvage) salvageTable(entry SalvagedRecord) bool {
	if len(entry.Value) < 16 || len(entry.Key) > 64 {
		return false
	}
	name := string(entry.Key)
	id := binary.NativeEndian.Uint64(entry.Value)
	if id != 0 {
		v.salvageTree(name, id, nil, nil, 0)
		return true
	}
	p, err := parsePage(0, entry.Value[16:], 0)
	if err != nil {
		v.lost(Finding{name, err})
		v.salvageElements(name, entry.Value[16:], v.keep)
		return true
	}
	v.keepRecordsOfLeaf(name, &p)
	return true
}

func (v *salvage) keepRecordsOfLeaf(name string, p *Page) {
	for i := range p.Len {
		v.keep(SalvagedRecord{Table: name, Key: p.Key(i), Value: p.Value(i), Sound: true})
	}
}

func (v *salvage) markSeen(p *Page) {
	for i := range uint64(p.Pages) {
		v.seen[p.ID+i] = true
	}
}

// salvageTree salvages a page and all below it.
func (v *salvage) salvageTree(name string, id uint64, low, high []byte, depth int) {
	if id < 2 || id >= v.meta.Pages || depth > deepest {
		v.lost(Finding{name, &Error{Page: id, Why: "it is behind the end of the project", Low: low, High: high}})
		return
	}
	if v.seen[id] {
		return // told by whoever comes to it from above
	}
	p, err := (Tree{r: v.Reader, root: id}).openPage(id, low, high, depth)
	if err != nil {
		v.lost(Finding{name, err})
		v.seen[id] = true
		v.salvageRecords(name, id, v.keep)
		return // what is below, if it was a branch, is found as orphans
	}
	v.markSeen(&p)
	if p.Leaf {
		v.keepRecordsOfLeaf(name, &p)
		return
	}
	for i := range p.Len {
		v.salvageTree(name, p.Child(i), p.Key(i), p.upperBound(i, high), depth+1)
	}
}

// salvageOrphans salvages the pages that are in use and to which nothing leads.
func (v *salvage) salvageOrphans() {
	for id := uint64(2); id < v.meta.Pages; id++ {
		if v.seen[id] || v.free[id] {
			continue
		}
		p, err := v.ReadPage(id)
		switch {
		case err != nil:
			v.salvageRecords("", id, v.keep)
		case p.Leaf:
			v.markSeen(&p)
			v.keepRecordsOfLeaf("", &p)
		}
	}
}

// mostScraps bounds the bytes in which records of a damaged page are looked for,
// and mostLooked those of all: behind them, each page is looked at alone.
const (
	mostScraps = 64 << 20
	mostLooked = 16 * mostScraps
)

// salvageRecords looks for records in a page whose layout is damaged, and in those behind
// it that may be its own.
func (v *salvage) salvageRecords(name string, id uint64, keep func(SalvagedRecord) bool) {
	end := id + 1
	for v.looked < mostLooked && end < v.meta.Pages && !v.seen[end] && !v.free[end] && (end-id)*uint64(v.meta.PageSize) < mostScraps {
		end++
	}
	b := make([]byte, v.meta.PageSize)
	n, _ := v.src.ReadAt(b, int64(id)*int64(v.meta.PageSize))
	if len(bytes.Trim(b[:n], "\x00")) == 0 {
		return
	}
	b = make([]byte, (end-id)*uint64(v.meta.PageSize))
	n, _ = v.src.ReadAt(b, int64(id)*int64(v.meta.PageSize))
	v.looked += n
	v.salvageElements(name, b[:n], keep)
}

// salvageElements tries every element that a leaf could have, at the position that it
// gives and where the one before it ends.
func (v *salvage) salvageElements(name string, b []byte, keep func(SalvagedRecord) bool) {
	p := Page{Leaf: true, data: b}
	end := 0
	for i := 0; headerSize+(i+1)*elementSize <= len(b) && i < 1<<16; i++ {
		at := headerSize + i*elementSize
		from, key, stop := p.elementSpan(i)
		size, long := key-from, stop-from
		if end > 0 && at >= end || size <= 0 || size > 1<<15 || long < size || long > len(b) {
			continue
		}
		for _, from := range []int{from, end} {
			if from > at && from+long <= len(b) && keep(SalvagedRecord{Table: name, Key: b[from : from+size : from+size], Value: b[from+size : from+long : from+long]}) {
				end = from + long
				break
			}
		}
	}
}
