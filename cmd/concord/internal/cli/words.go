package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"concord/eval"
)

// FormatCountOf gives a number with its noun.
func FormatCountOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// SortNearestFirst gives a list with the names first that resemble a word.
func SortNearestFirst(word string, names []string) []string {
	return slices.SortedStableFunc(slices.Values(names), func(a, b string) int {
		return cmp.Compare(eval.EditDistance(word, a), eval.EditDistance(word, b))
	})
}

// JoinFew names some of a list.
func JoinFew(names []string) string {
	const most = 6
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// FormatBytes gives a size in words.
func FormatBytes(n uint64) string {
	switch {
	case n >= gibi:
		return fmt.Sprintf("%.1f GiB", float64(n)/gibi)
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d KiB", (n+1023)/1024)
}

// FormatCount writes a number with its noun: 1 line, 2 lines.
func FormatCount(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

const gibi = 1 << 30
