package curate

// filter is which candidates are gone through.
type filter struct {
	words  string
	source string
	axis   []string // nil: all
	state  state
}

// state narrows candidates down by how they stand.
type state uint8

const (
	everything state = iota
	waiting          // for the person
	answered         // by them
	kept             // accepted, of those that the person has answered
	dropped          // and dropped
	disputed         // experts differ, to be settled
	states
)

var stateNames = [states]string{"all", "for me", "answered", "accepted", "dropped", "disputed"}

// firstState is what is gone through at first.
func firstState(settle bool) state {
	if settle {
		return disputed
	}
	return everything
}

// on reports whether anything is filtered but what the work asks for.
func (f *filter) on(settle bool) bool {
	return f.words != "" || f.source != "" || f.axis != nil || f.state != firstState(settle)
}
