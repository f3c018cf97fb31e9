package report

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"concord/cmd/concord/internal/cli"
)

// putFiles writes files into a folder, all or none: they are made beside it, or
// within, and then moved. It refuses to overwrite what another command or a
// person wrote, unless forced, and never anything but a file, nor the project.
// What an earlier time wrote, and nobody changed, goes when it is not written
// anew.
func putFiles(folder, project string, files []file, force bool) (err error) {
	if _, err := os.Lstat(folder); errors.Is(err, os.ErrNotExist) {
		return newFolder(folder, files)
	}
	own, err := ownFiles(folder)
	if err != nil {
		return err
	}
	if err := mayWrite(folder, project, files, own, force); err != nil {
		return err
	}
	stage, err := os.MkdirTemp(folder, ".concord-*")
	if err != nil {
		return fmt.Errorf("write to %s: %w", folder, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(stage)) }()
	if err := writeAll(stage, files); err != nil {
		return err
	}
	for _, f := range files { // the index is the last
		if err := os.Rename(filepath.Join(stage, f.name), filepath.Join(folder, f.name)); err != nil {
			return fmt.Errorf("write %s: %w", f.name, err)
		}
		delete(own, f.name)
	}
	for name := range own {
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			return fmt.Errorf("remove what is written no more: %w", err)
		}
	}
	return nil
}

// newFolder makes a folder with its files at once.
func newFolder(folder string, files []file) error {
	parent := filepath.Dir(filepath.Clean(folder))
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return fmt.Errorf("write to %s: %w", folder, err)
	}
	stage := filepath.Join(parent, ".concord-"+rand.Text()) // as open as the umask lets a folder be
	if err := os.Mkdir(stage, 0o777); err != nil {
		return fmt.Errorf("write to %s: %w", folder, err)
	}
	err := writeAll(stage, files)
	if err == nil {
		err = os.Rename(stage, folder)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write to %s: %w", folder, err), os.RemoveAll(stage))
	}
	return nil
}

func writeAll(folder string, files []file) error {
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, f.name), f.data, 0o666); err != nil {
			return fmt.Errorf("write %s: %w", f.name, err)
		}
	}
	return nil
}

// ownFiles are the files of a folder that its index names, and that are still
// as they were written; the index among them.
func ownFiles(folder string) (map[string]bool, error) {
	own := make(map[string]bool)
	text, err := os.ReadFile(filepath.Join(folder, indexFile))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return own, nil
	case err != nil:
		return nil, fmt.Errorf("read index of %s: %w", folder, err)
	}
	var index reportIndex
	if json.Unmarshal(text, &index) != nil || index.Report != "all" {
		return own, nil //nolint:nilerr // somebody else's index
	}
	own[indexFile] = true
	for _, f := range append(index.Files, index.Beside...) {
		if f.File != filepath.Base(f.File) {
			continue
		}
		if data, err := os.ReadFile(filepath.Join(folder, f.File)); err == nil && hashOf(data) == f.Hash {
			own[f.File] = true
		}
	}
	return own, nil
}

func mayWrite(folder, project string, files []file, own map[string]bool, force bool) error {
	var others []string
	for _, f := range files {
		path := filepath.Join(folder, f.name)
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, os.ErrNotExist) || err == nil && own[f.name]:
			continue
		case err != nil:
			return fmt.Errorf("write %s: %w", path, err)
		case !info.Mode().IsRegular():
			return fmt.Errorf("write %s: it is no file", path)
		}
		if p, err := os.Stat(project); err == nil && os.SameFile(p, info) {
			return cli.Usage(fmt.Errorf("write %s: that is the project itself", path))
		}
		if data, err := os.ReadFile(path); err != nil || !bytes.Equal(data, f.data) {
			others = append(others, f.name)
		}
	}
	if len(others) > 0 && !force {
		return fmt.Errorf("write to %s: %s: not written by this command, or changed since (--force overwrites)", folder, strings.Join(others, ", "))
	}
	return nil
}

// pageMark stands near the beginning of each page that concord wrote.
const pageMark = `<meta name="generator" content="concord">`

// ownPage refuses to overwrite a file that is no page of ours.
func ownPage(path string, force bool) error {
	f, err := os.Open(path)
	switch {
	case errors.Is(err, os.ErrNotExist) || force:
		return nil
	case err != nil:
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() { _ = f.Close() }()
	const head = 1024
	text, err := io.ReadAll(io.LimitReader(f, head))
	if err != nil || len(text) == 0 || bytes.Contains(text, []byte(pageMark)) {
		return err
	}
	return fmt.Errorf("write %s: this command did not write it (--force overwrites)", path)
}
