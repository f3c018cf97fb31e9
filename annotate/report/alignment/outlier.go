package alignment

import (
	"fmt"
	"strconv"

	"concord/annotate"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// OutlierKind tells why an annotator's figures stand out. The zero value is unset.
type OutlierKind uint8

// The kinds of outliers.
const (
	OutlierUnset OutlierKind = iota
	Differs                  // agrees with the others less often than they among themselves
	Hurries                  // takes less than half the time of the others
)

var outlierNames = []string{"", "differs", "hurries"}

// String returns the name that reports use.
func (k OutlierKind) String() string { return eval.NameOf(outlierNames, k) }

// MarshalText writes the name.
func (k OutlierKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Outlier tells how the figures of one annotator stand out. It is no verdict: who
// differs may be the one who reads the guideline right.
type Outlier struct {
	Annotator annotate.Annotator `json:"annotator"`
	Kind      OutlierKind        `json:"kind"`
	N         int                `json:"n"` // items behind it
	Text      string             `json:"text"`
}

// What it takes to point something out. Fewer items tell too little, and a
// small difference that many items make certain is not worth a talk.
const (
	outlierItems = 20   // items
	outlierGap   = 0.05 // between the rates
	outlierSpeed = 0.5  // of the others' time
)

// outliers lists how the figures of an annotator stand out.
func (l *AnnotatorLine) outliers() []Outlier {
	var out []Outlier
	if l.differs() {
		out = append(out, Outlier{l.Annotator, Differs, l.Others.N, fmt.Sprintf(
			"%s agrees with the others less often than they do among themselves (%s %%, %s %% CI %s to %s, n %s, against %s %%, n %s): worth talking over the guideline together.",
			l.Annotator, table.Percent(l.Others.Value), confidence(), table.Percent(l.Others.Low), table.Percent(l.Others.High), table.Grouped(l.Others.N),
			table.Percent(l.Without.Value), table.Grouped(l.Without.N))})
	}
	if l.hurries() {
		s := l.Time.Same
		out = append(out, Outlier{l.Annotator, Hurries, s.Items, fmt.Sprintf(
			"%s takes %s s an item where the others take %s s (medians over the same %s items).",
			l.Annotator, tenths(s.Median), tenths(s.Others), table.Grouped(s.Items))})
	}
	return out
}

func (l *AnnotatorLine) differs() bool {
	return l.Others.N >= outlierItems && l.Without.N >= outlierItems &&
		l.Others.High < l.Without.Value && l.Without.Value-l.Others.Value >= outlierGap
}

func (l *AnnotatorLine) hurries() bool {
	s := l.Time.Same
	return s != nil && s.Items >= outlierItems && s.Median < outlierSpeed*s.Others
}

func confidence() string { return strconv.FormatFloat(100*stat.Confidence, 'g', -1, 64) }

func tenths(seconds float64) string { return strconv.FormatFloat(seconds, 'f', 1, 64) }
