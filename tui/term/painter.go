package term

import (
	"bytes"
	"image"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// Painter is the output of a program that it paints the frames of. Bubbletea paints at its next tick,
// up to a sixtieth of a second after the key, and measures every line letter by letter, which for a
// picture takes longer than drawing it. A frame is painted here as soon as there is one, and what did
// not change is left alone: all else (the alternate screen, the cursor, the mouse) stays bubbletea's.
//
//	Update --> View --> show (the newest frame waits) --> paint --> terminal
//	bubbletea's own writes, pictures --> Write (what clears the screen is noted) --^
//
// One write is never within another. A terminal that reads slowly gets the
// newest frame next, and holds up nobody.
type Painter struct {
	lull    time.Duration // what comes beside keys is viewed this long after the last view
	writing sync.Mutex    // held while something is written; before mu
	out     io.Writer
	full    bool     // the alternate screen is on: frames belong there alone
	shown   []string // the lines that are on the screen; nil when not known
	buf     []byte
	inline  *inlinePainter // nil: images are none of the painter's
	extras  Extras
	said    toldState
	cellNow func() image.Point // of the terminal, in pixels; nil: it is not known

	mu            sync.Mutex
	next          []string  // the lines of the frame to be painted; nil: none
	coming        any       // what that frame has in front, as its model says
	says          toldState // what its model says beside it
	whole         bool      // all of it, whatever is shown
	busy          bool      // somebody paints
	width, height int

	front any       // what the frame on the screen has in front; nil: nothing, or not known
	since time.Time // when the first frame with it had been written
	busy0 time.Time // since when one message follows the other without a pause
	idle  time.Time // when the last view ended
}

// pace is the least time between two frames: more of them nobody sees.
const pace = time.Second / 120

// mark is all that bubbletea is given to paint. It never gets through.
const mark = "\x1b_concord\x1b\\"

// NewPainter makes the painter of what writes to a terminal.
func NewPainter(out io.Writer) *Painter {
	return &Painter{out: out, lull: pace, said: toldState{percent: -1}, says: toldState{percent: -1}}
}

// WrapModel gives a program's model with its frames painted here. The program has to
// have the painter as its output, and the alternate screen.
func (p *Painter) WrapModel(m tea.Model) tea.Model { return paintedModel{Model: m, by: p} }

// paintedModel is such a model. A key is followed by a view at once. What comes beside keys comes in
// numbers (an item was read, a picture drawn, a label saved): it is looked at once in a while, since
// more frames nobody sees, and to make one takes longer than most of what it shows.
type paintedModel struct {
	tea.Model
	by   *Painter
	seen time.Time // the last view
	due  bool      // one is to follow
	skip bool      // none follows this message
}

// view is the message by which a view follows that was put off.
type view struct{}

func (m paintedModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	now := time.Now()
	m.by.noteHandlingBegins(now)
	m.skip = false
	switch msg := msg.(type) {
	case view:
		m.due, m.seen = false, now
		return m, nil
	case tea.WindowSizeMsg:
		m.by.setSize(msg.Width, msg.Height)
	case tea.KeyMsg:
		if k, ok := m.Model.(keyed); ok {
			var cmd tea.Cmd
			front, age := m.by.frontShownAt(now)
			m.Model, cmd = k.HandleKey(msg, front, age)
			m.seen = now
			return m, cmd
		}
	default:
		m.skip = now.Sub(m.seen) < m.by.lull
	}
	var cmd tea.Cmd
	m.Model, cmd = m.Model.Update(msg)
	if !m.skip {
		m.seen = now
		return m, cmd
	}
	if !m.due {
		m.due = true
		cmd = tea.Batch(cmd, tea.Tick(m.by.lull-now.Sub(m.seen), func(time.Time) tea.Msg { return view{} }))
	}
	return m, cmd
}

func (m paintedModel) View() string {
	if !m.skip {
		var front any
		if f, ok := m.Model.(fronted); ok {
			front = f.FrontItem()
		}
		m.by.queueFrame(frameLines(m.Model), front, readToldState(m.Model))
	}
	m.by.noteHandlingEnds(time.Now())
	return mark
}

// lined is a model that gives its frame by lines, and so spares two copies of it.
type lined interface{ DrawLines() []string }

func frameLines(m tea.Model) []string {
	if l, ok := m.(lined); ok {
		return l.DrawLines()
	}
	return strings.Split(m.View(), "\n")
}

// Write writes what is no frame: sequences, pictures.
func (p *Painter) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(mark)) {
		return len(b), nil
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	n := len(b)
	b = p.addScreenGuards(b)
	p.noteWritten(b)
	if _, err := p.out.Write(b); err != nil {
		return 0, err
	}
	return n, nil
}

// noteWritten notes what of the screen is lost by what is written. A frame that waits while the
// alternate screen is left is of no use later: what comes then may belong to another program.
func (p *Painter) noteWritten(b []byte) {
	on := bytes.LastIndex(b, []byte(ansi.SetModeAltScreenSaveCursor))
	off := bytes.LastIndex(b, []byte(ansi.ResetModeAltScreenSaveCursor))
	if on >= 0 || off >= 0 {
		p.full, p.shown = on > off, nil
	}
	if off >= 0 {
		p.mu.Lock()
		p.next = nil
		p.mu.Unlock()
	}
	if bytes.Contains(b, []byte(ansi.EraseEntireScreen)) {
		p.shown = nil
	}
	if p.shown == nil {
		p.noteFrontWritten(nil)
	}
}

