package review

import (
	"slices"
	"strings"

	"concord/annotate"
	"concord/eval"
)

// choice is an option with the keys that choose it.
type choice struct {
	eval.Choice
	text   string
	digit  string // "1" to "9", "0"; "" from the eleventh on
	letter string // upper-case, so that it is no command's; "" of a score
	score  int    // 1 to eval.TopScore where the answer is scored, and no option read out of it
}

// reading is what the key says.
func (c choice) reading() annotate.Reading {
	if c.score > 0 {
		return annotate.Reading{Verdict: annotate.Scored, Score: c.score}
	}
	return annotate.Reading{Verdict: annotate.PickedOption, Choice: c.Choice}
}

// in reports whether a reading says the choice, alone or among several.
func (c choice) in(r annotate.Reading) bool {
	if c.score > 0 {
		return r.Verdict == annotate.Scored && r.Score == c.score
	}
	return r.Verdict == annotate.PickedOption && r.Choice == c.Choice || slices.Contains(r.Several, c.Choice)
}

// scores are what the digits mean of an answer that is scored (MMBench, App.
// D.2, names the ends).
var scores = [eval.TopScore]string{
	"completely wrong", "mostly wrong", "partly right", "mostly right", "completely right",
}

// scored reports whether the item is an open answer to be set beside its
// reference.
func scored(it *annotate.Item) bool { return it.Reference != "" }

const digits = "1234567890"

// choices are what can be chosen of an item, in the order shown. A yes/no
// question without options of its own has yes and no.
func choices(it *annotate.Item) []choice {
	if scored(it) {
		out := make([]choice, len(scores))
		for i, text := range scores {
			out[i] = choice{text: text, digit: digits[i : i+1], score: i + 1}
		}
		return out
	}
	options := it.Options
	if it.Kind == eval.KindYesNo && len(options) == 0 {
		options = []eval.Option{{Letter: eval.Yes, Text: "yes"}, {Letter: eval.No, Text: "no"}}
	}
	out := make([]choice, len(options))
	for i, o := range options {
		out[i] = choice{Choice: o.Letter, text: o.Text}
		for _, r := range string(o.Letter) {
			out[i].letter = strings.ToUpper(string(r))
			break
		}
		if i < len(digits) {
			out[i].digit = digits[i : i+1]
		}
	}
	return out
}

// find is the choice that a key means.
func find(all []choice, key string) (choice, bool) {
	for _, c := range all {
		if key == c.digit || key == c.letter {
			return c, key != ""
		}
	}
	return choice{}, false
}

// verdictWord is a reading that is no option, with its key.
type verdictWord struct {
	key     string
	verdict annotate.Verdict
}

// verdictWords are the readings that are no option, in as many lines as they
// take in this width. A score says it all.
func (pg *page) verdictWords(width int) (lines [][]verdictWord) {
	if scored(&pg.Item) {
		return nil
	}
	const around = 6 // cells of mark, key and the air behind a word
	room := 0
	for _, w := range []verdictWord{{"x", annotate.SaidNone}, {"m", annotate.SaidAmbiguous}, {"d", annotate.SaidRefused}} {
		n := len(w.verdict.String()) + around
		if room < n-2 || lines == nil {
			lines, room = append(lines, nil), width-1
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], w)
		room -= n
	}
	return lines
}

// word is a reading in a word or two.
func word(r annotate.Reading) string {
	switch r.Verdict {
	case annotate.PickedOption:
		return string(r.Choice)
	case annotate.SaidAmbiguous:
		var several []string
		for _, c := range r.Several {
			several = append(several, string(c))
		}
		if len(several) > 0 {
			return "ambiguous (" + strings.Join(several, ", ") + ")"
		}
	case annotate.Scored:
		return "score " + r.Word()
	case annotate.VerdictUnset, annotate.SaidNone, annotate.SaidRefused, annotate.Voted:
	}
	return r.Verdict.String()
}
