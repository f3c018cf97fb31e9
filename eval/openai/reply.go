package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	goopenai "github.com/sashabaranov/go-openai"

	"concord/eval"
	"concord/eval/bound"
	"concord/eval/text"
)

// wireReply is a reply as the wire format gives it, read but not judged.
type wireReply struct {
	eval.Reply
	refusal string
	said    bool // there was a choice that says something, or why it says nothing
	failed  bool // an error stands beside the choices or in the first
}

// newWireReply reads the body of a chat completion.
func newWireReply(body []byte) (wireReply, error) {
	s, err := readReplyShape(body)
	f := wireReply{Reply: eval.Reply{Model: s.Model, Usage: usageOf(cmp.Or(s.Usage, new(goopenai.Usage)))}, failed: s.hasError()}
	if err != nil || len(s.Choices) == 0 {
		return f, err
	}
	c, m := &s.Choices[0], &s.Choices[0].Message
	f.Text, f.refusal, f.Reasoning, f.Finish = m.Content.text, m.Refusal, m.thinkingText(), c.Finish
	f.addTokens(c.LogProbs)
	f.said = f.holdsAnswer(m.Role != "user" && m.Role != "system" && (m.Role != "" || m.Content.given || m.ToolCalls != nil))
	return f, nil
}

// addTokens takes over log probabilities. A token may be a part of a character, so
// its bytes count where they are given.
func (f *wireReply) addTokens(p *goopenai.LogProbs) {
	if p == nil {
		return
	}
	f.Tokens = append(f.Tokens, eval.Map(p.Content, func(t goopenai.LogProb) eval.Token {
		return eval.Token{Text: cmp.Or(string(t.Bytes), t.Token), LogProb: t.LogProb}
	})...)
}

// holdsAnswer reports whether this is an answer: a text of the model's, or its reason
// to say nothing. A finish reason alone, with no message, is neither.
func (f *wireReply) holdsAnswer(message bool) bool {
	switch {
	case f.Finish == string(goopenai.FinishReasonLength) || isFiltered(f.Finish) || isBrokenOff(f.Finish):
		return true
	case f.Finish == "" && isBlank(f.Text) && isBlank(f.refusal) && isBlank(f.Reasoning):
		return false
	}
	return message
}

func usageOf(u *goopenai.Usage) eval.Usage {
	out := eval.Usage{Prompt: clampTokens(u.PromptTokens), Completion: clampTokens(u.CompletionTokens)}
	if d := u.PromptTokensDetails; d != nil {
		out.Cached = min(clampTokens(d.CachedTokens), out.Prompt)
	}
	if d := u.CompletionTokensDetails; d != nil {
		out.Reasoning = min(clampTokens(d.ReasoningTokens), out.Completion)
	}
	return out
}

// clampTokens bounds a count that strangers named.
func clampTokens(n int) int { return min(max(n, 0), 1<<30) }

// replyOrError judges what was found: text and thinking are parted, a refusal is the model's answer, and
// what is no answer is an error that a *refusal or a *garbage tells.
func (f *wireReply) replyOrError(body []byte) (eval.Reply, error) {
	r := f.Reply
	r.Finish, r.Model = text.Outside(f.Finish).Shorten(40), text.Outside(f.Model).Shorten(100)
	switch {
	case !f.said || f.failed:
		return eval.Reply{Usage: r.Usage, Model: r.Model}, explainNoAnswer(body)
	case isFiltered(f.Finish):
		return eval.Reply{Finish: r.Finish, Usage: r.Usage, Model: r.Model}, &withheld{}
	case isBrokenOff(f.Finish):
		return eval.Reply{Finish: r.Finish, Usage: r.Usage, Model: r.Model},
			&refusal{status: 500, body: []byte("the answer broke off: finish reason " + f.Finish)}
	}
	r.Text = cmp.Or(r.Text, f.refusal)
	text, thought := splitLeadingThought(r.Text)
	r.Text = text
	r.Reasoning = cmp.Or(r.Reasoning, thought)
	return r, nil
}

