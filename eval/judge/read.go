package judge

import (
	"cmp"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
	"concord/eval/prompt"
)

// A judge's reply is read strictly, unlike a model's answer: it was told to write a choice alone, and
// whatever needs interpretation would have the rules decide in the judge's name. A choice is read from
//
//   - a reply that is nothing but it, in brackets, markdown or full-width forms,
//     or that only says what it is ("Option B", 选项B);
//   - a last line that ends with it after a lead that announces an answer
//     ("Answer: B", "The best match is B", 答案是B), on that line or above it,
//   - a last line that is nothing but it, where no other line names another
//     letter: lists that were cut off end so,
//
// unless another line says otherwise. Lower-case letters count only as a whole
// reply: in a line, "a" is an article.

const longestReply = 16 << 10 // bytes; a choice is shorter

// readChoiceReply reads a reply about item. The extraction is set when nothing is wrong.
func readChoiceReply(i prompt.Item, r eval.Reply) (eval.Extraction, prompt.ReplyProblem) {
	text, wrong := finalReplyText(r.Text)
	if wrong != prompt.WrongUnset {
		return eval.Extraction{}, wrong
	}
	v := newChoiceWords(i)
	if c, ok := v.readWholeReply(text); ok {
		return v.toExtraction(c)
	}
	return v.readLastLine(strings.Split(text, "\n"), r.Finish == "length")
}

// finalReplyText is what a short reply says, folded, without what was thought before.
func finalReplyText(text string) (string, prompt.ReplyProblem) {
	thinking, text := cutReplyThought(text)
	text = strings.TrimSpace(foldReply(text))
	switch {
	case text == "":
		return "", prompt.WrongEmpty
	case len(text) > longestReply || thinking:
		return "", prompt.WrongWordy
	}
	return text, prompt.WrongUnset
}

// cutReplyThought cuts off the thinking before a reply, for servers that do not keep
// it apart. One that has not ended is still at it.
func cutReplyThought(text string) (thinking bool, rest string) {
	if k := strings.LastIndex(text, "</think>"); k >= 0 {
		text = text[k+len("</think>"):]
	}
	return strings.Contains(text, "<think>"), text
}

// readLastLine reads the last line that is not empty. One that was cut off says nothing: it may go on.
func (v choiceWords) readLastLine(lines []string, cut bool) (eval.Extraction, prompt.ReplyProblem) {
	final, seen, above, lone := "", "", "", ""
	for _, line := range lines {
		line = stripMarkup(line)
		if stripMarks(line) == "" {
			continue
		}
		alone, isAlone := v.parseToken(stripMarks(line), false)
		choice, isFinal := v.readAnnouncedChoice(line)
		if isAlone {
			choice = alone
			_, isFinal = v.readAnnouncedChoice(above + " " + line)
		}
		above, final, lone = line, "", ""
		if isAlone && !cut && !v.namesOthers(lines, alone) {
			lone = alone
		}
		if !isAlone && !isFinal {
			continue
		}
		if seen != "" && seen != choice {
			return eval.Extraction{}, prompt.WrongSeveral
		}
		seen = choice
		if isFinal {
			final = choice
		}
	}
	switch {
	case final != "" && !cut:
		return v.toExtraction(final)
	case lone != "":
		return v.toExtraction(lone)
	case len(lines) == 1 && v.namesSeveral(lines[0]):
		return eval.Extraction{}, prompt.WrongSeveral
	}
	return eval.Extraction{}, prompt.WrongWordy
}

// choiceWords are what replies are made of: letters, or the words of a yes/no question.
type choiceWords struct {
	yesNo bool
	valid map[string]eval.Extraction
}

func newChoiceWords(i prompt.Item) choiceWords {
	found := func(c eval.Choice) eval.Extraction {
		return eval.Extraction{Choice: c, Status: eval.Found, Method: Method}
	}
	none := eval.Extraction{Status: eval.None, Method: Method}
	if len(i.Options) == 0 {
		return choiceWords{yesNo: true, valid: map[string]eval.Extraction{
			"YES": found(eval.Yes), "NO": found(eval.No), "UNKNOWN": none,
			"是": found(eval.Yes), "否": found(eval.No), "不是": found(eval.No), "未知": none,
		}}
	}
	v := choiceWords{valid: map[string]eval.Extraction{string(i.Pseudo): none}}
	for _, o := range i.Options {
		v.valid[string(o.Letter)] = found(o.Letter)
	}
	return v
}

// parseToken gives the choice that a word writes, valid or not: a letter, the word
// of the pseudo-choice, or one of the words of a yes/no question.
func (v choiceWords) parseToken(s string, whole bool) (string, bool) {
	upper := upperASCII(s)
	if _, ok := v.valid[upper]; ok && (whole || len(upper) > 1 || s == upper) {
		return upper, true
	}
	if !v.yesNo && isLetter(upper) && (whole || s == upper) {
		return upper, true
	}
	return "", false
}

