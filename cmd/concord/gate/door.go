package gate

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
	errAgain = errors.New("turned away before") // and told then
)

// remembered is of how many places a door keeps in mind how often they failed.
const remembered = 4096

// door bounds what those cost who are not in yet: how many there are at once,
// and how often one place may try.
type door struct {
	mu       sync.Mutex
	most     int // not in yet, at once; of one place a quarter of it
	failures int // of one place, a minute
	waiting  map[string]int
	total    int
	failed   map[string]*failing
}

// failing is how often a place failed in its current minute.
type failing struct {
	since time.Time
	n     int
	told  bool
}

func newDoor(most, failures int) *door {
	return &door{most: most, failures: failures, waiting: make(map[string]int), failed: make(map[string]*failing)}
}

// knock is somebody who wants in. Without an error, through must follow.
func (d *door) knock(place string, now time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := d.failed[place]; f != nil {
		switch {
		case now.Sub(f.since) >= time.Minute:
			delete(d.failed, place)
		case f.n >= d.failures && f.told:
			return errAgain
		case f.n >= d.failures:
			f.told = true
			return errFails
		}
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
	if in {
		return
	}
	f := d.failed[place]
	if f == nil || now.Sub(f.since) >= time.Minute {
		d.forget(now)
		f = &failing{since: now}
		d.failed[place] = f
	}
	f.n++
}

// forget makes room: for what is over and, should so many fail at once, for all.
func (d *door) forget(now time.Time) {
	if len(d.failed) < remembered {
		return
	}
	for place, f := range d.failed {
		if now.Sub(f.since) >= time.Minute {
			delete(d.failed, place)
		}
	}
	if len(d.failed) >= remembered {
		clear(d.failed)
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
