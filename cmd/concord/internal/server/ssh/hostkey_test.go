package ssh

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHostKey(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "hostkey")
	first, made, err := LoadHostKey(path)
	if err != nil || !made {
		t.Fatalf("made %v, %v", made, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	again, made, err := LoadHostKey(path)
	if err != nil || made || FingerprintHostKey(again) != FingerprintHostKey(first) {
		t.Errorf("read again: made %v, %v", made, err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("beside it: %v, %v", left, err)
	}
	refused := func(want string) {
		t.Helper()
		if _, made, err := LoadHostKey(path); err == nil || made || !strings.Contains(err.Error(), want) {
			t.Errorf("made %v, %v, want %q", made, err, want)
		}
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	refused("others may read or change")
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused("read host key")
	path = t.TempDir()
	refused("it is a folder")
}

func TestPlaceOf(t *testing.T) {
	t.Parallel()
	check := func(address, want string) {
		t.Helper()
		if got := groupOfAddress(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
	check("192.0.2.7:22", "192.0.2.7")
	check("[::ffff:192.0.2.7]:22", "192.0.2.7")
	check("[2001:db8:1:2:3::4]:22", "2001:db8:1:2::/64")
	check("[fe80::1%eth0]:22", "fe80::/64")
	check("@", "@")
}
