package file

import (
	"bytes"
	"fmt"
	"slices"

	"concord/store/page"
	"concord/store/record"

	"go.etcd.io/bbolt"
)

// Tx is a transaction: the project as of one commit, and what is being changed in it. Damage ends it:
// no method goes on with what cannot be trusted, and View and Do give the *record.DamageError.
type Tx struct {
	f       *File
	bolt    *bbolt.Tx
	reader  *page.Reader
	root    page.Tree
	tables  map[record.Table]*Table
	changes map[record.Table]map[string]*record.Sum // of groups
	held    map[any]any
	writes  []func() error // of what is held
}

// newTx makes a transaction of one of bbolt; ahead is how many pages are read at once.
func (f *File) newTx(tx *bbolt.Tx, ahead int) *Tx {
	r := page.NewReader(f.src, page.Meta{PageSize: f.page, Root: uint64(tx.Cursor().Bucket().Root()), Pages: uint64(tx.Size()) / uint64(f.page)}, ahead)
	return &Tx{f: f, bolt: tx, reader: r, root: r.Root(), tables: make(map[record.Table]*Table), held: make(map[any]any)}
}

// WriteAtEnd keeps what a transaction changes more than once until its end, which writes it.
func (tx *Tx) WriteAtEnd(key, value any, write func() error) {
	tx.held[key], tx.writes = value, append(tx.writes, write)
}

// HeldValue gives what is held under key; nil for nothing.
func (tx *Tx) HeldValue(key any) any { return tx.held[key] }

func (tx *Tx) writeHeld() error {
	for ; len(tx.writes) > 0; tx.writes = tx.writes[1:] {
		if err := tx.writes[0](); err != nil {
			return err
		}
	}
	return nil
}

// Table is a table in a transaction.
type Table struct {
	FillPercent float64 // of pages that are written; 0 is bbolt's own

	tx     *Tx
	name   record.Table
	tree   page.Tree // as committed
	exists bool
	bucket *bbolt.Bucket // when writing
	sound  checkedRange  // where the committed pages were looked at
	absent []byte        // the key that was looked for last and not found, when writing
}

// Table gives a table. One that the project's schema does not have is empty.
func (tx *Tx) Table(name record.Table) *Table {
	if t := tx.tables[name]; t != nil {
		return t
	}
	t := &Table{tx: tx, name: name}
	var err *page.Error
	if t.tree, t.exists, err = tx.root.Table([]byte(name)); err != nil {
		tx.raiseDamage(newPageDamage(name, err))
	}
	if tx.bolt.Writable() {
		if t.bucket = tx.bolt.Bucket([]byte(name)); t.bucket == nil {
			panic(&record.DamageError{Table: name, Why: "the project has no such table"})
		}
	}
	tx.tables[name] = t
	return t
}

// raiseDamage ends a transaction with damage, unless it is told and left out.
func (tx *Tx) raiseDamage(err error) {
	if tx.f.damaged != nil && !tx.bolt.Writable() {
		tx.f.damaged(err)
		return
	}
	panic(err)
}

func newPageDamage(t record.Table, err *page.Error) error {
	where := fmt.Sprintf("page %d", err.Page)
	switch {
	case t == record.TableMeta || t == record.TableSums || err.Low == nil && err.High == nil:
	case err.Low == nil:
		where += " (up to " + record.DescribeRecord(t, err.High) + ")"
	default:
		where += " (from " + record.DescribeRecord(t, err.Low) + " on)"
	}
	return &record.DamageError{Table: t, Where: where, Why: err.Why}
}

func (t *Table) openEnvelope(key, value []byte) ([]byte, uint32, error) {
	if t.name == record.TableMeta {
		return value, record.ComputeChecksum(t.name, key, value), nil
	}
	return record.Unseal(t.name, key, value, t.tx.f.bare)
}