// explainNoAnswer gives why a body of status 200 holds no answer: an error object, which
// gateways send so, or nothing.
func explainNoAnswer(body []byte) error {
	s, err := readReplyShape(body)
	if err != nil || !s.hasError() {
		return &garbage{"reply without an answer: no message that says anything, or why it says nothing"}
	}
	if !isErrorValue(s.Error) && s.Object != "error" {
		body = s.Choices[0].Error
	}
	// The body goes back to its pool before the refusal is worded.
	r := &refusal{body: bytes.Clone(body[:min(len(body), bound.Refusal)]), within: true}
	if status, err := strconv.Atoi(parseComplaint(body).Code); err == nil && status >= 300 && status <= 599 {
		r.status = status
	}
	return r
}

// fences are what models put around their thinking when nothing at the
// endpoint parses it out. bare says that templates put the opening one into
// the prompt, so that an answer may begin in the middle of the thinking.
var fences = []struct {
	open, end string
	bare      bool
}{
	{"<think>", "</think>", true}, // DeepSeek-R1, Qwen, GLM, InternVL
	{"<thinking>", "</thinking>", false},
	{"◁think▷", "◁/think▷", true}, // Kimi-VL
	{"[THINK]", "[/THINK]", false},
	{"<seed:think>", "</seed:think>", false},
}

// splitLeadingThought parts a leading thought from the answer. A thought without an end
// leaves no answer: the model was cut off in it.
func splitLeadingThought(content string) (answer, thought string) {
	trimmed := strings.TrimLeft(content, " \t\r\n")
	for _, f := range fences {
		if rest, ok := strings.CutPrefix(trimmed, f.open); ok {
			thought, answer, _ = strings.Cut(rest, f.end)
			return strings.TrimLeft(answer, " \t\r\n"), strings.TrimSpace(thought)
		}
	}
	for _, f := range fences {
		before, after, ok := strings.Cut(content, f.end)
		if f.bare && ok && !strings.Contains(before, f.open) {
			return strings.TrimLeft(after, " \t\r\n"), strings.TrimSpace(before)
		}
	}
	return content, ""
}

// replyAssembler puts a streamed reply together.
type replyAssembler struct {
	wireReply
	text, refusal, thought strings.Builder
	message                bool // there was a part of one
}

func (a *replyAssembler) addEvent(c *replyShape) {
	a.Model = cmp.Or(c.Model, a.Model)
	if c.Usage != nil {
		a.Usage = usageOf(c.Usage)
	}
	if len(c.Choices) == 0 || c.Choices[0].Index != 0 {
		return
	}
	d := &c.Choices[0].Delta
	a.message = a.message || d.Role != "" || d.Content.text != "" || d.Refusal != "" || d.thinkingText() != ""
	a.text.WriteString(d.Content.text)
	a.addTokens(c.Choices[0].LogProbs)
	a.refusal.WriteString(d.Refusal)
	a.thought.WriteString(d.thinkingText())
	a.Finish = cmp.Or(c.Choices[0].Finish, a.Finish)
}

func (a *replyAssembler) assembledReply() wireReply {
	f := a.wireReply
	f.Text, f.refusal, f.Reasoning = a.text.String(), a.refusal.String(), a.thought.String()
	f.said = f.holdsAnswer(a.message)
	return f
}

// askStreamed asks for a streamed reply and assembles it. One that ends before saying why has broken off.
func (m *Model) askStreamed(ctx context.Context, t *callExchange) (wireReply, []byte, error) {
	s, err := m.endpoint.client.CreateChatCompletionStream(ctx, goopenai.ChatCompletionRequest{})
	if err != nil {
		return wireReply{}, nil, err
	}
	defer func() { _ = s.Close() }()
	var a replyAssembler
	for {
		line, err := s.RecvRaw()
		switch {
		case t.broke != nil:
			return a.assembledReply(), nil, t.broke
		case errors.Is(err, io.EOF) && a.Finish != "":
			return a.assembledReply(), nil, nil
		case errors.Is(err, io.EOF):
			return a.assembledReply(), nil, io.ErrUnexpectedEOF
		case err != nil:
			return a.assembledReply(), nil, err
		}
		var c replyShape
		if !utf8.Valid(line) || json.Unmarshal(line, &c) != nil {
			return a.assembledReply(), nil, &garbage{"malformed event in the stream"}
		}
		if c.hasError() {
			return a.assembledReply(), nil, explainNoAnswer(line)
		}
		a.addEvent(&c)
	}
}

