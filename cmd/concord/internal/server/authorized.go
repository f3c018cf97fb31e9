package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/keys"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/server/ssh"
	"concord/eval"
	"concord/eval/bound"
	"concord/store"
)

// AuthorizedKeys is who may come in: the people of the project, and those of a file.
//
// A key's fingerprint is who somebody is. The comment behind a key of the file
// only proposes a name for whom the project does not know yet: it makes nobody one
// of the project's people. Whoever came in by the file once is kept with their key,
// without a role, so that they are the same person whatever the comment says later.
type AuthorizedKeys struct {
	Store *store.Store
	Owner annotate.Annotator // who works on this machine, and never comes in by the file; may be ""
	File  string             // "": none
	Warn  func(line string)  // told what is wrong with the file; nil: nobody is

	mu   sync.Mutex
	told []string // the problems of the file that were told last
}

// errRemoved is of the key of somebody who was removed.
var errRemoved = fmt.Errorf("they have no access any more: %w", ssh.ErrNobody)

// FindNameOfKey finds whose key it is. What the project says of somebody goes before the
// file: who was removed does not come in by it.
func (r *AuthorizedKeys) FindNameOfKey(key keys.Key) (string, error) {
	people, err := r.Store.People().List()
	if err != nil {
		return "", err
	}
	known := findKeyHolder(people, key.Fingerprint)
	switch {
	case known == nil:
	case known.Role == annotate.RoleNone:
		return "", errRemoved
	case known.Role != annotate.RoleUnset:
		return string(known.Name), nil
	}
	all, problems, err := r.readAdmittedKeys(people)
	if err != nil {
		return "", err
	}
	r.logProblems(problems)
	n, is := all[key.Fingerprint]
	if !is {
		return "", ssh.ErrNobody
	}
	return n.Name, nil
}

// findKeyHolder finds whose key it is in the project: who may come in before who was removed.
func findKeyHolder(people []annotate.Person, fingerprint string) (found *annotate.Person) {
	for i := range people {
		p := &people[i]
		if !slices.ContainsFunc(p.Keys, func(line string) bool { return keys.Fingerprint(line) == fingerprint }) {
			continue
		}
		if p.Role != annotate.RoleNone {
			return p
		}
		found = p
	}
	return found
}

// StoreKeyHolder stores who came in by the file for the first time, with their key.
func (r *AuthorizedKeys) StoreKeyHolder(ctx context.Context, name, fingerprint string, now time.Time) error {
	people, err := r.Store.People().List()
	if err != nil || findKeyHolder(people, fingerprint) != nil || r.File == "" {
		return err
	}
	all, _, err := r.readAdmittedKeys(people)
	if err != nil {
		return err
	}
	n, is := all[fingerprint]
	if !is || n.Name != name {
		return ErrNotAmong
	}
	return r.Store.People().Put(ctx, annotate.Person{Name: annotate.Annotator(name), Keys: []string{n.Key.Line}, Version: 1, By: annotate.Annotator(name), At: now})
}

// readAdmittedKeys are the keys of the file that let somebody in and make nobody somebody else, by
// fingerprint, and what is wrong with the others. A key that the project knows goes by its name there.
func (r *AuthorizedKeys) readAdmittedKeys(people []annotate.Person) (all map[string]keys.NamedKey, problems []string, err error) {
	if r.File == "" {
		return nil, nil, nil
	}
	text, err := bound.ReadFile(r.File, keys.LongestFile)
	if err != nil {
		return nil, nil, err
	}
	read, wrong := keys.ParseAuthorizedKeys(text)
	problems = append(problems, eval.Map(wrong, keys.Problem.Error)...)
	all = make(map[string]keys.NamedKey)
	for _, n := range read {
		why := ""
		switch known := findKeyHolder(people, n.Key.Fingerprint); {
		case known == nil:
			if why, err = r.whoHasName(people, n.Name); err != nil {
				return nil, problems, err
			}
		case known.Role == annotate.RoleNone:
			continue
		default:
			n.Name = string(known.Name)
		}
		if why != "" {
			problems = append(problems, fmt.Sprintf("%s lets nobody in: %s; give the key to %s with concord people, or end the line with another name", n, why, n.Name))
			continue
		}
		all[n.Key.Fingerprint] = n
	}
	return all, problems, nil
}

func (r *AuthorizedKeys) whoHasName(people []annotate.Person, name string) (string, error) {
	for i := range people {
		p := &people[i]
		if string(p.Name) != name {
			continue
		}
		have := eval.Map(p.Keys, keys.Fingerprint)
		return fmt.Sprintf("%s is in the project, with another key (%s)", name, cmp.Or(strings.Join(have, ", "), "none")), nil
	}
	if r.Owner != "" && name == string(r.Owner) {
		return name + " is the name of who labels on this machine", nil
	}
	worked, err := project.HasActedInQueues(r.Store, annotate.Annotator(name))
	if err != nil || !worked {
		return "", err
	}
	return name + " has worked in the project, without a key", nil
}

