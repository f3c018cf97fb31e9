package annotate

import (
	"time"

	"concord/eval"
)

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func keyOf(i int) ItemKey { return ItemOf(eval.Key{Run: 1, Sample: eval.Ordinal(i)}) }

func itemsOf(from, to int) []QueueItem {
	var out []QueueItem
	for i := from; i < to; i++ {
		out = append(out, QueueItem{Index: i, Key: keyOf(i)})
	}
	return out
}

func pick(c eval.Choice) Reading { return Reading{Verdict: PickedOption, Choice: c} }

func scored(n int) Reading { return Reading{Verdict: Scored, Score: n} }

var onPair = ItemKey{Key: eval.Key{Run: 1, Sample: 7}, Against: 2}

func vote(n uint32, v eval.Vote, swapped bool) Act {
	return Act{
		Queue: "q", Annotator: "ann", N: n, Item: onPair, Kind: Labelled,
		Reading: Reading{Verdict: Voted, Vote: v, Swapped: swapped, Criteria: "c"},
	}
}
