package server

import (
	"fmt"
	"os"
	"slices"
	"sync"

	"concord/annotate"
	"concord/cmd/concord/internal/keys"
	"concord/cmd/concord/internal/server/ssh"
	"concord/store"
)

// AuthorizedKeys is who may come in: the people of the project, and those of a file.
type AuthorizedKeys struct {
	Store *store.Store
	file  string
	warn  func(line string)

	mu   sync.Mutex
	told []string // the problems of the file that were told last
}

// errRemoved is of the key of somebody who was removed.
var errRemoved = fmt.Errorf("they come in no more: %w", ssh.ErrNobody)

// Who is whose key it is. What the project says of somebody goes before the
// file: who was removed does not come in by it.
func (r *AuthorizedKeys) Who(key keys.Key) (string, error) {
	people, err := r.Store.People().List()
	if err != nil {
		return "", err
	}
	for _, p := range people {
		if slices.Contains(p.Keys, key.Line) {
			if p.Role == annotate.RoleNone {
				return "", errRemoved
			}
			return string(p.Name), nil
		}
	}
	if r.file == "" {
		return "", ssh.ErrNobody
	}
	all, problems, err := authorizedKeys(r.file)
	if err != nil {
		return "", err
	}
	r.complain(problems)
	for _, k := range all {
		if k.Key.Line != key.Line {
			continue
		}
		if i := slices.IndexFunc(people, func(p annotate.Person) bool { return string(p.Name) == k.Name }); i >= 0 && people[i].Role == annotate.RoleNone {
			return "", errRemoved
		}
		return k.Name, nil
	}
	return "", ssh.ErrNobody
}

// complain tells what is wrong with the file, once: it is read again and again.
func (r *AuthorizedKeys) complain(problems []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.Equal(problems, r.told) {
		return
	}
	r.told = problems
	for _, p := range problems {
		r.warn(p)
	}
}

// count is how many people may come in, and what is wrong with the file.
func (r *AuthorizedKeys) count() (int, []string, error) {
	names := make(map[string]bool)
	people, err := r.Store.People().List()
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

// authorizedKeys reads such a file; what is wrong with a line keeps nobody else
// out.
func authorizedKeys(path string) ([]keys.Named, []string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }()
	all, wrong := keys.Authorized(f)
	problems := make([]string, len(wrong))
	for i, p := range wrong {
		problems[i] = p.Error()
	}
	return all, problems, nil
}
