package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/jobs"
)

// teamFor is how long the team of the benchmark works.
var teamFor = flag.Duration("team", 10*time.Second, "how long the sessions of BenchmarkTeam label")

// BenchmarkTeam is 30 sessions through SSH on 127.0.0.1 that label one queue as
// fast as the screen shows them the next item, pictures in half blocks, while a
// run writes: from a key to the frame that holds the next item, as the client
// reads it. Server and clients share the machine. Labels that are lost or
// doubled fail it. The claim is 50 ms for 99 of 100 on two cores, in a minute:
//
//	go test ./cmd/concord -run - -bench Team -benchtime 1x -team 1m
func BenchmarkTeam(b *testing.B) {
	const sessions = 30
	defer jobs.CollectGarbageSeldom()() // as serve does
	for b.Loop() {
		b.StopTimer()
		benchTeam(b, sessions)
		b.StartTimer()
	}
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc+m.StackInuse) / (1 << 20)
}

func benchTeam(b *testing.B, sessions int) {
	items := max(2000, int(teamFor.Seconds())*2500)
	t := serveTeam(b, items, 1)
	for i := range sessions {
		t.person("p"+strconv.Itoa(i), annotate.RoleAnnotator)
	}
	before := heap()
	people := make([]*mate, sessions)
	for i := range people {
		people[i] = t.come("p"+strconv.Itoa(i), 80, 24)
	}
	for _, m := range people {
		if !m.open(0) {
			b.FailNow()
		}
	}
	time.Sleep(time.Second)
	each := (heap() - before) / float64(sessions)
	ctx, cancel := context.WithTimeout(b.Context(), *teamFor)
	defer cancel()
	written := paceWriters(ctx, t.st, t.next, 500)
	var wg sync.WaitGroup
	took := make([][]time.Duration, sessions)
	for i, m := range people {
		wg.Go(func() {
			for ctx.Err() == nil {
				d, ok := m.label("1")
				if !ok {
					return
				}
				took[i] = append(took[i], d)
			}
		})
	}
	wg.Wait()
	after := (heap() - before) / float64(sessions)
	for _, m := range people {
		wg.Go(m.leave)
	}
	wg.Wait()
	all := slices.Concat(took...)
	standing := t.labels("q1")
	for k, n := range standing {
		if n > 1 {
			b.Errorf("%v has %d labels", k, n)
		}
	}
	if len(standing) != len(all) {
		b.Errorf("%d labels stand of %d that were followed by the next item", len(standing), len(all))
	}
	b.ReportMetric(quantile(all, 0.5), "p50-ms")
	b.ReportMetric(quantile(all, 0.99), "p99-ms")
	b.ReportMetric(quantile(all, 1), "worst-ms")
	b.ReportMetric(float64(len(all))/teamFor.Seconds(), "labels/s")
	b.ReportMetric(float64(written.Load())/teamFor.Seconds(), "written/s")
	b.ReportMetric(each, "MiB/session")
	b.ReportMetric(after, "MiB/session-after")
	fmt.Printf("%d sessions, %d labels, %.2f MiB a session at rest, %.2f after\n", sessions, len(all), each, after)
}
