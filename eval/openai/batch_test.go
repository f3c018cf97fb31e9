package openai

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"concord/eval"
)

func TestBatchLine(t *testing.T) {
	m := model(t, Options{BaseURL: "http://lab.test/v1"}, ModelOptions{Stream: true})
	got, err := m.FormatBatchLine(`run 3/"7".1`, say("q\nr"))
	want := `{"custom_id":"run 3/\"7\".1","method":"POST","url":"/v1/chat/completions","body":` +
		`{"model":"vlm","messages":[{"role":"user","content":"q\nr"}],"temperature":0}}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	if !json.Valid(got) || strings.Contains(string(got), "\n") {
		t.Error("no line of JSON")
	}
	if _, err := m.FormatBatchLine("", say("q")); err == nil {
		t.Error("a line without an id")
	}
}

var batchLines = []struct {
	line string
	text string
	kind eval.FailureKind // unset: an answer
	word string
}{
	{`{"id":"b","custom_id":"c","response":{"status_code":200,"request_id":"r","body":{"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"<think>x</think>A","reasoning":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":1}}},"error":null}`, "A", eval.FailureUnset, ""},
	{`{"custom_id":"c","response":{"status_code":400,"body":{"error":{"message":"too big","code":"invalid_image"}}},"error":null}`, "", eval.FailureSample, "too big [invalid_image]"},
	{`{"custom_id":"c","response":null,"error":{"code":"batch_expired","message":"This request could not be executed"}}`, "", eval.FailureTransient, "batch_expired"},
	{`{"custom_id":"c","response":{"status_code":400,"request_id":"r","body":null},"error":{"object":"error","message":"too long","type":"BadRequestError","code":400}}`, "", eval.FailureSample, "too long"},
	{`{"custom_id":"c","response":{"status_code":404,"body":null},"error":{"error":{"message":"no model","type":"NotFoundError","code":404}}}`, "", eval.FailureConfiguration, "no model"},
	{`{"custom_id":"c","response":{"status_code":500,"body":null},"error":null}`, "", eval.FailureTransient, "500"},
	{`{"custom_id":"c","response":{"status_code":200,"body":{"choices":[]}},"error":null}`, "", eval.FailureTransient, "without an answer"},
	{`{"custom_id":"c","response":{"status_code":200,"body":"odd"},"error":null}`, "", eval.FailureTransient, "malformed"},
	{`{"custom_id":"c"}`, "", eval.FailureTransient, "neither"},
}

func TestReadBatchLine(t *testing.T) {
	for _, c := range batchLines {
		id, r, err := ReadBatchLine([]byte(c.line))
		var f *eval.Failure
		switch {
		case id != "c" || r.Text != c.text:
			t.Errorf("%s gives %q, %+v", c.line, id, r)
		case c.kind == eval.FailureUnset && err != nil:
			t.Errorf("%s gives %v", c.line, err)
		case c.kind != eval.FailureUnset && (!errors.As(err, &f) || f.Kind != c.kind || !strings.Contains(f.Message, c.word)):
			t.Errorf("%s gives %v", c.line, err)
		}
	}
	for _, line := range []string{``, `{`, `[]`, `{"custom_id":""}`, `{"id":"x","response":{"status_code":200}}`} {
		var f *eval.Failure
		if _, _, err := ReadBatchLine([]byte(line)); err == nil || errors.As(err, &f) {
			t.Errorf("%q gives %v", line, err)
		}
	}
}

func FuzzReadBatchLine(f *testing.F) {
	for _, c := range batchLines {
		f.Add([]byte(c.line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		id, r, err := ReadBatchLine(line)
		held(t, r, err)
		if id == "" && err == nil {
			t.Error("an answer to nothing")
		}
	})
}

func FuzzReply(f *testing.F) {
	for _, c := range batchLines {
		f.Add(200, []byte(c.line))
		f.Add(429, []byte(c.line))
	}
	f.Add(200, []byte(`{"choices":[{"message":{"role":"assistant","content":"A"}}],"usage":{"prompt_tokens":-1}}`))
	f.Add(200, []byte("data: {\"choices\":[{\"delta\":{\"content\":\"A\"},\"finish_reason\":\"stop\"}]}\n\n"))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		for _, stream := range []bool{false, true} {
			m, _ := canned(t, status, nil, string(body))
			m.stream = stream
			r, err := m.Chat(t.Context(), say("q"))
			held(t, r, err)
			if err != nil && strings.Contains(err.Error(), testKey) {
				t.Error("the key")
			}
		}
	})
}

// held checks what holds of every reply.
func held(t *testing.T, r eval.Reply, err error) {
	t.Helper()
	var f *eval.Failure
	if errors.As(err, &f) && (f.Kind == eval.FailureUnset || f.Message == "" || len(f.Message) > 4*shown+8) {
		t.Errorf("%+v", f)
	}
	if err != nil && strings.ContainsFunc(err.Error(), func(c rune) bool { return c < ' ' || c == 0x7f }) {
		t.Errorf("%q", err)
	}
	if u := r.Usage; u.Prompt < 0 || u.Completion < 0 || u.Reasoning < 0 || u.Reasoning > u.Completion {
		t.Errorf("%+v", u)
	}
	if err != nil && r.Text != "" {
		t.Errorf("%q beside %v", r.Text, err)
	}
}
