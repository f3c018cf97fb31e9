package chain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/eval"
)

// personCheck is what was seen of one person's acts.
type personCheck struct {
	who       annotate.Annotator
	head      Head
	acts      int
	before    InitialHash
	older     int      // acts of before the chain
	firsts    []Act    // of those, the first few
	runs      []actRun // of the chain, in the order of streams
	first     *Act     // of the chain
	late      []late   // behind the head as it was read first
	loose     []Act    // without a link, behind one with one
	missing   []Act    // by their numbers in streams
	unread    []Act    // that are there, and damaged
	published []published
}

type published struct {
	Published
	found bool
}

// actRun is acts that follow each other in one stream and in the chain, each with the hash of the last.
type actRun struct {
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

// addOlderAct takes an act without a link; behind is one that stands behind one that has one.
func (p *personCheck) addOlderAct(f *Form, behind bool) {
	p.acts++
	at := Act{f.Stream, p.who, f.N}
	if behind {
		p.loose = append(p.loose, at)
		return
	}
	p.older++
	p.before.AddAct(f)
	if len(p.firsts) < mostNamed {
		p.firsts = append(p.firsts, at)
	}
}

func (p *personCheck) addAct(f *Form, l Link) {
	p.acts++
	at := Act{f.Stream, p.who, f.N}
	h := f.HashAct(l)
	p.markIfPublished(h)
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
	p.runs = append(p.runs, actRun{f.Stream, [2]uint32{f.N, f.N}, l.Place, l.Place, l.Before, h})
}

func (p *personCheck) markIfPublished(h Hash) {
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

// finishCheck checks the chain; now is the head that stands, if there is one.
func (p *personCheck) finishCheck(now Head, has bool) Chain {
	c := Chain{Person: p.who, Acts: p.acts, Older: p.older, Since: p.first, Head: now}
	for _, at := range p.loose {
		c.addFault(Fault{Kind: PutIn, Act: at})
	}
	slices.SortStableFunc(p.runs, func(a, b actRun) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(b.last, a.last)) })
	p.checkBeginning(&c, has)
	lost := p.walkChain(&c)
	for _, at := range p.missing {
		c.addFault(Fault{Kind: Missing, Act: at})
	}
	for _, at := range p.unread {
		c.addFault(Fault{Kind: Unread, Act: at})
	}
	if lost > uint64(len(p.missing)+len(p.unread)) {
		c.addFault(Fault{Kind: Lost, Act: Act{Who: p.who}, Acts: lost})
	}
	p.checkBeyondHead(&c, now, has)
	p.markIfPublished(p.before.Sum())
	for _, seen := range p.published {
		if !seen.found {
			c.addFault(Fault{Kind: Unseen, Act: Act{Who: p.who}, Published: seen.Published})
		}
	}
	return c
}

// checkBeginning compares what was there before the chain.
func (p *personCheck) checkBeginning(c *Chain, has bool) {
	var want Hash
	switch {
	case len(p.runs) > 0 && p.runs[0].first == 1:
		want = p.runs[0].before
	case has && p.head.Place == 0 && len(p.late) == 0:
		want = p.head.Hash
	case !has && p.older > 0 && len(p.late) == 0:
		c.addFault(Fault{Kind: NoHead, Act: p.firsts[0], Acts: uint64(p.older)})
		return
	default:
		return // the first act is gone, which is told
	}
	switch {
	case p.before.Sum() == want:
	case want == NewInitialHash(p.who).Sum(): // nothing was there
		for _, at := range p.firsts {
			c.addFault(Fault{Kind: PutIn, Act: at})
		}
	default:
		at := Act{Who: p.who}
		if p.older > 0 {
			at = p.firsts[0]
		}
		c.addFault(Fault{Kind: OtherBeginning, Act: at, Acts: uint64(p.older)})
	}
}

