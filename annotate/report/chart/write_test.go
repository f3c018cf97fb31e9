package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func plain(s string) string { return s }

// A file of several drawings holds all of their shapes, the later ones below the earlier.
func TestDrawingsAreWrittenBelowEachOther(t *testing.T) {
	bars := []Bar{{Label: "a <b> & \"c\"", Value: 0.5, Low: 0.4, High: 0.6, Interval: true, Figure: "50 %"}, {Label: "d", Value: 0.25, Low: 0.1, High: 0.4, Figure: "25 %"}}
	one := DrawBars("first", 1, "", bars)
	all := []Drawing{one, DrawStacks("second", []string{"win", "lose"}, []Stack{{Label: "m", Parts: []int{3, 1}}})}
	d := joinDrawings(all)
	if want := len(one.Rects) + len(all[1].Rects) + 2; len(d.Rects) != want {
		t.Errorf("%d rectangles, want %d with the legend", len(d.Rects), want)
	}
	for _, r := range d.Rects[len(one.Rects):] {
		if r.Y < float64(one.Height) {
			t.Errorf("a rectangle of the second at %v, within the first", r.Y)
		}
	}
	svg := string(WriteSVG(all, plain))
	for dec := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("no XML: %v\n%s", err, svg)
		}
	}
	if n := strings.Count(svg, "<rect"); n != len(d.Rects)+1 {
		t.Errorf("%d rectangles in SVG, want %d and the ground", n, len(d.Rects))
	}
	pgf := string(WritePGF(all, func(s string) string { return strings.ReplaceAll(s, "&", `\&`) }))
	if n := strings.Count(pgf, `\fill`); n != len(d.Rects) {
		t.Errorf("%d rectangles in TikZ, want %d", n, len(d.Rects))
	}
	if strings.Count(pgf, "{") != strings.Count(pgf, "}") || !strings.Contains(pgf, `a <b> \& "c"`) || !strings.Contains(pgf, "x=0.13158\\linewidth,y=-0.13158\\linewidth") {
		t.Errorf("TikZ:\n%s", pgf)
	}
}
