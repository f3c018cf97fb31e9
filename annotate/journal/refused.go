package journal

import "fmt"

// giveUp takes back all that waits in a stream: it was made on what is not so,
// and to try it again would fail alike. Until whoever made it has taken it
// (Refused), what else they submit comes to it: they do not know yet.
func (j *Journal[S, A]) giveUp(s *stream[A], err error) {
	j.unpark(s)
	j.pending -= len(s.waiting)
	s.refused, s.waiting, s.cause = append(s.refused, s.waiting...), nil, err
}

// Refused takes the acts of a stream that were given up since it was asked last,
// in their order, and why. They are not tried again.
func (j *Journal[S, A]) Refused(name S) ([]A, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	s, ok := j.streams[name]
	if !ok || len(s.refused) == 0 {
		return nil, nil
	}
	acts, err := s.refused, s.cause
	s.refused, s.cause = nil, nil
	return acts, err
}

// lost says what a stream has given up and nobody has taken.
func (s *stream[A]) lost() error {
	if len(s.refused) == 0 {
		return nil
	}
	return fmt.Errorf("save %d acts: %w", len(s.refused), s.cause)
}

// lost says of the first stream what it has given up and nobody has taken.
func (j *Journal[S, A]) lost() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, s := range j.streams {
		if err := s.lost(); err != nil {
			return err
		}
	}
	return nil
}
