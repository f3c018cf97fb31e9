package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"concord/annotate"
	"concord/eval"
	"concord/store/file"
	"concord/store/page"
	"concord/store/record"
)

// behindItsBack changes a file as nothing of ours would.
func behindItsBack(t *testing.T, path string, change func(*bbolt.Tx) error) {
	t.Helper()
	db := got[*bbolt.DB](t)(bbolt.Open(path, 0o600, nil))
	must(t, db.Update(change))
	must(t, db.Close())
}

// Fewer facts than were acknowledged are refused, with the difference, although
// each of them is whole; with those that are damaged left out, that is told.
func TestMissingFactsAreTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := got[*Store](t)(Open(path, Options{NoSync: true, Now: clock}))
	addDataset(t, s, "d", samples(50))
	run := addRun(t, s, "m")
	got[int](t)(s.Runs().RecordAll(t.Context(), benchFacts(run.ID, 0, 50)))
	addQueue(t, s, "q", run.ID, 5)
	for i := range 5 {
		must(t, s.Acts().Append(t.Context(), []annotate.Act{label("q", "ann", i+1, item(run.ID, i, 0), "A")}))
	}
	must(t, s.Close())
	behindItsBack(t, path, func(tx *bbolt.Tx) error {
		return errors.Join(
			tx.Bucket([]byte(record.TablePredictions)).Delete(record.PredictionKey(key(run.ID, 7, 0))),
			tx.Bucket([]byte(record.TableActs)).Delete(record.AppendU32(record.StreamPrefix("q", "ann"), 3)))
	})
	var told []error
	for _, o := range []Options{{ReadOnly: true}, {}, {ReadOnly: true, Damaged: func(err error) { told = append(told, err) }}} {
		s := openAt(t, path, o)
		acts, err := s.Acts().Acts("q", "ann")
		predictions, perr := file.Collect(s.Runs().Predictions(t.Context(), run.ID, eval.Key{}))
		if o.Damaged != nil {
			must(t, errors.Join(err, perr))
			err, perr = told[0], told[1]
		}
		wantErr(t, err, ErrCorrupt)
		wantErr(t, perr, ErrCorrupt)
		if len(acts) != 4 || !contains(err.Error(), `acts of queue "q", annotator "ann": 4 of 5 are there, 1 are missing`) {
			t.Errorf("%d acts, %v", len(acts), err)
		}
		if !contains(perr.Error(), "of 50 are there, 1 are missing") {
			t.Errorf("%d predictions, %v", len(predictions), perr)
		}
		must(t, s.Close())
	}
}

// A damaged meta page is told until it is accepted; then nothing is.
func TestLastCommitMayBeMissing(t *testing.T) {
	for slot := range 2 {
		path := filepath.Join(t.TempDir(), "p.db")
		s := got[*Store](t)(Open(path, Options{}))
		addDataset(t, s, "d", samples(3))
		must(t, s.Close())
		raw := got[[]byte](t)(os.ReadFile(path))
		raw[slot*os.Getpagesize()+50] ^= 1
		must(t, os.WriteFile(path, raw, 0o600))
		for _, o := range []Options{{}, {ReadOnly: true}} {
			_, err := Open(path, o)
			var damage *DamageError
			if !errors.As(err, &damage) || !damage.Commit || !errors.Is(err, ErrCorrupt) {
				t.Errorf("%v", err)
			}
		}
		same(t, got[[]byte](t)(os.ReadFile(path)), raw)
		must(t, got[*Store](t)(Open(path, Options{Accept: true})).Close())
		for _, o := range []Options{{}, {ReadOnly: true}} {
			must(t, got[*Store](t)(Open(path, o)).Close())
		}
	}
}

// With a damaged freelist a project can be read, and not be written.
func TestDamagedFreelist(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := got[*Store](t)(Open(path, Options{}))
	addDataset(t, s, "d", samples(300))
	must(t, s.Close())
	raw := got[[]byte](t)(os.ReadFile(path))
	m, _, err := page.ReadMetas(bytes.NewReader(raw))
	must(t, err)
	binary.NativeEndian.PutUint64(raw[int(m.Freelist)*m.PageSize+16:], m.Root)
	must(t, os.WriteFile(path, raw, 0o600))
	_, err = Open(path, Options{})
	wantErr(t, err, ErrCorrupt)
	if !contains(err.Error(), "freelist") {
		t.Error(err)
	}
	r := openAt(t, path, Options{ReadOnly: true})
	same(t, len(all(t, r.Datasets().Samples(t.Context(), "d"))), 300)
	_, damage, err := r.Check(t.Context())
	if err != nil || len(damage) != 1 {
		t.Errorf("%v, %v", damage, err)
	}
}

// What is not a table's is repaired without a loss, and nothing of an earlier
// commit is taken for it: the freelist, and the meta pages, of which the last
// commit is found without them.
func TestRepairWithoutFreelistOrMetas(t *testing.T) {
	whole, known := corruptible(t)
	m, _, err := page.ReadMetas(bytes.NewReader(whole))
	must(t, err)
	path := filepath.Join(t.TempDir(), "p.db")
	must(t, os.WriteFile(path, whole, 0o600))
	want := outputs(t, path, known)
	for how, damage := range map[string]func(raw []byte){
		"freelist":   func(raw []byte) { binary.NativeEndian.PutUint64(raw[int(m.Freelist)*m.PageSize+16:], m.Root) },
		"both metas": func(raw []byte) { clear(raw[:2*m.PageSize]) },
		"newer meta": func(raw []byte) { clear(raw[int(m.Commit%2)*m.PageSize:][:m.PageSize]) },
		"metas and freelist": func(raw []byte) {
			clear(raw[:2*m.PageSize])
			clear(raw[int(m.Freelist)*m.PageSize:][:m.PageSize])
		},
	} {
		raw := bytes.Clone(whole)
		damage(raw)
		dir := t.TempDir()
		path, to := filepath.Join(dir, "p.db"), filepath.Join(dir, "saved.db")
		must(t, os.WriteFile(path, raw, 0o600))
		_, lost, err := Repair(t.Context(), path, to, Options{Now: clock})
		must(t, err)
		for _, one := range lost {
			var d *DamageError
			if !errors.As(one, &d) && !errors.Is(one, ErrNotProject) || d != nil && d.Table != "" {
				t.Errorf("%s: %v", how, one)
			}
		}
		for name, out := range outputs(t, to, known) {
			if out.err != nil || out.text != want[name].text {
				t.Errorf("%s: %s: %v\n%s", how, name, out.err, firstDifference(want[name].text, out.text))
			}
		}
	}
}

