package chain

import (
	"fmt"

	"concord/annotate"
)

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

// Whole reports whether nothing is wrong.
func (c *Chain) Whole() bool { return len(c.Faults) == 0 }

func (c *Chain) fault(f Fault) { c.Faults = append(c.Faults, f) }

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

// Words say what is wrong; where are the words of an act.
func (f *Fault) Words(where func(*Act) string) string {
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
		return fmt.Sprintf("%s of the chain up to its head are not there: they were removed, or the head is another one's", acts(f.Acts))
	case PutIn:
		return where(&f.Act) + " is in no place of the chain: it was put in"
	case OtherBeginning:
		if f.Acts == 0 {
			return "the acts from before the chain are not there, or its first act was changed"
		}
		return fmt.Sprintf("of the %s from before the chain, from %s on, some were changed, removed or put in", acts(f.Acts), where(&f.Act))
	case Beyond:
		return fmt.Sprintf("%s come after the head, from %s on: the head was put back, or they were put in", acts(f.Acts), where(&f.Act))
	case NoHead:
		return fmt.Sprintf("%s have no head, from %s on: it was removed, or they were put in", acts(f.Acts), where(&f.Act))
	case Unseen:
		return fmt.Sprintf("the head %.*s, from %s, is not in the chain: up to it acts were changed or removed since", ShortSize, f.Published.Hash, f.Published.Where)
	}
	return string(f.Kind)
}

func acts(n uint64) string {
	if n == 1 {
		return "1 act"
	}
	return fmt.Sprintf("%d acts", n)
}
