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
