package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"concord/annotate"
	"concord/eval"
	"concord/store/column"
	"concord/store/file"
	"concord/store/heads"
	"concord/store/record"
)

// What the project keeps of one kind is read and written by functions over the kind. They are no methods of
// a generic type, and no exported type has one in a field or in what a method gives: each package that sees
// such a type compiles all of its methods again, for every kind (4 s a package, for 22 packages).

func decodeRecord[T any](s *Store, k *record.Kind[T], key, raw []byte) (T, error) {
	return k.Read(s.codec, key, raw)
}

func makeDecoder[T any](s *Store, k *record.Kind[T]) func(key, raw []byte) (T, error) {
	return func(key, raw []byte) (T, error) { return decodeRecord(s, k, key, raw) }
}

// scanPrefix yields those under a prefix. One that cannot be read yields an error that
// names it, and the scan goes on.
func scanPrefix[T any](ctx context.Context, s *Store, k *record.Kind[T], prefix []byte) iter.Seq2[T, error] {
	return file.DecodeRecords(s.file.Scan(ctx, k.Table, prefix, nil), makeDecoder(s, k))
}

// The fields of records that are numbers of their own, in columns.
var (
	judgmentLayout = column.NewLayout[eval.Judgment]("Sample Pass At Latency Usage.Prompt Usage.Cached Usage.Completion Usage.Reasoning Confidence")
	actLayout      = column.NewLayout[annotate.Act]("N Item.Run Item.Sample Item.Pass Item.Against Target At Spent")
	itemLayout     = column.NewLayout[annotate.QueueItem]("Index Key.Run Key.Sample Key.Pass Key.Against")
)

// fewRecords is how many are read sooner than their columns.
const fewRecords = 1000

// scanColumns yields what scanPrefix does, each record as strip leaves it, out of columns where there are
// many. Columns that are missing, or of other records than there are now, are made meanwhile and kept.
func scanColumns[T any](ctx context.Context, s *Store, k *record.Kind[T], prefix []byte, l *column.Layout, strip func(*T)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		records := scanPrefix(ctx, s, k, prefix)
		if strip != nil {
			records = eval.MapSeq(records, func(one T) (T, error) { strip(&one); return one, nil })
		}
		sum, sealed, err := s.file.GroupSum(k.Table, prefix)
		if err != nil || !sealed || sum.Records < fewRecords {
			records(yield)
			return
		}
		what, version := fmt.Sprintf("records %s %q", k.Table, prefix), fmt.Sprint(sum, l)
		var have, fresh column.Records[T]
		if s.columns.LoadColumns(what, version, &have) && have.Holds(sum.Records, l) {
			have.All(ctx, l)(yield)
			return
		}
		key := func(one *T) ([]byte, error) { return s.codec.EncodeBare(one) }
		if !fresh.Add(l, records, key, yield) || ctx.Err() != nil {
			return
		}
		if now, _, err := s.file.GroupSum(k.Table, prefix); err == nil && now == sum {
			if err := s.columns.SaveColumns(what, version, &fresh); err != nil {
				s.log.Warn("keep columns", "table", k.Table, "err", err)
			}
		}
	}
}

// listPrefix gives those under a prefix. With an error come those that can be read.
func listPrefix[T any](s *Store, k *record.Kind[T], prefix []byte) ([]T, error) {
	return file.Collect(scanPrefix(context.Background(), s, k, prefix))
}

// eachUnderPrefix yields those under a prefix within a transaction.
func eachUnderPrefix[T any](s *Store, k *record.Kind[T], tx *file.Tx, prefix []byte) iter.Seq2[T, error] {
	return file.DecodeRecords(tx.Table(k.Table).ScanPrefix(prefix), makeDecoder(s, k))
}

// getRecord reads one within a transaction; eval.ErrNotFound where there is none.
func getRecord[T any](s *Store, k *record.Kind[T], tx *file.Tx, key []byte) (one T, err error) {
	raw := tx.Table(k.Table).Get(key)
	if raw == nil {
		return one, fmt.Errorf("%s: %w", record.DescribeRecord(k.Table, key), eval.ErrNotFound)
	}
	return decodeRecord(s, k, key, raw)
}

