package page

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Kinds of pages in the accounting.
const (
	unknown uint8 = iota
	used          // of a branch, the freelist or a leaf that was read
	head          // a leaf that a branch leads to; how long it is was not looked at
	vacant        // on the freelist
)

// Table is a table of the file by its name.
type Table struct {
	Name []byte
	Tree
}

// Finding is what is wrong with a page, and the table whose it is; no name for what belongs to none.
type Finding struct {
	Table string
	*Error
}

// Account is the account of a file's pages: what leads to what, and that each is used once or free. It
// reads branches and no leaf, but for the tables of tables and such leaves as are longer than a page.
type Account struct {
	Tables   []Table
	Findings []Finding
	Freelist *Error // what is wrong with the freelist: no reader needs it

	r     *Reader
	kinds []uint8
	owner []uint8             // of which table, counted from 1
	rooms [deepest + 1][]byte // for the branch of each level
}

// AccountPages makes the account. It looks at no more than a number of long leaves,
// spread over the file; 0 looks at all.
func (r *Reader) AccountPages(most int) *Account {
	s := &Account{r: r, kinds: make([]uint8, r.meta.Pages), owner: make([]uint8, r.meta.Pages)}
	r.Root().Ascend(nil, func(l Leaf, err *Error) bool {
		if err != nil {
			s.addFinding(0, err)
			return true
		}
		s.notePage(0, &l.Page)
		for i := range l.Len {
			sub, err := r.Root().subTree(&l.Page, i)
			if err != nil {
				s.Findings = append(s.Findings, Finding{string(l.Key(i)), err})
				continue
			}
			s.Tables = append(s.Tables, Table{l.Key(i), sub})
		}
		return true
	})
	s.noteBranches(0, r.meta.Root, nil, nil, r.Root().height(), 0)
	for i, t := range s.Tables {
		if t.inline == nil {
			s.noteBranches(uint8(min(i+1, 254)), t.root, nil, nil, t.height(), 0)
		}
	}
	r.spare, r.block = nil, nil
	free := s.readFreelist()
	if s.Freelist == nil {
		for _, id := range free {
			s.kinds[id] = vacant
		}
		if free != nil {
			s.checkGaps(most)
		}
	}
	return s
}

func (s *Account) addFinding(owner uint8, err *Error) {
	name := ""
	if owner > 0 && int(owner) <= len(s.Tables) {
		name = string(s.Tables[owner-1].Name)
	}
	err.Low, err.High = bytes.Clone(err.Low), bytes.Clone(err.High) // of a room
	s.Findings = append(s.Findings, Finding{name, err})
}

func (s *Account) notePage(owner uint8, p *Page) {
	for i := range uint64(p.Pages) {
		if s.kinds[p.ID+i] == used {
			s.addFinding(owner, &Error{Page: p.ID, Why: fmt.Sprintf("page %d belongs to two", p.ID+i)})
			return
		}
		s.kinds[p.ID+i], s.owner[p.ID+i] = used, owner
	}
}

// height is how many branches stand above the leaves of a tree, all of which are equally deep.
func (t Tree) height() int {
	id := t.root
	for depth := range deepest {
		p, err := t.openPage(id, nil, nil, depth)
		if err != nil || p.Leaf {
			return depth
		}
		id = p.Child(0)
		for i := 1; i < p.Len; i++ {
			if _, err := t.r.ReadPage(id); err == nil {
				break
			}
			id = p.Child(i)
		}
	}
	return deepest
}

// noteBranches notes the branches of a tree, and its leaves without reading them.
func (s *Account) noteBranches(owner uint8, id uint64, low, high []byte, height, depth int) {
	if height == 0 {
		s.noteLeaf(owner, id, low, high)
		return
	}
	s.r.spare, s.r.block = &s.rooms[min(depth, deepest)], nil
	p, err := s.r.readPageAt(id, id)
	if err = p.checkPlace(err, low, high, depth); err == nil && p.Leaf {
		err = &Error{Page: id, Why: "it is a leaf where a branch belongs", Low: low, High: high}
	}
	if err != nil {
		s.addFinding(owner, err)
		return
	}
	if s.kinds[id] == used {
		s.addFinding(owner, &Error{Page: id, Why: "it is referred to twice", Low: low, High: high})
		return
	}
	s.notePage(owner, &p)
	for i := range p.Len {
		if height > 1 || !s.takeLeaf(owner, p.Child(i)) {
			s.noteBranches(owner, p.Child(i), p.Key(i), p.upperBound(i, high), height-1, depth+1)
		}
	}
}

