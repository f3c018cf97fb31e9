package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A prompt's file outside the project's folder is read once the user has said so,
// wherever links lead; one within it, or in the user's own file, always.
func TestPromptsOutsideTheFolder(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	secret := filepath.Join(f.home, "secret")
	inside := filepath.Join(f.project, "mine.txt")
	for _, path := range []string{secret, inside} {
		if err := os.WriteFile(path, []byte("{{.Question}}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(secret, filepath.Join(f.project, "link.txt")); err != nil {
		t.Fatal(err)
	}
	check := func(project, home string, why error) {
		t.Helper()
		c := f.load(project, home)
		err := c.CheckPromptFileTrusted("choice")
		if !errors.Is(err, why) || why != nil && !strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %v", project, err, why)
		}
		if sends := FindSendings(c); (len(sends) > 0) != (why != nil) {
			t.Errorf("%s: sends %v", project, sends)
		}
	}
	prompt := func(path string) string { return "[prompts]\nchoice = \"" + path + "\"\n" }
	check(prompt("mine.txt"), "", nil)
	check(prompt("not/there.txt"), "", nil)
	check(prompt(inside), "", nil)
	check(prompt(secret), "", ErrUntrusted)
	check(prompt("link.txt"), "", ErrUntrusted)
	check(prompt("../"+filepath.Base(f.home)+"/../secret"), "", ErrUntrusted)
	check("", prompt(secret), nil)
	check(prompt(secret), prompt(secret), nil)
	all := FindSendings(f.load(prompt("link.txt"), ""))
	if err := f.trust.TrustSendings(all...); err != nil {
		t.Fatal(err)
	}
	if err := f.load(prompt(secret), "").CheckPromptFileTrusted("choice"); err != nil {
		t.Errorf("trusted: %v", err)
	}
}
