package annotate

// Resolved holds what words about one item come to: people's readings, votes or
// any other classes.
type Resolved[T comparable] struct {
	Word  T
	Votes int  // who say it
	Of    int  // who had a say
	Ruled bool // an adjudicator's word
}

// Resolve gives what words come to under a policy, and false where they stay
// open. A ruling is the adjudicator's word on the item, nil without one, and
// counts under Adjudicated alone. Without words nothing is resolved.
func Resolve[T comparable](words []T, ruling *T, p Policy) (Resolved[T], bool) {
	out := Resolved[T]{Of: len(words)}
	votes := make(map[T]int)
	for _, w := range words {
		votes[w]++
	}
	second := 0
	for w, n := range votes {
		switch {
		case n > out.Votes:
			second = out.Votes
			out.Word, out.Votes = w, n
		case n > second:
			second = n
		}
	}
	decided := false
	switch p {
	case Unanimous:
		decided = out.Votes > 0 && out.Votes == out.Of
	case Majority:
		decided = 2*out.Votes > out.Of
	case Plurality:
		decided = out.Votes > second
	case Adjudicated:
		if ruling != nil {
			return Resolved[T]{Word: *ruling, Votes: votes[*ruling], Of: out.Of, Ruled: true}, true
		}
		decided = out.Votes > 0 && out.Votes == out.Of
	case PolicyUnset, DawidSkene: // the latter takes all items
	}
	if !decided {
		return Resolved[T]{Of: out.Of}, false
	}
	return out, true
}
