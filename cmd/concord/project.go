package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"concord/eval"
	"concord/store"
)

// write opens the project to change it, creating the file if create is set,
// and serves reading commands of other processes meanwhile.
func (a *app) write(ctx context.Context, create bool, do func(st *store.Store) error) (err error) {
	if a.held != nil {
		return fmt.Errorf("%w: this command writes, and cannot be answered for another process", store.ErrLocked)
	}
	if err := a.checkProject(create); err != nil {
		return err
	}
	st, err := store.Open(a.path, store.Options{Now: a.now, Logger: a.log})
	if err != nil {
		return a.explainLocked(err)
	}
	a.guests = a.listen(ctx, a, st)
	h, err := hold(ctx, a, st)
	if err != nil {
		// Without the socket the work still goes on; others cannot ask.
		a.log.Warn("serve other processes", "err", err)
	}
	defer func() {
		err = errors.Join(err, a.guests.Close())
		h.close()
		err = errors.Join(err, st.Close())
		a.guests = nil
	}()
	return do(st)
}

// read opens the project to look at it. While another process holds the
// file, that process runs the command and its output is streamed here.
func (a *app) read(ctx context.Context, do func(st *store.Store) error) (err error) {
	if a.held != nil {
		return do(a.held)
	}
	if err := a.checkProject(false); err != nil {
		return err
	}
	st, err := store.Open(a.path, store.Options{ReadOnly: true, Now: a.now, Logger: a.log})
	if errors.Is(err, store.ErrLocked) {
		return a.askHolder(ctx)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	return do(st)
}

// checkProject says what is wrong with the project's path before anything is
// opened or made.
func (a *app) checkProject(create bool) error {
	info, err := os.Stat(a.path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("project %s is a folder: name a file in it", a.path)
	case err == nil || create && errors.Is(err, os.ErrNotExist):
		return nil
	case errors.Is(err, os.ErrNotExist):
		return noProject(a.path)
	}
	return fmt.Errorf("project %s: %w", a.path, err)
}

func noProject(path string) error {
	return fmt.Errorf("project %s: %w (make one with: concord import predictions FILE --dataset NAME --model NAME, or try: concord demo)", path, eval.ErrNotFound)
}

func (a *app) explainLocked(err error) error {
	if !errors.Is(err, store.ErrLocked) {
		return err
	}
	who := "another process"
	if pid, perr := holderPID(a.path); perr == nil {
		who = fmt.Sprintf("another process (pid %d)", pid)
	}
	return lockedError(fmt.Sprintf("project %s is open in %s: close it there first, or wait for it to end", a.path, who))
}

// lockedError says who holds the project.
type lockedError string

func (e lockedError) Error() string { return string(e) }
func (e lockedError) Unwrap() error { return store.ErrLocked }

// stateFolder is where logs and the demo live, after the XDG convention.
func stateFolder() (string, error) {
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find state folder: %w", err)
		}
		dir = filepath.Join(home, ".local", "state")
	}
	dir = filepath.Join(dir, "concord")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make state folder: %w", err)
	}
	return dir, nil
}

// writeExisting opens a project that is there to change it.
func (a *app) writeExisting(ctx context.Context, do func(st *store.Store) error) error {
	return a.write(ctx, false, do)
}
