package openai

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"concord/eval"
)

// responding has a model of the Responses API that is replied one body, and what it sent.
func responding(t *testing.T, o ModelOptions, status int, kind, body string) (*Model, *string) {
	t.Helper()
	sent := new(string)
	return model(t, Options{Responses: true, BaseURL: "http://lab.test/v1", Key: testKey, KeyName: "LAB_KEY", MaxBody: 1 << 17, Transport: round(func(q *http.Request) (*http.Response, error) {
		b, _ := io.ReadAll(q.Body)
		*sent = q.Method + " " + q.URL.String() + " " + string(b)
		if q.Header.Get("Authorization") != "Bearer "+testKey {
			t.Error("no key is sent")
		}
		return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1, Request: q}, nil
	})}, o), sent
}

const respond = `{"id":"resp_1","object":"response","status":"completed","error":null,"incomplete_details":null,"model":"vlm-1","output":[
	{"type":"reasoning","summary":[{"type":"summary_text","text":"so"}]},
	{"type":"message","status":"completed","role":"assistant","content":[
		{"type":"output_text","text":"B","annotations":[],"logprobs":[{"token":"B","bytes":[66],"logprob":-0.5,"top_logprobs":[]}]}]}],
	"usage":{"input_tokens":300,"input_tokens_details":{"cached_tokens":256},"output_tokens":9,"output_tokens_details":{"reasoning_tokens":4},"total_tokens":309}}`

