package openai

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"concord/eval"
	"concord/eval/openai/openaitest"
)

const testKey = "sk-test-0123456789abcdefghijklmnopqrstuv"

// serve starts a server, and a model of it.
func serve(t testing.TB, o openaitest.Options, limits Limits, m ModelOptions) (*openaitest.Server, *Model) {
	t.Helper()
	s := openaitest.New(o)
	if err := s.ListenOnFreePort(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, model(t, Options{
		Name: "lab", BaseURL: s.URL(), Key: testKey, KeyName: "LAB_KEY",
		Limits: limits, Timeout: 20 * time.Second, MaxBody: 1 << 20,
	}, m)
}

func model(t testing.TB, o Options, m ModelOptions) *Model {
	t.Helper()
	e, err := NewEndpoint(o)
	if err != nil {
		t.Fatal(err)
	}
	if m.Name == "" {
		m.Name = "vlm"
	}
	out, err := e.NewModel(m)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func say(text string) eval.Chat {
	return eval.Chat{Turns: []eval.Turn{{Role: eval.User, Text: text}}}
}

func TestChatSendsAndReads(t *testing.T) {
	var seen *openaitest.Request
	var params map[string]json.RawMessage
	s, m := serve(t, openaitest.Options{Key: testKey, Answer: func(r *openaitest.Request) openaitest.Response {
		seen, params = r, r.Params()
		return openaitest.Response{Text: "B. \"blue\" é", Reasoning: "hm", Prompt: 7, Completion: 5, Thinking: 2, Finish: "length"}
	}}, Limits{}, ModelOptions{Params: json.RawMessage(`{"seed": 3, "max_tokens": null, "top_k": 20}`)})

	got, err := m.Chat(t.Context(), eval.Chat{System: "be brief", Turns: []eval.Turn{
		{Role: eval.User, Text: "one\n\"two\" \xff"}, {Role: eval.Assistant, Text: "A"}, {Role: eval.User, Text: "why?"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := eval.Reply{
		Text: "B. \"blue\" é", Reasoning: "hm", Finish: "length", Model: "vlm",
		Usage: eval.Usage{Prompt: 7, Completion: 5, Reasoning: 2},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("reply %+v, want %+v", got, want)
	}
	if seen.System != "be brief" || len(seen.Turns) != 3 || seen.Turns[0].Text != "one\n\"two\" \ufffd" || seen.Turns[1].Role != "assistant" {
		t.Errorf("server saw %q %q", seen.System, seen.Turns)
	}
	if len(params) != 3 || string(params["temperature"]) != "0" || string(params["seed"]) != "3" || string(params["top_k"]) != "20" {
		t.Errorf("server saw parameters %s", params)
	}
	if n := s.CountCalls("vlm", seen.Prompt()); n != 1 {
		t.Errorf("counted %d", n)
	}
}

func TestStreamAssembles(t *testing.T) {
	_, m := serve(t, openaitest.Options{Answer: func(*openaitest.Request) openaitest.Response {
		return openaitest.Response{Text: "the answer, in several pieces, is Ünïcödé B", Reasoning: "thinking at some length about it", Prompt: 9, Completion: 8}
	}}, Limits{}, ModelOptions{Stream: true})
	got, err := m.Chat(t.Context(), say("q"))
	want := eval.Reply{
		Text: "the answer, in several pieces, is Ünïcödé B", Reasoning: "thinking at some length about it",
		Finish: "stop", Model: "vlm", Usage: eval.Usage{Prompt: 9, Completion: 8},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("reply %+v, %v", got, err)
	}
}

// Log probabilities come only where they are asked for, in one piece, in pieces and
// out of batch files, and their texts spell the reply.
func TestLogProbs(t *testing.T) {
	const said = "Answer: Ü"
	for _, o := range []ModelOptions{{}, {Stream: true}, {LogProbs: true}, {LogProbs: true, Stream: true}} {
		_, m := serve(t, openaitest.Options{Answer: func(*openaitest.Request) openaitest.Response {
			return openaitest.Response{Text: said, Sure: 0.25}
		}}, Limits{}, o)
		got, err := m.Chat(t.Context(), say("q"))
		var spelt strings.Builder
		sum := 0.0
		for _, token := range got.Tokens {
			spelt.WriteString(token.Text)
			sum += token.LogProb
		}
		switch {
		case err != nil || got.Text != said:
			t.Errorf("%+v: %+v, %v", o, got, err)
		case !o.LogProbs && len(got.Tokens) > 0:
			t.Errorf("%+v: nobody asked for %v", o, got.Tokens)
		case o.LogProbs && (spelt.String() != said || math.Abs(math.Exp(sum)-0.25) > 1e-9):
			t.Errorf("%+v: %v", o, got.Tokens)
		}
		line, err := m.FormatBatchLine("1", say("q"))
		if err != nil || strings.Contains(string(line), `"logprobs":true`) != o.LogProbs {
			t.Errorf("%+v: %s, %v", o, line, err)
		}
	}
	_, r, err := ReadBatchLine([]byte(`{"custom_id":"1","response":{"status_code":200,"body":{"choices":[{"message":{"role":"assistant","content":"B"},` +
		`"logprobs":{"content":[{"token":"B","logprob":-0.5,"bytes":[66]}]},"finish_reason":"stop"}]}}}`))
	if err != nil || len(r.Tokens) != 1 || r.Tokens[0] != (eval.Token{Text: "B", LogProb: -0.5}) {
		t.Errorf("%+v, %v", r, err)
	}
	_, r, err = ReadBatchLine([]byte(`{"custom_id":"1","response":{"status_code":200,"body":{"choices":[{"message":{"role":"assistant","content":"B"},"logprobs":null,"finish_reason":"stop"}]}}}`))
	if err != nil || len(r.Tokens) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestModelsAreListed(t *testing.T) {
	_, m := serve(t, openaitest.Options{Key: testKey, Models: []string{"b", "a"}}, Limits{}, ModelOptions{})
	names, err := m.endpoint.ListModels(t.Context())
	if err != nil || len(names) != 2 || names[0] != "a" {
		t.Errorf("%v, %v", names, err)
	}
}
