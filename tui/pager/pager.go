// Package pager reads the rows of a long list a page at a time, beside the screen that shows them.
//
// It knows nothing of what the rows are, and keeps none of them. Its one invariant: a page ends,
// however many rows that are not to be shown lie between those that are.
package pager

import (
	"iter"
	"sync"
)

// Size is how many rows a page holds, and hiding how many it may pass over.
const (
	Size   = 200
	hiding = 10 * Size
)

// Page is a page that was read; Of is what it came from, so that one of a list that was left is told apart.
type Page[R any] struct {
	Of    *Puller[R]
	Rows  []R
	Hid   int // rows that were passed over
	Ended bool
	Err   error
}

// Puller pulls rows out of a sequence, one page after the other.
type Puller[R any] struct {
	rows   func() iter.Seq2[R, error]
	hidden func(*R) bool

	mu   sync.Mutex
	next func() (R, error, bool)
	stop func()
	gone bool
}

// New makes a puller. Nothing is read yet; hidden tells which rows are only counted.
func New[R any](rows func() iter.Seq2[R, error], hidden func(*R) bool) *Puller[R] {
	return &Puller[R]{rows: rows, hidden: hidden}
}

// ReadPage reads the next page.
func (p *Puller[R]) ReadPage() Page[R] {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := Page[R]{Of: p}
	if p.gone {
		out.Ended = true
		return out
	}
	if p.next == nil {
		p.next, p.stop = iter.Pull2(p.rows())
	}
	for len(out.Rows) < Size && out.Hid < hiding {
		r, err, ok := p.next()
		if !ok || err != nil {
			out.Ended, out.Err = true, err
			return out
		}
		if p.hidden(&r) {
			out.Hid++
			continue
		}
		out.Rows = append(out.Rows, r)
	}
	return out
}

// Close ends the iteration; it waits for a page under way.
func (p *Puller[R]) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = true
	if p.stop != nil {
		p.stop()
	}
}
