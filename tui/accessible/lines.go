package accessible

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
)

// longestLine bounds what is typed at once, in bytes.
const longestLine = 1 << 16

// Lines reads lines beside whoever waits for them, so that a wait can end.
type Lines struct {
	next chan line
	over chan struct{} // closed once nobody waits for lines any more
	err  error         // why there are no more; set before next is closed
}

type line struct{ text string }

// NewLines reads from r until its end, or until the lines are closed and one
// more comes.
func NewLines(r io.Reader) *Lines {
	l := &Lines{next: make(chan line), over: make(chan struct{})}
	go l.read(r)
	return l
}

// Close lets go of what was typed ahead. Nobody may wait for a line after it.
func (l *Lines) Close() { close(l.over) }

func (l *Lines) read(r io.Reader) {
	defer close(l.next)
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 4096), longestLine)
	for in.Scan() {
		select {
		case l.next <- line{in.Text()}:
		case <-l.over:
			return
		}
	}
	if l.err = in.Err(); errors.Is(l.err, bufio.ErrTooLong) {
		l.err = errors.New("a line of more than 64 KiB was typed")
	}
	if l.err == nil {
		l.err = io.EOF
	}
}

// Next waits for a line, without the blanks around it; io.EOF at the end.
func (l *Lines) Next(ctx context.Context) (string, error) {
	select {
	case got, ok := <-l.next:
		if !ok {
			return "", l.err
		}
		return strings.TrimSpace(got.text), nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}
