package openai

import (
	"bytes"
	"strconv"

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
