package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"concord/eval"
	"concord/store/file"
	"concord/store/heads"
	"concord/store/record"
)

// records are the values of one kind in the project.
type records[T any] struct {
	s    *Store
	kind *record.Kind[T]
}

func (r records[T]) read(key, raw []byte) (T, error) { return r.kind.Read(r.s.codec, key, raw) }

// scan yields those under a prefix. One that cannot be read yields an error that
// names it, and the scan goes on.
func (r records[T]) scan(ctx context.Context, prefix []byte) iter.Seq2[T, error] {
	return file.Records(r.s.file.Scan(ctx, r.kind.Table, prefix, nil), r.read)
}

// list gives those under a prefix. With an error come those that can be read.
func (r records[T]) list(prefix []byte) ([]T, error) {
	return file.Collect(r.scan(context.Background(), prefix))
}

// under yields those under a prefix within a transaction.
func (r records[T]) under(tx *file.Tx, prefix []byte) iter.Seq2[T, error] {
	return file.Records(tx.Table(r.kind.Table).Prefix(prefix), r.read)
}

// at reads one within a transaction; eval.ErrNotFound where there is none.
func (r records[T]) at(tx *file.Tx, key []byte) (one T, err error) {
	raw := tx.Table(r.kind.Table).Get(key)
	if raw == nil {
		return one, fmt.Errorf("%s: %w", record.About(r.kind.Table, key), eval.ErrNotFound)
	}
	return r.read(key, raw)
}

// one reads one in a transaction of its own.
func (r records[T]) one(key []byte) (T, error) {
	return view(r.s, func(tx *file.Tx) (T, error) { return r.at(tx, key) })
}

// view reads in one transaction.
func view[T any](s *Store, read func(*file.Tx) (T, error)) (one T, err error) {
	verr := s.file.View(func(tx *file.Tx) error { one, err = read(tx); return nil })
	return one, errors.Join(verr, err)
}

// has refuses a key under which there is nothing that can be read.
func (r records[T]) has(tx *file.Tx, key []byte) error { _, err := r.at(tx, key); return err }

// named reads one by its name within a transaction.
func (r records[T]) named(tx *file.Tx, name string) (one T, err error) {
	if one, err = r.at(tx, []byte(name)); errors.Is(err, eval.ErrNotFound) {
		err = eval.Unknown(record.About(r.kind.Table, nil), name, keys(tx.Table(r.kind.Table)))
	}
	return one, err
}

// put writes a value under the key that it has.
func (r records[T]) put(tx *file.Tx, one *T) error { return r.putAt(tx, r.kind.Key(one), one) }

func (r records[T]) putAt(tx *file.Tx, key []byte, one *T) error {
	raw, err := r.kind.Encode(r.s.codec, one)
	if err != nil {
		return err
	}
	return tx.Table(r.kind.Table).Put(key, raw)
}

// number writes an encoded value under the next number of its table, from 1.
func (r records[T]) number(ctx context.Context, raw []byte, may func(*file.Tx) error) (n uint64, err error) {
	err = r.s.file.Do(ctx, len(raw), func(tx *file.Tx) error {
		if err := may(tx); err != nil {
			return err
		}
		b := tx.Table(r.kind.Table)
		if n, err = b.Next(); err != nil {
			return err
		}
		return b.Put(record.U64(n), raw)
	})
	return n, err
}

// encode gives the records of values, and about how many bytes their transaction
// takes.
func (r records[T]) encode(all []T) (values [][]byte, size int, err error) {
	values = make([][]byte, len(all))
	for i := range all {
		if values[i], err = r.kind.Encode(r.s.codec, &all[i]); err != nil {
			return nil, 0, err
		}
		size += 2*len(values[i]) + 256
	}
	return values, size, nil
}

// revising is how values stand behind earlier ones of the same key, as their
// newest revision.
type revising[T any] struct {
	records[T]
	key      func(*T) []byte                              // less the number of the revision
	begin    func()                                       // of a transaction, which may be tried again
	may      func(tx *file.Tx, one *T) error              // refuses what nothing is there for, before anything is written
	needless func(earlier []T, one *T) bool               // whether the earlier ones, the oldest first, make it needless
	added    func(tx *file.Tx, one *T, earlier []T) error // counts one that was added
	end      func(tx *file.Tx) error                      // of the transaction
}

// all adds values, and says in an error what was to be done.
func (r *revising[T]) all(ctx context.Context, what string, all []T) (added int, err error) {
	if added, err = r.add(ctx, all); err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	return added, nil
}

