package published

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"concord/eval"
	"concord/eval/extract/reading"
)

// The kit is a Python program, so its results hang on Python's idea of white space, of case and of
// length. These functions have that idea; nothing but the modes that reproduce the kit uses them.

// isPySpace is str.isspace for one character, which split and \s use too.
func isPySpace(r rune) bool { return r >= 0x1c && r <= 0x1f || unicode.IsSpace(r) }

// skipPySpaces skips one or more white space characters.
func skipPySpaces(s string) (string, bool) {
	rest := strings.TrimLeftFunc(s, isPySpace)
	return rest, len(rest) < len(s)
}

// skipPyFolded skips word (in lower-case ASCII) at the start of s as re.IGNORECASE
// compares it: the letters i and s have more forms than two.
func skipPyFolded(s, word string) (string, bool) {
	for i := range len(word) {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case size == 0:
			return s, false
		case r < utf8.RuneSelf && (byte(r) == word[i] || byte(r) == word[i]-0x20):
		case word[i] == 'i' && (r == 0x130 || r == 0x131):
		case word[i] == 's' && r == 0x17f:
		default:
			return s, false
		}
		s = s[size:]
	}
	return s, true
}

// toPyLower is str.lower: full Unicode lowering, in which U+0130 becomes two
// code points and a capital sigma at the end of a word a final one.
func toPyLower(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return strings.ToLower(s)
	}
	return cases.Lower(language.Und).String(s)
}

// MMStar is the rule of the MMStar authors (MMStar-Benchmark/MMStar, the evaluation script): the
// answer's letter must open the text, or follow one of three openings.
type MMStar struct{}

// Version changes whenever the same text may be read otherwise.
func (MMStar) Version() string { return "1" }

func (MMStar) Read(options []eval.Option, text string) eval.Extraction {
	// The longest opening has 14 characters; what stands far behind it decides nothing and is not lowered.
	text = strings.TrimLeftFunc(text, isPySpace)
	text = text[:min(len(text), 256)]
	low := strings.ReplaceAll(toPyLower(text), "\n", " ")
	for _, opening := range [...]string{"", "(", "option ", "the answer is "} {
		rest, ok := strings.CutPrefix(low, opening)
		if !ok || rest == "" {
			continue
		}
		if c := eval.Choice(strings.ToUpper(rest[:1])); reading.HasLetter(options, c) {
			return reading.NewFound(c, "mmstar-opening")
		}
	}
	return reading.NewNotFound(eval.Missing, "mmstar-none")
}

// MMEYesNo is the official MME tool's rule: the lowered text is yes or no, or
// one of the two stands within its first four characters, yes before no.
type MMEYesNo struct{}

// Version changes whenever the same text may be read otherwise.
func (MMEYesNo) Version() string { return "1" }

func (MMEYesNo) Read(_ []eval.Option, text string) eval.Extraction {
	start := firstRunes(text, 16) // more than four, for lowering looks around
	low := firstRunes(toPyLower(start), 4)
	switch {
	case strings.Contains(low, "yes"):
		return reading.NewFound(eval.Yes, "mme-opening")
	case strings.Contains(low, "no"):
		return reading.NewFound(eval.No, "mme-opening")
	}
	return reading.NewNotFound(eval.Missing, "mme-none")
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

// kitMarks are deleted or become spaces, see stripKitPunctuation.
const kitMarks = ";/[]\"{}()=+\\_-><@`,?!"

// Version changes whenever the same text may be read otherwise.
func (KitYesNo) Version() string { return "1" }

func (KitYesNo) Read(_ []eval.Option, text string) eval.Extraction {
	var yes, no bool
	for w := range strings.FieldsFuncSeq(stripKitPunctuation(toPyLower(text)), isPySpace) {
		yes = yes || w == "yes"
		no = no || w == "no"
	}
	switch {
	case yes && no:
		return reading.NewNotFound(eval.Ambiguous, "kit-both")
	case yes:
		return reading.NewFound(eval.Yes, "kit-word")
	case no:
		return reading.NewFound(eval.No, "kit-word")
	}
	return reading.NewNotFound(eval.Missing, "kit-none")
}

// stripKitPunctuation deletes each mark that touches a space anywhere in the text (every mark, if a
// comma stands between digits) and makes a space of the others. Then it deletes the first 32 full stops
// that no digit follows or precedes: the kit hands re.UNICODE, which is 32, over as the count.
func stripKitPunctuation(s string) string {
	rs := []rune(s)
	var touches [128]bool
	all := false
	for i, r := range rs {
		if r >= 128 || !strings.ContainsRune(kitMarks, r) {
			continue
		}
		before, after := runeAt(rs, i-1), runeAt(rs, i+1)
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
	var b strings.Builder
	stops := 0
	for i, r := range out {
		if r == '.' && stops < 32 && !unicode.IsDigit(runeAt(out, i-1)) && !unicode.IsDigit(runeAt(out, i+1)) {
			stops++
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// runeAt is the character at i, or 0 outside.
func runeAt(rs []rune, i int) rune {
	if i < 0 || i >= len(rs) {
		return 0
	}
	return rs[i]
}
