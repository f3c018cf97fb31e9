package openai

import (
	"reflect"
	"strings"
	"testing"

	"concord/eval"
)

func TestUnthink(t *testing.T) {
	check := func(content, answer, thought string) {
		t.Helper()
		if a, th := splitLeadingThought(content); a != answer || th != thought {
			t.Errorf("%q gives %q and %q", content, a, th)
		}
	}
	check("A", "A", "")
	check(" A\n", " A\n", "")
	check("<think>so B</think>\n\nA", "A", "so B")
	check("\n<think>\n</think>A", "A", "")
	check("<think>cut off", "", "cut off")
	check("it was in the prompt</think> A", "A", "it was in the prompt")
	check("I use <think> and </think> tags", "I use <think> and </think> tags", "")
	check("◁think▷so◁/think▷B", "B", "so")
	check("[THINK]so[/THINK]C", "C", "so")
	check("<thinking>so</thinking>D", "D", "so")
}

func TestReasoningIsNoAnswer(t *testing.T) {
	check := func(message, text, reasoning string) {
		t.Helper()
		m, _ := canned(t, 200, nil, `{"choices":[{"message":{"role":"assistant",`+message+`},"finish_reason":"stop"}],
			"usage":{"prompt_tokens":3,"completion_tokens":9,"completion_tokens_details":{"reasoning_tokens":4}}}`)
		got, err := m.Chat(t.Context(), say("q"))
		want := eval.Reply{Text: text, Reasoning: reasoning, Finish: "stop", Usage: eval.Usage{Prompt: 3, Completion: 9, Reasoning: 4}}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s gives %+v, %v", message, got, err)
		}
	}
	check(`"content":"A","reasoning_content":"so"`, "A", "so")
	check(`"content":"A","reasoning":"so"`, "A", "so")
	check(`"content":null,"reasoning":"so"`, "", "so")
	check(`"content":"A","reasoning":{"odd":1}`, "A", "")
	check(`"content":"<think>so</think>A"`, "A", "so")
	check(`"content":"<think>so"`, "", "so")
	check(`"content":[{"type":"text","text":"A"}]`, "A", "")
	check(`"content":null,"refusal":"I cannot"`, "I cannot", "")
}

func TestCachedTokensArePartOfThePrompt(t *testing.T) {
	check := func(details string, want int) {
		t.Helper()
		m, _ := canned(t, 200, nil, `{"choices":[{"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}],
			"usage":{"prompt_tokens":300,"completion_tokens":9`+details+`}}`)
		got, err := m.Chat(t.Context(), say("q"))
		if err != nil || got.Usage != (eval.Usage{Prompt: 300, Cached: want, Completion: 9}) {
			t.Errorf("%s gives %+v, %v", details, got.Usage, err)
		}
	}
	check("", 0)
	check(`,"prompt_tokens_details":null`, 0)
	check(`,"prompt_tokens_details":{"cached_tokens":256}`, 256)
	check(`,"prompt_tokens_details":{"cached_tokens":301}`, 300)
	check(`,"prompt_tokens_details":{"cached_tokens":-1}`, 0)
}

func TestStreamsThatGoWrong(t *testing.T) {
	check := func(body string, kind eval.FailureKind, word string) {
		t.Helper()
		m, _ := canned(t, 200, map[string][]string{"Content-Type": {"text/event-stream"}}, body)
		m.stream = true
		_, err := m.Chat(t.Context(), say("q"))
		if f := eval.FailureOfError(err); f == nil || f.Kind != kind || !strings.Contains(f.Message, word) {
			t.Errorf("%.200s gives %v", body, err)
		}
	}
	some := `data: {"choices":[{"index":0,"delta":{"content":"A"},"finish_reason":null}]}` + "\n\n"
	check(some, eval.FailureTransient, "broken")
	check("", eval.FailureTransient, "broken")
	check(some+"data: {]\n\n", eval.FailureTransient, "malformed")
	check(some+`data: {"error":{"message":"upstream died","code":502}}`+"\n\n", eval.FailureTransient, "upstream died")
	check(some+`data: {"id":1,"error":{"message":"no","code":"x"}}`+"\n\n", eval.FailureTransient, "no")
	check(strings.Repeat(": keep alive\n\n", 1<<15), eval.FailureTransient, "endless")
	m, _ := canned(t, 200, map[string][]string{"Content-Type": {"text/event-stream"}},
		strings.Repeat(": keep alive\n\n", 1000)+some+`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]")
	m.stream = true
	if r, err := m.Chat(t.Context(), say("q")); err != nil || r.Text != "A" || r.Finish != "stop" {
		t.Errorf("%+v, %v", r, err)
	}
}
