package openai

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// after is when a refused call may come back, by the headers that say so: 0
// when none does. x-ratelimit-reset-* counts only for limits that are used up.
func after(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return bounded(ms / 1e3)
	}
	if v := strings.TrimSpace(h.Get("Retry-After")); v != "" {
		if s, err := strconv.ParseFloat(v, 64); err == nil {
			return bounded(s)
		}
		if t, err := http.ParseTime(v); err == nil {
			return bounded(t.Sub(now).Seconds())
		}
	}
	longest := time.Duration(0)
	for _, what := range []string{"", "-Requests", "-Tokens"} {
		if left := h.Get("X-Ratelimit-Remaining" + what); left == "" || left == "0" {
			longest = max(longest, reset(h.Get("X-Ratelimit-Reset"+what), now))
		}
	}
	return longest
}

// reset reads "1s", "6m0s", seconds, or the time in seconds or milliseconds
// since 1970.
func reset(v string, now time.Time) time.Duration {
	if d, err := time.ParseDuration(v); err == nil {
		return bounded(d.Seconds())
	}
	n, err := strconv.ParseFloat(v, 64)
	switch {
	case err != nil:
		return 0
	case n > 1e11:
		return bounded(n/1e3 - float64(now.Unix()))
	case n > 1e8:
		return bounded(n - float64(now.Unix()))
	}
	return bounded(n)
}

// bounded makes a duration of seconds that strangers named.
func bounded(seconds float64) time.Duration {
	if math.IsNaN(seconds) || seconds <= 0 {
		return 0
	}
	return time.Duration(min(seconds, longest.Seconds()) * float64(time.Second))
}
