package widget

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// RenderBlocks draws the picture into at most cols by rows cells: as upper half
// blocks with a colour above and one below, or, without colours, as
// characters by their lightness. dark tells the terminal's background for the
// latter. Every line is exactly as wide as Cells says.
func (p *Picture) RenderBlocks(cols, rows int, profile termenv.Profile, dark bool) []string {
	w, h := p.FitCells(cols, rows)
	if w == 0 {
		return nil
	}
	var l cropCutter
	return renderBlocks(l.cutPart(p, image.Rect(0, 0, p.Width, p.Height), w, 2*h), profile, dark)
}

// sides is a picture that is white at the left and black at the right.
func sides(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{A: 255}
			if x < w/2 {
				c = color.RGBA{R: 255, G: 255, B: 255, A: 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func encodePNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// rough tells light characters from dark ones: scaling blurs an edge.
func rough(lines []string) string {
	return strings.Map(func(r rune) rune {
		switch i := strings.IndexRune(ramp, r); {
		case i >= len(ramp)/2:
			return '@'
		case i >= 0:
			return ' '
		}
		return r
	}, strings.Join(lines, "/"))
}

func TestRenderByLightness(t *testing.T) {
	p, err := DecodePicture(encodePNG(t, sides(80, 40)))
	if err != nil {
		t.Fatal(err)
	}
	got := rough(p.RenderBlocks(8, 10, termenv.Ascii, true))
	if want := "@@@@    /@@@@    "; got != want {
		t.Errorf("on dark:\n%s\nwant\n%s", got, want)
	}
	got = rough(p.RenderBlocks(8, 10, termenv.Ascii, false))
	if want := "    @@@@/    @@@@"; got != want {
		t.Errorf("on light:\n%s\nwant\n%s", got, want)
	}
}

func TestRenderFitsAtEveryDepth(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {3, 500}, {500, 3}, {64, 48}, {1100, 700}} {
		p, err := DecodePicture(encodePNG(t, sides(size.X, size.Y)))
		if err != nil {
			t.Fatal(err)
		}
		for _, profile := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI, termenv.Ascii} {
			for _, pane := range []image.Point{{1, 1}, {10, 4}, {40, 30}} {
				lines := p.RenderBlocks(pane.X, pane.Y, profile, true)
				w, h := p.FitCells(pane.X, pane.Y)
				if len(lines) != h || h > pane.Y || w > pane.X {
					t.Fatalf("%v in %v: %d lines, cells %dx%d", size, pane, len(lines), w, h)
				}
				for _, l := range lines {
					if ansi.StringWidth(l) != w {
						t.Fatalf("%v in %v: line is %d wide, want %d", size, pane, ansi.StringWidth(l), w)
					}
				}
			}
		}
	}
}

func TestRenderDepths(t *testing.T) {
	p, err := DecodePicture(encodePNG(t, sides(2, 2)))
	if err != nil {
		t.Fatal(err)
	}
	check := func(profile termenv.Profile, want string) {
		t.Helper()
		if got := p.RenderBlocks(2, 1, profile, true)[0]; got != want {
			t.Errorf("%v: %q, want %q", profile, got, want)
		}
	}
	check(termenv.TrueColor, "\x1b[48;2;255;255;255m \x1b[48;2;0;0;0m \x1b[m")
	check(termenv.ANSI256, "\x1b[48;5;231m \x1b[48;5;16m \x1b[m")
	check(termenv.ANSI, "\x1b[107m \x1b[40m \x1b[m")
}

func TestBlocksSayWhatChanges(t *testing.T) {
	check := func(profile termenv.Profile, want string, upper, lower []uint8) {
		t.Helper()
		img := image.NewRGBA(image.Rect(0, 0, len(upper), 2))
		for x := range upper {
			for y, v := range []uint8{upper[x], lower[x]} {
				img.SetRGBA(x, y, color.RGBA{R: v, A: 255})
			}
		}
		if got := newColorWriter(profile).drawBlocks(img, 0); got != want {
			t.Errorf("%v over %v: %q, want %q", upper, lower, got, want)
		}
	}
	all := termenv.TrueColor
	check(all, "\x1b[38;2;9;0;0;48;2;90;0;0m▀▀\x1b[m", []uint8{9, 9}, []uint8{90, 90})
	check(all, "\x1b[38;2;9;0;0;48;2;90;0;0m▀\x1b[38;2;50;0;0m▀\x1b[48;2;80;0;0m▀\x1b[m", []uint8{9, 50, 50}, []uint8{90, 90, 80})
	// A space leaves the colour above as it is.
	check(all, "\x1b[38;2;9;0;0;48;2;90;0;0m▀ ▀\x1b[m", []uint8{9, 90, 9}, []uint8{90, 90, 90})
	// Black is a colour, too.
	check(all, "\x1b[48;2;0;0;0m \x1b[m", []uint8{0}, []uint8{0})
	// Of slow changes each is measured by what is drawn, not by the last one.
	check(all, "\x1b[48;2;10;0;0m  \x1b[48;2;14;0;0m  \x1b[m", []uint8{10, 12, 14, 16}, []uint8{10, 12, 14, 16})
	check(all, "\x1b[38;2;10;0;0;48;2;13;0;0m▀\x1b[m", []uint8{10}, []uint8{13})
	check(termenv.ANSI256, "\x1b[48;5;16m  \x1b[48;5;196m \x1b[m", []uint8{0, 5, 255}, []uint8{9, 0, 255})
}

func TestTransparencyIsLaidOnWhite(t *testing.T) {
	p, err := DecodePicture(encodePNG(t, image.NewNRGBA(image.Rect(0, 0, 4, 4))))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.RenderBlocks(1, 1, termenv.Ascii, true)[0]; got != "@" {
		t.Errorf("a transparent image is %q", got)
	}
}

func TestDecodeRefusesWhatIsTooLargeOrBroken(t *testing.T) {
	data := encodePNG(t, sides(4, 4))
	huge := bytes.Clone(data)
	binary.BigEndian.PutUint32(huge[16:], 100_000)
	binary.BigEndian.PutUint32(huge[20:], 100_000)
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	if _, err := DecodePicture(huge); !errors.Is(err, ErrPictureSize) {
		t.Errorf("10 gigapixels: %v", err)
	}
	if _, err := DecodePicture(nil); !errors.Is(err, ErrNoPicture) {
		t.Errorf("no bytes: %v", err)
	}
	for _, bad := range [][]byte{data[:len(data)/2], []byte("not an image"), {0xFF, 0xD8, 0xFF}} {
		if _, err := DecodePicture(bad); err == nil {
			t.Errorf("decoded %q", bad)
		}
	}
}

// exif is a JPEG's APP1 segment with an orientation.
func exif(v uint16) []byte {
	tiff := []byte("MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01")
	tiff = binary.BigEndian.AppendUint16(tiff, v)
	tiff = append(tiff, 0, 0, 0, 0, 0, 0)
	body := append([]byte("Exif\x00\x00"), tiff...)
	return append(binary.BigEndian.AppendUint16([]byte{0xFF, 0xE1}, uint16(len(body)+2)), body...)
}

func TestOrientation(t *testing.T) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, sides(64, 32), &jpeg.Options{Quality: 100}); err != nil {
		t.Fatal(err)
	}
	check := func(v uint16, want string) {
		t.Helper()
		data := append(append([]byte{0xFF, 0xD8}, exif(v)...), b.Bytes()[2:]...)
		p, err := DecodePicture(data)
		if err != nil {
			t.Fatal(err)
		}
		if exifTurn(v).swapsAxes() != (p.Height == 64) {
			t.Errorf("orientation %d: %dx%d", v, p.Width, p.Height)
		}
		if got := rough(p.RenderBlocks(2, 2, termenv.Ascii, true)); got != want {
			t.Errorf("orientation %d: %q, want %q", v, got, want)
		}
	}
	check(1, "@ ")
	check(2, " @")
	check(3, " @")
	check(4, "@ ")
	check(5, "@@/  ")
	check(6, "@@/  ")
	check(7, "  /@@")
	check(8, "  /@@")
}

func TestDecodeGIF(t *testing.T) {
	var b bytes.Buffer
	if err := gif.Encode(&b, sides(10, 10), nil); err != nil {
		t.Fatal(err)
	}
	if p, err := DecodePicture(b.Bytes()); err != nil || p.Width != 10 {
		t.Errorf("gif: %+v, %v", p, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encodePNG(f, sides(3, 3)))
	f.Add(append([]byte{0xFF, 0xD8}, exif(6)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		findTurn(data)
		if c, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil && c.Width*c.Height > 1<<20 {
			t.Skip("slow, and bounded elsewhere")
		}
		if p, err := DecodePicture(data); err == nil {
			p.RenderBlocks(5, 5, termenv.ANSI256, true)
		}
	})
}

func BenchmarkRender(b *testing.B) {
	p, err := DecodePicture(encodePNG(b, sides(1024, 768)))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p.RenderBlocks(60, 24, termenv.TrueColor, true)
	}
}
