package store

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

func TestOpenCreatesForTheOwnerOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	if Exists(path) {
		t.Fatal("exists before")
	}
	_, err := Open(path, Options{ReadOnly: true})
	wantErr(t, err, os.ErrNotExist)
	if Exists(path) {
		t.Fatal("a store that only reads has made a file")
	}
	openAt(t, path, Options{})
	info := got[os.FileInfo](t)(os.Stat(path))
	if !Exists(path) || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if Exists(filepath.Dir(path)) {
		t.Error("a folder is no project")
	}
}

func TestOpenRefuses(t *testing.T) {
	write := func(content string) func(*testing.T, string) {
		return func(t *testing.T, path string) { must(t, os.WriteFile(path, []byte(content), 0o600)) }
	}
	bolt := func(fn func(*bbolt.Tx) error) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			must(t, got[*Store](t)(Open(path, Options{})).Close())
			db := got[*bbolt.DB](t)(bbolt.Open(path, 0o600, nil))
			must(t, db.Update(fn))
			must(t, db.Close())
		}
	}
	cut := func(t *testing.T, path string) {
		s := got[*Store](t)(Open(path, Options{}))
		addDataset(t, s, "d", samples(2000))
		must(t, s.Close())
		must(t, os.Truncate(path, 64<<10))
	}
	for _, c := range []struct {
		name string
		make func(*testing.T, string)
		want error
	}{
		{"text", write(strings.Repeat("sample,choice\n", 4000)), ErrNotProject},
		{"short text", write("hello"), ErrNotProject},
		{"zeros", write(strings.Repeat("\x00", 1<<16)), ErrNotProject},
		{"folder", func(t *testing.T, path string) { must(t, os.Mkdir(path, 0o700)) }, ErrNotProject},
		{"other program's bbolt", bolt(func(tx *bbolt.Tx) error {
			return tx.DeleteBucket([]byte(record.TableMeta))
		}), ErrNotProject},
		{"other format", bolt(func(tx *bbolt.Tx) error {
			return tx.Bucket([]byte(record.TableMeta)).Put([]byte(file.MetaFormat), []byte("concert"))
		}), ErrNotProject},
		{"newer schema", bolt(func(tx *bbolt.Tx) error {
			envelope := []byte(file.MetaEnvelope)
			value, _ := record.Seal(record.TableMeta, envelope, append(record.EncodeU64(99), 0))
			return errors.Join(tx.Bucket([]byte(record.TableMeta)).Put([]byte(file.MetaSchema), record.EncodeU64(99)),
				tx.Bucket([]byte(record.TableMeta)).Put(envelope, value))
		}), ErrNewerSchema},
		{"no schema", bolt(func(tx *bbolt.Tx) error {
			return tx.Bucket([]byte(record.TableMeta)).Delete([]byte(file.MetaSchema))
		}), ErrCorrupt},
		{"bucket missing", bolt(func(tx *bbolt.Tx) error { return tx.DeleteBucket([]byte(record.TableActs)) }), ErrCorrupt},
		{"cut off", cut, ErrCorrupt},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "p.db")
			c.make(t, path)
			before, _ := os.ReadFile(path)
			for _, o := range []Options{{}, {ReadOnly: true}} {
				_, err := Open(path, o)
				wantErr(t, err, c.want)
				if !strings.Contains(err.Error(), path) {
					t.Errorf("does not name the file: %v", err)
				}
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestEmptyFileBecomesAProject(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	must(t, os.WriteFile(path, nil, 0o600))
	_, err := Open(path, Options{ReadOnly: true})
	wantErr(t, err, ErrNotProject)
	openAt(t, path, Options{})
}

func TestLocked(t *testing.T) {
	s := openTest(t, Options{})
	_, err := Open(s.Path(), Options{})
	wantErr(t, err, ErrLocked)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=open", childFile+"="+s.Path())
	out, err := cmd.CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "true true" {
		t.Fatalf("another process: %v %s", err, out)
	}
}

func TestReadersShareAndWriteNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := got[*Store](t)(Open(path, Options{}))
	addDataset(t, s, "d", samples(3))
	must(t, s.Close())
	r := openAt(t, path, Options{ReadOnly: true})
	openAt(t, path, Options{ReadOnly: true})
	if n := len(all(t, r.Datasets().Samples(t.Context(), "d"))); n != 3 {
		t.Errorf("%d samples", n)
	}
	_, err := r.Runs().CreateRun(t.Context(), eval.Config{Dataset: "d"})
	wantErr(t, err, ErrReadOnly)
	_, err = Open(path, Options{})
	wantErr(t, err, ErrLocked)
}

func TestNoPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write anything")
	}
	s := openTest(t, Options{})
	must(t, s.Close())
	must(t, os.Chmod(s.Path(), 0o400))
	_, err := Open(s.Path(), Options{})
	wantErr(t, err, os.ErrPermission)
}

// A map that the system does not grant is asked for again, smaller.
func TestMapFallsBack(t *testing.T) {
	huge := file.MapSpace << 13
	s := openTest(t, Options{InitialMmapSize: max(int(huge), 0)})
	addDataset(t, s, "d", samples(10))
}

func TestClosed(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(1))
	must(t, s.Close())
	must(t, s.Close())
	_, err := s.Runs().CreateRun(t.Context(), eval.Config{Dataset: "d"})
	wantErr(t, err, file.ErrClosed)
	_, err = s.Datasets().List()
	wantErr(t, err, file.ErrClosed)
	for _, err := range s.Datasets().Samples(t.Context(), "d") {
		wantErr(t, err, file.ErrClosed)
	}
}

func TestFullIsSaidAndHarmless(t *testing.T) {
	s := openTest(t, Options{MaxSize: 12 << 20})
	addDataset(t, s, "d", samples(1))
	run := addRun(t, s, "m")
	noise := rand.NewChaCha8([32]byte{1}) // which takes all of its room
	raw := make([]byte, 3<<20)
	got[int](t)(noise.Read(raw))
	big := string(raw)
	var full error
	stored := 0
	for i := range 20 {
		if full = s.Runs().Record(t.Context(), fact(key(run.ID, i, 0), big, eval.Missing)); full != nil {
			break
		}
		stored++
	}
	wantErr(t, full, file.ErrFull)
	if c := got[eval.Counts](t)(s.Runs().Counts(run.ID)); c.Predictions != stored || stored == 0 {
		t.Errorf("%d counted, %d acknowledged", c.Predictions, stored)
	}
	must(t, s.Runs().Record(t.Context(), fact(key(run.ID, 99, 0), "small", eval.Missing)))
}

func TestMigrations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := got[*Store](t)(openWith(path, Options{}, nil))
	addDataset(t, s, "d", samples(3))
	must(t, s.Close())

	put := func(k, v string) file.Migration {
		return file.Migration{Name: "put " + k, Step: func(tx *file.Tx) error {
			return tx.Table(record.TableMeta).Put([]byte(k), []byte(v))
		}}
	}
	broken := file.Migration{Name: "broken", Step: func(*file.Tx) error { return errors.New("no way") }}
	_, err := openWith(path, Options{ReadOnly: true}, []file.Migration{put("a", "1")})
	wantErr(t, err, ErrOlderSchema)

	if _, err = openWith(path, Options{}, []file.Migration{put("a", "1"), broken}); err == nil || !strings.Contains(err.Error(), "no way") {
		t.Fatalf("broken step: %v", err)
	}
	// The first step stands, the second left nothing, and the copy is of old.
	s = got[*Store](t)(openWith(path, Options{}, []file.Migration{put("a", "2"), put("b", "3")}))
	must(t, s.file.View(func(tx *file.Tx) error {
		meta := tx.Table(record.TableMeta)
		if a, b := string(meta.Get([]byte("a"))), string(meta.Get([]byte("b"))); a != "1" || b != "3" {
			t.Errorf("a %q, b %q", a, b)
		}
		if n, err := file.ReadSchema(tx); n != 3 || err != nil {
			t.Errorf("schema %d, %v", n, err)
		}
		return nil
	}))
	must(t, s.Close())
	_, err = openWith(path, Options{}, nil)
	wantErr(t, err, ErrNewerSchema)

	aside := openAt(t, path+".schema1", Options{})
	if n := len(all(t, aside.Datasets().Samples(context.Background(), "d"))); n != 3 {
		t.Errorf("%d samples in the copy", n)
	}
	if info := got[os.FileInfo](t)(os.Stat(path + ".schema1")); info.Mode().Perm() != 0o600 {
		t.Errorf("copy has mode %v", info.Mode())
	}
}
