package ssh

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	check := func(name string, p *inputLimit, text string, want time.Duration) {
		t.Helper()
		if got := p.wait(now, []byte(text)).Round(time.Millisecond); got != want {
			t.Errorf("%s: waits %v, want %v", name, got, want)
		}
	}
	p := newInputLimit()
	check("a burst", p, strings.Repeat("x", keyBurst), 0)
	check("more keys", p, strings.Repeat("x", 40), 100*time.Millisecond)
	p = newInputLimit()
	check("the mark in parts", p, "\x1b\x1b[20", 0)
	check("and the rest of it", p, "0~", 0)
	for range pasteBurst / keyBurst / 2 {
		check("a paste", p, strings.Repeat("x", keyBurst), 0)
	}
	check("its end", p, pasteEnd, 0)
	check("keys after it", p, strings.Repeat("x", keyBurst), 18*time.Millisecond) // the mark was keys, too
	p = newInputLimit()
	check("begin", p, pasteStart, 0)
	last := time.Duration(0)
	for range pasteBurst / keyBurst * 2 {
		last = p.wait(now, make([]byte, keyBurst))
	}
	if want := pasteBurst / pasteRate * time.Second; last.Round(time.Second) != want {
		t.Errorf("a paste without an end waits %v, want %v", last, want)
	}
}

// knocks are callers at a door, and who had to make room.
type knocks struct {
	*door
	out []*caller
}

func newKnocks(most, failures int) *knocks {
	k := &knocks{door: newDoor(most, failures)}
	k.pick = func(int) int { return 0 }
	return k
}

func (k *knocks) come(place string, now time.Time) *caller {
	var c *caller
	c = k.knock(place, func() { k.out = append(k.out, c) }, now)
	return c
}

func TestDoorSlowsDownAndTurnsNobodyAway(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	k, errWrong := newKnocks(8, 3), errors.New("wrong key")
	check := func(place, key string, why error, want time.Duration) {
		t.Helper()
		c := k.come(place, now)
		if got := k.speaks(c, now); got != want {
			t.Errorf("%s waits %v, want %v", place, got, want)
		}
		k.starts(c)
		if key != "" {
			k.shows(c, key, now)
		}
		if tell := k.through(c, now, why); tell != nil && !errors.Is(tell, why) {
			t.Errorf("%s: the log is told %v of %v", place, tell, why)
		}
	}
	for range 3 {
		check("a", "", errWrong, 0)
	}
	check("a", "", errWrong, 0) // the first turn is at once
	check("a", "ann", nil, slowly)
	check("b", "", nil, 0)
	for range 6 { // by a known key that is not proved: an allowance of its own, and then as the others
		check("c", "ann", errWrong, 0)
	}
	if m := k.of("c", now); m.failed != 3 {
		t.Errorf("%d failures count for the place", m.failed)
	}
	now = now.Add(time.Minute)
	for range often {
		check("a", "", nil, 0)
	}
	check("a", "", nil, 0)
	check("a", "", nil, slowly)
	if len(k.out) > 0 || len(k.callers) > 0 {
		t.Errorf("%d made room, %d are left", len(k.out), len(k.callers))
	}
	for n := range 2 * remembered {
		check(fmt.Sprint(n), "", errWrong, 0)
	}
	if len(k.minutes) > remembered {
		t.Errorf("%d places are kept in mind", len(k.minutes))
	}
}

func TestHalfOpenConnectionsMakeRoom(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	k := newKnocks(8, 3)
	ann := k.come("a", now)
	k.speaks(ann, now)
	silent := k.come("a", now)
	bob := k.come("a", now) // a quarter of 8 may wait at one place
	if len(k.out) != 1 || k.out[0] != silent {
		t.Errorf("%v made room for one of the same place", k.out)
	}
	k.speaks(bob, now)
	k.shows(ann, "ann", now)
	for range 20 {
		k.come("a", now)
		k.come("b", now)
		k.come("c", now)
		k.come("d", now)
		k.come("e", now)
	}
	waiting := func(c *caller) bool { _, ok := k.callers[c]; return ok }
	if !waiting(ann) || !waiting(bob) || len(k.callers) > 9 {
		t.Errorf("ann %t, bob %t, %d in all", waiting(ann), waiting(bob), len(k.callers))
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	check := func(want bool, parts ...string) {
		t.Helper()
		var w watch
		for _, p := range parts {
			w.see([]byte(p))
		}
		if got := w.end() != ""; got != want {
			t.Errorf("%q: %v", parts, got)
		}
	}
	check(false, "text")
	check(true, "a"+screenOn+"b", strings.Repeat("x", 100))
	check(false, screenOn+"x"+screenOff)
	check(true, screenOff+screenOn)
	for cut := range screenOn {
		check(true, screenOn[:cut], screenOn[cut:])
		check(false, screenOn, "frame"+screenOff[:cut], screenOff[cut:]+"prompt")
	}
	check(true, strings.Split(screenOn, "")...)
}

// slowWriter takes what it is given once it may.
type slowWriter struct {
	bytes.Buffer
	may chan struct{}
}

func (s *slowWriter) Write(p []byte) (int, error) {
	<-s.may
	return s.Buffer.Write(p)
}

func TestOutbox(t *testing.T) {
	t.Parallel()
	o, to := newOutbox(), &slowWriter{may: make(chan struct{})}
	sent := make(chan struct{})
	go func() { o.send(to, time.Minute, func() { t.Error("stalled") }); close(sent) }()
	big := bytes.Repeat([]byte("0123456789"), 100_000)
	written := make(chan int, 1)
	go func() { n, _ := o.Write(big); written <- n }()
	select {
	case n := <-written:
		t.Errorf("%d bytes fit into %d", n, outboxRoom)
	case <-time.After(20 * time.Millisecond):
	}
	o.mu.Lock()
	if len(o.buf) > outboxRoom {
		t.Errorf("%d bytes wait", len(o.buf))
	}
	o.mu.Unlock()
	close(to.may)
	if n := <-written; n != len(big) {
		t.Errorf("wrote %d", n)
	}
	o.finish("tail")
	<-sent
	if !bytes.Equal(to.Bytes(), append(big, "tail"...)) {
		t.Errorf("sent %d bytes, not those that were written", to.Len())
	}
	if _, err := o.Write([]byte("x")); err == nil {
		t.Error("written after the end")
	}
	o, gone := newOutbox(), errors.New("gone")
	o.fail(gone)
	if n, err := o.Write(big); n != 0 || !errors.Is(err, gone) {
		t.Errorf("failed: wrote %d, %v", n, err)
	}
	o.finish("tail")
}

func TestText(t *testing.T) {
	t.Parallel()
	check := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check(clean("a\x1b[2Jb\nc\u202ed"), "a␛[2Jb c<U+202E>d")
	check(clean(strings.Repeat("é", longest)), strings.Repeat("é", longest))
	check(clean("\xff"+strings.Repeat("x", 2)), "\ufffdxx")
	check(left("one\ntwo\x1b\n"), "one\r\ntwo␛\r\n")
	check(left(""), "")
	check(spell(30*time.Minute), "30m")
	check(spell(2*time.Hour), "2h")
	check(spell(90*time.Second), "1m30s")
}
