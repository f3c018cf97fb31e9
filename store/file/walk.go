package file

import (
	"bytes"
	"iter"

	"concord/store/page"
)

// ScanPrefix yields what stands under prefix, in the order of keys. A record or a page that is
// damaged yields its error, and the walk goes on behind it. What it yields is valid as long as
// the transaction; changing the table meanwhile is not allowed.
func (t *Table) ScanPrefix(prefix []byte) iter.Seq2[Pair, error] { return t.scanUp(prefix, prefix) }

// scanUp yields what stands under prefix from a key on.
func (t *Table) scanUp(prefix, from []byte) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		if t.bucket == nil {
			t.walkAscending(prefix, from, yield)
			return
		}
		t.checkPagesIn(prefix, from)
		c := t.bucket.Cursor()
		for k, v := c.Seek(from); k != nil && bytes.HasPrefix(k, prefix); k, v = c.Next() {
			if !t.yieldRecord(k, v, yield) {
				return
			}
		}
	}
}

// yieldRecord opens a record and hands it over.
func (t *Table) yieldRecord(k, v []byte, yield func(Pair, error) bool) bool {
	body, sum, err := t.openEnvelope(k, v)
	return yield(Pair{Key: k, Value: body, sum: sum}, err)
}

// checkPagesIn looks at the committed pages of a range.
func (t *Table) checkPagesIn(prefix, from []byte) {
	t.checkPagesAt(from)
	t.tree.Ascend(from, func(l page.Leaf, err *page.Error) bool {
		if err != nil {
			panic(newPageDamage(t.name, err))
		}
		return l.Len > 0 && (bytes.Compare(l.Key(l.Len-1), from) < 0 || bytes.HasPrefix(l.Key(l.Len-1), prefix))
	})
}

// walkAscending walks the committed pages.
func (t *Table) walkAscending(prefix, from []byte, yield func(Pair, error) bool) {
	yield = t.skipReportedDamage(yield)
	told, ok := t.checkNeighbours(from, yield)
	if !ok {
		return
	}
	t.tree.Ascend(from, func(l page.Leaf, err *page.Error) bool {
		if err != nil {
			if err.Page == told {
				return true
			}
			if l.Low != nil && bytes.Compare(l.Low, prefix) > 0 && !bytes.HasPrefix(l.Low, prefix) {
				return false // of another prefix
			}
			return yield(Pair{}, newPageDamage(t.name, err))
		}
		for i := l.FirstNotBefore(from); i < l.Len; i++ {
			if k := l.Key(i); !bytes.HasPrefix(k, prefix) || !t.yieldRecord(k, l.Value(i), yield) {
				return false
			}
		}
		return true
	})
}

// checkNeighbours looks at the neighbours of where a walk begins; it gives the page that
// it has told to be damaged. It is false where the walk is not to begin.
func (t *Table) checkNeighbours(from []byte, yield func(Pair, error) bool) (told uint64, ok bool) {
	if !t.exists || from == nil {
		return 0, t.exists
	}
	_, _, _, err := t.tree.Find(from)
	if err == nil {
		return 0, true
	}
	return err.Page, yield(Pair{}, newPageDamage(t.name, err))
}

// skipReportedDamage leaves damage out where it is only told.
func (t *Table) skipReportedDamage(yield func(Pair, error) bool) func(Pair, error) bool {
	if t.tx.f.damaged == nil {
		return yield
	}
	return func(p Pair, err error) bool {
		if err != nil {
			t.tx.f.damaged(err)
			return true
		}
		return yield(p, nil)
	}
}

// ScanDown yields what stands under prefix from a key down, in the reverse order;
// from the last one for a nil key.
func (t *Table) ScanDown(prefix, from []byte) iter.Seq2[Pair, error] {
	if from == nil {
		from = keyAfterPrefix(prefix)
	}
	return func(yield func(Pair, error) bool) {
		if t.bucket == nil {
			t.walkDescending(prefix, from, yield)
			return
		}
		if from != nil {
			t.checkPagesAt(from)
		}
		c := t.bucket.Cursor()
		var k, v []byte
		if from != nil {
			k, v = c.Seek(from)
		}
		switch {
		case k == nil:
			k, v = c.Last()
		case !bytes.Equal(k, from) || !bytes.HasPrefix(k, prefix):
			k, v = c.Prev()
		}
		for ; k != nil && bytes.HasPrefix(k, prefix); k, v = c.Prev() {
			if !t.yieldRecord(k, v, yield) {
				return
			}
		}
	}
}

func (t *Table) walkDescending(prefix, from []byte, yield func(Pair, error) bool) {
	yield = t.skipReportedDamage(yield)
	told, ok := t.checkNeighbours(from, yield)
	if !ok {
		return
	}
	t.tree.Descend(from, func(l page.Leaf, err *page.Error) bool {
		if err != nil {
			return err.Page == told || yield(Pair{}, newPageDamage(t.name, err))
		}
		i := l.Len - 1
		if from != nil {
			if i = l.FirstNotBefore(from); i == l.Len || !bytes.Equal(l.Key(i), from) || !bytes.HasPrefix(from, prefix) {
				i--
			}
		}
		for ; i >= 0; i-- {
			if k := l.Key(i); !bytes.HasPrefix(k, prefix) || !t.yieldRecord(k, l.Value(i), yield) {
				return false
			}
		}
		return true
	})
}

// keyAfterPrefix is the first key behind all that have a prefix; nil when there is none.
func keyAfterPrefix(prefix []byte) []byte {
	b := Clone(prefix)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i]++; b[i] != 0 {
			return b[:i+1]
		}
	}
	return nil
}

// LastUnder gives the last record under a prefix; false when there is none.
func (t *Table) LastUnder(prefix []byte) (Pair, bool) {
	for p, err := range t.ScanDown(prefix, nil) {
		if err != nil {
			t.tx.raiseDamage(err)
			return Pair{}, false
		}
		return p, true
	}
	return Pair{}, false
}
