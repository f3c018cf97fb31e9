package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"
)

// meter shows long work on the error stream: a bar on a terminal, else a
// plain line now and then.
type meter struct {
	a    *app
	what string
	bar  *progressbar.ProgressBar
	last time.Time
}

const meterPause = 5 * time.Second

func (a *app) meter(what string) *meter { return &meter{a: a, what: what, last: a.now()} }

// bytes shows how far reading a file has come; total may be unknown (<= 0).
func (m *meter) bytes(read, total int64) {
	if m.a.json && !m.a.isTerm {
		return
	}
	if m.a.isTerm {
		m.draw(read, total)
		return
	}
	if now := m.a.now(); now.Sub(m.last) >= meterPause {
		m.last = now
		_, _ = fmt.Fprintf(m.a.err, "%s: %d of %d MB\n", m.what, read>>20, total>>20)
	}
}

func (m *meter) draw(read, total int64) {
	if m.bar == nil {
		m.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(m.a.err),
			progressbar.OptionSetDescription(m.what),
			progressbar.OptionShowBytes(true),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetWidth(30),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSpinnerType(14),
		)
	}
	_ = m.bar.Set64(read)
}

func (m *meter) done() {
	if m.bar != nil {
		_ = m.bar.Finish()
	}
}