// readOne reads one in a transaction of its own.
func readOne[T any](s *Store, k *record.Kind[T], key []byte) (T, error) {
	return readInTx(s, func(tx *file.Tx) (T, error) { return getRecord(s, k, tx, key) })
}

func readInTx[T any](s *Store, read func(*file.Tx) (T, error)) (one T, err error) {
	verr := s.file.View(func(tx *file.Tx) error { one, err = read(tx); return nil })
	return one, errors.Join(verr, err)
}

// require refuses a key under which there is nothing that can be read.
func requireRecord[T any](s *Store, k *record.Kind[T], tx *file.Tx, key []byte) error {
	_, err := getRecord(s, k, tx, key)
	return err
}

// readByName reads one by its name within a transaction.
func readByName[T any](s *Store, k *record.Kind[T], tx *file.Tx, name string) (one T, err error) {
	if one, err = getRecord(s, k, tx, []byte(name)); errors.Is(err, eval.ErrNotFound) {
		err = eval.NewUnknownError(record.DescribeRecord(k.Table, nil), name, listReadableNames(tx.Table(k.Table)))
	}
	return one, err
}

// putValue writes a value under the key that it has.
func putValue[T any](s *Store, k *record.Kind[T], tx *file.Tx, one *T) error {
	return putUnderKey(s, k, tx, k.Key(one), one)
}

func putUnderKey[T any](s *Store, k *record.Kind[T], tx *file.Tx, key []byte, one *T) error {
	raw, err := k.Encode(s.codec, one)
	if err != nil {
		return err
	}
	return tx.Table(k.Table).Put(key, raw)
}

// putNumbered writes an encoded value under the next number of its table, from 1.
func putNumbered[T any](ctx context.Context, s *Store, k *record.Kind[T], raw []byte, may func(*file.Tx) error) (n uint64, err error) {
	err = s.file.Apply(ctx, len(raw), func(tx *file.Tx) error {
		if err := may(tx); err != nil {
			return err
		}
		b := tx.Table(k.Table)
		if n, err = b.NextNumber(); err != nil {
			return err
		}
		return b.Put(record.EncodeU64(n), raw)
	})
	return n, err
}

// encodeAll gives the records of values, and about how many bytes their transaction takes.
func encodeAll[T any](s *Store, k *record.Kind[T], all []T) (values [][]byte, size int, err error) {
	values = make([][]byte, len(all))
	for i := range all {
		if values[i], err = k.Encode(s.codec, &all[i]); err != nil {
			return nil, 0, err
		}
		size += 2*len(values[i]) + 256
	}
	return values, size, nil
}

// revisions is how values stand behind earlier ones of the same key, as their newest revision.
type revisions[T any] struct {
	s        *Store
	kind     *record.Kind[T]
	key      func(*T) []byte                              // less the number of the revision
	begin    func()                                       // of a transaction, which may be tried again
	may      func(tx *file.Tx, one *T) error              // refuses what nothing is there for, before anything is written
	needless func(earlier []T, one *T) bool               // whether the earlier ones, the oldest first, make it needless
	added    func(tx *file.Tx, one *T, earlier []T) error // counts one that was added
	end      func(tx *file.Tx) error                      // of the transaction
}

// addAll adds values, and says in an error what was to be done.
func (r *revisions[T]) addAll(ctx context.Context, what string, all []T) (added int, err error) {
	added, err = r.addInTx(ctx, all)
	return added, eval.WrapError(err, "%s", what)
}

