package term

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
	xterm "golang.org/x/term"
)

// maxSide is how many rows or columns of a picture there are diacritics for.
const maxSide = 297

// An id is 24 bits of zero and a byte that the third diacritic carries, over a byte that the colour
// carries. The lower one is a colour of the 256 that no terminal changes the number of, since a colour
// of all the others may be rounded on its way through tmux (superfile #1538).
const (
	firstLow = 16
	lows     = 256 - firstLow
)

// PlaceholderLines is the lines of cols by rows cells in the place of which a
// terminal draws the picture id, by kitty's protocol ("Unicode placeholders").
// Every cell says its row, its column and the id's highest byte.
func PlaceholderLines(id uint32, cols, rows int) []string {
	return makeImageCells(int(id>>24), cols, rows, "\x1b[38;5;"+strconv.Itoa(int(id&0xff))+"m", "\x1b[39m")
}

// makeImageCells makes lines of cells that each say their row, their column and a mark
// of their image, with a style before and behind them.
func makeImageCells(mark, cols, rows int, before, behind string) []string {
	out := make([]string, rows)
	for y := range out {
		var b strings.Builder
		b.WriteString(before)
		for x := range cols {
			b.WriteRune(kitty.Placeholder)
			b.WriteRune(kitty.Diacritic(y))
			b.WriteRune(kitty.Diacritic(x))
			b.WriteRune(kitty.Diacritic(mark))
		}
		b.WriteString(behind)
		out[y] = b.String()
	}
	return out
}

func newSideError(cols, rows int) error {
	return fmt.Errorf("%dx%d cells: an image has 1 to %d a side", cols, rows, maxSide)
}

func encodePNG(img image.Image) ([]byte, error) {
	var data bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&data, img); err != nil {
		return nil, fmt.Errorf("encode image: %w", err)
	}
	return data.Bytes(), nil
}

// TransmitSequences is the sequences that send a PNG picture to a terminal under an id,
// to be drawn where its placeholders stand. The terminal answers nothing.
func TransmitSequences(id uint32, data []byte, cols, rows int) []string {
	return makeTransmitSequences(id, data, cols, rows, "U=1")
}

// makeTransmitSequences sends a picture to be drawn as where says: at its placeholders (U=1),
// or from the cursor on, which stays where it is (C=1).
func makeTransmitSequences(id uint32, data []byte, cols, rows int, where string) []string {
	return chunkSequences(data, "a=T", where, "q=2", "f=100", "t=d", fmt.Sprintf("i=%d", id), fmt.Sprintf("c=%d", cols), fmt.Sprintf("r=%d", rows))
}

// chunkSequences sends a PNG picture in parts, under the keys of the first one.
func chunkSequences(data []byte, keys ...string) []string {
	text := make([]byte, base64.StdEncoding.EncodedLen(len(data)))
	base64.StdEncoding.Encode(text, data)
	var out []string
	for first := true; first || len(text) > 0; first = false {
		n := min(len(text), kitty.MaxChunkSize)
		more := "m=1"
		if n == len(text) {
			more = "m=0"
		}
		if !first {
			keys = []string{"q=2"}
		}
		out = append(out, ansi.KittyGraphics(text[:n], append(keys, more)...))
		text = text[n:]
	}
	return out
}

// DeleteSequence is the sequence by which a terminal forgets a picture and where it stood.
func DeleteSequence(id uint32) string {
	return ansi.KittyGraphics(nil, "a=d", "d=I", "q=2", fmt.Sprintf("i=%d", id))
}

// Graphics has a terminal draw pictures in the place of characters. What it
// sends goes between the frames of bubbletea, to the same output, and once
// for each picture. Its methods may be called by several goroutines.
type Graphics struct {
	out  io.Writer
	cell image.Point
	tmux bool
	high uint32 // of all ids

	mu   sync.Mutex
	next uint32            // of the low bytes
	sent map[uint32][]byte // PNG by id
	size map[uint32]image.Point
}

// NewGraphics sends pictures to a session's terminal. Two that share one, as
// two windows of tmux do, tell their pictures apart by high, 1 to 255.
func NewGraphics(out io.Writer, s *Session, high uint8) *Graphics {
	return &Graphics{
		out: out, cell: s.cellSizeOrUsual(), tmux: s.Mux.In, high: uint32(max(1, high)) << 24,
		sent: make(map[uint32][]byte), size: make(map[uint32]image.Point),
	}
}

// Size is the resolution of a room of cols by rows cells.
func (g *Graphics) Size(cols, rows int) (width, height int) { return cols * g.cell.X, rows * g.cell.Y }

// PlaceImage sends a picture, and gives the lines in the place of which it shows.
func (g *Graphics) PlaceImage(img image.Image, cols, rows int) ([]string, uint32, error) {
	if cols < 1 || rows < 1 || cols > maxSide || rows > maxSide {
		return nil, 0, newSideError(cols, rows)
	}
	data, err := encodePNG(padToRoom(img, cols*g.cell.X, rows*g.cell.Y))
	if err != nil {
		return nil, 0, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	id, err := g.findFreeID()
	if err != nil {
		return nil, 0, err
	}
	if err := g.writeSequences(TransmitSequences(id, data, cols, rows)...); err != nil {
		return nil, 0, err
	}
	g.sent[id], g.size[id] = data, image.Pt(cols, rows)
	return PlaceholderLines(id, cols, rows), id, nil
}

// findFreeID is an id that is not in use, the one that was so longest.
func (g *Graphics) findFreeID() (uint32, error) {
	for range lows {
		id := g.high | (firstLow + g.next%lows)
		g.next++
		if g.sent[id] == nil {
			return id, nil
		}
	}
	return 0, fmt.Errorf("%d images are on the terminal, and no more fit on it", lows)
}

// DropImage has the terminal forget a picture.
func (g *Graphics) DropImage(id uint32) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.sent[id] == nil {
		return
	}
	delete(g.sent, id)
	delete(g.size, id)
	_ = g.writeSequences(DeleteSequence(id))
}

