package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"concord/annotate"
)

// The name that somebody gave for a project is kept in the state folder, so
// that it is not typed anew, and mistyped, at every start.

// whoWorks is the name to label under: the one asked for, else the last one
// given for this project, else none yet.
func (a *app) whoWorks(as string) annotate.Annotator {
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

// remember keeps the name for the next start.
func (a *app) remember(who annotate.Annotator) error {
	path, err := a.nameFile()
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(string(who)+"\n"), 0o600); err != nil {
		return fmt.Errorf("keep name: %w", err)
	}
	return nil
}

func (a *app) nameFile() (string, error) {
	dir, err := stateFolder()
	if err != nil {
		return "", err
	}
	id, err := projectID(a.path)
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "names")
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", fmt.Errorf("keep name: %w", err)
	}
	return filepath.Join(dir, id), nil
}

// namable refuses a name for a queue or a dataset that would not stay on its
// line in lists, or be lost between words of a command.
func namable(what, name string) error {
	if strings.TrimSpace(name) != name || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return usageError{fmt.Errorf("%q is no name for a %s: it takes one line of letters, without spaces around them", name, what)}
	}
	return nil
}
