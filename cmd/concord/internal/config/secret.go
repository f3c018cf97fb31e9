package config

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// People paste keys where a name belongs. What looks like one is refused
// wherever it stands, and is not repeated in the refusal.

var (
	certain  = regexp.MustCompile(`(?i)^(bearer\s+\S{8,}|sk-[A-Za-z0-9_-]{8,}|AIza[A-Za-z0-9_-]{20,})$`)
	prefixed = regexp.MustCompile(`(?i)^(sk|pk|rk|gsk|xai|hf|r8|pplx|nvapi|ghp|fw|key)[-_][A-Za-z0-9_-]{26,}$`)
	uuid     = regexp.MustCompile(`(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
)

// secret reports whether a value begins as the vendors' keys do.
func secret(s string) bool {
	s = strings.TrimSpace(s)
	return certain.MatchString(s) || prefixed.MatchString(s) && strings.ContainsAny(s, "0123456789")
}

// opaque reports whether a text is too long and too mixed for a name: names
// have words, and something between them.
func opaque(s string) bool {
	var digits, letters, between int
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		default:
			between++
		}
	}
	mixed := digits >= 3 && letters >= 3
	return mixed && len(s) >= 20 && len(s) >= 16*(between+1) || uuid.MatchString(s)
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// named reports whether s can be the name of an environment variable that
// somebody chose: no key looks like that.
func named(s string) bool {
	return variableName.MatchString(s) && len(s) <= 100 && !secret(s) && !opaque(s)
}

const (
	shown  = 60 // characters of a value that an error repeats
	hidden = "(not shown: it looks like a key)"
)

// quote repeats a text of the config in an error, unless it may be a key.
func quote(s string) string {
	if secret(s) || opaque(s) {
		return hidden
	}
	if r := []rune(s); len(r) > shown {
		s = string(r[:shown]) + "..."
	}
	return strconv.Quote(s)
}

var (
	bearer = regexp.MustCompile(`(?i)bearer\s+\S{8,}`)
	word   = regexp.MustCompile("[^\\s\"'`,;()\\[\\]{}=]+")
)

// redact takes out of a message what may be a key.
func redact(message string) string {
	message = bearer.ReplaceAllString(message, hidden)
	return word.ReplaceAllStringFunc(message, func(w string) string {
		if secret(w) || opaque(w) {
			return hidden
		}
		return w
	})
}
