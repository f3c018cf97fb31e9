package judge

import (
	"strings"

	"concord/eval"
	"concord/eval/prompt"
)

// Score reads how similar a reply finds an answer to its reference: one digit
// from 1 to eval.TopScore, which is all of the reply, in brackets, quotes,
// markdown, full-width form or behind "Score:" at most. A digit within prose
// says nothing, nor does one that was cut off: it may be the first of two.
func Score(r eval.Reply) (int, prompt.Wrong) {
	text, wrong := final(r.Text)
	if wrong != prompt.WrongUnset {
		return 0, wrong
	}
	if strings.ContainsRune(text, '\n') || r.Finish == "length" {
		return 0, prompt.WrongWordy
	}
	line := bare(text)
	if rest, ok := strings.CutPrefix(capital(line), "SCORE"); ok {
		if rest = strings.TrimSpace(rest); rest != "" && (rest[0] == ':' || rest[0] == '=') {
			line = bare(rest[1:])
		}
	}
	digits := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" ,/;|&-", r) })
	switch {
	case len(line) == 1 && line[0] >= '1' && line[0] <= '0'+eval.TopScore:
		return int(line[0] - '0'), prompt.WrongUnset
	case len(digits) > 1 && isNumber(digits[0]) && isNumber(digits[len(digits)-1]):
		return 0, prompt.WrongSeveral
	case isNumber(line):
		return 0, prompt.WrongInvalid
	}
	return 0, prompt.WrongWordy
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789.") == "" }
