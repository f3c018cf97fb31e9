package extract

import (
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/lexicon"
	"concord/eval/extract/reading"
	"concord/eval/extract/token"
)

// A text that says what it means without a letter is compared with the options' texts, token by token.
const (
	shortText = 40 // tokens in which a contained option counts
	shorter   = 12 // tokens in which a contained number counts

	saysItself = 8 // tokens of an option that a sentence ends with by no chance
)

// tokenSpan is where an option's tokens stand in a text's.
type tokenSpan struct{ option, from, to int }

// matchWholeText reads a text that is one option's text and nothing else.
func (c *contents) matchWholeText() (reading.Reading, bool) {
	if len(c.text) == 0 || c.tail {
		return c.answer.matchExactBytes()
	}
	at, several := c.answer.choices.lastSuchOption(func(i int) bool { return equalTokens(c.text, c.options[i]) })
	switch {
	case several:
		return c.answer.matchExactBytes()
	case at < 0:
		return reading.Reading{}, false
	}
	return c.answer.choices.chooseIfLettered(at, "content")
}

// matchExactBytes tells options apart that differ in case or punctuation only.
func (a *answerText) matchExactBytes() (reading.Reading, bool) {
	want := strings.TrimSpace(a.text)
	at, several := a.choices.lastSuchOption(func(i int) bool { return strings.TrimSpace(foldOptionText(a.choices.options[i].Text)) == want })
	switch {
	case several:
		return reading.NewAbstention(eval.Ambiguous, "same-options"), true
	case at < 0:
		return reading.Reading{}, false
	}
	return a.choices.chooseIfLettered(at, "content")
}

// readStatedText reads an option's text that is said to be the answer, or that opens a
// text, or that alone is contained in a short one.
func (c *contents) readStatedText() (reading.Reading, bool) {
	spans := c.findSpans()
	if e, ok := c.readLeadingText(spans); ok {
		return e, ok
	}
	if c.tail || len(c.text) > shortText {
		return c.readEndingText(spans)
	}
	if len(c.text) == 0 {
		return reading.Reading{}, false
	}
	at, asserted := -1, false
	for _, s := range spans {
		if c.isDeniedBefore(s) || c.isCommonWord(s) {
			continue
		}
		if at >= 0 && at != s.option || c.hasAnotherEnding(s) || c.standsAmongNumbers(s) {
			return reading.NewAbstention(eval.Ambiguous, "several-contained"), true
		}
		at, asserted = s.option, asserted || c.mayBeAsserted(s)
	}
	if !asserted {
		return reading.Reading{}, false
	}
	return c.answer.choices.chooseIfLettered(at, "contained")
}

// mayBeAsserted reports whether an option's text in the middle of a sentence may say what is so: no question,
// no supposition, and no part of a quotation or of a longer name, as the dog of "the dog bowl is empty".
func (c *contents) mayBeAsserted(s tokenSpan) bool {
	if c.text[s.from].Quoted {
		return false
	}
	for k := s.to - 1; k < len(c.text) && (k < s.to || !c.text[k].Stop); k++ {
		if c.text[k].Asked || k > s.to && c.text[s.from].Kind == token.Number && c.text[k].Kind == token.Number && lexicon.ClassOfWord(c.text[k-1].Text)&lexicon.Joins != 0 {
			return false // "12 in the front and 6 in the back"
		}
	}
	states := c.text[s.from].Starts // something: the sentence has a verb that does
	for k := s.from; k > 0 && !c.text[k].Starts; k-- {
		w := lexicon.ClassOfWord(c.text[k-1].Text)
		if w&lexicon.Iffy != 0 || k > 1 && c.text[k-1].Text == "say" && c.text[k-2].Text == "could" {
			return false
		}
		states = states || w&(lexicon.Copula|lexicon.Shows|lexicon.Chooses|lexicon.Answer) != 0
	}
	if slices.ContainsFunc(c.text[s.from+1:s.to], func(t token.Token) bool { return lexicon.ClassOfWord(t.Text)&lexicon.Copula != 0 }) {
		return true // it has a verb of its own: "point A is closer to the camera"
	}
	before, after := lexicon.Plain, lexicon.Plain
	if s.from > 0 {
		before = lexicon.ClassOfWord(c.text[s.from-1].Text)
	}
	if s.to < len(c.text) {
		after = lexicon.ClassOfWord(c.text[s.to].Text)
	}
	switch {
	case (before|after)&lexicon.Joins != 0, after&lexicon.Iffy != 0: // one of several things, or on a condition
		return false
	case c.text[s.from].Kind == token.Number && s.from > 0 && slices.Contains(bounds, c.text[s.from-1].Text):
		return false
	case before&(lexicon.Copula|lexicon.Shows|lexicon.Chooses|lexicon.Answer|lexicon.Option) != 0, s.from > 0 && c.text[s.from-1].Kind == token.Sign:
		return true
	case s.to == len(c.text) || c.text[s.to].Starts || c.text[s.to].Kind != token.Word:
		return s.from == 0 || !isTopicWord(c.text[s.from-1].Text, states)
	case after&lexicon.Copula != 0:
		return c.text[s.from].Starts
	}
	return after&(lexicon.Follows|lexicon.Negates) != 0
}

