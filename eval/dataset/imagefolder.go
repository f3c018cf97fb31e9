package dataset

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"concord/eval"
	"concord/eval/bound"
	"concord/eval/dataset/profile"
)

// imageFolder finds the pictures that rows only name in one folder, by the path that
// they name within it or else by base name, or by subtask and base name in MME's
// release, where base names repeat. Nothing outside the folder is read. The zero
// value has none.
type imageFolder struct {
	folder *bound.Directory
	paths  map[string]string // of the release, within the folder; nil for a plain folder
}

// openImageFolder takes the folder that was named, or one called images beside the
// file when there is such a one, or what is read itself when it is a folder, as
// MME's results are. It is closed by its owner.
func openImageFolder(named, path string) (imageFolder, error) {
	for _, root := range []string{named, path} {
		if !isFolder(root) {
			continue
		}
		folder, err := bound.OpenFolder(root)
		if err != nil {
			return imageFolder{}, fmt.Errorf("open images: %w", err)
		}
		if paths := profile.FindMMEImages(folder); paths != nil {
			return imageFolder{folder: folder, paths: paths}, nil
		}
		if err := folder.Close(); err != nil {
			return imageFolder{}, fmt.Errorf("open images: %w", err)
		}
	}
	at := named
	if named == "" {
		at = filepath.Join(filepath.Dir(path), "images")
	}
	switch {
	case isFolder(at):
	case named == "" && isFolder(path):
		at = path
	case named == "":
		return imageFolder{}, nil
	default:
		if _, err := os.Stat(named); err != nil {
			return imageFolder{}, fmt.Errorf("open images: %w", err)
		}
		return imageFolder{}, fmt.Errorf("open images: %s is no folder", named)
	}
	folder, err := bound.OpenFolder(at)
	if err != nil {
		return imageFolder{}, fmt.Errorf("open images: %w", err)
	}
	return imageFolder{folder: folder}, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func (a imageFolder) close() error {
	if a.folder == nil {
		return nil
	}
	return a.folder.Close()
}

// resolvePath gives where a picture of that name would be; "" when it cannot be one.
func (a imageFolder) resolvePath(name string) string {
	if a.paths != nil {
		return a.paths[name]
	}
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	if a.folder == nil || base == "" || base == "." || base == ".." || strings.ContainsRune(base, 0) {
		return ""
	}
	if within := path.Clean(name); base != name && filepath.IsLocal(filepath.FromSlash(within)) && a.folder.HasFile(within) {
		return within
	}
	for _, as := range []string{"%s.jpg", "%s.png", "%012s.jpg", "COCO_val2014_%012s.jpg", "COCO_train2014_%012s.jpg", "COCO_test2015_%012s.jpg"} {
		if file := fmt.Sprintf(as, base); path.Ext(base) == "" && a.folder.HasFile(file) {
			return file // of an id: GQA's, and those of COCO that VQA and A-OKVQA name
		}
	}
	return base
}

// hasFile reports whether there is a file for the name.
func (a imageFolder) hasFile(name string) bool {
	at := a.resolvePath(name)
	return at != "" && a.folder.HasFile(at)
}

// readPicture gives the picture and its bytes; without a file for the name they are
// nil.
func (a imageFolder) readPicture(name string) (p eval.Picture, data []byte, err error) {
	if !a.hasFile(name) {
		return p, nil, nil
	}
	f, err := a.folder.Open(a.resolvePath(name))
	if err != nil {
		return p, nil, fmt.Errorf("read image: %w", err)
	}
	data, err = bound.ReadAll(f, fmt.Sprintf("%.80q", name), bound.Picture)
	switch err = errors.Join(err, f.Close()); {
	case err != nil:
		return p, nil, fmt.Errorf("read image: %w", err)
	case len(data) == 0:
		return p, nil, fmt.Errorf("read image %.80q: it is empty", name)
	}
	p = newPicture(data)
	p.Name = name
	return p, data, nil
}
