package prompt

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"concord/eval"
)

// Item is what a template is filled in with. Fields that a template does not ask for are left alone.
type Item struct {
	Language, Question string
	Hint               string          // "" for none
	Options            []eval.Option   // as shown; none for yes/no and open questions
	Shots              []eval.Exemplar // worked examples
	Answer             string          // the text that a judge reads
	Pseudo             eval.Choice     // a judge's reply for "none of the options"
	Wrong              ReplyProblem    // what a judge's last reply lacked, in the block "again"

	// What a judge that compares two answers is told beside the question.
	Answer1, Answer2 string
	Type             eval.QuestionType
	Criteria         string // "" for none
	Pictured         bool   // pictures are shown before the text
	Caption          string
	Detections       []eval.Detection

	Reference string // the right answer, for scores
	To        string // the language that is translated into

	// What is made of these when a template is filled in. It stands in no struct of its own:
	// a field of an embedded one takes a template ten times as long to find.
	Letters    string   // of the options: "A, B or D"
	Replies    string   // what a judge may reply: the letters and the pseudo-choice, or the words for a yes/no question
	Worded     bool     // the pseudo-choice is a word, every letter being taken
	Spare      []string // letters that are not the pseudo-choice: worked examples are lettered with them, so that they never contradict it
	Fence      string
	AsksYesNo  bool   // the question itself instructs to answer yes or no
	Begin, End string // CaptionBegin and CaptionEnd
	Objects    []Object
}

// ReplyProblem says why a judge's reply does not parse. The zero value: it does.
type ReplyProblem string

// The ways in which a reply does not parse.
const (
	WrongUnset   ReplyProblem = ""
	WrongEmpty   ReplyProblem = "empty"
	WrongSeveral ReplyProblem = "several" // different choices
	WrongInvalid ReplyProblem = "invalid" // a letter that is none of the valid ones
	WrongWordy   ReplyProblem = "wordy"   // no choice that stands clear of the words around it
)

// fillForTemplate is the item as a template of that text sees it. What takes long to make
// is made for those alone that ask for it.
func (i Item) fillForTemplate(template string) *Item {
	asks := func(field string) bool { return strings.Contains(template, field) }
	i.Worded, i.Begin, i.End, i.Objects = len(i.Pseudo) > 1, CaptionBegin, CaptionEnd, i.surestDetections()
	i.AsksYesNo = asks("AsksYesNo") && instruction.MatchString(i.Question)
	if asks("Letters") {
		i.Letters = i.joinWithOr(i.optionLetters())
	}
	if asks("Replies") {
		i.Replies = i.listAllowedReplies()
	}
	if asks("Spare") {
		i.Spare = slices.DeleteFunc(slices.Clone(alphabet), func(l string) bool { return l == string(i.Pseudo) })
	}
	if asks("Fence") {
		i.Fence = i.chooseFence()
	}
	return &i
}

func (i Item) listAllowedReplies() string {
	switch {
	case len(i.Options) > 0:
		return i.joinWithOr(append(i.optionLetters(), string(i.Pseudo)))
	case i.Language == Chinese:
		return i.joinWithOr([]string{"“是”", "“否”", "“未知”"})
	default:
		return i.joinWithOr([]string{"yes", "no", "unknown"})
	}
}

var alphabet = strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "")

// chooseFence chooses a mark that begins no line of the item's own texts, so that no
// text can pretend that its block has ended.
func (i Item) chooseFence() string {
	longest := 4
	for _, text := range i.outsideTexts() {
		if !strings.Contains(text, "=====") {
			continue
		}
		for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '=' }) {
			longest = max(longest, len(run))
		}
	}
	return strings.Repeat("=", longest+1)
}

// outsideTexts are what people, models and files wrote.
func (i Item) outsideTexts() []string {
	return slices.Concat([]string{i.Question, i.Hint, i.Answer, i.Answer1, i.Answer2, i.Criteria, i.Caption, i.Reference},
		eval.Map(i.Options, func(o eval.Option) string { return o.Text }), eval.Map(i.Detections, func(d eval.Detection) string { return d.Label }))
}

func (i Item) optionLetters() []string {
	return eval.Map(i.Options, func(o eval.Option) string { return string(o.Letter) })
}

