package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
)

// referenceLimit is the longest image cell that names another row instead
// of holding a picture (VLMEvalKit's rule).
const referenceLimit = 64

// images cuts an image cell into its pictures: base64 texts, references to
// other rows, or a list of either.
func images(cell []byte) [][]byte {
	cell = bytes.TrimSpace(cell)
	if len(cell) == 0 {
		return nil
	}
	if cell[0] == '[' {
		if list, ok := fastio.ParseList(cell); ok {
			return list
		}
	}
	return [][]byte{cell}
}

// isReference reports whether an image names another row.
func isReference(image []byte) bool { return len(image) <= referenceLimit }

// reference is the index that an image cell names, in the form of row.id.
func reference(image []byte) string {
	r := row{cells: [][]byte{image}}
	return r.id(0)
}

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
		return eval.Picture{}, nil, fmt.Errorf("decode picture: %w", err)
	}
	if n == 0 {
		return eval.Picture{}, nil, errors.New("decode picture: it is empty")
	}
	p, data := pictureOf(data[:n])
	return p, data, nil
}

// pictureOf is the picture of those bytes.
func pictureOf(data []byte) (eval.Picture, []byte) {
	sum := sha256.Sum256(data)
	return eval.Picture{Hash: eval.PictureHash(hex.EncodeToString(sum[:]))}, data
}

// paths returns the names of pictures that a row only names.
func (r *row) paths() []string {
	cell := bytes.TrimSpace(r.cell(r.head.imagePath))
	if len(cell) == 0 {
		return nil
	}
	list := images(cell)
	names := make([]string, len(list))
	for i, n := range list {
		names[i] = string(bytes.ToValidUTF8(n, []byte("\uFFFD")))
	}
	return names
}
