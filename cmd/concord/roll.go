package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/cmd/concord/keys"
	"concord/store"
)

// roll is who may come in: the people of the project, and those of a file.
type roll struct {
	st   *store.Store
	file string
	warn func(line string)
}

// who is whose key it is. What the project says of somebody goes before the
// file: who was removed does not come in by it.
func (r *roll) who(key keys.Key) (string, error) {
	people, err := r.st.People().List()
	if err != nil {
		return "", err
	}
	for _, p := range people {
		if slices.Contains(p.Keys, key.Line) {
			if p.Role == annotate.RoleNone {
				return "", errors.New("they come in no more")
			}
			return string(p.Name), nil
		}
	}
	if r.file == "" {
		return "", errors.New("nobody's key")
	}
	all, problems, err := authorizedKeys(r.file)
	if err != nil {
		return "", err
	}
	for _, p := range problems {
		r.warn(p)
	}
	for _, k := range all {
		if k.Line != key.Line {
			continue
		}
		if i := slices.IndexFunc(people, func(p annotate.Person) bool { return string(p.Name) == k.Name }); i >= 0 && people[i].Role == annotate.RoleNone {
			return "", errors.New("they come in no more")
		}
		return k.Name, nil
	}
	return "", errors.New("nobody's key")
}

// count is how many people may come in, and what is wrong with the file.
func (r *roll) count() (int, []string, error) {
	names := make(map[string]bool)
	people, err := r.st.People().List()
	if err != nil {
		return 0, nil, err
	}
	for _, p := range people {
		if p.Role != annotate.RoleNone && len(p.Keys) > 0 {
			names[string(p.Name)] = true
		}
	}
	if r.file == "" {
		return len(names), nil, nil
	}
	all, problems, err := authorizedKeys(r.file)
	for _, k := range all {
		names[k.Name] = true
	}
	return len(names), problems, err
}

// namedKey is a key of an authorized_keys file, with the name that its comment
// begins with.
type namedKey struct {
	keys.Key
	Name string
}

// authorizedKeys reads such a file, line by line: what is wrong with one keeps
// nobody else out.
func authorizedKeys(path string) (all []namedKey, problems []string, err error) {
	text, err := readFile(path, keys.Longest)
	if err != nil {
		return nil, nil, err
	}
	n := 0
	for line := range bytes.Lines(text) {
		n++
		one, err := keys.Parse(line)
		switch {
		case errors.Is(err, keys.ErrNone):
			continue
		case err != nil:
			problems = append(problems, fmt.Sprintf("line %d: %v", n, err))
			continue
		}
		name, _, _ := strings.Cut(one[0].Comment, "@")
		if name = strings.TrimSpace(visible(name)); name == "" {
			problems = append(problems, fmt.Sprintf("line %d: no name behind the key", n))
			continue
		}
		all = append(all, namedKey{one[0], name})
	}
	return all, problems, nil
}
