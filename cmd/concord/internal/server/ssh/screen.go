package ssh

import (
	"bytes"
	"sync"
)

// What a program writes to draw on a screen of its own, and to leave it.
const (
	screenOn  = "\x1b[?1049h"
	screenOff = "\x1b[?1049l"
)

// restore undoes what a program that draws on the whole of a terminal leaves
// behind when it is cut short: mouse, bracketed paste, a hidden cursor, colours
// and its own screen.
const restore = "\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?1006l\x1b[?2004l\x1b[?1004l\x1b[0m\x1b[?25h" + screenOff

// watch follows whether a program draws on a screen of its own.
type watch struct {
	mu   sync.Mutex
	on   bool
	tail []byte // what may be the beginning of a sequence that was cut
}

func (w *watch) see(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	most := len(screenOn) - 1
	joint := append(w.tail, p[:min(len(p), most)]...)
	w.decide(joint)
	w.decide(p)
	if len(p) < most {
		w.tail = joint[max(0, len(joint)-most):]
		return
	}
	w.tail = append(w.tail[:0], p[len(p)-most:]...)
}

func (w *watch) decide(p []byte) {
	on, off := bytes.LastIndex(p, []byte(screenOn)), bytes.LastIndex(p, []byte(screenOff))
	if on != off {
		w.on = on > off
	}
}

// end is what to write to a terminal whose program has ended.
func (w *watch) end() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.on {
		return ""
	}
	w.on = false
	return restore
}
