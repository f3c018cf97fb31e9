package audit

import (
	"concord/annotate"
	"concord/eval"
)

// OfDisclosure tells what a person was first shown, of what, and where.
func OfDisclosure(d *annotate.Disclosure) Event {
	e := Event{At: d.At, Who: d.Person, Kind: Shown, Dataset: d.Dataset, Item: annotate.ItemOf(d.Key), Sampled: true, What: "shown " + d.Content.String() + ": " + d.Screen}
	if d.Key.Sample == annotate.EverySample {
		e.Sampled, e.Item = false, annotate.ItemOf(eval.Key{Run: d.Key.Run})
	}
	return e
}
