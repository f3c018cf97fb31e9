package labeloption

import "strings"

// LabelGuideline is the guideline of a queue of labels that has none of its own.
const LabelGuideline = `Say which option the answer chose, not which one is right.

- An option: the response ends on it, in whatever words. A letter, the option's text, a paraphrase, or what follows from its last sentence all count. When letter and text disagree, take what the answer ends on.
- none: it commits itself to something that is no option.
- ambiguous: it names several options and decides on none.
- refused: it declines to answer, or says that it cannot see the image.

Skip what you want to see again at the end. Flag what somebody should look at twice. Everything can be undone, also tomorrow.`

// ScoreGuideline is that of a queue whose answers are scored.
const ScoreGuideline = `Say how similar the answer is to the right answer, in meaning and not in words.

- 5: completely right. It says what the right answer says, in whatever words and at whatever length.
- 4, 3, 2: right in most, in part, or in little of what matters.
- 1: completely wrong, or no answer at all. An answer that says the right thing and its opposite is not right.

Skip what you want to see again at the end. Flag what somebody should look at twice. Everything can be undone, also tomorrow.`

// GradeGuideline is that of a queue whose responses are graded by criteria.
const GradeGuideline = `Say of each criterion whether the response meets it. Judge each one alone, by what the response says.

- met: the response does what the criterion demands. Of a criterion that names a mistake, met says that the mistake is there.
- partial, where the criterion says what that counts: it does some of it.
- unmet: it does not, or it says the opposite.
- cannot tell: response, question and image do not let you decide. It counts as a word of its own, and in no score.

Skip what you want to see again at the end. Flag what somebody should look at twice. Everything can be undone, also tomorrow.`

// VoteGuideline is that of a queue of pairs
// (MLLM-Bench, Sec. 5.1 and App. F). key is how one of its keys is written.
func VoteGuideline(key func(name string) string) string {
	return strings.NewReplacer("{tie}", key("tie"), "{both_bad}", key("both_bad"), "{zoom}", key("zoom")).Replace(voteGuideline)
}

const voteGuideline = `Say which of the two answers serves the question and its image better. Where criteria are shown, judge by them; the order of the answers and their length say nothing.

- 1 or 2: that answer is better, also by a little.
- {tie}, both right or both wrong: the question has one right answer, and both give it or both miss it.
- {both_bad}, both with grave errors: both are wrong about what matters, or harmful, and neither is better.

Prefer an answer wherever you can: {tie} and {both_bad} are for pairs of which none is better. Look at the image before you read ({zoom} fills the screen with it).

Skip what you want to see again at the end. Flag what somebody should look at twice. Everything can be undone, also tomorrow.`
