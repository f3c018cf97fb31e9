package published

import (
	"strings"
	"unicode"

	"concord/eval"
	"concord/eval/extract/reading"
)

// MMEYesNo is the official MME tool's rule: the lowered text is yes or no, or
// one of the two stands within its first four characters, yes before no.
type MMEYesNo struct{}

// Version changes whenever the same text may be read otherwise.
func (MMEYesNo) Version() string { return "1" }

func (MMEYesNo) Read(_ []eval.Option, text string) eval.Extraction {
	start := firstRunes(text, 16) // more than four, for lowering looks around
	low := firstRunes(pyLower(start), 4)
	switch {
	case strings.Contains(low, "yes"):
		return reading.Found(eval.Yes, "mme-opening")
	case strings.Contains(low, "no"):
		return reading.Found(eval.No, "mme-opening")
	}
	return reading.Without(eval.Missing, "mme-none")
}

// firstRunes returns at most n characters of s.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// KitYesNo is the kit's YOrN_Extraction (vlmeval/dataset/utils/yorn.py) with
// its process_punctuation (vlmeval/smp/misc.py).
type KitYesNo struct{}

// kitMarks are deleted or become spaces, see kitPunctuation.
const kitMarks = ";/[]\"{}()=+\\_-><@`,?!"

// Version changes whenever the same text may be read otherwise.
func (KitYesNo) Version() string { return "1" }

func (KitYesNo) Read(_ []eval.Option, text string) eval.Extraction {
	var yes, no bool
	for w := range strings.FieldsFuncSeq(kitPunctuation(pyLower(text)), pySpace) {
		yes = yes || w == "yes"
		no = no || w == "no"
	}
	switch {
	case yes && no:
		return reading.Without(eval.Ambiguous, "kit-both")
	case yes:
		return reading.Found(eval.Yes, "kit-word")
	case no:
		return reading.Found(eval.No, "kit-word")
	}
	return reading.Without(eval.Missing, "kit-none")
}

// kitPunctuation deletes each mark that touches a space anywhere in the text
// (every mark, if a comma stands between digits) and makes a space of the
// others. Then it deletes the first 32 full stops that no digit follows or
// precedes: the kit hands re.UNICODE, which is 32, over as the count.
func kitPunctuation(s string) string {
	rs := []rune(s)
	var touches [128]bool
	all := false
	for i, r := range rs {
		if r >= 128 || !strings.ContainsRune(kitMarks, r) {
			continue
		}
		before, after := at(rs, i-1), at(rs, i+1)
		touches[r] = touches[r] || before == ' ' || after == ' '
		all = all || r == ',' && unicode.IsDigit(before) && unicode.IsDigit(after)
	}
	out := make([]rune, 0, len(rs))
	for _, r := range rs {
		switch {
		case r >= 128 || !strings.ContainsRune(kitMarks, r):
			out = append(out, r)
		case !all && !touches[r]:
			out = append(out, ' ')
		}
	}
	return kitStops(out)
}

func kitStops(rs []rune) string {
	var b strings.Builder
	stops := 0
	for i, r := range rs {
		if r == '.' && stops < 32 && !unicode.IsDigit(at(rs, i-1)) && !unicode.IsDigit(at(rs, i+1)) {
			stops++
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// at is the character at i, or 0 outside.
func at(rs []rune, i int) rune {
	if i < 0 || i >= len(rs) {
		return 0
	}
	return rs[i]
}
