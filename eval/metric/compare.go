package metric

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"concord/eval"
)

// The metrics of a dataset's score that are no mean of its samples' scores.
const (
	F1       = "f1"        // of yes, among yes and no (POPE)
	TaskMean = "task mean" // the mean over the first level of the taxonomy (BLINK)
)

// compared are the ways in which an answer is compared with one reference, by
// the name before the colon of Sample.Metric: how right it is, from 0 to 1.
var compared = map[string]func(s *eval.Sample, with, answer, reference string) float64{
	"exact":     func(_ *eval.Sample, _, a, r string) float64 { return boolToFloat(lowerAndStrip(a) == lowerAndStrip(r)) },
	"lower":     func(_ *eval.Sample, _, a, r string) float64 { return boolToFloat(lowerTrim(a) == lowerTrim(r)) },
	"anls":      func(_ *eval.Sample, _, a, r string) float64 { return scoreANLS(lowerTrim(a), lowerTrim(r)) },
	"relaxed":   func(_ *eval.Sample, _, a, r string) float64 { return boolToFloat(isWithinFivePercent(a, r)) },
	"contains":  scoreOCRBench,
	"mmmu":      scoreMMMU,
	"mathvista": scoreMathVista,
}

// ScoreAnswer gives how right an answer is by the sample's own metric, from 0 to 1. It
// is not ok where the sample has none, or no reference.
func ScoreAnswer(s *eval.Sample, answer string) (score float64, ok bool) {
	name, with, _ := strings.Cut(s.Metric, ":")
	references := eval.Either(len(s.References) == 0 && s.Reference != "", []string{s.Reference}, s.References)
	if s.Kind == eval.KindChoice {
		if name != "mathvista" {
			return 0, false
		}
		if references = []string{s.Reference}; s.Answer != "" {
			references = []string{optionText(s, s.Answer)}
		}
	}
	if len(references) == 0 {
		return 0, false
	}
	if name == "vqa" {
		return scoreVQA(answer, references), true
	}
	by, ok := compared[name]
	if !ok {
		return 0, false
	}
	for _, r := range references {
		score = max(score, by(s, with, answer, r))
	}
	return score, true
}

func boolToFloat(right bool) float64 { return eval.Either(right, 1.0, 0) }

func lowerTrim(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

func lowerAndStrip(s string) string { return strings.Trim(lowerTrim(s), "(). ") }

func optionText(s *eval.Sample, c eval.Choice) string {
	o, _ := eval.FirstWanted(s.Options, func(o eval.Option) bool { return o.Letter == c })
	return o.Text
}

// scoreVQA gives the accuracy of VQA's evaluation: min(n/3, 1) of the people who said
// the same, averaged over leaving each of them out.
func scoreVQA(answer string, people []string) float64 {
	said, sum := NormalizeAnswer(answer), 0.0
	same := eval.Count(people, func(p string) bool { return NormalizeAnswer(p) == said })
	if len(people) == 1 {
		return float64(same)
	}
	for _, p := range people {
		n := same
		if NormalizeAnswer(p) == said {
			n--
		}
		sum += min(float64(n)/3, 1)
	}
	return sum / float64(len(people))
}

// scoreANLS is 1 less the normalised edit distance, 0 below a half (DocVQA).
func scoreANLS(a, r string) float64 {
	n := max(len([]rune(a)), len([]rune(r)))
	if n == 0 {
		return 1
	}
	if s := 1 - float64(eval.CountEdits([]rune(a), []rune(r)))/float64(n); s >= 0.5 {
		return s
	}
	return 0
}

// isWithinFivePercent takes numbers within 5 % of the reference as right (ChartQA).
func isWithinFivePercent(a, r string) bool {
	x, okX := parseShare(a)
	y, okY := parseShare(r)
	if okX && okY && y != 0 {
		return math.Abs(x-y) <= 0.05*math.Abs(y)
	}
	return lowerTrim(a) == lowerTrim(r)
}

func parseShare(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	text, share := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(text, 64)
	if share {
		v /= 100
	}
	return v, err == nil
}

// scoreOCRBench is OCRBench's: the reference stands in the answer; formulas without blanks.
func scoreOCRBench(_ *eval.Sample, with, a, r string) float64 {
	one := func(s string) string { return strings.ReplaceAll(lowerTrim(s), "\n", " ") }
	if strings.HasPrefix(with, "Handwritten Mathematical") {
		one = func(s string) string { return strings.Join(strings.Fields(s), "") }
	}
	return boolToFloat(strings.Contains(one(a), one(r)))
}

var numbers = regexp.MustCompile(`-?\d[\d,]*(?:\.\d+)?`)

// scoreMMMU is MMMU's: letters are equal, numbers at two digits, and other references stand in the answer.
func scoreMMMU(_ *eval.Sample, with, a, r string) float64 {
	number := func(s string) (float64, bool) {
		v, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(s), ",", ""), 64)
		return math.Round(v*100) / 100, err == nil
	}
	if with == "multiple-choice" {
		return boolToFloat(lowerAndStrip(a) == lowerAndStrip(r))
	}
	want, ok := number(r)
	if !ok {
		return boolToFloat(strings.Contains(" "+lowerTrim(a)+" ", lowerTrim(r)))
	}
	return boolToFloat(slices.ContainsFunc(numbers.FindAllString(a, -1), func(s string) bool { v, _ := number(s); return v == want }))
}

