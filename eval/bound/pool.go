package bound

import (
	"container/list"
	"context"
	"runtime"
	"sync"
)

// Pool is a number of bytes that many share. Who takes some waits until there
// are as many; who waits longest is served first, so that a large share is not
// starved by small ones. It may be used by several goroutines.
//
// A share is taken at once, and whole: nobody who holds one waits for another
// of the same pool, or all might wait for each other.
type Pool struct {
	most int64

	mu    sync.Mutex
	free  int64
	queue list.List // of *waiter
	spare list.List // of *Kept, the one used longest ago in front
}

type waiter struct {
	bytes   int64
	ready   chan struct{}
	dropped int64 // of what was let go of for it
}

// NewPool makes a pool of so many bytes.
func NewPool(most int64) *Pool { return &Pool{most: most, free: most} }

// Most is how many bytes the pool has.
func (p *Pool) Most() int64 { return p.most }

// Take waits for a share of so many bytes, or until the context ends. What is
// more than the pool has is refused. The share is given back by release, which
// may be called more than once.
func (p *Pool) Take(ctx context.Context, what string, bytes int64) (release func(), err error) {
	if err := Check(what, bytes, p.most); err != nil {
		return nil, err
	}
	p.mu.Lock()
	w := &waiter{bytes: bytes, ready: make(chan struct{})}
	at := p.queue.PushBack(w)
	p.serve()
	p.mu.Unlock()
	select {
	case <-w.ready:
		if w.dropped >= largeImage {
			runtime.GC() // it is not to stand beside what was let go of
		}
	case <-ctx.Done():
		p.mu.Lock()
		defer p.mu.Unlock()
		select {
		case <-w.ready: // it came at the same moment
			p.free += bytes
		default:
			p.queue.Remove(at)
		}
		p.serve()
		return nil, context.Cause(ctx)
	}
	return sync.OnceFunc(func() { p.give(bytes) }), nil
}

func (p *Pool) give(bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free += bytes
	p.serve()
}

// serve hands out shares in the order in which they were asked for, and lets
// go of what is only kept when there is no other room.
func (p *Pool) serve() {
	for e := p.queue.Front(); e != nil; e = p.queue.Front() {
		w := e.Value.(*waiter)
		for before := p.free; p.free < w.bytes && p.spare.Len() > 0; w.dropped = p.free - before {
			p.drop(p.spare.Front())
		}
		if p.free < w.bytes {
			return
		}
		p.free -= w.bytes
		p.queue.Remove(e)
		close(w.ready)
	}
}

func (p *Pool) drop(e *list.Element) {
	k := p.spare.Remove(e).(*Kept)
	k.at, k.value = nil, nil
	p.free += k.bytes
}

// Kept is a value that stays for as long as nobody needs its room.
type Kept struct {
	pool  *Pool
	bytes int64
	at    *list.Element // among the spare ones; nil: in use, or gone
	value any
}

// Keep keeps a value of so many bytes. It is not kept where there is no room
// without waiting: then Use gives nil.
func (p *Pool) Keep(value any, bytes int64) *Kept {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := &Kept{pool: p, bytes: bytes}
	if p.queue.Len() > 0 || bytes > p.free {
		return k
	}
	p.free -= bytes
	k.value, k.at = value, p.spare.PushBack(k)
	return k
}

// Use gives the value, which stays at least until done is called; nil when it
// is gone. One at a time uses it.
func (k *Kept) Use() (value any, done func()) {
	if k == nil {
		return nil, nil
	}
	k.pool.mu.Lock()
	defer k.pool.mu.Unlock()
	if k.at == nil {
		return nil, nil
	}
	k.pool.spare.Remove(k.at)
	k.at = nil
	return k.value, func() {
		k.pool.mu.Lock()
		defer k.pool.mu.Unlock()
		k.at = k.pool.spare.PushBack(k)
		k.pool.serve()
	}
}

// Drop lets go of the value.
func (k *Kept) Drop() {
	if k == nil {
		return
	}
	k.pool.mu.Lock()
	defer k.pool.mu.Unlock()
	if k.at != nil {
		k.pool.drop(k.at)
		k.pool.serve()
	}
}
