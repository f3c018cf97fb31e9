package extract

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/lexicon"
	"concord/eval/extract/token"
)

// How much of a text and of an option is compared.
const (
	longText   = 1000 // bytes of a text that is compared as a whole
	tailText   = 600  // bytes at the end of a longer one
	longOption = 160  // tokens of an option or a text
)

// contents are a text and the options as tokens.
type contents struct {
	answer  *answerText
	text    []token.Token
	options [][]token.Token // none of an option that the text lacks
	tail    bool            // the text is the end of a longer one
	heads   uint64          // see head: of the text's tokens

	// What holds all of them.
	buffer  []token.Token
	lowered []byte
	places  []tokenSpan
}

// pool keeps the buffers of contents between readings; nothing else of them survives.
var pool = sync.Pool{New: func() any { return new(contents) }}

// tokenizeContents gives the text and the options as tokens: none, if the text has no option's text but
// maybe those of some letters, as bits from A.
func (a *answerText) tokenizeContents(but uint32) *contents {
	c := pool.Get().(*contents)
	c.answer = a
	text, tail := tailOfLongText(a.text)
	c.tail = tail
	heads := token.NewHeads(text)
	if c.text, c.options = nil, c.options[:0]; !a.choices.mayOccurIn(&heads, but) {
		return c
	}
	c.buffer = token.AppendTokens(c.buffer[:0], c.toLower(text), longOption)
	c.text, c.heads = c.buffer, 0
	for i := range c.text {
		c.heads |= c.text[i].StartBit()
	}
	for i, o := range a.choices.options {
		c.options = append(c.options, nil)
		if option := foldOptionText(o.Text); heads.MayHoldOption(option) {
			c.options[i] = c.tokenizeOption(option)
		}
	}
	return c
}

// tailOfLongText is the text that is compared with the options, and whether it is the end of a longer one.
func tailOfLongText(s string) (text string, tail bool) {
	if len(s) <= longText {
		return s, false
	}
	text = s[len(s)-tailText:]
	return text[strings.IndexByte(text, ' ')+1:], true
}

// returnBuffers gives the buffers back.
func (c *contents) returnBuffers() {
	c.answer = nil
	pool.Put(c)
}

func (c *contents) toLower(s string) string {
	c.lowered = chars.AppendLower(c.lowered[:0], s)
	return string(c.lowered)
}

// tokenizeOption gives a folded option's tokens, but none if the text lacks the first
// one: then the option cannot be found in it.
func (c *contents) tokenizeOption(option string) []token.Token {
	n, low := len(c.buffer), c.toLower(option)
	first := token.AppendTokens(c.buffer, low, 1)
	if len(first) > n && c.heads&first[n].StartBit() != 0 {
		c.buffer = token.AppendTokens(c.buffer, low, longOption)
	}
	return c.buffer[n:]
}

// mayOccurIn reports whether a text of such heads may have an option's text. Options of some letters, as
// bits from A, do not count.
func (o *choices) mayOccurIn(heads *token.Heads, but uint32) bool {
	return slices.ContainsFunc(o.options, func(one eval.Option) bool { return !isOneOf(one, but) && heads.MayHoldOption(foldOptionText(one.Text)) })
}

// mayBeStated reports whether a text may have an option's text at its start, or behind a word that
// names the answer or joins it.
func (o *choices) mayBeStated(text string, but uint32) bool {
	firsts := token.Heads{}
	for _, one := range o.options {
		if !isOneOf(one, but) {
			firsts.AddFirstWordOf(foldOptionText(one.Text))
		}
	}
	for i := range chars.WordStarts(text) {
		if firsts.HasAt(text, i) {
			w := lastWordBefore(text, i)
			if w == "" || strings.Contains(w, "'") || lexicon.ClassOfWord(strings.TrimLeft(w, "0123456789"))&(lexicon.Copula|lexicon.Answer) != 0 {
				return true
			}
		}
	}
	return !chars.IsASCII(text)
}

// isOneOf reports whether an option is of one of the letters, as bits from A.
func isOneOf(o eval.Option, letters uint32) bool {
	return len(o.Letter) == 1 && letters>>(o.Letter[0]-'A')&1 != 0
}

// lastWordBefore is the last word before i that is no article, or empty.
func lastWordBefore(s string, i int) string {
	inWord := func(r rune) bool { return r > unicode.MaxASCII || chars.InWord[r] }
	end := strings.LastIndexFunc(s[:i], inWord) + 1
	start := strings.LastIndexFunc(s[:end], func(r rune) bool { return !inWord(r) }) + 1
	if token.IsArticle(s, start, end) {
		return lastWordBefore(s, start)
	}
	return s[start:end]
}

func foldOptionText(s string) string { return chars.FoldForRules(s[:min(len(s), longText)]) }

// findSpans finds the options' texts in the text as whole words. A text inside
// a longer one's place does not count: "dog" in "hot dog".
func (c *contents) findSpans() []tokenSpan {
	out := c.places[:0]
	for o, want := range c.options {
		if len(want) == 0 {
			continue
		}
		for i := 0; i+len(want) <= len(c.text); i++ {
			if c.text[i].Text == want[0].Text && !c.isListNumber(i) && !c.text[i+len(want)-1].Asked && equalTokens(c.text[i:i+len(want)], want) && c.areWholeTokens(i, i+len(want)) {
				out = append(out, tokenSpan{o, i, i + len(want)})
			}
		}
	}
	all := len(out)
	for _, s := range out[:all] {
		inside := false
		for _, t := range out[:all] {
			inside = inside || t.from <= s.from && s.to <= t.to && t.to-t.from > s.to-s.from
		}
		if !inside {
			out = append(out, s)
		}
	}
	c.places = out
	return out[all:]
}

