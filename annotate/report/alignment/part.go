package alignment

import (
	"errors"
	"math/rand/v2"
	"strings"

	"concord/annotate"
	"concord/eval"
	"concord/eval/stat"
)

// Part is a part of a queue's samples. The zero value is all of them.
type Part uint8

// The parts: extractors are chosen on one half of the samples, and the chosen one is
// measured on the other.
const (
	PartUnset Part = iota
	Development
	HeldOut
)

var partNames = []string{"", "development", "held-out"}

// String is the part's name in reports.
func (p Part) String() string { return eval.NameOf(partNames, p) }

// ParsePart reads what String writes.
func ParsePart(s string) (Part, error) { return eval.ParseName[Part](partNames, s, "part") }

// suffix ends the policy under which figures of the part are saved.
func (p Part) suffix() string {
	if p == PartUnset {
		return ""
	}
	return ", " + p.String() + " part"
}

// IsHeldOut reports whether a unit of items is held out in a queue that was drawn with
// that seed, now and later: a sample, or the cluster of samples that depend on each
// other.
func IsHeldOut(seed, unit uint64) bool { return rand.New(rand.NewPCG(seed, unit)).Float64() < 0.5 }

// whySaved is why a report on the part is shown only as it is saved; nil: it is not.
func (p Part) whySaved() error {
	if p == HeldOut {
		return errors.New("a look at the held-out part is counted: add --save")
	}
	return nil
}

// RateAmong is the share of the items on which an extractor agrees with people, with
// an interval of a confidence level at which those of so many extractors hold together
// (Bonferroni's inequality), so that the best of them is covered too.
func RateAmong(items []annotate.AlignItem, b annotate.Basis, x *annotate.Extractor, sequence bool, among int) stat.Rate {
	sum := stat.Clusters{Sequence: sequence}
	for i := range items {
		if c := b.CompareItem(&items[i], x); c.LeftOut == "" {
			y := 0.0
			if c.Alignment == annotate.Aligned {
				y = 1
			}
			sum.AddToCluster(items[i].ClusterNumber(), y, 1)
		}
	}
	return sum.RateAt(1-(1-stat.Confidence)/float64(among), "no item has both a consensus and an extracted answer")
}

// candidateHash is how many digits of the hash of its settings stand in a candidate's
// name, behind that of the judge.
const candidateHash = 8

// candidateMark stands between them; models have hyphens and dates in their names.
const candidateMark = "~"

// NameCandidate names a judge as it is asked by the settings of that hash.
func NameCandidate(judge, hash string) string { return judge + candidateMark + hash[:candidateHash] }

// judgeOfCandidate is the judge whose candidate the name is; "" of another name.
func judgeOfCandidate(name string) string {
	at := strings.LastIndex(name, candidateMark)
	if at < 0 || len(name)-at != len(candidateMark)+candidateHash || strings.Trim(name[at+len(candidateMark):], "0123456789abcdef") != "" {
		return ""
	}
	return name[:at]
}
