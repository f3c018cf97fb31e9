package reading

import (
	"regexp"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/lexicon"
)

// failures open what a program wrote in a model's place.
var failures = []string{
	"failed to obtain answer", "error:", "error code:", "error ", "traceback (most recent", "{\"error", "http error", "http 4", "http 5",
	"request timed out", "rate limit", "<!doctype", "<html", "internal server error", "bad gateway", "service unavailable",
	"too many requests", "connection error", "connection refused", "cuda out of memory", "runtimeerror", "valueerror", "[error", "api error",
	"exception:", "timeout", "500 internal", "502 bad", "503 service", "429 too many", "400 bad", "openai error",
}

// failurePhrases is read-only.
var failurePhrases = lexicon.NewPhrasebook(failures)

// ReadErrorMessage reports whether the text is an error message of the machinery.
func ReadErrorMessage(s string) (Reading, bool) {
	s = s[chars.SkipSpace(s, 0):]
	for _, f := range failurePhrases.PhrasesThatMayMatch(s) {
		if lexicon.HasFoldedPrefix(s, f.Text) {
			return NewAbstention(eval.Missing, "failure"), true
		}
	}
	return Reading{}, false
}

// CutModelThought gives a text without the reasoning that a model writes before its answer, between <think>
// and </think>. It reports false where the reasoning does not end: then nothing of it is an answer.
func CutModelThought(s string) (answer string, finished bool) {
	if len(s) < len("<think") || strings.IndexByte(s, '<') < 0 { // most often
		return s, true
	}
	if strings.Contains(s, "</think") { // a search from behind takes longer
		if _, rest, ok := strings.Cut(s[strings.LastIndex(s, "</think"):], ">"); ok {
			return strings.TrimLeft(rest, " \t\r\n"), true
		}
	}
	return s, !lexicon.HasFoldedPrefix(s[chars.SkipSpace(s, 0):], "<think")
}

// Who declines says so at the start or at the end.
const declineBytes = 700

var inabilities = []string{
	"i cannot", "i can't", "i can not", "i am unable", "i'm unable", "i am not able", "i'm not able", "i won't", "i will not",
	"i must decline", "i have to decline", "i must refuse", "i decline", "i refuse", "i do not have the ability", "i don't have the ability",
	"i'm afraid i", "i do not feel comfortable", "i'm not comfortable", "i am not comfortable", "i could not", "i couldn't", "i'm sorry, but", "i am sorry, but",
	"we cannot", "we can't", "i don't have access", "i do not have access", "i don't have enough", "i do not have enough", "i don't have the capability",
	"i do not have the capability", "i'm just an ai", "as an ai", "as a language model", "as a large language model",
	"i'm designed to", "i am not programmed", "i am not qualified", "i'm not qualified", "it is not appropriate", "it is not ethical",
}

var declines = []string{
	"provide", "answer", "assist", "help", "select", "choose", "pick", "give", "see ", "see.", "view", "process", "identif", "fulfill", "fulfil", "comply",
	"engage", "offer", "recommend", "respond", "complete", "access", "analy", "open ", "display", "participate", "support", "make a", "make any",
	"comment", "discuss", "endorse", "determine", "tell", "confirm", "image", "picture", "decline", "refuse", "generate", "satisfy", "compute",
}

var ignorances = []string{
	"i don't know", "i do not know", "i'm not sure", "i am not sure", "i have no idea", "no idea", "i'm sorry", "i am sorry", "i apologize", "i apologise",
	"my apologies", "sorry, i", "sorry, but", "please provide the image", "please upload", "no image provided", "no image was provided",
	"image is not provided", "image was not provided", "please provide more", "without the image", "cannot see the image", "can't see the image",
	"无法回答", "不能回答", "无法提供", "无法确定", "无法判断", "抱歉", "对不起", "不知道", "不清楚", "作为一个ai", "作为一个人工智能", "作为ai", "作为人工智能", "无法看到", "看不到图", "拒绝回答", "不便回答", "无法查看", "没有提供图",
}

