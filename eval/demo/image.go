package demo

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"concord/eval"
)

//go:embed data/images/*.png
var imageFiles embed.FS

// demoImage is an image of the demo. Tests hold the drawings that it comes from.
type demoImage struct {
	hash eval.PictureHash
	png  []byte
}

// images are all of them by the name that questions use.
func images() (map[string]demoImage, error) {
	const folder = "data/images"
	files, err := imageFiles.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("read images: %w", err)
	}
	out := make(map[string]demoImage, len(files))
	for _, f := range files {
		data, err := imageFiles.ReadFile(path.Join(folder, f.Name()))
		if err != nil {
			return nil, fmt.Errorf("read image: %w", err)
		}
		sum := sha256.Sum256(data)
		out[strings.TrimSuffix(f.Name(), ".png")] = demoImage{eval.PictureHash(hex.EncodeToString(sum[:])), data}
	}
	return out, nil
}
