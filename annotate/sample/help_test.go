package sample

import (
	"concord/annotate"
	"concord/eval"
)

func keyOf(i int) annotate.ItemKey {
	return annotate.NewItemKey(eval.Key{Run: 1, Sample: eval.Ordinal(i)})
}

func pick(c eval.Choice) annotate.Reading {
	return annotate.Reading{Kind: annotate.PickedOption, Choice: c}
}
