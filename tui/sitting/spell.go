package sitting

// Spell has texts name keys as the person has them. with is how one of the
// screen's own is written now.
func (s *Sitting[B]) Spell(with func(key string) string) { s.spell = with }

// Spelled is how one of the screen's keys is written.
func (s *Sitting[B]) Spelled(key string) string {
	if s.spell == nil {
		return key
	}
	return s.spell(key)
}
