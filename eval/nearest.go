package eval

import (
	"errors"
	"fmt"
	"strings"
)

// DidYouMean is the hint that names the nearest of the known words; "" when none
// is near.
func DidYouMean(word string, known []string) string {
	best, at := "", max(2, len(word)/3)+1
	for _, k := range known {
		if d := EditDistance(strings.ToLower(word), strings.ToLower(k)); d < at {
			best, at = k, d
		}
	}
	if word == "" || best == "" || best == word {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", best)
}

// EditDistance is Levenshtein's, in bytes. A word that begins with the other is
// one step away: "prompt" and "price" are short for one of several keys.
func EditDistance(a, b string) int {
	if len(a) > 2 && strings.HasPrefix(b, a) || len(b) > 2 && strings.HasPrefix(a, b) {
		return 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(row[j+1]+1, row[j]+1, diagonal+cost)
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}

// Errors of facts and lookups.
var (
	ErrNotFound = errors.New("not found")
	ErrRecorded = errors.New("already recorded")
)

// NewNotFoundError gives an ErrNotFound in words that say so by themselves.
func NewNotFoundError(format string, args ...any) error { return missing(fmt.Sprintf(format, args...)) }

// NewUnknownError gives an ErrNotFound of a name, with the nearest of those that there are.
func NewUnknownError(kind, name string, known []string) error {
	return NewNotFoundError("%s %q: %v%s", kind, name, ErrNotFound, DidYouMean(name, known))
}

type missing string

func (m missing) Error() string     { return string(m) }
func (m missing) Is(err error) bool { return err == ErrNotFound }
