package cli

import (
	"bytes"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"

	"concord/tui/widget"
)

// Visible makes control characters of strangers' text harmless in messages.
func Visible(s string) string {
	return strings.TrimRight(widget.Clean(s), "\n")
}

// ForTerminal makes text from outside harmless when it goes to a terminal.
// Into a file or a pipe it goes as it is: an export changes no fact.
func ForTerminal(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		return &cleaner{w: w}
	}
	return w
}

// cleaner shows control characters instead of letting the terminal obey them.
// A line that is not whole waits for its end.
type cleaner struct {
	w    io.Writer
	rest []byte
}

// Write cleans whole lines.
func (c *cleaner) Write(p []byte) (int, error) {
	c.rest = append(c.rest, p...)
	end := bytes.LastIndexByte(c.rest, '\n') + 1
	if end == 0 {
		return len(p), nil
	}
	_, err := io.WriteString(c.w, widget.Clean(string(c.rest[:end])))
	c.rest = append(c.rest[:0], c.rest[end:]...)
	return len(p), err
}

// IsTerminal reports whether somebody at a terminal can be asked there.
func IsTerminal(in io.Reader) bool {
	f, ok := in.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
