package openai

import (
	"bytes"
	"encoding/json"
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
	failed        bool // an error object stands beside the choices
}

// foundIn reads go-openai's result, and from the body what go-openai has no
// field for: OpenRouter's and vLLM's reasoning.
func foundIn(r *goopenai.ChatCompletionResponse, body []byte) found {
	f := found{model: r.Model, usage: usageOf(&r.Usage), failed: bytes.Contains(body, []byte(`"error"`)) && holdsError(body)}
	if len(r.Choices) == 0 {
		return f
	}
	c := &r.Choices[0]
	f.text, f.refusal, f.reasoning = c.Message.Content, c.Message.Refusal, c.Message.ReasoningContent
	for _, p := range c.Message.MultiContent {
		f.text += p.Text
	}
	f.finish = string(c.FinishReason)
	f.said = f.text != "" || f.refusal != "" || f.reasoning != "" || f.finish != ""
	if f.reasoning == "" && bytes.Contains(body, []byte(`"reasoning"`)) {
		f.reasoning = reasoningIn(body)
	}
	return f
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

func reasoningIn(body []byte) string {
	var r struct {
		Choices []struct {
			Message struct {
				Reasoning any `json:"reasoning"`
			} `json:"message"`
		} `json:"choices"`
	}
	if json.Unmarshal(body, &r) != nil || len(r.Choices) == 0 {
		return ""
	}
	text, _ := r.Choices[0].Message.Reasoning.(string)
	return text
}

// reply judges what was found: text and thinking are parted, a refusal is the
// model's answer, and what is no answer is an error that a *refusal or a
// *garbage tells.
func (f *found) reply(body []byte) (eval.Reply, error) {
	r := eval.Reply{Text: f.text, Reasoning: f.reasoning, Finish: text.Outside(f.finish).Short(40), Usage: f.usage, Model: text.Outside(f.model).Short(100)}
	switch {
	case !f.said || f.failed:
		return eval.Reply{Usage: r.Usage, Model: r.Model}, unsaid(body)
	case f.finish == string(goopenai.FinishReasonContentFilter):
		return eval.Reply{Finish: r.Finish, Usage: r.Usage, Model: r.Model}, &withheld{}
	case f.finish == "error" || f.finish == "abort":
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
	if !holdsError(body) {
		return &garbage{"reply without an answer: no choice that says anything, and no finish reason"}
	}
	// The body goes back to its pool before the refusal is worded.
	r := &refusal{body: bytes.Clone(body[:min(len(body), bound.Refusal)]), within: true}
	if status, err := strconv.Atoi(complain(body).Code); err == nil && status >= 300 && status <= 599 {
		r.status = status
	}
	return r
}

// holdsError reports whether a reply has an error object at its top.
func holdsError(body []byte) bool {
	var v struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &v) != nil {
		return false
	}
	switch string(bytes.TrimSpace(v.Error)) {
	case "", "null", `""`, "{}", "[]", "false":
		return false
	}
	return true
}
