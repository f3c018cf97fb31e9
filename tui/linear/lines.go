package linear

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
	err  error // why there are no more; set before next is closed
}

type line struct{ text string }

// NewLines reads from r until its end.
func NewLines(r io.Reader) *Lines {
	l := &Lines{next: make(chan line)}
	go l.read(r)
	return l
}

func (l *Lines) read(r io.Reader) {
	defer close(l.next)
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 4096), longestLine)
	for in.Scan() {
		l.next <- line{in.Text()}
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