// addInTx commits values in one transaction, all or none, and counts those that were
// added. Nothing has been written when the first is refused.
func (r *revisions[T]) addInTx(ctx context.Context, all []T) (added int, err error) {
	values, size, err := encodeAll(r.s, r.kind, all)
	if err != nil {
		return 0, err
	}
	err = r.s.file.Apply(ctx, size, func(tx *file.Tx) error {
		if added = 0; r.begin != nil {
			r.begin()
		}
		for i := range all {
			ok, err := r.putRevision(tx, &all[i], values[i])
			switch {
			case err != nil && i == 0:
				return file.NewRejection(err)
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
	return eval.Either(err != nil, 0, added), err
}

func (r *revisions[T]) putRevision(tx *file.Tx, one *T, value []byte) (bool, error) {
	if r.may != nil {
		if err := r.may(tx, one); err != nil {
			return false, err
		}
	}
	prefix := r.key(one)
	earlier, err := file.Collect(eachUnderPrefix(r.s, r.kind, tx, prefix))
	if err != nil {
		return false, err
	}
	if r.needless != nil && r.needless(earlier, one) {
		return false, nil
	}
	if err := tx.Table(r.kind.Table).Put(record.AppendU32(prefix, uint32(len(earlier))), value); err != nil || r.added == nil {
		return true, err
	}
	return true, r.added(tx, one, earlier)
}

// newestSaid is the newest of a judge's sayings that is one, or else its newest failed call; nil of none.
func newestSaid[T any](all []T, says func(*T) bool) *T {
	for i := range slices.Backward(all) {
		if says(&all[i]) {
			return &all[i]
		}
	}
	return newest(all)
}

// newest is the newest; nil of none.
func newest[T any](all []T) *T {
	if len(all) == 0 {
		return nil
	}
	return &all[len(all)-1]
}

// totalsCache are those that a transaction has looked at, by their keys.
type totalsCache[V any] struct {
	s    *Store
	kind *record.Kind[V]
	have map[string]*V
}

func (t *totalsCache[V]) reset() { t.have = make(map[string]*V) }

// totalsOf gives the totals with the key of zero, which they are where there are none yet
// and open allows it.
func (t *totalsCache[V]) totalsOf(tx *file.Tx, zero V, open func() error) (*V, error) {
	key := t.kind.Key(&zero)
	if v := t.have[string(key)]; v != nil {
		return v, nil
	}
	v, err := getRecord(t.s, t.kind, tx, key)
	if errors.Is(err, eval.ErrNotFound) {
		v, err = zero, open()
	}
	if err != nil {
		return nil, err
	}
	t.have[string(key)] = &v
	return &v, nil
}

func (t *totalsCache[V]) writeTotals(tx *file.Tx) error {
	for _, v := range t.have {
		if err := putValue(t.s, t.kind, tx, v); err != nil {
			return err
		}
	}
	return nil
}

// putChainedAct writes an act as the last one of its person's chain.
func putChainedAct[T any](s *Store, k *record.Kind[T], tx *file.Tx, key []byte, act *T) error {
	value, err := heads.NewKeeper(s.codec).BindAct(tx, k.Table, key, k.ToBound(act))
	if err != nil {
		return err
	}
	return tx.Table(k.Table).Put(key, value)
}

// unboundBytes are the bytes of the act that stands under a key, as they would be
// without a chain; nil of none.
func unboundBytes[T any](s *Store, k *record.Kind[T], tx *file.Tx, key []byte) []byte {
	return heads.NewKeeper(s.codec).UnboundBytes(k.Table, tx.Table(k.Table).Get(key))
}

// appendActs commits acts in their order, all or none; put has the bytes of one as it
// would be without a chain.
func appendActs[T any](ctx context.Context, s *Store, k *record.Kind[T], acts []T, begin func(), put func(tx *file.Tx, act *T, value []byte) error) error {
	values, size, err := encodeAll(s, k, acts)
	if err != nil {
		return err
	}
	return s.file.Apply(ctx, size, func(tx *file.Tx) error {
		if begin != nil {
			begin()
		}
		return appendEach(k, tx, acts, values, put)
	})
}

func appendEach[T any](k *record.Kind[T], tx *file.Tx, acts []T, values [][]byte, put func(tx *file.Tx, act *T, value []byte) error) error {
	for i := range acts {
		if err := put(tx, &acts[i], values[i]); err != nil {
			return fmt.Errorf("append %s: %w", record.DescribeRecord(k.Table, k.Key(&acts[i])), err)
		}
	}
	return nil
}
