package judge

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/prompt"
)

// Dependencies are what every judge works with, whatever it is asked.
type Dependencies struct {
	Setup   eval.JudgeSetup
	Chatter eval.Chatter // nil where Chat alone is called
	Set     *prompt.Set
	Hints   int // how often a reply that does not parse is asked for again; 0: DefaultHints; negative: never
}

// caller asks a judge model, and asks again what does not parse.
type caller struct {
	means Dependencies
	setup string // hash
	lang  string // of templates that do not depend on the question's
}

// newCheckedCaller checks that the means suffice. A template that is asked in one language must be
// among those of the setup; "" for a caller that looks at the question first.
func newCheckedCaller(what, template string, m Dependencies) (caller, error) {
	if m.Setup.Judge == "" {
		return caller{}, fmt.Errorf("make %s: it has no name", what)
	}
	if m.Set == nil {
		return caller{}, fmt.Errorf("make %s %s: it has no templates", what, m.Setup.Judge)
	}
	if err := m.Set.RequireUnchanged(m.Setup.Prompts); err != nil {
		return caller{}, fmt.Errorf("make %s %s: %w", what, m.Setup.Judge, err)
	}
	lang := cmp.Or(m.Setup.Language, prompt.English)
	if template != "" && !slices.ContainsFunc(m.Setup.Prompts, func(r eval.PromptRef) bool { return r.Name == template && r.Language == lang }) {
		return caller{}, fmt.Errorf("make %s %s: its settings name no template %s/%s", what, m.Setup.Judge, template, lang)
	}
	m.Hints = cmp.Or(m.Hints, DefaultHints)
	hash, _ := HashSetup(m.Setup)
	return caller{means: m, setup: hash, lang: lang}, nil
}

// Name is the judge's name in reports.
func (c *caller) Name() string { return c.means.Setup.Judge }

// judgeCall is one question to a judge model: what it is told first, and how its
// replies are read. Of a reply that does not parse, head or tail is quoted.
type judgeCall struct {
	chat     eval.Chat
	template string
	item     prompt.Item
	read     func(eval.Reply) prompt.ReplyProblem
	quote    func(string) string
}

// askUntilParsed makes the call until a reply parses or no hint is left. Errors are those of a Chatter; the
// usage in made is that of all calls, beside an error too. It gives the last reply, whether it parses or
// not, and those that did not parse and were asked for again; beside an error there is no last one.
func (c *caller) askUntilParsed(ctx context.Context, made *eval.Call, q judgeCall) (raw string, earlier []string, err error) {
	for hints := c.means.Hints; ; hints-- {
		reply, err := c.means.Chatter.Chat(ctx, q.chat)
		made.Usage.Add(reply.Usage)
		made.Served = cmp.Or(reply.Model, made.Served)
		if err != nil {
			return "", earlier, err
		}
		q.item.Wrong = q.read(reply)
		if q.item.Wrong == prompt.WrongUnset || hints <= 0 {
			made.Finish = reply.Finish
			return reply.Text, earlier, nil
		}
		earlier = append(earlier, reply.Text)
		hint, err := c.means.Set.FillReminder(c.means.Setup.Prompts, q.template, q.item)
		if err != nil {
			return "", earlier, err
		}
		q.chat = appendReplyAndHint(q.chat, q.quote(reply.Text), hint)
	}
}

// explainUnread explains what is wrong with a reply that does not say what it should.
func explainUnread(r eval.Reply) prompt.ReplyProblem {
	return eval.Either(strings.TrimSpace(r.Text) == "", prompt.WrongEmpty, prompt.WrongWordy)
}

func newSampleFailure(format string, args ...any) error {
	return &eval.Failure{Kind: eval.FailureSample, Unasked: true, Message: fmt.Sprintf(format, args...)}
}

