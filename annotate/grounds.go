package annotate

import (
	"strconv"
	"strings"
)

// Grounds are what a person may add to a label: why, and how sure they are.
type Grounds struct {
	Reason     string
	Confidence float64 // in (0, 1]; 0: not given
}

// ParseGrounds reads grounds as they are typed: a reason, and before it,
// optionally, how sure one is: "80% it says so at the end", or "80%" alone.
func ParseGrounds(s string) Grounds {
	s = strings.TrimSpace(s)
	head, rest, ok := strings.Cut(s, "%")
	if n, err := strconv.Atoi(strings.TrimSpace(head)); ok && err == nil && n >= 1 && n <= 100 {
		return Grounds{Reason: strings.TrimSpace(rest), Confidence: float64(n) / 100}
	}
	return Grounds{Reason: s}
}

// String writes what ParseGrounds reads.
func (g Grounds) String() string {
	if g.Confidence <= 0 {
		return g.Reason
	}
	return strings.TrimSpace(strconv.Itoa(int(100*g.Confidence+0.5)) + "% " + g.Reason)
}

// Grounds are those of the label.
func (l *Label) Grounds() Grounds { return Grounds{l.Reason, l.Confidence} }

// Explain gives the label of the item in front these grounds, and stays with
// it. The label is otherwise as it was: as blind, and as long in the making. It
// reports false, and does nothing, where there is no label, or it has them.
func (s *Session) Explain(g Grounds) (Act, bool) {
	it, ok := s.front()
	if !ok || s.adjudicating {
		return Act{}, false
	}
	l, ok := s.state.Labels[it.key]
	if !ok || l.Grounds() == g {
		return Act{}, false
	}
	return s.act(it.key, Act{
		Kind: Labelled, Reading: l.Reading, Reason: g.Reason, Confidence: g.Confidence, Informed: l.Informed,
		Guideline: l.Guideline, Spent: l.Spent,
	}), true
}
