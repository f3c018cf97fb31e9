package journal

import "slices"

// FindTakenBack finds the acts of a stream that stand no more: an act stands unless
// a later act that stands took it back, so undo, redo and undo again are one
// rule. target is the number of the act that an act takes back, 0 for none.
func FindTakenBack[A any](acts []A, number, target func(*A) uint32) map[uint32]bool {
	gone := make(map[uint32]bool)
	for i := range slices.Backward(acts) {
		if t := target(&acts[i]); t != 0 && !gone[number(&acts[i])] {
			gone[t] = true
		}
	}
	return gone
}

// History is what can be taken back and what can be done again, as the
// numbers of acts, the next one last. It follows from the acts alone, and so
// survives the end of a session. The zero value is empty.
type History struct {
	done   []uint32 // acts that stand
	undone []uint32 // acts that took one back, and have not been taken back
}

// AddDone takes up an act that takes nothing back: it ends what can be done again.
func (h *History) AddDone(n uint32) { h.done, h.undone = append(h.done, n), nil }

// AddUndone takes up the act n, which took back the act target.
func (h *History) AddUndone(n, target uint32) {
	h.done, h.undone = removeNumber(h.done, target), append(h.undone, n)
}

// AddRedone takes up an act by which the act of stands again: it took back the act
// undo, which had taken that one back.
func (h *History) AddRedone(undo, of uint32) {
	h.done, h.undone = append(h.done, of), removeNumber(h.undone, undo)
}

// CanUndo reports whether there is an act to take back.
func (h *History) CanUndo() bool { return len(h.done) > 0 }

// CanRedo reports whether the last thing done was to take something back.
func (h *History) CanRedo() bool { return len(h.undone) > 0 }

// NextUndo gives the act that is taken back next; false when there is none.
func (h *History) NextUndo() (uint32, bool) { return lastNumber(h.done) }

// NextRedo gives the act of taking back that is taken back next; false when there
// is none.
func (h *History) NextRedo() (uint32, bool) { return lastNumber(h.undone) }

// removeNumber removes n, which is at or near the end.
func removeNumber(list []uint32, n uint32) []uint32 {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == n {
			return slices.Delete(list, i, i+1)
		}
	}
	return list
}

func lastNumber(list []uint32) (uint32, bool) {
	if len(list) == 0 {
		return 0, false
	}
	return list[len(list)-1], true
}