// HashSetup identifies a setup in judgments: the SHA-256, hexadecimal, of its canonical JSON,
// which is given too. Setups that judge alike have the same: the order of the templates and of
// the parameters' fields does not count, and an unset pseudo-choice is the default.
func HashSetup(s eval.JudgeSetup) (hash string, text []byte) {
	type template struct {
		Name     string `json:"name"`
		Language string `json:"language"`
		Version  string `json:"version"`
		Hash     string `json:"hash"`
	}
	out := struct {
		Judge    string     `json:"judge"`
		Endpoint string     `json:"endpoint"`
		Name     string     `json:"name"`
		Params   any        `json:"params"`
		Prompts  []template `json:"prompts"`
		Language string     `json:"language"`
		Pseudo   string     `json:"pseudo"`
		Edge     int        `json:"edge,omitempty"` // absent from the setups of judges that see no picture
	}{
		s.Judge, s.Endpoint, s.Name, decodeSortedParams(s.Params),
		[]template{},
		s.Language,
		string(cmp.Or(s.Pseudo, DefaultPseudo)),
		s.Edge,
	}
	out.Prompts = append(out.Prompts, eval.Map(s.Prompts, func(p eval.PromptRef) template { return template(p) })...)
	slices.SortFunc(out.Prompts, func(a, b template) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Language, b.Language), cmp.Compare(a.Hash, b.Hash))
	})
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(out) // strings, and what json.Unmarshal gave, always encode
	text = bytes.TrimSpace(b.Bytes())
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), text
}

// decodeSortedParams sorts the fields of JSON parameters; other text stays text.
func decodeSortedParams(text string) any {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return text
	}
	return v
}

// Captioner describes pictures by a model, for judges that are shown none
// (MLLM-Bench, App. F.6), or translates samples. It is safe for concurrent use.
type Captioner struct {
	caller
	template string
	item     func(*eval.Sample) prompt.Item
	read     func(*eval.Sample, eval.Reply) (string, prompt.ReplyProblem, error)
}

var _ eval.Captioner = (*Captioner)(nil)

// NewCaptioner checks that the setup can be carried out. Its judge is the model that describes.
func NewCaptioner(m Dependencies) (*Captioner, error) {
	c, err := newCheckedCaller("captioner", prompt.Caption, m)
	item := func(*eval.Sample) prompt.Item { return prompt.Item{Language: c.lang, Pictured: true} }
	read := func(_ *eval.Sample, r eval.Reply) (string, prompt.ReplyProblem, error) {
		text, problem := extractDescription(r)
		return text, problem, errors.New("the reply holds no description between its marks")
	}
	return &Captioner{c, prompt.Caption, item, read}, err
}

// NewTranslator gives a captioner whose texts are translations of samples into a language:
// what read makes of the model's replies.
func NewTranslator(m Dependencies, to string, read func(*eval.Sample, string) (string, error)) (*Captioner, error) {
	c, err := newCheckedCaller("translator", prompt.Translate, m)
	item := func(s *eval.Sample) prompt.Item {
		return prompt.Item{Language: c.lang, Question: s.Question, Hint: s.Hint, Options: s.Options, To: to}
	}
	return &Captioner{c, prompt.Translate, item, func(s *eval.Sample, r eval.Reply) (string, prompt.ReplyProblem, error) {
		_, text := cutReplyThought(r.Text)
		text, err := read(s, strings.TrimSpace(text))
		if err == nil && r.Finish == "length" {
			err = errors.New("it was cut off")
		}
		if err != nil {
			return "", explainUnread(r), fmt.Errorf("the reply is no translation: %w", err)
		}
		return text, prompt.WrongUnset, nil
	}}, err
}

