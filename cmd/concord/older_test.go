package main

import (
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"concord/eval/openai/openaitest"
)

// A command that reads brings a project of an earlier schema up to date, says
// so, and keeps the file as it was.
func TestOlderProjectIsBroughtUpToDate(t *testing.T) {
	r := newRig(t, openaitest.Options{Answer: rightly}, rigRows(20, "")...)
	r.eval("--modality", "text")
	want := r.accuracy("vanilla")
	db, err := bbolt.Open(r.path("p.db"), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte("meta")).Put([]byte("schema"), binary.BigEndian.AppendUint64(nil, 9))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
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
