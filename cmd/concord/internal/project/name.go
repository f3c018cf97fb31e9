package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
)

// The name that somebody gave for a project is kept in the state folder, so
// that it is not typed anew, and mistyped, at every start.

// WhoWorks is the name to label under: the one asked for, else the last one
// given for this project, else none yet.
func (a *Project) WhoWorks(as string) annotate.Annotator {
	if as != "" {
		return annotate.Annotator(as)
	}
	path, err := a.nameFile()
	if err != nil {
		return ""
	}
	name, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return annotate.Annotator(strings.TrimSpace(string(name)))
}

// Remember keeps the name for the next start.
func (a *Project) Remember(who annotate.Annotator) error {
	path, err := a.nameFile()
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(string(who)+"\n"), 0o600); err != nil {
		return fmt.Errorf("keep name: %w", err)
	}
	return nil
}

func (a *Project) nameFile() (string, error) {
	dir, err := cli.StateFolder()
	if err != nil {
		return "", err
	}
	id, err := projectID(a.Path)
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "names")
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", fmt.Errorf("keep name: %w", err)
	}
	return filepath.Join(dir, id), nil
}
