package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// OutFile is a file that a command writes: what stood there stays until the
// new content is whole.
type OutFile struct {
	*os.File
	path string
	temp bool
}

// CreateOut opens a file to write, which everybody may read whom the umask lets;
// a file that is there keeps its permissions. It refuses the project's own file,
// under whatever name.
func CreateOut(path, project string) (*OutFile, error) {
	perm := newFile
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("write %s: %w", path, err)
	case info.IsDir():
		return nil, fmt.Errorf("write %s: it is a folder", path)
	case !info.Mode().IsRegular(): // a pipe or a device is written as it is, and not waited for
		f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if errors.Is(err, syscall.ENXIO) {
			return nil, fmt.Errorf("write %s: nobody reads the pipe", path)
		}
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", path, err)
		}
		return &OutFile{File: f, path: path}, nil
	default:
		perm = info.Mode().Perm()
		if own, err := os.Stat(project); err == nil && os.SameFile(own, info) {
			return nil, Usage(fmt.Errorf("write %s: that is the project itself", path))
		}
	}
	o := &OutFile{path: path, temp: true}
	if o.File, err = beside(path, perm); err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	if info != nil { // whatever the umask is now
		if err := o.Chmod(perm); err != nil {
			return nil, o.Finish(fmt.Errorf("write %s: %w", path, err))
		}
	}
	return o, nil
}

// newFile is what is asked for a new file; the umask takes from it.
const newFile os.FileMode = 0o666

// beside makes a file of a name of its own in the folder of another.
func beside(path string, perm os.FileMode) (*os.File, error) {
	for {
		name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text())
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
}

// Finish puts the file in its place, or, after an error, takes it away.
func (o *OutFile) Finish(err error) error {
	if !o.temp {
		return errors.Join(err, o.Close())
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
