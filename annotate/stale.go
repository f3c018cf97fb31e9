package annotate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// LabelsHash is a hash of labels that stand: SHA-256 over one line for each, of
// item, annotator, reading and whether it was informed, in the order of
// items and annotators, and one for each item that is excluded. It does not depend on when or in what order they were
// given, nor on notes and flags. The place of a flag, which once counted, says false.
func LabelsHash(labels []Label) string {
	sorted := slices.Clone(labels)
	slices.SortFunc(sorted, func(a, b Label) int {
		return cmp.Or(a.Item.Compare(b.Item), cmp.Compare(a.Annotator, b.Annotator))
	})
	h := sha256.New()
	for _, l := range sorted {
		several := slices.Clone(l.Reading.Several)
		slices.Sort(several)
		// A hash never refuses what is written to it.
		_, _ = fmt.Fprintf(h, "%s %q %s %q %q %t %t\n",
			l.Item, l.Annotator, l.Reading.Verdict, l.Reading.Choice, several, false, l.Informed)
		if l.Excluded {
			_, _ = fmt.Fprintln(h, "excluded")
		}
		if l.Reading.Verdict == Scored { // those without keep the hash that they had
			_, _ = fmt.Fprintf(h, "score %d\n", l.Reading.Score)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// RulingsHash is the same of rulings that stand: item, adjudicator, reading and
// who was right.
func RulingsHash(rulings []Ruling) string {
	sorted := slices.Clone(rulings)
	slices.SortFunc(sorted, func(a, b Ruling) int {
		return cmp.Or(a.Item.Compare(b.Item), cmp.Compare(a.Annotator, b.Annotator))
	})
	h := sha256.New()
	for _, r := range sorted {
		_, _ = fmt.Fprintf(h, "%s %s %q %s %q %s\n", Ruled, r.Item, r.Annotator, r.Reading.Verdict, r.Reading.Choice, r.Cause)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Inputs is what an alignment report is computed from, as far as it can
// change.
type Inputs struct {
	LabelsHash  string
	RulingsHash string   // "" in reports that were saved before there were rulings
	Rules       []string // name@version
	Judges      []string // as JudgeID writes them
}

// Inputs is what the report was computed from.
func (r *SavedReport) Inputs() Inputs {
	return Inputs{LabelsHash: r.LabelsHash, RulingsHash: r.RulingsHash, Rules: r.Rules, Judges: r.Judges}
}

// Stale says why the saved report would come out otherwise today, given
// today's inputs; nothing when it would not. A rule set or judge that has
// joined since changes none of its rows.
func (r *SavedReport) Stale(now Inputs) []Change { return r.Inputs().Changes(now) }
