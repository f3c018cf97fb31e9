package annotate

import (
	"concord/eval"
)

func keyOf(i int) ItemKey { return NewItemKey(eval.Key{Run: 1, Sample: eval.Ordinal(i)}) }

func pick(c eval.Choice) Reading { return Reading{Kind: PickedOption, Choice: c} }

func scored(n int) Reading { return Reading{Kind: Scored, Score: n} }

var onPair = ItemKey{Key: eval.Key{Run: 1, Sample: 7}, Against: 2}

func vote(n uint32, v eval.Vote, swapped bool) Act {
	return Act{
		Queue: "q", Annotator: "ann", N: n, Item: onPair, Kind: Labelled,
		Reading: Reading{Kind: Voted, Vote: v, Swapped: swapped, Criteria: "c"},
	}
}
