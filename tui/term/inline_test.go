package term

import (
	"fmt"
	"image"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

func TestImageRuns(t *testing.T) {
	a, b := makeImageCells(7, 3, 2, "", ""), makeImageCells(8, 2, 2, "", "")
	check := func(line string, texts []string, want ...cellRun) {
		t.Helper()
		runs, got := splitImageRuns(line)
		if !slices.Equal(runs, want) || !slices.Equal(got, texts) {
			t.Errorf("%q: %+v, %q", line, runs, got)
		}
	}
	check("plain", []string{"plain"})
	check(a[1], []string{"", ""}, cellRun{id: 7, row: 1, n: 3})
	check("\x1b[1m界\x1b[m"+a[0]+b[1]+" x", []string{"\x1b[1m界\x1b[m", "", " x"}, cellRun{id: 7, x: 2, n: 3}, cellRun{id: 8, row: 1, x: 5, n: 2})
	check(ansi.Truncate(a[1], 2, "")+"é", []string{"", "é"}, cellRun{id: 7, row: 1, n: 2})
	check(ansi.TruncateLeft(a[1], 2, ""), []string{"", ""}, cellRun{id: 7, row: 1, col: 2, n: 1})
	check(placeholder+"x", []string{"", "x"}, cellRun{n: 1})
}

// lettered is an image that a terminal without any shows: cells with a letter.
func lettered(letter string, cols, rows int) inlineImage {
	line := strings.Repeat(letter, cols)
	var b strings.Builder
	for y := range rows {
		if y > 0 {
			b.WriteString(ansi.CursorDown(1))
		}
		b.WriteString("\x1b7" + line + "\x1b8")
	}
	return inlineImage{cols: cols, rows: rows, draw: b.String()}
}

// TestInlineImagesStandWhereTheirCellsAre paints random frames, in which images
// come, move, are covered, cut and forgotten, and compares the screen with the frame.
func TestInlineImagesStandWhereTheirCellsAre(t *testing.T) {
	const width, height = 24, 9
	rnd := rand.New(rand.NewPCG(1, 2))
	em := vt.NewEmulator(width, height)
	go func() { _, _ = io.Copy(io.Discard, em) }()
	p := NewPainter(em)
	g := NewInline(&Session{}, ImagesSixel)
	p.UseInline(g)
	over := 0
	if _, err := io.WriteString(p, ansi.SetModeAltScreenSaveCursor); err != nil {
		t.Fatal(err)
	}
	p.setSize(width, height)
	for step := range 3000 {
		for id := uint32(1); id <= 4; id++ {
			if rnd.IntN(8) == 0 {
				g.DropImage(id)
			} else if _, ok := g.imageForCellSize(id); !ok {
				g.images[id] = lettered(string(rune('@'+id)), 3+int(id%2), 2+int(id%2))
			}
		}
		frame, want := randomFrame(rnd, g, width, height)
		if rnd.IntN(20) == 0 {
			if _, err := io.WriteString(p, ansi.EraseEntireScreen); err != nil {
				t.Fatal(err)
			}
		}
		p.next = frame
		p.paintNext()
		over += len(p.inline.over)
		for y, line := range strings.Split(em.String(), "\n") {
			if strings.TrimRight(line, " ") != strings.TrimRight(want[y], " ") {
				t.Fatalf("step %d, line %d:\n%s\nwant\n%s", step, y, em.String(), strings.Join(want, "\n"))
			}
		}
	}
	if over == 0 {
		t.Errorf("no image was drawn over another one")
	}
}

// randomFrame is a frame of text with one of four images somewhere, now and then
// under a line of text or out of the screen, and what the screen is to show.
func randomFrame(rnd *rand.Rand, g *Inline, width, height int) (frame, want []string) {
	id := uint32(1 + rnd.IntN(4))
	cols, rows := 3+int(id%2), 2+int(id%2)
	x, y := rnd.IntN(2), rnd.IntN(height)
	covered := -1
	if rnd.IntN(3) == 0 {
		covered = y + rnd.IntN(rows)
	}
	_, known := g.imageForCellSize(id)
	whole := known && y+rows < height && (covered < 0 || covered >= height)
	cells := makeImageCells(int(id), cols, rows, "", "")
	for i := range height {
		text := strings.Repeat(string(rune('a'+rnd.IntN(3))), width)
		if i < y || i >= y+rows || i == covered {
			frame, want = append(frame, text), append(want, text)
			continue
		}
		shown := strings.Repeat(" ", cols)
		if whole {
			shown = strings.Repeat(string(rune('@'+id)), cols)
		}
		frame = append(frame, text[:x]+cells[i-y]+text[x+cols:])
		want = append(want, text[:x]+shown+text[x+cols:])
	}
	return frame, want
}

// TestInlineImageIsSentOnce: an image is sent before it is drawn, and text beside one
// that stays costs none. What a cleared terminal has lost is sent again.
func TestInlineImageIsSentOnce(t *testing.T) {
	p, out := painter("")
	p.width, p.height = 12, 4
	g := NewInline(&Session{Kitty: true}, ImagesPlaced)
	p.UseInline(g)
	place := func() ([]string, uint32) {
		t.Helper()
		lines, id, err := g.PlaceImage(image.NewRGBA(image.Rect(0, 0, 4, 4)), 4, 2)
		if err != nil {
			t.Fatal(err)
		}
		return lines, id
	}
	lines, id := place()
	sent := func(news string, has ...string) {
		t.Helper()
		p.next = []string{lines[0] + news, lines[1], "end"}
		p.paintNext()
		if got := out.String(); strings.Count(got, "\x1b_G") != len(has) {
			t.Errorf("%s: %q", news, got)
		}
		for _, want := range has {
			if got := out.String(); !strings.Contains(got, fmt.Sprintf("\x1b_G%s,", want)) && !strings.Contains(got, fmt.Sprintf("\x1b_G%s\x1b", want)) {
				t.Errorf("%s: %q has no %q", news, got, want)
			}
		}
		out.Reset()
	}
	named := fmt.Sprintf("i=%d", id)
	sent("one", "a=t,q=2,f=100,t=d,"+named, "a=p,C=1,q=2,"+named)
	sent("two")
	p.shown = nil
	sent("cleared", "a=d,d=i,q=2,"+named, "a=T,C=1,q=2,f=100,t=d,"+named)
	kept := lines
	lines = []string{"", ""}
	sent("none", "a=d,d=i,q=2,"+named)
	lines = kept
	sent("again", "a=p,C=1,q=2,"+named)
	g.DropImage(id)
	sent("dropped", "a=d,d=i,q=2,"+named)
	taken := make(map[uint32]bool)
	for range 3 * rested {
		lines, id = place()
		named = fmt.Sprintf("i=%d", id)
		sent("next", "a=t,q=2,f=100,t=d,"+named, "a=p,C=1,q=2,"+named)
		g.DropImage(id)
		sent("dropped", "a=d,d=i,q=2,"+named)
		taken[id] = true
	}
	if len(taken) > rested+2 {
		t.Errorf("%d ids of one image at a time: the terminal keeps an image of each", len(taken))
	}

	// A large one is sent with each frame that draws it, and deleted behind it, and so
	// are all that were sent ahead.
	ahead, small := place()
	out.Reset()
	lines, id, err := g.PlaceImage(image.NewRGBA(image.Rect(0, 0, 2000, 2000)), 4, 2)
	if err != nil || out.Len() > 0 {
		t.Fatalf("%v, %d bytes ahead", err, out.Len())
	}
	p.next = []string{lines[0], lines[1], "end"}
	p.paintNext()
	if got := out.String(); !strings.Contains(got, fmt.Sprintf("a=T,C=1,q=2,f=100,t=d,i=%d,", id)) {
		t.Errorf("a large one: %.200q", got)
	}
	out.Reset()
	lines = ahead
	sent("behind it", fmt.Sprintf("a=d,d=I,q=2,i=%d", id), fmt.Sprintf("a=T,C=1,q=2,f=100,t=d,i=%d", small))
}

// Sixels are of pixels: where the font is another one, so are they.
func TestSixelsFollowTheFont(t *testing.T) {
	g := NewInline(&Session{Cell: image.Pt(6, 12)}, ImagesSixel)
	_, id, err := g.PlaceImage(image.NewRGBA(image.Rect(0, 0, 100, 100)), 10, 5)
	if err != nil {
		t.Fatal(err)
	}
	size := func() string {
		img, ok := g.imageForCellSize(id)
		_, raster, _ := strings.Cut(img.draw, "\"1;1;")
		raster, _, _ = strings.Cut(raster, "#")
		return fmt.Sprint(ok, " ", raster)
	}
	check := func(cell image.Point, want string) {
		t.Helper()
		g.setCellSize(cell)
		if got := size(); got != want {
			t.Errorf("cells of %v: %s, want %s", cell, got, want)
		}
	}
	check(image.Point{}, "true 60;60")
	check(image.Pt(12, 24), "true 120;120")
}

// TestSixelsAreNoLargerThanXtermDraws: xterm leaves out what has more than 1,000
// pixels a side.
func TestSixelsAreNoLargerThanXtermDraws(t *testing.T) {
	for brand, want := range map[string]struct {
		raster string
		inset  image.Point // it stands in the middle of its room
	}{"XTerm": {"\"1;1;1000;500", image.Pt(10, 17)}, "foot": {"\"1;1;1200;600", image.Pt(0, 15)}} {
		g := NewInline(&Session{Cell: image.Pt(10, 20), Brand: Brand{Name: brand}}, ImagesSixel)
		_, id, err := g.PlaceImage(image.NewGray(image.Rect(0, 0, 40, 20)), 120, 60)
		if err != nil {
			t.Fatal(err)
		}
		if img, _ := g.imageForCellSize(id); !strings.Contains(img.draw, want.raster) || img.inset != want.inset {
			t.Errorf("%s is sent %q, inset %v", brand, img.draw[:40], img.inset)
		}
	}
}

// A terminal stretches an image over its room: what fills the room keeps the image's shape.
func TestPadToRoomKeepsTheShape(t *testing.T) {
	img := image.NewRGBA(image.Rect(10, 10, 430, 310)) // 420 by 300
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	for _, room := range []image.Point{{900, 300}, {300, 900}, {420, 300}, {1170, 840}, {0, 0}} {
		out := padToRoom(img, room.X, room.Y)
		b := out.Bounds()
		if room.X > 0 {
			if want, got := float64(room.X)/float64(room.Y), float64(b.Dx())/float64(b.Dy()); got < want*0.99 || got > want*1.01 {
				t.Errorf("a room of %v has an image of %v", room, b)
			}
		}
		filled := 0
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				if _, _, _, a := out.At(x, y).RGBA(); a > 0 {
					filled++
				}
			}
		}
		if filled != 420*300 {
			t.Errorf("a room of %v has %d pixels of the image", room, filled)
		}
	}
}
