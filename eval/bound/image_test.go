package bound

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
	"testing"
)

// An image counts by the bytes that its pixels take, not by their number.
func TestMeasureImage(t *testing.T) {
	at := image.Rect(0, 0, 16, 8)
	encode := func(img image.Image) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	check := func(name string, data []byte, want int64) {
		t.Helper()
		s, err := MeasureImage(data)
		if err != nil || s.Width != 16 || s.Height != 8 || s.Bytes != want {
			t.Errorf("%s: %+v, %v, want %d bytes", name, s, err, want)
		}
	}
	deep := image.NewNRGBA64(at)
	deep.SetNRGBA64(0, 0, color.NRGBA64{1, 2, 3, 4})
	clear := image.NewNRGBA(at)
	check("gray", encode(image.NewGray(at)), 128)
	check("gray of 16 bits", encode(image.NewGray16(at)), 256)
	check("see-through", encode(clear), 512)
	check("16 bits", encode(deep), 1024)
	interlaced := encode(deep)
	interlaced[28] = 1
	if s, err := MeasureImage(interlaced); err == nil && s.Bytes != 1536 {
		t.Errorf("interlaced: %+v", s)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, clear, nil); err != nil {
		t.Fatal(err)
	}
	check("jpeg 4:2:0", b.Bytes(), 192)
	progressive := bytes.Replace(b.Bytes(), []byte{0xff, 0xc0}, []byte{0xff, 0xc2}, 1)
	check("progressive jpeg", progressive, 960)
	b.Reset()
	if err := gif.Encode(&b, clear, nil); err != nil {
		t.Fatal(err)
	}
	check("gif", b.Bytes(), 128)
}

// bombPNG is the head of a PNG; its pixels would be what nobody reads.
func bombPNG(t *testing.T, side int, depth, colour byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	return pngHead(b.Bytes(), side, depth, colour)
}

func TestImageBombs(t *testing.T) {
	for _, c := range []struct {
		side          int
		depth, colour byte
		refused       bool
	}{{8190, 8, 6, false}, {8190, 16, 6, true}, {8190, 16, 2, true}, {16000, 8, 0, false}, {17000, 8, 0, true}, {1 << 20, 8, 0, true}} {
		_, err := MeasureImage(bombPNG(t, c.side, c.depth, c.colour))
		if errors.Is(err, ErrImageSize) != c.refused || !c.refused && err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := DecodeImage(t.Context(), bombPNG(t, 8190, 16, 6), 0); !errors.Is(err, ErrImageSize) {
		t.Error(err)
	}
	if _, err := DecodeImage(t.Context(), bombPNG(t, 64, 8, 6), 0); err == nil { // its pixels are not there
		t.Error("a cut image was decoded")
	}
	release, err := Images.Acquire(t.Context(), "all", Images.Capacity())
	if err != nil {
		t.Fatal("a failed decoding keeps its share: ", err)
	}
	release()
}

// pngHead gives a PNG another size, depth and colour type.
func pngHead(file []byte, side int, depth, colour byte) []byte {
	out := bytes.Clone(file)
	head := out[12 : 12+4+13]
	binary.BigEndian.PutUint32(head[4:], uint32(side))
	binary.BigEndian.PutUint32(head[8:], uint32(side))
	head[12], head[13] = depth, colour
	binary.BigEndian.PutUint32(out[29:], crc32.ChecksumIEEE(head))
	return out
}
