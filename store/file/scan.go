package file

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"concord/store/record"
)

// A chunk ends at whichever comes first, so that no read transaction is open
// for more than a few milliseconds, even on a file that is not in memory.
const (
	ChunkRecords = 256
	chunkBytes   = 1 << 20
	chunkTime    = 2 * time.Millisecond
	// scanAhead is how many pages a scan reads at once.
	scanAhead = 8
)

// Pair is a key and its value, valid until the next one is asked for.
type Pair struct {
	Key, Value []byte
	sum        uint32 // checksum of the record
}

// Scan yields what stands under prefix in t, from the key from on (from the beginning when it
// is nil), in the order of keys. What is damaged yields its error, and the scan goes on behind
// it; any other error ends it. At its end the records are compared with the sums of their
// groups: fewer of them than were written are an error, too.
func (f *File) Scan(ctx context.Context, t record.Table, prefix, from []byte) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		c := scanChunk{table: t, prefix: prefix, seek: from, more: true}
		if from == nil {
			c.seek = prefix
		}
		census, err := f.newGroupCensus(t, prefix, from)
		if err != nil && !yield(Pair{}, err) {
			return
		}
		for c.more {
			if ctx.Err() != nil {
				yield(Pair{}, context.Cause(ctx))
				return
			}
			if err := f.readView(scanAhead, func(tx *Tx) error {
				tx.reader.ReuseBuffer(&c.block)
				c.fillFrom(tx.Table(t))
				return nil
			}); err != nil {
				yield(Pair{}, err)
				return
			}
			for i := range c.rows {
				p, err := c.pairAt(i)
				census.countPair(p, err)
				if !yield(p, err) {
					return
				}
			}
		}
		for _, err := range f.findDamagedGroups(census) {
			if !yield(Pair{}, err) {
				return
			}
		}
	}
}

// scanChunk is what one transaction copied out, in one buffer that is used again.
type scanChunk struct {
	table        record.Table
	prefix, seek []byte
	more         bool
	buf, block   []byte // block is what pages are read to
	rows         []rowOf
}

// rowOf is where a record ends in the buffer, or the error in its place.
type rowOf struct {
	key, end int
	sum      uint32
	err      error
}

func (c *scanChunk) fillFrom(t *Table) {
	c.buf, c.rows, c.more = c.buf[:0], c.rows[:0], false
	start := time.Now() // bounds a transaction; no fact depends on it
	for p, err := range t.scanUp(c.prefix, c.seek) {
		full := len(c.rows) == ChunkRecords || len(c.buf)+len(p.Value) > chunkBytes || time.Since(start) > chunkTime
		if full && len(c.rows) > 0 && p.Key != nil {
			c.seek, c.more = Clone(p.Key), true
			return
		}
		c.buf = append(c.buf, p.Key...)
		key := len(c.buf)
		c.buf = append(c.buf, p.Value...)
		c.rows = append(c.rows, rowOf{key, len(c.buf), p.sum, err})
	}
}

func (c *scanChunk) pairAt(i int) (Pair, error) {
	start := 0
	if i > 0 {
		start = c.rows[i-1].end
	}
	r := &c.rows[i]
	return Pair{Key: c.buf[start:r.key:r.key], Value: c.buf[r.key:r.end:r.end], sum: r.sum}, r.err
}

// groupCensus compares the records that a scan saw with the sums of their groups.
type groupCensus struct {
	table      record.Table
	prefix     []byte
	all        bool // the scan began at the beginning
	want       map[string]record.Sum
	order      []string
	have       map[string]*record.Sum
	group      []byte // that of the last record, and its sum
	sum        *record.Sum
	incomplete bool // damage was told: the comparison would say it again
}

// newGroupCensus gives the sums of the groups that a scan will see from beginning to
// end; nil when there is none.
func (f *File) newGroupCensus(t record.Table, prefix, from []byte) (*groupCensus, error) {
	if !f.sealed || t == record.TableMeta || t == record.TableSums {
		return nil, nil
	}
	if bytes.HasPrefix(from, prefix) && len(bytes.Trim(from[len(prefix):], "\x00")) == 0 {
		from = nil // no key under the prefix comes before it
	}
	c := &groupCensus{table: t, prefix: prefix, all: from == nil, want: make(map[string]record.Sum), have: make(map[string]*record.Sum)}
	at := record.SumKey(t, nil)
	err := f.View(func(tx *Tx) error {
		for p, err := range tx.Table(record.TableSums).ScanPrefix(record.SumKey(t, prefix)) {
			if err != nil {
				return err
			}
			group := p.Key[len(at):]
			if from != nil && bytes.Compare(from, group) > 0 {
				continue // the scan begins within it, or behind it
			}
			sum, err := record.ReadSum(p.Key, p.Value)
			if err != nil {
				return err
			}
			c.want[string(group)] = sum
			c.order = append(c.order, string(group))
		}
		return nil
	})
	return c, err
}

