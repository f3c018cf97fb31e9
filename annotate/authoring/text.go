package authoring

import (
	"fmt"
	"slices"
	"strings"

	"concord/eval"
)

// The fields of a sample's text beside its choices, whose fields are named by letters.
const (
	questionField = "Question"
	hintField     = "Hint"
	answerField   = "Answer"
	categoryField = "Category"
	imageField    = "Image"
)

// letters are those of choices.
var letters = strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "")

// NewText is the text that a new sample begins with.
const NewText = "Question: \nHint: \nA: \nB: \nC: \nD: \nAnswer: \nCategory: \nImage: "

// cutField cuts a line into the name of a field and what stands behind it; false for a
// line that begins none.
func cutField(line string) (name, value string, ok bool) {
	i := strings.IndexAny(line, ":：")
	if i < 0 {
		return "", "", false
	}
	name, value = line[:i], strings.TrimPrefix(strings.TrimPrefix(line[i:], ":"), "：")
	return name, value, slices.Contains(letters, name) || slices.Contains([]string{questionField, hintField, answerField, categoryField, imageField}, name)
}

// IsField reports whether a line begins a field.
func IsField(line string) bool {
	_, _, ok := cutField(line)
	return ok
}

// readFields reads the fields of a text. A line that begins none belongs to the field
// before it; one that looks like a field and is none has a blank before it.
func readFields(text string) (map[string]string, error) {
	out, at := make(map[string]string), ""
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		line = strings.TrimSuffix(line, "\n")
		name, value, ok := cutField(line)
		switch {
		case ok:
			if _, twice := out[name]; twice {
				return nil, fmt.Errorf("%s is there twice: a line of another field that begins with %q takes a blank before it", name, name+":")
			}
			at, out[name] = name, value
		case at != "":
			if strings.HasPrefix(line, " ") && IsField(strings.TrimLeft(line, " ")) {
				line = line[1:]
			}
			out[at] += "\n" + line
		case strings.TrimSpace(line) != "":
			return nil, fmt.Errorf("a line before the first field: a sample begins with %q", questionField+":")
		}
	}
	for name, value := range out {
		out[name] = strings.TrimSpace(value)
	}
	return out, nil
}

// ParseText reads a sample, and the name or path of its image, out of its text. The error
// says the first thing that is wrong with it.
func ParseText(text string) (s eval.Sample, image string, err error) {
	fields, err := readFields(text)
	if err != nil {
		return s, "", err
	}
	s = eval.Sample{Kind: eval.KindChoice, Question: fields[questionField], Hint: fields[hintField], Answer: eval.Choice(strings.ToUpper(fields[answerField]))}
	if s.Question == "" {
		return s, "", fmt.Errorf("the question is missing")
	}
	for i, l := range letters {
		text := fields[l]
		same, taken := eval.First(s.Options, func(o eval.Option) bool { return o.Text == text })
		switch {
		case text == "":
			continue
		case len(s.Options) < i:
			return s, "", fmt.Errorf("choice %s is empty, and %s is not", letters[len(s.Options)], l)
		case taken:
			return s, "", fmt.Errorf("choices %s and %s are equal", same.Letter, l)
		}
		s.Options = append(s.Options, eval.Option{Letter: eval.Choice(l), Text: text})
	}
	last := letters[max(len(s.Options)-1, 0)]
	switch {
	case len(s.Options) < 2:
		return s, "", fmt.Errorf("a sample has 2 to 26 choices, and here are %d", len(s.Options))
	case s.Answer == "":
		return s, "", fmt.Errorf("the answer is missing: a letter from A to %s", last)
	case !slices.ContainsFunc(s.Options, func(o eval.Option) bool { return o.Letter == s.Answer }):
		return s, "", fmt.Errorf("answer %s is no choice: want a letter from A to %s", s.Answer, last)
	}
	if path := fields[categoryField]; path != "" {
		s.Taxonomy = eval.Map(strings.Split(path, "/"), strings.TrimSpace)
	}
	return s, fields[imageField], nil
}

// FormatText writes the text that ParseText reads.
func FormatText(s *eval.Sample, image string) string {
	var b strings.Builder
	field := func(name, value string) {
		for i, line := range strings.Split(value, "\n") {
			switch {
			case i == 0:
				line = name + ": " + line
			case IsField(strings.TrimLeft(line, " ")):
				line = " " + line
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	field(questionField, s.Question)
	field(hintField, s.Hint)
	for _, o := range s.Options {
		field(string(o.Letter), o.Text)
	}
	field(answerField, string(s.Answer))
	field(categoryField, eval.Path(s.Taxonomy))
	field(imageField, image)
	return strings.TrimSuffix(b.String(), "\n")
}

// ReadTranslation gives the text of a sample with the words of a reply that translates
// it: question, hint and choices are the reply's, all else is the sample's.
func ReadTranslation(s *eval.Sample, reply string) (string, error) {
	fields, err := readFields(reply)
	if err != nil {
		return "", err
	}
	out := *s
	out.Question, out.Hint, out.Options = fields[questionField], fields[hintField], slices.Clone(s.Options)
	lacks := func(name, is, was string) {
		if err == nil && (is == "") != (was == "") {
			err = fmt.Errorf("%s is %s", name, eval.Either(is == "", "missing", "none of the original's"))
		}
	}
	lacks(questionField, out.Question, s.Question)
	lacks(hintField, out.Hint, s.Hint)
	for i := range out.Options {
		o := &out.Options[i]
		is := fields[string(o.Letter)]
		lacks("choice "+string(o.Letter), is, o.Text)
		o.Text = is
	}
	if err != nil {
		return "", err
	}
	image := ""
	if len(s.Pictures) > 0 {
		image = s.Pictures[0].Name
	}
	text := FormatText(&out, image)
	_, _, err = ParseText(text)
	return text, err
}
