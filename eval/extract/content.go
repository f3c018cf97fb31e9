package extract

import (
	"strings"

	"concord/eval"
)

// A text that says what it means without a letter is compared with the
// options' texts, token by token.
const (
	shortText = 40 // tokens in which a contained option counts
	shorter   = 12 // tokens in which a contained number counts
)

// span is where an option's tokens stand in a text's.
type span struct{ option, from, to int }

// same reads a text that is one option's text and nothing else.
func (p *page) same(c *contents) (reading, bool) {
	if len(c.text) == 0 || c.tail {
		return p.sameBytes()
	}
	at := -1
	for i, o := range c.options {
		if !equalTokens(c.text, o) {
			continue
		}
		if at >= 0 {
			return p.sameBytes()
		}
		at = i
	}
	if at < 0 {
		return reading{}, false
	}
	return p.content(at, "content")
}

// sameBytes tells options apart that differ in case or punctuation only.
func (p *page) sameBytes() (reading, bool) {
	want := strings.TrimSpace(p.text)
	at := -1
	for i, o := range p.options {
		if strings.TrimSpace(foldOption(o.Text)) == want {
			if at >= 0 {
				return abstains(eval.Ambiguous, "same-options"), true
			}
			at = i
		}
	}
	if at < 0 {
		return reading{}, false
	}
	return p.content(at, "content")
}

func (p *page) content(i int, method string) (reading, bool) {
	if p.options[i].Letter == "" {
		return reading{}, false
	}
	return p.chosen(i, method), true
}

// says reads an option's text that is said to be the answer, or that opens a
// text, or that alone is contained in a short one.
func (p *page) says(c *contents) (reading, bool) {
	spans := c.spans()
	if e, ok := p.leads(c, spans); ok {
		return e, ok
	}
	if c.tail || len(c.text) > shortText {
		return p.ends(c, spans)
	}
	if len(c.text) == 0 {
		return reading{}, false
	}
	at, method := -1, "contained"
	for _, s := range spans {
		if c.denied(s) || c.plainWord(s) {
			continue
		}
		if at >= 0 && at != s.option {
			return abstains(eval.Ambiguous, "several-contained"), true
		}
		at = s.option
	}
	if at < 0 {
		return reading{}, false
	}
	return p.content(at, method)
}

// leads reads an option's text at the start of a text or right behind "the
// answer is", if a clause ends with it.
func (p *page) leads(c *contents, spans []span) (reading, bool) {
	at, method := -1, "content-stated"
	for _, s := range spans {
		ends := s.to == len(c.text) || c.text[s.to].starts
		if !ends || c.asked() {
			continue
		}
		if (s.from != 0 || c.tail) && !c.cued(s.from) || c.denied(s) {
			continue
		}
		if c.enumerated(spans, s) {
			return abstains(eval.Ambiguous, "several-contained"), true
		}
		if s.from == 0 && at < 0 {
			method = "content-opening"
		}
		if at >= 0 && at != s.option {
			return abstains(eval.Ambiguous, "several-contained"), true
		}
		at = s.option
	}
	if at < 0 {
		return reading{}, false
	}
	if method == "content-opening" && c.others(spans, at) {
		return abstains(eval.Ambiguous, "several-contained"), true
	}
	return p.content(at, method)
}

// enumerated reports whether another option stands right behind a span, as
// in a list.
func (c *contents) enumerated(spans []span, s span) bool {
	for _, t := range spans {
		if t.option == s.option || t.from < s.to || t.from > s.to+1 || c.denied(t) {
			continue
		}
		if t.from == s.to || wordClass(c.text[s.to].text)&joins != 0 {
			return true
		}
	}
	return false
}

// others reports whether another option than the one stands among the first
// words, too.
func (c *contents) others(spans []span, option int) bool {
	for _, s := range spans {
		if s.option != option && s.from < shortText && !c.denied(s) && !c.plainWord(s) {
			return true
		}
	}
	return false
}

// ends reads an option's text that a sentence of a longer text ends with,
// "the capital is Oslo.", if that is the first sentence or the last and no
// other option is said so.
func (p *page) ends(c *contents, spans []span) (reading, bool) {
	at := -1
	for _, s := range spans {
		if s.from == 0 || s.to < len(c.text) && !c.text[s.to].stop || c.denied(s) || wordClass(c.text[s.from-1].text)&copula == 0 {
			continue
		}
		if first, last := c.sentences(s); !last && (!first || c.tail) {
			continue
		}
		if at >= 0 && at != s.option {
			return abstains(eval.Ambiguous, "several-contained"), true
		}
		at = s.option
	}
	if at < 0 {
		return reading{}, false
	}
	return p.content(at, "content-ending")
}

