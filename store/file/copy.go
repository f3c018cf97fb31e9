package file

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"concord/store/page"
	"concord/store/record"
)

// MetaRepaired says of a project that it was saved from a damaged one: records
// may be missing, and numbers that were given out.
const MetaRepaired = "repaired"

// fileCopy writes records into a new file, many in one transaction.
type fileCopy struct {
	to    *File
	batch []copied
	size  int
	n     map[record.Table]int
	sums  map[string]record.Sum // of the damaged file, by their keys
	err   error
}

type copied struct {
	table      record.Table
	key, value []byte
}

// A batch of copied records is committed when it has so many, or so many bytes.
const (
	copyRecords = 10_000
	copyBytes   = 16 << 20
)

// newFileCopy begins a file of a schema beside path.
func newFileCopy(path string, schema uint64) (*fileCopy, error) {
	part := path + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	f := &File{path: part, now: time.Now, log: slog.New(slog.DiscardHandler)}
	if err := f.openFile(part, Options{NoSync: true, InitialMmapSize: 1}); err != nil {
		_ = os.Remove(part)
		return nil, err
	}
	f.db.AllocSize = f.page // nothing is written behind it
	if err := f.createTables(schema); err != nil {
		return nil, errors.Join(err, f.db.Close(), os.Remove(part))
	}
	return &fileCopy{to: f, n: make(map[record.Table]int), sums: make(map[string]record.Sum)}, nil
}

// queueRecord takes a record on; it keeps its bytes.
func (c *fileCopy) queueRecord(t record.Table, key, value []byte) {
	if c.err != nil {
		return
	}
	c.batch = append(c.batch, copied{table: t, key: Clone(key), value: Clone(value)})
	if c.size += len(key) + len(value); len(c.batch) >= copyRecords || c.size >= copyBytes {
		c.commitBatch()
	}
}

// commitBatch commits what was taken on. Of two records of one key the first stays.
func (c *fileCopy) commitBatch() {
	if c.err != nil || len(c.batch) == 0 {
		return
	}
	c.err = explainError(recoverPanic(func() error {
		return c.to.runWrite(func(tx *Tx) error {
			for _, r := range c.batch {
				t := tx.Table(r.table)
				t.FillPercent = 1
				if t.Get(r.key) != nil {
					continue
				}
				if err := t.Put(r.key, r.value); err != nil {
					return err
				}
				c.n[r.table]++
			}
			return nil
		})
	}))
	c.batch, c.size = c.batch[:0], 0
}

