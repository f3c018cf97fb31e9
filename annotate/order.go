package annotate

import "concord/eval"

// Order is the order in which a queue's items come. The zero value is unset,
// and comes by hash.
type Order uint8

// The orders.
const (
	OrderUnset     Order = iota
	ByHash               // at random, so that any beginning of the queue is a sample too
	ByDisagreement       // what extractors differ on most comes first, and by hash among equals
)

var orderNames = []string{"", "hash", "disagreement"}

// String returns the name that --order takes.
func (o Order) String() string { return eval.NameOf(orderNames, o) }

// ParseOrder reads what String writes.
func ParseOrder(s string) (Order, error) {
	return eval.ParseName[Order](orderNames, s, "order")
}

// Disagreement is how much extractors differ on one prediction, given the
// class that each reads in it: the share of pairs of extractors that read
// different classes, in [0, 1]. All that is not one option is one class, as in
// alignment rates. Fewer than two extractors do not differ.
func Disagreement(classes []eval.Choice) float64 {
	pairs, differ := 0, 0
	for i := range classes {
		for j := range i {
			pairs++
			if classes[i] != classes[j] {
				differ++
			}
		}
	}
	if pairs == 0 {
		return 0
	}
	return float64(differ) / float64(pairs)
}
