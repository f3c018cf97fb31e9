package term

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// The example of the protocol's page: 33554474 = 42 + (2 << 24), in two rows of
// two columns.
func TestPlaceholder(t *testing.T) {
	got := PlaceholderLines(33554474, 2, 2)
	want := []string{
		"\x1b[38;5;42m\U0010EEEE\u0305\u0305\u030E\U0010EEEE\u0305\u030D\u030E\x1b[39m",
		"\x1b[38;5;42m\U0010EEEE\u030D\u0305\u030E\U0010EEEE\u030D\u030D\u030E\x1b[39m",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, line := range PlaceholderLines(1<<24+16, maxSide, 3) {
		if n := ansi.StringWidth(line); n != maxSide {
			t.Errorf("%d cells take %d", maxSide, n)
		}
		if n := ansi.StringWidth(ansi.Truncate(line, 8, "")); n != 8 {
			t.Errorf("cut at 8 cells it takes %d", n)
		}
	}
}

func TestTransmit(t *testing.T) {
	check := func(size, chunks int) {
		t.Helper()
		data := bytes.Repeat([]byte{7}, size)
		all := TransmitSequences(33554474, data, 5, 3)
		if len(all) != chunks {
			t.Fatalf("%d bytes in %d chunks, want %d", size, len(all), chunks)
		}
		var text string
		for i, s := range all {
			keys, part, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(s, "\x1b_G"), "\x1b\\"), ";")
			want := "q=2,m=1"
			if i == 0 {
				want = "a=T,U=1,q=2,f=100,t=d,i=33554474,c=5,r=3,m=1"
			}
			if i == len(all)-1 {
				want = strings.Replace(want, "m=1", "m=0", 1)
			}
			if keys != want || len(part) > 4096 || i < len(all)-1 && len(part)%4 != 0 {
				t.Errorf("chunk %d of %d: %q with %d bytes, want %q", i, len(all), keys, len(part), want)
			}
			text += part
		}
		if got, err := base64.StdEncoding.DecodeString(text); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes came as %d, %v", size, len(got), err)
		}
	}
	check(1, 1)
	check(3072, 1)
	check(3073, 2)
	check(9216, 3)
}

func TestGraphics(t *testing.T) {
	var out bytes.Buffer
	sent := func() string {
		defer out.Reset()
		return out.String()
	}
	g := NewGraphics(&out, &Session{Cell: image.Pt(9, 18)}, 2)
	if w, h := g.Size(10, 5); w != 90 || h != 90 {
		t.Errorf("10x5 cells are %dx%d px", w, h)
	}
	img := image.NewGray(image.Rect(0, 0, 4, 4))
	lines, id, err := g.PlaceImage(img, 4, 2)
	if err != nil || id>>24 != 2 || id&0xff < 16 || len(lines) != 2 {
		t.Fatalf("placed as %d in %d lines, %v", id, len(lines), err)
	}
	first := sent()
	if strings.Count(first, "a=T") != 1 {
		t.Errorf("sent %q", first)
	}
	if _, other, _ := g.PlaceImage(img, 4, 2); other == id {
		t.Error("two images have one id")
	}
	sent()
	if err := g.ResendAll(); err != nil || strings.Count(out.String(), "a=T") != 2 || !strings.Contains(sent(), first) {
		t.Errorf("sent again: %v", err)
	}
	g.DropImage(id)
	g.DropImage(id)
	if got := sent(); got != DeleteSequence(id) {
		t.Errorf("dropped by %q", got)
	}
	if err := g.Close(); err != nil || strings.Count(sent(), "a=d,d=I") != 1 {
		t.Errorf("closed: %v", err)
	}
	for _, cells := range [][2]int{{0, 1}, {1, 0}, {298, 1}, {1, 298}} {
		if _, _, err := g.PlaceImage(img, cells[0], cells[1]); err == nil {
			t.Errorf("placed in %v", cells)
		}
	}
	for range 3 * lows { // ids are used again
		_, id, err := g.PlaceImage(img, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		g.DropImage(id)
	}
	sent()
	muxed := NewGraphics(&out, &Session{Mux: Mux{In: true, Passthrough: true}}, 0)
	if _, _, err := muxed.PlaceImage(image.NewGray(image.Rect(0, 0, 200, 200)), 1, 1); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.HasPrefix(got, "\x1bPtmux;\x1b\x1b_Ga=T") || strings.Count(got, "\x1bPtmux;") != strings.Count(got, "\x1b\x1b_G") {
		t.Errorf("through tmux: %q", got)
	}
}

func TestImagesFromTheCursorOn(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 30, 20))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	got := encodeSixel(scaleToFit(img, 100, 48))
	if !strings.HasPrefix(got, "\x1bP0;1q\"1;1;72;48") || !strings.HasSuffix(got, "\x1b\\") {
		t.Errorf("sixel %.40q", got)
	}
	got, err := encodeITerm2(img, 10, 5)
	if err != nil || !strings.HasPrefix(got, "\x1b]1337;File=size=") || !strings.Contains(got, ";width=10;height=5;inline=1;doNotMoveCursor=1:") {
		t.Fatalf("iTerm2 %.80q, %v", got, err)
	}
	_, text, _ := strings.Cut(strings.TrimSuffix(got, "\a"), ":")
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || c.Width != 30 {
		t.Errorf("a PNG of %v, %v", c, err)
	}
	if c := reduceColours(img).At(3, 3); c != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("white became %v", c)
	}
}

