package curation

import "concord/eval"

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
func (v Verdict) String() string { return eval.NameOf(verdictNames, v) }

// Accepts reports whether the verdict takes the sample into the benchmark.
func (v Verdict) Accepts() bool { return v == NeedsImage }

// ParseVerdict reads what String writes.
func ParseVerdict(s string) (Verdict, error) {
	return eval.ParseName[Verdict](verdictNames, s, "verdict")
}

// AllVerdicts are the verdicts in the order in which they are shown.
func AllVerdicts() []Verdict { return []Verdict{NeedsImage, NeedsNone, InQuestion, Wrong, Duplicate} }
