package store

import (
	"bytes"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"concord/annotate"
	"concord/annotate/chain"
	"concord/store/record"
)

// forger changes a project's file as somebody can who knows how it is written:
// all checksums and sums are right afterwards.
type forger struct {
	t  *testing.T
	tx *bbolt.Tx
}

func forge(t *testing.T, path string, fn func(*forger)) {
	t.Helper()
	db := got[*bbolt.DB](t)(bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second}))
	must(t, db.Update(func(tx *bbolt.Tx) error {
		f := &forger{t, tx}
		fn(f)
		for _, name := range record.Tables() {
			f.sum(name)
		}
		return nil
	}))
	must(t, db.Close())
}

func (f *forger) get(t record.Table, key []byte) []byte {
	body, _, err := record.Unseal(t, key, f.tx.Bucket([]byte(t)).Get(key), false)
	must(f.t, err)
	return bytes.Clone(body)
}

func (f *forger) put(t record.Table, key, body []byte) {
	value, _ := record.Seal(t, key, body)
	must(f.t, f.tx.Bucket([]byte(t)).Put(key, value))
}

func (f *forger) drop(t record.Table, key []byte) {
	if f.tx.Bucket([]byte(t)).Get(key) == nil {
		f.t.Fatalf("no %s", record.DescribeRecord(t, key))
	}
	must(f.t, f.tx.Bucket([]byte(t)).Delete(key))
}

// sum makes the sums of a table anew.
func (f *forger) sum(t record.Table) {
	if t == record.TableMeta || t == record.TableSums {
		return
	}
	sums := make(map[string]*record.Sum)
	must(f.t, f.tx.Bucket([]byte(t)).ForEach(func(k, v []byte) error {
		_, sum, err := record.Unseal(t, k, v, false)
		group := string(record.GroupKey(t, k))
		if sums[group] == nil {
			sums[group] = new(record.Sum)
		}
		sums[group].AddChecksum(sum, 1)
		return err
	}))
	b := f.tx.Bucket([]byte(record.TableSums))
	prefix := record.SumKey(t, nil)
	var old [][]byte
	must(f.t, b.ForEach(func(k, _ []byte) error {
		if bytes.HasPrefix(k, prefix) {
			old = append(old, bytes.Clone(k))
		}
		return nil
	}))
	for _, k := range old {
		must(f.t, b.Delete(k))
	}
	for group, sum := range sums {
		f.put(record.TableSums, record.SumKey(t, []byte(group)), sum.Encode())
	}
}

// change rewrites an act with its link.
func (f *forger) change(key []byte, fn func(*annotate.Act, *chain.Link)) {
	codec := got[record.Codec](f.t)(record.NewCodec())
	r, body := record.NewBound(record.TableActs), f.get(record.TableActs, key)
	must(f.t, codec.Decode(record.TableActs, key, body, r.Record))
	link, act := r.Link(), got[annotate.Act](f.t)(record.Acts.Read(codec, key, body))
	fn(&act, &link)
	r = record.Acts.ToBound(&act)
	r.SetLink(link)
	f.put(record.TableActs, key, got[[]byte](f.t)(codec.Encode(r.Record)))
}

func (f *forger) swap(t record.Table, a, b []byte) {
	x, y := f.get(t, a), f.get(t, b)
	f.put(t, a, y)
	f.put(t, b, x)
}
