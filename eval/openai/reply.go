package openai

import (
	"bytes"
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

	goopenai "github.com/sashabaranov/go-openai"

	"concord/eval"
	"concord/eval/bound"
	"concord/eval/text"
)

// found is a reply as the wire format gives it, read but not judged.
type found struct {
	text, refusal string
	reasoning     string
	finish        string
	model         string
	usage         eval.Usage
	said          bool // there was a choice that says something, or why it says nothing
	failed        bool // an error stands beside the choices or in the first
}

// foundIn reads go-openai's result, and from the body what go-openai has no
// field for.
func foundIn(r *goopenai.ChatCompletionResponse, body []byte) (found, error) {
	s, err := shapeOf(body)
	f := found{model: r.Model, usage: usageOf(&r.Usage), failed: s.failed()}
	if err != nil || len(r.Choices) == 0 {
		return f, err
	}
	c := &r.Choices[0]
	f.text, f.refusal, f.reasoning = c.Message.Content, c.Message.Refusal, c.Message.ReasoningContent
	for _, p := range c.Message.MultiContent {
		f.text += p.Text
	}
	f.finish = string(c.FinishReason)
	if f.reasoning == "" {
		f.reasoning = s.reasoning()
	}
	f.said = f.says(s.speaks())
	return f, nil
}

// says reports whether this is an answer: a text of the model's, or its reason
// to say nothing. A finish reason alone, with no message, is neither.
func (f *found) says(message bool) bool {
	switch {
	case f.finish == string(goopenai.FinishReasonLength) || filtered(f.finish) || broken(f.finish):
		return true
	case f.finish == "" && blank(f.text) && blank(f.refusal) && blank(f.reasoning):
		return false
	}
	return message
}

func usageOf(u *goopenai.Usage) eval.Usage {
	out := eval.Usage{Prompt: tokens(u.PromptTokens), Completion: tokens(u.CompletionTokens)}
	if d := u.CompletionTokensDetails; d != nil {
		out.Reasoning = min(tokens(d.ReasoningTokens), out.Completion)
	}
	return out
}

// tokens bounds a count that strangers named.
func tokens(n int) int { return min(max(n, 0), 1<<30) }

// reply judges what was found: text and thinking are parted, a refusal is the
// model's answer, and what is no answer is an error that a *refusal or a
// *garbage tells.
func (f *found) reply(body []byte) (eval.Reply, error) {
	r := eval.Reply{Text: f.text, Reasoning: f.reasoning, Finish: text.Outside(f.finish).Short(40), Usage: f.usage, Model: text.Outside(f.model).Short(100)}
	switch {
	case !f.said || f.failed:
		return eval.Reply{Usage: r.Usage, Model: r.Model}, unsaid(body)
	case filtered(f.finish):
		return eval.Reply{Finish: r.Finish, Usage: r.Usage, Model: r.Model}, &withheld{}
	case broken(f.finish):
		return eval.Reply{Finish: r.Finish, Usage: r.Usage, Model: r.Model},
			&refusal{status: 500, body: []byte("the answer broke off: finish reason " + f.finish)}
	}
	if r.Text == "" {
		r.Text = f.refusal
	}
	text, thought := unthink(r.Text)
	r.Text = text
	if r.Reasoning == "" {
		r.Reasoning = thought
	}
	return r, nil
}

