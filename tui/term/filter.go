package term

import (
	"bytes"
	"errors"
	"io"
	"os"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/mattn/go-isatty"
)

// replyFilter takes a terminal's replies out of a stream of typed bytes. bubbletea v1 knows no APC, OSC
// or DCS: it turns such a reply into keys, which would be typed into whatever field has the focus.
//
// Bytes that may be the beginning of a reply are held until the next ones
// decide; idle tells that none came, so that a lone Escape or Alt+] is a key.
type replyFilter struct {
	mode mode
	held []byte
	cut  int // bytes of the present string so far
}

type mode uint8

const (
	ground  mode = iota
	escape       // after ESC
	intro        // after ESC ] or ESC _ or ESC P
	control      // within CSI
	letter       // within a UTF-8 sequence
	text         // within a reply that is cut
	textEnd      // after an ESC there
	paste        // between CSI 200~ and CSI 201~
)

// Bounds on what is held or cut, so that a sequence without an end does not swallow what is typed after it.
const (
	maxControl = 64
	maxText    = 1 << 16
)

const (
	esc = 0x1b
	bel = 0x07
	can = 0x18
	sub = 0x1a
)

var (
	pasteStart = []byte("\x1b[200~")
	pasteEnd   = []byte("\x1b[201~")
)

// filterTyped appends to out what of in is typed.
func (f *replyFilter) filterTyped(out, in []byte) []byte {
	for _, b := range in {
		for again := true; again; {
			out, again = f.stepByte(out, b)
		}
	}
	return out
}

// isPending reports whether bytes are held or a reply is under way.
func (f *replyFilter) isPending() bool { return f.mode != ground && f.mode != paste }

// isReplying reports whether a reply is under way.
func (f *replyFilter) isReplying() bool { return f.mode == text || f.mode == textEnd }

// waitForMore is how long to wait for more of what is held or under way.
func (f *replyFilter) waitForMore() time.Duration {
	if f.isReplying() {
		return replyWait
	}
	return keyWait
}

// releaseIdle appends what was held, for no more bytes came; a reply under way is given up.
func (f *replyFilter) releaseIdle(out []byte) []byte {
	if f.mode == paste {
		return out
	}
	return f.releaseHeld(out, ground)
}

func (f *replyFilter) releaseHeld(out []byte, next mode) []byte {
	out = append(out, f.held...)
	f.held, f.mode = f.held[:0], next
	return out
}

func (f *replyFilter) dropHeld(next mode) { f.held, f.mode, f.cut = f.held[:0], next, 0 }

func (f *replyFilter) holdByte(b byte, next mode) { f.held, f.mode = append(f.held, b), next }

// stepByte takes one byte; again asks for the same byte once more in the mode that follows.
func (f *replyFilter) stepByte(out []byte, b byte) (_ []byte, again bool) {
	switch f.mode {
	case escape:
		return f.stepEscape(out, b)
	case intro:
		if beginsReply(f.held[1], b) {
			f.dropHeld(text)
			return out, true
		}
		return f.releaseHeld(out, ground), true
	case control:
		return f.stepControl(out, b)
	case letter:
		if b&0xc0 != 0x80 {
			return f.releaseHeld(out, ground), true
		}
		f.holdByte(b, letter)
		if utf8.FullRune(f.held) {
			out = f.releaseHeld(out, ground)
		}
		return out, false
	case text, textEnd:
		return out, f.stepText(b)
	case paste:
		return f.stepPaste(out, b), false
	case ground:
	}
	switch {
	case b == esc:
		f.holdByte(b, escape)
	case b >= utf8.RuneSelf:
		f.holdByte(b, letter)
		if utf8.FullRune(f.held) {
			out = f.releaseHeld(out, ground)
		}
	default:
		out = append(out, b)
	}
	return out, false
}

func (f *replyFilter) stepEscape(out []byte, b byte) ([]byte, bool) {
	switch b {
	case esc:
		return f.releaseHeld(out, ground), true
	case '[':
		f.holdByte(b, control)
	case ']', '_', 'P':
		f.holdByte(b, intro)
	default:
		return f.releaseHeld(out, ground), true
	}
	return out, false
}

// beginsReply reports whether b, after the introducer ESC kind, begins an answer
// as terminals give it and not Alt with a letter followed by typing.
func beginsReply(kind, b byte) bool {
	switch kind {
	case ']':
		return b >= '0' && b <= '9'
	case '_':
		return b == 'G'
	}
	return b >= '0' && b <= '9' || bytes.IndexByte([]byte(">!$+"), b) >= 0
}

