package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"
)

// meter shows long work on the error stream: a bar on a terminal, else a
// plain line now and then.
type meter struct {
	a    *env
	what string
	bar  *progressbar.ProgressBar
	last time.Time
}

const meterPause = 5 * time.Second

func (e *env) meter(what string) *meter { return &meter{a: e, what: what, last: e.now()} }

// bytes shows how far reading a file has come; total may be unknown (<= 0).
func (m *meter) bytes(read, total int64) {
	m.show(read, total, true, func() string { return fmt.Sprintf("%d of %d MB", read>>20, total>>20) })
}

// items shows how many of something are done.
func (m *meter) items(done, total int) {
	m.show(int64(done), int64(total), false, func() string { return fmt.Sprintf("%d of %d", done, total) })
}

func (m *meter) show(done, total int64, bytes bool, line func() string) {
	if m.a.isTerm {
		m.draw(done, total, bytes)
		return
	}
	if now := m.a.now(); !m.a.json && now.Sub(m.last) >= meterPause {
		m.last = now
		_, _ = fmt.Fprintf(m.a.err, "%s: %s\n", m.what, line())
	}
}

func (m *meter) draw(done, total int64, bytes bool) {
	if m.bar == nil {
		m.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(m.a.err),
			progressbar.OptionSetDescription(m.what),
			progressbar.OptionShowBytes(bytes),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetWidth(30),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSpinnerType(14),
		)
	}
	_ = m.bar.Set64(done)
}

func (m *meter) done() {
	if m.bar != nil {
		_ = m.bar.Finish()
	}
}

// line shows how far work has come in words of its own: behind the bar on a
// terminal, else as a line now and then.
func (m *meter) line(done, total int64, words string) {
	if m.a.isTerm {
		m.draw(done, total, false)
		m.bar.Describe(words)
		return
	}
	m.show(done, total, false, func() string { return words })
}

// say prints a line at once: on a terminal the bar comes again below it.
func (m *meter) say(text string) {
	if m.bar != nil {
		_ = m.bar.Clear()
	}
	if !m.a.json {
		_, _ = fmt.Fprintln(m.a.err, text)
	}
}
