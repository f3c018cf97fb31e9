package team

import (
	"fmt"
	"time"

	"concord/tui/widget"
)

// part is a line of the detail. A key or a session can be taken away.
type part struct {
	id      string // by which it is found again
	text    string
	key     string // a fingerprint
	session *Session
}

// first names the first of several lines.
func first(i int, name string) string {
	if i > 0 {
		return ""
	}
	return name
}

// paceLine is how fast they work, with what that is made of.
func paceLine(p *Speed) string {
	if f, ok := p.Minute(); ok {
		return fmt.Sprintf("%.1f a minute: %s in the last %s", f, widget.Plural(p.Labels, "label"), widget.Span(p.Over))
	}
	return "nothing in the last ten minutes"
}

// since is when a session began.
func since(now, at time.Time) string {
	if now.Sub(at) < 20*time.Hour {
		return "since " + at.In(now.Location()).Format("15:04")
	}
	return "since " + at.In(now.Location()).Format("2006-01-02 15:04")
}
