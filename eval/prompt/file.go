package prompt

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	template "github.com/DataDog/datadog-agent/pkg/template/text"

	"concord/eval"
)

// Blocks that a template may define beside its body, which is the user's turn.
const (
	systemBlock = "system" // the system message
	againBlock  = "again"  // what a judge is told whose reply does not parse
)

type templateFile struct {
	text Text
	body *template.Template
}

// templateHeader is what a file's header says; fields that it leaves out are empty.
type templateHeader struct{ Name, Language, Version string }

const rule = "---"

// ParseHeaderName is the name of the template that the header of a text says it is; "" where it says none.
func ParseHeaderName(text string) string {
	head, _, _, err := splitTemplateHeader("", text)
	return eval.Either(err == nil, head.Name, "")
}

// splitTemplateHeader splits a file into its header (between two lines of three dashes at
// its top, both optional) and the rest, with the number of the header's lines.
func splitTemplateHeader(id, text string) (h templateHeader, body string, lines int, err error) {
	rest, ok := strings.CutPrefix(text, rule+"\n")
	if !ok {
		return h, text, 0, nil
	}
	for lines = 2; ; lines++ {
		line, more, found := strings.Cut(rest, "\n")
		rest = more
		if strings.TrimSpace(line) == rule {
			return h, rest, lines, nil
		}
		if !found {
			return h, "", 0, fmt.Errorf("parse template %s:1: its header has no closing %s", id, rule)
		}
		key, value, _ := strings.Cut(line, ":")
		switch value = strings.TrimSpace(value); strings.TrimSpace(key) {
		case "name":
			h.Name = value
		case "language":
			h.Language = value
		case "version":
			h.Version = value
		case "":
		default:
			return h, "", 0, fmt.Errorf("parse template %s:%d: its header has no field %q", id, lines, strings.TrimSpace(key))
		}
	}
}

// parseAndTryTemplate parses the text of template id ("name/language") and tries it. ours is
// what it replaces, nil when it is ours.
func parseAndTryTemplate(id, text string, ours *templateFile) (*templateFile, error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	f, err := parseTemplate(id, text)
	if err != nil {
		return nil, err
	}
	if ours != nil && f.body.Lookup(againBlock) == nil && ours.body.Lookup(againBlock) != nil {
		again := `{{define "` + againBlock + `"` // to the end of our own
		_, block, _ := strings.Cut(ours.text.Text, again)
		if f, err = parseTemplate(id, strings.TrimRight(text, "\n")+"\n"+again+block); err != nil {
			return nil, err
		}
	}
	return f, eval.WrapError(f.tryTemplate(), "try template %s", id)
}

// The library calls no methods, which is what lets the linker leave out those
// that nobody calls. {{.Spare 2}} was one: it picks from a list.
var (
	action = regexp.MustCompile(`\{\{[^}]*\}\}`)
	spare  = regexp.MustCompile(`\$?\.Spare\s`)
)

func parseTemplate(id, text string) (*templateFile, error) {
	h, body, lines, err := splitTemplateHeader(id, text)
	if err != nil {
		return nil, err
	}
	// A comment as long as the header keeps the line numbers of errors true.
	body = "{{/*" + strings.Repeat("\n", lines) + "*/}}" + action.ReplaceAllStringFunc(body, func(a string) string {
		return spare.ReplaceAllString(a, "index $0")
	})
	t, err := template.New(id).Option("missingkey=error").Parse(body)
	if err != nil {
		return nil, fmt.Errorf("parse %w", err)
	}
	name, lang, _ := strings.Cut(id, "/")
	h.Version = cmp.Or(h.Version, "file")
	sum := sha256.Sum256([]byte(text))
	return &templateFile{
		text: Text{
			Ref:  eval.PromptRef{Name: name, Language: lang, Version: h.Version, Hash: hex.EncodeToString(sum[:])},
			Text: text,
		},
		body: t,
	}, nil
}

// renderChat renders the template as a chat without pictures.
func (f *templateFile) renderChat(i Item) (eval.Chat, error) {
	v := i.fillForTemplate(f.text.Text)
	user, err := f.renderBlock("", v)
	if err != nil {
		return eval.Chat{}, err
	}
	system, err := f.renderBlock(systemBlock, v)
	return eval.Chat{System: system, Turns: []eval.Turn{{Role: eval.User, Text: user}}}, err
}

// renderBlock renders a block, or the body for ""; "" when there is none. Empty
// lines at both ends belong to the file's layout.
func (f *templateFile) renderBlock(block string, v *Item) (string, error) {
	t := f.body
	if block != "" {
		if t = t.Lookup(block); t == nil {
			return "", nil
		}
	}
	var b strings.Builder
	err := t.Execute(&b, v)
	return strings.Trim(b.String(), "\n"), err
}

// tryTemplate renders an item with and without what may be absent, and refuses a
// template that leaves out what it is there for.
func (f *templateFile) tryTemplate() error {
	for _, t := range makeTrialItems(f.text.Ref) {
		chat, err := f.renderChat(t.item)
		if err != nil {
			return err
		}
		for _, must := range t.must {
			if !strings.Contains(chat.System+"\n"+chat.Turns[0].Text, must.text) {
				return errors.New("its text does not show " + must.what)
			}
		}
		if _, err := f.renderBlock(againBlock, t.item.fillForTemplate(f.text.Text)); err != nil {
			return err
		}
	}
	return nil
}

