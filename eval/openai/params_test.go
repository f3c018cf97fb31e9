package openai

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCanonicalParams(t *testing.T) {
	check := func(in, want string) {
		t.Helper()
		got, err := CanonicalParams(json.RawMessage(in))
		if err != nil || got != want {
			t.Errorf("%s gives %s, %v; want %s", in, got, err, want)
		}
		if again, err := CanonicalParams(json.RawMessage(got)); err != nil || again != got {
			t.Errorf("%s is not stable: %s, %v", got, again, err)
		}
	}
	check(``, `{"temperature":0}`)
	check(` null `, `{"temperature":0}`)
	check(`{"temperature":null}`, `{"temperature":null}`)
	check(`{"top_p":0.90,"max_tokens":1e3,"seed":9007199254740993}`, `{"max_tokens":1000,"seed":9007199254740993,"temperature":0,"top_p":0.9}`)
	check(`{"temperature":-0.0,"stop":["<a>",2.50]}`, `{"stop":["<a>",2.5],"temperature":0}`)
	check(`{"max_tokens":null,"chat_template_kwargs":{"b":null,"a":true}}`, `{"chat_template_kwargs":{"a":true,"b":null},"temperature":0}`)

	refuse := func(in, word string) {
		t.Helper()
		if got, err := CanonicalParams(json.RawMessage(in)); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s gives %s, %v", in, got, err)
		}
	}
	for _, name := range reserved {
		refuse(`{"`+name+`":null}`, `"`+name+`" cannot be set`)
	}
	refuse(`[1]`, "not a JSON object")
	refuse(`{"a":1} {}`, "more than one")
	refuse(`{"a":1e999}`, "out of range")
}

func TestNullTemperatureIsNotSent(t *testing.T) {
	m := model(t, Options{BaseURL: "http://lab.test/v1"}, ModelOptions{
		Name: `a"b`, Params: json.RawMessage(`{"temperature":null,"max_completion_tokens":9,"x":null}`),
	})
	got, err := m.BuildBody(say("q"))
	want := `{"model":"a\"b","messages":[{"role":"user","content":"q"}],"max_completion_tokens":9}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "plain", "\"\\\n\r\t\x00\x1f\x7f", "é√\u2028", "\xff\xc3", "\xed\xa0\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		if err := json.Unmarshal(appendQuote(nil, s), &got); err != nil {
			t.Fatal(err)
		}
		if utf8.ValidString(s) && got != s {
			t.Errorf("%q became %q", s, got)
		}
		std, _ := json.Marshal(s)
		var want string
		if json.Unmarshal(std, &want) == nil && got != want {
			t.Errorf("%q became %q, encoding/json makes it %q", s, got, want)
		}
	})
}
