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

func (s *Seat) team(items int) Team {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	out := Team{Here: len(s.room.seats), Given: s.room.given, Wanted: items * s.room.queue.Wanted()}
	if len(s.room.known) > 0 || out.Given >= out.Wanted {
		out.Given, out.Wanted = 0, 0
	}
	return out
}
