package term

import (
	"io"
	"os"

	"github.com/charmbracelet/x/ansi"
)

// Output is the terminal's output, shared by what draws frames and what sends
// pictures: one Write is never within another. It is a terminal to bubbletea,
// which looks for Fd, and no more of a file than that: os.File has other ways
// to write.
type Output struct {
	*Painter
	file *os.File
}

// NewOutput wraps a terminal's output.
func NewOutput(f *os.File) *Output { return &Output{NewPainter(f), f} }

// Read has nothing to read.
func (o *Output) Read([]byte) (int, error) { return 0, io.EOF }

// Close leaves the file open: it is not ours.
func (o *Output) Close() error { return nil }

// Fd is the file's.
func (o *Output) Fd() uintptr { return o.file.Fd() }

// Copy asks the terminal to put a text onto the clipboard (OSC 52). Nobody says
// whether it did.
func (o *Output) Copy(text string) error {
	_, err := io.WriteString(o, ansi.SetSystemClipboard(text))
	return err
}
