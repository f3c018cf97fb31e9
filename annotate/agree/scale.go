package agree

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Level is what the distance between two classes means (Stevens 1946). The
// zero value is unset, and counts as Nominal.
type Level uint8

// The levels.
const (
	LevelUnset Level = iota
	Nominal          // classes are the same or not
	Ordinal          // they have an order
	Interval         // they are numbers, whose differences mean something
	Ratio            // and zero is a real zero
)

var levelNames = []string{"", "nominal", "ordinal", "interval", "ratio"}

// String returns the name that flags and reports use.
func (l Level) String() string {
	if int(l) >= len(levelNames) {
		return "invalid"
	}
	return levelNames[l]
}

// ParseLevel reads what String writes.
func ParseLevel(s string) (Level, error) {
	if i := slices.Index(levelNames, s); i > 0 {
		return Level(i), nil
	}
	return LevelUnset, fmt.Errorf("unknown level %q: want one of %s", s, strings.Join(levelNames[1:], ", "))
}

// Scale is a level, with the order of its classes where it is Ordinal and they
// are no numbers. The zero value is the nominal scale.
type Scale struct {
	Level Level
	Order []string // from the lowest; nil: classes are numbers
}

// Class is a rating as the scale writes it, so that equal ones are equal
// texts: "1.0" and "1" are one number, yet two nominal classes.
func (s Scale) Class(rating string) (string, error) {
	switch {
	case rating == "" || s.nominal():
		return rating, nil
	case s.Level == Ordinal && s.Order != nil:
		if !slices.Contains(s.Order, rating) {
			return "", fmt.Errorf("%q is not in the order of classes", rating)
		}
		return rating, nil
	}
	x, err := strconv.ParseFloat(rating, 64)
	switch {
	case (err != nil || !finite(x)) && s.Level == Ordinal:
		return "", fmt.Errorf("%q is no number: classes that are none need an order", rating)
	case err != nil || !finite(x):
		return "", fmt.Errorf("%q is no number", rating)
	case x < 0 && s.Level == Ratio:
		return "", errors.New("a ratio scale has nothing below zero")
	}
	return strconv.FormatFloat(x+0, 'g', -1, 64), nil // + 0: no minus zero
}

func (s Scale) nominal() bool { return s.Level == LevelUnset || s.Level == Nominal }

// places sorts classes by the scale and gives each its place: its rank, or its
// number. On the nominal scale they are sorted by name.
func (s Scale) places(classes []string) (places []float64, why string) {
	places = make([]float64, len(classes))
	if s.nominal() {
		slices.Sort(classes)
		return places, ""
	}
	at := make(map[string]float64, len(classes))
	for _, c := range classes {
		if _, err := s.Class(c); err != nil {
			return nil, err.Error()
		}
		if s.Order != nil && s.Level == Ordinal {
			at[c] = float64(slices.Index(s.Order, c))
			continue
		}
		at[c], _ = strconv.ParseFloat(c, 64) // Class has read it
	}
	slices.SortFunc(classes, func(a, b string) int { return cmp.Or(cmp.Compare(at[a], at[b]), strings.Compare(a, b)) })
	for i, c := range classes {
		places[i] = at[c]
		if s.Level == Ordinal {
			places[i] = float64(i)
		}
	}
	return places, ""
}

// distance is Krippendorff's ratio metric.
func distance(a, b float64) float64 {
	if a+b == 0 {
		return 0
	}
	return square((a - b) / (a + b))
}

func square(x float64) float64 { return x * x }

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }
