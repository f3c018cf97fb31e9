package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// MayRead says why the file of a prompt is not read: the project's own file names
// one outside its folder, whose text would go to an endpoint, and nobody has said
// that this is well.
func (c *Config) MayRead(prompt string) error {
	s, ok := promptSending(c, prompt)
	if !ok {
		return nil
	}
	trusted, err := c.trust.allows(s, c)
	if err != nil || trusted {
		return err
	}
	return Problem{
		Origin: c.settings.origin(key{section: secPrompts, name: prompt}), Key: secPrompts + "." + bareOr(prompt), Cause: ErrUntrusted,
		Text: fmt.Sprintf("not trusted yet (concord config trust): it would send %s, which is outside the folder", s),
	}
}

// promptSendings are the files outside the project's folder that its own file has
// sent as prompts.
func promptSendings(c *Config) (out []Sending) {
	for name := range c.Prompts() {
		if s, ok := promptSending(c, name); ok && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// promptSending is what a prompt of the project's own file has sent, by the path
// to which links lead.
func promptSending(c *Config, name string) (Sending, bool) {
	one, ok := c.settings[key{section: secPrompts, name: name}]
	if !ok || c.own == nil || one.origin.Source != FromFile || one.origin.Name != c.project {
		return Sending{}, false
	}
	path := one.value.(string)
	if c.own.Prompts()[name] == path {
		return Sending{}, false // the user says so too
	}
	folder, file := resolved(filepath.Dir(c.project)), resolved(path)
	rel, err := filepath.Rel(folder, file)
	if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return Sending{}, false
	}
	return Sending{Prompt: file}, true
}

// resolved is a path without links, as far as it leads somewhere.
func resolved(path string) string {
	if all, err := filepath.Abs(path); err == nil {
		path = all
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(resolved(dir), filepath.Base(path))
	}
	return path
}
