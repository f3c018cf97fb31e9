package eval

// Comparison is two runs on one dataset that one ballot compares, whichever answer
// is shown first. A is the run with the lower number.
type Comparison struct {
	A, B RunID
	Ballot
}

// Comparison gives the comparison that the vote belongs to.
func (p *Preference) Comparison() Comparison {
	return Comparison{A: min(p.First, p.Second), B: max(p.First, p.Second), Ballot: p.Ballot}
}

// Against is the run that id is compared with in the comparison; 0 when id is
// none of the two.
func (c *Comparison) Against(id RunID) RunID {
	switch id {
	case c.A:
		return c.B
	case c.B:
		return c.A
	}
	return 0
}

// Reads reports whether the judge has had its say on the pair: an unparsed
// reply is a say, a failed call is none.
func (p *Preference) Reads() bool { return p.Failure == nil }

// VoteCounts are a comparison's totals over pairs, each order by itself: what
// stands, kept in the transaction of the vote that changes it.
type VoteCounts struct {
	Votes    [Votes]int // VoteUnset: replies that hold no vote
	Failures int        // pairs of which every call has failed
	Usage    Usage      // of every call recorded
}

// Asked is how many pairs have a reply.
func (c *VoteCounts) Asked() int {
	n := 0
	for _, k := range c.Votes {
		n += k
	}
	return n
}

// Take counts a vote that is recorded behind last, the one that stood for the
// pair: nil without one. A failed call takes the place of no reply.
func (c *VoteCounts) Take(p, last *Preference) {
	c.Usage.Add(p.Usage)
	had := said{}
	if last != nil {
		had = said{int(last.Vote), last.Reads(), true}
	}
	count(c.Votes[:], &c.Failures, said{int(p.Vote), p.Reads(), true}, had)
}

// said is what a judge's call came to: a value, or a failure; or no call.
type said struct {
	value  int
	reads  bool
	called bool
}

// count counts what was said now in the place of what stood.
func count(values []int, failures *int, now, had said) {
	switch {
	case had.reads && !now.reads:
		return
	case had.reads:
		values[had.value]--
	case had.called:
		*failures--
	}
	if now.reads {
		values[now.value]++
	} else {
		*failures++
	}
}

// ComparisonProgress is a comparison and how far it has come.
type ComparisonProgress struct {
	Comparison
	Counts VoteCounts
}
