package cli

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"concord/eval/text"
)

// Progress shows long work on the error stream: a bar on a terminal, else a
// plain line now and then.
type Progress struct {
	Env  *Env
	what string
	bar  *progressbar.ProgressBar
	last time.Time
}

const meterPause = 5 * time.Second

// Progress makes the progress of a piece of work.
func (e *Env) Progress(what string) *Progress { return &Progress{Env: e, what: what, last: e.Now()} }

// Bytes shows how far reading a file has come; total may be unknown (<= 0).
func (m *Progress) Bytes(read, total int64) {
	m.show(read, total, true, func() string { return fmt.Sprintf("%d of %d MB", read>>20, total>>20) })
}

// Items shows how many of something are done.
func (m *Progress) Items(done, total int) {
	m.show(int64(done), int64(total), false, func() string { return fmt.Sprintf("%d of %d", done, total) })
}

func (m *Progress) show(done, total int64, bytes bool, line func() string) {
	if m.Env.IsTerm {
		m.draw(done, total, bytes)
		return
	}
	if now := m.Env.Now(); !m.Env.JSON && now.Sub(m.last) >= meterPause {
		m.last = now
		_, _ = fmt.Fprintf(m.Env.Err, "%s: %s\n", m.what, line())
	}
}

func (m *Progress) draw(done, total int64, bytes bool) {
	if m.bar == nil {
		m.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(drawn(m.Env.Err)),
			progressbar.OptionSetDescription(text.Outside(m.what).Line()),
			progressbar.OptionShowBytes(bytes),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetWidth(30),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSpinnerType(14),
		)
	}
	_ = m.bar.Set64(done)
}

// Done takes the bar away.
func (m *Progress) Done() {
	if m.bar != nil {
		_ = m.bar.Finish()
	}
}

// Line shows how far work has come in words of its own: behind the bar on a
// terminal, else as a line now and then.
func (m *Progress) Line(done, total int64, words string) {
	if m.Env.IsTerm {
		m.draw(done, total, false)
		m.bar.Describe(text.Outside(words).Line())
		return
	}
	m.show(done, total, false, func() string { return words })
}

// Say prints a line at once: on a terminal the bar comes again below it.
func (m *Progress) Say(text string) {
	if m.bar != nil {
		_ = m.bar.Clear()
	}
	if !m.Env.JSON {
		_, _ = fmt.Fprintln(m.Env.Err, text)
	}
}
