package extract

import (
	"strings"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/reading"
)

// concordYesNoRules is the default rule set for yes/no samples. The leading word decides, "Yes, there
// is ... there is no ..." is a yes; without one the last thing that is said to be the answer does.
type concordYesNoRules struct{}

func (concordYesNoRules) Version() string { return "1" }

func (concordYesNoRules) Read(_ []eval.Option, text string) eval.Extraction {
	s := chars.FoldForRules(text)
	if chars.IsBlank(s) {
		return reading.NewNotFound(eval.Missing, "empty")
	}
	if r, ok := reading.ReadErrorMessage(s); ok {
		return reading.NewNotFound(r.Status, r.Method)
	}
	if c, next := readYesNoAt(s, 0); c != "" {
		if o, _ := readYesNoAt(s, skipYesNoJoin(s, next)); o != "" && o != c {
			return reading.NewNotFound(eval.Ambiguous, "both")
		}
		return reading.NewFound(c, "opening")
	}
	if strings.HasPrefix(s, "答") || strings.HasPrefix(s, "回答") {
		if c, _ := readYesNoAt(s, strings.Index(s, "答")+len("答")); c != "" {
			return reading.NewFound(c, "opening")
		}
	}
	if c := findStatedYesNo(s); c != "" {
		return reading.NewFound(c, "stated")
	}
	if r, ok := reading.ReadRefusal(s); ok {
		return reading.NewNotFound(r.Status, r.Method)
	}
	if c := readClosingYesNo(s); c != "" {
		return reading.NewFound(c, "closing")
	}
	return reading.NewNotFound(eval.Missing, "nothing")
}

// readYesNoAt reads yes or no as the word at i, with whatever marks before it, and returns where it ends.
func readYesNoAt(s string, i int) (eval.Choice, int) {
	for i < len(s) {
		switch k := chars.Kind[s[i]]; {
		case k&(chars.Space|chars.Wrap) != 0 || s[i] == '#' || s[i] == '-' || s[i] == ':' || s[i] == '>':
			i++
			continue
		case s[i] == '\\':
			i++
			for i < len(s) && chars.Kind[s[i]]&chars.Letter != 0 {
				i++
			}
			continue
		case s[i] == '<':
			if end := strings.IndexByte(s[i:], '>'); end > 0 && end < 24 {
				i += end + 1
				continue
			}
		case k&chars.Wide != 0:
			return readChineseYesNoAt(s, i)
		}
		break
	}
	end := i
	for end < len(s) && (chars.Kind[s[end]]&chars.Word != 0 || s[end] == '\'' && end > i && end+1 < len(s) && chars.Kind[s[end+1]]&chars.Letter != 0) {
		end++
	}
	if end-i > 5 || chars.IsWordAt(s, end) || end < len(s) && s[end] == '-' && chars.IsWordAt(s, end+1) {
		return "", end
	}
	switch strings.ToLower(s[i:end]) {
	case "yes", "yeah", "yep", "yup":
		return eval.Yes, end
	case "no", "nope", "nah":
		// "No. 4", "no one", "no problem" are no answers.
		if end+1 < len(s) && (s[end] == ' ' && !strings.HasPrefix(s[end+1:], "there") && isNegatedNoun(s[end+1:])) {
			return "", end
		}
		return eval.No, end
	case "y", "n":
		if chars.IsBlank(strings.Trim(s[end:], ".*\"'`$)]}")) {
			return map[byte]eval.Choice{'y': eval.Yes, 'n': eval.No}[chars.ToLower(s[i])], end
		}
	}
	return "", end
}

// isNegatedNoun reports whether "no" denies what follows it instead of
// answering: a lower-case word that no sentence opens with.
func isNegatedNoun(rest string) bool {
	w, _ := nextWord(rest, 0)
	switch strings.ToLower(w) {
	case "the", "it", "this", "that", "there", "he", "she", "they", "i", "you", "we", "because", "in", "not", "since", "as",
		"based", "these", "those", "and", "or", "but", "its", "his", "her", "a", "an", "according", "yes", "no", "if":
		return false
	}
	return w != "" && chars.Kind[w[0]]&chars.Lower != 0
}

// skipYesNoJoin skips what may stand between "yes" and "no" if both are said.
func skipYesNoJoin(s string, i int) int {
	for i < len(s) && strings.IndexByte(" ,;/&|_.*\"'", s[i]) >= 0 {
		i++
	}
	for _, w := range [...]string{"and ", "or ", "and/or "} {
		if len(s)-i >= len(w) && strings.EqualFold(s[i:i+len(w)], w) {
			return i + len(w)
		}
	}
	return i
}

// chineseYesNoWords are looked for in their order, which has longer ones first.
var chineseYesNoWords = []struct {
	choice eval.Choice
	words  []string
}{
	{"", strings.Fields("是否 是不是 有没有 有可能 不确定 不知道 不清楚 不能 不好说 不一定 没法 没有办法 没有足够 对不起 对于 有些")},
	{eval.No, strings.Fields("不可以 不是 不对 不正确 不存在 没有 否 错误 不 没 并非 并不")},
	{eval.Yes, strings.Fields("是 有 对 正确 存在 可以")},
}

func readChineseYesNoAt(s string, i int) (eval.Choice, int) {
	for _, of := range chineseYesNoWords {
		for _, w := range of.words {
			if strings.HasPrefix(s[i:], w) {
				return of.choice, i + len(w)
			}
		}
	}
	return "", i
}

// maxCues bounds how many places that name an answer are looked at.
const maxCues = 32

// findStatedYesNo finds the last yes or no that is said to be the answer.
func findStatedYesNo(s string) eval.Choice {
	cues := 0
	for i := len(s) - 1; i >= 0 && cues < maxCues; i-- {
		rest := answerCueLen(s[i:])
		if rest < 0 {
			continue
		}
		cues++
		if c, next := readYesNoAt(s, i+rest); c != "" {
			if o, _ := readYesNoAt(s, skipYesNoJoin(s, next)); o == "" || o == c {
				return c
			}
		}
	}
	return ""
}

// answerCueLen is the length of the words at the start of s that name an answer, or -1.
func answerCueLen(s string) int {
	n := -1
	for _, w := range [...]string{"answer", "boxed{", "答案"} {
		if len(s) >= len(w) && chars.ToLower(s[0]) == w[0] && strings.EqualFold(s[:len(w)], w) {
			n = len(w)
		}
	}
	if n < 0 {
		return n
	}
	for _, w := range [...]string{" to the question", " to this question", " would be", " should be", " must be", " is", "是", "为"} {
		if len(s)-n >= len(w) && strings.EqualFold(s[n:n+len(w)], w) {
			n += len(w)
		}
	}
	return n
}

// readClosingYesNo reads the last word, if it is an answer alone on its line or after a colon.
func readClosingYesNo(s string) eval.Choice {
	s = strings.TrimRight(s, " \n\r\t.!*_\"'`")
	i := len(s)
	for i > 0 && chars.Kind[s[i-1]]&chars.Letter != 0 {
		i--
	}
	before := strings.TrimRight(s[:i], " *_\"'`")
	if before != "" && !strings.HasSuffix(before, "\n") && !strings.HasSuffix(before, ":") {
		return ""
	}
	c, _ := readYesNoAt(s, i)
	return c
}
