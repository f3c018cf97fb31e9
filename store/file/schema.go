package file

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"go.etcd.io/bbolt"

	"concord/store/page"
	"concord/store/record"
)

// The entries of the table meta. Those of before the envelope stay as they
// are, so that an earlier concord knows a later project by them.
const (
	MetaFormat   = "format"
	MetaSchema   = "schema"
	MetaEnvelope = "envelope" // the schema once more, and whether values without envelope may be there
	Format       = "concord project"
)

// EnvelopeSchema is the first schema in which every written value has an envelope.
const EnvelopeSchema = 12

// Migration takes a project from one schema number to the next, in one transaction. Steps are
// only ever appended: the schema number of a project is how many it has had, plus one.
type Migration struct {
	Name string
	Step func(*Tx) error
}

// prepareSchema makes a new file a project, and brings an old one up to date.
func (f *File) prepareSchema(o Options, steps []Migration) error {
	want := uint64(1 + len(steps))
	if err := f.View(func(tx *Tx) (err error) { f.schema, f.bare, err = readSchemaNumber(tx); return err }); err != nil {
		return err
	}
	f.sealed = f.schema >= EnvelopeSchema
	switch have := f.schema; {
	case have > want:
		return fmt.Errorf("%w: schema %d, at most %d is known", ErrNewerSchema, have, want)
	case have == want:
	case f.db.IsReadOnly() && have == 0:
		return fmt.Errorf("%w: nothing in it", ErrNotProject)
	case f.db.IsReadOnly() && o.Old:
		return nil
	case f.db.IsReadOnly():
		return fmt.Errorf("%w: schema %d, not %d", ErrOlderSchema, have, want)
	case have == 0:
		if err := f.createTables(want); err != nil {
			return err
		}
	default:
		if err := f.migrate(have, steps, o.Copy); err != nil {
			return err
		}
	}
	return f.View(requireTables)
}

// ReadSchema reads the schema number of a project, 0 for a file without anything.
func ReadSchema(tx *Tx) (uint64, error) {
	n, _, err := readSchemaNumber(tx)
	return n, err
}

// readSchemaNumber also says whether there may be values without an envelope.
func readSchemaNumber(tx *Tx) (n uint64, bare bool, err error) {
	meta := tx.Table(record.TableMeta)
	if !meta.exists {
		if tx.isEmpty() {
			return 0, false, nil
		}
		return 0, false, ErrNotProject
	}
	if string(meta.Get([]byte(MetaFormat))) != Format {
		return 0, false, ErrNotProject
	}
	n, ok := record.DecodeNumber(meta.Get([]byte(MetaSchema)))
	if !ok || n == 0 {
		return 0, false, record.NewCorruptError(record.TableMeta, []byte(MetaSchema), "no number")
	}
	key := []byte(MetaEnvelope)
	raw := meta.Get(key)
	if raw == nil && n < EnvelopeSchema {
		return n, true, nil
	}
	body, _, err := record.Unseal(record.TableMeta, key, raw, false)
	switch {
	case err != nil:
		return 0, false, err
	case len(body) != 9 || binary.BigEndian.Uint64(body) != n:
		return 0, false, record.NewCorruptError(record.TableMeta, []byte(MetaSchema), fmt.Sprintf("schema %d, and another one beside it", n))
	}
	return n, body[8] != 0, nil
}

// createTables makes the tables. It is one transaction, so that a crash leaves
// either nothing or a project.
func (f *File) createTables(schema uint64) error {
	f.sealed, f.bare, f.schema = schema >= EnvelopeSchema, schema < EnvelopeSchema, schema
	err := f.runWrite(func(tx *Tx) error {
		for _, t := range record.Tables() {
			if _, err := tx.bolt.CreateBucket([]byte(t)); err != nil {
				return err
			}
		}
		if err := tx.Table(record.TableMeta).Put([]byte(MetaFormat), []byte(Format)); err != nil {
			return err
		}
		return SetSchema(tx, schema)
	})
	if err != nil {
		return fmt.Errorf("create project: %w", explainError(err))
	}
	return nil
}

// SetSchema writes the schema number of a project.
func SetSchema(tx *Tx, n uint64) error {
	meta := tx.Table(record.TableMeta)
	if err := meta.Put([]byte(MetaSchema), record.EncodeU64(n)); err != nil || n < EnvelopeSchema {
		return err
	}
	body := append(record.EncodeU64(n), 0)
	if tx.f.bare {
		body[8] = 1
	}
	value, _ := record.Seal(record.TableMeta, []byte(MetaEnvelope), body)
	return meta.Put([]byte(MetaEnvelope), value)
}

// migrate copies the file aside, unless it is a copy itself, and takes the steps that it has not had.
func (f *File) migrate(have uint64, steps []Migration, isCopy bool) error {
	aside, old := "", "it stays as it was"
	if !isCopy {
		var err error
		if aside, err = f.copyTo(fmt.Sprintf("%s.schema%d", f.path, have)); err != nil {
			return fmt.Errorf("copy project to %s: %w", aside, err)
		}
		old = "the old one is " + aside
	}
	for i, m := range steps[have-1:] {
		to := have + uint64(i) + 1
		f.sealed = to >= EnvelopeSchema
		err := recoverPanic(func() error {
			return f.runWrite(func(tx *Tx) error {
				if err := m.Step(tx); err != nil {
					return err
				}
				return SetSchema(tx, to)
			})
		})
		if err != nil {
			return fmt.Errorf("migrate project to schema %d (%s), %s: %w", to, m.Name, old, explainError(err))
		}
		f.schema = to
		f.log.Info("migrated project", "schema", to, "step", m.Name, "copy", aside)
	}
	return nil
}

