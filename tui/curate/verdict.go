package curate

import (
	"concord/annotate/curation"
)

// word is a verdict in a few words.
func word(v curation.Verdict) string {
	switch v {
	case curation.NeedsImage:
		return "needs the image"
	case curation.NeedsNone:
		return "answerable without"
	case curation.InQuestion:
		return "answer in the question"
	case curation.Wrong:
		return "wrong or ambiguous"
	case curation.Duplicate:
		return "duplicate"
	case curation.VerdictUnset:
	}
	return "no verdict"
}

// shortWord is a verdict where there is little room.
func shortWord(v curation.Verdict) string {
	switch v {
	case curation.NeedsImage:
		return "needs image"
	case curation.NeedsNone:
		return "answerable"
	case curation.InQuestion:
		return "in question"
	case curation.Wrong:
		return "wrong"
	case curation.Duplicate, curation.VerdictUnset:
	}
	return word(v)
}