var nones = []string{
	"none of the above", "none of these", "none of the given", "none of the provided", "none of the options", "none of the listed", "none of the choices",
	"none of them", "none of the answer", "none of the four", "none of those", "none are correct", "none is correct", "neither of the options",
	"neither option", "no correct answer", "no correct option", "no correct choice", "no right answer", "no valid answer", "no valid option",
	"no suitable option", "no matching option", "no option is correct", "no option matches", "no answer is correct", "not one of the options",
	"not provided in the", "not listed in the", "not among the", "not among those", "not among these", "not any of the options", "not in the options", "not in the given", "not included in the", "not an option",
	"not listed", "not available in the", "options are incorrect", "options are all incorrect", "options are wrong", "all of the options are incorrect",
	"all options are incorrect", "does not match any", "doesn't match any", "do not match any", "don't match any", "not match any", "no clear answer",
	"以上都不", "都不对", "都不是", "都不正确", "均不正确", "均不是", "没有正确", "没有一个选项", "没有合适", "没有符合", "不在选项",
}

var undetermined = []string{
	"not possible to determine", "cannot be determined", "can't be determined", "impossible to determine", "not possible to answer",
	"impossible to answer", "cannot determine", "can't determine", "not enough information", "insufficient information", "enough information to",
	"not possible to say", "impossible to say", "cannot be answered", "can't be answered", "difficult to determine",
}

// ReadRefusal reads a text that chooses nothing: the model refuses or does not
// know (refused), or holds that no option is right or can be found (none).
func ReadRefusal(s string) (Reading, bool) {
	if len(s) > declineBytes {
		s = s[:declineBytes/2] + "\n" + s[len(s)-declineBytes/2:]
	}
	said := findSayings(s)
	if said[saysEmphatically] {
		said = findSayings(dropEmphatics(s))
	}
	switch {
	case said[saysNone]:
		return NewAbstention(eval.None, "none-of-them"), true
	case said[saysUnable]:
		return NewAbstention(eval.Refused, "declined"), true
	case said[saysUndetermined]:
		return NewAbstention(eval.None, "undetermined"), true
	case said[saysUnknowing]:
		return NewAbstention(eval.Refused, "unknowing"), true
	}
	return Reading{}, false
}

// emphatic are the words that may stand within a phrase and leave it what it is.
var emphatic = []string{"really ", "honestly ", "simply ", "truly ", "genuinely "}

// dropEmphatics gives a text without emphatic words.
func dropEmphatics(s string) string {
	if !strings.Contains(s, "ly ") { // as all of them end
		return s
	}
	for _, w := range emphatic {
		s = strings.ReplaceAll(s, " "+w, " ")
	}
	return s
}

// SaysUndecided reports whether a text says that nothing is decided: its writer cannot
// choose, or leaves it open.
func SaysUndecided(s string) bool {
	low := ""
	for i, w := range openPhrases.FindPhrases(s) {
		if low == "" {
			low = dropEmphatics(strings.ToLower(s))
		}
		if len(low) != len(s) {
			return open.MatchString(low)
		}
		if end := i + len(w.Text); mayLeaveOpen(low, i, end, w.Kind) { // open takes its time: it is to see the clause alone
			from, n := strings.LastIndexByte(low[:max(0, i-len("now i am "))], ' ')+1, strings.IndexAny(low[end:], ".,;!?\n")
			if open.MatchString(low[from:eval.Either(n < 0, len(low), end+n+1)]) {
				return true
			}
		}
	}
	return false
}

// mayLeaveOpen reports whether open may match where one of openPhrases stands, from i to end, in a text
// in lower case. It asks for what has to stand beside the phrase, in a hundredth of open's time.
func mayLeaveOpen(low string, i, end, kind int) bool {
	behind := func(w string) bool { return strings.HasSuffix(low[:i], w) }
	from := end
	for n := 0; n < 5 && end < len(low); n++ { // words
		word, _, _ := strings.Cut(low[end:], " ")
		end = min(end+len(word)+1, len(low))
	}
	follows := func(words []string) bool { return IndexOfFirst(low[from:end], words) >= 0 }
	switch kind {
	case opensAlone:
		return true
	case opensWithObject:
		return follows([]string{"open", "undecided"})
	case opensBeforeVerb:
		return follows(decisions) || behind("i'm ") || behind("i am ") || follows(verdicts)
	case opensBehindI:
		return behind("i ") && follows([]string{"know"})
	}
	return (behind("that ") || behind("this ") || behind("it ")) && follows(verdicts)
}