// reservations stand behind an option's text that a response opens with and does not
// settle on: "fear? Or surprise", "yes, unless it is drawn to scale".
var reservations = []string{"or", "if", "unless"}

// bounds stand before a number that is a bound and no answer: "at least 12".
var bounds = []string{"least", "than", "over", "under", "als", "至", "少"}

// isTopicWord reports whether what stands behind a word is spoken of and not stated, as
// behind a preposition in a sentence that states nothing.
func isTopicWord(w string, states bool) bool {
	return slices.Contains([]string{"about", "mention", "mentions", "mentioned"}, w) || !states && slices.Contains([]string{"in", "of", "for"}, w)
}

// hasAnotherEnding reports whether the end of another option stands behind a span: "it
// goes to the left or to the right".
func (c *contents) hasAnotherEnding(s tokenSpan) bool {
	if s.to >= len(c.text) || lexicon.ClassOfWord(c.text[s.to].Text)&lexicon.Joins == 0 {
		return false
	}
	rest := c.text[s.to+1:]
	for o, option := range c.answer.choices.options {
		want := c.tokenizeOption(foldOptionText(option.Text))
		for k := 1; o != s.option && k < len(want); k++ {
			if n := len(want) - k; n <= len(rest) && equalTokens(want[k:], rest[:n]) && (n == len(rest) || rest[n].Starts) {
				return true
			}
		}
	}
	return false
}

// standsAmongNumbers reports whether another option's number stands among numbers in a row,
// beside a number: "$13,500 − $12,300 = $1,200".
func (c *contents) standsAmongNumbers(s tokenSpan) bool {
	return c.text[s.from].Kind == token.Number && slices.ContainsFunc(c.options, func(want []token.Token) bool {
		return len(want) == 1 && want[0].Text != c.text[s.from].Text && slices.ContainsFunc(c.text, func(t token.Token) bool { return t.Text == want[0].Text && !t.Item })
	}) && strings.Contains(c.answer.text, "=")
}

// readLeadingText reads an option's text at the start of a text or right behind "the
// answer is", if a clause ends with it.
func (c *contents) readLeadingText(spans []tokenSpan) (reading.Reading, bool) {
	at, method := -1, "content-stated"
	for _, s := range spans {
		ends := s.to == len(c.text) || c.text[s.to].Starts
		if !ends || len(c.text) > 0 && (c.text[0].Text == "both" || c.text[0].Text == "either") {
			continue
		}
		if (s.from != 0 || c.tail) && !c.hasCueBefore(s.from) || c.isDeniedBefore(s) {
			continue
		}
		if c.isEnumerated(spans, s) || s.from == 0 && s.to < len(c.text) && slices.Contains(reservations, c.text[s.to].Text) {
			return reading.NewAbstention(eval.Ambiguous, "several-contained"), true
		}
		if s.from == 0 && at < 0 {
			method = "content-opening"
		}
		if at >= 0 && at != s.option {
			return reading.NewAbstention(eval.Ambiguous, "several-contained"), true
		}
		at = s.option
	}
	if at < 0 {
		return reading.Reading{}, false
	}
	if method == "content-opening" && c.hasOtherLeading(spans, at) || c.isCorrected(spans, at) {
		return reading.NewAbstention(eval.Ambiguous, "several-contained"), true
	}
	return c.answer.choices.chooseIfLettered(at, method)
}