func (f *replyFilter) stepControl(out []byte, b byte) ([]byte, bool) {
	if b < 0x20 || b > 0x7e || len(f.held) >= maxControl {
		return f.releaseHeld(out, ground), true
	}
	f.holdByte(b, control)
	first := len(f.held) == 3
	if b < 0x40 || first && b == '[' { // ESC [ [ A is F1 of the Linux console
		return out, false
	}
	if f.held[2] == '?' || f.held[2] == '>' || b == 't' {
		f.dropHeld(ground)
		return out, false
	}
	if bytes.Equal(f.held, pasteStart) {
		return f.releaseHeld(out, paste), false
	}
	return f.releaseHeld(out, ground), false
}

// stepText cuts, and reports whether b belongs to what follows.
func (f *replyFilter) stepText(b byte) (again bool) {
	f.cut++
	switch {
	case f.mode == textEnd && b == '\\', b == bel, b == can, b == sub, f.cut > maxText:
		f.dropHeld(ground)
	case f.mode == textEnd:
		f.dropHeld(escape)
		f.held = append(f.held, esc)
		return true
	case b == esc:
		f.mode = textEnd
	}
	return false
}

// stepPaste passes on what is pasted and watches for its end; held is the
// part of the end mark that was seen, and has been passed on.
func (f *replyFilter) stepPaste(out []byte, b byte) []byte {
	f.held = append(f.held, b)
	if !bytes.HasPrefix(pasteEnd, f.held) {
		f.held = f.held[:0]
		if b == esc {
			f.held = append(f.held, b)
		}
	}
	if len(f.held) == len(pasteEnd) {
		f.dropHeld(ground)
	}
	return append(out, b)
}

// How long to wait for the rest of a sequence. A terminal sends one in one go; the first is shorter
// than a person can press two keys, the second allows for a reply that comes over a slow line in parts.
const (
	keyWait   = 20 * time.Millisecond
	replyWait = 300 * time.Millisecond
)

// Input is a terminal's input less the terminal's own answers. It is a file to bubbletea, which looks
// for Fd and Name to set raw mode and to be able to stop reading.
type Input struct {
	*os.File
	filter replyFilter
	ready  func(fd uintptr, wait time.Duration) bool
}

// NewInput wraps a terminal's input.
func NewInput(f *os.File) *Input { return &Input{File: f, ready: waitReadable} }

// Read reads what was typed. It may return 0 bytes without an error when all
// that came was a reply. It never keeps typed bytes back for the next call:
// whoever waits for the file to become readable would not learn of them.
func (in *Input) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	raw := make([]byte, len(p))
	out := make([]byte, 0, len(p))
	for {
		// Held bytes may come out together with those read now.
		room := len(p) - len(out) - len(in.filter.held)
		if room <= 0 {
			out = in.filter.releaseIdle(out)
			return copy(p, out), nil
		}
		n, err := in.File.Read(raw[:room])
		out = in.filter.filterTyped(out, raw[:n])
		if err != nil {
			return copy(p, in.filter.releaseIdle(out)), err
		}
		if !in.filter.isPending() {
			return copy(p, out), nil
		}
		if !in.ready(in.Fd(), in.filter.waitForMore()) {
			return copy(p, in.filter.releaseIdle(out)), nil
		}
	}
}

// Errors of terminals that cannot be drawn on.
var (
	ErrNoTerminal = errors.New("no terminal: the app needs one on standard input and output; " +
		"the commands (concord help) work without")
	ErrDumb = errors.New("TERM=dumb: this terminal cannot move its cursor; " +
		"the commands (concord help) work on it, and so do review and vote with --accessible")
)

// CheckTerminal reports why the app cannot be drawn here, or nil.
func CheckTerminal(in, out *os.File, getenv func(string) string) error {
	if !isatty.IsTerminal(in.Fd()) || !isatty.IsTerminal(out.Fd()) {
		return ErrNoTerminal
	}
	if getenv("TERM") == "dumb" {
		return ErrDumb
	}
	return nil
}

// NewProgramOptions gives the options of a program that draws on the whole of a terminal
// and reads keys from in; out paints its frames (Paint). Signals end its context: bubbletea's own handler would
// hand the same signal to a loop that the context has ended, and wait for ever.
func NewProgramOptions(in *os.File, out *Output) []tea.ProgramOption {
	return newOptions(NewInput(in), out)
}

func newOptions(in io.Reader, out io.Writer) []tea.ProgramOption {
	return []tea.ProgramOption{tea.WithInput(in), tea.WithOutput(out), tea.WithAltScreen(), tea.WithoutSignalHandler()}
}
