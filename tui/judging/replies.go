package judging

import (
	"fmt"
	"strings"

	"concord/tui/widget"
)

// replies are a list of calls that gave no vote.
type replies struct {
	rows []Reply
	at   widget.Cursor
}

// key tells replies of one comparison apart.
type replyKey struct {
	sample  string
	swapped bool
}

func (r *Reply) key() replyKey { return replyKey{string(r.Sample), r.Swapped} }

// take takes what was read: those that are known stay in their places, new
// ones come at the end, and the cursor stays where it is.
func (l *replies) take(fresh []Reply, height int) {
	var here replyKey
	if l.at.At < len(l.rows) {
		here = l.rows[l.at.At].key()
	}
	byKey := make(map[replyKey]Reply, len(fresh))
	for _, r := range fresh {
		byKey[r.key()] = r
	}
	out := make([]Reply, 0, len(fresh))
	at := l.at.At
	for _, r := range l.rows {
		now, ok := byKey[r.key()]
		if !ok {
			continue
		}
		if r.key() == here {
			at = len(out)
		}
		out = append(out, now)
		delete(byKey, r.key())
	}
	for _, r := range fresh {
		if _, ok := byKey[r.key()]; ok {
			out = append(out, r)
		}
	}
	l.rows = out
	l.at.Set(at, len(out), height)
}

// order is whose answer was shown first.
func (r *Reply) order() string {
	if r.Swapped {
		return "anchor first"
	}
	return "model first"
}

// opened is a reply that is read.
type opened struct {
	text *widget.Text
	top  int
}

// whole is everything that came back, in its order.
func (r *Reply) whole() string {
	if r.Failure != "" {
		return r.Failure
	}
	if len(r.Earlier) == 0 {
		return r.Raw
	}
	var b strings.Builder
	for i, text := range append(r.Earlier[:len(r.Earlier):len(r.Earlier)], r.Raw) {
		fmt.Fprintf(&b, "── reply %d\n%s\n\n", i+1, text)
	}
	return b.String()
}
