package report

import "concord/eval"

// Shared keeps what reading a run came to, for reports that are made one after
// the other: reading a run again costs far more than a report. It is good for
// options that read alike (Rules, Judge, Reader) over facts that stay as they
// are, and not for several goroutines. The zero value is empty.
type Shared struct {
	runs   map[eval.RunID]runFigures
	looked map[looking]*GainSide
	splits map[eval.DatasetName][]string
}

// figures is what a run was counted to, if it was.
func (s *Shared) figures(run eval.RunID) (runFigures, bool) {
	if s == nil {
		return runFigures{}, false
	}
	f, ok := s.runs[run]
	return f, ok
}

func (s *Shared) keep(run eval.RunID, f *runFigures) {
	if s == nil {
		return
	}
	if s.runs == nil {
		s.runs = make(map[eval.RunID]runFigures)
	}
	s.runs[run] = *f
}

// sides are the runs decided so far, and the splits of their datasets, to go on
// with.
func (s *Shared) sides() (looked map[looking]*GainSide, splits map[eval.DatasetName][]string) {
	if s == nil {
		s = &Shared{}
	}
	if s.looked == nil {
		s.looked, s.splits = make(map[looking]*GainSide), make(map[eval.DatasetName][]string)
	}
	return s.looked, s.splits
}