// countPair counts what a scan saw.
func (c *groupCensus) countPair(p Pair, err error) {
	switch {
	case c == nil:
		return
	case err != nil:
		c.incomplete = true
		return
	}
	group := record.GroupKey(c.table, p.Key)
	if len(group) < len(c.prefix) {
		return // a part of a group
	}
	if c.sum == nil || !bytes.Equal(group, c.group) {
		c.group = append(c.group[:0], group...)
		if c.sum = c.have[string(group)]; c.sum == nil {
			c.sum = new(record.Sum)
			c.have[string(group)] = c.sum
		}
	}
	c.sum.AddChecksum(p.sum, 1)
}

// DecodeRecords yields the records of a scan. One that cannot be read yields its
// error, and the scan goes on behind it.
func DecodeRecords[T any](pairs iter.Seq2[Pair, error], read func(key, value []byte) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for p, err := range pairs {
			var v T
			if err == nil {
				v, err = read(p.Key, p.Value)
			}
			if !yield(v, err) {
				return
			}
		}
	}
}

// Collect gathers the records that can be read, and the first error.
func Collect[T any](seq iter.Seq2[T, error]) ([]T, error) {
	var all []T
	var first error
	for v, err := range seq {
		switch {
		case err == nil:
			all = append(all, v)
		case first == nil:
			first = err
		}
	}
	return all, first
}

// RemoveRecords is the most records that Remove deletes in one transaction.
const RemoveRecords = 10_000

// Remove deletes the records under prefix, in several transactions.
func (f *File) Remove(ctx context.Context, t record.Table, prefix []byte) error {
	for {
		var keys [][]byte
		for p, err := range f.Scan(ctx, t, prefix, nil) {
			if err != nil {
				return err
			}
			if keys = append(keys, Clone(p.Key)); len(keys) == RemoveRecords {
				break
			}
		}
		if len(keys) == 0 {
			return nil
		}
		if err := f.Apply(ctx, 0, func(tx *Tx) error { return tx.Table(t).deleteAll(keys) }); err != nil {
			return err
		}
	}
}

// findDamagedGroups gives what is wrong with the groups that a scan has seen: of those
// that were changed meanwhile only that records are missing.
func (f *File) findDamagedGroups(c *groupCensus) (all []error) {
	if c == nil || c.incomplete {
		return nil
	}
	for group := range c.have {
		if _, ok := c.want[group]; !ok && c.all {
			c.order = append(c.order, group) // written meanwhile, or its sum is gone
		}
	}
	for _, group := range c.order {
		want, have := c.want[group], cmp.Or(c.have[group], new(record.Sum))
		if *have == want {
			continue
		}
		now, err := readGroupSum(f, c.table, group)
		switch {
		case err != nil:
			all = append(all, err)
		case *have == now:
		case now == want, have.Records < min(want.Records, now.Records):
			if err := newMissingError(c.table, group, *have, want); f.damaged != nil {
				f.damaged(err)
			} else {
				all = append(all, err)
			}
		}
	}
	return all
}

func readGroupSum(f *File, t record.Table, group string) (sum record.Sum, err error) {
	key := record.SumKey(t, []byte(group))
	err = f.View(func(tx *Tx) error {
		raw := tx.Table(record.TableSums).Get(key)
		if raw == nil {
			return nil
		}
		var err error
		sum, err = record.ReadSum(key, raw)
		return err
	})
	return sum, err
}

// GroupSum gives how many records the groups under a prefix have, and a digest of them. It is false of a
// project of before there were sums, and of one of which damage is told.
func (f *File) GroupSum(t record.Table, prefix []byte) (sum record.Sum, sealed bool, err error) {
	if !f.sealed || f.damaged != nil {
		return sum, false, nil
	}
	err = f.View(func(tx *Tx) error {
		for p, err := range tx.Table(record.TableSums).ScanPrefix(record.SumKey(t, prefix)) {
			if err != nil {
				return err
			}
			one, err := record.ReadSum(p.Key, p.Value)
			if err != nil {
				return err
			}
			sum.Records, sum.Digest = sum.Records+one.Records, sum.Digest+one.Digest
		}
		return nil
	})
	return sum, true, err
}

// newMissingError says by how much the records of a group differ from what was written.
func newMissingError(t record.Table, group string, have, want record.Sum) error {
	what := string(t)
	if group != "" {
		if of := strings.SplitN(record.DescribeRecord(t, []byte(group)), " of ", 2); len(of) == 2 {
			what += " of " + of[1]
		}
	}
	why := fmt.Sprintf("%s: %d of %d are there", what, have.Records, want.Records)
	switch {
	case have.Records < want.Records:
		why += fmt.Sprintf(", %d are missing", want.Records-have.Records)
	case have.Records == want.Records:
		why = what + ": not all are those that were written last"
	default:
		why = fmt.Sprintf("%s: %d are there, and %d were written", what, have.Records, want.Records)
	}
	return &record.DamageError{Table: t, Why: why}
}
