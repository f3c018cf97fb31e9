package file

import (
	"errors"
	"fmt"
	"os"

	"concord/store/record"

	"go.etcd.io/bbolt"
)

// The entries of the meta bucket.
const (
	MetaFormat = "format"
	MetaSchema = "schema"
	Format     = "concord project"
)

// Migration takes a project from one schema number to the next, in one
// transaction. Steps are only ever appended: the schema number of a project is
// how many it has had, plus one.
type Migration struct {
	Name string
	Step func(*bbolt.Tx) error
}

// prepare makes a new file a project, and brings an old one up to date.
func (f *File) prepare(steps []Migration) error {
	want := uint64(1 + len(steps))
	var have uint64
	if err := f.View(func(tx *bbolt.Tx) (err error) { have, err = SchemaOf(tx); return err }); err != nil {
		return err
	}
	switch {
	case have > want:
		return fmt.Errorf("%w: schema %d, at most %d is known", ErrNewerSchema, have, want)
	case have == want:
	case f.db.IsReadOnly() && have == 0:
		return fmt.Errorf("%w: nothing in it", ErrNotProject)
	case f.db.IsReadOnly():
		return fmt.Errorf("%w: schema %d, not %d", ErrOlderSchema, have, want)
	case have == 0:
		if err := f.create(want); err != nil {
			return err
		}
	default:
		if err := f.migrate(have, steps); err != nil {
			return err
		}
	}
	return f.View(f.whole)
}

// SchemaOf is the schema number of a project, 0 for a file without anything.
func SchemaOf(tx *bbolt.Tx) (uint64, error) {
	meta := tx.Bucket([]byte(record.TableMeta))
	if meta == nil {
		if name, _ := tx.Cursor().First(); name == nil {
			return 0, nil
		}
		return 0, ErrNotProject
	}
	if string(meta.Get([]byte(MetaFormat))) != Format {
		return 0, ErrNotProject
	}
	n, ok := record.Number(meta.Get([]byte(MetaSchema)))
	if !ok || n == 0 {
		return 0, record.Corrupt(record.TableMeta, []byte(MetaSchema), "no number")
	}
	return n, nil
}

// create makes the buckets. It is one transaction, so that a crash leaves
// either nothing or a project.
func (f *File) create(schema uint64) error {
	err := f.db.Update(func(tx *bbolt.Tx) error {
		for _, t := range record.Tables() {
			if _, err := tx.CreateBucket([]byte(t)); err != nil {
				return err
			}
		}
		if err := tx.Bucket([]byte(record.TableMeta)).Put([]byte(MetaFormat), []byte(Format)); err != nil {
			return err
		}
		return SetSchema(tx, schema)
	})
	if err != nil {
		return fmt.Errorf("create project: %w", explain(err))
	}
	return nil
}

// SetSchema writes the schema number of a project.
func SetSchema(tx *bbolt.Tx, n uint64) error {
	return tx.Bucket([]byte(record.TableMeta)).Put([]byte(MetaSchema), record.U64(n))
}

// migrate copies the file aside and takes the steps that it has not had.
func (f *File) migrate(have uint64, steps []Migration) error {
	aside := fmt.Sprintf("%s.schema%d", f.path, have)
	if err := f.copyTo(aside); err != nil {
		return fmt.Errorf("copy project to %s: %w", aside, err)
	}
	for i, m := range steps[have-1:] {
		to := have + uint64(i) + 1
		err := caught(func() error {
			return f.db.Update(func(tx *bbolt.Tx) error {
				if err := m.Step(tx); err != nil {
					return err
				}
				return SetSchema(tx, to)
			})
		})
		if err != nil {
			return fmt.Errorf("migrate project to schema %d (%s), the old one is %s: %w", to, m.Name, aside, explain(err))
		}
		f.log.Info("migrated project", "schema", to, "step", m.Name, "copy", aside)
	}
	return nil
}

// copyTo writes a consistent copy of the project, whole or not at all.
func (f *File) copyTo(path string) (err error) {
	part := path + ".part"
	out, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = f.View(func(tx *bbolt.Tx) error { _, err := tx.WriteTo(out); return err })
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return errors.Join(explain(err), os.Remove(part))
	}
	return os.Rename(part, path)
}

// whole refuses a file that was cut off, or that lacks a bucket, before
// anything relies on it.
func (f *File) whole(tx *bbolt.Tx) error {
	info, err := os.Stat(f.path)
	if err != nil {
		return err
	}
	if info.Size() < tx.Size() {
		return fmt.Errorf("%w: the file has %d bytes of %d", record.ErrCorrupt, info.Size(), tx.Size())
	}
	for _, t := range record.Tables() {
		if tx.Bucket([]byte(t)) == nil {
			return fmt.Errorf("%w: no bucket %s", record.ErrCorrupt, t)
		}
	}
	return nil
}
