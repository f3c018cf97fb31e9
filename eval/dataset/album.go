package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/profile"
)

// album finds the pictures that rows only name in one folder, by the path that
// they name within it or else by base name, or by subtask and base name in MME's
// release, where base names repeat. The zero value has none.
type album struct {
	folder string
	paths  map[string]string // of the release; nil for a plain folder
}

// openAlbum takes the folder that was named, or one called images beside the
// file when there is such a one, or what is read itself when it is a folder, as
// MME's results are.
func openAlbum(named, path string) (album, error) {
	for _, root := range []string{named, path} {
		if info, err := os.Stat(root); err == nil && info.IsDir() {
			if paths := profile.MMEImages(root); paths != nil {
				return album{folder: root, paths: paths}, nil
			}
		}
	}
	folder := named
	if named == "" {
		folder = filepath.Join(filepath.Dir(path), "images")
	}
	info, err := os.Stat(folder)
	switch {
	case err == nil && info.IsDir():
		return album{folder: folder}, nil
	case named == "":
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return album{folder: path}, nil
		}
		return album{}, nil
	case err == nil:
		err = fmt.Errorf("%s is no folder", named)
	}
	return album{}, fmt.Errorf("open pictures: %w", err)
}

// place is where a picture of that name would be; "" when it cannot be one.
func (a album) place(name string) string {
	if a.paths != nil {
		return a.paths[name]
	}
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	if a.folder == "" || base == "" || base == "." || base == ".." || strings.ContainsRune(base, 0) {
		return ""
	}
	if within := filepath.FromSlash(name); base != name && filepath.IsLocal(within) && regular(filepath.Join(a.folder, within)) {
		return filepath.Join(a.folder, within)
	}
	return filepath.Join(a.folder, base)
}

// has reports whether there is a file for the name.
func (a album) has(name string) bool { return regular(a.place(name)) }

func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// read gives the picture and its bytes; without a file for the name they are
// nil.
func (a album) read(name string) (p eval.Picture, data []byte, err error) {
	if !a.has(name) {
		return p, nil, nil
	}
	f, err := os.Open(a.place(name))
	if err != nil {
		return p, nil, fmt.Errorf("read picture: %w", err)
	}
	data, err = io.ReadAll(io.LimitReader(f, fastio.CellLimit+1))
	switch err = errors.Join(err, f.Close()); {
	case err != nil:
		return p, nil, fmt.Errorf("read picture: %w", err)
	case len(data) == 0:
		return p, nil, fmt.Errorf("read picture %.80q: it is empty", name)
	case len(data) > fastio.CellLimit:
		return p, nil, fmt.Errorf("read picture %.80q: it is over the limit of %d MB", name, fastio.CellLimit>>20)
	}
	sum := sha256.Sum256(data)
	return eval.Picture{Hash: eval.PictureHash(hex.EncodeToString(sum[:])), Name: name}, data, nil
}