// Get gives the value of key, valid as long as the transaction; nil when there is none.
func (t *Table) Get(key []byte) []byte {
	if t.bucket != nil {
		value := t.bucket.Get(key)
		if value == nil {
			t.checkPagesAt(key)
			t.absent = append(t.absent[:0], key...)
			return nil
		}
		return t.readBody(key, value)
	}
	if !t.exists {
		return nil
	}
	leaf, i, found, err := t.tree.Find(key)
	switch {
	case err != nil:
		t.tx.raiseDamage(newPageDamage(t.name, err))
		return nil
	case found:
		return t.readBody(key, leaf.Value(i))
	}
	t.requireWholeLeaf(&leaf)
	return nil
}

func (t *Table) readBody(key, value []byte) []byte {
	body, _, err := t.openEnvelope(key, value)
	if err != nil {
		t.tx.raiseDamage(err)
		return nil
	}
	if body == nil {
		body = []byte{}
	}
	return body
}

// requireWholeLeaf ends the transaction unless every record of a leaf is whole: without,
// a record that is not found may be one that has another key by now.
func (t *Table) requireWholeLeaf(leaf *page.Page) {
	for i := range leaf.Len {
		if _, _, err := t.openEnvelope(leaf.Key(i), leaf.Value(i)); err != nil {
			t.tx.raiseDamage(err)
			return
		}
	}
}

// checkedRange are keys between which committed pages were looked at.
type checkedRange struct {
	known       bool
	first, last []byte
	below, end  bool // nothing is before first, behind last
}

func (b *checkedRange) covers(key []byte) bool {
	return b.known && (b.below || bytes.Compare(b.first, key) <= 0) && (b.end || bytes.Compare(key, b.last) <= 0)
}

// checkPagesAt looks at the committed pages that a write is about to change, or that
// would hold a key that is not there.
func (t *Table) checkPagesAt(key []byte) {
	if !t.exists || t.sound.covers(key) {
		return
	}
	leaf, i, _, err := t.tree.Find(key)
	if err != nil {
		panic(newPageDamage(t.name, err))
	}
	t.requireWholeLeaf(&leaf)
	if t.sound = (checkedRange{}); leaf.Len > 0 {
		t.sound = checkedRange{known: true, first: leaf.Key(0), last: leaf.Key(leaf.Len - 1)}
		if i == leaf.Len && t.isBehindLastKey(leaf.Key(leaf.Len-1)) {
			t.sound.end = true
		}
	}
}

// isBehindLastKey reports whether nothing is committed behind a key.
func (t *Table) isBehindLastKey(key []byte) bool {
	last := false
	t.tree.Descend(nil, func(l page.Leaf, err *page.Error) bool {
		last = err == nil && l.Len > 0 && bytes.Equal(l.Key(l.Len-1), key)
		return false
	})
	return last
}

// Put writes a record.
func (t *Table) Put(key, value []byte) error {
	t.checkPagesAt(key)
	sealed := t.tx.f.sealed && t.name != record.TableMeta
	if sealed {
		if !bytes.Equal(t.absent, key) {
			t.subtractFromSum(key)
		}
		t.absent = t.absent[:0]
		var sum uint32
		value, sum = record.Seal(t.name, key, value)
		t.addToSum(key, sum, 1)
	}
	if t.FillPercent > 0 {
		t.bucket.FillPercent = t.FillPercent
	}
	return t.bucket.Put(key, value)
}

// Delete removes a record, if it is there.
func (t *Table) Delete(key []byte) error {
	t.checkPagesAt(key)
	if t.tx.f.sealed && t.name != record.TableMeta {
		t.subtractFromSum(key)
	}
	return t.bucket.Delete(key)
}

// subtractFromSum takes the record under key, if there is one, out of its group's sum.
func (t *Table) subtractFromSum(key []byte) {
	old := t.bucket.Get(key)
	if old == nil {
		return
	}
	_, sum, err := t.openEnvelope(key, old)
	if err != nil {
		panic(err)
	}
	t.addToSum(key, sum, -1)
}

