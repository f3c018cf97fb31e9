package ssh

import (
	"errors"
	"math/rand/v2"
	"net/netip"
	"sync"
	"time"
)

// errRoom is of a connection that was given up for another one.
var errRoom = errors.New("it made room for another one, since too many connections are not in yet")

const (
	remembered = 4096                  // places of which a door keeps in mind how often they came
	often      = 300                   // times that one may come in a minute before it is slowed down: a handshake takes some milliseconds of a processor
	slowly     = 50 * time.Millisecond // from one handshake of a place that is slowed down to the next
)

// door bounds what those cost who are not in yet. It turns nobody away: an
// address may have many people behind it, and a handshake tells which key comes
// only after it was paid for. So who comes too often, or fails too often, waits
// a moment, and where too many wait one of them makes room: a silent one before
// one that speaks, of the place that has most. Who shows a known key waits no
// more among those.
type door struct {
	most     int           // not in yet, at once; of one place, or by one known key from it, a quarter of it
	failures int           // of one place, and of one known key from it, a minute
	pick     func(int) int // one of so many

	mu      sync.Mutex
	callers map[*caller]struct{}
	minutes map[string]*minute
}

// caller is a connection that is not in yet.
type caller struct {
	place string
	key   string // the known key that it showed; "": none yet
	spoke bool   // it has sent something
	turn  bool   // it waits for its turn
	cut   func() // ends it
}

// class is what callers are counted as.
func (c *caller) class() string { return c.place + " " + c.key }

// minute is how often a place came since its current minute began.
type minute struct {
	since  time.Time
	came   int
	failed int
	told   int       // of what happened to it, in the log
	next   time.Time // turn, of a place that is slowed down
}

func newDoor(most, failures int) *door {
	return &door{most: most, failures: failures, pick: rand.IntN, callers: make(map[*caller]struct{}), minutes: make(map[string]*minute)}
}

// knock is somebody who wants in; through must follow. cut is called once should
// they have to make room.
func (d *door) knock(place string, cut func(), now time.Time) *caller {
	d.mu.Lock()
	c := &caller{place: place, cut: cut}
	d.of(place, now).came++
	out := d.crowded(c, false)
	d.callers[c] = struct{}{}
	if out != nil {
		delete(d.callers, out)
	}
	d.mu.Unlock()
	if out != nil {
		out.cut()
	}
	return c
}

// speaks is somebody who sends their first bytes, and how long they wait for a
// handshake.
func (d *door) speaks(c *caller, now time.Time) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	c.spoke = true
	m := d.of(c.place, now)
	if m.failed < d.failures && m.came <= often {
		return 0
	}
	c.turn = true
	if m.next.Before(now) {
		m.next = now
	}
	wait := m.next.Sub(now)
	m.next = m.next.Add(slowly)
	return wait
}

// starts is somebody whose turn has come.
func (d *door) starts(c *caller) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c.turn = false
}

// shows is somebody who shows a key that is known. They have not proved yet that
// it is theirs: so often that may fail, and then they are like all others.
func (d *door) shows(c *caller, fingerprint string, now time.Time) {
	d.mu.Lock()
	as := &caller{place: c.place, key: fingerprint}
	if c.key != "" || d.of(as.class(), now).failed >= d.failures {
		d.mu.Unlock()
		return
	}
	out := d.crowded(as, true)
	c.key = fingerprint
	if out != nil {
		delete(d.callers, out)
	}
	d.mu.Unlock()
	if out != nil {
		out.cut()
	}
}

// through is somebody who got in, or did not and why; tell is what the log takes
// of that, nil for nothing.
func (d *door) through(c *caller, now time.Time, why error) (tell error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, waited := d.callers[c]
	delete(d.callers, c)
	m := d.of(c.place, now)
	if c.turn {
		m.next = m.next.Add(-slowly)
	}
	switch {
	case why == nil:
		return nil
	case c.key != "":
		d.of(c.class(), now).failed++
	case waited:
		m.failed++
	default:
		why = errRoom
	}
	if !d.tell(m) {
		return nil
	}
	return why
}

// tells reports whether the log takes one more line about a place.
func (d *door) tells(place string, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tell(d.of(place, now))
}

func (d *door) tell(m *minute) bool { m.told++; return m.told <= 2*d.failures }

// crowded is who makes room for a caller; nil when there is room. Those who showed
// a known key and the others are counted apart.
func (d *door) crowded(c *caller, known bool) *caller {
	count, total := make(map[string]int), 0
	for o := range d.callers {
		if (o.key != "") == known {
			count[o.class()]++
			total++
		}
	}
	from, most := c.class(), count[c.class()]
	switch {
	case most >= max(1, d.most/4):
	case total < d.most:
		return nil
	default:
		for class, n := range count {
			if n > most {
				from, most = class, n
			}
		}
	}
	var silent, speaking []*caller
	for o := range d.callers {
		switch {
		case o.class() != from:
		case o.spoke:
			speaking = append(speaking, o)
		default:
			silent = append(silent, o)
		}
	}
	if len(silent) == 0 {
		silent = speaking
	}
	return silent[d.pick(len(silent))]
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
