package server

import "sync"

// hub passes marks on to everybody who listens, each by a slot of their own: a
// slow one holds nobody up, and sees the newest state.
type hub struct {
	mu    sync.Mutex
	slots map[chan struct{}]struct{}
}

// listen gives a slot, and what gives it back.
func (h *hub) listen() (<-chan struct{}, func()) {
	slot := make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.slots == nil {
		h.slots = make(map[chan struct{}]struct{})
	}
	h.slots[slot] = struct{}{}
	return slot, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.slots, slot)
	}
}

// mark tells everybody.
func (h *hub) mark() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for slot := range h.slots {
		select {
		case slot <- struct{}{}:
		default:
		}
	}
}
