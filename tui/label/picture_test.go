package label

import (
	"errors"
	"slices"
	"testing"

	"github.com/muesli/termenv"

	"concord/eval"
	"concord/tui/annotation/annotationtest"
	"concord/tui/widget"
)

// A full screen that is left shows the part that was looked at beside the text, also
// when the window has another size by then.
func TestFullScreenThatIsLeft(t *testing.T) {
	for _, leave := range []string{"*", "esc"} {
		b := newBench(2)
		b.Pictures["pic"] = annotationtest.NewPNG(900, 700)
		d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 120, 40)
		whole := d.m.View()
		d.Press("*", "+", "+")
		d.m.Resize(100, 30)
		d.Press(leave)
		d.CheckShows("×2, \\ whole", "1. Which shape")
		d.CheckSeesNot("drawing the image")
		d.m.Resize(120, 40)
		d.Press("*", leave)
		if d.CheckSeesNot("drawing the image"); d.m.View() == whole {
			t.Errorf("left by %s: the whole image", leave)
		}
	}
}

// Zoom that is lost by a change of the mode or of the item costs people days
// (cvat #6807).
func TestZoomStaysFromItemToItemAndInThePane(t *testing.T) {
	b := newBench(4)
	b.Pictures["pic"] = annotationtest.NewPNG(900, 700) // more than is kept of it
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 120, 40)
	d.CheckShows("900x700 px  shapes.png")
	d.CheckSeesNot("×")
	whole := d.m.View()
	d.Press("\\")
	d.CheckShows("the whole image is shown", "1. Which shape")
	d.Press("*", "+", "+", "right", "down")
	d.CheckShows("×2, \\ whole", "900x700 px")
	full := d.m.View()
	d.Press("3")
	d.CheckShows("not over the image")
	if len(d.Journal.Acts) != 0 {
		t.Errorf("a key over the image made %v", d.Journal.Acts)
	}
	d.Press("*")
	d.CheckShows("×2, \\ whole", "1. Which shape")
	d.Press("1")
	d.CheckShows("×2, \\ whole", "2. Which shape")
	d.Press("*")
	if d.m.View() != full {
		t.Error("the next item shows another part of the same image")
	}
	d.Press("*", "left", "\\")
	d.CheckSeesNot("×2")
	d.Press("ctrl+z")
	if got := d.m.View(); len(got) != len(whole) {
		d.CheckShows("900x700 px  shapes.png")
	}
	d.Press("\\")
	d.CheckShows("the whole image is shown")
}

func TestSeveralPicturesKeepTheZoom(t *testing.T) {
	b := newBench(1)
	b.Pictures["other"] = annotationtest.NewPNG(80, 20)
	b.Items[0].Pictures = append(b.Items[0].Pictures, eval.Picture{Hash: "other", Name: "other.png"})
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 120, 40)
	d.Press("*", "+", ".")
	d.CheckShows("×1.5, \\ whole", "2 of 2, . next", "80x20 px  other.png")
	d.Press(".")
	d.CheckShows("×1.5, \\ whole", "1 of 2, . next", "64x48 px  shapes.png")
}

func TestAPictureOpensOutside(t *testing.T) {
	th := annotationtest.NewTheme(termenv.Ascii, true)
	var got string
	th.Images = widget.NewImageRenderer(th.Renderer, widget.Manner{Outside: func(data []byte, format, name string) (string, error) {
		got = format + " " + name
		if len(data) == 0 {
			return "", errors.New("no data")
		}
		return "/tmp/x is a copy", nil
	}})
	d := sit(t, newBench(1), th, 80, 24)
	d.Press("*", "ctrl+o")
	if got != "png shapes.png" || !slices.Contains(d.Notices, "/tmp/x is a copy") {
		t.Errorf("opened %q, told %q", got, d.Notices)
	}
}

func TestPicturesThatAreOff(t *testing.T) {
	th := annotationtest.NewTheme(termenv.Ascii, true)
	th.Images = widget.NewImageRenderer(th.Renderer, widget.Manner{Off: true})
	d := sit(t, newBench(1), th, 80, 24)
	d.CheckShows("images are off", "1. Which shape")
}
