package term

import (
	"io"

	xterm "golang.org/x/term"
)

// Prompt is a terminal elsewhere that is used line by line: what is typed is
// echoed and can be mended until enter, as a terminal at hand does by itself.
// One goroutine reads; any may write.
type Prompt struct {
	terminal *xterm.Terminal
	rest     []byte // of the line that was typed last
}

// NewPrompt wraps a connection, in raw mode at its other end.
func NewPrompt(line io.ReadWriter) *Prompt { return &Prompt{terminal: xterm.NewTerminal(line, "")} }

// Read gives lines as they are ended; io.EOF after ctrl+c or ctrl+d.
func (p *Prompt) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		line, err := p.terminal.ReadLine()
		if err != nil {
			return 0, err
		}
		p.rest = []byte(line + "\n")
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// Write writes, with line ends as the terminal wants them.
func (p *Prompt) Write(b []byte) (int, error) { return p.terminal.Write(b) }
