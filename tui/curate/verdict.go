package curate

import (
	"concord/annotate/curation"
	"concord/tui/widget"
)

// word is a verdict in a few words.
func word(v curation.Verdict) string {
	switch v {
	case curation.NeedsImage:
		return "image needed"
	case curation.NeedsNone:
		return "answerable without image"
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
		return "image needed"
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

// wordy is the width from which verdicts have all their words.
const wordy = 110

// verdictWord is a verdict in as many words as there is room for.
func verdictWord(v curation.Verdict, width int) string {
	if width >= wordy {
		return word(v)
	}
	return shortWord(v)
}

// verdictsIn is up to which verdict those from first on stand in one line.
func verdictsIn(width, first int) int {
	const around = 4                             // cells of the key, the mark and the air behind a word
	all, room := curation.AllVerdicts(), width-8 // less the word that may stand before them
	to := first
	for to < len(all) {
		if room -= widget.Width(verdictWord(all[to], width)) + around; room < 0 && to > first {
			break
		}
		to++
	}
	return to
}

// verdictRows is how many lines the verdicts take.
func verdictRows(width int) int {
	n := 0
	for at := 0; at < len(curation.AllVerdicts()); n++ {
		at = verdictsIn(width, at)
	}
	return n
}
