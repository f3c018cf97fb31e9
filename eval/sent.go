package eval

import (
	"regexp"
	"strconv"
	"strings"
)

// Sent is what a call sent beside its text: a fact of the call. The zero value
// is that of a call from before it was kept, of which nothing is known.
type Sent struct {
	Known   bool
	Images  int    // that went along
	Lacking int    // that the sample has or names, and that did not
	Shots   int    // worked examples before the question
	Prompt  string // hash of the prompt template
	Params  string // the request's parameters as canonical JSON, or their setup's hash

	// Of a run that workers share, who asked which endpoint; a Worker of "" is the
	// process that holds the project.
	Worker, Endpoint string
}

// Part is a part of a sample as it is asked: a text, or a picture by its place
// in Sample.Pictures, from 1. Pictures that no text names, frames of a video
// among them, stand before the texts, in their order.
type Part struct {
	Text    string
	Picture int // 0: it is a text
}

// imageMark is where a picture stands within a text: "<image 2>".
var imageMark = regexp.MustCompile(`<image (\d{1,3})>`)

// Place is where a picture of a chat stands within the text of its first turn.
type Place struct {
	Picture int // in Chat.Pictures
	At      int // the byte before which it stands
}

// SplitParts cuts a text where its marks name one of so many pictures, each once. A
// mark that names no other one is text.
func SplitParts(text string, pictures int) []Part {
	var out []Part
	seen, from := make(map[int]bool), 0
	for _, m := range imageMark.FindAllStringSubmatchIndex(text, -1) {
		n, _ := strconv.Atoi(text[m[2]:m[3]])
		if n < 1 || n > pictures || seen[n] {
			continue
		}
		seen[n] = true
		if m[0] > from {
			out = append(out, Part{Text: text[from:m[0]]})
		}
		out, from = append(out, Part{Picture: n}), m[1]
	}
	if from < len(text) {
		out = append(out, Part{Text: text[from:]})
	}
	return out
}

// FormatImageMark gives the mark of the n-th picture, from 1.
func FormatImageMark(n int) string { return "<image " + strconv.Itoa(n) + ">" }

// anyMark is a mark as files write it: "<image>", "<image_2>", "<image2>".
var anyMark = regexp.MustCompile(`<image[ _]?(\d{0,3})>`)

// NumberImageMarks writes the marks of pictures in a sample's texts as they are read:
// those without a number are numbered in their order.
func NumberImageMarks(s *Sample) {
	n := 0
	number := func(mark string) string {
		if digits := anyMark.FindStringSubmatch(mark)[1]; digits != "" {
			return "<image " + digits + ">"
		}
		n++
		return FormatImageMark(n)
	}
	for _, t := range s.textsWithMarks() {
		if strings.Contains(*t, "<image") {
			*t = anyMark.ReplaceAllStringFunc(*t, number)
		}
	}
}

// CountImages counts how many images the sample has or its texts name.
func (s *Sample) CountImages() int {
	n := len(s.Pictures)
	for _, t := range s.textsWithMarks() {
		for _, m := range imageMark.FindAllStringSubmatch(*t, -1) {
			k, _ := strconv.Atoi(m[1])
			n = max(n, k)
		}
	}
	return n
}

// CountHeldImages counts how many of its images the project holds.
func (s *Sample) CountHeldImages() int {
	return Count(s.Pictures, func(p Picture) bool { return p.Hash != "" })
}

// SentBy is what is known of what the call behind a prediction sent. Of one
// from before that was kept, the run and the sample tell it where no image can
// have gone along.
func (p *Prediction) SentBy(c *Config, s *Sample) Sent {
	out := p.Sent
	none := c.Modality == TextOnly || c.Modality == BaseText || c.Origin == Asked && len(s.Pictures) == 0 && c.Modality != GreyImage
	if !out.Known && none {
		out = Sent{Known: true, Lacking: s.CountImages(), Shots: c.Settings.Shots, Params: c.Settings.Params}
	}
	return out
}

// textsWithMarks are those that may name pictures, in the order in which they are asked.
func (s *Sample) textsWithMarks() []*string {
	out := []*string{&s.Hint, &s.Question}
	for i := range s.Options {
		out = append(out, &s.Options[i].Text)
	}
	return out
}
