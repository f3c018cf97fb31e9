package annotation

import "time"

// idle is the longest pause between two keys that counts as work: who reads
// for longer is taken to have left.
const idle = 2 * time.Minute

// Timer measures the time that an item is worked on. The zero value is at rest.
type Timer struct {
	last  time.Time
	spent time.Duration
}

// Start begins with another item.
func (t *Timer) Start(now time.Time) { t.last, t.spent = now, 0 }

// Touch counts the time since the last key, and returns the sum.
func (t *Timer) Touch(now time.Time) time.Duration {
	if d := now.Sub(t.last); !t.last.IsZero() && d > 0 {
		t.spent += min(d, idle)
	}
	t.last = now
	return t.spent
}
