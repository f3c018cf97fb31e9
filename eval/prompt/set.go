// Package prompt turns a sample into what a model is told. Templates are data: named, versioned and
// hashed files of text/template that call no methods, one for each language, which a user replaces by
// files of their own. The elements of ours, in their order, are those of the papers (MMBench Sec. 4.3,
// App. B and D; MME Sec. 2.1; MMStar Sec. 4.3; MLLM-Bench Figs. 4, 7, 8 and 9), in our own words.
//
// It refuses to call endpoints and to read replies. Questions, options and
// answers are data: they are filled in and never parsed as templates.
//
// Its one invariant: a prompt is rendered from the very text whose hash a run's or judge's settings carry.
package prompt

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // sizes are read from the headers of these formats
	_ "image/jpeg"
	"image/png"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"concord/eval"
)

// The names of the templates.
const (
	Choice         = "choice"
	ChoiceTextOnly = "choice-text-only"
	ChoiceShots    = "choice-shots"
	YesNo          = "yesno"
	Open           = "open"
	ExtractChoice  = "extract-choice"
	ReadYesNo      = "read-yesno"
	Vote           = "vote"
	VoteCaption    = "vote-caption"
	VoteDetections = "vote-detections"
	VoteBoth       = "vote-both"
	Caption        = "caption"
	Score          = "score"
	Grade          = "grade"
	GradeSample    = "grade-sample"
	Translate      = "translate"
)

// The languages of templates. Those that ask and read choices exist in both,
// those that compare, describe, score, grade and translate in English alone.
const (
	English = "en"
	Chinese = "zh"
)

//go:embed templates/*.txt
var files embed.FS

// Text is a template as it is stored: by the hash of its text, header and all.
type Text struct {
	Ref  eval.PromptRef
	Text string
}

// Set holds every template in every language. It does not change after Load and is safe for concurrent use.
type Set struct {
	templates map[string]*templateFile // by name/language
}

