package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"concord/eval"
)

// Counted is a number with its noun.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// NearestFirst is a list with the names first that resemble a word.
func NearestFirst(word string, names []string) []string {
	return slices.SortedStableFunc(slices.Values(names), func(a, b string) int {
		return cmp.Compare(eval.Distance(word, a), eval.Distance(word, b))
	})
}

// Few names some of a list.
func Few(names []string) string {
	const most = 6
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// BytesText is a size in words.
func BytesText(n uint64) string {
	switch {
	case n >= gibi:
		return fmt.Sprintf("%.1f GiB", float64(n)/gibi)
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d KiB", (n+1023)/1024)
}

// Count writes a number with its noun: 1 line, 2 lines.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

const gibi = 1 << 30