// unsaid is why a body of status 200 holds no answer: an error object, which
// gateways send so, or nothing.
func unsaid(body []byte) error {
	s, err := shapeOf(body)
	if err != nil || !s.failed() {
		return &garbage{"reply without an answer: no message that says anything, or why it says nothing"}
	}
	if !holds(s.Error) && s.Object != "error" {
		body = s.Choices[0].Error
	}
	// The body goes back to its pool before the refusal is worded.
	r := &refusal{body: bytes.Clone(body[:min(len(body), bound.Refusal)]), within: true}
	if status, err := strconv.Atoi(complain(body).Code); err == nil && status >= 300 && status <= 599 {
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

// unthink parts a leading thought from the answer. A thought without an end
// leaves no answer: the model was cut off in it.
func unthink(content string) (answer, thought string) {
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

// chunk is one event of a streamed reply. go-openai's own has no place for
// reasoning, and drops errors that come as events.
type chunk struct {
	Model   string `json:"model"`
	Choices []struct {
		Index int `json:"index"`
		Delta struct {
			Role             string `json:"role"`
			Content          string `json:"content"`
			Refusal          string `json:"refusal"`
			Reasoning        string `json:"reasoning"`
			ReasoningContent string `json:"reasoning_content"`
		} `json:"delta"`
		Finish string          `json:"finish_reason"`
		Error  json.RawMessage `json:"error"`
	} `json:"choices"`
	Usage *goopenai.Usage `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// assembly puts a streamed reply together.
type assembly struct {
	found
	text, refusal, thought strings.Builder
	message                bool // there was a part of one
}

func (a *assembly) add(c *chunk) {
	if c.Model != "" {
		a.model = c.Model
	}
	if c.Usage != nil {
		a.usage = usageOf(c.Usage)
	}
	if len(c.Choices) == 0 || c.Choices[0].Index != 0 {
		return
	}
	d := &c.Choices[0].Delta
	a.message = a.message || d.Role != "" || d.Content != "" || d.Refusal != "" || d.Reasoning != "" || d.ReasoningContent != ""
	a.text.WriteString(d.Content)
	a.refusal.WriteString(d.Refusal)
	if d.ReasoningContent != "" {
		a.thought.WriteString(d.ReasoningContent)
	} else {
		a.thought.WriteString(d.Reasoning)
	}
	if c.Choices[0].Finish != "" {
		a.finish = c.Choices[0].Finish
	}
}

func (a *assembly) whole() found {
	f := a.found
	f.text, f.refusal, f.reasoning = a.text.String(), a.refusal.String(), a.thought.String()
	f.said = f.says(a.message)
	return f
}

// streamed asks for a streamed reply and assembles it. One that ends before it
// says why it stopped has broken off.
func (m *Model) streamed(ctx context.Context, t *trip) (found, []byte, error) {
	s, err := m.endpoint.client.CreateChatCompletionStream(ctx, goopenai.ChatCompletionRequest{})
	if err != nil {
		return found{}, nil, err
	}
	defer func() { _ = s.Close() }()
	var a assembly
	for {
		line, err := s.RecvRaw()
		switch {
		case t.broke != nil:
			return a.whole(), nil, t.broke
		case errors.Is(err, io.EOF) && a.finish != "":
			return a.whole(), nil, nil
		case errors.Is(err, io.EOF):
			return a.whole(), nil, io.ErrUnexpectedEOF
		case err != nil:
			return a.whole(), nil, err
		}
		var c chunk
		if !utf8.Valid(line) || json.Unmarshal(line, &c) != nil {
			return a.whole(), nil, &garbage{"malformed event in the stream"}
		}
		if holds(c.Error) || len(c.Choices) > 0 && holds(c.Choices[0].Error) {
			return a.whole(), nil, unsaid(line)
		}
		a.add(&c)
	}
}

// shape is what go-openai has no field for in a reply: whether the parts that
// an answer is made of are there at all, errors beside them, and OpenRouter's
// and vLLM's reasoning.
type shape struct {
	Object  string          `json:"object"`
	Error   json.RawMessage `json:"error"`
	Choices []struct {
		Error   json.RawMessage `json:"error"`
		Message *struct {
			Role      string          `json:"role"`
			Content   json.RawMessage `json:"content"`
			ToolCalls json.RawMessage `json:"tool_calls"`
			Reasoning any             `json:"reasoning"`
		} `json:"message"`
	} `json:"choices"`
}

// shapeOf reads the shape of a body. Its error is a *garbage: the body is not
// one JSON value, or has two members of one name, of which nobody knows the
// right one.
func shapeOf(body []byte) (shape, error) {
	var s shape
	if !utf8.Valid(body) {
		return s, &garbage{"malformed reply: it is not UTF-8, as JSON must be"}
	}
	if err := json.Unmarshal(body, &s); err != nil {
		return s, &garbage{fmt.Sprintf("malformed reply: %v", err)}
	}
	if name := repeated(body); name != "" {
		return s, &garbage{fmt.Sprintf("malformed reply: two members %q in one object", name)}
	}
	return s, nil
}

// failed reports whether an error stands beside the choices or in the first.
func (s *shape) failed() bool {
	return s.Object == "error" || holds(s.Error) || len(s.Choices) > 0 && holds(s.Choices[0].Error)
}

// speaks reports whether the first choice has a message that is the model's.
func (s *shape) speaks() bool {
	if len(s.Choices) == 0 || s.Choices[0].Message == nil {
		return false
	}
	m := s.Choices[0].Message
	return m.Role != "user" && m.Role != "system" && (m.Role != "" || m.Content != nil || m.ToolCalls != nil)
}

func (s *shape) reasoning() string {
	if len(s.Choices) == 0 || s.Choices[0].Message == nil {
		return ""
	}
	text, _ := s.Choices[0].Message.Reasoning.(string)
	return text
}

// holds reports whether the value of a member "error" is one.
func holds(v json.RawMessage) bool {
	return !slices.Contains([]string{"", "null", `""`, "{}", "[]", "false"}, string(bytes.TrimSpace(v)))
}

// named is how deep a reply's objects have names that matter: the reply, its
// choices, their message.
const named = 5

// repeated is the first name that an object of a short reply has twice, where
// answers stand; "" when there is none. What is long was not made by a broken
// gateway.
func repeated(body []byte) string {
	if len(body) > shortReply {
		return ""
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var seen []map[string]bool // of each open object; nil for an array
	key := false               // a name comes next
	for {
		t, err := d.Token()
		if err != nil {
			return ""
		}
		switch v := t.(type) {
		case json.Delim:
			switch v {
			case '{':
				seen = append(seen, make(map[string]bool, 8))
			case '[':
				seen = append(seen, nil)
			default:
				seen = seen[:len(seen)-1]
			}
		case string:
			if key {
				if at := seen[len(seen)-1]; len(seen) <= named && at[v] {
					return v
				} else if at != nil {
					at[v] = true
				}
				key = false
				continue
			}
		}
		key = len(seen) > 0 && seen[len(seen)-1] != nil
	}
}

// blank reports whether a text shows nothing.
func blank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) }) < 0
}

// broken reports whether a finish reason says that the answer broke off for
// want of the endpoint.
func broken(finish string) bool {
	return slices.Contains([]string{"error", "abort", "aborted", "cancelled", "canceled", "timeout", "failed", "network_error", "insufficient_system_resource"}, finish)
}

// filtered reports whether a finish reason says that a filter kept the answer
// back, in the words of OpenAI, Zhipu and Gemini.
func filtered(finish string) bool {
	word, _, _ := strings.Cut(strings.ToLower(finish), ":")
	return slices.Contains([]string{"content_filter", "sensitive", "safety", "prohibited_content", "blocklist", "recitation", "spii"}, word)
}