// Caption asks the model to describe the sample's pictures, or to translate it. A reply
// that cannot be read is asked for again, and then a failure: what stands around the marks
// of a description may be anything. The usage is that of all calls, beside an error too.
func (c *Captioner) Caption(ctx context.Context, s eval.Sample, pictures func(eval.PictureHash) ([]byte, error)) (eval.Caption, error) {
	out := eval.Caption{Sample: s.Ordinal, Model: c.Name(), Call: eval.Call{Setup: c.setup}}
	chat, ref, err := c.fillPrompt(&s, pictures)
	if err != nil {
		return out, err
	}
	out.Prompt = ref.Hash
	text, why := "", error(nil)
	_, _, err = c.askUntilParsed(ctx, &out.Call, judgeCall{chat: chat, template: c.template, item: c.item(&s), quote: quoteHead, read: func(r eval.Reply) (w prompt.ReplyProblem) {
		text, w, why = c.read(&s, r)
		return w
	}})
	switch {
	case err != nil:
		return out, err
	case text == "":
		return out, &eval.Failure{Kind: eval.FailureSample, Message: why.Error()}
	}
	out.Text = text
	return out, nil
}

// BuildChat builds the first call about a sample's pictures. Its errors are failures:
// of the sample when it has no picture to describe, or one that is not held.
func (c *Captioner) BuildChat(s eval.Sample, pictures func(eval.PictureHash) ([]byte, error)) (eval.Chat, error) {
	chat, _, err := c.fillPrompt(&s, pictures)
	return chat, err
}

func (c *Captioner) fillPrompt(s *eval.Sample, pictures func(eval.PictureHash) ([]byte, error)) (eval.Chat, eval.PromptRef, error) {
	item := c.item(s)
	if item.Pictured && len(s.Pictures) == 0 {
		return eval.Chat{}, eval.PromptRef{}, newSampleFailure("sample %s has no picture to describe", s.ID)
	}
	chat, ref, err := c.means.Set.FillTemplate(c.means.Setup.Prompts, c.template, item)
	if err == nil && item.Pictured {
		chat.Pictures, err = prompt.LoadPictures(s, pictures)
	}
	return chat, ref, err
}

// extractDescription gives what stands between the marks: from the last first mark to
// the next second one, or, in a reply that was cut off, to its end.
func extractDescription(r eval.Reply) (string, prompt.ReplyProblem) {
	_, text := cutReplyThought(r.Text)
	i := strings.LastIndex(text, prompt.CaptionBegin)
	if i < 0 {
		return "", explainUnread(r)
	}
	text, _, closed := strings.Cut(text[i+len(prompt.CaptionBegin):], prompt.CaptionEnd)
	text = strings.TrimSpace(text)
	if text == "" || !closed && r.Finish != "length" {
		return "", prompt.WrongWordy
	}
	return text, prompt.WrongUnset
}

// Scorer is a judge model that says how similar an open answer is to its
// reference (MMBench, App. D.2). It is safe for concurrent use.
type Scorer struct{ caller }

var _ eval.Scorer = (*Scorer)(nil)

// NewScorer checks that the setup can be carried out.
func NewScorer(m Dependencies) (*Scorer, error) {
	c, err := newCheckedCaller("scorer", prompt.Score, m)
	return &Scorer{c}, err
}

// Score asks the judge model about an answer. A reply without a score is asked for again with what was
// wrong with it, and then stands as it is. The usage is that of all calls, beside an error too.
func (s *Scorer) Score(ctx context.Context, q eval.ScoreQuestion) (eval.Score, error) {
	out := eval.Score{Key: q.Prediction.Key, Judge: s.Name(), Call: eval.Call{Setup: s.setup}}
	item, err := s.buildScoreItem(&q)
	if err != nil {
		return out, err
	}
	chat, ref, err := s.means.Set.FillTemplate(s.means.Setup.Prompts, prompt.Score, item)
	if err != nil {
		return out, err
	}
	out.Prompt = ref.Hash
	out.Raw, out.Earlier, err = s.askUntilParsed(ctx, &out.Call, judgeCall{chat: chat, template: prompt.Score, item: item, quote: quoteHead, read: func(r eval.Reply) (w prompt.ReplyProblem) {
		out.Value, w = ReadScore(r)
		return w
	}})
	return out, err
}

