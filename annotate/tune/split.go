// Package tune aligns a judge with people before it is trusted. Prompts are
// candidates; each is looked at beside people's labels of a queue.
//
//	labels --Split--> development part --Beside--> figures of any candidate, as often as one likes
//	            \---> held-out part ----Beside--> a counted look, with an interval over all candidates looked at
//
// Its one invariant: a sample is in one part for good. Whoever labels it, and
// whenever, the hash of the sample says which.
package tune

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"concord/annotate"
	"concord/eval"
)

// Part is a part of a queue's labelled items. The zero value is unset.
type Part uint8

// The parts.
const (
	PartUnset   Part = iota
	Development      // candidates are chosen on it
	HeldOut          // the chosen one is measured on it
)

var partNames = []string{"", "development", "held-out"}

// String is the part's name in reports.
func (p Part) String() string { return eval.NameOf(partNames, p) }

// DefaultShare is the share of samples that is held out.
const DefaultShare = 0.5

// Split divides the samples of a queue.
type Split struct {
	Seed  uint64
	Share float64 // of samples that are held out, above 0 and below 1
}

// Validate names what a split must not be.
func (s Split) Validate() error {
	if !(s.Share > 0 && s.Share < 1) {
		return fmt.Errorf("a share of %g held out: want more than 0 and less than 1", s.Share)
	}
	return nil
}

// PartOf is the part of a unit of items: of a sample, or of the cluster of samples
// that depend on each other.
func (s Split) PartOf(unit uint64) Part {
	if rand.New(rand.NewPCG(s.Seed, unit)).Float64() < s.Share {
		return HeldOut
	}
	return Development
}

// CheckQueue says why a queue feeds neither part; nil when it may.
func CheckQueue(q *annotate.Queue) error {
	if q.Stratum == annotate.Priority {
		return fmt.Errorf("queue %s is of targeted sampling: its labels stand for its items alone, and feed neither part", q.Name)
	}
	if err := q.ForLabels(); err != nil {
		return errors.Join(errors.New("a judge that reads choices is tuned on labels of them"), err)
	}
	return nil
}

// ItemsOf are those of a part.
func (s Split) ItemsOf(all []annotate.AlignItem, p Part) []annotate.AlignItem {
	var out []annotate.AlignItem
	for i := range all {
		if s.PartOf(all[i].UnitNumber()) == p {
			out = append(out, all[i])
		}
	}
	return out
}
