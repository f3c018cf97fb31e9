package labeloption

import (
	"cmp"
	_ "embed" // of the guidelines
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
)

// Option is one thing that can be said of an item, with the keys that say it.
type Option struct {
	eval.Choice
	Text   string
	Digit  string       // "1" to "9"; "" from the tenth on
	Letter string       // upper-case; typed in either case; "" of a score
	Score  int          // 1 to eval.TopScore where the answer is scored, and no option read out of it
	Grade  eval.Verdict // where a criterion is graded
}

// Reading is what it says.
func (o Option) Reading() annotate.Reading {
	return eval.Either(o.Score > 0, annotate.Reading{Kind: annotate.Scored, Score: o.Score}, annotate.Reading{Kind: annotate.PickedOption, Choice: o.Choice})
}

// IsSaidBy reports whether a reading says it, alone or among several.
func (o Option) IsSaidBy(r annotate.Reading) bool {
	switch {
	case o.Score > 0:
		return r.Kind == annotate.Scored && r.Score == o.Score
	case o.Grade != eval.VerdictUnset:
		return len(r.Grades) == 1 && r.Grades[0].Verdict == o.Grade
	}
	return r.Kind == annotate.PickedOption && r.Choice == o.Choice || slices.Contains(r.Several, o.Choice)
}

// scores are what the digits mean of an answer that is scored (MMBench, App. D.2, names the ends).
var scores = [eval.TopScore]string{
	"completely wrong", "mostly wrong", "partly right", "mostly right", "completely right",
}

// IsScored reports whether the item is an open answer to be set beside its reference.
func IsScored(it *annotate.Item) bool { return it.Reference != "" }

// IsGraded reports whether the item is a response to be graded by criteria.
func IsGraded(it *annotate.Item) bool { return len(it.Rubric) > 0 }

// HasFixedOffers reports whether all that can be said of the item is among its offers.
func HasFixedOffers(it *annotate.Item) bool { return IsScored(it) || IsGraded(it) || it.Labels != "" }

// gradeOptions gives what can be said of a criterion.
func gradeOptions(cs []annotate.Criterion) (out []Option) {
	for i, v := range []eval.Verdict{eval.Met, eval.Partial, eval.Unmet, eval.Unable} {
		if v != eval.Partial || slices.ContainsFunc(cs, func(c annotate.Criterion) bool { return c.Partial }) {
			out = append(out, Option{Text: eval.Either(v == eval.Unable, "cannot tell", v.String()), Digit: Digits[i : i+1], Letter: "MPUC"[i : i+1], Grade: v})
		}
	}
	return out
}

// Digits are the keys of the first nine offers, in order.
const Digits = "123456789"

// OptionLetters are the keys of options by letter, in either case; those in upper case come first.
func OptionLetters() []string {
	var upper, lower []string
	for c := 'A'; c <= 'Z'; c++ {
		upper, lower = append(upper, string(c)), append(lower, strings.ToLower(string(c)))
	}
	return append(upper, lower...)
}

// ListOptions lists an item's options, in the order shown. A yes/no question without any has yes and no.
func ListOptions(it *annotate.Item) []Option {
	options := eval.Either(it.Kind == eval.KindYesNo && len(it.Options) == 0, []eval.Option{{Letter: eval.Yes, Text: "yes"}, {Letter: eval.No, Text: "no"}}, it.Options)
	out := make([]Option, len(options))
	for i, o := range options {
		out[i] = Option{Choice: o.Letter, Text: o.Text}
		for _, r := range string(o.Letter) {
			out[i].Letter = strings.ToUpper(string(r))
			break
		}
		if i < len(Digits) {
			out[i].Digit = Digits[i : i+1]
		}
	}
	return out
}

// OptionsFor is what an annotator can choose of an item: a verdict on a criterion where it has some, a
// score where there is a reference to compare the answer with, else its options.
func OptionsFor(it *annotate.Item) []Option {
	switch {
	case IsGraded(it):
		return gradeOptions(it.Rubric)
	case !IsScored(it):
		return ListOptions(it)
	}
	return eval.MapIndexed(scores[:], func(i int, text string) Option { return Option{Text: text, Digit: Digits[i : i+1], Score: i + 1} })
}

// FindByKey finds the index of the offer that a key means, a letter in either case.
func FindByKey(all []Option, key string) (at int, ok bool) {
	key = strings.ToUpper(key)
	at = slices.IndexFunc(all, func(o Option) bool { return key == o.Digit || key == o.Letter })
	return at, at >= 0 && key != ""
}

// ReadingText is a reading in a word or two.
func ReadingText(r annotate.Reading) string {
	switch r.Kind {
	case annotate.PickedOption:
		return string(r.Choice)
	case annotate.SaidAmbiguous:
		several := eval.Map(r.Several, func(c eval.Choice) string { return string(c) })
		if len(several) > 0 {
			return "ambiguous (" + strings.Join(several, ", ") + ")"
		}
	case annotate.Scored:
		return "score " + r.Word()
	case annotate.Graded:
		return r.Word()
	case annotate.ReadingUnset, annotate.SaidNone, annotate.SaidRefused, annotate.Voted:
	}
	return r.Kind.String()
}

// VoteWord is a vote in a few words, of the answers as they are shown.
func VoteWord(v eval.Vote) string {
	return cmp.Or(map[eval.Vote]string{
		eval.Answer1:      "Answer 1",
		eval.Answer2:      "Answer 2",
		eval.SituationOne: "both right or both wrong",
		eval.SituationTwo: "both with grave errors",
	}[v], "no vote")
}

// MachineReadingText is what a machine read, in a word or two.
func MachineReadingText(r blind.MachineReading) string {
	switch {
	case r.Score > 0:
		return fmt.Sprint("score ", r.Score)
	case r.Extraction.IsFound():
		return string(r.Extraction.Choice)
	}
	return r.Extraction.Status.String()
}

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

// VoteGuideline is that of a queue of pairs (MLLM-Bench, Sec. 5.1 and App. F). key is how a key is written.
func VoteGuideline(key func(name string) string) string {
	return strings.NewReplacer("{tie}", key("tie"), "{both_bad}", key("both_bad"), "{zoom}", key("zoom")).Replace(voteGuideline)
}

//go:embed guidelines/vote.md
var voteGuideline string