// BuildChat builds the first call about an answer. Its errors are failures: of the
// sample when there is nothing to compare.
func (s *Scorer) BuildChat(q eval.ScoreQuestion) (eval.Chat, error) {
	item, err := s.buildScoreItem(&q)
	if err != nil {
		return eval.Chat{}, err
	}
	chat, _, err := s.means.Set.FillTemplate(s.means.Setup.Prompts, prompt.Score, item)
	return chat, err
}

func (s *Scorer) buildScoreItem(q *eval.ScoreQuestion) (prompt.Item, error) {
	i := prompt.Item{Language: s.lang, Question: q.Sample.Question, Reference: q.Sample.Reference, Answer: q.Prediction.Text}
	switch {
	case q.Sample.Kind != eval.KindOpen:
		return i, newSampleFailure("sample %s is %s: its answers are right or wrong", q.Sample.ID, q.Sample.Kind)
	case strings.TrimSpace(q.Sample.Reference) == "":
		return i, newSampleFailure("sample %s has no reference to score an answer by", q.Sample.ID)
	case q.Prediction.Failure != nil:
		return i, newSampleFailure("sample %s pass %d has no answer to score", q.Sample.ID, q.Prediction.Pass)
	}
	return i, nil
}

const quoted = 2000 // bytes of a reply that it is reminded of

// appendReplyAndHint gives the chat so far, the reply, and what was wrong with it. Endpoints
// refuse empty turns, so an empty reply is spoken of in the same turn.
func appendReplyAndHint(c eval.Chat, reply, hint string) eval.Chat {
	turns := append([]eval.Turn(nil), c.Turns...)
	if strings.TrimSpace(reply) == "" {
		turns[len(turns)-1].Text += "\n\n" + hint
	} else {
		turns = append(turns, eval.Turn{Role: eval.Assistant, Text: reply}, eval.Turn{Role: eval.User, Text: hint})
	}
	c.Turns = turns
	return c
}

func quoteHead(reply string) string {
	if len(reply) <= quoted || strings.TrimSpace(reply) == "" {
		return reply
	}
	return strings.ToValidUTF8(reply[:quoted], "") + " ..."
}

// quoteTail is what a reply ends with, where a vote should have stood.
func quoteTail(reply string) string {
	reply = strings.TrimSpace(reply)
	if len(reply) <= quoted {
		return reply
	}
	return "... " + strings.ToValidUTF8(reply[len(reply)-quoted:], "")
}

// ReadScore reads how similar a reply finds an answer to its reference: one digit from 1 to eval.TopScore,
// which is all of the reply, in brackets, quotes, markdown, full-width form or behind "Score:" at most. A
// digit within prose says nothing, nor does one that was cut off: it may be the first of two.
func ReadScore(r eval.Reply) (int, prompt.ReplyProblem) {
	text, wrong := finalReplyText(r.Text)
	if wrong != prompt.WrongUnset {
		return 0, wrong
	}
	if strings.ContainsRune(text, '\n') || r.Finish == "length" {
		return 0, prompt.WrongWordy
	}
	line := stripMarks(text)
	if rest, ok := strings.CutPrefix(upperASCII(line), "SCORE"); ok {
		if rest = strings.TrimSpace(rest); rest != "" && (rest[0] == ':' || rest[0] == '=') {
			line = stripMarks(rest[1:])
		}
	}
	digits := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" ,/;|&-", r) })
	switch {
	case len(line) == 1 && line[0] >= '1' && line[0] <= '0'+eval.TopScore:
		return int(line[0] - '0'), prompt.WrongUnset
	case len(digits) > 1 && isUnsignedNumber(digits[0]) && isUnsignedNumber(digits[len(digits)-1]):
		return 0, prompt.WrongSeveral
	case isUnsignedNumber(line):
		return 0, prompt.WrongInvalid
	}
	return 0, prompt.WrongWordy
}

func isUnsignedNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789.") == "" }