// finishCopy sets what was given out, makes the file durable and gives it its name.
func (c *fileCopy) finishCopy(path string, given map[record.Table]uint64, repaired []byte) error {
	c.commitBatch()
	if c.err == nil {
		c.err = c.to.runWrite(func(tx *Tx) error {
			for t, n := range given {
				if last, ok := tx.Table(t).LastUnder(nil); ok {
					if k, ok := record.DecodeNumber(last.Key); ok {
						n = max(n, k)
					}
				}
				if err := tx.Table(t).bucket.SetSequence(n); err != nil {
					return err
				}
			}
			if repaired == nil {
				return nil
			}
			return tx.Table(record.TableMeta).Put([]byte(MetaRepaired), repaired)
		})
	}
	err := errors.Join(c.err, c.to.db.Sync(), explainError(c.to.db.Close()))
	if err == nil {
		err = os.Rename(c.to.path, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(c.to.path))
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// numberedTables are the tables whose records are numbered as they come.
func numberedTables() []record.Table {
	return []record.Table{record.TableRuns, record.TableBlobs, record.TableReports, record.TableInspections}
}

// Compact writes the project anew, every value packed and in an envelope and every page full, and puts it
// in the place of the old file, wherever links lead to that, with its permissions. The file has
// to be open for writing, and is of no use afterwards but to be closed.
func (f *File) Compact(ctx context.Context, pack func(record.Table, []byte) []byte) error {
	if f.writer == nil {
		return ErrReadOnly
	}
	f.writer.close()
	path, err := filepath.EvalSymlinks(f.path)
	if err != nil {
		return fmt.Errorf("look at project file: %w", err)
	}
	was, err := f.src.Stat()
	if err != nil {
		return fmt.Errorf("look at project file: %w", err)
	}
	c, err := newFileCopy(path, f.schema)
	if err != nil {
		return err
	}
	given := make(map[record.Table]uint64)
	var repaired []byte
	c.err = f.View(func(tx *Tx) error {
		for _, t := range numberedTables() {
			given[t] = tx.Table(t).tree.Sequence
		}
		repaired = Clone(tx.Table(record.TableMeta).Get([]byte(MetaRepaired)))
		return nil
	})
	for _, t := range record.Tables() {
		if t == record.TableMeta || t == record.TableSums {
			continue
		}
		for p, err := range f.Scan(ctx, t, nil, nil) {
			if err != nil {
				c.err = errors.Join(c.err, err)
			}
			if c.err != nil {
				break
			}
			c.queueRecord(t, p.Key, pack(t, p.Value))
		}
	}
	c.err = errors.Join(c.err, os.Chmod(c.to.path, was.Mode().Perm()), f.checkWritable())
	return c.finishCopy(path, given, repaired)
}

// RepairResult is what a repair came to.
type RepairResult struct {
	Records map[record.Table]int
	Lost    []error // what could not be read
}

// Repair writes what can be read of a file into a new one, and leaves the file
// as it is. Nothing may stand at the new path.
func Repair(path, to string, o Options, schema uint64) (RepairResult, error) {
	var s RepairResult
	if _, err := os.Lstat(to); err == nil {
		return s, fmt.Errorf("repair into %s: %w", to, os.ErrExist)
	}
	if at, err := os.Stat(path); err == nil && !at.Mode().IsRegular() {
		return s, fmt.Errorf("%w: not a regular file", ErrNotProject)
	}
	lost := make(map[string]bool)
	note := func(err error) {
		if text := err.Error(); !lost[text] {
			lost[text] = true
			s.Lost = append(s.Lost, err)
		}
	}
	o.ReadOnly, o.Old, o.Damaged = true, true, note
	src := &File{bare: true, schema: schema}
	f, err := Open(path, o, make([]Migration, schema-1))
	switch {
	case err == nil:
		src = f
		defer func() { _ = f.Close() }()
	case errors.Is(err, ErrLocked), errors.Is(err, ErrNewerSchema), errors.Is(err, os.ErrPermission), errors.Is(err, os.ErrNotExist):
		return s, err
	default:
		note(err)
	}
	in, err := os.Open(path)
	if err != nil {
		return s, err
	}
	defer func() { _ = in.Close() }()
	m, err := findLatestCommit(in, src, note)
	if err != nil {
		return s, err
	}
	c, err := newFileCopy(to, src.schema)
	if err != nil {
		return s, err
	}
	page.Salvage(in, m, func(r page.SalvagedRecord) bool { return c.queueIfBelievable(r, src.bare, note) }, func(l page.Finding) {
		note(newPageDamage(record.Table(l.Table), l.Error))
	}, c.hasAllGroups)
	c.reportLostGroups(note)
	given := make(map[record.Table]uint64)
	for _, t := range numberedTables() {
		given[t] = 0
	}
	for _, t := range page.NewReader(in, m, 1).AccountPages(1).Tables {
		if _, ok := given[record.Table(t.Name)]; ok && t.Sequence < 1<<32 {
			given[record.Table(t.Name)] = t.Sequence
		}
	}
	err = c.finishCopy(to, given, []byte(fmt.Sprintf("%d lost", len(s.Lost))))
	s.Records = c.n
	return s, err
}

// queueIfBelievable takes a record on if its bytes can be believed.
func (c *fileCopy) queueIfBelievable(r page.SalvagedRecord, bare bool, note func(error)) bool {
	t := record.Table(r.Table)
	if !isKnownTable(t) || !r.Sound {
		if of, ok := record.TableOf(r.Key, r.Value); ok {
			t, bare = of, false
		} else if !isKnownTable(t) || !r.Sound {
			return false
		}
	}
	if t == record.TableMeta {
		return true // it is made anew
	}
	body, _, err := record.Unseal(t, r.Key, r.Value, bare)
	if err != nil {
		note(err)
		return r.Sound
	}
	if t == record.TableSums { // they are made anew, and say what is missing
		if _, there := c.sums[string(r.Key)]; !there { // of two, the second is of an earlier commit
			if sum, err := record.ReadSum(r.Key, body); err == nil {
				c.sums[string(r.Key)] = sum
			}
		}
		return true
	}
	c.queueRecord(t, r.Key, body)
	return true
}

// hasAllGroups reports whether all groups are those that were written last.
func (c *fileCopy) hasAllGroups() bool {
	all := len(c.sums) > 0
	c.reportLostGroups(func(error) { all = false })
	return all && c.err == nil
}

// reportLostGroups tells how the groups that were saved differ from what was written.
func (c *fileCopy) reportLostGroups(note func(error)) {
	c.commitBatch()
	if c.err != nil || !c.to.sealed {
		return
	}
	c.err = c.to.View(func(tx *Tx) error {
		for _, key := range slices.Sorted(maps.Keys(c.sums)) {
			name, group, _ := record.CutName([]byte(key))
			var have record.Sum
			if raw := tx.Table(record.TableSums).Get([]byte(key)); raw != nil {
				have, _ = record.ReadSum([]byte(key), raw)
			}
			if want := c.sums[key]; have != want {
				note(newMissingError(record.Table(name), string(group), have, want))
			}
		}
		return nil
	})
}

func isKnownTable(t record.Table) bool { return slices.Contains(record.Tables(), t) }