// walkChain goes along the chain and gives how many of its places have no act.
func (p *personCheck) walkChain(c *Chain) (lost uint64) {
	head := actRun{first: p.head.Place + 1, before: p.head.Hash}
	var last actRun // before the first: none
	for i := range len(p.runs) + 1 {
		r := head
		if i < len(p.runs) {
			r = p.runs[i]
		}
		switch {
		case r.first <= last.last:
			c.addFault(Fault{Kind: PutIn, Act: Act{r.stream, p.who, r.n[0]}})
			continue
		case r.first > last.last+1:
			lost += r.first - last.last - 1
		case last.last == 0: // its beginning was looked at
		case r.before != last.hash:
			f := Fault{Kind: Changed, Act: Act{last.stream, p.who, last.n[1]}}
			if r.stream.Of != PartUnset {
				f.Next = &Act{r.stream, p.who, r.n[0]}
			}
			c.addFault(f)
		}
		last = r
	}
	return lost
}

// checkBeyondHead looks at what is behind the head. Acts that were done while the others
// were read are before the one that stands now.
func (p *personCheck) checkBeyondHead(c *Chain, now Head, has bool) {
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
	c.addFault(f)
}

// Act names an act by where it stands.
type Act struct {
	Stream
	Who annotate.Annotator // "": not known
	N   uint32             // 0: none in particular
}

// Chain is what was found of one person's chain.
type Chain struct {
	Person annotate.Annotator // "": what is not there, and nobody knows whose it was
	Acts   int                // all of the person's
	Older  int                // of them, of before the chain
	Since  *Act               // the first act of the chain; nil: none
	Head   Head
	Faults []Fault
}

// IsWhole reports whether nothing is wrong.
func (c *Chain) IsWhole() bool { return len(c.Faults) == 0 }

func (c *Chain) addFault(f Fault) { c.Faults = append(c.Faults, f) }

// FaultKind is what is wrong with a chain. The zero value is unset.
type FaultKind string

// The kinds of faults.
const (
	Changed        FaultKind = "changed"   // the act is not the one whose hash the next one, or the head, holds
	Missing        FaultKind = "missing"   // the act is not there
	Unread         FaultKind = "unread"    // the act is there, and damaged
	Lost           FaultKind = "lost"      // so many acts of the chain are not there, more than the numbers of acts tell
	PutIn          FaultKind = "put_in"    // the act is in no chain, or in the place of another
	OtherBeginning FaultKind = "beginning" // the acts of before the chain are not those that it begins with
	Beyond         FaultKind = "beyond"    // so many acts stand behind the head, from the act on
	NoHead         FaultKind = "no_head"   // so many acts have no head, from the act on
	Unseen         FaultKind = "unseen"    // a head that was published is not in the chain
)

// Fault is what is wrong, and where.
type Fault struct {
	Kind FaultKind
	Act
	Next      *Act   // Changed: the act behind it; nil: the head
	Acts      uint64 // Lost, Beyond, NoHead, OtherBeginning: how many
	Published Published
}

// Describe say what is wrong; where are the words of an act.
func (f *Fault) Describe(where func(*Act) string) string {
	switch f.Kind {
	case Changed:
		if f.Next == nil {
			return fmt.Sprintf("%s is not the one that the head was made of: the act was changed, or the head was", where(&f.Act))
		}
		return fmt.Sprintf("%s was changed: it is not the one that %s holds the hash of", where(&f.Act), where(f.Next))
	case Missing:
		return where(&f.Act) + " is not there: it was removed"
	case Unread:
		return where(&f.Act) + " cannot be read: its record is damaged"
	case Lost:
		return fmt.Sprintf("%s of the chain up to its head are not there: they were removed, or the head is another one's", formatActs(f.Acts))
	case PutIn:
		return where(&f.Act) + " is in no place of the chain: it was put in"
	case OtherBeginning:
		if f.Acts == 0 {
			return "the acts from before the chain are not there, or its first act was changed"
		}
		return fmt.Sprintf("of the %s from before the chain, from %s on, some were changed, removed or put in", formatActs(f.Acts), where(&f.Act))
	case Beyond:
		return fmt.Sprintf("%s come after the head, from %s on: the head was put back, or they were put in", formatActs(f.Acts), where(&f.Act))
	case NoHead:
		return fmt.Sprintf("%s have no head, from %s on: it was removed, or they were put in", formatActs(f.Acts), where(&f.Act))
	case Unseen:
		return fmt.Sprintf("the head %.*s, from %s, is not in the chain: up to it acts were changed or removed since", ShortSize, f.Published.Hash, f.Published.Where)
	}
	return string(f.Kind)
}

func formatActs(n uint64) string { return eval.Either(n == 1, "1 act", fmt.Sprintf("%d acts", n)) }