// isListNumber reports whether a token is the number of a line in a list of them, or one
// of three numbers in a row.
func (c *contents) isListNumber(i int) bool {
	other := func(t token.Token) bool { return t.Item && t.Text != c.text[i].Text }
	number := func(k int) bool { return k >= 0 && k < len(c.text) && c.text[k].Kind == token.Number }
	return c.text[i].Item && slices.ContainsFunc(c.text, other) || number(i) && (number(i+1) && number(i+2) || number(i-1) && number(i-2) || number(i-1) && number(i+1))
}

// areWholeTokens reports whether nothing that belongs to the tokens from i to j
// stands beside them: a digit's fraction, a sign, a character of a word.
func (c *contents) areWholeTokens(i, j int) bool {
	first, last := c.text[i], c.text[j-1]
	if i > 0 {
		before := c.text[i-1]
		if first.Glued && first.Kind != token.Ideograph && before.Kind != token.Ideograph || before.Kind == token.Sign && before.Text != "=" && first.Kind == token.Number {
			return false
		}
		if first.Kind == token.Ideograph && j-i == 1 && before.Kind == token.Ideograph && first.Glued && !strings.Contains("是为只条头匹个隻选张位名块座把", before.Text) {
			return false
		}
	}
	if j < len(c.text) {
		after := c.text[j]
		if after.Glued && after.Kind != token.Ideograph && last.Kind != token.Ideograph || after.Kind == token.Sign && last.Kind == token.Number {
			return false
		}
		if last.Kind == token.Ideograph && j-i == 1 && after.Kind == token.Ideograph && after.Glued {
			return false
		}
	}
	return true
}

// Chinese writes without spaces, so its cues are endings of what stands before a letter and openings of
// what stands behind it. Full-width punctuation has been folded.

var chineseStates = []string{
	"答案是", "答案为", "答案应为", "答案应该是", "答案应是", "答案选", "答案选择", "答案应选", "答案", "正确选项是", "正确选项为",
	"正确的是", "正确的选项是", "正确的选项为", "正确答案是选项", "答案是选项", "答案为选项", "应该是选项", "答", "应选", "应选择", "故选", "故选择", "因此选", "因此选择",
	"所以选", "所以选择", "我选", "我选择", "选择", "选择选项", "我会选", "我会选择", "应该选", "应该选择", "选", "最佳选项是", "最佳答案是",
	"正确答案", "正解は", "答えは", "정답은", "답은", "الصحيحة هي", "الإجابة هي", "结论是", "最合适的是", "最符合的是", "最合适的选项是", "最符合的选项是",
}

var chineseDenies = []string{"不选", "不是", "不应选", "排除", "排除选项", "并非", "不会是", "不可能是", "而非", "不是选项", "不能选", "除了", "不选择", "错误的是", "不正确的是"}

var chineseRight = []string{"가 맞", "이 맞", "가 정답", "이 정답", "选项是正确", "是正确", "正确", "选项正确", "项正确", "为正确", "是对的", "对", "是最佳", "是答案", "选项符合", "最合适", "最符合"}

var chineseWrong = []string{"不", "错", "是错", "选项不", "选项错", "选项是错", "项错", "项不", "并不", "是不", "都不", "均不", "被排除", "可以排除", "排除", "有误", "ではな", "가 아", "이 아", "는 아", "은 아", "일 수", "보다", "도 "}

// gradeByChineseBefore grades a mark by the Chinese text that ends at j. It reports whether there was any.
func (a *answerText) gradeByChineseBefore(m *mark, j int) bool {
	s := a.text
	for j > 0 && (s[j-1] == ':' || chars.Kind[s[j-1]]&(chars.Space|chars.Wrap) != 0) {
		j--
	}
	if j < 3 || s[j-1] < 0x80 {
		return false
	}
	head := s[max(0, j-30):j]
	ends := func(w string) bool { return strings.HasSuffix(head, w) }
	if slices.ContainsFunc(chineseDenies, ends) {
		m.negated = true
		return true
	}
	if slices.ContainsFunc(chineseStates, ends) {
		m.grade = max(m.grade, stated)
		m.iffy = m.iffy || strings.Contains(head, "如果")
		return true
	}
	if !slices.ContainsFunc([]string{"选项", "是", "为"}, ends) || ends("因为") {
		return false
	}
	m.grade = max(m.grade, mention)
	if i := strings.LastIndex(head, "答案"); i >= 0 && !strings.ContainsAny(head[i:], ".,;!?\n") && !strings.Contains(head[i:], "不") {
		m.grade = max(m.grade, stated)
	}
	return true
}

// gradeByChineseAfter reads what Chinese text says of a letter. It reports whether there was any.
func (a *answerText) gradeByChineseAfter(m *mark, i int) bool {
	s := a.text
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if i >= len(s) || s[i] < 0x80 {
		return false
	}
	rest := s[i:]
	if strings.HasPrefix(rest, "吗") || strings.HasPrefix(rest, "还是") {
		m.iffy = true
		return true
	}
	m.rival = m.rival || strings.HasPrefix(rest, "也") && !strings.HasPrefix(rest, "也不")
	begins := func(w string) bool { return strings.HasPrefix(rest, w) }
	switch {
	case slices.ContainsFunc(chineseWrong, begins):
		m.negated = true
	case slices.ContainsFunc(chineseRight, begins):
		m.grade = max(m.grade, picked)
	default:
		return m.delimited
	}
	return true
}

// chineseJoins go on with a list.
var chineseJoins = []string{"和", "或", "与", "及", "以及", "或者", "还是", "和选项", "或选项", "跟", "または", "と", "や", "또는", "か", "와", "과", "이나"}
