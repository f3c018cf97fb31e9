package criteria

import (
	"maps"
	"slices"

	"concord/annotate"
)

// History holds the acts on a sample, and which of them count for nothing.
type History struct {
	Acts    []Act            // all, in order, also those taken back
	Gone    map[uint32]bool  // taken back, by number
	Illegal map[uint32]error // not allowed when they were done, and why
}

// Stands reports whether an act counts: it was done, and not taken back.
func (h *History) Stands(n uint32) bool {
	return n > 0 && int(n) <= len(h.Acts) && !h.Gone[n] && h.Illegal[n] == nil
}

// clone gives a history to which acts can be added while this one stays.
func (h *History) clone() History {
	return History{Acts: slices.Clip(h.Acts), Gone: maps.Clone(h.Gone), Illegal: maps.Clone(h.Illegal)}
}

// refuse has the act of a number count for nothing.
func (h *History) refuse(n uint32, err error) {
	if h.Illegal == nil {
		h.Illegal = make(map[uint32]error)
	}
	h.Illegal[n] = err
}

// undoable gives the number of the last act of a person that is theirs to take
// back; 0 when there is none. What came from a file stays.
func (h *History) undoable(who annotate.Annotator) uint32 {
	for i := range slices.Backward(h.Acts) {
		a := &h.Acts[i]
		if a.Who == who && a.Kind != TookBack && !a.Imported && h.Stands(a.N) {
			return a.N
		}
	}
	return 0
}

// redoable gives the number of the undo that a person may take back; 0 when
// they have done something else since.
func (h *History) redoable(who annotate.Annotator) uint32 {
	for i := range slices.Backward(h.Acts) {
		a := &h.Acts[i]
		switch {
		case a.Who != who || !h.Stands(a.N):
		case a.Kind != TookBack:
			return 0
		case h.Acts[a.Target-1].Kind != TookBack:
			return a.N
		default: // a redo: the undo before the one that it took back is next
		}
	}
	return 0
}

// takenBack finds the acts that stand no more, when one more act is done.
func (h *History) takenBack(more *Act) map[uint32]bool {
	gone := make(map[uint32]bool)
	if more != nil {
		gone[more.Target] = true
	}
	for i := range slices.Backward(h.Acts) {
		if a := &h.Acts[i]; a.Kind == TookBack && !gone[a.N] && h.Illegal[a.N] == nil {
			gone[a.Target] = true
		}
	}
	return gone
}

// oneStep reports whether a draft and a later one were saved while the same
// person wrote on, and nothing stands between them.
func (h *History) oneStep(before, after uint32) bool {
	a, b := &h.Acts[before-1], &h.Acts[after-1]
	if a.Kind != Drafted || b.Kind != Drafted || b.At.Sub(a.At) > rest {
		return false
	}
	for n := before + 1; n < after; n++ {
		if h.Stands(n) {
			return false
		}
	}
	return true
}

// undoneAtOnce reports whether two undos took back drafts in one step.
func (h *History) undoneAtOnce(before, after uint32) bool {
	a, b := &h.Acts[before-1], &h.Acts[after-1]
	return a.At.Equal(b.At) && h.Acts[a.Target-1].Kind == Drafted && h.Acts[b.Target-1].Kind == Drafted
}
