package extract

import (
	"slices"
	"strings"
	"sync"

	"concord/eval"
	"concord/eval/extract/chars"
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
	options [][]token.Token // none of an option whose first one the text lacks
	tail    bool            // the text is the end of a longer one
	heads   uint64          // see head: of the text's tokens

	// What holds all of them.
	buffer  []token.Token
	lowered []byte
	ends    []int
	places  []tokenSpan
}

// pool keeps the buffers of contents between readings; nothing else of them
// survives.
var pool = sync.Pool{New: func() any { return new(contents) }}

func (a *answerText) tokenizeContents() *contents {
	c := pool.Get().(*contents)
	c.answer = a
	text := a.text
	if c.tail = len(text) > longText; c.tail {
		text = text[len(text)-tailText:]
		text = text[strings.IndexByte(text, ' ')+1:]
	}
	low := c.lowerText(text, a.choices.options)
	c.buffer = token.AppendTokens(c.buffer[:0], low[:c.ends[0]], longOption)
	n := len(c.buffer)
	c.heads = 0
	for i := range c.buffer {
		c.heads |= c.buffer[i].HeadBit()
	}
	for i := range a.choices.options {
		c.appendOption(low[c.ends[i]:c.ends[i+1]])
		c.ends[i] = len(c.buffer)
	}
	c.text, c.options = c.buffer[:n:n], c.options[:0]
	for i := range a.choices.options {
		end := c.ends[i]
		c.options = append(c.options, c.buffer[n:end:end])
		n = end
	}
	return c
}

// release gives the buffers back.
func (c *contents) release() {
	c.answer = nil
	pool.Put(c)
}

// lowerText is the text and the options behind it in lower case, in one string,
// and notes where each ends.
func (c *contents) lowerText(text string, options []eval.Option) string {
	c.lowered = chars.AppendLower(c.lowered[:0], text)
	c.ends = append(c.ends[:0], len(c.lowered))
	for i := range options {
		c.lowered = chars.AppendLower(c.lowered, foldOption(options[i].Text))
		c.ends = append(c.ends, len(c.lowered))
	}
	return string(c.lowered)
}

// appendOption appends an option's tokens, but none if the text lacks the
// first one: then the option cannot be found in it.
func (c *contents) appendOption(low string) {
	n := len(c.buffer)
	c.buffer = token.AppendTokens(c.buffer, low, 1)
	if len(c.buffer) == n {
		return
	}
	lacks := c.heads&c.buffer[n].HeadBit() == 0
	if c.buffer = c.buffer[:n]; !lacks {
		c.buffer = token.AppendTokens(c.buffer, low, longOption)
	}
}

func foldOption(s string) string {
	return chars.FoldText(s[:min(len(s), longText)])
}

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
