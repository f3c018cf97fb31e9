package term

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/muesli/termenv"

	"concord/tui/widget"
)

// screen is an emulated terminal that keeps what was written to it.
type screen struct {
	mu  sync.Mutex
	em  *vt.Emulator
	raw bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.raw.Write(p)
	return s.em.Write(p)
}

// await waits until the screen is as wanted.
func (s *screen) await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 400 {
		s.mu.Lock()
		done := ok()
		s.mu.Unlock()
		if done {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("never %s; written: %.200q", what, s.raw.String())
}

// frame is a program that shows a picture beside text that changes.
type frame struct {
	viewer        *widget.Viewer
	pic           *widget.Picture
	width, height int
	news          string
}

func (f *frame) Init() tea.Cmd { return nil }

func (f *frame) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		f.width, f.height = msg.Width, msg.Height
	case string:
		f.news = msg
	case widget.Drawn:
		f.viewer.HandleDrawn(msg)
	}
	return f, f.viewer.DrawPicture(f.pic, f.width/2, f.height-1)
}

func (f *frame) View() string {
	lines := f.viewer.PictureLines(f.pic, f.width/2, f.height-1)
	return strings.Join(append(lines, f.news), "\n")
}

func TestPlaceholdersOnAnEmulatedScreen(t *testing.T) {
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, 400, 400))); err != nil {
		t.Fatal(err)
	}
	pic, err := widget.DecodePicture(data.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	s := &screen{em: vt.NewEmulator(40, 12)}
	go func() { _, _ = io.Copy(io.Discard, s.em) }()
	g := NewGraphics(s, &Session{Cell: image.Pt(10, 20)}, 2)
	theme := widget.NewTheme(lipgloss.NewRenderer(io.Discard))
	theme.Images = widget.NewImageRenderer(theme.Renderer, widget.Manner{Pixels: g})
	p := tea.NewProgram(&frame{viewer: widget.NewViewer(theme), pic: pic}, tea.WithInput(nil), tea.WithOutput(s), tea.WithAltScreen(), tea.WithoutSignals())
	ended := make(chan error, 1)
	go func() { _, err := p.Run(); ended <- err }()

	placed := func(cols, rows int) func() bool {
		return func() bool {
			for y := range rows {
				for x := range cols {
					c := s.em.CellAt(x, y)
					if c == nil || !strings.HasPrefix(c.Content, "\U0010EEEE") || len([]rune(c.Content)) != 4 {
						return false
					}
					if fg, ok := c.Style.Fg.(ansi.IndexedColor); !ok || fg < 16 {
						return false
					}
				}
			}
			c := s.em.CellAt(cols, 0)
			return c == nil || !strings.HasPrefix(c.Content, "\U0010EEEE")
		}
	}
	p.Send(tea.WindowSizeMsg{Width: 40, Height: 12})
	s.await(t, "an image of 20x10 cells", placed(20, 10))
	for _, news := range []string{"one", "two", "three"} {
		p.Send(news)
		s.await(t, news, func() bool { return strings.Contains(s.em.String(), news) })
	}
	p.Send(tea.WindowSizeMsg{Width: 24, Height: 12})
	s.await(t, "an image of 12x6 cells", placed(12, 6))
	p.Send(tea.WindowSizeMsg{Width: 40, Height: 12})
	s.await(t, "an image of 20x10 cells again", placed(20, 10))
	s.mu.Lock()
	if n := strings.Count(s.raw.String(), "a=T"); n != 2 {
		t.Errorf("images were sent %d times, want once for each of two sizes", n)
	}
	s.mu.Unlock()
	p.Quit()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// BenchmarkFrame is what a picture of 100 by 45 cells costs a frame: the lines
// are cut and filled up to the pane, as placeholders and as half blocks.
func BenchmarkFrame(b *testing.B) {
	pic, err := widget.DecodePicture(photo(b, 1600, 1440))
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, m widget.Manner) {
		theme := widget.NewTheme(lipgloss.NewRenderer(io.Discard))
		theme.Renderer.SetColorProfile(termenv.TrueColor)
		theme.Images = widget.NewImageRenderer(theme.Renderer, m)
		v := widget.NewViewer(theme)
		v.HandleDrawn(v.DrawPicture(pic, 100, 45)().(widget.Drawn))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				widget.FitBox(v.PictureLines(pic, 100, 45), 120, 50)
			}
		})
	}
	run("placeholders", widget.Manner{Pixels: NewGraphics(io.Discard, &Session{}, 1)})
	run("blocks", widget.Manner{})
}

// BenchmarkPlace is a picture of 100 by 45 cells on its way to the terminal.
func BenchmarkPlace(b *testing.B) {
	img, err := png.Decode(bytes.NewReader(photo(b, 1000, 900)))
	if err != nil {
		b.Fatal(err)
	}
	g := NewGraphics(io.Discard, &Session{}, 1)
	for b.Loop() {
		_, id, err := g.PlaceImage(img, 100, 45)
		if err != nil {
			b.Fatal(err)
		}
		g.DropImage(id)
	}
}

// photo is a picture in which no two neighbours are alike.
func photo(b *testing.B, w, h int) []byte {
	b.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = uint8(i*7919>>3) | 3
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}
