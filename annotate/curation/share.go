package curation

import (
	"fmt"
	"strconv"
	"strings"
)

// Share is a threshold of how many of how many: 2 of 8. The zero value is no
// threshold.
type Share struct{ K, Of int }

// IsZero reports that there is no threshold.
func (s Share) IsZero() bool { return s == Share{} }

// Valid reports a share between none and all.
func (s Share) Valid() bool { return s.Of > 0 && s.K >= 0 && s.K <= s.Of }

// String writes it as ParseShare reads it.
func (s Share) String() string { return fmt.Sprintf("%d/%d", s.K, s.Of) }

// ParseShare reads "2/8".
func ParseShare(text string) (Share, error) {
	k, of, cut := strings.Cut(strings.TrimSpace(text), "/")
	a, errA := strconv.Atoi(k)
	b, errB := strconv.Atoi(of)
	s := Share{a, b}
	if !cut || errA != nil || errB != nil || !s.Valid() {
		return Share{}, fmt.Errorf("read share %q: want one such as 2/8", text)
	}
	return s, nil
}

// compare sets hits of n against the share of n: below, at or above it. Both
// are compared as the fractions that they are, so that nothing is rounded when
// n is not the Of that the share is written with: 1 of 3 is above 2 of 8.
func (s Share) compare(hits, n int) int { return hits*s.Of - s.K*n }
