package config

import (
	"fmt"
	"strings"

	"concord/eval"
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
	if hint := eval.DidYouMean(word, known); hint != "" || len(known) == 0 {
		return hint
	}
	return "; known: " + strings.Join(known, ", ")
}
