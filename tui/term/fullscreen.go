package term

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	xterm "golang.org/x/term"
)

// Fullscreen shows a picture on the whole terminal by iTerm2's protocol or as
// sixels. Neither mixes with text that is drawn anew, so it has the terminal
// to itself meanwhile.
type Fullscreen struct {
	ctx  context.Context // ends what is shown
	how  Images
	cell image.Point
}

// NewFullscreen makes it for a session's terminal; how is ImagesITerm2 or
// ImagesSixel.
func NewFullscreen(ctx context.Context, s *Session, how Images) *Fullscreen {
	cell := s.Cell
	if cell.X == 0 {
		cell = image.Pt(8, 16) // too small is a smaller picture, too large scrolls
	}
	return &Fullscreen{ctx, how, cell}
}

// Show has cut called for the room that there is, in cells and in pixels, and
// again after each key that press takes and each change of the size; any other
// key ends it. done makes a message of what went wrong, or nil.
func (s *Fullscreen) Show(cut func(cols, rows, width, height int) image.Image, caption func() string, press func(key string, cols, rows int) bool, done func(error) tea.Msg) tea.Cmd {
	return tea.Exec(&fullscreenImage{screen: s, cut: cut, caption: caption, press: press}, done)
}

// fullscreenImage shows one image until a key ends it.
type fullscreenImage struct {
	screen  *Fullscreen
	cut     func(cols, rows, width, height int) image.Image
	caption func() string
	press   func(key string, cols, rows int) bool
	in      io.Reader
	out     io.Writer

	cols, rows int // of the picture's room
}

var _ tea.ExecCommand = (*fullscreenImage)(nil)

func (p *fullscreenImage) SetStdin(r io.Reader)  { p.in = r }
func (p *fullscreenImage) SetStdout(w io.Writer) { p.out = w }
func (p *fullscreenImage) SetStderr(io.Writer)   {}

// fder is a terminal's file.
type fder interface{ Fd() uintptr }

// Run shows the picture until a key ends it.
func (p *fullscreenImage) Run() (err error) {
	in, ok := p.in.(fder)
	out, also := p.out.(fder)
	if !ok || !also {
		return ErrNoTerminal
	}
	was, err := xterm.MakeRaw(int(in.Fd()))
	if err != nil {
		return fmt.Errorf("take over the terminal: %w", err)
	}
	defer func() {
		_, werr := io.WriteString(p.out, ansi.ShowCursor+ansi.ResetModeAltScreenSaveCursor)
		err = errors.Join(err, werr, xterm.Restore(int(in.Fd()), was))
	}()
	if _, err = io.WriteString(p.out, ansi.SetModeAltScreenSaveCursor+ansi.HideCursor); err != nil {
		return err
	}
	size := func() (int, int, error) { return xterm.GetSize(int(out.Fd())) }
	return p.perform(size, func() bool { return ready(in.Fd(), 100*time.Millisecond) || !canWait })
}

// perform draws and takes keys. waiting reports whether there is something to
// read; it waits a moment for it.
func (p *fullscreenImage) perform(size func() (cols, rows int, err error), waiting func() bool) error {
	buf := make([]byte, 64)
	for {
		cols, rows, err := size()
		if err != nil {
			return fmt.Errorf("size of the terminal: %w", err)
		}
		if cols != p.cols || rows-1 != p.rows {
			p.cols, p.rows = cols, rows-1
			if err := p.draw(); err != nil {
				return err
			}
		}
		select {
		case <-p.screen.ctx.Done():
			return nil
		default:
		}
		if !waiting() {
			continue
		}
		n, err := p.in.Read(buf)
		if err != nil {
			return fmt.Errorf("read key: %w", err)
		}
		if n == 0 { // a reply of the terminal
			continue
		}
		for _, name := range names(buf[:n]) {
			if !p.press(name, p.cols, p.rows) {
				return nil
			}
		}
		if err := p.draw(); err != nil {
			return err
		}
	}
}

// draw draws the picture over a line that says what it is.
func (p *fullscreenImage) draw() error {
	cell := p.screen.cell
	width, height := p.cols*cell.X, p.rows*cell.Y
	img := p.cut(p.cols, p.rows, width, height)
	var seq string
	var err error
	if p.screen.how == ImagesSixel {
		seq, err = asSixel(enlarged(img, width, height))
	} else {
		seq, err = asITerm2(img, p.cols, p.rows)
	}
	if err != nil {
		return err
	}
	line := ansi.Truncate(strings.TrimSpace(p.caption())+"   + - zoom, arrows move, = whole; any other key goes back", max(0, p.cols-1), "")
	_, err = io.WriteString(p.out, ansi.EraseEntireScreen+ansi.CursorHomePosition+seq+ansi.CursorPosition(1, p.rows+1)+line)
	return err
}

// names are bubbletea's names of the keys that mean something to a picture;
// others have what they send.
func names(typed []byte) []string {
	var out []string
	for len(typed) > 0 {
		_, n := utf8.DecodeRune(typed)
		if typed[0] == esc && len(typed) > 1 {
			n = sequence(typed)
		}
		out = append(out, keyName(string(typed[:n])))
		typed = typed[n:]
	}
	return out
}

func keyName(s string) string {
	switch s {
	case "\x1b[A", "\x1bOA":
		return "up"
	case "\x1b[B", "\x1bOB":
		return "down"
	case "\x1b[C", "\x1bOC":
		return "right"
	case "\x1b[D", "\x1bOD":
		return "left"
	default:
		return s
	}
}
