package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"concord/store/file"
)

func TestCheckFindsWhatIsDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	st, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.Repeat([]byte("an image of some size. "), 4000)
	sum := sha256.Sum256(data)
	err = st.file.Apply(t.Context(), 0, func(tx *file.Tx) error {
		return appendNewPictures(tx, []picture{{sum: sum[:], data: data}})
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, damage, err := st.Check(t.Context()); n != 2 || err != nil || damage != nil {
		t.Errorf("whole: %d, %v, %v", n, damage, err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(raw, data[:100])
	raw[at+50000] ^= 1
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if st, err = Open(path, Options{ReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	if _, damage, err := st.Check(t.Context()); err != nil || !errors.Is(errors.Join(damage...), ErrCorrupt) {
		t.Errorf("damaged: %v, %v", damage, err)
	}
}
