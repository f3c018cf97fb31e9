package widget

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// FormatCount writes a number with its thousands set apart: 1,176.
func FormatCount(n int) string {
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

// FormatPercent writes a share in percent with one digit: 67.7 %.
func FormatPercent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// ShareOf is how much k is of n, for bars; 0 of nothing.
func ShareOf[N int | int64](k, n N) float64 {
	if n <= 0 {
		return 0
	}
	return float64(k) / float64(n)
}

// FormatShare writes k of n in percent; "–" when there is nothing to share.
func FormatShare(k, n int) string {
	if n <= 0 {
		return "–"
	}
	return FormatPercent(float64(k) / float64(n))
}

// FormatDuration writes how long something takes, as coarse as people say it.
func FormatDuration(d time.Duration) string {
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

// FormatRate writes how many of something happen in a second.
func FormatRate(f float64) string {
	if f >= 100 {
		return FormatCount(int(f+0.5)) + "/s"
	}
	return fmt.Sprintf("%.1f/s", f)
}

// FormatPlural writes a count with its noun: 1 item, 2 items.
func FormatPlural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return FormatCount(n) + " " + noun
}

// FormatMoney writes an amount: 1,204.50; small ones with as many digits as tell
// them apart. There is no sign of a currency: prices have none.
func FormatMoney(f float64) string {
	digits := 2
	if f > 0 && f < 0.095 {
		digits = 4
	}
	s := strconv.FormatFloat(f, 'f', digits, 64)
	whole, part, _ := strings.Cut(s, ".")
	if n, err := strconv.Atoi(whole); err == nil && n > 0 {
		whole = FormatCount(n)
	}
	return whole + "." + part
}

// FormatShort writes a large number in as few digits as are read: 12.3k, 4.56M.
func FormatShort(n int) string {
	f := float64(n)
	switch {
	case n < 10_000:
		return FormatCount(n)
	case f < 999_500:
		return formatSignificant(f/1e3) + "k"
	case f < 999.5e6:
		return formatSignificant(f/1e6) + "M"
	}
	return formatSignificant(f/1e9) + "G"
}

// formatSignificant writes three digits of a number below 1,000, or those before
// its point.
func formatSignificant(f float64) string {
	switch {
	case f < 9.995:
		return strconv.FormatFloat(f, 'f', 2, 64)
	case f < 99.95:
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	return FormatCount(int(f + 0.5))
}