// takeLeaf notes a leaf that a branch leads to, unless it cannot be one.
func (s *Account) takeLeaf(owner uint8, id uint64) bool {
	if id < 2 || id >= uint64(len(s.kinds)) || s.kinds[id] != unknown {
		return false
	}
	s.kinds[id], s.owner[id] = head, owner
	return true
}

// noteLeaf notes a leaf that a branch leads to, or what is wrong with it. Those of the table of tables were read.
func (s *Account) noteLeaf(owner uint8, id uint64, low, high []byte) {
	switch {
	case s.takeLeaf(owner, id), owner == 0 && (low == nil || id >= 2 && id < uint64(len(s.kinds))):
	case id < 2 || id >= uint64(len(s.kinds)):
		s.addFinding(owner, &Error{Page: id, Why: "it is behind the end of the project", Low: low, High: high})
	default:
		s.addFinding(owner, &Error{Page: id, Why: "it is referred to twice", Low: low, High: high})
	}
}

// readFreelist reads the freelist; nil when there is none to read.
func (s *Account) readFreelist() []uint64 {
	id := s.r.meta.Freelist
	if id == NoFreelist {
		return nil
	}
	ids, err := s.readFreelistPage(id)
	s.Freelist = err
	return ids
}

func (s *Account) readFreelistPage(id uint64) ([]uint64, *Error) {
	wrong := func(format string, args ...any) *Error {
		return &Error{Page: id, Why: "freelist: " + fmt.Sprintf(format, args...)}
	}
	b, err := s.r.readPages(id, 1)
	if err != nil {
		return nil, err
	}
	h := readHeader(b)
	if h.id != id || h.flags != flagFreelist || uint64(h.overflow) >= s.r.meta.Pages {
		return nil, wrong("its header is that of another page")
	}
	if b, err = s.r.readPages(id, int(h.overflow)+1); err != nil {
		return nil, err
	}
	b, n := b[headerSize:], uint64(h.count)
	if n == 0xFFFF {
		n, b = binary.NativeEndian.Uint64(b), b[8:]
	}
	if n > uint64(len(b)/8) {
		return nil, wrong("no room for %d pages", n)
	}
	for i := range uint64(h.overflow) + 1 {
		if s.kinds[id+i] != unknown {
			return nil, wrong("page %d belongs to two", id+i)
		}
		s.kinds[id+i] = used
	}
	ids := make([]uint64, n)
	for i := range ids {
		ids[i] = binary.NativeEndian.Uint64(b[8*i:])
		switch p := ids[i]; {
		case p < 2 || p >= s.r.meta.Pages || i > 0 && p <= ids[i-1]:
			return nil, wrong("page %d is where it cannot be", p)
		case s.kinds[p] != unknown:
			return nil, wrong("page %d is in use", p)
		}
	}
	return ids, nil
}

// checkGaps looks at the pages that are neither known nor free: each belongs to the leaf before it.
func (s *Account) checkGaps(most int) {
	n := 0
	s.eachGap(func(uint64, uint64) { n++ })
	step := 1
	if most > 0 {
		step = max(1, n/most)
	}
	i := 0
	s.eachGap(func(from, to uint64) {
		if i++; i%step == 0 {
			s.noteGap(from, to)
		}
	})
}

func (s *Account) eachGap(visit func(from, to uint64)) {
	for from := uint64(2); from < uint64(len(s.kinds)); from++ {
		if s.kinds[from] != unknown {
			continue
		}
		to := from
		for to < uint64(len(s.kinds)) && s.kinds[to] == unknown {
			to++
		}
		visit(from, to)
		from = to
	}
}

func (s *Account) noteGap(from, to uint64) {
	last := from - 1
	if s.kinds[last] != head {
		s.addFinding(s.owner[last], &Error{Page: from, Why: fmt.Sprintf("nothing leads to %s, and it is not free", formatPageRange(from, to))})
		return
	}
	var b [headerSize]byte
	if _, err := s.r.src.ReadAt(b[:], int64(last)*int64(s.r.meta.PageSize)); err != nil {
		s.addFinding(s.owner[last], &Error{Page: last, Why: "the file is cut off"})
		return
	}
	switch h := readHeader(b[:]); {
	case h.id != last || h.flags != flagLeaf:
		s.addFinding(s.owner[last], &Error{Page: last, Why: "it is no leaf, and a branch leads to it"})
	case uint64(h.overflow) != to-from:
		s.addFinding(s.owner[last], &Error{Page: last, Why: fmt.Sprintf("it says that it takes %d pages, and there are %d", h.overflow+1, to-last)})
	}
}

func formatPageRange(from, to uint64) string {
	if to == from+1 {
		return fmt.Sprintf("page %d", from)
	}
	return fmt.Sprintf("pages %d to %d", from, to-1)
}
