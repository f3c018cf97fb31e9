package labeloption

import (
	_ "embed" // of the guidelines
	"strings"
)

// LabelGuideline is the guideline of a queue of labels that has none of its own.
//
//go:embed guidelines/label.md
var LabelGuideline string

// ScoreGuideline is that of a queue whose answers are scored.
//
//go:embed guidelines/score.md
var ScoreGuideline string

// GradeGuideline is that of a queue whose responses are graded by criteria.
//
//go:embed guidelines/grade.md
var GradeGuideline string

// VoteGuideline is that of a queue of pairs
// (MLLM-Bench, Sec. 5.1 and App. F). key is how one of its keys is written.
func VoteGuideline(key func(name string) string) string {
	return strings.NewReplacer("{tie}", key("tie"), "{both_bad}", key("both_bad"), "{zoom}", key("zoom")).Replace(voteGuideline)
}

//go:embed guidelines/vote.md
var voteGuideline string
