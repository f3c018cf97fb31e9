package annotate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// LabelsHash is a hash of labels and rulings that stand: SHA-256 over one line for each,
// of item, annotator, reading, flag and whether it was informed, in the order of items and annotators.
// It does not depend on when or in what order they were given, nor on notes.
func LabelsHash(labels []Label, rulings ...Ruling) string {
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
			l.Item, l.Annotator, l.Reading.Verdict, l.Reading.Choice, several, l.Flagged, l.Informed)
		if l.Reading.Verdict == Scored { // those without keep the hash that they had
			_, _ = fmt.Fprintf(h, "score %d\n", l.Reading.Score)
		}
	}
	rulings = slices.Clone(rulings)
	slices.SortFunc(rulings, func(a, b Ruling) int {
		return cmp.Or(a.Item.Compare(b.Item), cmp.Compare(a.Annotator, b.Annotator))
	})
	for _, r := range rulings {
		_, _ = fmt.Fprintf(h, "ruling %s %q %s %q %s\n", r.Item, r.Annotator, r.Reading.Verdict, r.Reading.Choice, r.Cause)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Reasons for which a saved report is stale.
const (
	StaleLabels = "labels changed"
	StaleRules  = "rules changed"
	StaleJudge  = "judge changed"
)

// Inputs is what an alignment report is computed from, as far as it can
// change.
type Inputs struct {
	LabelsHash string
	Rules      []string // name@version
	Judges     []string // name, prompt and a hash of the readings
}

// Inputs is what the report was computed from.
func (r *SavedReport) Inputs() Inputs {
	return Inputs{LabelsHash: r.LabelsHash, Rules: r.Rules, Judges: r.Judges}
}

// Stale says why the saved report would come out otherwise today, given
// today's inputs; nothing when it would not. A rule set or judge that has
// joined since changes none of its rows.
func (r *SavedReport) Stale(now Inputs) []string {
	var reasons []string
	if r.LabelsHash != now.LabelsHash {
		reasons = append(reasons, StaleLabels)
	}
	reasons = append(reasons, changed(StaleRules, r.Rules, now.Rules)...)
	return append(reasons, changed(StaleJudge, r.Judges, now.Judges)...)
}

// changed names what was used then and is not the same now.
func changed(reason string, then, now []string) []string {
	var gone []string
	for _, x := range then {
		if !slices.Contains(now, x) {
			name, _, _ := strings.Cut(x, "@")
			gone = append(gone, name)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return []string{reason + ": " + strings.Join(gone, ", ")}
}