// Flat areas and thin lines are of one colour each, about their own, beside one that shades.
func TestFlatColoursAreTheirOwn(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 120, 90))
	flat, line := color.RGBA{231, 143, 87, 255}, color.RGBA{20, 60, 200, 255}
	for y := range 90 {
		for x := range 120 {
			img.SetRGBA(x, y, flat)
			if y >= 45 {
				img.SetRGBA(x, y, color.RGBA{uint8(2 * x), uint8(x + y), uint8(x * y % 251), 255})
			}
		}
		img.SetRGBA(17, y, line)
	}
	got := reduceColours(img)
	for x, want := range map[int]color.RGBA{20: flat, 17: line} {
		for y := range 45 {
			c := got.At(x, y).(color.RGBA)
			far := max(int(c.R)-int(want.R), int(want.R)-int(c.R), int(c.G)-int(want.G), int(want.G)-int(c.G), int(c.B)-int(want.B), int(want.B)-int(c.B))
			if far > 4 || c != got.At(x, 0) {
				t.Fatalf("%v became %v at %d, %d", want, c, x, y)
			}
		}
	}
	if n := len(got.Palette); n > mostColours || n < mostColours/2 {
		t.Errorf("%d colours", n)
	}
}

func BenchmarkSixel(b *testing.B) {
	img := image.NewRGBA(image.Rect(0, 0, 1200, 800))
	for i := range img.Pix {
		img.Pix[i] = uint8(i * i >> 12)
	}
	for b.Loop() {
		_ = encodeSixel(img)
	}
}

// The sixels of an image are read as the image's own pixels.
func TestSixelsAreReadBack(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {7, 6}, {40, 13}, {301, 50}} {
		img := image.NewRGBA(image.Rectangle{Max: size})
		for i := range img.Pix {
			img.Pix[i] = uint8(i * i >> 5)
		}
		want := reduceColours(img)
		got := image.NewPaletted(want.Rect, want.Palette)
		data := appendSixels(nil, want)
		last := fmt.Sprintf("#%d;2;", len(want.Palette)-1)
		_, bands, ok := strings.Cut(string(data[bytes.Index(data, []byte(last))+1:]), "#")
		if !ok {
			t.Fatalf("%v: no colour is drawn", size)
		}
		readSixels(got, "#"+bands)
		if !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("%v: other pixels", size)
		}
	}
}

// readSixels draws sixels that define no colours.
func readSixels(img *image.Paletted, data string) {
	x, top, colour := 0, 0, 0
	for data != "" {
		c := data[0]
		data = data[1:]
		digits := data[:len(data)-len(strings.TrimLeft(data, "0123456789"))]
		n, err := strconv.Atoi(digits)
		if err == nil {
			data = data[len(digits):]
		}
		switch c {
		case '#':
			colour = n
			continue
		case '$':
			x = 0
			continue
		case '-':
			x, top = 0, top+sixelRows
			continue
		case '!':
			c, data = data[0], data[1:]
		default:
			n = 1
		}
		for range n {
			for y := range sixelRows {
				if (c-'?')>>y&1 == 1 {
					img.SetColorIndex(x, top+y, uint8(colour))
				}
			}
			x++
		}
	}
}
