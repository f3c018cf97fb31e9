package sitting

import "time"

// idle is the longest pause between two keys that counts as work: who reads
// for longer is taken to have left.
const idle = 2 * time.Minute

// timer measures the time that an item is worked on.
type timer struct {
	last  time.Time
	spent time.Duration
}

func (t *timer) start(now time.Time) { t.last, t.spent = now, 0 }

// touch counts the time since the last key, and returns the sum.
func (t *timer) touch(now time.Time) time.Duration {
	if d := now.Sub(t.last); !t.last.IsZero() && d > 0 {
		t.spent += min(d, idle)
	}
	t.last = now
	return t.spent
}
