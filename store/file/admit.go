package file

import (
	"errors"
	"fmt"

	"concord/store/page"
	"concord/store/record"
)

// longLeaves is how many leaves that are longer than a page a reader looks at
// before it begins; a writer looks at all of them.
const longLeaves = 4096

// look looks at a file before bbolt opens it for writing: bbolt reads the
// freelist then, and believes it.
func look(path string, o Options) error {
	f := &File{path: path}
	o.ReadOnly = true
	if err := f.openFile(path, o); err != nil {
		if errors.Is(err, ErrNotProject) {
			return nil // an empty file becomes one
		}
		return err
	}
	return errors.Join(f.survey(0, o.Accept, false), explain(f.db.Close()))
}

// admit decides whether an open file is a project that can be relied on.
func (f *File) admit(o Options, steps []Migration) error {
	if f.db.IsReadOnly() {
		if err := f.survey(longLeaves, false, true); err != nil {
			return err
		}
	}
	if err := f.prepare(o, steps); err != nil {
		return err
	}
	if o.Accept {
		return f.accept()
	}
	return nil
}

// survey looks at the meta pages, the branches and, for a writer, the
// freelist.
func (f *File) survey(most int, accept, reads bool) error {
	var wrong []error
	newest, other, err := page.Metas(f.src)
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
	s := page.NewReader(f.src, newest, 1).Account(most)
	for _, one := range s.Findings {
		wrong = append(wrong, damageOf(record.Table(one.Table), one.Error))
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
	return several(wrong)
}

// several is the first of some errors, and how many there are.
func several(all []error) error {
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return fmt.Errorf("%w (and %d more)", all[0], len(all)-1)
}

// accept has both meta pages written anew.
func (f *File) accept() error {
	for range 2 {
		if _, other, err := page.Metas(f.src); err != nil || other == nil {
			return err
		}
		err := f.update(func(tx *Tx) error {
			n, err := SchemaOf(tx)
			if err != nil {
				return err
			}
			return SetSchema(tx, n)
		})
		if err != nil {
			return explain(err)
		}
	}
	return nil
}

// empty reports whether a file has no table at all.
func (tx *Tx) empty() bool {
	none := true
	tx.root.Ascend(nil, func(l page.Leaf, err *page.Error) bool {
		if err != nil {
			tx.fail(damageOf("", err))
		}
		none = none && l.Len == 0
		return true
	})
	return none
}
