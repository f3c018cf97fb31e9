package quality

import (
	"concord/annotate/curation"
	"concord/annotate/report"
)

// The figures of inspections that can be opened.
const (
	Hits         report.Which = "hits" // with Part.Hits
	Abnormal     report.Which = "abnormal"
	ByMajority   report.Which = "majority"     // more than half of the inspectors answer them
	Passed       report.Which = "filtered"     // kept by the coarse filter
	Answerable   report.Which = "answerable"   // dropped by it
	SightedHits  report.Which = "sighted_hits" // with Part.Hits
	OfDifficulty report.Which = "difficulty"   // with Part.Difficulty
	Ungraded     report.Which = "ungraded"
	Doubtful     report.Which = "doubtful"
	Candidates   report.Which = "candidates"
	Accepted     report.Which = "accepted" // by experts
)

// Part tells figures apart that have one name.
type Part struct {
	Hits       int                 // for Hits and SightedHits
	Difficulty curation.Difficulty // for OfDifficulty
	Source     string              // of samples, as its tables name them; "": all
}

// partOf is that of a selection; the zero value without one.
func partOf(s *report.Selection) Part {
	p, _ := s.Part.(Part)
	return p
}

// figureNames are how the figures are called whose own name says too little.
func figureNames(s *report.Selection) string {
	switch s.Which {
	case Hits, SightedHits:
		return report.Plural(partOf(s).Hits, "hit")
	case OfDifficulty:
		return partOf(s).Difficulty.String()
	case ByMajority:
		return "right by majority vote"
	default:
		return ""
	}
}

// ofSource is the part of a source as tables name it, which "all" is every one.
func ofSource(source string) Part {
	if source == allSources {
		return Part{}
	}
	return Part{Source: source}
}
