package bound

import (
	"container/list"
	"context"
	"runtime"
	"sync"
)

// MemoryPool is a number of bytes that many share. Who takes some waits until there are as many; who waits longest is
// served first, so that a large share is not starved by small ones. It may be used by several goroutines.
//
// A share is taken at once, and whole: nobody who holds one waits for another
// of the same pool, or all might wait for each other.
type MemoryPool struct {
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
func NewPool(most int64) *MemoryPool { return &MemoryPool{most: most, free: most} }

// Capacity is how many bytes the pool has.
func (p *MemoryPool) Capacity() int64 { return p.most }

// Acquire waits for a share of so many bytes, or until the context ends. What is more than the
// pool has is refused. The share is given back by release, which may be called more than once.
func (p *MemoryPool) Acquire(ctx context.Context, what string, bytes int64) (release func(), err error) {
	if err := CheckSize(what, bytes, p.most); err != nil {
		return nil, err
	}
	p.mu.Lock()
	w := &waiter{bytes: bytes, ready: make(chan struct{})}
	at := p.queue.PushBack(w)
	p.grantWaiting()
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
		p.grantWaiting()
		return nil, context.Cause(ctx)
	}
	return sync.OnceFunc(func() { p.release(bytes) }), nil
}

func (p *MemoryPool) release(bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free += bytes
	p.grantWaiting()
}

// grantWaiting hands out shares in the order in which they were asked for, and lets
// go of what is only kept when there is no other room.
func (p *MemoryPool) grantWaiting() {
	for e := p.queue.Front(); e != nil; e = p.queue.Front() {
		w := e.Value.(*waiter)
		for before := p.free; p.free < w.bytes && p.spare.Len() > 0; w.dropped = p.free - before {
			p.evict(p.spare.Front())
		}
		if p.free < w.bytes {
			return
		}
		p.free -= w.bytes
		p.queue.Remove(e)
		close(w.ready)
	}
}

func (p *MemoryPool) evict(e *list.Element) {
	k := p.spare.Remove(e).(*CachedValue)
	k.at, k.value = nil, nil
	p.free += k.bytes
}

// CachedValue is a value that stays for as long as nobody needs its room.
type CachedValue struct {
	pool  *MemoryPool
	bytes int64
	at    *list.Element // among the spare ones; nil: in use, or gone
	value any
}

// CacheValue keeps a value of so many bytes. Where there is no room without waiting Use gives nil.
func (p *MemoryPool) CacheValue(value any, bytes int64) *CachedValue {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := &CachedValue{pool: p, bytes: bytes}
	if p.queue.Len() > 0 || bytes > p.free {
		return k
	}
	p.free -= bytes
	k.value, k.at = value, p.spare.PushBack(k)
	return k
}

// TakeUntilDone gives the value, which stays at least until done is called; nil when it is gone. One at a time uses it.
func (k *CachedValue) TakeUntilDone() (value any, done func()) {
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
		k.pool.grantWaiting()
	}
}

// Drop lets go of the value.
func (k *CachedValue) Drop() {
	if k == nil {
		return
	}
	k.pool.mu.Lock()
	defer k.pool.mu.Unlock()
	if k.at != nil {
		k.pool.evict(k.at)
		k.pool.grantWaiting()
	}
}