// replyShape is a reply in one piece, or an event of one in pieces. go-openai's own have no place for
// whether the parts of an answer are there at all, for errors beside them or as events, and for reasoning.
type replyShape struct {
	Object  string          `json:"object"`
	Model   string          `json:"model"`
	Usage   *goopenai.Usage `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Choices []struct {
		Index    int                `json:"index"`
		Error    json.RawMessage    `json:"error"`
		Finish   string             `json:"finish_reason"`
		LogProbs *goopenai.LogProbs `json:"logprobs"`
		Message  replyMessage       `json:"message"`
		Delta    replyMessage       `json:"delta"`
	} `json:"choices"`
}

type replyMessage struct {
	Role             string          `json:"role"`
	Content          messageText     `json:"content"`
	Refusal          string          `json:"refusal"`
	ToolCalls        json.RawMessage `json:"tool_calls"`
	Reasoning        any             `json:"reasoning"` // of OpenRouter and vLLM, where it is a text
	ReasoningContent string          `json:"reasoning_content"`
}

func (m *replyMessage) thinkingText() string {
	text, _ := m.Reasoning.(string)
	return cmp.Or(m.ReasoningContent, text)
}

// messageText is the content of a message: a text, or parts that have one.
type messageText struct {
	text  string
	given bool // were it null
}

// UnmarshalJSON reads either form.
func (m *messageText) UnmarshalJSON(content []byte) error {
	m.given = true
	if content[0] != '[' {
		return json.Unmarshal(content, &m.text)
	}
	var parts []struct{ Text string }
	err := json.Unmarshal(content, &parts)
	for _, p := range parts {
		m.text += p.Text
	}
	return err
}

// readReplyShape reads the shape of a body. Its error is a *garbage: the body is not one JSON value, or has
// two members of one name, of which nobody knows the right one.
func readReplyShape(body []byte) (replyShape, error) {
	var s replyShape
	if !utf8.Valid(body) {
		return s, &garbage{"malformed reply: it is not UTF-8, as JSON must be"}
	}
	if err := json.Unmarshal(body, &s); err != nil {
		return s, &garbage{fmt.Sprintf("malformed reply: %v", err)}
	}
	if name := findRepeatedName(body); name != "" {
		return s, &garbage{fmt.Sprintf("malformed reply: two members %q in one object", name)}
	}
	return s, nil
}

// hasError reports whether an error stands beside the choices or in the first.
func (s *replyShape) hasError() bool {
	return s.Object == "error" || isErrorValue(s.Error) || len(s.Choices) > 0 && isErrorValue(s.Choices[0].Error)
}

// isErrorValue reports whether the value of a member "error" is one.
func isErrorValue(v json.RawMessage) bool {
	return !slices.Contains([]string{"", "null", `""`, "{}", "[]", "false"}, string(bytes.TrimSpace(v)))
}

// named is how deep a reply's objects have names that matter: the reply, its choices, their message.
const named = 5

// findRepeatedName finds the first name that an object of a short reply has twice, where answers stand;
// "" when there is none. What is long was not made by a broken gateway.
func findRepeatedName(body []byte) string {
	if len(body) > shortReply || jsontext.Value(body).IsValid() {
		return ""
	}
	_, err := jsontext.NewDecoder(bytes.NewReader(body)).ReadValue()
	var bad *jsontext.SyntacticError
	if !errors.As(err, &bad) || !errors.Is(bad, jsontext.ErrDuplicateName) || strings.Count(string(bad.JSONPointer), "/") > named {
		return ""
	}
	return bad.JSONPointer.LastToken()
}

func isBlank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) }) < 0
}

// isBrokenOff reports whether a finish reason says that the answer broke off for want of the endpoint.
func isBrokenOff(finish string) bool {
	return slices.Contains([]string{"error", "abort", "aborted", "cancelled", "canceled", "timeout", "failed", "network_error", "insufficient_system_resource"}, finish)
}

// isFiltered reports whether a finish reason says that a filter kept the answer
// back, in the words of OpenAI, Zhipu and Gemini.
func isFiltered(finish string) bool {
	word, _, _ := strings.Cut(strings.ToLower(finish), ":")
	return slices.Contains([]string{"content_filter", "sensitive", "safety", "prohibited_content", "blocklist", "recitation", "spii"}, word)
}