// WriteTo writes the project as of one commit, while it is in use.
func (f *File) WriteTo(w io.Writer) (n int64, err error) {
	err = explainError(recoverPanic(func() error {
		return f.db.View(func(tx *bbolt.Tx) error { n, err = tx.WriteTo(w); return err })
	}))
	return n, err
}

// copyTo writes a consistent copy of the project, whole or not at all. Where another copy has
// the name already, that one stays, and this one's name gets a number.
func (f *File) copyTo(path string) (string, error) {
	part := path + ".part"
	out, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		return path, err
	}
	_, err = f.WriteTo(out)
	if err == nil {
		err = out.Sync()
	}
	name := path
	for i := 2; err == nil; i++ {
		var there, same bool
		if there, same, err = hasSameBytes(name, out); err == nil && same {
			return name, errors.Join(out.Close(), os.Remove(part))
		}
		if !there {
			break
		}
		name = fmt.Sprintf("%s-%d", path, i)
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return name, errors.Join(explainError(err), os.Remove(part))
	}
	return name, os.Rename(part, name)
}

// hasSameBytes reports whether there is a file at path, and whether it has the bytes of another.
func hasSameBytes(path string, other *os.File) (there, same bool, err error) {
	in, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, false, nil
	}
	if err != nil {
		return true, false, err
	}
	defer func() { _ = in.Close() }()
	var sums [2][]byte
	for i, f := range []*os.File{in, other} {
		h := sha256.New()
		if _, err := io.Copy(h, io.NewSectionReader(f, 0, math.MaxInt64)); err != nil {
			return true, false, err
		}
		sums[i] = h.Sum(nil)
	}
	return true, bytes.Equal(sums[0], sums[1]), nil
}

// requireTables refuses a project that lacks a table.
func requireTables(tx *Tx) error {
	for _, t := range record.Tables() {
		if !tx.Table(t).exists {
			tx.raiseDamage(&record.DamageError{Table: t, Why: "the project has no such table"})
		}
	}
	return nil
}

// longLeaves is how many leaves that are longer than a page a reader looks at
// before it begins; a writer looks at all of them.
const longLeaves = 4096

// checkBeforeOpen looks at a file before bbolt opens it for writing: bbolt reads the
// freelist then, and believes it.
func checkBeforeOpen(path string, o Options) error {
	f := &File{path: path}
	o.ReadOnly = true
	if err := f.openFile(path, o); err != nil {
		if errors.Is(err, ErrNotProject) {
			return nil // an empty file becomes one
		}
		return err
	}
	return errors.Join(f.checkPages(0, o.Accept, false), explainError(f.db.Close()))
}

// checkAfterOpen decides whether an open file is a project that can be relied on.
func (f *File) checkAfterOpen(o Options, steps []Migration) error {
	if f.db.IsReadOnly() {
		if err := f.checkPages(longLeaves, false, true); err != nil {
			return err
		}
	}
	if err := f.prepareSchema(o, steps); err != nil {
		return err
	}
	if o.Accept {
		return f.rewriteMetas()
	}
	return nil
}

// checkPages looks at the meta pages, the branches and, for a writer, the freelist.
func (f *File) checkPages(most int, accept, reads bool) error {
	var wrong []error
	newest, other, err := page.ReadMetas(f.src)
	switch {
	case err != nil:
		return &record.DamageError{Where: "the file", Why: err.Error()}
	case other != nil && !accept:
		wrong = append(wrong, &record.DamageError{Where: other.Error(), Why: "the last commit may be missing", Commit: true})
	}
	info, err := f.src.Stat()
	if err != nil {
		return err
	}
	if size := int64(newest.Pages) * int64(newest.PageSize); info.Size() < size {
		wrong = append(wrong, &record.DamageError{Where: "the file", Why: fmt.Sprintf("it has %d bytes of %d", info.Size(), size)})
	}
	s := page.NewReader(f.src, newest, 1).AccountPages(most)
	for _, one := range s.Findings {
		wrong = append(wrong, newPageDamage(record.Table(one.Table), one.Error))
	}
	if s.Freelist != nil {
		f.freelist = &record.DamageError{Where: s.Freelist.Error(), Why: "a write could take pages that are in use; concord doctor --repair FILE writes a whole file"}
		if !reads {
			wrong = append(wrong, f.freelist)
		}
	}
	if f.damaged != nil && reads {
		for _, err := range wrong {
			f.damaged(err)
		}
		return nil
	}
	return firstOfErrors(wrong)
}

// firstOfErrors gives the first of some errors, and how many there are.
func firstOfErrors(all []error) error {
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return fmt.Errorf("%w (and %d more)", all[0], len(all)-1)
}

// rewriteMetas has both meta pages written anew.
func (f *File) rewriteMetas() error {
	for range 2 {
		if _, other, err := page.ReadMetas(f.src); err != nil || other == nil {
			return err
		}
		err := f.runWrite(func(tx *Tx) error {
			n, err := ReadSchema(tx)
			if err != nil {
				return err
			}
			return SetSchema(tx, n)
		})
		if err != nil {
			return explainError(err)
		}
	}
	return nil
}

// isEmpty reports whether a file has no table at all.
func (tx *Tx) isEmpty() bool {
	none := true
	tx.root.Ascend(nil, func(l page.Leaf, err *page.Error) bool {
		if err != nil {
			tx.raiseDamage(newPageDamage("", err))
		}
		none = none && l.Len == 0
		return true
	})
	return none
}