var inBrackets = regexp.MustCompile(`\(([a-zA-Z])\)`)

// scoreMathVista is MathVista's: a choice is the text of its option, by its letter or
// else the nearest by edit distance; numbers are cut to the precision.
func scoreMathVista(s *eval.Sample, with, a, r string) float64 {
	a = strings.TrimSpace(a)
	form, precision, _ := strings.Cut(with, ":")
	v, err := strconv.ParseFloat(a, 64)
	switch {
	case s.Kind == eval.KindChoice:
		if m := inBrackets.FindStringSubmatch(a); m != nil {
			a = strings.ToUpper(m[1])
		}
		said := optionText(s, eval.Choice(a))
		for i, o := range s.Options {
			if said == "" || i > 0 && optionText(s, eval.Choice(a)) == "" && eval.CountEdits([]rune(a), []rune(o.Text)) < eval.CountEdits([]rune(a), []rune(said)) {
				said = o.Text
			}
		}
		a = said
	case form == "integer" && err == nil && !math.IsInf(v, 0):
		a = strconv.FormatFloat(math.Trunc(v), 'f', 0, 64)
	case form == "float" && err == nil:
		n, _ := strconv.ParseFloat(precision, 64) // "1.0" of a table; none is 0
		a = strconv.FormatFloat(v, 'f', int(n), 64)
	case form == "integer" || form == "float":
		return 0
	}
	return boolToFloat(a == r)
}

// IsExactMatch reports whether an open answer is the reference, both normalised as VQA's
// evaluation does before it compares (Antol et al. 2015; MMBench, Table 4). An answer that says
// more than the reference does not match. False for an empty reference.
func IsExactMatch(answer, reference string) bool {
	want := NormalizeAnswer(reference)
	return want != "" && NormalizeAnswer(answer) == want
}

// NormalizeAnswer writes an answer as VQA's evaluation does: on one line, in lower case,
// without the articles a, an and the, number words up to ten as digits (none is 0), and common
// contractions with their apostrophe. A period that no digit follows is dropped, and so is a
// comma between digits; the other punctuation that VQA lists divides words, as a space does.
func NormalizeAnswer(s string) string {
	words := strings.Fields(stripPunctuation(strings.ToLower(s)))
	kept := words[:0]
	for _, w := range words {
		if w == "a" || w == "an" || w == "the" {
			continue
		}
		if i := slices.Index(numberWords[:], w); i >= 0 {
			w = strconv.Itoa(i)
		}
		if w == "none" {
			w = "0"
		}
		kept = append(kept, cmp.Or(contractions[w], w))
	}
	return strings.Join(kept, " ")
}

var numberWords = [...]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// divides is VQA's list of punctuation, with what is written for it elsewhere.
const divides = ";/[]\"{}()=+\\_-><@`,?!“”、，。？！；（）"

func stripPunctuation(s string) string {
	r := []rune(s)
	digit := func(i int) bool { return i >= 0 && i < len(r) && unicode.IsDigit(r[i]) }
	var b strings.Builder
	for i, c := range r {
		switch {
		case c == '.' && !digit(i+1), c == ',' && digit(i-1) && digit(i+1), unicode.IsControl(c) && !unicode.IsSpace(c):
		case c == '’':
			b.WriteByte('\'')
		case strings.ContainsRune(divides, c):
			b.WriteByte(' ')
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// contractions are those that may lose their apostrophe, without it. Words that
// are words without it, too (were, ill, its), are none.
var contractions = func() map[string]string {
	out := make(map[string]string)
	for _, w := range strings.Fields(`ain't aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mightn't mustn't needn't
		shouldn't wasn't weren't won't wouldn't he's she's that's there's what's where's who's how's they're you're
		i've they've you've we've could've should've would've i'm`) {
		out[strings.ReplaceAll(w, "'", "")] = w
	}
	return out
}()