// logProblems tells what is wrong with the file, once: it is read again and again.
func (r *AuthorizedKeys) logProblems(problems []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.Equal(problems, r.told) {
		return
	}
	r.told = problems
	for _, p := range problems {
		if r.Warn != nil {
			r.Warn(p)
		}
	}
}

// countPeople counts how many people may come in, and what is wrong with the file.
func (r *AuthorizedKeys) countPeople() (int, []string, error) {
	names := make(map[string]bool)
	people, err := r.Store.People().List()
	if err != nil {
		return 0, nil, err
	}
	for _, p := range people {
		if p.Role > annotate.RoleNone && len(p.Keys) > 0 {
			names[string(p.Name)] = true
		}
	}
	all, problems, err := r.readAdmittedKeys(people)
	for _, n := range all {
		names[n.Name] = true
	}
	return len(names), problems, err
}

// ServeOptions say whom to let in, and where.
type ServeOptions struct {
	Listen     string
	HostKey    string // "": the machine's own, made on first use
	Authorized string // a file of keys beside the people of the project; "": none
	Role       string // of those in it who have none in the project
	Sessions   int
	Idle       time.Duration
}

// ServeOverSSH lets people in until the context ends.
func ServeOverSSH(ctx context.Context, a *project.Project, st *store.Store, o ServeOptions) error {
	role, err := annotate.ParseRole(o.Role)
	if err != nil || role == annotate.RoleNone {
		return cli.NewUsageError(fmt.Errorf("--role %s: it is annotator, curator, adjudicator or owner", o.Role))
	}
	if o.Authorized != "" {
		if _, err := bound.ReadFile(o.Authorized, keys.LongestFile); err != nil {
			return err
		}
		FindListener(a).guests = role
	}
	host, made, err := loadHostKey(o.HostKey)
	if err != nil {
		return err
	}
	idle := o.Idle
	idle = cmp.Or(idle, -1)
	known := &AuthorizedKeys{Store: st, Owner: a.GivenOrRememberedName(""), File: o.Authorized, Warn: func(line string) { a.Log.Warn("authorized keys", "line", line) }}
	FindListener(a).Known = known
	FindListener(a).warn = func(line string) { _, _ = fmt.Fprintf(a.Err, "concord: %s\n", cli.EscapeControls(line)) }
	g, err := ssh.NewGate(ssh.Config{
		HostKeys: []ssh.Signer{host}, Who: known.FindNameOfKey, Enter: FindListener(a).ServeGuest, Sessions: o.Sessions, Idle: idle, Log: a.Log, Now: a.Now,
	})
	if err != nil {
		return err
	}
	FindListener(a).SetGate(g)
	defer jobs.CollectGarbageSeldom()()
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	if err := printServing(a, ln.Addr(), host, made, known); err != nil {
		return errors.Join(err, ln.Close())
	}
	return g.Serve(ctx, ln)
}

// printServing says where people come in, and what there is to know.
func printServing(a *project.Project, at net.Addr, host ssh.Signer, made bool, r *AuthorizedKeys) error {
	n, problems, err := r.countPeople()
	if err != nil {
		return err
	}
	if a.JSON {
		return a.WriteJSON(map[string]any{"listen": at.String(), "host_key": ssh.FingerprintHostKey(host), "people": n})
	}
	_, port, _ := net.SplitHostPort(at.String())
	fresh := eval.Either(made, ", made just now", "")
	_, err = fmt.Fprintf(a.Out, "%s is served on %s\nhost key %s%s\n%s with access: ssh -p %s HOST\n",
		cli.EscapeControls(filepath.Base(a.Path)), at, ssh.FingerprintHostKey(host), fresh, cli.FormatCountOf(n, "person", "people"), port)
	for _, p := range problems {
		_, _ = fmt.Fprintf(a.Err, "concord: %s: %s\n", cli.EscapeControls(r.File), cli.EscapeControls(p))
	}
	if n == 0 {
		_, _ = fmt.Fprintln(a.Err, "concord: nobody has a key yet: concord people add NAME --key FILE, also while this runs")
	}
	return err
}

func loadHostKey(path string) (ssh.Signer, bool, error) {
	if path == "" {
		dir, err := cli.StateFolder()
		if err != nil {
			return nil, false, err
		}
		path = filepath.Join(dir, "ssh_host_ed25519_key")
	}
	return ssh.LoadHostKey(path)
}
