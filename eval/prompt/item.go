package prompt

import (
	"strings"

	"concord/eval"
)

// Item is what a template is filled in with. Fields that a template does not
// ask for are left alone.
type Item struct {
	Language string
	Question string
	Hint     string          // "" for none
	Options  []eval.Option   // as shown; none for yes/no and open questions
	Shots    []eval.Exemplar // worked examples
	Answer   string          // the text that a judge reads
	Pseudo   eval.Choice     // a judge's reply for "none of the options"
	Wrong    Wrong           // what a judge's last reply lacked, in the block "again"

	// What a judge that compares two answers is told beside the question.
	Answer1    string
	Answer2    string
	Type       eval.QuestionType
	Criteria   string // "" for none
	Pictured   bool   // pictures are shown before the text
	Caption    string
	Detections []eval.Detection

	Reference string // the right answer, for scores
}

// Wrong says why a judge's reply does not parse. The zero value: it does.
type Wrong string

// The ways in which a reply does not parse.
const (
	WrongUnset   Wrong = ""
	WrongEmpty   Wrong = "empty"
	WrongSeveral Wrong = "several" // different choices
	WrongInvalid Wrong = "invalid" // a letter that is none of the valid ones
	WrongWordy   Wrong = "wordy"   // no choice that stands clear of the words around it
)

// Letters lists the options' letters: "A, B or D".
func (i Item) Letters() string { return i.list(i.letters()) }

// Replies lists what a judge may reply: the letters and the pseudo-choice, or
// the words for a yes/no question.
func (i Item) Replies() string {
	switch {
	case len(i.Options) > 0:
		return i.list(append(i.letters(), string(i.Pseudo)))
	case i.Language == Chinese:
		return i.list([]string{"“是”", "“否”", "“未知”"})
	default:
		return i.list([]string{"yes", "no", "unknown"})
	}
}

// Worded tells that the pseudo-choice is a word, every letter being taken.
func (i Item) Worded() bool { return len(i.Pseudo) > 1 }

// Spare is the nth letter, from 0, that is not the pseudo-choice: worked
// examples are lettered with them, so that they never contradict it.
func (i Item) Spare(n int) string {
	for c := 'A'; c <= 'Z'; c++ {
		if string(c) == string(i.Pseudo) {
			continue
		}
		if n == 0 {
			return string(c)
		}
		n--
	}
	return ""
}

// Fence is a mark that begins no line of the item's own texts, so that no
// text can pretend that its block has ended.
func (i Item) Fence() string {
	longest := 4
	for _, text := range i.texts() {
		run := 0
		for k := range len(text) {
			if text[k] != '=' {
				run = 0
				continue
			}
			run++
			longest = max(longest, run)
		}
	}
	return strings.Repeat("=", longest+1)
}

// AsksYesNo tells that the question itself instructs to answer yes or no.
func (i Item) AsksYesNo() bool { return instruction.MatchString(i.Question) }

// texts are what people, models and files wrote.
func (i Item) texts() []string {
	out := []string{i.Question, i.Hint, i.Answer, i.Answer1, i.Answer2, i.Criteria, i.Caption, i.Reference}
	for _, o := range i.Options {
		out = append(out, o.Text)
	}
	for _, d := range i.Detections {
		out = append(out, d.Label)
	}
	return out
}

func (i Item) letters() []string {
	out := make([]string, 0, len(i.Options)+1)
	for _, o := range i.Options {
		out = append(out, string(o.Letter))
	}
	return out
}

func (i Item) list(words []string) string {
	if len(words) == 0 {
		return ""
	}
	comma, or := ", ", " or "
	if i.Language == Chinese {
		comma, or = "、", " 或 "
		if strings.HasPrefix(words[0], "“") { // only letters are set off by blanks
			or = "或"
		}
	}
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], comma) + or + words[last]
}
