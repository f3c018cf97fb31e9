package prompt

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
)

// Example is a response that people have read, scored, graded or compared with a second
// one, as a prompt shows it: what was asked, what was answered, and what they say of it.
type Example struct {
	Sample    eval.Ordinal
	Question  string
	Options   []eval.Option // none of yes/no and open questions
	Reference string        // of a response that was scored; "" else
	Criterion string        // of one that was graded
	Response  string
	Second    string      // of a pair
	Class     eval.Choice // eval.X where it is no option; of the others a digit or word
}

var (
	// examplesSlot is where a prompt wants examples, and how many.
	examplesSlot = regexp.MustCompile(`\{\{-?\s*examples\s+([0-9]{1,4})\s*-?\}\}`)
	// examplesMark is the comment that says of which samples those are that were filled in.
	examplesMark = regexp.MustCompile(`\{\{/\* examples of samples ([0-9, ]+) \*/\}\}`)
)

// CountExamples is how many examples a prompt wants.
func CountExamples(text string) (n int) {
	for _, m := range examplesSlot.FindAllStringSubmatch(text, -1) {
		k, _ := strconv.Atoi(m[1]) // four digits
		n += k
	}
	return n
}

// FillExamples fills the slots of a prompt, {{examples 4}}, one after the other. Where there
// are too few examples the last slots stay short. Each slot begins with a comment that
// names the samples.
func FillExamples(text, lang string, examples []Example) string {
	number := 0
	return examplesSlot.ReplaceAllStringFunc(text, func(slot string) string {
		k := min(CountExamples(slot), len(examples))
		some := examples[:k]
		examples = examples[k:]
		if k == 0 {
			return ""
		}
		out := []string{fmt.Sprintf("{{/* examples of samples %s */}}", eval.List(some, func(e Example) string { return fmt.Sprint(e.Sample) }))}
		for i := range some {
			number++
			out = append(out, some[i].format(number, lang))
		}
		return strings.Join(out, "\n")
	})
}

// ExampleSamples are the samples that a prompt's examples are of, in ascending order.
func ExampleSamples(text string) (out []eval.Ordinal) {
	for _, m := range examplesMark.FindAllStringSubmatch(text, -1) {
		for name := range strings.SplitSeq(m[1], ",") {
			if n, err := strconv.ParseUint(strings.TrimSpace(name), 10, 32); err == nil {
				out = append(out, eval.Ordinal(n))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// format is the example as the prompts of concord show theirs. What came from outside is
// no part of the template.
func (e *Example) format(number int, lang string) string {
	words := eval.Either(lang == "zh", []string{"示例 %d", "题目：", "选项：", "回答：", "输出："}, []string{"Example %d", "Question: ", "Options:", "Answer: ", "Reply: "})
	lines := []string{fmt.Sprintf(words[0], number), words[1] + quoteAction(e.Question)}
	if len(e.Options) > 0 {
		lines = append(lines, words[2])
		for _, o := range e.Options {
			lines = append(lines, string(o.Letter)+". "+quoteAction(o.Text))
		}
	}
	switch {
	case e.Second != "":
		lines = append(lines, "Answer1: "+quoteAction(e.Response), "Answer2: "+quoteAction(e.Second))
	case e.Reference != "":
		lines = append(lines, "Right answer: "+quoteAction(e.Reference))
		fallthrough
	default:
		lines = append(lines, words[3]+quoteAction(e.Response))
	}
	if e.Criterion != "" {
		lines = append(lines, "Criterion: "+quoteAction(e.Criterion))
	}
	return strings.Join(append(lines, words[4]+e.reply(lang)), "\n") + "\n"
}

// reply is what a judge is to reply, in the words that the prompts of concord ask for.
func (e *Example) reply(lang string) string {
	switch said := map[eval.Choice]string{"first": "Answer1", "second": "Answer2", "neither": "unable to decide: situation one", "unable": "cannot tell"}[e.Class]; {
	case e.Second+e.Criterion+e.Reference != "":
		return cmp.Or(said, string(e.Class))
	case len(e.Options) > 0 && e.Class == eval.X:
		return "{{.Pseudo}}"
	case len(e.Options) > 0:
		return string(e.Class)
	}
	words := map[eval.Choice]string{eval.Yes: "yes", eval.No: "no"}
	if lang == "zh" {
		words = map[eval.Choice]string{eval.Yes: "是", eval.No: "否", eval.X: "未知"}
	}
	return cmp.Or(words[e.Class], words[eval.X], "unknown")
}

// quoteAction has text stand in a template as it is.
func quoteAction(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(text), "{{", "{{`{{`}}")
}