func (i Item) joinWithOr(words []string) string {
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

// The marks between which a describer of pictures writes.
const (
	CaptionBegin = "<<<caption"
	CaptionEnd   = "caption>>>"
)

// Objects is how many detected objects a judge is told of (MLLM-Bench, App. F).
const Objects = 10

// Object is a detected object, written out.
type Object struct {
	Box        string // "x1, y1, x2, y2"
	Confidence string
	Label      string // in one line
}

// surestDetections are the detected objects of which the detector is surest, the surest
// first; equally sure ones stay in their order.
func (i Item) surestDetections() []Object {
	all := slices.Clone(i.Detections)
	slices.SortStableFunc(all, func(a, b eval.Detection) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return eval.Map(all[:min(len(all), Objects)], func(d eval.Detection) Object {
		return Object{
			Box:        strings.Join([]string{formatDecimal(d.X1), formatDecimal(d.Y1), formatDecimal(d.X2), formatDecimal(d.Y2)}, ", "),
			Confidence: formatDecimal(d.Confidence),
			Label:      strings.Join(strings.Fields(d.Label), " "),
		}
	})
}

// formatDecimal writes a number with at most three decimals, enough for shares of a picture's edge.
func formatDecimal(x float64) string {
	s := strings.TrimRight(strings.TrimRight(strconv.FormatFloat(x, 'f', 3, 64), "0"), ".")
	return eval.Either(s == "-0", "0", s)
}

// A picture's place goes through the template as a mark of characters that stand for nothing: what is
// not the item's own, a worked example or an answer, may name pictures that are not there.
const (
	markOpen  = '\uFDD0'
	markClose = '\uFDD1'
)

// markFirstMentions gives the item with the first mark of each of so many pictures made one that cutPictureMarks finds.
func (i Item) markFirstMentions(pictures int) Item {
	seen := make([]bool, pictures+1)
	mark := func(text string) string {
		if !strings.Contains(text, "<image ") {
			return strings.ReplaceAll(text, string(markOpen), "")
		}
		var b strings.Builder
		for _, p := range eval.SplitAtImageMarks(text, pictures) {
			switch {
			case p.Picture == 0:
				b.WriteString(strings.ReplaceAll(p.Text, string(markOpen), ""))
			case seen[p.Picture]:
				b.WriteString(eval.FormatImageMark(p.Picture))
			default:
				seen[p.Picture] = true
				b.WriteRune(markOpen)
				b.WriteRune(rune(p.Picture))
				b.WriteRune(markClose)
			}
		}
		return b.String()
	}
	i.Hint, i.Question = mark(i.Hint), mark(i.Question)
	i.Options = slices.Clone(i.Options)
	for k := range i.Options {
		i.Options[k].Text = mark(i.Options[k].Text)
	}
	return i
}

// cutPictureMarks takes the marks out of a text and gives the places where they
// stood. What a template shows twice is marked again as text.
func cutPictureMarks(text *string) []eval.Place {
	var out []eval.Place
	var b strings.Builder
	rest := *text
	for {
		before, after, found := strings.Cut(rest, string(markOpen))
		b.WriteString(before)
		if !found {
			break
		}
		n, size := utf8.DecodeRuneInString(after)
		if slices.ContainsFunc(out, func(p eval.Place) bool { return p.Picture == int(n)-1 }) {
			b.WriteString(eval.FormatImageMark(int(n)))
		} else {
			out = append(out, eval.Place{Picture: int(n) - 1, At: b.Len()})
		}
		rest = strings.TrimPrefix(after[size:], string(markClose))
	}
	*text = b.String()
	return out
}

// templateTrial is an item that a template is tried on, with what must show in it.
type templateTrial struct {
	item Item
	must []part
}

type part struct{ what, text string }

// makeTrialItems makes the items that template r is tried on: every field is set in one
// of them, so that a wrong one fails when the template is loaded.
func makeTrialItems(r eval.PromptRef) []templateTrial {
	options := []eval.Option{{Letter: "A", Text: "first-text"}, {Letter: "C", Text: "second-text"}}
	full := Item{
		Language: r.Language, Question: "question-text", Hint: "hint-text", Options: options,
		Shots:  []eval.Exemplar{{Question: "shot-question", Options: options, Answer: "C"}},
		Answer: "answer-text", Pseudo: "Z",
		Answer1: "first-answer", Answer2: "second-answer", Type: eval.ClosedEnded, Criteria: "criteria-text", Pictured: true,
		Caption: "caption-text", Detections: []eval.Detection{{Label: "label-text", Confidence: 0.5}}, Reference: "reference-text", To: "language-name",
	}
	bare := full
	bare.Hint, bare.Shots, bare.Pseudo = "", nil, "NONE"
	bare.Type, bare.Criteria, bare.Pictured = eval.TypeUnset, "", false
	switch r.Name {
	case Choice, ChoiceTextOnly, ChoiceShots, ExtractChoice, Translate:
	default:
		full.Options, bare.Options = nil, nil
		full.Pseudo, bare.Pseudo = "", ""
	}
	must := partsAlwaysShown(r.Name)
	out := []templateTrial{{item: full, must: slices.Concat(must, partsShownIfPresent(r.Name))}}
	for _, w := range []ReplyProblem{WrongEmpty, WrongSeveral, WrongInvalid, WrongWordy} {
		bare.Wrong = w
		out = append(out, templateTrial{item: bare, must: must})
	}
	bare.Detections = nil // a detector may find nothing
	return append(out, templateTrial{item: bare})
}

// partsAlwaysShown is what must show of every item.
func partsAlwaysShown(name string) []part {
	question := part{"the question", "question-text"}
	options := part{"the options", "second-text"}
	answer := part{"the answer", "answer-text"}
	compared := []part{question, {"the first answer", "first-answer"}, {"the second answer", "second-answer"}}
	caption := part{"the caption", "caption-text"}
	objects := part{"the detected objects", "label-text"}
	switch name {
	case Choice, ChoiceTextOnly, ChoiceShots:
		return []part{question, options}
	case ExtractChoice:
		return []part{question, options, answer}
	case ReadYesNo, Grade, GradeSample:
		return []part{question, answer}
	case Vote:
		return compared
	case VoteCaption:
		return slices.Concat(compared, []part{caption})
	case VoteDetections:
		return slices.Concat(compared, []part{objects})
	case VoteBoth:
		return slices.Concat(compared, []part{caption, objects})
	case Caption:
		return []part{{"the mark before the description", CaptionBegin}, {"the mark behind the description", CaptionEnd}}
	case Translate:
		return []part{question, options, {"the language", "language-name"}}
	case Score:
		return []part{question, {"the right answer", "reference-text"}, answer}
	default:
		return []part{question}
	}
}

// partsShownIfPresent is what must show of an item that has it.
func partsShownIfPresent(name string) []part {
	switch name {
	case ChoiceShots:
		return []part{{"the worked examples", "shot-question"}}
	case Vote, VoteCaption, VoteDetections, VoteBoth, Grade, GradeSample:
		return []part{{"the criteria", "criteria-text"}}
	default:
		return nil
	}
}
