package authoring

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
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

// field is a line that begins a field.
var field = regexp.MustCompile(`(?s)^([A-Z]|Question|Hint|Answer|Category|Image)[:：](.*)`)

// letters are those of choices.
var letters = strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "")

// NewText is the text that a new sample begins with.
const NewText = "Question: \nHint: \nA: \nB: \nC: \nD: \nAnswer: \nCategory: \nImage: "

// IsFieldLine reports whether a line begins a field.
func IsFieldLine(line string) bool { return field.MatchString(line) }

// parseFields reads the fields of a text. A line that begins none belongs to the field
// before it; one that looks like a field and is none has a blank before it.
func parseFields(text string) (map[string]string, error) {
	out, at, n := make(map[string]string), "", 0
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		n++
		if m := field.FindStringSubmatch(line); m != nil {
			if _, twice := out[m[1]]; twice {
				return nil, fmt.Errorf("line %d: %s is there twice; where the line belongs to the field above, put a blank before %q", n, m[1], m[1]+":")
			}
			at, line = m[1], m[2]
		} else if at == "Z" && (strings.HasPrefix(line, "AA:") || strings.HasPrefix(line, "AA：")) {
			return nil, fmt.Errorf("line %d: %s is one choice too many: a sample has at most 26, A to Z", n, line[:2])
		} else if IsFieldLine(strings.TrimLeft(line, " ")) {
			line = line[1:]
		}
		if at == "" && strings.TrimSpace(line) != "" {
			return nil, fmt.Errorf("line %d comes before the first field: a sample begins with %q", n, questionField+":")
		}
		out[at] += line
	}
	for name, value := range out {
		out[name] = strings.TrimSpace(value)
	}
	return out, nil
}

// ParseText reads a sample out of its text. An image has its name or path, and no hash.
// The error says the first thing that is wrong.
func ParseText(text string) (s eval.Sample, err error) {
	fields, err := parseFields(text)
	if err != nil {
		return s, err
	}
	s = eval.Sample{Kind: eval.KindChoice, Question: fields[questionField], Hint: fields[hintField], Answer: eval.Choice(strings.ToUpper(fields[answerField]))}
	if path := fields[categoryField]; path != "" {
		if s.Taxonomy = eval.Map(strings.Split(path, "/"), strings.TrimSpace); slices.Contains(s.Taxonomy, "") {
			return s, fmt.Errorf("category %q has an empty level: write one / between two levels, as in perception / animals", path)
		}
	}
	if image := fields[imageField]; image != "" {
		s.Pictures = []eval.Picture{{Name: image}}
	}
	for i, l := range letters {
		text := fields[l]
		same := eval.Find(s.Options, func(o *eval.Option) bool { return o.Text == text })
		switch {
		case text == "":
			continue
		case len(s.Options) < i:
			return s, fmt.Errorf("choice %s is empty, and %s is not", letters[len(s.Options)], l)
		case same != nil:
			return s, fmt.Errorf("choices %s and %s are equal", same.Letter, l)
		}
		s.Options = append(s.Options, eval.Option{Letter: eval.Choice(l), Text: text})
	}
	last := letters[max(len(s.Options)-1, 0)]
	switch {
	case s.Question == "":
		return s, errors.New("the question is missing")
	case len(s.Options) < 2:
		return s, fmt.Errorf("a sample has 2 to 26 choices, and here are %d", len(s.Options))
	case s.Answer == "":
		return s, fmt.Errorf("the answer is missing: a letter from A to %s", last)
	case !slices.ContainsFunc(s.Options, func(o eval.Option) bool { return o.Letter == s.Answer }):
		return s, fmt.Errorf("answer %s is no choice: want a letter from A to %s", s.Answer, last)
	}
	return s, nil
}

// HashOriginal names what a translation is made from: all that its text and its image are taken from.
func HashOriginal(s *eval.Sample) string {
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "%s\n%v", FormatText(s), s.Pictures) // a hash never refuses what is written to it
	return hex.EncodeToString(sum.Sum(nil))
}

// FormatText writes the text that ParseText reads.
func FormatText(s *eval.Sample) string {
	var out []string
	add := func(name, value string) {
		for i, line := range strings.Split(name+": "+value, "\n") {
			out = append(out, eval.Either(i > 0 && IsFieldLine(strings.TrimLeft(line, " ")), " ", "")+strings.TrimRight(line, " "))
		}
	}
	add(questionField, s.Question)
	add(hintField, s.Hint)
	for _, o := range s.Options {
		add(string(o.Letter), o.Text)
	}
	add(answerField, string(s.Answer))
	add(categoryField, eval.JoinPath(s.Taxonomy))
	add(imageField, eval.JoinList(s.Pictures, func(p eval.Picture) string { return p.Name }))
	return strings.Join(out, "\n")
}

// CheckTranslationKeeps says what of a translation that stands as it is in the original does not.
func CheckTranslationKeeps(original, translation *eval.Sample) error {
	if a, b := len(original.Options), len(translation.Options); a != b {
		return fmt.Errorf("the original has %d choices, and the translation %d", a, b)
	} else if a, b := original.Answer, translation.Answer; a != b {
		return fmt.Errorf("the answer is %s in the original, and %s in the translation", a, b)
	}
	return nil
}

// fence is what a model may put around a reply.
var fence = regexp.MustCompile("(?s)^```[a-z]*\n(.*)\n```$")

// ApplyTranslationReply gives the text of a sample with the words of a reply that translates
// it: question, hint and choices are the reply's, all else is the sample's.
func ApplyTranslationReply(s *eval.Sample, reply string) (string, error) {
	fields, err := parseFields(fence.ReplaceAllString(strings.TrimSpace(reply), "$1"))
	out := *s
	out.Options = slices.Clone(s.Options)
	take := func(name string, text *string) {
		if is := fields[name]; (is == "") != (*text == "") {
			err = cmp.Or(err, fmt.Errorf("%s is %s", name, eval.Either(is == "", "missing", "none of the original's")))
		}
		*text = fields[name]
	}
	take(questionField, &out.Question)
	take(hintField, &out.Hint)
	for i, l := range letters {
		if i >= len(out.Options) {
			take(l, new(string))
			continue
		}
		lines := strings.Count(out.Options[i].Text, "\n")
		if take(l, &out.Options[i].Text); strings.Count(out.Options[i].Text, "\n") > lines {
			err = cmp.Or(err, fmt.Errorf("%s has more lines than the original's", l)) // a remark behind the last field, perhaps
		}
	}
	text := FormatText(&out)
	if err == nil {
		_, err = ParseText(text)
	}
	return text, err
}