// add commits values in one transaction, all or none, and counts those that were
// added. Nothing has been written when the first is refused.
func (r *revising[T]) add(ctx context.Context, all []T) (added int, err error) {
	values, size, err := r.encode(all)
	if err != nil {
		return 0, err
	}
	err = r.s.file.Do(ctx, size, func(tx *file.Tx) error {
		if added = 0; r.begin != nil {
			r.begin()
		}
		for i := range all {
			ok, err := r.revise(tx, &all[i], values[i])
			switch {
			case err != nil && i == 0:
				return file.Reject(err)
			case err != nil:
				return err
			case ok:
				added++
			}
		}
		if r.end == nil {
			return nil
		}
		return r.end(tx)
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

func (r *revising[T]) revise(tx *file.Tx, one *T, value []byte) (bool, error) {
	if r.may != nil {
		if err := r.may(tx, one); err != nil {
			return false, err
		}
	}
	prefix := r.key(one)
	var earlier []T
	for old, err := range r.under(tx, prefix) {
		if err != nil {
			return false, err
		}
		earlier = append(earlier, old)
	}
	if r.needless != nil && r.needless(earlier, one) {
		return false, nil
	}
	if err := tx.Table(r.kind.Table).Put(record.AppendU32(prefix, uint32(len(earlier))), value); err != nil || r.added == nil {
		return true, err
	}
	return true, r.added(tx, one, earlier)
}

// standing is the newest of a judge's sayings that is one, or else its newest
// failed call; nil of none.
func standing[T any](all []T, says func(*T) bool) *T {
	for i := range slices.Backward(all) {
		if says(&all[i]) {
			return &all[i]
		}
	}
	return last(all)
}

// last is the newest; nil of none.
func last[T any](all []T) *T {
	if len(all) == 0 {
		return nil
	}
	return &all[len(all)-1]
}

// totals are those that a transaction has looked at, by their keys.
type totals[V any] struct {
	records[V]
	have map[string]*V
}

func (t *totals[V]) begin() { t.have = make(map[string]*V) }

// of gives the totals with the key of zero, which they are where there are none yet
// and open allows it.
func (t *totals[V]) of(tx *file.Tx, zero V, open func() error) (*V, error) {
	key := t.kind.Key(&zero)
	if v := t.have[string(key)]; v != nil {
		return v, nil
	}
	v, err := t.at(tx, key)
	if errors.Is(err, eval.ErrNotFound) {
		v, err = zero, open()
	}
	if err != nil {
		return nil, err
	}
	t.have[string(key)] = &v
	return &v, nil
}

func (t *totals[V]) end(tx *file.Tx) error {
	for _, v := range t.have {
		if err := t.put(tx, v); err != nil {
			return err
		}
	}
	return nil
}

// saying yields what judges said, without the calls that failed.
func saying[T any](all iter.Seq2[T, error], says func(*T) bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for one, err := range all {
			if (err != nil || says(&one)) && !yield(one, err) {
				return
			}
		}
	}
}

// bind writes an act as the last one of its person's chain.
func (r records[T]) bind(tx *file.Tx, key []byte, act *T) error {
	value, err := heads.By(r.s.codec).Bind(tx, r.kind.Table, key, r.kind.Bound(act))
	if err != nil {
		return err
	}
	return tx.Table(r.kind.Table).Put(key, value)
}

// unbound are the bytes of the act that stands under a key, as they would be
// without a chain; nil of none.
func (r records[T]) unbound(tx *file.Tx, key []byte) []byte {
	return heads.By(r.s.codec).Unbound(r.kind.Table, tx.Table(r.kind.Table).Get(key))
}

// append commits acts in their order, all or none; put has the bytes of one as it
// would be without a chain.
func (r records[T]) append(ctx context.Context, acts []T, begin func(), put func(tx *file.Tx, act *T, value []byte) error) error {
	values, size, err := r.encode(acts)
	if err != nil {
		return err
	}
	return r.s.file.Do(ctx, size, func(tx *file.Tx) error {
		if begin != nil {
			begin()
		}
		return r.each(tx, acts, values, put)
	})
}

func (r records[T]) each(tx *file.Tx, acts []T, values [][]byte, put func(tx *file.Tx, act *T, value []byte) error) error {
	for i := range acts {
		if err := put(tx, &acts[i], values[i]); err != nil {
			return fmt.Errorf("append %s: %w", record.About(r.kind.Table, r.kind.Key(&acts[i])), err)
		}
	}
	return nil
}

// put writes a record of its own.
func (s *Store) put(tx *file.Tx, t record.Table, key []byte, r any) error {
	raw, err := s.codec.Encode(r)
	if err != nil {
		return err
	}
	return tx.Table(t).Put(key, raw)
}
