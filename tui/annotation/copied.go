package annotation

// Copied is the answer in front as the model gave it; of a pair both, in the
// order in which they are shown.
func (s *Sitting[B]) Copied() (what, text string) {
	pg := s.Page()
	if pg == nil || pg.Err != nil {
		return "", ""
	}
	it := &pg.Item
	if it.Against == "" {
		return "the answer", it.Prediction
	}
	first, second := it.Prediction, it.Against
	if _, k, ok := s.Session.Current(); ok && s.Session.Swapped(k) {
		first, second = second, first
	}
	return "both answers", "Answer 1:\n" + first + "\n\nAnswer 2:\n" + second + "\n"
}
