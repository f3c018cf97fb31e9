package widget

import (
	"fmt"
	"strconv"
	"time"
)

// Count writes a number with its thousands set apart: 1,176.
func Count(n int) string {
	s := strconv.Itoa(n)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Percent writes a share in percent with one digit: 67.7 %.
func Percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// Share writes k of n in percent; "–" when there is nothing to share.
func Share(k, n int) string {
	if n <= 0 {
		return "–"
	}
	return Percent(float64(k) / float64(n))
}

// Span writes how long something takes, as coarse as people say it.
func Span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Round(time.Second).Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d:%02d min", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// Rate writes how many of something happen in a second.
func Rate(f float64) string {
	if f >= 100 {
		return Count(int(f+0.5)) + "/s"
	}
	return fmt.Sprintf("%.1f/s", f)
}

// Plural writes a count with its noun: 1 item, 2 items.
func Plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Count(n) + " " + noun
}
