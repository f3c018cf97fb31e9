package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"

	"concord/eval"
	"concord/eval/text"
)

// wording is how the parts of a call are written in one of the two APIs.
type wording struct{ path, turns, text, picture, pictureEnd string }

var (
	chatWording     = wording{"/chat/completions", `,"messages":[`, `{"type":"text","text":`, `{"type":"image_url","image_url":{"url":`, `}},`}
	responseWording = wording{"/responses", `,"input":[`, `{"type":"input_text","text":`, `{"type":"input_image","image_url":`, `},`}
)

// renameParams makes parameters of chats those of the Responses API, where concord
// knows them. Others are sent as they are: the endpoint names what it refuses. Nothing
// is stored at the vendor unless the parameters say so, as with chats.
func renameParams(fields map[string]any) {
	for _, name := range []string{"max_completion_tokens", "max_tokens"} {
		if n, ok := fields[name]; ok {
			fields["max_output_tokens"] = n
			delete(fields, name)
		}
	}
	if fields["logprobs"] == true {
		list, _ := fields["include"].([]any)
		fields["include"] = append(list, "message.output_text.logprobs")
	}
	delete(fields, "logprobs")
	if _, ok := fields["store"]; !ok {
		fields["store"] = false
	}
}

// response is a reply of the Responses API. go-openai leaves its output undecoded, and
// reads errors in one shape alone.
type response struct {
	Model      string `json:"model"`
	Status     string `json:"status"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Output []struct {
		Type    string `json:"type"`
		Role    string `json:"role"`
		Content []struct {
			Text     string             `json:"text"`
			Refusal  string             `json:"refusal"`
			LogProbs []goopenai.LogProb `json:"logprobs"`
		} `json:"content"`
		Summary []struct {
			Text string `json:"text"`
		} `json:"summary"`
	} `json:"output"`
	Usage struct {
		Input        int `json:"input_tokens"`
		InputDetails struct {
			Cached int `json:"cached_tokens"`
		} `json:"input_tokens_details"`
		Output        int `json:"output_tokens"`
		OutputDetails struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"output_tokens_details"`
	} `json:"usage"`
}

func (m *Model) askResponse(ctx context.Context, t *callExchange) (wireReply, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.endpoint.url+responseWording.path, http.NoBody)
	if err != nil {
		return wireReply{}, nil, err
	}
	resp, err := m.endpoint.wire.RoundTrip(req)
	if err != nil {
		return wireReply{}, nil, err
	}
	_ = resp.Body.Close() // in memory
	f, err := newResponseReply(t.reply.Bytes())
	return f, t.reply.Bytes(), err
}

func newResponseReply(body []byte) (wireReply, error) {
	var r response
	s, err := readShape(body)
	if err != nil {
		return wireReply{}, err
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return wireReply{failed: s.hasError()}, eval.Either[error](s.hasError(), nil, &garbage{fmt.Sprintf("malformed reply: %v", err)})
	}
	u := &r.Usage
	f := wireReply{failed: s.hasError(), Reply: eval.Reply{Model: r.Model, Usage: usageOf(&goopenai.Usage{
		PromptTokens: u.Input, PromptTokensDetails: &goopenai.PromptTokensDetails{CachedTokens: u.InputDetails.Cached},
		CompletionTokens: u.Output, CompletionTokensDetails: &goopenai.CompletionTokensDetails{ReasoningTokens: u.OutputDetails.Reasoning},
	})}}
	message := false
	var thoughts []string
	for _, item := range r.Output {
		own := item.Type == "message" && (item.Role == "" || item.Role == "assistant")
		message = message || own && len(item.Content) > 0
		for _, part := range item.Content {
			switch {
			case own:
				f.Text, f.refusal = f.Text+part.Text, f.refusal+part.Refusal
				f.addTokens(&goopenai.LogProbs{Content: part.LogProbs})
			case item.Type == "reasoning":
				thoughts = append(thoughts, part.Text)
			}
		}
		for _, part := range item.Summary {
			thoughts = append(thoughts, part.Text)
		}
	}
	f.Reasoning = strings.Join(thoughts, "\n\n")
	switch {
	case r.Status == "completed":
		f.Finish = "stop"
	case r.Status == "incomplete" && r.Incomplete.Reason == "max_output_tokens":
		f.Finish = string(goopenai.FinishReasonLength)
	case r.Status == "incomplete":
		f.Finish = r.Incomplete.Reason
	case r.Status == "failed" || r.Status == "cancelled":
		f.Finish = r.Status
	case r.Status != "" && !f.failed:
		return f, &garbage{fmt.Sprintf("reply without an answer: its status is %q", text.Outside(r.Status).Shorten(40))}
	}
	f.said = f.isAnswer(message)
	return f, nil
}