// isEnumerated reports whether another option stands right behind a span, as in a list.
func (c *contents) isEnumerated(spans []tokenSpan, s tokenSpan) bool {
	return slices.ContainsFunc(spans, func(t tokenSpan) bool {
		joined := t.from == s.to || t.from == s.to+1 && lexicon.ClassOfWord(c.text[s.to].Text)&lexicon.Joins != 0
		return joined && t.option != s.option && !c.isDeniedBefore(t)
	})
}

// hasOtherLeading reports whether another option than the one stands among the first words, too.
func (c *contents) hasOtherLeading(spans []tokenSpan, option int) bool {
	return slices.ContainsFunc(spans, func(s tokenSpan) bool {
		return s.option != option && s.from < shortText && !c.isDeniedBefore(s) && !c.isCommonWord(s)
	})
}

// namesSeveral reports whether the text says the texts of several options.
func (c *contents) namesSeveral() bool {
	spans := c.findSpans()
	return len(spans) > 0 && c.hasOtherLeading(spans, spans[0].option)
}

// isCorrected reports whether a text takes an option back, and says another one
// behind: "a cat. Or rather, no, it could be a dog".
func (c *contents) isCorrected(spans []tokenSpan, option int) bool {
	behind := false
	for i, t := range c.text {
		behind = behind || i > 0 && t.Starts && lexicon.ClassOfWord(t.Text)&lexicon.Corrects != 0
		if behind && slices.ContainsFunc(spans, func(s tokenSpan) bool { return s.from == i && s.option != option && !c.isDeniedBefore(s) }) {
			return true
		}
	}
	return false
}

// readEndingText reads an option's text that a sentence of a longer text ends with, "the capital is
// Oslo.", if that is the first sentence or the last and no other option is said so.
func (c *contents) readEndingText(spans []tokenSpan) (reading.Reading, bool) {
	at, method := -1, "content-ending"
	for _, s := range spans {
		if s.from == 0 || s.to < len(c.text) && !c.text[s.to].Stop || c.isDeniedBefore(s) || lexicon.ClassOfWord(c.text[s.from-1].Text)&lexicon.Copula == 0 && s.to-s.from < saysItself {
			continue
		}
		if first, last := c.isInFirstOrLastSentence(s); !last && (!first || c.tail) {
			continue
		}
		long := lexicon.ClassOfWord(c.text[s.from-1].Text)&lexicon.Copula == 0
		if at >= 0 && at != s.option || long && slices.ContainsFunc(spans, func(t tokenSpan) bool { return t.option != s.option }) {
			return reading.NewAbstention(eval.Ambiguous, "several-contained"), true
		}
		if at = s.option; c.isConclusion(s.from) {
			method = "content-concluded"
		}
	}
	if at < 0 {
		return reading.Reading{}, false
	}
	return c.answer.choices.chooseIfLettered(at, method)
}

// isConclusion reports whether the sentence in which token i stands closes a reasoning.
func (c *contents) isConclusion(i int) bool {
	for i > 0 && !c.text[i].Stop {
		i--
	}
	return lexicon.ClassOfWord(c.text[i].Text)&lexicon.Concludes != 0
}

// mayHoldConclusion reports whether a sentence of s may open with a word that closes a reasoning.
func mayHoldConclusion(s string) bool {
	opens := true
	for i := 0; i < len(s); i++ {
		k, end := chars.Kind[s[i]], i
		for opens && end < len(s) && chars.Kind[s[end]]&chars.Word != 0 {
			end++
		}
		switch w := s[i:end]; {
		case w == "":
			opens = opens || k&chars.End != 0
		case lexicon.ClassOfWord(w)&lexicon.Concludes != 0:
			return true
		default:
			opens, i = slices.Contains(articles, strings.ToLower(w)), end-1
		}
	}
	return false
}

var articles = []string{"a", "an", "the"}

