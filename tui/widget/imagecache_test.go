package widget

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/charmbracelet/lipgloss"
)

func TestImageCacheDecodesAndDrawsOnceForAll(t *testing.T) {
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, 40, 40))); err != nil {
		t.Fatal(err)
	}
	var reads atomic.Int32
	cache := NewImageCache()
	var all sync.WaitGroup
	drawn := make([][]string, 8)
	for i := range drawn {
		all.Go(func() {
			e := NewImageRenderer(lipgloss.NewRenderer(io.Discard), Manner{Cache: cache})
			p, err := e.OpenPicture("one", func() ([]byte, error) { reads.Add(1); return data.Bytes(), nil })
			if err != nil {
				t.Error(err)
				return
			}
			e.DrawView(p, Viewport{}, 10, 5)
			drawn[i], _ = e.ViewLines(p, Viewport{}, 10, 5)
		})
	}
	all.Wait()
	if reads.Load() != 1 {
		t.Errorf("read %d times", reads.Load())
	}
	for _, d := range drawn {
		if len(d) == 0 || &d[0] != &drawn[0][0] {
			t.Fatal("a drawing is made anew")
		}
	}
}

func TestCacheIsBoundedAndForgetsFailures(t *testing.T) {
	s := newLRUCache[string](func(n int) int { return n }, func(bytes, _ int) bool { return bytes > mostShared }, nil)
	broken := errors.New("broken")
	for range 2 {
		if _, err := s.getOrBuild("x", func() (int, error) { return 0, broken }); !errors.Is(err, broken) {
			t.Error(err)
		}
	}
	for i := range 100 {
		if n, err := s.getOrBuild(strconv.Itoa(i), func() (int, error) { return mostShared / 10, nil }); n == 0 || err != nil {
			t.Fatal(n, err)
		}
		if _, err := s.getOrBuild("0", func() (int, error) { return mostShared / 10, nil }); err != nil {
			t.Fatal(err)
		}
	}
	if s.bytes > mostShared || len(s.at) != s.order.Len() || s.at["0"] == nil || s.at["99"] == nil || s.at["50"] != nil {
		t.Errorf("%d bytes in %d", s.bytes, len(s.at))
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = s.getOrBuild("p", func() (int, error) { panic("p") })
	}()
	if n, err := s.getOrBuild("p", func() (int, error) { return 1, nil }); n != 1 || err != nil {
		t.Error(n, err)
	}
}