// Of a file that has lost its meta pages and all tables of tables the
// records that are left are saved. A file that is none ends at once.
func TestRepairOfWhatIsLeft(t *testing.T) {
	whole, _ := corruptible(t)
	m, _, err := page.ReadMetas(bytes.NewReader(whole))
	must(t, err)
	raw := bytes.Clone(whole)
	clear(raw[:2*m.PageSize])
	for _, state := range page.FindCommittedStates(bytes.NewReader(whole), int64(len(whole))) {
		clear(raw[int(state.Root)*m.PageSize:][:m.PageSize])
	}
	dir := t.TempDir()
	path, to := filepath.Join(dir, "p.db"), filepath.Join(dir, "saved.db")
	must(t, os.WriteFile(path, raw, 0o600))
	n, lost, err := Repair(t.Context(), path, to, Options{Now: clock})
	if err != nil || n < 1000 || len(lost) == 0 {
		t.Errorf("%d records, %v, %v", n, lost, err)
	}
	if _, damage, err := openAt(t, to, Options{ReadOnly: true}).Check(t.Context()); err != nil || len(damage) > 0 {
		t.Errorf("%v, %v", damage, err)
	}
	_, _, err = Repair(t.Context(), os.DevNull, filepath.Join(dir, "none.db"), Options{})
	wantErr(t, err, ErrNotProject)
}

// A project of before checksums is read as it is, gets them for what is written,
// and for all by compact, which changes nothing else.
func TestCompactSealsOldRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := got[*Store](t)(Open(path, Options{Now: clock}))
	addDataset(t, s, "d", samples(20))
	run := addRun(t, s, "m")
	got[int](t)(s.Runs().RecordAll(t.Context(), benchFacts(run.ID, 0, 20)))
	must(t, s.Close())
	older(t, path, file.EnvelopeSchema-1)
	bare := func() (n, all int) {
		behindItsBack(t, path, func(tx *bbolt.Tx) error {
			return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
				return b.ForEach(func(_, v []byte) error {
					if string(name) != string(record.TableMeta) {
						if all++; len(v) == 0 || v[0] != record.Envelope {
							n++
						}
					}
					return nil
				})
			})
		})
		return n, all
	}
	s = got[*Store](t)(Open(path, Options{Now: clock}))
	want := all(t, s.Runs().Predictions(t.Context(), run.ID, eval.Key{}))
	must(t, s.Runs().Record(t.Context(), fact(key(run.ID, 0, 5), "new", eval.Found)))
	must(t, s.Close())
	if n, all := bare(); n == 0 || n == all {
		t.Errorf("%d of %d values are bare", n, all)
	}
	must(t, os.Chmod(path, 0o640)) //nolint:gosec // a project of a group
	link := path + ".link"
	must(t, os.Symlink(path, link))
	s = got[*Store](t)(Open(link, Options{Now: clock}))
	must(t, s.Compact(context.Background()))
	must(t, s.Close())
	if at := got[os.FileInfo](t)(os.Lstat(link)); at.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	same(t, got[os.FileInfo](t)(os.Stat(path)).Mode().Perm(), os.FileMode(0o640))
	if n, _ := bare(); n != 0 {
		t.Errorf("%d values are bare", n)
	}
	s = openAt(t, path, Options{Now: clock})
	same(t, len(all(t, s.Runs().Predictions(t.Context(), run.ID, eval.Key{}))), len(want)+1)
	same(t, addRun(t, s, "another").ID, run.ID+1)
	behind := filepath.Join(t.TempDir(), "bare.db")
	must(t, s.Close())
	raw := got[[]byte](t)(os.ReadFile(path))
	must(t, os.WriteFile(behind, raw, 0o600))
	behindItsBack(t, behind, func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte(record.TablePredictions))
		k := record.PredictionKey(key(run.ID, 3, 0))
		return b.Put(k, b.Get(k)[record.EnvelopeSize:])
	})
	_, err := openAt(t, behind, Options{ReadOnly: true}).Runs().Prediction(key(run.ID, 3, 0))
	wantErr(t, err, ErrCorrupt)
	if !strings.Contains(err.Error(), "prediction of run 1, sample 3, pass 0") {
		t.Error(err)
	}
}

// A project that lost records before it had sums is not taken along.
func TestMigrationCountsFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := got[*Store](t)(Open(path, Options{Now: clock}))
	addDataset(t, s, "d", samples(20))
	must(t, s.Close())
	older(t, path, file.EnvelopeSchema-1)
	behindItsBack(t, path, func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte(record.TableSamples)).Delete(record.SampleKey("d", 4))
	})
	_, err := Open(path, Options{})
	wantErr(t, err, ErrCorrupt)
	if !contains(err.Error(), `samples of dataset "d": 19 of 20 are there, 1 are missing`) {
		t.Error(err)
	}
}
