package ssh

import (
	"time"

	"golang.org/x/time/rate"
)

// How fast typed bytes are passed on. A key held down makes about a hundred a
// second; what is pasted may come at once.
const (
	keyRate    = 400 // bytes a second
	keyBurst   = 512
	pasteRate  = 8 << 10
	pasteBurst = 64 << 10
)

// The marks around what is pasted (bracketed paste, xterm's mode 2004).
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// inputLimit tells how long typed bytes wait, so that a flood of them takes no
// time from other sessions. It drops none.
type inputLimit struct {
	keys, paste *rate.Limiter
	within      bool // a paste
	seen        int  // bytes of the mark that would end this
}

func newInputLimit() *inputLimit {
	return &inputLimit{keys: rate.NewLimiter(keyRate, keyBurst), paste: rate.NewLimiter(pasteRate, pasteBurst)}
}

// wait is for how long to keep b, which has at most keyBurst bytes.
func (p *inputLimit) wait(now time.Time, b []byte) time.Duration {
	keys, pasted := 0, 0
	for _, c := range b {
		if p.within {
			pasted++
		} else {
			keys++
		}
		p.step(c)
	}
	return max(p.keys.ReserveN(now, keys).DelayFrom(now), p.paste.ReserveN(now, pasted).DelayFrom(now))
}

// step looks for the mark. Neither has its first byte twice, so that after a
// byte that does not fit only that byte can begin another.
func (p *inputLimit) step(c byte) {
	mark := pasteStart
	if p.within {
		mark = pasteEnd
	}
	switch c {
	case mark[p.seen]:
		p.seen++
	case mark[0]:
		p.seen = 1
	default:
		p.seen = 0
	}
	if p.seen == len(mark) {
		p.within, p.seen = !p.within, 0
	}
}
