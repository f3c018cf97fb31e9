package alignment

import (
	"fmt"
	"strconv"

	"concord/annotate"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// PointerKind is what is worth talking over with somebody. The zero value is
// unset.
type PointerKind uint8

// The kinds of pointers.
const (
	PointerUnset PointerKind = iota
	Differs                  // agrees with the others less often than they among themselves
	Hurries                  // takes less than half the time of the others
)

var pointerNames = []string{"", "differs", "hurries"}

// String returns the name that reports use.
func (k PointerKind) String() string {
	if int(k) >= len(pointerNames) {
		return "invalid"
	}
	return pointerNames[k]
}

// MarshalText writes the name.
func (k PointerKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Pointer is something about a person's work that is worth a talk. It is no
// verdict: who differs may be the one who reads the guideline right.
type Pointer struct {
	Annotator annotate.Annotator `json:"annotator"`
	Kind      PointerKind        `json:"kind"`
	N         int                `json:"n"` // items behind it
	Text      string             `json:"text"`
}

// What it takes to point something out. Fewer items tell too little, and a
// small difference that many items make certain is not worth a talk.
const (
	pointFrom = 20   // items
	pointGap  = 0.05 // between the rates
	pointPace = 0.5  // of the others' time
)

// pointers are what is worth talking over with the person.
func (l *AnnotatorLine) pointers() []Pointer {
	var out []Pointer
	if l.differs() {
		out = append(out, Pointer{l.Annotator, Differs, l.Others.N, fmt.Sprintf(
			"%s agrees with the others less often than they do among themselves (%s %%, %s %% CI %s to %s, n %s, against %s %%, n %s): worth talking over the guideline together.",
			l.Annotator, table.Percent(l.Others.Value), confidence(), table.Percent(l.Others.Low), table.Percent(l.Others.High), table.Grouped(l.Others.N),
			table.Percent(l.Without.Value), table.Grouped(l.Without.N))})
	}
	if l.hurries() {
		s := l.Time.Same
		out = append(out, Pointer{l.Annotator, Hurries, s.Items, fmt.Sprintf(
			"%s takes %s s an item where the others take %s s (medians over the same %s items).",
			l.Annotator, tenths(s.Median), tenths(s.Others), table.Grouped(s.Items))})
	}
	return out
}

func (l *AnnotatorLine) differs() bool {
	return l.Others.N >= pointFrom && l.Without.N >= pointFrom &&
		l.Others.High < l.Without.Value && l.Without.Value-l.Others.Value >= pointGap
}

func (l *AnnotatorLine) hurries() bool {
	s := l.Time.Same
	return s != nil && s.Items >= pointFrom && s.Median < pointPace*s.Others
}

func confidence() string { return strconv.FormatFloat(100*stat.Confidence, 'g', -1, 64) }

func tenths(seconds float64) string { return strconv.FormatFloat(seconds, 'f', 1, 64) }
