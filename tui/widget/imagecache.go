package widget

import (
	"container/list"
	"sync"
)

// mostShared is how many bytes of pictures and of drawings the cache keeps each.
const mostShared = 48 << 20

// ImageCache is pictures that were decoded, and what was drawn of them in characters,
// for all image renderers of a process: a team that works through one queue sees the same
// ones, each on a terminal of their own. Who asks for what is under way waits
// for it. It may be used by several goroutines.
type ImageCache struct {
	pictures lruCache[string, *Picture]
	drawings lruCache[drawingKey, []string]
}

// NewImageCache makes an empty one.
func NewImageCache() *ImageCache {
	full := func(bytes, _ int) bool { return bytes > mostShared }
	return &ImageCache{
		pictures: newCache[string](func(p *Picture) int { return len(p.image.Pix) }, full, nil),
		drawings: newCache[drawingKey](countBytes, full, nil),
	}
}

// countBytes counts those of lines.
func countBytes(lines []string) (n int) {
	for _, l := range lines {
		n += len(l)
	}
	return n
}

// lruCache keeps what was made, as far as there is room, that used last the
// longest.
type lruCache[K comparable, V any] struct {
	size func(V) int
	full func(bytes, n int) bool
	drop func(V) // what is kept no more; may be nil

	mu    *sync.Mutex
	at    map[K]*list.Element
	order *list.List // of *cached, the one used last in front
	bytes int
}

// cacheEntry is one of them. ready is closed once it is made.
type cacheEntry[K comparable, V any] struct {
	key   K
	value V
	err   error
	bytes int
	ready chan struct{}
}

func newCache[K comparable, V any](size func(V) int, full func(bytes, n int) bool, drop func(V)) lruCache[K, V] {
	return lruCache[K, V]{size: size, full: full, drop: drop, mu: new(sync.Mutex), at: make(map[K]*list.Element), order: list.New()}
}

// getOrBuild gives what is kept under a key, or makes it. What could not be made is
// not kept.
func (s *lruCache[K, V]) getOrBuild(k K, build func() (V, error)) (V, error) {
	s.mu.Lock()
	if e, ok := s.at[k]; ok {
		s.order.MoveToFront(e)
		s.mu.Unlock()
		v := e.Value.(*cacheEntry[K, V])
		<-v.ready
		return v.value, v.err
	}
	v := &cacheEntry[K, V]{key: k, ready: make(chan struct{})}
	e := s.order.PushFront(v)
	s.at[k] = e
	s.mu.Unlock()
	done := false
	defer func() {
		if !done {
			v.err = ErrNoPicture // making it panicked: nobody waits for it for ever
		}
		close(v.ready)
		s.weighEntry(e, v)
	}()
	v.value, v.err = build()
	done = true
	return v.value, v.err
}

// weighEntry weighs what was made, and lets go of what there is no room for.
func (s *lruCache[K, V]) weighEntry(e *list.Element, v *cacheEntry[K, V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v.err != nil {
		s.take(e)
		return
	}
	v.bytes = s.size(v.value)
	s.bytes += v.bytes
	for s.order.Len() > 1 && s.full(s.bytes, s.order.Len()) {
		s.take(s.order.Back())
	}
}

// useMade gives what is kept under a key, if it is made.
func (s *lruCache[K, V]) useMade(k K) (value V, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.at[k]
	if e == nil || !e.Value.(*cacheEntry[K, V]).isMade() {
		return value, false
	}
	s.order.MoveToFront(e)
	return e.Value.(*cacheEntry[K, V]).value, true
}

// eachMade goes through what is made, that used longest ago first.
func (s *lruCache[K, V]) eachMade(do func(K, V)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for e := s.order.Back(); e != nil; e = e.Prev() {
		if v := e.Value.(*cacheEntry[K, V]); v.isMade() {
			do(v.key, v.value)
		}
	}
}

func (v *cacheEntry[K, V]) isMade() bool {
	select {
	case <-v.ready:
		return v.err == nil
	default:
		return false
	}
}

func (s *lruCache[K, V]) take(e *list.Element) {
	v := e.Value.(*cacheEntry[K, V])
	s.order.Remove(e)
	delete(s.at, v.key)
	if s.bytes -= v.bytes; s.drop != nil && v.err == nil {
		s.drop(v.value)
	}
}