// decisions are what somebody who leaves a question open cannot do, verdicts what then "it cannot be".
var (
	decisions = []string{"decide", "choose", "say", "tell", "commit", "pick", "settle", "distinguish", "know", "judge", "select", "determine", "which"}
	verdicts  = []string{"right", "correct", "the answer"}
)

// The kinds of openPhrases, by what has to stand beside them.
const (
	opensAlone      = iota
	opensWithObject // "leave it open"
	opensBeforeVerb // "cannot decide", "would not pick either", "that's not right"
	opensBehindIt   // "it does not seem right"
	opensBehindI    // "I don't know"
)

// openPhrases are the beginnings of what open looks for.
var openPhrases = lexicon.NewPhrasebook(
	[]string{"undecided", "back and forth", "give up", "toss", "torn", "no preference", "coin ", "i disagree"},
	[]string{"leave ", "keep ", "remains", "stays"},
	[]string{
		"cannot", "can't", "can not", "couldn't", "could not", "unable to", "not able", "hard to", "difficult to", "impossible to", "no way", "not sure", "unsure",
		"would not", "wouldn't", "that's not", "it's not",
	},
	[]string{"isn't", "is not", "does not", "doesn't"}, []string{"don't", "do not"},
)

var open = regexp.MustCompile(`\b(?:can(?:no|')t|can not|could(?:n't| not)|unable to|not able to|hard to|difficult to|impossible to|no way to|not sure|unsure) ` +
	`(?:\w+ ){0,2}(?:(?:decide|choose|say|tell|commit|pick|settle|distinguish|know|judge|select|determine)(?:[.,;!?]|$| (?:between|which|whether|for|one|either|to|on|them|now|yet)\b)|which\b)|` +
	`\b(?:leave|keep|remains?|stays?) (?:(?:it|this|that|the question|the choice) )?(?:open|undecided)\b|\bis undecided\b|\bback and forth\b|\bgive up\b|\btoss-?up\b|` +
	`\b(?:that|this|it) (?:can't|cannot|can not|isn't|is not|does not seem|doesn't seem) (?:be )?(?:right|correct|the answer)\b|\b(?:that|it)'s not (?:right|correct)\b|\bwould(?:n't| not) (?:choose|pick|select) (?:either|any)\b|\btorn\b|\bi disagree\b|\bno preference\b|\bcoin (?:flip|toss)\b|\bi (?:do not|don't) (?:\w+ )?know\b|\bnow (?:i'm|i am) (?:unsure|not sure)\b`)

// The kinds of phrases that decline, in the order of declinePhrases.
const (
	saysNone = iota
	saysUnable
	saysUndetermined
	saysUnknowing
	saysEmphatically
	sayings
)

// declinePhrases is read-only.
var declinePhrases = lexicon.NewPhrasebook(nones, inabilities, undetermined, ignorances, emphatic)

// findSayings tells which kinds of phrases that decline occur in s.
func findSayings(s string) (said [sayings]bool) {
	for i, w := range declinePhrases.FindPhrases(s) {
		if said[w.Kind] {
			continue
		}
		if w.Kind == saysUnable {
			// What cannot be done has to follow.
			rest := s[i:min(len(s), i+len(w.Text)+90)]
			if IndexOfFirst(strings.ToLower(rest), declines) < 0 {
				continue
			}
		}
		said[w.Kind] = true
	}
	return said
}

// IndexOfFirst is where the first of the phrases in the list that occurs stands, or -1.
func IndexOfFirst(s string, phrases []string) int {
	for _, w := range phrases {
		if i := strings.Index(s, w); i >= 0 {
			return i
		}
	}
	return -1
}

