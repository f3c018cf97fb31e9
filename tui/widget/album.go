package widget

import (
	"container/list"
	"sync"
)

// mostShared is how many bytes of pictures and of drawings an album keeps each.
const mostShared = 48 << 20

// Album is pictures that were decoded, and what was drawn of them in characters,
// for all easels of a process: a team that works through one queue sees the same
// ones, each on a terminal of their own. Who asks for what is under way waits
// for it. It may be used by several goroutines.
type Album struct {
	pictures shelf[string, *Picture]
	drawings shelf[proof, []string]
}

// NewAlbum makes an empty one.
func NewAlbum() *Album {
	return &Album{
		pictures: newShelf[string](func(p *Picture) int { return len(p.image.Pix) }),
		drawings: newShelf[proof](func(lines []string) int {
			n := 0
			for _, l := range lines {
				n += len(l)
			}
			return n
		}),
	}
}

// shelf keeps what was made, as far as there is room, that used last the
// longest.
type shelf[K comparable, V any] struct {
	size func(V) int

	mu    *sync.Mutex
	at    map[K]*list.Element
	order *list.List // of *volume, the one used last in front
	bytes int
}

// volume is one of them. ready is closed once it is made.
type volume[K comparable, V any] struct {
	key   K
	value V
	err   error
	bytes int
	ready chan struct{}
}

func newShelf[K comparable, V any](size func(V) int) shelf[K, V] {
	return shelf[K, V]{size: size, mu: new(sync.Mutex), at: make(map[K]*list.Element), order: list.New()}
}

// get gives what is kept under a key, or makes it. What could not be made is
// not kept.
func (s *shelf[K, V]) get(k K, build func() (V, error)) (V, error) {
	s.mu.Lock()
	if e, ok := s.at[k]; ok {
		s.order.MoveToFront(e)
		s.mu.Unlock()
		v := e.Value.(*volume[K, V])
		<-v.ready
		return v.value, v.err
	}
	v := &volume[K, V]{key: k, ready: make(chan struct{})}
	e := s.order.PushFront(v)
	s.at[k] = e
	s.mu.Unlock()
	done := false
	defer func() {
		if !done {
			v.err = ErrNoPicture // making it panicked: nobody waits for it for ever
		}
		close(v.ready)
		s.settle(e, v)
	}()
	v.value, v.err = build()
	done = true
	return v.value, v.err
}

// settle weighs what was made, and lets go of what there is no room for.
func (s *shelf[K, V]) settle(e *list.Element, v *volume[K, V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v.err != nil {
		s.take(e)
		return
	}
	v.bytes = s.size(v.value)
	s.bytes += v.bytes
	for s.bytes > mostShared && s.order.Len() > 1 {
		s.take(s.order.Back())
	}
}

func (s *shelf[K, V]) take(e *list.Element) {
	v := e.Value.(*volume[K, V])
	s.order.Remove(e)
	delete(s.at, v.key)
	s.bytes -= v.bytes
}
