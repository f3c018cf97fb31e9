package project

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"concord/cmd/concord/internal/cli"
	"concord/store"
)

// openOlder opens a project of an earlier concord to read it: it is brought up
// to date first, or, where nothing can be written, a copy of it is. What it
// gives beside the store takes the copy away.
func (a *Project) openOlder(o store.Options, old error) (*store.Store, func() error, error) {
	kept := func() error { return nil }
	err := a.bringUpToDate(a.Path, old)
	if err == nil {
		_, _ = fmt.Fprintf(a.Err, "concord: %s is of an earlier version and was brought up to date; the file as it was is kept beside it (%s.schema…)\n", a.Path, filepath.Base(a.Path))
		st, err := store.Open(a.Path, o)
		return st, kept, err
	}
	if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
		return nil, kept, err
	}
	folder, err := os.MkdirTemp("", "concord")
	if err != nil {
		return nil, kept, err
	}
	gone := func() error { return os.RemoveAll(folder) }
	path := filepath.Join(folder, filepath.Base(a.Path))
	if err := errors.Join(copyFile(a.Path, path)); err != nil {
		return nil, kept, errors.Join(err, gone())
	}
	if err := a.bringUpToDate(path, old); err != nil {
		return nil, kept, errors.Join(err, gone())
	}
	st, err := store.Open(path, o)
	if err != nil {
		return nil, kept, errors.Join(err, gone())
	}
	_, _ = fmt.Fprintf(a.Err, "concord: %s is of an earlier version and cannot be written: a copy of it was brought up to date and is read\n", a.Path)
	return st, gone, nil
}

// bringUpToDate opens a project of an earlier concord for writing, which
// migrates it and keeps the file as it was beside it.
func (a *Project) bringUpToDate(path string, old error) error {
	st, err := store.Open(path, store.Options{Now: a.Now, Logger: a.Log})
	if err != nil {
		return fmt.Errorf("%w: it could not be brought up to date: %w", old, err)
	}
	return st.Close()
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// damageMarks are what stands beside figures from which something damaged was left
// out.
func (a *Project) damageMarks() []string {
	if len(a.Damage) == 0 {
		return nil
	}
	const most = 3
	out := []string{fmt.Sprintf("DAMAGED: %s of the project could not be read and %s left out.",
		cli.FormatCountOf(len(a.Damage), "part", "parts"), map[bool]string{true: "is", false: "are"}[len(a.Damage) == 1])}
	for i, err := range a.Damage {
		if i == most {
			return append(out, fmt.Sprintf("DAMAGED: %d more; concord doctor names them all.", len(a.Damage)-most))
		}
		out = append(out, "DAMAGED: "+err.Error())
	}
	return out
}

// printDamage writes the marks to the error stream, whatever a command printed.
func (a *Project) printDamage() error {
	for _, m := range a.damageMarks() {
		if _, err := fmt.Fprintln(a.Err, "concord: "+cli.EscapeControls(m)); err != nil {
			return err
		}
	}
	return nil
}
