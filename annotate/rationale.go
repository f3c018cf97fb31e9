package annotate

import (
	"strconv"
	"strings"
)

// Rationale is what a person may add to a label: the reason, and their confidence.
type Rationale struct {
	Reason     string
	Confidence float64 // in (0, 1]; 0: not given
}

// ParseRationale reads a rationale as it is typed: a reason, and before it,
// optionally, how sure one is: "80% it says so at the end", or "80%" alone.
func ParseRationale(s string) Rationale {
	s = strings.TrimSpace(s)
	head, rest, ok := strings.Cut(s, "%")
	if n, err := strconv.Atoi(strings.TrimSpace(head)); ok && err == nil && n >= 1 && n <= 100 {
		return Rationale{Reason: strings.TrimSpace(rest), Confidence: float64(n) / 100}
	}
	return Rationale{Reason: s}
}

// String writes what ParseRationale reads.
func (g Rationale) String() string {
	if g.Confidence <= 0 {
		return g.Reason
	}
	return strings.TrimSpace(strconv.Itoa(int(100*g.Confidence+0.5)) + "% " + g.Reason)
}

// Rationale gives the rationale of the label.
func (l *Label) Rationale() Rationale { return Rationale{l.Reason, l.Confidence} }
