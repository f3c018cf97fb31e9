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
// A wait of more than an hour is not believed: it is given as the second value
// and not waited for.
func after(h http.Header, now time.Time) (wait, odd time.Duration) {
	seconds := wanted(h, now)
	if d := duration(seconds); d > longest {
		return 0, d
	}
	return duration(seconds), 0
}

// wanted is the wait in seconds that the headers ask for.
func wanted(h http.Header, now time.Time) float64 {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return ms / 1e3
	}
	if v := strings.TrimSpace(h.Get("Retry-After")); v != "" {
		if s, err := strconv.ParseFloat(v, 64); err == nil {
			return s
		}
		if t, err := http.ParseTime(v); err == nil {
			return t.Sub(now).Seconds()
		}
	}
	most := 0.0
	for _, what := range []string{"", "-Requests", "-Tokens"} {
		if left := h.Get("X-Ratelimit-Remaining" + what); left == "" || left == "0" {
			most = max(most, reset(h.Get("X-Ratelimit-Reset"+what), now))
		}
	}
	return most
}

// reset reads "1s", "6m0s", seconds, or the time in seconds or milliseconds
// since 1970, as seconds from now.
func reset(v string, now time.Time) float64 {
	if d, err := time.ParseDuration(v); err == nil {
		return d.Seconds()
	}
	n, err := strconv.ParseFloat(v, 64)
	switch {
	case err != nil:
		return 0
	case n > 1e11:
		return n/1e3 - float64(now.Unix())
	case n > 1e8:
		return n - float64(now.Unix())
	}
	return n
}

// duration makes a duration of seconds that strangers named, a century at most.
func duration(seconds float64) time.Duration {
	if math.IsNaN(seconds) || seconds <= 0 {
		return 0
	}
	const century = 100 * 365 * 24 * 3600
	return time.Duration(min(seconds, century) * float64(time.Second))
}