// setSize takes the terminal's size. What it shows after another one came is not known.
func (p *Painter) setSize(width, height int) {
	if p.inline != nil && p.cellNow != nil {
		p.inline.images.setCellSize(p.cellNow()) // a font of another size has others
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.width, p.height, p.whole, p.front = width, height, true, nil
}

// queueFrame has a frame painted, and does not wait for it. front is what it has in front.
func (p *Painter) queueFrame(frame []string, front any, says toldState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next, p.coming, p.says = frame, front, says
	if !p.busy {
		p.busy = true
		go func() {
			for p.paintNext() {
				time.Sleep(pace)
			}
		}()
	}
}

// paintNext paints the frame that waits, and reports whether there was one.
func (p *Painter) paintNext() bool {
	p.writing.Lock()
	defer p.writing.Unlock()
	p.mu.Lock()
	lines, whole, width, height, front, says := p.next, p.whole, p.width, p.height, p.coming, p.says
	p.next, p.whole, p.busy = nil, false, lines != nil
	p.mu.Unlock()
	if whole {
		p.shown = nil
	}
	if lines == nil || !p.full {
		return lines != nil
	}
	if height > 0 && len(lines) > height {
		lines = lines[len(lines)-height:]
	}
	p.buf = p.inline.beginImageFrame(p.buf[:0], lines, width, height, p.shown != nil)
	p.buf = appendChanges(p.buf, p.shown, lines, width, p.inline)
	if len(lines) < height && (p.shown == nil || len(lines) < len(p.shown)) {
		p.buf = append(p.buf, ansi.CursorPosition(1, len(lines)+1)+ansi.EraseScreenBelow...)
	}
	p.buf = p.inline.appendImages(p.buf)
	if len(p.buf) > 0 {
		// What another program says when this one is killed belongs under it.
		p.buf = append(p.buf, ansi.CursorPosition(1, height)...)
		p.buf = p.wrapSync(p.buf)
	}
	if p.buf = p.appendUntold(p.buf, says); len(p.buf) > 0 {
		_, _ = p.out.Write(p.buf) // a terminal that is gone ends the program by its input
	}
	p.shown = lines
	p.noteFrontWritten(front)
	return true
}

// appendChanges appends to out what turns the lines shown into others, on a terminal
// of a width; shown is nil when it may show anything.
func appendChanges(out []byte, shown, lines []string, width int, inline *inlinePainter) []byte {
	for y, line := range lines {
		if y < len(shown) && shown[y] == line && (inline == nil || !inline.stale[y]) {
			continue
		}
		out = append(out, ansi.CursorPosition(1, y+1)...)
		if inline != nil && strings.Contains(line, placeholder) {
			out = inline.appendLine(out, line, y)
			continue
		}
		if countCharacters(line) < width || width == 0 {
			out = append(out, ansi.EraseLineRight...)
		}
		out = append(out, line...)
	}
	return out
}

// countCharacters counts how many characters a line has that are not part of a style: as many
// as it has cells at least, but for marks that stand above letters.
func countCharacters(line string) int {
	n := 0
	for i := 0; i < len(line); i++ {
		if c := line[i]; c == esc {
			for i++; i < len(line) && (line[i] < 0x40 || line[i] > 0x7e || line[i] == '['); {
				i++
			}
		} else if utf8.RuneStart(c) {
			n++
		}
	}
	return n
}

// Output is the terminal's output, shared by what draws frames and what sends pictures: one Write is
// never within another. It is a terminal to bubbletea, which looks for Fd, and no more of a file than
// that: os.File has other ways to write.
type Output struct {
	*Painter
	file *os.File
}

// NewOutput wraps a terminal's output.
func NewOutput(f *os.File) *Output {
	p := NewPainter(f)
	p.cellNow = func() image.Point { return cellPixels(f.Fd()) }
	return &Output{p, f}
}

// Read has nothing to read.
func (o *Output) Read([]byte) (int, error) { return 0, io.EOF }

// Close leaves the file open: it is not ours.
func (o *Output) Close() error { return nil }

// Fd is the file's.
func (o *Output) Fd() uintptr { return o.file.Fd() }

// CopyToClipboard asks the terminal to put a text onto the clipboard (OSC 52). Nobody says whether it did.
func (p *Painter) CopyToClipboard(text string) error {
	_, err := p.Write([]byte(ansi.SetSystemClipboard(text)))
	return err
}

// fronted is a model that says what its frame has in front: a value that can be
// compared, and that changes with all that a key may be meant for. nil: nothing.
type fronted interface{ FrontItem() any }

// keyed is a model that is told with each key what the terminal showed when it was
// typed: front is what the frame there has in front, and age how long that had
// been there. A negative age is a key that was typed before.
type keyed interface {
	HandleKey(msg tea.KeyMsg, front any, age time.Duration) (tea.Model, tea.Cmd)
}

// gap is how long the program waits for a message at least before a key that came meanwhile counts as
// typed just now; backlog is the longest that a key is thought to have waited for its turn.
const (
	gap     = 200 * time.Microsecond
	backlog = 500 * time.Millisecond
)

// noteFrontWritten notes what the frame that has been written has in front; nil: something else is shown.
func (p *Painter) noteFrontWritten(front any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if front == nil || front != p.front {
		p.front, p.since = front, time.Now()
	}
}

func (p *Painter) noteHandlingBegins(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.idle) > gap {
		p.busy0 = now
	}
}

func (p *Painter) noteHandlingEnds(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = now
}

// frontShownAt is what the screen shows while a key is handled, and for how long it
// had done so when the key was typed. A program that was busy may have let the
// key wait since it began to be: then counts what was there at that moment.
func (p *Painter) frontShownAt(now time.Time) (front any, age time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	typed := p.busy0
	if now.Sub(typed) > backlog {
		typed = now.Add(-backlog)
	}
	return p.front, typed.Sub(p.since)
}
