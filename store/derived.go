package store

import (
	"context"
	"fmt"
	"iter"

	"concord/annotate"
	"concord/eval"
	"concord/store/column"
	"concord/store/record"
)

// The fields of records that are numbers of their own, in columns.
var (
	judgmentLayout = column.NewLayout[eval.Judgment]("Sample Pass At Latency Usage.Prompt Usage.Cached Usage.Completion Usage.Reasoning Confidence")
	actLayout      = column.NewLayout[annotate.Act]("N Item.Run Item.Sample Item.Pass Item.Against Target At Spent")
	itemLayout     = column.NewLayout[annotate.QueueItem]("Index Key.Run Key.Sample Key.Pass Key.Against")
)

// fewRecords is how many are read sooner than their columns.
const fewRecords = 1000

// scanColumns yields what scanUnder does, each record as strip leaves it, out of columns where there are
// many. Columns that are missing, or of other records than there are now, are made meanwhile and kept.
func scanColumns[T any](ctx context.Context, s *Store, k *record.Kind[T], prefix []byte, l *column.Layout, strip func(*T)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		records := scanUnder(ctx, s, k, prefix)
		if strip != nil {
			records = eval.MapSeq(records, func(one T) (T, error) { strip(&one); return one, nil })
		}
		sum, sealed, err := s.file.GroupSum(k.Table, prefix)
		if err != nil || !sealed || sum.Records < fewRecords {
			records(yield)
			return
		}
		what, version := fmt.Sprintf("records %s %q", k.Table, prefix), fmt.Sprint(sum)
		var have, fresh column.Records[T]
		if s.columns.Load(what, version, &have) && have.Holds(sum.Records, l) {
			have.All(ctx, l)(yield)
			return
		}
		key := func(one *T) ([]byte, error) { return s.codec.EncodeBare(one) }
		if !fresh.Add(l, records, key, yield) || ctx.Err() != nil {
			return
		}
		if now, _, err := s.file.GroupSum(k.Table, prefix); err == nil && now == sum {
			if err := s.columns.Save(what, version, &fresh); err != nil {
				s.log.Warn("keep columns", "table", k.Table, "err", err)
			}
		}
	}
}
