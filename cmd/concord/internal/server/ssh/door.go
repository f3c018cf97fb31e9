package ssh

import (
	"errors"
	"net/netip"
	"sync"
	"time"
)

// Why somebody is turned away at the door.
var (
	errCrowd = errors.New("too many connections that are not in yet")
	errFails = errors.New("too many that did not get in within a minute")
	errOften = errors.New("too many connections within a minute")
	errAgain = errors.New("turned away before") // and told then
)

const (
	remembered = 4096 // places of which a door keeps in mind how often they came
	often      = 300  // times that one may come in a minute: a handshake takes some milliseconds of a processor
)

// door bounds what those cost who are not in yet: how many there are at once,
// and how often one place may try.
type door struct {
	mu       sync.Mutex
	most     int // not in yet, at once; of one place a quarter of it
	failures int // of one place, a minute
	waiting  map[string]int
	total    int
	minutes  map[string]*minute
}

// minute is how often a place came since its current minute began.
type minute struct {
	since  time.Time
	came   int
	failed int
	told   bool // that it was turned away
}

func newDoor(most, failures int) *door {
	return &door{most: most, failures: failures, waiting: make(map[string]int), minutes: make(map[string]*minute)}
}

// knock is somebody who wants in. Without an error, through must follow.
func (d *door) knock(place string, now time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.of(place, now)
	m.came++
	if m.failed >= d.failures || m.came > often {
		if m.told {
			return errAgain
		}
		m.told = true
		if m.came > often {
			return errOften
		}
		return errFails
	}
	if d.total >= d.most || d.waiting[place] >= max(1, d.most/4) {
		return errCrowd
	}
	d.total++
	d.waiting[place]++
	return nil
}

// through is somebody who got in, or did not.
func (d *door) through(place string, now time.Time, in bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.total--
	if d.waiting[place]--; d.waiting[place] == 0 {
		delete(d.waiting, place)
	}
	if !in {
		d.of(place, now).failed++
	}
}

// of is the current minute of a place.
func (d *door) of(place string, now time.Time) *minute {
	m := d.minutes[place]
	if m == nil || now.Sub(m.since) >= time.Minute {
		d.forget(now)
		m = &minute{since: now}
		d.minutes[place] = m
	}
	return m
}

// forget makes room: for what is over and, should so many come at once, for all.
func (d *door) forget(now time.Time) {
	if len(d.minutes) < remembered {
		return
	}
	for place, m := range d.minutes {
		if now.Sub(m.since) >= time.Minute {
			delete(d.minutes, place)
		}
	}
	if len(d.minutes) >= remembered {
		clear(d.minutes)
	}
}

// placeOf is what an address is counted as: itself without its port, and of
// IPv6 the network of 64 bits that one customer has.
func placeOf(address string) string {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return address
	}
	a := ap.Addr().Unmap()
	if a.Is6() {
		if p, err := a.WithZone("").Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}
