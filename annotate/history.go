package annotate

import "concord/annotate/journal"

// remember takes up the act a of acts in what can be taken back. What came
// from a file is no act of this kind.
func remember(h *journal.History, acts []Act, a *Act) {
	switch {
	case a.Imported || a.Kind == ActUnset || a.Kind == TooLate || a.Kind == Looked:
	case a.Kind != TookBack:
		h.Did(a.N)
	case a.Target == 0 || a.Target >= a.N:
	case acts[a.Target-1].Kind == TooLate: // nothing stood
	case acts[a.Target-1].Kind == TookBack:
		h.Redid(a.Target, acts[a.Target-1].Target)
	default:
		h.Undid(a.N, a.Target)
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
