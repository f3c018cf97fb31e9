package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	goopenai "github.com/sashabaranov/go-openai"

	"concord/eval"
)

// batchLine is a line of a batch's output or error file, as OpenAI and vLLM
// (run-batch) write it.
type batchLine struct {
	ID       string `json:"custom_id"`
	Response *struct {
		Status int             `json:"status_code"`
		Body   json.RawMessage `json:"body"`
	} `json:"response"`
	Error json.RawMessage `json:"error"`
}

// ReadBatchLine reads a line of a batch's results: the id of the call and
// what came of it. A call that failed is an *eval.Failure, and id says which;
// any other error is about the line itself.
func ReadBatchLine(line []byte) (id string, r eval.Reply, err error) {
	var l batchLine
	if err := json.Unmarshal(line, &l); err != nil {
		return "", eval.Reply{}, fmt.Errorf("read batch line: %w", err)
	}
	if l.ID == "" {
		return "", eval.Reply{}, errors.New("read batch line: no custom_id")
	}
	r, err = l.reply()
	if err != nil {
		return l.ID, r, batchFailure(err)
	}
	return l.ID, r, nil
}

func (l *batchLine) reply() (eval.Reply, error) {
	bad := bytes.TrimSpace(l.Error)
	failed := len(bad) > 0 && string(bad) != "null"
	switch {
	case l.Response == nil && !failed:
		return eval.Reply{}, &garbage{"neither a response nor an error"}
	case l.Response == nil:
		return eval.Reply{}, &refusal{body: bad}
	case l.Response.Status != 0 && (l.Response.Status < 200 || l.Response.Status > 299):
		if failed {
			return eval.Reply{}, &refusal{status: l.Response.Status, body: bad}
		}
		return eval.Reply{}, &refusal{status: l.Response.Status, body: l.Response.Body}
	case failed:
		return eval.Reply{}, &refusal{body: bad}
	}
	var c goopenai.ChatCompletionResponse
	if err := json.Unmarshal(l.Response.Body, &c); err != nil {
		return eval.Reply{}, &garbage{fmt.Sprintf("malformed reply: %v", err)}
	}
	f, err := foundIn(&c, l.Response.Body)
	if err != nil {
		return eval.Reply{}, err
	}
	return f.reply(l.Response.Body)
}

// batchFailure words what a line says. A batch that expired or was cancelled
// never asked.
func batchFailure(err error) *eval.Failure {
	var nobody secret
	var r *refusal
	if w := (*withheld)(nil); errors.As(err, &w) {
		return &eval.Failure{Kind: eval.FailureSample, Message: nobody.clean("batch: " + err.Error())}
	}
	if !errors.As(err, &r) {
		return unusable(&eval.Failure{Kind: eval.FailureTransient, Message: nobody.clean("batch: " + err.Error())})
	}
	c := complain(r.body)
	f := &eval.Failure{Kind: r.kind(c), Status: r.status}
	if c.has("batch_expired", "batch_cancelled", "rate_limit_exceeded", "server_error") {
		f.Kind = eval.FailureTransient
	}
	text := "batch"
	if r.status != 0 {
		text += fmt.Sprintf(": HTTP status %d", r.status)
	}
	if c.Message != "" {
		text += ": " + c.Message
	}
	if c.Code != "" {
		text += " [" + c.Code + "]"
	}
	f.Message = nobody.clean(text)
	return f
}
