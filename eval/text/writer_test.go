package text

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTerminalWriter(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // it is read below
	w := &Terminal{File: f}
	for _, part := range []string{"a\x1b", "[2J\xe5\x9b", "\xbe? ", "\x9b\n", "\xff\U000e0041"} {
		if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
			t.Errorf("%q: %d, %v", part, n, err)
		}
	}
	got, err := os.ReadFile(f.Name())
	if want := "a␛[2J图? \ufffd\n\ufffd<U+E0041>"; err != nil || string(got) != want {
		t.Errorf("%q, want %q (%v)", got, want, err)
	}
}
