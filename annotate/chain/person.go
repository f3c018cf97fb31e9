package chain

import (
	"cmp"
	"slices"
	"strings"

	"concord/annotate"
)

// person is what was seen of one person's acts.
type person struct {
	who       annotate.Annotator
	head      Head
	acts      int
	before    Beginning
	older     int    // acts of before the chain
	firsts    []Act  // of those, the first few
	runs      []run  // of the chain, in the order of streams
	first     *Act   // of the chain
	late      []late // behind the head as it was read first
	loose     []Act  // without a link, behind one with one
	missing   []Act  // by their numbers in streams
	unread    []Act  // that are there, and damaged
	published []published
}

type published struct {
	Published
	found bool
}

// run is acts that follow each other in one stream and in the chain, each
// holding the hash of the one before it.
type run struct {
	stream      Stream
	n           [2]uint32 // numbers of the first and the last act
	first, last uint64    // their places
	before      Hash      // that the first one holds
	hash        Hash      // of the last one
}

type late struct {
	Act
	place uint64
}

// takeOlder takes an act without a link; behind is one that stands behind one
// that has one.
func (p *person) takeOlder(f *Form, behind bool) {
	p.acts++
	at := Act{f.Stream, p.who, f.N}
	if behind {
		p.loose = append(p.loose, at)
		return
	}
	p.older++
	p.before.Take(f)
	if len(p.firsts) < mostNamed {
		p.firsts = append(p.firsts, at)
	}
}

// take takes an act of the chain.
func (p *person) take(f *Form, l Link) {
	p.acts++
	at := Act{f.Stream, p.who, f.N}
	h := f.Hash(l)
	p.see(h)
	if l.Place == 1 {
		p.first = &at
	}
	if l.Place > p.head.Place {
		p.late = append(p.late, late{at, l.Place})
		return
	}
	if len(p.runs) > 0 {
		r := &p.runs[len(p.runs)-1]
		if r.stream == f.Stream && r.last+1 == l.Place && r.hash == l.Before {
			r.last, r.n[1], r.hash = l.Place, f.N, h
			return
		}
	}
	p.runs = append(p.runs, run{f.Stream, [2]uint32{f.N, f.N}, l.Place, l.Place, l.Before, h})
}

// see looks whether a hash is one that was published.
func (p *person) see(h Hash) {
	if len(p.published) == 0 {
		return
	}
	text := h.String()
	for i := range p.published {
		if strings.HasPrefix(text, p.published[i].Hash) {
			p.published[i].found = true
		}
	}
}

// end checks the chain; now is the head that stands, if there is one.
func (p *person) end(now Head, has bool) Chain {
	c := Chain{Person: p.who, Acts: p.acts, Older: p.older, Since: p.first, Head: now}
	for _, at := range p.loose {
		c.fault(Fault{Kind: PutIn, Act: at})
	}
	slices.SortStableFunc(p.runs, func(a, b run) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(b.last, a.last)) })
	p.beginning(&c, has)
	lost := p.walk(&c)
	for _, at := range p.missing {
		c.fault(Fault{Kind: Missing, Act: at})
	}
	for _, at := range p.unread {
		c.fault(Fault{Kind: Unread, Act: at})
	}
	if lost > uint64(len(p.missing)+len(p.unread)) {
		c.fault(Fault{Kind: Lost, Act: Act{Who: p.who}, Acts: lost})
	}
	p.beyond(&c, now, has)
	p.see(p.before.Hash())
	for _, seen := range p.published {
		if !seen.found {
			c.fault(Fault{Kind: Unseen, Act: Act{Who: p.who}, Published: seen.Published})
		}
	}
	return c
}

// beginning compares what was there before the chain.
func (p *person) beginning(c *Chain, has bool) {
	var want Hash
	switch {
	case len(p.runs) > 0 && p.runs[0].first == 1:
		want = p.runs[0].before
	case has && p.head.Place == 0 && len(p.late) == 0:
		want = p.head.Hash
	case !has && p.older > 0 && len(p.late) == 0:
		c.fault(Fault{Kind: NoHead, Act: p.firsts[0], Acts: uint64(p.older)})
		return
	default:
		return // the first act is gone, which is told
	}
	switch {
	case p.before.Hash() == want:
	case want == Begin(p.who).Hash(): // nothing was there
		for _, at := range p.firsts {
			c.fault(Fault{Kind: PutIn, Act: at})
		}
	default:
		at := Act{Who: p.who}
		if p.older > 0 {
			at = p.firsts[0]
		}
		c.fault(Fault{Kind: OtherBeginning, Act: at, Acts: uint64(p.older)})
	}
}

// walk goes along the chain and gives how many of its places have no act.
func (p *person) walk(c *Chain) (lost uint64) {
	head := run{first: p.head.Place + 1, before: p.head.Hash}
	var last run // before the first: none
	for i := range len(p.runs) + 1 {
		r := head
		if i < len(p.runs) {
			r = p.runs[i]
		}
		switch {
		case r.first <= last.last:
			c.fault(Fault{Kind: PutIn, Act: Act{r.stream, p.who, r.n[0]}})
			continue
		case r.first > last.last+1:
			lost += r.first - last.last - 1
		case last.last == 0: // its beginning was looked at
		case r.before != last.hash:
			f := Fault{Kind: Changed, Act: Act{last.stream, p.who, last.n[1]}}
			if r.stream.Of != PartUnset {
				f.Next = &Act{r.stream, p.who, r.n[0]}
			}
			c.fault(f)
		}
		last = r
	}
	return lost
}

// beyond looks at what is behind the head. Acts that were done while the others
// were read are before the one that stands now.
func (p *person) beyond(c *Chain, now Head, has bool) {
	var f Fault
	first := uint64(0)
	for _, a := range p.late {
		if a.place <= now.Place {
			continue
		}
		if f.Acts++; f.Acts == 1 || a.place < first {
			f.Act, first = a.Act, a.place
		}
	}
	switch {
	case f.Acts == 0:
		return
	case has:
		f.Kind = Beyond
	default:
		f.Kind = NoHead
	}
	c.fault(f)
}
