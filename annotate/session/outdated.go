package session

import "concord/annotate"

// Outdated is how many of the annotator's labels were made under another
// version of the guideline than the one in force, those from files left aside.
func (s *Session) Outdated() int {
	n := 0
	for _, l := range s.state.Labels {
		if !l.Imported && s.queue.Guideline.Of(&l) != s.queue.Guideline.Version {
			n++
		}
	}
	return n
}

// Amended reports whether the annotator labelled last under another version of
// the guideline than the one in force.
func (s *Session) Amended() bool {
	for i := len(s.acts) - 1; i >= 0; i-- {
		if a := &s.acts[i]; a.Kind == annotate.Labelled && !a.Imported {
			return s.queue.Guideline.VersionAt(a.Guideline, false, a.At) != s.queue.Guideline.Version
		}
	}
	return false
}
