package annotate

import "slices"

// history is what can be taken back and what can be done again, as the
// numbers of acts, the next one last. It follows from the acts alone, and so
// survives the end of a session.
type history struct {
	done   []uint32 // acts that stand
	undone []uint32 // acts that took one back, and have not been taken back
}

// add takes up the act a of acts. A new act, other than undo and redo, ends
// what can be done again; one that came from a file is no act of this kind.
func (h *history) add(acts []Act, a *Act) {
	switch {
	case a.Imported || a.Kind == ActUnset || a.Kind == TooLate || a.Kind == Looked:
	case a.Kind != TookBack:
		h.done, h.undone = append(h.done, a.N), nil
	case a.Target == 0 || a.Target >= a.N:
	case acts[a.Target-1].Kind == TooLate: // nothing stood
	case acts[a.Target-1].Kind == TookBack:
		h.undone = without(h.undone, a.Target)
		h.done = append(h.done, acts[a.Target-1].Target)
	default:
		h.done = without(h.done, a.Target)
		h.undone = append(h.undone, a.N)
	}
}

// mine reports whether an act is one that the session takes back. Rulings are
// left to a session that adjudicates, and labels to one that labels: neither
// would show what is undone.
func (s *Session) mine(acts []Act, a *Act) bool {
	for a.Kind == TookBack && a.Target > 0 && int(a.Target) <= len(acts) && a.Target < a.N {
		a = &acts[a.Target-1]
	}
	switch a.Kind {
	case Ruled:
		return s.adjudicating
	case Labelled, Skipped, Flagged, Unflagged, TooLate:
		return !s.adjudicating
	case Noted, Looked, TookBack, ActUnset:
	}
	return true
}

// without removes n, which is at or near the end.
func without(list []uint32, n uint32) []uint32 {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == n {
			return slices.Delete(list, i, i+1)
		}
	}
	return list
}

func last(list []uint32) (uint32, bool) {
	if len(list) == 0 {
		return 0, false
	}
	return list[len(list)-1], true
}
