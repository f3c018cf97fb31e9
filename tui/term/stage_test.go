package term

import (
	"bytes"
	"context"
	"image"
	"io"
	"strings"
	"testing"
)

func TestStageTakesKeysUntilAnotherOne(t *testing.T) {
	check := func(typed string, want int, left string) {
		t.Helper()
		var out bytes.Buffer
		in := strings.NewReader(typed)
		var pressed []string
		p := fullscreenImage{
			screen:  &Fullscreen{ctx: t.Context(), how: ImagesITerm2, cell: image.Pt(10, 20)},
			cut:     func(_, _, w, h int) image.Image { return image.NewGray(image.Rect(0, 0, w/100, h/100)) },
			caption: func() string { return "cat" },
			press: func(key string, cols, rows int) bool {
				pressed = append(pressed, key)
				return cols == 80 && rows == 23 && strings.Contains("+ - = left right up down", key)
			},
			in: io.LimitReader(in, int64(len(typed))), out: &out,
		}
		err := p.perform(func() (int, int, error) { return 80, 24, nil }, func() bool { return true })
		if err != nil || strings.Count(out.String(), "1337;File") != want || pressed[len(pressed)-1] != left {
			t.Errorf("%q: drawn %d times, pressed %q, %v", typed, strings.Count(out.String(), "1337;File"), pressed, err)
		}
		if !strings.Contains(out.String(), "cat") || strings.Contains(out.String(), "\n") {
			t.Errorf("%q: %.60q", typed, out.String())
		}
	}
	check("q", 1, "q")
	check("++\x1b[Cq", 1, "q")
	check("\x1b", 1, "\x1b")
}

func TestStageEndsWithTheApp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := fullscreenImage{
		screen:  &Fullscreen{ctx: ctx, how: ImagesSixel, cell: image.Pt(10, 20)},
		cut:     func(_, _, _, _ int) image.Image { return image.NewGray(image.Rect(0, 0, 9, 9)) },
		caption: func() string { return "" }, in: strings.NewReader(""), out: io.Discard,
	}
	if err := p.perform(func() (int, int, error) { return 80, 24, nil }, func() bool { return false }); err != nil {
		t.Error(err)
	}
}
