package store

import (
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// put writes a record.
func (s *Store) put(tx *file.Tx, t record.Table, key []byte, r any) error {
	raw, err := s.codec.Encode(r)
	if err != nil {
		return err
	}
	return tx.Table(t).Put(key, raw)
}

// encoded are records as they are put, with the bytes that their transaction takes:
// each with so many more for its key.
func encoded[T any](all []T, encode func(*T) ([]byte, error), key func(*T) int) (values [][]byte, size int, err error) {
	values = make([][]byte, len(all))
	for i := range all {
		if values[i], err = encode(&all[i]); err != nil {
			return nil, 0, err
		}
		size += len(values[i]) + key(&all[i])
	}
	return values, size, nil
}

// revise puts a record behind those that stand under prefix, as its newest
// revision, unless the earlier ones, the oldest first, make it needless.
func revise[T any](tx *file.Tx, t record.Table, prefix, value []byte, read func(key, raw []byte) (T, error), needless func(earlier []T) bool) (bool, error) {
	var earlier []T
	rows := tx.Table(t)
	for p, err := range rows.Prefix(prefix) {
		if err != nil {
			return false, err
		}
		old, err := read(p.Key, p.Value)
		if err != nil {
			return false, err
		}
		earlier = append(earlier, old)
	}
	if needless(earlier) {
		return false, nil
	}
	return true, rows.Put(record.AppendU32(file.Clone(prefix), uint32(len(earlier))), value)
}

// standing is the newest of a judge's sayings that is one, or else its newest
// failed call; nil of none.
func standing[T any](all []T, says func(*T) bool) *T {
	for i := len(all) - 1; i >= 0; i-- {
		if says(&all[i]) {
			return &all[i]
		}
	}
	if len(all) == 0 {
		return nil
	}
	return &all[len(all)-1]
}

// putEach puts records in one transaction, all or none, and counts those that
// were added. Nothing has been written when the first is refused.
func putEach(n int, put func(i int) (bool, error)) (added int, err error) {
	for i := range n {
		ok, err := put(i)
		switch {
		case err != nil && i == 0:
			return 0, file.Reject(err)
		case err != nil:
			return 0, err
		case ok:
			added++
		}
	}
	return added, nil
}

// readOne reads a record by its name within a transaction, of a kind that errors name.
func readOne[T any](tx *file.Tx, t record.Table, kind, name string, read func(key, raw []byte) (T, error)) (none T, err error) {
	raw := tx.Table(t).Get([]byte(name))
	if raw == nil {
		return none, eval.Unknown(kind, name, keys(tx.Table(t)))
	}
	return read([]byte(name), raw)
}
