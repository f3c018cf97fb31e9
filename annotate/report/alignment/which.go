package alignment

import (
	"concord/annotate"
	"concord/annotate/report"
)

// The figures of a queue's items that can be opened.
const (
	Aligned     report.Which = "aligned" // items of a queue from here on
	Misaligned  report.Which = "misaligned"
	CaseOne     report.Which = "case_one"
	CaseTwo     report.Which = "case_two"
	Excluded    report.Which = "excluded"  // with Part.Reason, or for any reason
	Confused    report.Which = "confusion" // with Part.People and Machine
	Adjudicated report.Which = "settled"   // an adjudicator has ruled
	CausedBy    report.Which = "cause"     // Case II items by who was right: with Part.Cause, unset for those that nobody settled
	OnlyFirst   report.Which = "first_only"
	OnlySecond  report.Which = "second_only" // only the one of Part.With reads as people do
)

// Part tells figures apart that have one name.
type Part struct {
	Model           string // of the items; "": all
	Reason          string // for Excluded
	People, Machine string // for Confused, as a row's Confusion names them

	With  string         // the extractor that the row's is set beside
	Cause annotate.Cause // for CausedBy

	Person, Other annotate.Annotator // whose labels, "" for people's consensus; and of an AnnotatorsRow beside whose, "" for the others' word
}

// PartOf is that of a selection; the zero value without one.
func PartOf(s *report.Selection) Part {
	p, _ := s.Part.(Part)
	return p
}
