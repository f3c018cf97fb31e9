package dataset

import (
	"regexp"
	"slices"
	"strings"

	"concord/eval"
)

// Options inside the question, as older files of MMStar write them: on one
// line behind "Options:", or a line each behind their letters.
var (
	inlineOptions = regexp.MustCompile(`(?i)\n[ \t]*Options:[ \t]*A: `)
	lineOption    = regexp.MustCompile(`\n[ \t]*(?:\(([A-Z])\)|([A-Z])[.:)])`)
	instruction   = regexp.MustCompile(`(?i)\n[ \t]*(?:answer|please)\b[^\n]*\s*$`)
	choicesTail   = regexp.MustCompile(`(?i)\n[ \t]*(?:choices|options):[ \t]*$`)
)

// splitQuestion takes the options out of a question; without any it returns
// the question as it is. The answer's letter helps where nothing else can:
// "nan" is what pandas wrote for an empty cell, so such options at the end
// are none, unless one of them is right. A letter with nothing behind it is
// no option, as an empty cell is none.
func splitQuestion(question, answer string) (string, []eval.Option) {
	text, options := splitLine(question)
	if options == nil {
		text, options = splitLines(question)
	}
	if options == nil {
		return question, nil
	}
	options = slices.DeleteFunc(options, func(o eval.Option) bool { return o.Text == "" })
	for n := len(options); n > 0; n-- {
		last := options[n-1]
		if last.Text != "nan" || string(last.Letter) == answer {
			break
		}
		options = options[:n-1]
	}
	if len(options) < 2 {
		return question, nil
	}
	return text, options
}

// splitLine reads "\nOptions: A: x, B: y". An option may hold a comma and
// colons, so each letter is looked for behind the one before it, and only
// the letter that is due splits.
func splitLine(question string) (string, []eval.Option) {
	at := inlineOptions.FindAllStringIndex(question, -1)
	if at == nil {
		return question, nil
	}
	last := at[len(at)-1]
	rest := question[last[1]:]
	options := []eval.Option{{Letter: "A"}}
	for letter := 'B'; letter <= 'Z'; letter++ {
		mark := ", " + string(letter) + ": "
		i := strings.Index(rest, mark)
		if i < 0 {
			break
		}
		options[len(options)-1].Text = strings.TrimSpace(rest[:i])
		options = append(options, eval.Option{Letter: eval.Choice(letter)})
		rest = rest[i+len(mark):]
	}
	options[len(options)-1].Text = strings.TrimSpace(rest)
	return question[:last[0]], options
}

// splitLines reads options on lines of their own, "(A) x" or "A. x". The
// last line that opens with A starts them; their letters follow in order.
func splitLines(question string) (string, []eval.Option) {
	marks := lineOption.FindAllStringSubmatchIndex(question, -1)
	letter := func(m []int) string {
		if m[2] >= 0 {
			return question[m[2]:m[3]]
		}
		return question[m[4]:m[5]]
	}
	first := -1
	for i, m := range marks {
		if letter(m) == "A" {
			first = i
		}
	}
	if first < 0 {
		return question, nil
	}
	var options []eval.Option
	from := 0 // where the text of the last option starts
	for _, m := range marks[first:] {
		if len(options) == 26 || letter(m) != string(rune('A'+len(options))) {
			continue
		}
		if n := len(options); n > 0 {
			options[n-1].Text = strings.TrimSpace(question[from:m[0]])
		}
		options, from = append(options, eval.Option{Letter: eval.Choice(letter(m))}), m[1]
	}
	last := question[from:]
	if at := instruction.FindStringIndex(last); at != nil {
		last = last[:at[0]] // what a harness puts behind the options
	}
	options[len(options)-1].Text = strings.TrimSpace(last)
	text := question[:marks[first][0]]
	if tail := choicesTail.FindStringIndex(text); tail != nil {
		text = text[:tail[0]]
	}
	return text, options
}
