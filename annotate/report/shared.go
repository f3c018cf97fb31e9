package report

import "concord/eval"

// Shared keeps what reading a run came to, for reports that are made one after
// the other: reading a run again costs far more than a report. It is good for
// options that read alike (Rules, Judge, Reader) over facts that stay as they
// are, and not for several goroutines. The zero value is empty.
type Shared struct {
	runs map[eval.RunID]ScannedRun
	kept []any // by packages of reports, each of a type of its own
}

// figures is what a run was counted to, if it was.
func (s *Shared) figures(run eval.RunID) (ScannedRun, bool) {
	if s == nil {
		return ScannedRun{}, false
	}
	f, ok := s.runs[run]
	return f, ok
}

func (s *Shared) keep(run eval.RunID, f *ScannedRun) {
	if s == nil {
		return
	}
	if s.runs == nil {
		s.runs = make(map[eval.RunID]ScannedRun)
	}
	s.runs[run] = *f
}

// Beside is what a package of reports keeps of its own from one report to the
// next, made when it is asked for first. Nothing is kept without Shared.
func Beside[T any](s *Shared, first func() T) T {
	if s == nil {
		return first()
	}
	for _, k := range s.kept {
		if t, ok := k.(T); ok {
			return t
		}
	}
	t := first()
	s.kept = append(s.kept, t)
	return t
}
