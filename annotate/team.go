package annotate

// Team is how far everybody together is in a queue. It is not said where it would
// give something away: where answers are known, a label that does not count among
// those that are wanted would tell that it is on such an item, and so would one
// beyond them all tell that others differ.
type Team struct {
	Here   int // people who sit at it
	Given  int // labels that stand
	Wanted int // labels that it wants, while all who label an item agree; 0: not said
}

func (s *Claim) Team(items int) Team {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	out := Team{Here: len(s.state.claims), Given: s.state.given, Wanted: items * s.state.queue.Wanted()}
	if len(s.state.known) > 0 || out.Given >= out.Wanted {
		out.Given, out.Wanted = 0, 0
	}
	return out
}