func (t *Table) addToSum(key []byte, sum uint32, n int) {
	if t.name == record.TableSums {
		return
	}
	if t.tx.changes == nil {
		t.tx.changes = make(map[record.Table]map[string]*record.Sum)
	}
	groups := t.tx.changes[t.name]
	if groups == nil {
		groups = make(map[string]*record.Sum)
		t.tx.changes[t.name] = groups
	}
	group := record.GroupKey(t.name, key)
	s := groups[string(group)]
	if s == nil {
		s = new(record.Sum)
		groups[string(group)] = s
	}
	s.AddChecksum(sum, n)
}

// writeSums writes what is held, and the sums of the groups that a transaction has changed.
func (tx *Tx) writeSums() error {
	if err := tx.writeHeld(); err != nil || len(tx.changes) == 0 {
		return err
	}
	sums := tx.Table(record.TableSums)
	for _, name := range record.Tables() {
		for group, delta := range tx.changes[name] {
			key := record.SumKey(name, []byte(group))
			var have record.Sum
			if raw := sums.Get(key); raw != nil {
				var err error
				if have, err = record.ReadSum(key, raw); err != nil {
					return err
				}
			}
			have.Records += delta.Records
			have.Digest += delta.Digest
			var err error
			switch {
			case have.Records < 0 || have.Records == 0 && have.Digest != 0:
				err = record.NewCorruptError(record.TableSums, key, "more records were taken out than there were")
			case have.Records == 0:
				err = sums.Delete(key)
			default:
				err = sums.Put(key, have.Encode())
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// NextNumber gives the number of a new record of a table that counts its records and never loses one.
func (t *Table) NextNumber() (uint64, error) {
	last := uint64(0)
	for p, err := range t.ScanDown(nil, nil) {
		if err != nil {
			return 0, err
		}
		last, _ = record.DecodeNumber(p.Key)
		break
	}
	if n := t.bucket.Sequence(); n < last || n > last && t.tx.Table(record.TableMeta).Get([]byte(MetaRepaired)) == nil {
		return 0, &record.DamageError{Table: t.name, Why: fmt.Sprintf("its last record is number %d, and %d were given out", last, n)}
	}
	return t.bucket.NextSequence()
}

// CreateTables makes tables that a project does not have yet.
func (tx *Tx) CreateTables(all ...record.Table) error {
	for _, t := range all {
		if _, err := tx.bolt.CreateBucketIfNotExists([]byte(t)); err != nil {
			return err
		}
		delete(tx.tables, t)
	}
	return nil
}

// ClearTable removes all records of a table.
func (tx *Tx) ClearTable(t record.Table) error {
	var keys [][]byte
	for p, err := range tx.Table(t).ScanPrefix(nil) {
		if err != nil {
			return err
		}
		keys = append(keys, slices.Clone(p.Key))
	}
	return tx.Table(t).deleteAll(keys)
}

func (t *Table) deleteAll(keys [][]byte) error {
	for _, k := range keys {
		if err := t.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

// SumUpGroups sums up all groups of a project that has no sums yet. A table of a later
// schema is not there; one that was lost is found once all steps are taken.
func (tx *Tx) SumUpGroups() error {
	for _, name := range record.Tables() {
		if name == record.TableMeta || name == record.TableSums || tx.bolt.Bucket([]byte(name)) == nil {
			continue
		}
		t := tx.Table(name)
		for p, err := range t.ScanPrefix(nil) {
			if err != nil {
				return err
			}
			t.addToSum(p.Key, p.sum, 1)
		}
	}
	return nil
}

// CountInGroup counts how many records a group of a transaction that sums up has.
func (tx *Tx) CountInGroup(t record.Table, group []byte) int {
	if s := tx.changes[t][string(group)]; s != nil {
		return s.Records
	}
	return 0
}
