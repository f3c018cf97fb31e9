package project

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// collectAt is the most garbage in percent of what is live at which it is collected while a command
// reads: what is read is garbage soon. spare is how many bytes of it may lie while that is over 100 percent.
const collectAt, spare = 400, 400 << 20

// collectGarbageSeldom has garbage collected seldom while little is live, until stop is called.
func collectGarbageSeldom() (stop func()) {
	was, done := debug.SetGCPercent(collectAt), make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		live, now := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}, uint64(collectAt)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			metrics.Read(live)
			if next := min(collectAt, max(100, 100*spare/max(1, live[0].Value.Uint64()))); next != now {
				now = next
				debug.SetGCPercent(int(now)) //nolint:gosec // at most collectAt
			}
		}
	})
	return func() { close(done); watching.Wait(); debug.SetGCPercent(was) }
}
