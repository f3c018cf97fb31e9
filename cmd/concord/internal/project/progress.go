package project

import (
	"sync"

	"concord/eval"
)

// Live is where the runs stand that this process works on, for what other processes ask
// of it. A nil one holds none.
type Live struct {
	mu   sync.Mutex
	runs map[eval.RunID]func() eval.Progress
}

// Follow has the progress of a run known from now on.
func (l *Live) Follow(id eval.RunID, progress func() eval.Progress) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	eval.MakeMap(&l.runs)[id] = progress
}

// Progress is where a run stands; false where this process has not worked on it.
func (l *Live) Progress(id eval.RunID) (p eval.Progress, ok bool) {
	if l == nil {
		return p, false
	}
	l.mu.Lock()
	progress, ok := l.runs[id]
	l.mu.Unlock()
	if ok {
		p = progress()
	}
	return p, ok
}
