package main

import (
	"context"
	"fmt"
	"sync"

	"concord/annotate"
	"concord/eval"
	"concord/store"
)

// settlement ends the growth of a queue once every run that feeds it has come
// to its end.
type settlement struct {
	st    *store.Store
	live  *live
	runs  []eval.Run
	queue annotate.QueueName

	mu      sync.Mutex
	grower  *annotate.Grower // nil: the queue grows no more
	settled bool
}

// runEnded is told that one of the runs has ended.
func (s *settlement) runEnded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.grower == nil || s.settled || !s.allDone() {
		return
	}
	s.settled = true
	if err := s.close(); err != nil {
		s.live.log.Error("settle queue", "queue", s.queue, "err", err)
	}
}

// close enrols what waits, and lets the queue grow no more.
func (s *settlement) close() error {
	if err := s.grower.Close(); err != nil {
		return fmt.Errorf("enrol in queue %s: %w", s.queue, err)
	}
	return s.st.Queues().Finish(context.Background(), s.queue)
}

func (s *settlement) allDone() bool {
	for _, r := range s.runs {
		p, ok := s.live.Progress(r.ID)
		if !ok || p.State != eval.Done || p.Counts.Failures > 0 {
			return false
		}
	}
	return true
}

// stop waits for the runs, and for what they had enrolled.
func (s *settlement) stop() error {
	s.live.wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.grower == nil || s.settled {
		return nil
	}
	return s.grower.Close()
}
