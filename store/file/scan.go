package file

import (
	"bytes"
	"context"
	"iter"
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

// Scan yields what stands under prefix in t, from the key from on (from the
// beginning when it is nil), in the order of keys. What is damaged yields its
// error, and the scan goes on behind it; any other error ends it. At its end
// the records are compared with the sums of their groups: fewer of them than
// were written are an error, too.
func (f *File) Scan(ctx context.Context, t record.Table, prefix, from []byte) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		c := chunk{table: t, prefix: prefix, seek: from, more: true}
		if from == nil {
			c.seek = prefix
		}
		census, err := f.census(t, prefix, from)
		if err != nil && !yield(Pair{}, err) {
			return
		}
		for c.more {
			if ctx.Err() != nil {
				yield(Pair{}, context.Cause(ctx))
				return
			}
			if err := f.view(scanAhead, func(tx *Tx) error {
				tx.reader.Reuse(&c.block)
				c.fill(tx.Table(t))
				return nil
			}); err != nil {
				yield(Pair{}, err)
				return
			}
			for i := range c.rows {
				p, err := c.pair(i)
				census.take(p, err)
				if !yield(p, err) {
					return
				}
			}
		}
		for _, err := range f.compare(census) {
			if !yield(Pair{}, err) {
				return
			}
		}
	}
}

// chunk is what one transaction copied out, in one buffer that is used again.
type chunk struct {
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

func (c *chunk) fill(t *Table) {
	c.buf, c.rows, c.more = c.buf[:0], c.rows[:0], false
	start := time.Now() // bounds a transaction; no fact depends on it
	for p, err := range t.up(c.prefix, c.seek) {
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

func (c *chunk) pair(i int) (Pair, error) {
	start := 0
	if i > 0 {
		start = c.rows[i-1].end
	}
	r := &c.rows[i]
	return Pair{Key: c.buf[start:r.key:r.key], Value: c.buf[r.key:r.end:r.end], sum: r.sum}, r.err
}

// census compares the records that a scan saw with the sums of their groups.
type census struct {
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

// census gives the sums of the groups that a scan will see from beginning to
// end; nil when there is none.
func (f *File) census(t record.Table, prefix, from []byte) (*census, error) {
	if !f.sealed || t == record.TableMeta || t == record.TableSums {
		return nil, nil
	}
	if bytes.HasPrefix(from, prefix) && len(bytes.Trim(from[len(prefix):], "\x00")) == 0 {
		from = nil // no key under the prefix comes before it
	}
	c := &census{table: t, prefix: prefix, all: from == nil, want: make(map[string]record.Sum), have: make(map[string]*record.Sum)}
	at := record.SumKey(t, nil)
	err := f.View(func(tx *Tx) error {
		for p, err := range tx.Table(record.TableSums).Prefix(record.SumKey(t, prefix)) {
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

// take counts what a scan saw.
func (c *census) take(p Pair, err error) {
	switch {
	case c == nil:
		return
	case err != nil:
		c.incomplete = true
		return
	}
	group := record.Group(c.table, p.Key)
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
	c.sum.Add(p.sum, 1)
}

// Records yields the records of a scan. One that cannot be read yields its
// error, and the scan goes on behind it.
func Records[T any](pairs iter.Seq2[Pair, error], read func(key, value []byte) (T, error)) iter.Seq2[T, error] {
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
