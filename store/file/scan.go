package file

import (
	"bytes"
	"context"
	"iter"
	"time"

	"concord/store/record"

	"go.etcd.io/bbolt"
)

// A chunk ends at whichever comes first, so that no read transaction is open
// for more than a few milliseconds, even on a file that is not in memory.
const (
	ChunkRecords = 256
	chunkBytes   = 1 << 20
	chunkTime    = 2 * time.Millisecond
)

// Pair is a key and its value, valid until the next one is asked for.
type Pair struct{ Key, Value []byte }

// Scan yields what stands under prefix in t, from the key from on (from the
// beginning when it is nil), in the order of keys. Its errors end it.
func (f *File) Scan(ctx context.Context, t record.Table, prefix, from []byte) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		c := chunk{prefix: prefix, seek: from, more: true}
		if from == nil {
			c.seek = prefix
		}
		for c.more {
			if ctx.Err() != nil {
				yield(Pair{}, context.Cause(ctx))
				return
			}
			if err := f.View(func(tx *bbolt.Tx) error { c.fill(tx.Bucket([]byte(t))); return nil }); err != nil {
				yield(Pair{}, err)
				return
			}
			for i := range c.ends {
				if !yield(c.pair(i), nil) {
					return
				}
			}
		}
	}
}

// chunk is what one transaction copied out, in one buffer that is used again.
type chunk struct {
	prefix, seek []byte
	more         bool
	buf          []byte
	ends         [][2]int // ends of key and value in buf
}

func (c *chunk) fill(b *bbolt.Bucket) {
	c.buf, c.ends, c.more = c.buf[:0], c.ends[:0], false
	start := time.Now() // bounds a transaction; no fact depends on it
	cursor := b.Cursor()
	for k, v := cursor.Seek(c.seek); k != nil && bytes.HasPrefix(k, c.prefix); k, v = cursor.Next() {
		full := len(c.ends) == ChunkRecords || len(c.buf)+len(v) > chunkBytes || time.Since(start) > chunkTime
		if full && len(c.ends) > 0 {
			c.seek, c.more = Clone(k), true
			return
		}
		c.buf = append(c.buf, k...)
		key := len(c.buf)
		c.buf = append(c.buf, v...)
		c.ends = append(c.ends, [2]int{key, len(c.buf)})
	}
}

func (c *chunk) pair(i int) Pair {
	start := 0
	if i > 0 {
		start = c.ends[i-1][1]
	}
	key, end := c.ends[i][0], c.ends[i][1]
	return Pair{Key: c.buf[start:key:key], Value: c.buf[key:end:end]}
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