// upperASCII writes a to z as capitals and leaves the rest: the Unicode rules
// make letters of the alphabet out of others.
func upperASCII(s string) string {
	return strings.Map(func(r rune) rune { return eval.Either(r >= 'a' && r <= 'z', r-'a'+'A', r) }, s)
}

func (v choiceWords) toExtraction(c string) (eval.Extraction, prompt.ReplyProblem) {
	if e, ok := v.valid[c]; ok {
		return e, prompt.WrongUnset
	}
	return eval.Extraction{}, prompt.WrongInvalid
}

// readWholeReply reads a reply that is a choice and nothing else.
func (v choiceWords) readWholeReply(text string) (string, bool) {
	if c, ok := v.parseToken(stripMarks(text), true); ok {
		return c, true
	}
	if m := named.FindStringSubmatch(stripMarkup(text)); m != nil {
		return v.parseToken(stripMarks(m[1]), false)
	}
	return "", false
}

// readAnnouncedChoice reads a line, made plain, that announces a choice.
func (v choiceWords) readAnnouncedChoice(line string) (string, bool) {
	if m := announced.FindStringSubmatch(line); m != nil {
		return v.parseToken(stripMarks(m[1]), false)
	}
	return "", false
}

// named is a reply that says what its choice is.
var named = regexp.MustCompile(`^(?:(?i:(?:the )?(?:option|choice|letter|answer)) |选项 ?)([^ ]+)$`)

// announced is a whole line that announces a choice and ends with it. It is anchored at both
// ends, so that "I doubt that the answer is A" and "the answer is A or B" are none.
var announced = regexp.MustCompile(`^(?:` +
	`(?i:(?:(?:so|thus|hence|therefore|then|in conclusion)\b,? |based on [^,.;:?!]{1,80}, )?` +
	`(?:i (?:think|believe|would say)(?: that)?,? )?` +
	`(?:(?:the|my|your) )?(?:(?:final|correct|right|best|most similar|closest|matching|valid|single) )*` +
	`(?:answer|output|reply|response|result|choice|option|letter|match|verdict)` +
	`(?: (?:option|choice|letter))?` +
	` ?(?::|=|-+>|\bis:?|\bwould be:?)` +
	` ?(?:(?:option|choice|letter) )?)` +
	`|(?:(?:因此|所以|综上(?:所述)?|故|那么)[,:]? ?)?` +
	`(?:与(?:该|这个)?回答(?:的?意思|的?含义)?)?` +
	`(?:我的|你的|最终的?|正确的?|最佳的?|最相似的|最接近的|最匹配的)? ?` +
	`(?:(?:答案|输出|选项|选择|结果|回答|匹配项) ?(?::|=|是:?|为:?|应为:?|应该是:?) ?(?:选项 ?)?` +
	`|(?:我|应|应该)?选择? ?(?:选项 ?)?)` +
	`)([^ ]+|[(\[{"'] ?[^ ]+ ?[)\]}"'])$`)

// namesOthers reports whether any line names a choice other than c as a word.
func (v choiceWords) namesOthers(lines []string, c string) bool {
	for _, line := range lines {
		for _, w := range strings.FieldsFunc(stripMarkup(line), func(r rune) bool { return strings.ContainsRune(" \t,/;|&和或、", r) }) {
			if other, ok := v.parseToken(stripMarks(w), false); ok && other != c {
				return true
			}
		}
	}
	return false
}

// namesSeveral tells that a line without a reading names different valid letters.
func (v choiceWords) namesSeveral(line string) bool {
	first := ""
	for _, w := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t,/;|&和或、", r) }) {
		c, ok := v.parseToken(stripMarks(w), false)
		if _, valid := v.valid[c]; !ok || !valid {
			continue
		}
		if first != "" && c != first {
			return true
		}
		first = c
	}
	return false
}

// foldReply writes full-width forms and kinds of quotes, brackets, spaces and line
// ends as plain ones, and drops what is invisible.
func foldReply(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0xff01 && r <= 0xff5e:
			return r - 0xff01 + '!'
		case r == '\r' || r == 0x2028 || r == 0x2029 || r == 0x85:
			return '\n'
		case r == '\t' || r == 0xa0 || r >= 0x2000 && r <= 0x200a || r == 0x202f || r == 0x3000:
			return ' '
		case r >= 0x200b && r <= 0x200f || r == 0x2060 || r == 0xfeff || r == 0xfe0f:
			return -1
		}
		switch r {
		case '。', '｡':
			return '.'
		case '、':
			return ','
		case '“', '”', '「', '」', '『', '』', '«', '»':
			return '"'
		case '‘', '’':
			return '\''
		case '【', '〔', '《', '〈':
			return '['
		case '】', '〕', '》', '〉':
			return ']'
		}
		return r
	}, s)
}