// isInFirstOrLastSentence reports whether a span stands in the first sentence or the last.
func (c *contents) isInFirstOrLastSentence(s tokenSpan) (first, last bool) {
	first, last = true, true
	for i, t := range c.text {
		if t.Stop && i > 0 {
			first = first && i > s.from
			last = last && i <= s.from
		}
	}
	return first, last
}

// hasCueBefore reports whether the words before i say that the answer follows.
func (c *contents) hasCueBefore(i int) bool {
	if i > 0 && (c.text[i-1].Text == "boxed" || c.text[i-1].Text == "fbox") {
		return true
	}
	colon, joined := c.text[i].Starts && i > 0, false
	for k := i - 1; k >= 0 && i-k < 8; k-- {
		w := lexicon.ClassOfWord(c.text[k].Text)
		switch {
		case w&(lexicon.Negates|lexicon.Wrong|lexicon.Iffy) != 0:
			return false
		case w&lexicon.Copula != 0:
			joined = true
		case w&lexicon.Answer != 0:
			return (joined || colon) && !c.isSupposed(k)
		case w&lexicon.Option != 0:
			return joined && !c.isSupposed(k)
		case w&(lexicon.Filler|lexicon.Right) != 0:
		default:
			return c.hasChineseCueBefore(i)
		}
	}
	return c.hasChineseCueBefore(i)
}

// isSupposed reports whether the sentence in which token i stands supposes what it says
// before it, or names one option of several: "suppose the answer is", "one option is".
func (c *contents) isSupposed(i int) bool {
	for k := i; k > 0 && !c.text[k].Starts; k-- {
		if t := c.text[k-1]; t.Text == "1" || lexicon.ClassOfWord(t.Text)&(lexicon.Iffy|lexicon.Also) != 0 {
			return true
		}
	}
	return false
}

func (c *contents) hasChineseCueBefore(i int) bool {
	before := strings.Join(eval.Map(c.text[max(0, i-4):i], func(t token.Token) string { return t.Text }), "")
	return slices.ContainsFunc([]string{"答案是", "答案为", "答案", "我选", "应该是"}, func(cue string) bool { return strings.HasSuffix(before, cue) })
}

// isDeniedBefore reports whether the words right before a span turn it down, or those
// before a list that it ends: "I don't think it's Paris or Rome".
func (c *contents) isDeniedBefore(s tokenSpan) bool {
	if s.from > 1 && lexicon.ClassOfWord(c.text[s.from-1].Text)&lexicon.Joins != 0 {
		for o, want := range c.options {
			from := s.from - 1 - len(want)
			if o != s.option && len(want) > 0 && from >= 0 && equalTokens(c.text[from:s.from-1], want) && c.isDeniedBefore(tokenSpan{o, from, s.from - 1}) {
				return true
			}
		}
	}
	for k := s.from - 1; k >= 0 && s.from-k <= 4 && c.text[k].Text != "but"; k-- {
		if w := c.text[k]; lexicon.ClassOfWord(w.Text)&lexicon.Negates != 0 || w.Text == "no" && !c.text[k+1].Starts || strings.Contains("不非没", w.Text) {
			return true
		}
		if c.text[k+1].Starts {
			break
		}
	}
	for k := s.to; k < len(c.text) && k-s.to < 5 && !c.text[k].Starts; k++ {
		if w := lexicon.ClassOfWord(c.text[k].Text); w&(lexicon.Negates|lexicon.Wrong) != 0 {
			return true
		}
	}
	return false
}

// isCommonWord reports whether a span is so common a word that it does not name
// an option from the middle of a sentence.
func (c *contents) isCommonWord(s tokenSpan) bool {
	if s.to-s.from != 1 {
		return false
	}
	t := c.text[s.from]
	if t.Kind == token.Number && len(c.text) > shorter {
		return true
	}
	switch t.Text {
	case "yes", "no", "true", "false", "right", "correct", "none", "both", "all", "other", "others", "or", "and", "up", "down", "in", "on":
		return true
	}
	return t.Kind == token.Word && len(t.Text) < 3 || t.Kind == token.Ideograph && strings.Contains("是否有对错不没", t.Text)
}

func equalTokens(a, b []token.Token) bool {
	return slices.EqualFunc(a, b, func(x, y token.Token) bool { return x.Text == y.Text })
}
