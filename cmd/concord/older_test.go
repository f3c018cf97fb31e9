package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"concord/eval/openai/openaitest"
)

// A command that reads brings a project of an earlier schema up to date, says
// so, and keeps the file as it was.
func TestOlderProjectIsBroughtUpToDate(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{Answer: rightly}, rigRows(20, "")...)
	r.eval("--modality", "text")
	want := r.accuracy("vanilla")
	age(t, r.path("p.db"), 9)
	got := r.ends(0, "queue", "list")
	if !strings.Contains(got.err, "brought up to date") {
		t.Errorf("nothing is said: %s", got.err)
	}
	if _, err := os.Stat(r.path("p.db.schema9")); err != nil {
		t.Errorf("the file as it was: %v", err)
	}
	if again := r.accuracy("vanilla"); again != want {
		t.Errorf("%+v, and %+v before", again, want)
	}
}

// A copy of a project of an earlier schema is of that schema, and the project
// stays as it was.
func TestBackupOfAnOlderProject(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{Answer: rightly}, rigRows(4, "")...)
	age(t, r.path("p.db"), 9)
	before, err := os.ReadFile(r.path("p.db"))
	if err != nil {
		t.Fatal(err)
	}
	r.ends(0, "backup", r.path("copy.db"))
	after, err := os.ReadFile(r.path("p.db"))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the project was changed: %v", err)
	}
	if _, err := os.Stat(r.path("p.db.schema9")); err == nil {
		t.Error("the project was brought up to date")
	}
}

// age makes of a project one of a schema before 12, whose values had no
// envelopes, and which had no sums.
func age(t *testing.T, path string, schema uint64) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		meta := tx.Bucket([]byte("meta"))
		err := errors.Join(tx.DeleteBucket([]byte("sums")), meta.Delete([]byte("envelope")),
			meta.Put([]byte("schema"), binary.BigEndian.AppendUint64(nil, schema)))
		return errors.Join(err, tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			if string(name) == "meta" {
				return nil
			}
			bare := make(map[string][]byte)
			err := b.ForEach(func(k, v []byte) error { bare[string(k)] = bytes.Clone(v[5:]); return nil })
			for k, v := range bare {
				err = errors.Join(err, b.Put([]byte(k), v))
			}
			return err
		}))
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}
