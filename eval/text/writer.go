package text

import (
	"io"
	"os"
	"unicode/utf8"
)

// Terminal is the writer of a terminal: what is written is shown by
// Outside.Terminal, so that text which nobody cleaned does nothing there. The
// bytes of a character that is not whole wait for the rest of it.
type Terminal struct {
	file *os.File
	rest []byte
}

// NewTerminal writes to a terminal.
func NewTerminal(f *os.File) *Terminal { return &Terminal{file: f} }

// File is the terminal itself, for what knows how to draw on it.
func (t *Terminal) File() *os.File { return t.file }

// Write shows p.
func (t *Terminal) Write(p []byte) (int, error) {
	all := append(t.rest, p...)
	whole := len(all) - torn(all)
	_, err := io.WriteString(t.file, Outside(all[:whole]).Terminal())
	t.rest = append([]byte(nil), all[whole:]...)
	return len(p), err
}

// torn is how many bytes at the end of b begin a character that goes on behind
// it.
func torn(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}
