package session

import (
	"time"

	"concord/annotate"
	"concord/eval"
)

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func keyOf(i int) annotate.ItemKey {
	return annotate.NewItemKey(eval.Key{Run: 1, Sample: eval.Ordinal(i)})
}

func itemsOf(from, to int) []annotate.QueueItem {
	var out []annotate.QueueItem
	for i := from; i < to; i++ {
		out = append(out, annotate.QueueItem{Index: i, Key: keyOf(i)})
	}
	return out
}

func pick(c eval.Choice) annotate.Reading {
	return annotate.Reading{Kind: annotate.PickedOption, Choice: c}
}

var onPair = annotate.ItemKey{Key: eval.Key{Run: 1, Sample: 7}, Against: 2}
