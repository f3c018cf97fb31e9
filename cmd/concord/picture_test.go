package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/muesli/termenv"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/command/setup"
	"concord/cmd/concord/internal/server"
	"concord/eval/demo"
	"concord/store"
	"concord/tui"
)

var paint = flag.Bool("paint", false, "paint the README's images anew")

// TestPictures paints the README's pictures from the demo's real screens:
//
//	go test ./cmd/concord -run TestPictures -paint
//
// It takes as long as the demo's evaluation, so it is only run when asked.
func TestPictures(t *testing.T) {
	if !*paint {
		t.Skip("paints images into .github with -paint")
	}
	lipgloss.SetColorProfile(termenv.TrueColor)
	const width, height = 100, 30
	dir := t.TempDir()
	a := newTestApp(cli.Streams{Out: io.Discard, Err: io.Discard}, filepath.Join(dir, "demo.db"))
	st, err := store.Open(a.Path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := demo.BuildProject()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	d := &setup.Demo{Project: a, Store: st, Data: data}
	if err := d.FillProject(ctx); err != nil {
		t.Fatal(err)
	}
	h, err := server.OpenState(ctx, a, st, d.Factory, d.StartRuns)
	if err != nil {
		t.Fatal(err)
	}
	v := h.OpenConnection(server.ScreenOptions{As: "ann", Synthetic: true})
	p := newPlayer(t, tui.New(ctx, v.NewAppDeps(ctx)), width, height)
	p.during(9 * time.Second)
	start := p.m.View()
	p.during(21 * time.Second)
	var tour []string
	save := func(name string, frames ...string) {
		t.Helper()
		path := filepath.Join("..", "..", ".github", name+".svg")
		if err := os.WriteFile(path, []byte(svg(frames, width, height)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	still := func(name string) {
		t.Helper()
		save(name, p.m.View())
	}
	shoot := func() { tour = append(tour, p.m.View()) }
	press := func(keys ...tea.KeyMsg) {
		for _, k := range keys {
			p.send(k)
			p.during(700 * time.Millisecond)
		}
	}
	key := func(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }
	tour = append(tour, start)
	shoot()
	still("runs")
	press(tea.KeyMsg{Type: tea.KeyTab}, tea.KeyMsg{Type: tea.KeyEnter})
	for range 3 {
		shoot()
		press(key(optionMeant(ansi.Strip(p.m.View()))))
	}
	shoot()
	still("review")
	press(tea.KeyMsg{Type: tea.KeyEsc}, key("]"))
	shoot()
	still("report")
	press(key("/"), key("alignment"), tea.KeyMsg{Type: tea.KeyEnter})
	shoot()
	save("tour", tour...)
	cancel()
	if err := errors.Join(v.Close(), h.Close()); err != nil {
		t.Error(err)
	}
	if err := st.Close(); err != nil {
		t.Error(err)
	}
}

// meant is which option answers of the demo mean, by a part of them.
var meant = map[string]string{
	"lonely fish": "One", "little grey one": "The left one", "天已经黑了": "夜晚", "second from the right": "3", "below the highest mark": "30 °C",
}

// optionMeant is the key of the option that the answer on a screen means; none where the
// table has no word of it.
func optionMeant(screen string) string {
	for part, option := range meant {
		found := regexp.MustCompile(`(\d) [A-F] +` + option + `(\s|$)`).FindStringSubmatch(screen)
		if strings.Contains(screen, part) && found != nil {
			return found[1]
		}
	}
	return "0"
}

// Sizes of the pictures, in pixels.
const (
	cellWidth  = 9
	cellHeight = 20
	textSize   = 15
)

var (
	paper = color.RGBA{0x16, 0x18, 0x1d, 0xff}
	ink   = color.RGBA{0xd7, 0xda, 0xe0, 0xff}
)

// perFrame is how long a frame of a moving picture stands.
const perFrame = 2500 * time.Millisecond

// svg draws what an emulated terminal shows of views, one after the other where
// there are several: by CSS alone, which moves in an <img> too. Whoever asked for
// less motion sees the first.
func svg(views []string, width, height int) string {
	var out strings.Builder
	w, h := width*cellWidth, height*cellHeight
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="ui-monospace,Menlo,Consolas,monospace" font-size="%d">`+"\n", w, h, w, h, textSize)
	if n := len(views); n > 1 {
		fmt.Fprintf(&out, "<style>g{visibility:hidden;animation:f %gs steps(1) infinite}@keyframes f{0%%{visibility:visible}%g%%{visibility:hidden}}"+
			"@media(prefers-reduced-motion:reduce){g{animation:none}g:first-of-type{visibility:visible}}</style>\n", (time.Duration(n) * perFrame).Seconds(), 100/float64(n))
	}
	for i, view := range views {
		em := vt.NewEmulator(width, height)
		go func() { _, _ = io.Copy(io.Discard, em) }() // replies, or Write would wait
		_, _ = em.WriteString(strings.ReplaceAll(view, "\n", "\r\n"))
		fmt.Fprintf(&out, `<g style="animation-delay:%gs"><rect width="%d" height="%d" rx="6" fill="%s"/>`+"\n", (time.Duration(i) * perFrame).Seconds(), w, h, hexOf(paper))
		svgPicture(&out, em, width, height)
		for y := range height {
			svgLine(&out, em, width, y)
		}
		out.WriteString("</g>\n")
	}
	out.WriteString("</svg>\n")
	return out.String()
}

// svgPicture draws the cells of half blocks, and those of one colour among them, as
// one image.
func svgPicture(out *strings.Builder, em *vt.Emulator, width, height int) {
	img := image.NewRGBA(image.Rect(0, 0, width, 2*height))
	found := false
	for y := range height {
		for x := range width {
			if c := em.CellAt(x, y); c != nil && pictured(c) {
				fg, bg := colours(c)
				if c.Content != "▀" {
					fg = bg
				}
				img.Set(x, 2*y, fg)
				img.Set(x, 2*y+1, bg)
				found = true
			}
		}
	}
	if !found {
		return
	}
	var data bytes.Buffer
	_ = png.Encode(&data, img) // into memory
	fmt.Fprintf(out, `<image width="%d" height="%d" preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,%s"/>`+"\n",
		width*cellWidth, height*cellHeight, base64.StdEncoding.EncodeToString(data.Bytes()))
}

// pictured reports whether a cell is of a picture: nothing else has a background.
func pictured(c *uv.Cell) bool {
	return c.Content == "▀" || strings.TrimSpace(c.Content) == "" && c.Style.Bg != nil && c.Style.Attrs&uv.AttrReverse == 0
}

func svgLine(out *strings.Builder, em *vt.Emulator, width, y int) {
	for x := 0; x < width; {
		c := em.CellAt(x, y)
		if c == nil || pictured(c) {
			x++
			continue
		}
		fg, bg := colours(c)
		n, text := max(1, c.Width), c.Content
		for x+n < width { // a run of one style
			o := em.CellAt(x+n, y)
			if o == nil || pictured(o) || o.Style.Attrs != c.Style.Attrs || !sameColours(o, fg, bg) {
				break
			}
			text += o.Content
			n += max(1, o.Width)
		}
		svgRun(out, x, y, n, text, fg, bg, c.Style.Attrs&uv.AttrBold != 0)
		x += n
	}
}

func svgRun(out *strings.Builder, x, y, n int, text string, fg, bg color.Color, bold bool) {
	left, top, wide := x*cellWidth, y*cellHeight, n*cellWidth
	if bg != color.Color(paper) {
		fmt.Fprintf(out, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, left, top, wide, cellHeight, hexOf(bg))
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	weight := ""
	if bold {
		weight = ` font-weight="bold"`
	}
	fmt.Fprintf(out, `<text x="%d" y="%d" fill="%s"%s textLength="%d" xml:space="preserve">%s</text>`+"\n",
		left, top+textSize, hexOf(fg), weight, wide, html.EscapeString(text))
}

func colours(c *uv.Cell) (fg, bg color.Color) {
	fg, bg = ink, paper
	if c.Style.Fg != nil {
		fg = c.Style.Fg
	}
	if c.Style.Bg != nil {
		bg = c.Style.Bg
	}
	if c.Style.Attrs&uv.AttrReverse != 0 {
		fg, bg = bg, fg
	}
	return fg, bg
}

func sameColours(c *uv.Cell, fg, bg color.Color) bool {
	f, b := colours(c)
	return hexOf(f) == hexOf(fg) && hexOf(b) == hexOf(bg)
}

func hexOf(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
