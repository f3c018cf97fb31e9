package project

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"concord/eval"
)

// A holder that starts removes what killed ones left, and nothing of one that lives.
func TestLeftSocketsAreRemoved(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "left") //nolint:usetesting // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for _, id := range []string{"dead", "live", "new"} {
		ln, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: filepath.Join(dir, id+".sock")})
		if err == nil {
			err = os.Mkdir(filepath.Join(dir, id+".workers"), 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
		if ln.SetUnlinkOnClose(false); id == "live" {
			t.Cleanup(func() { _ = ln.Close() })
		} else {
			_ = ln.Close()
		}
	}
	for _, name := range []string{"dead.sock", "dead.workers", "live.sock", "live.workers", "other.txt"} {
		if name == "other.txt" {
			err = os.WriteFile(filepath.Join(dir, name), nil, 0o600)
		}
		at := time.Now().Add(-time.Hour)
		if err = errors.Join(err, os.Chtimes(filepath.Join(dir, name), at, at)); err != nil {
			t.Fatal(err)
		}
	}
	removeLeftSockets(t.Context(), dir)
	left, err := os.ReadDir(dir)
	names := eval.Map(left, os.DirEntry.Name)
	if want := []string{"live.sock", "live.workers", "new.sock", "new.workers", "other.txt"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("%v %v", names, err)
	}
}
