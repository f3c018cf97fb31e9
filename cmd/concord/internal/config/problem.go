package config

import (
	"fmt"
	"strings"
)

// Problem is something wrong with a configuration, in words that name no key
// of an endpoint.
type Problem struct {
	Origin Origin // zero when no place is to blame
	Key    string // "" for a file that does not parse
	Text   string
	Cause  error // for errors.Is; mostly nil
}

// Unwrap gives the cause.
func (p Problem) Unwrap() error { return p.Cause }

// Error is the place, the key and what is wrong.
func (p Problem) Error() string {
	var b strings.Builder
	if p.Origin.Source != SourceUnset {
		b.WriteString(p.Origin.String() + ": ")
	}
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	return b.String() + p.Text
}

// Problems are all that is wrong with a configuration, file by file.
type Problems []Problem

const problemsShown = 20

// Error has a line for each problem.
func (p Problems) Error() string {
	var lines []string
	for i, one := range p {
		if i == problemsShown {
			lines = append(lines, fmt.Sprintf("and %d more", len(p)-i))
			break
		}
		lines = append(lines, one.Error())
	}
	return "read config: " + strings.Join(lines, "\n  ")
}

// Unwrap gives each problem to errors.As.
func (p Problems) Unwrap() []error {
	out := make([]error, len(p))
	for i, one := range p {
		out[i] = one
	}
	return out
}

// did is the hint that names the nearest of the known words, or all of them
// when none is near.
func did(word string, known []string) string {
	if hint := nearest(word, known); hint != "" || len(known) == 0 {
		return hint
	}
	return "; known: " + strings.Join(known, ", ")
}

// nearest is the hint that names the nearest of the known words; "" when none
// is near.
func nearest(word string, known []string) string {
	best, at := "", max(2, len(word)/3)+1
	for _, k := range known {
		if d := Distance(strings.ToLower(word), strings.ToLower(k)); d < at {
			best, at = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", best)
}

// Distance is Levenshtein's, in bytes. A word that begins with the other is
// one step away: "prompt" and "price" are short for one of several keys.
func Distance(a, b string) int {
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
