package report

import (
	"fmt"

	"concord/eval"
)

// The figures that can be opened. Those of questions yield one key for each
// question: the pass that decides it.
const (
	Pending    Which = "pending"
	Irregular  Which = "irregular"
	NoTruth    Which = "no_truth"
	Unanswered Which = "unanswered"
	NoRules    Which = "no_rules"

	VanillaRight Which = "vanilla_right"
	VanillaWrong Which = "vanilla_wrong"
	Lost         Which = "lost" // right in pass 0, not in all passes

	Kept       Which = "kept"        // not answered right by the text-only run
	Dropped    Which = "dropped"     // answered right by it
	NotCovered Which = "not_covered" // not decided by it
	KeptRight  Which = "kept_right"  // of Kept, right by the row's own run
	KeptWrong  Which = "kept_wrong"

	TextRight Which = "text_right" // of a gain: by the run without the picture
	TextWrong Which = "text_wrong"
	BaseRight Which = "base_right" // by the language base
	BaseWrong Which = "base_wrong"
	Gained    Which = "gained"   // right with the picture, wrong without
	Spoiled   Which = "spoiled"  // right without it, wrong with it
	Leaked    Which = "leaked"   // right without the picture, wrong by the language base
	Unleaked  Which = "unleaked" // the other way round

	Suspected Which = "suspected" // turned from wrong to right by more than half of the pairs
	TurnedBy  Which = "turned"    // by Part.Hits pairs

	PlusRight  Which = "plus_right"  // of MME: both questions about their picture are right
	PlusWrong  Which = "plus_wrong"  // not both
	AlwaysYes  Which = "always_yes"  // both answers are yes
	SaidYes    Which = "said_yes"    // the answer is yes
	SaidNo     Which = "said_no"     // it is read as no
	Follows    Which = "follows"     // the answer begins with yes or no
	NotFollows Which = "not_follows" // there is one, and it does not
	Unpaired   Which = "unpaired"    // no other question about their picture is there
	Undecided  Which = "undecided"   // in no rate

	Found     Which = "found" // predictions from here on
	None      Which = "none"
	Refused   Which = "refused"
	Ambiguous Which = "ambiguous"
	Missing   Which = "missing"
	NotRead   Which = "not_read"
	Errors    Which = "errors"

	Step1    Which = "step1"
	Step1Not Which = "step1_left" // the rules read no choice
	Step2    Which = "step2"
	Neither  Which = "neither"      // no step has read them
	Unparsed Which = "unparsed"     // the judge's reply says nothing
	Failed   Which = "judge_errors" // the judge's calls failed
	Fallback Which = "fallback"

	Predicted Which = "predicted" // with Part.Label; "" for the unread
	Unread    Which = "unread"    // no option was read out of them
	Truth     Which = "truth"     // with Part.Label
)

// AccuracyPart tells figures apart that have one name.
type AccuracyPart struct {
	Label eval.Choice // for Predicted and Truth
	Hits  int         // for TurnedBy
	Model string      // for Leaked, of a pair
}

// accuracyPart is that of a selection; the zero value without one.
func accuracyPart(s *Selection) AccuracyPart {
	p, _ := s.Part.(AccuracyPart)
	return p
}

// accuracyNames are how the figures are called whose own name says too little.
func accuracyNames(s *Selection) string {
	switch s.Which {
	case TurnedBy:
		return "turned by " + fmt.Sprint(accuracyPart(s).Hits)
	case Predicted:
		return "read as " + string(accuracyPart(s).Label)
	case Truth:
		return "truth " + string(accuracyPart(s).Label)
	default:
		return pickNames[s.Which]
	}
}

var pickNames = map[Which]string{
	Lost: "right in pass 0 alone", VanillaRight: "right", VanillaWrong: "wrong", KeptRight: "right", KeptWrong: "wrong",
	TextRight: "right without the picture", TextWrong: "wrong without the picture", BaseRight: "right by the base", BaseWrong: "wrong by the base",
	Gained: "right with the picture alone", Spoiled: "right without it alone", Leaked: "right beyond the base", Unleaked: "right by the base alone",
	PlusRight: "both right", PlusWrong: "not both right", SaidYes: "yes", SaidNo: "no", NotFollows: "does not follow",
}

// opens is the opener of a row's figures.
func opens(row Row, extractor string) Opener {
	return Opener{Row: row, Extractor: extractor, Names: accuracyNames}
}
