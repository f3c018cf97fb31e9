package curation

import (
	"fmt"
	"slices"
	"strings"
)

// Verdict is what an expert finds of a sample (MMStar, Sec. 4.1). Only the
// first accepts it. The zero value is unset.
type Verdict uint8

// The verdicts.
const (
	VerdictUnset Verdict = iota
	NeedsImage           // it cannot be answered without its picture
	NeedsNone            // it can, by what one knows
	InQuestion           // question or options give the answer away
	Wrong                // the answer is wrong, or the question ambiguous
	Duplicate            // another sample asks the same
)

// Verdicts is how many verdicts there are, for arrays indexed by Verdict.
const Verdicts = int(Duplicate) + 1

var verdictNames = []string{"", "needs_image", "answerable", "in_question", "wrong", "duplicate"}

// String returns the name that files and reports use.
func (v Verdict) String() string { return name(verdictNames, int(v)) }

// Accepts reports whether the verdict takes the sample into the benchmark.
func (v Verdict) Accepts() bool { return v == NeedsImage }

// ParseVerdict reads what String writes.
func ParseVerdict(s string) (Verdict, error) {
	if i := slices.Index(verdictNames, s); i > 0 {
		return Verdict(i), nil
	}
	return 0, fmt.Errorf("unknown verdict %q: want one of %s", s, strings.Join(verdictNames[1:], ", "))
}

// AllVerdicts are the verdicts in the order in which they are shown.
func AllVerdicts() []Verdict { return []Verdict{NeedsImage, NeedsNone, InQuestion, Wrong, Duplicate} }
