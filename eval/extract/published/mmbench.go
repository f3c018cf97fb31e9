package published

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/reading"
)

// MMBench is step 1 of the MMBench paper (Sec. 3, App. D) as we read it: an
// option is matched by its letter as a word or by its content; exactly one
// option matched is the choice.
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
	for i, o := range options {
		matched[i] = matched[i] || containsWords(low, o.Text)
	}
	var choice eval.Choice
	n := 0
	for i, m := range matched {
		if m {
			n++
			choice = options[i].Letter
		}
	}
	switch n {
	case 0:
		return reading.NewNotFound(eval.Missing, "mmbench-none")
	case 1:
		return reading.NewFound(choice, "mmbench-match")
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
		if !chars.AreJoined(before, first) && !chars.AreJoined(last, after) {
			return true
		}
		at = start + max(1, utf8.RuneLen(first))
	}
}