// stripMarkup gives a line without marks of emphasis, list bullets and headings, with
// single spaces and without a full stop.
func stripMarkup(line string) string {
	line = strings.Map(func(r rune) rune { return eval.Either(strings.ContainsRune("*_`", r), -1, r) }, line)
	line = strings.Join(strings.Fields(line), " ")
	line = strings.TrimLeft(line, "#> ")
	line = strings.TrimPrefix(line, "- ")
	return strings.TrimRight(line, ". ")
}

// stripMarks gives what is left of a text without the marks around it: emphasis,
// brackets, quotes and a full stop. Marks that change a meaning (a question
// mark, a tilde that strikes out, a dash before a letter) stay.
func stripMarks(s string) string {
	s = stripMarkup(strings.TrimSpace(s))
	return strings.Trim(s, "()[]{}\"'. ")
}

// nobody is the pseudo-choice of questions whose options take every letter.
const nobody eval.Choice = "NONE"

func isLetter(s string) bool { return len(s) == 1 && s[0] >= 'A' && s[0] <= 'Z' }

// pseudoLetter is the letter for "none of the options" of one question: the wanted
// one, or the free one nearest to it in the alphabet, the later of two.
func pseudoLetter(want eval.Choice, options []eval.Option) eval.Choice {
	want = cmp.Or(want, DefaultPseudo)
	free := func(l byte) bool {
		return isLetter(string(rune(l))) &&
			!slices.ContainsFunc(options, func(o eval.Option) bool { return o.Letter == eval.Choice(rune(l)) })
	}
	for d := byte(0); d < 26; d++ {
		for _, l := range []byte{want[0] + d, want[0] - d} {
			if free(l) {
				return eval.Choice(rune(l))
			}
		}
	}
	return nobody
}

// fallbackReading is the reading when no reply could be read: none, or, where the run
// asks for the paper's step 3, a draw among the options and the pseudo-choice.
// It depends on the seed, the sample and the pass alone, so a rerun repeats it.
func (j *Judge) fallbackReading(q eval.JudgeQuestion, i prompt.Item) eval.Extraction {
	if !j.fallback {
		return eval.Extraction{Status: eval.Missing, Method: Unparsed}
	}
	pool := []eval.Choice{eval.Yes, eval.No}
	if len(i.Options) > 0 {
		pool = pool[:0]
		pool = append(pool, eval.Map(i.Options, func(o eval.Option) eval.Choice { return o.Letter })...)
	}
	h := fnv.New64a()
	for _, part := range []string{string(q.Run.Config.Dataset), string(q.Sample.ID), strconv.Itoa(int(q.Prediction.Pass))} {
		_, _ = io.WriteString(h, strconv.Quote(part))
	}
	n := rand.New(rand.NewPCG(j.seed, h.Sum64())).IntN(len(pool) + 1)
	if n == len(pool) {
		return eval.Extraction{Status: eval.None, Method: eval.Fallback}
	}
	return eval.Extraction{Choice: pool[n], Status: eval.Found, Method: eval.Fallback}
}

const lastTokens = 1 << 10 // of a reply, those in which a choice is looked for: it ends with one

// readConfidence gives the probability that a judge gave to the words of the choice that was read in its
// reply, where they were written last: that of all tokens which spell a part of them. It is 0 where the
// tokens do not spell the reply, or nothing was read.
func readConfidence(i prompt.Item, r eval.Reply, read eval.Extraction) float64 {
	valid := newChoiceWords(i).valid
	says := func(tokens []eval.Token) bool {
		text := upperASCII(foldReply(joinTokens(tokens)))
		words := strings.FieldsFunc(text, func(c rune) bool { return c < 'A' || c > 'Z' })
		for word, is := range valid {
			if is == read && (slices.Contains(words, word) || !isLetter(word[:1]) && strings.Contains(text, word)) {
				return true
			}
		}
		return false
	}
	tokens := r.Tokens[max(0, len(r.Tokens)-lastTokens):]
	if !strings.Contains(joinTokens(r.Tokens), strings.TrimSpace(r.Text)) || !says(tokens) {
		return 0
	}
	from, to := len(tokens), len(tokens)
	for !says(tokens[from:]) {
		from--
	}
	for says(tokens[from : to-1]) {
		to--
	}
	sum := eval.Sum(tokens[from:to], func(t eval.Token) float64 { return t.LogProb })
	return min(max(math.Exp(sum), math.SmallestNonzeroFloat64), 1)
}

func joinTokens(all []eval.Token) string {
	var text strings.Builder
	for _, t := range all {
		text.WriteString(t.Text)
	}
	return text.String()
}
