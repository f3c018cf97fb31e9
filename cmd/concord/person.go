package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/keys"
	"concord/eval"
	"concord/store"
)

// longestName bounds a person's name, in bytes: it stands in lists.
const longestName = 64

// personName is a name that somebody can be added under.
func personName(name string) (annotate.Annotator, error) {
	odd := func(r rune) bool { return !unicode.IsPrint(r) }
	switch {
	case name == "" || strings.TrimSpace(name) != name || strings.ContainsFunc(name, odd):
		return "", fmt.Errorf("%q is no name for somebody: it takes letters, without spaces around them", name)
	case len(name) > longestName:
		return "", fmt.Errorf("the name %.20q... is longer than %d bytes", name, longestName)
	}
	return annotate.Annotator(name), nil
}

// publicKeys reads a file of public keys.
func publicKeys(a *app, path string) ([]keys.Key, error) {
	text, err := a.source(path, keys.Longest)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	all, err := keys.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("read key %s: %w", path, err)
	}
	return all, nil
}

// addKeys gives somebody keys that they do not have yet.
func addKeys(p *annotate.Person, given []keys.Key) {
	for _, k := range given {
		if !slices.Contains(p.Keys, k.Line) {
			p.Keys = append(p.Keys, k.Line)
		}
	}
}

// dropKey takes a key away, by its fingerprint.
func dropKey(p *annotate.Person, fingerprint string) error {
	if !strings.HasPrefix(fingerprint, "SHA256:") {
		fingerprint = "SHA256:" + fingerprint
	}
	for i, k := range p.Keys {
		if keys.Fingerprint(k) == fingerprint {
			p.Keys = slices.Delete(p.Keys, i, i+1)
			return nil
		}
	}
	return fmt.Errorf("key %s of %s: %w (see: concord people list)", fingerprint, p.Name, eval.ErrNotFound)
}

// changePerson stores the next version of a person, as edit makes it of the one
// that is there; what changes nothing is told so.
func changePerson(a *app, cmd *cobra.Command, who annotate.Annotator, by string, edit func(*annotate.Person) error) error {
	return a.change(cmd, nil, func(st *store.Store) error {
		one, changed, err := putPerson(cmd.Context(), a, st, who, by, edit)
		if err != nil {
			return err
		}
		return printPerson(a, &one, changed)
	})
}

// putPerson stores the next version of a person, unless it would be as the last.
func putPerson(ctx context.Context, a *app, st *store.Store, who annotate.Annotator, by string, edit func(*annotate.Person) error) (one annotate.Person, changed bool, err error) {
	all, err := st.People().List()
	if err != nil {
		return one, false, err
	}
	was := annotate.Person{Name: who}
	if i := slices.IndexFunc(all, func(p annotate.Person) bool { return p.Name == who }); i >= 0 {
		was = all[i]
	}
	next := was
	next.Keys = slices.Clone(was.Keys)
	if err := edit(&next); err != nil {
		return one, false, err
	}
	if next.Role == was.Role && slices.Equal(next.Keys, was.Keys) {
		return was, false, nil
	}
	if err := unshared(all, &next); err != nil {
		return one, false, err
	}
	if next, err = was.Next(next.Role, next.Keys, annotate.Annotator(a.actor(by)), a.now()); err != nil {
		return one, false, err
	}
	return next, true, st.People().Put(ctx, next)
}

// unshared refuses a key that is somebody else's, since a key says who comes in.
func unshared(all []annotate.Person, p *annotate.Person) error {
	for _, other := range all {
		if other.Name == p.Name || other.Role == annotate.RoleNone || p.Role == annotate.RoleNone {
			continue
		}
		for _, k := range p.Keys {
			if slices.Contains(other.Keys, k) {
				return fmt.Errorf("key %s is %s's: a key is one person", keys.Fingerprint(k), other.Name)
			}
		}
	}
	return nil
}

// printPerson tells what somebody may do now.
func printPerson(a *app, p *annotate.Person, added bool) error {
	prints := make([]string, 0, len(p.Keys))
	for _, k := range p.Keys {
		prints = append(prints, keys.Fingerprint(k))
	}
	if a.json {
		return a.writeJSON(map[string]any{"name": p.Name, "role": p.Role.String(), "keys": prints, "version": p.Version, "by": p.By, "at": p.At, "added": added})
	}
	said := fmt.Sprintf("%s may come in as %s, by %s", p.Name, p.Role, cmp.Or(strings.Join(prints, ", "), "no key yet: give them one"))
	if p.Role == annotate.RoleNone {
		said = fmt.Sprintf("%s comes in no more; what they did stays", p.Name)
	}
	if !added {
		said += ", as before; nothing to add"
	}
	_, err := fmt.Fprintln(a.out, visible(said))
	return err
}
