package published

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/reading"
)

// Kit reproduces the exact matching of open-compass/VLMEvalKit (vlmeval/utils/matching_util.py,
// can_infer) to the letter, defects included. The zero flags are the version of 2024-04; all three set
// are commit e8e78f05 of 2026-08. The kit's pseudo-choice "Z" is status None.
type Kit struct {
	LastFour bool // a lone letter counts only among the last four tokens
	Phrase   bool // "answer is X" is searched when the tokens decide nothing
	Limit    bool // the text step gives up on long predictions
}

// PseudoChoice is the letter that the kit returns when it reads "none of the
// options"; here it is the status None.
const PseudoChoice eval.Choice = "Z"

const kitFailure = "Failed to obtain answer via API"

var kitRefusals = []string{
	"Sorry, I can't help with images of people yet.",
	"I can't process this file.",
	"I'm sorry, but without the image provided",
	"Cannot determine the answer",
}

// Version changes whenever the same text may be read otherwise.
func (Kit) Version() string { return "1" }

func (k Kit) Read(options []eval.Option, text string) eval.Extraction {
	if e := k.inferOption(options, text); e.Status != eval.Missing {
		return e
	}
	return k.inferText(options, text)
}

// inferOption is the kit's can_infer_option.
func (k Kit) inferOption(options []eval.Option, text string) eval.Extraction {
	if strings.Contains(text, kitFailure) {
		return reading.NewNotFound(eval.Missing, "kit-failure")
	}
	if slices.ContainsFunc(kitRefusals, func(r string) bool { return strings.Contains(text, r) }) {
		return reading.NewNotFound(eval.None, "kit-refusal")
	}
	t := countKitTokens(options, text)
	switch {
	case t.letters == 1 && (!k.LastFour || t.first > t.tokens-5):
		return reading.NewFound(t.letter, "kit-option")
	case t.letters == 0 && t.pseudo:
		return reading.NewNotFound(eval.None, "kit-pseudo-choice")
	}
	if !k.Phrase {
		return reading.NewNotFound(eval.Missing, "kit-none")
	}
	c := findKitPhrase(text)
	return eval.Either(c != "" && reading.HasLetter(options, c), reading.NewFound(c, "kit-answer-is"), reading.NewNotFound(eval.Missing, "kit-none"))
}

// tokenTally is what the kit counts among the tokens of a prediction.
type tokenTally struct {
	tokens  int         // how many there are
	letters int         // how many distinct option letters occur
	letter  eval.Choice // the last letter that was met first
	first   int         // the index of its first occurrence
	pseudo  bool        // a token "Z" occurs
}

func countKitTokens(options []eval.Option, text string) tokenTally {
	var t tokenTally
	var seen []eval.Choice
	for token := range strings.FieldsFuncSeq(text, isKitGap) {
		t.pseudo = t.pseudo || token == string(PseudoChoice)
		if c := eval.Choice(token); reading.HasLetter(options, c) && !slices.Contains(seen, c) {
			seen = append(seen, c)
			t.letters, t.letter, t.first = t.letters+1, c, t.tokens
		}
		t.tokens++
	}
	return t
}

// isKitGap reports whether the kit ends a token before a character: white space and its punctuation.
func isKitGap(r rune) bool {
	return r < utf8.RuneSelf && strings.IndexByte(".()[],:;!*#{}", byte(r)) >= 0 || isPySpace(r)
}

// findKitPhrase finds the first match of the kit's regular expression
// (?i)(?:correct\s+)?answer\s+is\s+\**([ABCD])\** as an upper-case letter.
func findKitPhrase(text string) eval.Choice {
	for i := range len(text) {
		if text[i] != 'a' && text[i] != 'A' {
			continue
		}
		if c := matchKitPhrase(text[i:]); c != "" {
			return c
		}
	}
	return ""
}

func matchKitPhrase(s string) eval.Choice {
	s, answer := skipPyFolded(s, "answer")
	s, first := skipPySpaces(s)
	s, is := skipPyFolded(s, "is")
	s, second := skipPySpaces(s)
	s = strings.TrimLeft(s, "*")
	if !answer || !first || !is || !second || s == "" {
		return ""
	}
	if c := s[0] &^ 0x20; c >= 'A' && c <= 'D' {
		return eval.Choice(c)
	}
	return ""
}

// inferText is the kit's can_infer_text.
func (k Kit) inferText(options []eval.Option, text string) eval.Extraction {
	low := toPyLower(text)
	if k.Limit {
		sum := 0
		for _, o := range options {
			sum += utf8.RuneCountInString(o.Text)
		}
		if utf8.RuneCountInString(low) > 2*sum {
			return reading.NewNotFound(eval.Missing, "kit-none")
		}
	}
	held := eval.Select(options, func(o eval.Option) bool { return strings.Contains(low, toPyLower(o.Text)) })
	if len(held) == 1 {
		return reading.NewFound(held[0].Letter, "kit-text")
	}
	return reading.NewNotFound(eval.Missing, "kit-none")
}

// MMBench is step 1 of the MMBench paper (Sec. 3, App. D) as we read it: an option is matched by its
// letter as a word or by its content; exactly one option matched is the choice.
type MMBench struct{}

// mmbenchMarks may stand around a letter. Inside a sentence a bare A without any
// is skipped, since it may be an article; as the whole response it counts.
const mmbenchMarks = `()[].,:;*"`

// Version changes whenever the same text may be read otherwise.
func (MMBench) Version() string { return "2" }

func (MMBench) Read(options []eval.Option, text string) eval.Extraction {
	matched, alone := make([]bool, len(options)), strings.TrimSpace(text) == "A"
	for word := range strings.FieldsSeq(text) {
		if len(word) > 64 {
			continue
		}
		bare := strings.Trim(word, mmbenchMarks)
		for i, o := range options {
			if bare == string(o.Letter) && (bare != "A" || len(word) > 1 || alone) {
				matched[i] = true
			}
		}
	}
	low := strings.ToLower(text)
	var found []eval.Choice
	for i, o := range options {
		if matched[i] || containsWords(low, o.Text) {
			found = append(found, o.Letter)
		}
	}
	switch len(found) {
	case 0:
		return reading.NewNotFound(eval.Missing, "mmbench-none")
	case 1:
		return reading.NewFound(found[0], "mmbench-match")
	default:
		return reading.NewNotFound(eval.Ambiguous, "mmbench-several")
	}
}

// containsWords reports whether content stands in the lowered text as whole
// words, ignoring case and the punctuation around it.
func containsWords(low, content string) bool {
	content = strings.TrimFunc(strings.ToLower(content), func(r rune) bool {
		return unicode.IsPunct(r) || unicode.IsSpace(r)
	})
	if content == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(low[at:], content)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(content)
		before, _ := utf8.DecodeLastRuneInString(low[:start])
		after, _ := utf8.DecodeRuneInString(low[end:])
		first, _ := utf8.DecodeRuneInString(content)
		last, _ := utf8.DecodeLastRuneInString(content)
		joined := chars.IsWordRune(before) && chars.IsWordRune(first) || chars.IsWordRune(last) && chars.IsWordRune(after)
		if !joined {
			return true
		}
		at = start + max(1, utf8.RuneLen(first))
	}
}
