package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"concord/eval"
	"concord/eval/bound"
)

// FormatCountOf gives a number with its noun.
func FormatCountOf(n int, one, many string) string {
	return eval.Either(n == 1, "1 "+one, fmt.Sprintf("%d %s", n, many))
}

// SortNearestFirst gives a list with the names first that resemble a word.
func SortNearestFirst(word string, names []string) []string {
	return slices.SortedStableFunc(slices.Values(names), func(a, b string) int {
		return cmp.Compare(eval.EditDistance(word, a), eval.EditDistance(word, b))
	})
}

// JoinFirstNames names some of a list.
func JoinFirstNames(names []string) string {
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
func FormatCount(n int, noun string) string { return FormatCountOf(n, noun, noun+"s") }

const gibi = 1 << 30

// moments are the forms in which a time is given, the zone left to who asks.
var moments = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04"}

// ParseTimeOrAge reads a time, or an age in minutes, hours or days before now. A
// day is its beginning, or, of an end, the beginning of the next.
func ParseTimeOrAge(s string, now time.Time, zone *time.Location, end bool) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, s, zone); err == nil {
		return eval.Either(end, day.AddDate(0, 0, 1), day), nil
	}
	for _, form := range moments {
		if t, err := time.ParseInLocation(form, s, zone); err == nil {
			return t, nil
		}
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n < 100_000 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if age, err := time.ParseDuration(s); err == nil && age >= 0 {
		return now.Add(-age), nil
	}
	return time.Time{}, fmt.Errorf("%q: want a time like 2026-03-01, 2026-03-01 14:30 or 2026-03-01T14:30:00Z, or an age like 24h or 7d", s)
}

// Opener reads a file whole, or says that it is longer than so many bytes.
type Opener func(path string, longest int) ([]byte, error)

// ReadBoundedFile reads the opener of regular files alone.
func ReadBoundedFile(path string, longest int) ([]byte, error) {
	f, err := bound.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return ReadBounded(f, path, longest)
}

// ReadBounded reads what is no longer than so many bytes.
func ReadBounded(r io.Reader, name string, longest int) ([]byte, error) {
	text, err := bound.ReadAll(r, "it", int64(longest))
	return text, eval.WrapError(err, "read %s", name)
}

// CheckReadable checks a file or a folder to import before a project is made
// for it. Nothing that one would have to wait for is opened.
func CheckReadable(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	f, err := bound.OpenRegular(path)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	return f.Close()
}