// QuestionTemplate is the template that asks a question of that kind, "" for no kind. Worked examples
// decide before the modality does: they teach the form of the reply, whatever is shown beside them.
func QuestionTemplate(k eval.Kind, m eval.Modality, shots int) string {
	switch k {
	case eval.KindYesNo:
		return YesNo
	case eval.KindOpen:
		return Open
	case eval.KindChoice:
		switch {
		case shots > 0:
			return ChoiceShots
		case m == eval.TextOnly || m == eval.BaseText:
			return ChoiceTextOnly
		}
		return Choice
	case eval.KindUnset:
	}
	return ""
}

// JudgeTemplate is the template by which a judge reads answers to questions of that
// kind, "" for kinds whose answers hold no choice.
func JudgeTemplate(k eval.Kind) string {
	return map[eval.Kind]string{eval.KindChoice: ExtractChoice, eval.KindYesNo: ReadYesNo}[k]
}

// VoteTemplate is that by which a judge that sees this of a picture compares answers, "" for no input.
func VoteTemplate(i eval.Input) string {
	return map[eval.Input]string{
		eval.SeesImage: Vote, eval.SeesCaption: VoteCaption, eval.SeesDetections: VoteDetections, eval.SeesBoth: VoteBoth,
	}[i] // SeesNothing is what a vote came to, never what is asked for
}

// GradeTemplateName gives that by which a judge grades a response: by one criterion or all of its sample.
func GradeTemplateName(sample bool) string { return eval.Either(sample, GradeSample, Grade) }

// TemplatesFor are the templates that a run over a dataset of these kinds fills in.
func TemplatesFor(kinds []eval.Kind, m eval.Modality, shots int) []string {
	out := eval.FilterMap(kinds, func(k eval.Kind) (string, bool) { n := QuestionTemplate(k, m, shots); return n, n != "" })
	slices.Sort(out)
	return slices.Compact(out)
}

// QuestionLanguage is the language that a question is asked in: the forced one, or
// else Chinese when the question holds a CJK character.
func QuestionLanguage(question, forced string) string {
	if forced != "" {
		return forced
	}
	return eval.Either(strings.ContainsFunc(question, func(r rune) bool { return unicode.Is(unicode.Han, r) }), Chinese, English)
}

func checkLanguage(lang string) error {
	if lang != "" && lang != English && lang != Chinese {
		return fmt.Errorf("unknown language %q: want %s, %s or none", lang, English, Chinese)
	}
	return nil
}

// instruction finds that to answer yes or no. In Chinese, "是否" alone is only the word for whether.
var instruction = regexp.MustCompile(`(?i)\byes["'”’*]*,?\s*(?:or|/|\||或|或者)\s*["'“‘*]*no\b` +
	`|是["'”’」]?\s*(?:或者?|还是|/)\s*["'“‘「]?(?:否|不是)`)

// FillTemplate renders a template. The text must be one of refs: what a run or judge
// has not in its settings, it is not asked with.
func (s *Set) FillTemplate(refs []eval.PromptRef, name string, i Item) (eval.Chat, eval.PromptRef, error) {
	f, err := s.findTemplate(refs, name, i.Language)
	if err != nil {
		return eval.Chat{}, eval.PromptRef{}, err
	}
	chat, err := f.renderChat(i)
	if err != nil {
		return eval.Chat{}, eval.PromptRef{}, newConfigurationError("fill in template %s/%s: %v", name, i.Language, err)
	}
	return chat, f.text.Ref, nil
}

// FillTemplateWithPictures renders a template about an item with so many pictures: where its
// question, hint or options name one, it stands there in the chat.
func (s *Set) FillTemplateWithPictures(refs []eval.PromptRef, name string, i Item, pictures int) (eval.Chat, eval.PromptRef, error) {
	chat, ref, err := s.FillTemplate(refs, name, i.markFirstMentions(pictures))
	if err == nil {
		chat.Places = cutPictureMarks(&chat.Turns[0].Text)
	}
	return chat, ref, err
}

// FillReminder renders what a judge is told whose reply to Fill does not parse.
func (s *Set) FillReminder(refs []eval.PromptRef, name string, i Item) (string, error) {
	f, err := s.findTemplate(refs, name, i.Language)
	if err != nil {
		return "", err
	}
	text, err := f.renderBlock(againBlock, i.fillForTemplate(f.text.Text))
	if err != nil {
		return "", newConfigurationError("fill in template %s/%s: %v", name, i.Language, err)
	}
	return text, nil
}

func (s *Set) findTemplate(refs []eval.PromptRef, name, lang string) (*templateFile, error) {
	f := s.templates[name+"/"+lang]
	if f == nil || !slices.ContainsFunc(refs, func(r eval.PromptRef) bool {
		return r.Name == name && r.Language == lang && r.Hash == f.text.Ref.Hash
	}) {
		return nil, newConfigurationError("the settings name no template %s/%s", name, lang)
	}
	return f, nil
}

func newConfigurationError(format string, args ...any) error {
	return &eval.Failure{Kind: eval.FailureConfiguration, Message: fmt.Sprintf(format, args...)}
}
