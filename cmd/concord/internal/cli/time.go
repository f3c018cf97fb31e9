package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// moments are the forms in which a time is given, the zone left to who asks.
var moments = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04"}

// ParseTime reads a time, or an age in minutes, hours or days before now. A
// day is its beginning, or, of an end, the beginning of the next.
func ParseTime(s string, now time.Time, zone *time.Location, end bool) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, s, zone); err == nil {
		if end {
			return day.AddDate(0, 0, 1), nil
		}
		return day, nil
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
