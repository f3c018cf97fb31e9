package session

import (
	"concord/annotate"
	"concord/annotate/journal"
)

// remember takes up the act a of acts in what can be taken back. What came
// from a file is no act of this kind.
func remember(h *journal.History, acts []annotate.Act, a *annotate.Act) {
	switch {
	case a.Imported || a.Kind == annotate.ActUnset || a.Kind == annotate.TooLate || a.Kind == annotate.Looked:
	case a.Kind != annotate.TookBack:
		h.Did(a.N)
	case a.Target == 0 || a.Target >= a.N:
	case acts[a.Target-1].Kind == annotate.TooLate: // nothing stood
	case acts[a.Target-1].Kind == annotate.TookBack:
		h.Redid(a.Target, acts[a.Target-1].Target)
	default:
		h.Undid(a.N, a.Target)
	}
}

// mine reports whether an act is one that the session takes back. Rulings are
// left to a session that adjudicates, and labels to one that labels: neither
// would show what is undone.
func (s *Session) mine(acts []annotate.Act, a *annotate.Act) bool {
	for a.Kind == annotate.TookBack && a.Target > 0 && int(a.Target) <= len(acts) && a.Target < a.N {
		a = &acts[a.Target-1]
	}
	switch a.Kind {
	case annotate.Ruled:
		return s.adjudicating
	case annotate.Labelled, annotate.Skipped, annotate.Flagged, annotate.Unflagged, annotate.TooLate:
		return !s.adjudicating
	case annotate.Noted, annotate.Looked, annotate.TookBack, annotate.ActUnset:
	}
	return true
}
