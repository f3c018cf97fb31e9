//go:build unix

package file

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe or a device is no project, and nobody waits for one.
func TestOpenWaitsForNoPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{path, "/dev/zero"} {
		for _, o := range []Options{{}, {ReadOnly: true}} {
			within(t, "opening "+path, func() {
				if _, err := Open(path, o, []Migration{}); !errors.Is(err, ErrNotProject) {
					t.Errorf("%s, %+v: %v", path, o, err)
				}
			})
		}
	}
}