func TestResponsesAPISendsAndReads(t *testing.T) {
	m, sent := responding(t, ModelOptions{LogProbs: true, Params: []byte(`{"max_tokens":16,"seed":3,"image_detail":"high"}`)}, 200, "application/json", respond)
	file := encoded(t, "png", drawn(8, 8))
	c := eval.Chat{System: "be brief", Pictures: [][]byte{file}, Turns: []eval.Turn{{Role: eval.User, Text: "one"}, {Role: eval.Assistant, Text: "A"}, {Role: eval.User, Text: "why?"}}}
	got, err := m.Chat(t.Context(), c)
	want := eval.Reply{
		Text: "B", Reasoning: "so", Finish: "stop", Model: "vlm-1", Usage: eval.Usage{Prompt: 300, Cached: 256, Completion: 9, Reasoning: 4},
		Tokens: []eval.Token{{Text: "B", LogProb: -0.5}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	body := `{"model":"vlm","input":[{"role":"system","content":"be brief"},{"role":"user","content":[` +
		`{"type":"input_image","image_url":"data:image/png;base64,` + base64.StdEncoding.EncodeToString(file) + `","detail":"high"},{"type":"input_text","text":"one"}]},` +
		`{"role":"assistant","content":"A"},{"role":"user","content":"why?"}],"include":["message.output_text.logprobs"],"max_output_tokens":16,"seed":3,"store":false,"temperature":0}`
	if *sent != "POST http://lab.test/v1/responses "+body {
		t.Errorf("sent %s", *sent)
	}
	line, err := m.FormatBatchLine("x", c)
	if want := `{"custom_id":"x","method":"POST","url":"/v1/responses","body":` + body + "}"; err != nil || string(line) != want {
		t.Errorf("%s, %v", line, err)
	}
	id, reply, err := ReadBatchLine([]byte(`{"custom_id":"x","response":{"status_code":200,"body":` + strings.ReplaceAll(respond, "\n", "") + `},"error":null}`))
	if err != nil || id != "x" || !reflect.DeepEqual(reply, want) {
		t.Errorf("%s: %+v, %v", id, reply, err)
	}
	if m.room != 16 || math.Abs(reply.Tokens[0].LogProb) > 1 || !json.Valid(line) {
		t.Errorf("room for %d tokens", m.room)
	}
}

func TestResponsesThatSayNoMore(t *testing.T) {
	check := func(from, to, text, finish string) {
		t.Helper()
		m, _ := responding(t, ModelOptions{}, 200, "application/json", strings.NewReplacer(from, to).Replace(respond))
		got, err := m.Chat(t.Context(), say("q"))
		if err != nil || got.Text != text || got.Finish != finish || got.Usage.Prompt != 300 {
			t.Errorf("%s gives %+v, %v", to, got, err)
		}
	}
	check(`"status":"completed","error":null,"incomplete_details":null`, `"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}`, "B", "length")
	check(`"type":"output_text","text":"B"`, `"type":"refusal","refusal":"I cannot help with that."`, "I cannot help with that.", "stop")
	check(`"text":"B"`, `"text":"<think>so</think>C"`, "C", "stop")
	check(`"type":"reasoning","summary":[{"type":"summary_text","text":"so"}]`, `"type":"reasoning","summary":[],"content":null`, "B", "stop")
}

func TestResponsesThatAreNone(t *testing.T) {
	check := func(status int, kind, body string, want eval.FailureKind, word string) {
		t.Helper()
		m, _ := responding(t, ModelOptions{}, status, kind, body)
		got, err := m.Chat(t.Context(), say("q"))
		f := eval.FailureOfError(err)
		if f == nil || f.Kind != want || !strings.Contains(f.Message, word) || got.Text != "" {
			t.Errorf("%d %.300s gives %+v, %v", status, body, got, err)
		}
		if f != nil && strings.Contains(f.Message, testKey) {
			t.Errorf("the key is told: %s", f.Message)
		}
	}
	as := "application/json"
	swap := func(from, to string) string { return strings.Replace(respond, from, to, 1) }
	check(200, "text/html", "<html><title>Sign in</title>", eval.FailureTransient, "is the base URL right?")
	check(200, as, "<html><title>Sign in</title>", eval.FailureTransient, "malformed")
	check(200, as, "", eval.FailureTransient, "malformed")
	check(200, as, "null", eval.FailureTransient, "without an answer")
	check(200, as, respond[:len(respond)/2], eval.FailureTransient, "malformed")
	check(200, as, swap(`"text":"B"`, `"text":"B","text":"C"`), eval.FailureTransient, `two members "text"`)
	check(200, as, swap(`"output":[`, `"output":7,"x":[`), eval.FailureTransient, "malformed")
	check(200, as, `{"object":"response","status":"completed","output":[]}`, eval.FailureTransient, "without an answer")
	check(200, as, swap(`"role":"assistant"`, `"role":"user"`), eval.FailureTransient, "without an answer")
	check(200, as, swap(`"status":"completed"`, `"status":"in_progress"`), eval.FailureTransient, `its status is "in_progress"`)
	check(200, as, swap(`"error":null`, `"error":{"code":"server_error","message":"it broke, Bearer `+testKey+`"}`), eval.FailureTransient, "it broke")
	check(200, as, swap(`"status":"completed"`, `"status":"failed"`), eval.FailureTransient, "broke off")
	check(200, as, swap(`"status":"completed","error":null,"incomplete_details":null`, `"status":"incomplete","incomplete_details":{"reason":"content_filter"}`), eval.FailureSample, "content filter")
	check(200, as, `{"error":"upstream died","output":"x"}`, eval.FailureTransient, "upstream died")
	check(400, as, `{"error":{"message":"Unsupported parameter: 'seed'","type":"invalid_request_error","param":"seed","code":"unsupported_parameter"}}`, eval.FailureConfiguration, `parameter "seed"`)
	check(401, as, `{"error":{"message":"Incorrect API key provided: `+testKey+`"}}`, eval.FailureConfiguration, "LAB_KEY")
	check(429, as, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, eval.FailureTransient, "slow down")
	check(400, as, `{"error":{"message":"no","code":"content_filter"}}`, eval.FailureSample, "no")

	e, err := NewEndpoint(Options{Responses: true, BaseURL: "http://lab.test/v1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.NewModel(ModelOptions{Name: "m", Stream: true}); err == nil || !strings.Contains(err.Error(), "take stream out") {
		t.Error(err)
	}
}
