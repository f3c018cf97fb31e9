package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"

	"concord/eval"
)

// decode turns base64 text into a picture and its bytes.
func decode(image []byte) (eval.Picture, []byte, error) {
	if bytes.HasPrefix(image, []byte("data:")) {
		_, image, _ = bytes.Cut(image, []byte(","))
	}
	encoding := base64.StdEncoding
	image = bytes.TrimSpace(image)
	if !bytes.HasSuffix(image, []byte("=")) && len(image)%4 != 0 {
		encoding = base64.RawStdEncoding
	}
	data := make([]byte, encoding.DecodedLen(len(image)))
	n, err := encoding.Decode(data, image)
	if err != nil {
		return eval.Picture{}, nil, fmt.Errorf("decode image: %w", err)
	}
	if n == 0 {
		return eval.Picture{}, nil, errors.New("decode image: it is empty")
	}
	p, data := pictureOf(data[:n])
	return p, data, nil
}

// pictureOf is the picture of those bytes.
func pictureOf(data []byte) (eval.Picture, []byte) {
	sum := sha256.Sum256(data)
	return eval.Picture{Hash: eval.PictureHash(hex.EncodeToString(sum[:]))}, data
}
