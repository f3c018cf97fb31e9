package widget

import (
	"encoding/binary"
	"image"
)

// turn is the orientation tag of EXIF, 1 to 8: how the stored rows and
// columns lie in the picture (EXIF 2.3, 4.6.4 A).
type turn uint16

const upright turn = 1

// swaps reports whether rows become columns.
func (t turn) swaps() bool { return t >= 5 && t <= 8 }

// orientation finds the tag in a JPEG; upright when there is none.
func orientation(jpeg []byte) turn {
	for at := 2; at+4 <= len(jpeg) && jpeg[at] == 0xFF; {
		kind, size := jpeg[at+1], int(binary.BigEndian.Uint16(jpeg[at+2:]))
		if kind == 0xDA || size < 2 || at+2+size > len(jpeg) {
			break
		}
		body := jpeg[at+4 : at+2+size]
		if kind == 0xE1 && len(body) > 6 && string(body[:6]) == "Exif\x00\x00" {
			return tag(body[6:])
		}
		at += 2 + size
	}
	return upright
}

// tag reads the orientation out of the TIFF structure of an EXIF block.
func tag(tiff []byte) turn {
	if len(tiff) < 8 {
		return upright
	}
	var order binary.ByteOrder = binary.BigEndian
	if string(tiff[:2]) == "II" {
		order = binary.LittleEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return upright
	}
	entries := int64(order.Uint16(tiff[at:]))
	for i := range entries {
		e := at + 2 + 12*i
		if e+12 > int64(len(tiff)) {
			break
		}
		if order.Uint16(tiff[e:]) == 0x0112 {
			if v := turn(order.Uint16(tiff[e+8:])); v >= 1 && v <= 8 {
				return v
			}
			break
		}
	}
	return upright
}

// turned is the picture as it is meant to be seen.
func turned(src *image.RGBA, t turn) *image.RGBA {
	if t <= upright || t > 8 {
		return src
	}
	w, h := src.Bounds().Dx(), src.Bounds().Dy()
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	if t.swaps() {
		dst = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			tx, ty := t.move(x, y, w, h)
			dst.SetRGBA(tx, ty, src.RGBAAt(x, y))
		}
	}
	return dst
}

// move is where the stored pixel (x, y) of w by h goes.
func (t turn) move(x, y, w, h int) (int, int) {
	switch t { // the numbers of the standard
	case upright:
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return h - 1 - y, x
	case 7:
		return h - 1 - y, w - 1 - x
	case 8:
		return y, w - 1 - x
	}
	return x, y
}
