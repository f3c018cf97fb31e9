package term

import (
	"os"
	"time"
)

// How long to wait for the rest of a sequence. A terminal sends one in one
// go; the first is shorter than a person can press two keys, the second
// allows for a reply that comes over a slow line in parts.
const (
	keyWait   = 20 * time.Millisecond
	replyWait = 300 * time.Millisecond
)

// Input is a terminal's input less the terminal's own answers. It is a file
// to bubbletea, which looks for Fd and Name to set raw mode and to be able to
// stop reading.
type Input struct {
	*os.File
	filter filter
	ready  func(fd uintptr, wait time.Duration) bool
}

// NewInput wraps a terminal's input.
func NewInput(f *os.File) *Input { return &Input{File: f, ready: ready} }

// Read reads what was typed. It may return 0 bytes without an error when all
// that came was a reply. It never keeps typed bytes back for the next call:
// whoever waits for the file to become readable would not learn of them.
func (in *Input) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	raw := make([]byte, len(p))
	out := make([]byte, 0, len(p))
	for {
		// Held bytes may come out together with those read now.
		room := len(p) - len(out) - len(in.filter.held)
		if room <= 0 {
			out = in.filter.idle(out)
			return copy(p, out), nil
		}
		n, err := in.File.Read(raw[:room])
		out = in.filter.feed(out, raw[:n])
		if err != nil {
			return copy(p, in.filter.idle(out)), err
		}
		if !in.filter.pending() {
			return copy(p, out), nil
		}
		wait := keyWait
		if in.filter.replying() {
			wait = replyWait
		}
		if !in.ready(in.Fd(), wait) {
			return copy(p, in.filter.idle(out)), nil
		}
	}
}
