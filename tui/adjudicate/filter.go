package adjudicate

import (
	"slices"

	"concord/annotate"
	"concord/annotate/report/alignment"
)

// filter is which items are listed. The zero value lists all on which somebody
// differs.
type filter struct {
	between         alignment.Between
	unsettled       bool
	adjudicating    bool // with some on which nobody differs, without those that people agree on
	kind            annotate.Alignment
	cause           annotate.Cause
	level, model    string // a taxonomy path as eval.Path writes it
	annotator       annotate.Annotator
	unsure          float64
	cell            bool // of the matrix
	people, machine string
}

// turned is the value behind the present one; behind the last comes none.
func turned[T comparable](all []T, now T) T {
	var none T
	if i := slices.Index(all, now); i+1 < len(all) {
		return all[i+1]
	}
	return none
}

// steps of the filter on how sure people were.
var unsure = []float64{0.3, 0.6, 1}