// ResendAll sends all pictures again, for a terminal that lost them: tmux does not keep what it hands on.
func (g *Graphics) ResendAll() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, data := range g.sent {
		if err := g.writeSequences(TransmitSequences(id, data, g.size[id].X, g.size[id].Y)...); err != nil {
			return err
		}
	}
	return nil
}

// Close has the terminal forget all pictures.
func (g *Graphics) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id := range g.sent {
		if err := g.writeSequences(DeleteSequence(id)); err != nil {
			return err
		}
	}
	clear(g.sent)
	clear(g.size)
	return nil
}

// writeSequences writes sequences, each by itself: frames may come between them.
func (g *Graphics) writeSequences(all ...string) error {
	for _, s := range all {
		if g.tmux {
			s = ansi.TmuxPassthrough(s)
		}
		if _, err := io.WriteString(g.out, s); err != nil {
			return fmt.Errorf("send image: %w", err)
		}
	}
	return nil
}

// Extras are what some terminals know beside drawing. Each is off where a terminal is not known to know it.
type Extras struct {
	Sync     bool // mode 2026: what is written in one go is shown in one go
	Title    bool // the window has a title, which is given back
	Progress bool // OSC 9;4: progress in the tab or the task bar
}

// newExtras gives those of a terminal that answered. A terminal that does not know
// OSC 9;4 may show it as a notification, so that only those are sent it that
// are known to draw it (the same as cargo's, with iTerm2 and VTE).
func (s *Session) newExtras(getenv func(string) string, sync bool) Extras {
	e := Extras{Sync: sync, Title: s.Answered && !s.Mux.In}
	switch name := strings.ToLower(s.Brand.Name); {
	case s.Mux.In:
	case name == "ghostty":
		e.Progress = s.Brand.isAtLeast(1, 2)
	case name == "wezterm":
		e.Progress = s.Brand.Version >= "2025" // a date
	case name == "iterm2", name == "iterm.app":
		e.Progress = s.Brand.isAtLeast(3, 6, 6)
	case getenv("WT_SESSION") != "", getenv("ConEmuANSI") == "ON":
		e.Progress = true
	default:
		vte := getenv("VTE_VERSION")
		e.Progress = len(vte) == 4 && vte >= "8000"
	}
	return e
}

// UseExtras has the painter use what a terminal knows. It is called before the program runs.
func (p *Painter) UseExtras(s *Session) { p.extras = s.Extras }

// toldState is what the terminal was told beside frames.
type toldState struct {
	title   string
	percent int // of what is under way; -1: nothing is
}

// titledModel is a model that says what stands in the window's title, and how far
// what it runs has come: percent, or -1 where nothing runs.
type titledModel interface {
	WindowTitle() (title string, percent int)
}

func readToldState(m any) toldState {
	if t, ok := m.(titledModel); ok {
		title, percent := t.WindowTitle()
		return toldState{title, percent}
	}
	return toldState{percent: -1}
}

// appendUntold appends what the terminal has not been told yet.
func (p *Painter) appendUntold(out []byte, now toldState) []byte {
	if p.extras.Title && now.title != p.said.title {
		out = append(out, ansi.SetWindowTitle(now.title)...)
	}
	switch {
	case !p.extras.Progress || now.percent == p.said.percent:
	case now.percent < 0:
		out = append(out, ansi.ResetProgressBar...)
	default:
		out = append(out, ansi.SetProgressBar(now.percent)...)
	}
	p.said = now
	return out
}

// The window's title is kept and given back (XTWINOPS 22 and 23).
var keepTitle, giveTitle = ansi.WindowOp(22, 2), ansi.WindowOp(23, 2)

// addScreenGuards puts around what enters or leaves the alternate screen what the
// terminal is to keep or to give back with it.
func (p *Painter) addScreenGuards(b []byte) []byte {
	on := bytes.Contains(b, []byte(ansi.SetModeAltScreenSaveCursor))
	off := bytes.Contains(b, []byte(ansi.ResetModeAltScreenSaveCursor))
	if on && !p.full && p.extras.Title {
		b = append([]byte(keepTitle), b...)
	}
	if !off || !p.full {
		return b
	}
	if p.extras.Title {
		b = append(b[:len(b):len(b)], giveTitle...)
	}
	if p.extras.Progress && p.said.percent >= 0 {
		b = append(b[:len(b):len(b)], ansi.ResetProgressBar...)
	}
	p.said = toldState{percent: -1}
	return b
}

// wrapSync gives a frame that a terminal shows in one go, if it can.
func (p *Painter) wrapSync(frame []byte) []byte {
	if !p.extras.Sync {
		return frame
	}
	return append(append([]byte(ansi.SetModeSynchronizedOutput), frame...), ansi.ResetModeSynchronizedOutput...)
}

// Prompt is a terminal elsewhere that is used line by line: what is typed is echoed and can be mended
// until enter, as a terminal at hand does by itself. One goroutine reads; any may write.
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