// LoadSet parses the templates. An override is the text of a file by "name" (for every language that its
// header does not exclude) or "name/language"; the more special key wins. It takes the place of ours once
// it has rendered a sample question without leaving out what its template is for. What an override does not
// define of the words for asking a judge again is ours, and part of its text and hash.
func LoadSet(overrides map[string]string) (*Set, error) {
	s := &Set{templates: make(map[string]*templateFile)}
	entries, err := files.ReadDir("templates")
	if err != nil {
		return nil, fmt.Errorf("read templates: %w", err)
	}
	for _, e := range entries {
		data, err := files.ReadFile(path.Join("templates", e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read templates: %w", err)
		}
		id := strings.Replace(strings.TrimSuffix(e.Name(), ".txt"), ".", "/", 1)
		if s.templates[id], err = parseAndTryTemplate(id, string(data), nil); err != nil {
			return nil, err
		}
	}
	// "choice" sorts before "choice/zh": the more special key comes last.
	for _, key := range slices.Sorted(maps.Keys(overrides)) {
		if err := s.overrideTemplate(key, overrides[key]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// CopyWithTemplate gives the set with one template replaced, as LoadSet replaces it.
func (s *Set) CopyWithTemplate(key, text string) (*Set, error) {
	out := &Set{templates: maps.Clone(s.templates)}
	return out, out.overrideTemplate(key, text)
}

func (s *Set) overrideTemplate(key, text string) error {
	ids, err := s.matchIDs(key)
	if err != nil {
		return err
	}
	head, _, _, err := splitTemplateHeader(key, text)
	if err != nil {
		return err
	}
	if name, _, _ := strings.Cut(key, "/"); head.Name != "" && head.Name != name {
		return fmt.Errorf("parse template %s: its header says it is %q", key, head.Name)
	}
	used := false
	for _, id := range ids {
		if head.Language != "" && !strings.HasSuffix(id, "/"+head.Language) {
			continue
		}
		used = true
		if s.templates[id], err = parseAndTryTemplate(id, text, s.templates[id]); err != nil {
			return err
		}
	}
	if !used {
		return fmt.Errorf("parse template %s: its header says its language is %q", key, head.Language)
	}
	return nil
}

// matchIDs gives the templates that a key stands for.
func (s *Set) matchIDs(key string) ([]string, error) {
	if s.templates[key] != nil {
		return []string{key}, nil
	}
	var ids, names []string
	for _, id := range slices.Sorted(maps.Keys(s.templates)) {
		name, _, _ := strings.Cut(id, "/")
		names = append(names, name)
		if name == key {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("unknown template %q: want one of %s, or one with its language, as in %s/%s",
			key, strings.Join(slices.Compact(names), ", "), Choice, English)
	}
	return ids, nil
}

// TemplateText is a template's text.
func (s *Set) TemplateText(name, lang string) (Text, bool) {
	f, ok := s.templates[name+"/"+lang]
	if !ok {
		return Text{}, false
	}
	return f.text, true
}

// Refs names the templates: each name in every language, "name/language" in
// that one. Names that are no templates are left out.
func (s *Set) Refs(names ...string) []eval.PromptRef {
	return eval.Map(s.Texts(names...), func(t Text) eval.PromptRef { return t.Ref })
}

// Texts are the texts of Refs, in the same order.
func (s *Set) Texts(names ...string) []Text {
	var out []Text
	for _, key := range names {
		ids, _ := s.matchIDs(key)
		out = append(out, eval.Map(ids, func(id string) Text { return s.templates[id].text })...)
	}
	slices.SortFunc(out, func(a, b Text) int {
		return cmp.Or(cmp.Compare(a.Ref.Name, b.Ref.Name), cmp.Compare(a.Ref.Language, b.Ref.Language))
	})
	return slices.Compact(out)
}

// RequireUnchanged compares the templates that a run or judge was set up with to those of the set: a run
// goes on with the text that it began with, or not at all. Its error is a failure of the configuration.
func (s *Set) RequireUnchanged(refs []eval.PromptRef) error {
	for _, r := range refs {
		have, ok := s.TemplateText(r.Name, r.Language)
		switch {
		case !ok:
			return newConfigurationError("check templates: there is no %s/%s", r.Name, r.Language)
		case have.Ref.Hash != r.Hash:
			return newConfigurationError("check templates: %s/%s has changed: it was version %s (%.12s), and is version %s (%.12s)",
				r.Name, r.Language, r.Version, r.Hash, have.Ref.Version, have.Ref.Hash)
		}
	}
	return nil
}

const (
	plainEdge   = 336  // of a picture whose size is not known: what CLIP-based models see
	largestEdge = 4096 // a header may lie
	keptGreys   = 512  // distinct sizes kept; a benchmark has some hundreds
)

// grayPictures draws plain grey pictures, each size once. Its zero value is ready.
type grayPictures struct {
	mu   sync.Mutex
	kept map[image.Point][]byte
}

// makeLike makes a grey picture of the size of the encoded picture data, scaled down
// to the longer edge (0: as it is) as that one would be.
func (g *grayPictures) makeLike(data []byte, edge int) ([]byte, error) {
	at := image.Pt(plainEdge, plainEdge)
	if w, h, ok := ReadPictureSize(data); ok {
		at = image.Pt(w, h)
	}
	if edge <= 0 || edge > largestEdge {
		edge = largestEdge
	}
	if long := max(at.X, at.Y); long > edge {
		at.X, at.Y = max(at.X*edge/long, 1), max(at.Y*edge/long, 1)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.kept[at]; p != nil {
		return p, nil
	}
	p, err := drawGray(at)
	if err != nil {
		return nil, err
	}
	if g.kept == nil || len(g.kept) >= keptGreys {
		g.kept = make(map[image.Point][]byte)
	}
	g.kept[at] = p
	return p, nil
}

func drawGray(size image.Point) ([]byte, error) {
	img := image.NewGray(image.Rectangle{Max: size})
	for i := range img.Pix {
		img.Pix[i] = color.Gray{Y: 0x80}.Y
	}
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), eval.WrapError(err, "draw grey picture")
}

// ReadPictureSize reads a picture's size in pixels from the header of its file; a few
// kilobytes of it are usually enough.
func ReadPictureSize(data []byte) (w, h int, ok bool) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || c.Width <= 0 || c.Height <= 0 {
		return 0, 0, false
	}
	return c.Width, c.Height, true
}

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

// CountWantedExamples is how many examples a prompt wants.
func CountWantedExamples(text string) (n int) {
	for _, m := range examplesSlot.FindAllStringSubmatch(text, -1) {
		k, _ := strconv.Atoi(m[1]) // four digits
		n += k
	}
	return n
}

// FillExampleSlots fills the slots of a prompt, {{examples 4}}, one after the other. Where there are too
// few examples the last slots stay short. Each slot begins with a comment that names the samples.
func FillExampleSlots(text, lang string, examples []Example) string {
	number := 0
	return examplesSlot.ReplaceAllStringFunc(text, func(slot string) string {
		k := min(CountWantedExamples(slot), len(examples))
		some := examples[:k]
		examples = examples[k:]
		if k == 0 {
			return ""
		}
		out := []string{fmt.Sprintf("{{/* examples of samples %s */}}", eval.JoinList(some, func(e Example) string { return fmt.Sprint(e.Sample) }))}
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

// format is the example as the prompts of concord show theirs. What came from outside is none of it.
func (e *Example) format(number int, lang string) string {
	words := eval.Either(lang == "zh", []string{"示例 %d", "题目：", "选项：", "回答：", "输出："}, []string{"Example %d", "Question: ", "Options:", "Answer: ", "Reply: "})
	lines := []string{fmt.Sprintf(words[0], number), words[1] + quoteForTemplate(e.Question)}
	if len(e.Options) > 0 {
		lines = append(lines, words[2])
		lines = append(lines, eval.Map(e.Options, func(o eval.Option) string { return string(o.Letter) + ". " + quoteForTemplate(o.Text) })...)
	}
	switch {
	case e.Second != "":
		lines = append(lines, "Answer1: "+quoteForTemplate(e.Response), "Answer2: "+quoteForTemplate(e.Second))
	case e.Reference != "":
		lines = append(lines, "Right answer: "+quoteForTemplate(e.Reference))
		fallthrough
	default:
		lines = append(lines, words[3]+quoteForTemplate(e.Response))
	}
	if e.Criterion != "" {
		lines = append(lines, "Criterion: "+quoteForTemplate(e.Criterion))
	}
	return strings.Join(append(lines, words[4]+e.expectedReply(lang)), "\n") + "\n"
}

// expectedReply is what a judge is to reply, in the words that the prompts of concord ask for.
func (e *Example) expectedReply(lang string) string {
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

// quoteForTemplate has text stand in a template as it is.
func quoteForTemplate(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(text), "{{", "{{`{{`}}")
}
