package blind

import (
	"concord/annotate"
	"concord/eval"
)

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

func vote(n uint32, v eval.Vote, swapped bool) annotate.Act {
	return annotate.Act{
		Queue: "q", Annotator: "ann", N: n, Item: onPair, Kind: annotate.Labelled,
		Reading: annotate.Reading{Kind: annotate.Voted, Vote: v, Swapped: swapped, Criteria: "c"},
	}
}
