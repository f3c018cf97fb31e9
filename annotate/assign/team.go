package assign

// Team counts the labels of a queue by all its annotators together. The counts
// are left out where they would give something away: where answers are known, a
// label that does not count among those that are wanted would tell that it is on
// such an item, and one beyond them all would tell that others differ.
type Team struct {
	Here   int // people who work in it now
	Given  int // labels that stand
	Wanted int // labels that it wants, while all who label an item agree; 0: not said
}

// Team is that of the queue, which has so many items.
func (c *Claim) Team(items int) Team {
	c.state.mu.Lock()
	defer c.state.mu.Unlock()
	out := Team{Here: len(c.state.claims), Given: c.state.given, Wanted: items * c.state.queue.Wanted()}
	if len(c.state.known) > 0 || out.Given >= out.Wanted {
		out.Given, out.Wanted = 0, 0
	}
	return out
}
