package report

import "concord/annotate/curation"

// The figures of inspections that can be opened.
const (
	Hits         Which = "hits" // with Part.Hits
	Abnormal     Which = "abnormal"
	ByMajority   Which = "majority"     // more than half of the inspectors answer them
	Passed       Which = "filtered"     // kept by the coarse filter
	Answerable   Which = "answerable"   // dropped by it
	SightedHits  Which = "sighted_hits" // with Part.Hits
	OfDifficulty Which = "difficulty"   // with Part.Difficulty
	Ungraded     Which = "ungraded"
	Doubtful     Which = "doubtful"
	Candidates   Which = "candidates"
	Accepted     Which = "accepted" // by experts
)

// QualityPart tells figures apart that have one name.
type QualityPart struct {
	Hits       int                 // for Hits and SightedHits
	Difficulty curation.Difficulty // for OfDifficulty
	Source     string              // of samples, as its tables name them; "": all
}

// qualityPart is that of a selection; the zero value without one.
func qualityPart(s *Selection) QualityPart {
	p, _ := s.Part.(QualityPart)
	return p
}

// qualityNames are how the figures are called whose own name says too little.
func qualityNames(s *Selection) string {
	switch s.Which {
	case Hits, SightedHits:
		return plural(qualityPart(s).Hits, "hit")
	case OfDifficulty:
		return qualityPart(s).Difficulty.String()
	case ByMajority:
		return "right by the majority"
	default:
		return ""
	}
}

// ofSource is the part of a source as tables name it, which "all" is every one.
func ofSource(source string) QualityPart {
	if source == allSources {
		return QualityPart{}
	}
	return QualityPart{Source: source}
}
