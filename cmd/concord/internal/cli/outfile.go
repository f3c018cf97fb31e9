package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// OutFile is a file that a command writes: what stood there stays until the
// new content is whole.
type OutFile struct {
	*os.File
	path string
	temp bool
}

// CreateOut opens a file to write. It refuses the project's own file, under
// whatever name.
func CreateOut(path, project string) (*OutFile, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("write %s: %w", path, err)
	case info.IsDir():
		return nil, fmt.Errorf("write %s: it is a folder", path)
	case !info.Mode().IsRegular(): // a pipe or a device is written as it is
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", path, err)
		}
		return &OutFile{File: f, path: path}, nil
	default:
		if own, err := os.Stat(project); err == nil && os.SameFile(own, info) {
			return nil, Usage(fmt.Errorf("write %s: that is the project itself", path))
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	return &OutFile{File: f, path: path, temp: true}, nil
}

// Finish puts the file in its place, or, after an error, takes it away.
func (o *OutFile) Finish(err error) error {
	if !o.temp {
		return errors.Join(err, o.Close())
	}
	if err == nil {
		err = o.Chmod(0o644)
	}
	if cerr := o.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(o.Name(), o.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(o.Name()))
	}
	return nil
}

var _ io.Writer = (*OutFile)(nil)