// Reading is what a rule makes of a text. It is an extraction in three words:
// the compiler keeps those in registers, where an eval.Extraction is copied
// through memory at every return, a tenth of the time of a short answer.
type Reading struct {
	Method string
	option int32 // which of the options was chosen, the first one of its letter, if Found
	Status eval.Status
}

// NewChosen gives the reading of a choice of an option, by its index.
func NewChosen(option int, method string) Reading {
	return Reading{Method: method, option: int32(option), Status: eval.Found}
}

// NewAbstention gives the reading of no choice, with the reason as a status.
func NewAbstention(s eval.Status, method string) Reading { return Reading{Method: method, Status: s} }

// Choice is the letter of the chosen option, or empty.
func (r Reading) Choice(options []eval.Option) eval.Choice {
	if r.Status != eval.Found {
		return ""
	}
	return options[r.option].Letter
}

// ExtractionParts gives the choice, the status and the method of the extraction that the reading is of an answer
// to a question with these options. A choice of a way out becomes the status that it names.
func (r Reading) ExtractionParts(options []eval.Option) (eval.Choice, eval.Status, string) {
	c := r.Choice(options)
	if c != "" {
		text := options[r.option].Text
		if len(c) > 1 { // no letter: taken by its first byte
			text = optionText(options, c[0])
		}
		if s := readStatusOfOption(text); s != eval.StatusUnset {
			return "", s, "way-out"
		}
	}
	return c, r.Status, r.Method
}

// OptionByLetter is the first option of that letter, or -1.
func OptionByLetter(options []eval.Option, letter byte) int {
	return slices.IndexFunc(options, func(o eval.Option) bool { return len(o.Letter) == 1 && o.Letter[0] == letter })
}

// optionText is the text of the first option of that letter, or empty.
func optionText(options []eval.Option, letter byte) string {
	if i := OptionByLetter(options, letter); i >= 0 {
		return options[i].Text
	}
	return ""
}

// NewFound gives the extraction of a choice by a named rule.
func NewFound(c eval.Choice, method string) eval.Extraction {
	return eval.Extraction{Choice: c, Status: eval.Found, Method: method}
}

// NewNotFound gives the extraction of no choice, with the reason as a status.
func NewNotFound(s eval.Status, method string) eval.Extraction {
	return eval.Extraction{Status: s, Method: method}
}

// HasLetter reports whether an option has that letter.
func HasLetter(options []eval.Option, c eval.Choice) bool {
	return slices.ContainsFunc(options, func(o eval.Option) bool { return o.Letter == c })
}

// Some benchmarks offer ways out beside the answers: to refuse, not to know, to find no answer right.
// Who takes such a way has chosen no answer, and what a model means by it ("Refused is not a good
// measure") takes understanding: it is read as the status that it names. An option that says something
// about the world ("none of the above", "cannot be determined") is an answer like any other.

// waysOut is read-only.
var waysOut = lexicon.NewPhrasebook(refusals, denials)

var refusals = []string{
	"refused", "refuse", "refusal", "refuse to answer", "i refuse to answer", "decline to answer",
	"i do not know", "i don't know", "i don’t know", "don't know", "do not know", "i don't know the answer",
}

var denials = []string{"no correct answer is given", "no correct answer", "no correct answer given", "no answer is correct"}

// readStatusOfOption reads the status that an option's text names, or StatusUnset for an answer.
func readStatusOfOption(text string) eval.Status {
	if len(text) < 7 || len(text) > 48 {
		return eval.StatusUnset
	}
	switch chars.ToLower(text[0]) {
	case 'r', 'i', 'd', 'n':
		if len(waysOut.PhrasesThatMayMatch(text)) == 0 {
			return eval.StatusUnset
		}
	case ' ':
	default:
		return eval.StatusUnset
	}
	text = strings.ToLower(strings.Trim(text, " .!"))
	for _, w := range waysOut.PhrasesThatMayMatch(text) {
		if w.Text == text {
			return [...]eval.Status{eval.Refused, eval.None}[w.Kind]
		}
	}
	return eval.StatusUnset
}
