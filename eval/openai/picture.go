package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"math"

	_ "golang.org/x/image/bmp" // read, and sent as PNG: no endpoint takes it
	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"

	"concord/eval/bound"
)

const (
	mostPixels = 1 << 27 // more is a decompression bomb, or no picture for a model
	quality    = 90      // of a JPEG that was scaled
)

// fitPicture makes of an encoded picture one whose longer edge is at most edge
// pixels (0: any), and says its format. Bytes that fit are left untouched.
// JPEG and PNG stay so; what else must be scaled becomes PNG if it is
// see-through or drawn, else JPEG.
func fitPicture(file []byte, edge int) (out []byte, format string, err error) {
	size, err := bound.MeasureImage(file)
	switch {
	case errors.Is(err, image.ErrFormat):
		return nil, "", errors.New("neither PNG, JPEG, WebP nor GIF")
	case err != nil && !errors.Is(err, bound.ErrImageSize):
		return nil, "", err
	case size.Width > mostPixels/size.Height:
		return nil, "", fmt.Errorf("%d x %d pixels are refused", size.Width, size.Height)
	}
	small := edge <= 0 || max(size.Width, size.Height) <= edge
	switch {
	case small && size.Format != "bmp":
		return file, size.Format, nil
	case err != nil:
		return nil, "", err
	}
	var beside int64
	if !small {
		beside = int64(edge) * int64(size.Height) * 4 * 8 // what a kernel takes for each pixel that is narrow and still high
	}
	src, err := bound.DecodeImage(context.Background(), file, beside)
	if err != nil {
		return nil, "", err
	}
	defer src.Release()
	if small {
		return encodeImage(src.Image, file, size.Format)
	}
	return encodeImage(scaleImage(src.Image, edge), file, size.Format)
}

// scaleImage brings the longer edge down to edge, with a kernel as wide as what a
// pixel stands for: no moiré, thin lines stay.
func scaleImage(src image.Image, edge int) image.Image {
	w, h := src.Bounds().Dx(), src.Bounds().Dy()
	by := float64(edge) / float64(max(w, h))
	to := image.Rect(0, 0, max(int(math.Round(float64(w)*by)), 1), max(int(math.Round(float64(h)*by)), 1))
	var dst draw.Image = image.NewRGBA(to)
	if _, ok := src.(*image.Gray); ok {
		dst = image.NewGray(to)
	}
	draw.CatmullRom.Scale(dst, to, src, src.Bounds(), draw.Src, nil)
	return dst
}

func encodeImage(m image.Image, file []byte, format string) ([]byte, string, error) {
	var b bytes.Buffer
	if format == "jpeg" || format == "webp" && isOpaque(m) {
		err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality})
		return withExif(b.Bytes(), bound.FindExif(file)), "jpeg", err
	}
	err := png.Encode(&b, m)
	return b.Bytes(), "png", err
}

func isOpaque(m image.Image) bool {
	o, ok := m.(interface{ Opaque() bool })
	return ok && o.Opaque()
}

// withExif gives a scaled picture the segment of the picture itself, so that an
// endpoint turns it as it would turn that one.
func withExif(file, segment []byte) []byte {
	if len(segment) == 0 || len(file) < 2 {
		return file
	}
	out := make([]byte, 0, len(file)+len(segment))
	out = append(out, file[:2]...)
	out = append(out, segment...)
	return append(out, file[2:]...)
}
