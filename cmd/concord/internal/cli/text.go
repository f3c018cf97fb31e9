package cli

import (
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"

	"concord/eval/text"
)

// Visible makes control characters of strangers' text harmless in messages.
func Visible(s string) string {
	return strings.TrimRight(text.Outside(s).Terminal(), "\n")
}

// IsTerminal reports whether somebody at a terminal can be asked there.
func IsTerminal(in io.Reader) bool {
	f, ok := in.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// Terminal is the terminal that a stream writes to; nil where it is none.
func Terminal(w io.Writer) *os.File {
	if t, ok := w.(*text.Terminal); ok {
		return t.File()
	}
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		return f
	}
	return nil
}

// harmless is a file as a stream: on a terminal nothing that is written acts.
// Into a file or a pipe it goes as it is: an export changes no fact.
func harmless(f *os.File) io.Writer {
	if isatty.IsTerminal(f.Fd()) {
		return text.NewTerminal(f)
	}
	return f
}

// drawn is a stream for what this program draws on it itself: a terminal takes
// it as it is.
func drawn(w io.Writer) io.Writer {
	if f := Terminal(w); f != nil {
		return f
	}
	return w
}

// Drawn is the output for what draws on it with colours, and cleans what it
// draws itself.
func (e *Env) Drawn() io.Writer { return drawn(e.Out) }
