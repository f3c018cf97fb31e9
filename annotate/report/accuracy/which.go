package accuracy

import (
	"fmt"

	"concord/annotate/report"
	"concord/eval"
)

// The figures that can be opened. Those of questions yield one key for each
// question: the pass that decides it.
const (
	Pending    report.Which = "pending"
	Irregular  report.Which = "irregular"
	NoTruth    report.Which = "no_truth"
	Unanswered report.Which = "unanswered"
	NoRules    report.Which = "no_rules"

	VanillaRight report.Which = "vanilla_right"
	VanillaWrong report.Which = "vanilla_wrong"
	Lost         report.Which = "lost" // right in pass 0, not in all passes

	Kept       report.Which = "kept"        // not answered right by the text-only run
	Dropped    report.Which = "dropped"     // answered right by it
	NotCovered report.Which = "not_covered" // not decided by it
	KeptRight  report.Which = "kept_right"  // of Kept, right by the row's own run
	KeptWrong  report.Which = "kept_wrong"

	TextRight report.Which = "text_right" // of a gain: by the run without the picture
	TextWrong report.Which = "text_wrong"
	BaseRight report.Which = "base_right" // by the language base
	BaseWrong report.Which = "base_wrong"
	Gained    report.Which = "gained"   // right with the picture, wrong without
	Spoiled   report.Which = "spoiled"  // right without it, wrong with it
	Leaked    report.Which = "leaked"   // right without the picture, wrong by the language base
	Unleaked  report.Which = "unleaked" // the other way round

	Suspected report.Which = "suspected" // turned from wrong to right by more than half of the pairs
	TurnedBy  report.Which = "turned"    // by Part.Hits pairs

	PlusRight  report.Which = "plus_right"  // of MME: both questions about their picture are right
	PlusWrong  report.Which = "plus_wrong"  // not both
	AlwaysYes  report.Which = "always_yes"  // both answers are yes
	SaidYes    report.Which = "said_yes"    // the answer is yes
	SaidNo     report.Which = "said_no"     // it is read as no
	Follows    report.Which = "follows"     // the answer begins with yes or no
	NotFollows report.Which = "not_follows" // there is one, and it does not
	Unpaired   report.Which = "unpaired"    // no other question about their picture is there
	Undecided  report.Which = "undecided"   // in no rate

	Found     report.Which = "found" // predictions from here on
	None      report.Which = "none"
	Refused   report.Which = "refused"
	Ambiguous report.Which = "ambiguous"
	Missing   report.Which = "missing"
	NotRead   report.Which = "not_read"
	Errors    report.Which = "errors"

	Step1    report.Which = "step1"
	Step1Not report.Which = "step1_left" // the rules read no choice
	Step2    report.Which = "step2"
	Neither  report.Which = "neither"      // no step has read them
	Unparsed report.Which = "unparsed"     // the judge's reply says nothing
	Failed   report.Which = "judge_errors" // the judge's calls failed
	Fallback report.Which = "fallback"

	Predicted report.Which = "predicted" // with Part.Label; "" for the unread
	Unread    report.Which = "unread"    // no option was read out of them
	Truth     report.Which = "truth"     // with Part.Label
)

// Part tells figures apart that have one name.
type Part struct {
	Label eval.Choice // for Predicted and Truth
	Hits  int         // for TurnedBy
	Model string      // for Leaked, of a pair
}

// accuracyPart is that of a selection; the zero value without one.
func accuracyPart(s *report.Selection) Part {
	p, _ := s.Part.(Part)
	return p
}

// accuracyNames are how the figures are called whose own name says too little.
func accuracyNames(s *report.Selection) string {
	switch s.Which {
	case TurnedBy:
		return "rotated by " + fmt.Sprint(accuracyPart(s).Hits)
	case Predicted:
		return "read as " + string(accuracyPart(s).Label)
	case Truth:
		return "ground truth " + string(accuracyPart(s).Label)
	default:
		return pickNames[s.Which]
	}
}

var pickNames = map[report.Which]string{
	Lost: "right in pass 0 alone", VanillaRight: "right", VanillaWrong: "wrong", KeptRight: "right", KeptWrong: "wrong",
	TextRight: "right without the image", TextWrong: "wrong without the image", BaseRight: "right by the base", BaseWrong: "wrong by the base",
	Gained: "right with the image alone", Spoiled: "right without it alone", Leaked: "right beyond the base", Unleaked: "right by the base alone",
	Errors: "failed", Failed: "failed", Step1: "read", Step1Not: "not read", Step2: "read", Neither: "not read", Fallback: "drawn at random",
	PlusRight: "both right", PlusWrong: "not both right", SaidYes: "yes", SaidNo: "no", NotFollows: "does not follow",
}

// opens is the opener of a row's figures.
func opens(row report.Row, extractor string) report.Opener {
	return report.Opener{Row: row, Extractor: extractor, Names: accuracyNames}
}
