package openaitest

import "maps"

// Calls is how often each question was asked.
func (s *Server) Calls() map[Ask]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.calls)
}

// Count is how often a model was asked a prompt, with whatever pictures.
func (s *Server) Count(model, prompt string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for a, k := range s.calls {
		if a.Model == model && a.Prompt == prompt {
			n += k
		}
	}
	return n
}

// Total is how many calls came with a valid key, and how many without.
func (s *Server) Total() (total, refused int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total, s.refused
}

// Concurrency is how many calls are under way, and were at most.
func (s *Server) Concurrency() (now, peak int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now, s.peak
}