// sentences reports whether a span stands in the first sentence or the last.
func (c *contents) sentences(s span) (first, last bool) {
	first, last = true, true
	for i, t := range c.text {
		if t.stop && i > 0 {
			first = first && i > s.from
			last = last && i <= s.from
		}
	}
	return first, last
}

// asked reports whether the text speaks of several options.
func (c *contents) asked() bool {
	return len(c.text) > 0 && (c.text[0].text == "both" || c.text[0].text == "either")
}

// cued reports whether the words before i say that the answer follows.
func (c *contents) cued(i int) bool {
	if i > 0 && (c.text[i-1].text == "boxed" || c.text[i-1].text == "fbox") {
		return true
	}
	colon, joined := c.text[i].starts && i > 0, false
	for k := i - 1; k >= 0 && i-k < 8; k-- {
		w := wordClass(c.text[k].text)
		switch {
		case w&(negates|wrong|iffy) != 0:
			return false
		case w&copula != 0:
			joined = true
		case w&answer != 0:
			return joined || colon
		case w&option != 0:
			return joined
		case w&(filler|right) != 0:
		default:
			return c.chineseCued(i)
		}
	}
	return c.chineseCued(i)
}

func (c *contents) chineseCued(i int) bool {
	var b strings.Builder
	for k := max(0, i-4); k < i; k++ {
		b.WriteString(c.text[k].text)
	}
	s := b.String()
	return strings.HasSuffix(s, "答案是") || strings.HasSuffix(s, "答案为") || strings.HasSuffix(s, "答案") || strings.HasSuffix(s, "我选") || strings.HasSuffix(s, "应该是")
}

// spans finds the options' texts in the text as whole words. A text inside
// a longer one's place does not count: "dog" in "hot dog".
func (c *contents) spans() []span {
	out := c.places[:0]
	for o, want := range c.options {
		if len(want) == 0 {
			continue
		}
		for i := 0; i+len(want) <= len(c.text); i++ {
			if c.text[i].text == want[0].text && !c.text[i+len(want)-1].asked && equalTokens(c.text[i:i+len(want)], want) && c.whole(i, i+len(want)) {
				out = append(out, span{o, i, i + len(want)})
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

// whole reports whether nothing that belongs to the tokens from i to j
// stands beside them: a digit's fraction, a sign, a character of a word.
func (c *contents) whole(i, j int) bool {
	first, last := c.text[i], c.text[j-1]
	if i > 0 {
		before := c.text[i-1]
		if first.glued && first.kind != ideograph && before.kind != ideograph || before.kind == sign && first.kind == number {
			return false
		}
		if first.kind == ideograph && j-i == 1 && before.kind == ideograph && first.glued && !strings.Contains("是为只条头匹个隻选张位名块座把", before.text) {
			return false
		}
	}
	if j < len(c.text) {
		after := c.text[j]
		if after.glued && after.kind != ideograph && last.kind != ideograph || after.kind == sign && last.kind == number {
			return false
		}
		if last.kind == ideograph && j-i == 1 && after.kind == ideograph && after.glued {
			return false
		}
	}
	return true
}

// denied reports whether the words right before a span turn it down.
func (c *contents) denied(s span) bool {
	for k := s.from - 1; k >= 0 && s.from-k <= 4 && c.text[k].text != "but"; k-- {
		if w := c.text[k]; wordClass(w.text)&negates != 0 || w.text == "no" && !c.text[k+1].starts || strings.Contains("不非没", w.text) {
			return true
		}
		if c.text[k+1].starts {
			return false
		}
	}
	for k := s.to; k < len(c.text) && k-s.to < 5 && !c.text[k].starts; k++ {
		if w := wordClass(c.text[k].text); w&(negates|wrong) != 0 {
			return true
		}
	}
	return false
}

// plainWord reports whether a span is so common a word that it does not name
// an option from the middle of a sentence.
func (c *contents) plainWord(s span) bool {
	if s.to-s.from != 1 {
		return false
	}
	t := c.text[s.from]
	if t.kind == number && len(c.text) > shorter {
		return true
	}
	switch t.text {
	case "yes", "no", "true", "false", "right", "correct", "none", "both", "all", "other", "others", "or", "and", "up", "down", "in", "on":
		return true
	}
	return t.kind == word && len(t.text) < 3 || t.kind == ideograph && strings.Contains("是否有对错不没", t.text)
}

func equalTokens(a, b []token) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].text != b[i].text {
			return false
		}
	}
	return true
}
