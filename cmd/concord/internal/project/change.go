package project

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/eval/bound"
	"concord/store"
)

// changingCommands are the commands that write and are done all the same while another
// process holds the project: that one does them, as what its owner does while
// people work. Every other command that writes is refused then.
func changingCommands() []string {
	return []string{
		"concord people add", "concord people role", "concord people key", "concord people remove",
		"concord queue create", "concord queue guideline", "concord queue review", "concord queue exclude", "concord queue include",
		"concord queue comment", "concord packet make", "concord packet merge", "concord packet recall", "concord report alignment", "concord report annotators",
		"concord report accuracy", "concord report compare", "concord report rubric", "concord report scores", "concord report votes",
	}
}

// Change opens the project to change it, or has the process that holds it do
// the command. It is sent what source has read, and the files that are named
// here, where they are there.
func (a *Project) Change(cmd *cobra.Command, files []string, do func(st *store.Store) error) error {
	if !slices.Contains(changingCommands(), cmd.CommandPath()) {
		return fmt.Errorf("%s is none of the commands that are done for another process", cmd.CommandPath())
	}
	if a.Held != nil {
		return do(a.Held)
	}
	err := a.WriteExisting(cmd.Context(), do)
	if !errors.Is(err, store.ErrLocked) {
		return err
	}
	for _, f := range files {
		if _, err := a.ReadSource(f, bound.Source); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return a.askHolder(cmd.Context())
}

// ReadSource reads what an argument names: a file or, as -, standard input. It is
// kept for the process that holds the project, which knows it by that name, and
// opens no file of its own for another process.
func (a *Project) ReadSource(path string, longest int) ([]byte, error) {
	if text, ok := a.Sent[path]; ok {
		return text, nil
	}
	if a.Held != nil {
		return nil, fmt.Errorf("open %s: %w", path, os.ErrNotExist)
	}
	text, err := a.readSource(path, longest)
	if err != nil {
		return nil, err
	}
	if a.Sent == nil {
		a.Sent = make(map[string][]byte)
	}
	a.Sent[path] = text
	return text, nil
}

func (a *Project) readSource(path string, longest int) ([]byte, error) {
	if path == "-" {
		return cli.ReadAll(a.In, "standard input", longest)
	}
	return cli.ReadFile(path, longest)
}

// SourcePath is a path where a source lies that is read as a file: its own, or,
// for another process, that of a copy, which done takes away.
func (a *Project) SourcePath(path string) (at string, done func(), err error) {
	if a.Held == nil || path == "" {
		return path, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "concord-")
	if err != nil {
		return "", nil, fmt.Errorf("make a folder: %w", err)
	}
	done = func() { _ = os.RemoveAll(dir) }
	at = filepath.Join(dir, filepath.Base(path))
	text, ok := a.Sent[path]
	if !ok {
		return at, done, nil // as little there as where it was asked
	}
	if err := os.WriteFile(at, text, 0o600); err != nil {
		done()
		return "", nil, fmt.Errorf("write a copy: %w", err)
	}
	return at, done, nil
}

// ActorName is who does what a command does: whom it names, else the name that this
// machine remembers for the project, else the user's.
func (a *Project) ActorName(as string) string {
	switch {
	case as != "":
		return as
	case a.Held != nil:
		return a.asker
	}
	if who := a.WhoWorks(""); who != "" {
		return string(who)
	}
	return UserName()
}

// UserName is who works here unless told otherwise.
func UserName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}
