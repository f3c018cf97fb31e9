package openai

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	goopenai "github.com/sashabaranov/go-openai"
)

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
